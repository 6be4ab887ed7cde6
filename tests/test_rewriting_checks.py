"""Which rewordings are taken: everything that carries meaning stays, word for word and in order."""

from __future__ import annotations

import pytest

from flowbench.builders.rewriting.checking import Kind, Text, clean, pieces, refuse

MUG, BOX, PAN = "the mug marked red", "the object marked blue", "the pan marked green"
NAMES = (MUG, BOX, PAN)


def text(kind: Kind, words: str, letter: str | None = None) -> Text:
    return Text("slot", kind, words, NAMES, letter)


MOTION = text(Kind.MOTION, f"Suppose {MUG} is moved 0.40 m to the right and 0.25 m away from the camera.")
SIDE = text(Kind.QUESTION, f"After this move, will {MUG} be to the left of {BOX} in the picture?")
NEAR = text(Kind.QUESTION, f"Will {MUG} then be closer than 0.75 m to {BOX}, taking the nearest points of both?")
CENTRES = text(Kind.QUESTION, f"After this move, will {MUG} be within 0.75 m of {BOX}, measured between their centres?")
BOXES = text(Kind.QUESTION, f"Which of these objects will then be nearest to {MUG}, taking the bounding boxes of both?")
WHICH = text(Kind.QUESTION, f"After this move, which three of these will be closest to {MUG}?")
STATIC = text(Kind.STATIC_QUESTION, f"Is {MUG} to the left of {BOX} in the picture?")
WAY = text(Kind.QUESTION, f"From there, is the way free to slide {MUG} another 0.40 m to the left, keeping its height?")
AFTER = text(
    Kind.REASONING, f"In the picture after the move, {MUG} is to the left of {BOX}. So the answer is no: B.", "B"
)
THREE = text(Kind.REASONING, f"The nearest three of the listed objects are {MUG}, {BOX} and {PAN}. It is ABD.", "ABD")
GT = text(Kind.REASONING, f"The gaps are 0.35 m to {BOX} and 1.20 m to {PAN}, so the answer is A.", "A")


@pytest.mark.parametrize(
    ("given", "reworded"),
    [
        (MOTION, "Somebody pushes the mug marked red 0.40 m to the right and 0.25 m away from the camera."),
        (MOTION, "The mug marked red is carried off: 0.40 m right, then 0.25 m away from where the camera stands."),
        (SIDE, "With this done, does the picture show the mug marked red to the left of the object marked blue?"),
        (SIDE, "Will the mug marked red appear left of the object marked blue once it has moved?"),
        (NEAR, "Is the mug marked red then less than 0.75 m from the object marked blue, nearest points taken?"),
        (CENTRES, "Will the mug marked red end up 0.75 m or less from the object marked blue, centers taken?"),
        (BOXES, "Then what lies nearest to the mug marked red, by the gap between bounding boxes?"),
        (WHICH, "Of the objects listed, which three end up nearest to the mug marked red?"),
        (STATIC, "In this picture, do you see the mug marked red to the left of the object marked blue?"),
        (WAY, "Can one go on and slide the mug marked red, at this height, another 0.40 m to the left from there?"),
        (AFTER, "The mug marked red can be seen to the left of the object marked blue, hence it is no: B."),
        (THREE, "Closest are these three: the mug marked red, the object marked blue, the pan marked green, so ABD."),
        (GT, "It is 0.35 m to the object marked blue but 1.20 m to the pan marked green, which makes it A."),
    ],
)
def test_a_good_rewording_is_taken(given: Text, reworded: str) -> None:
    assert refuse(given, reworded) is None


@pytest.mark.parametrize(
    ("given", "reworded", "why"),
    [
        (CENTRES, "After this move, will the mug marked red be within 0.75 m of the object marked blue?", "centres"),
        (NEAR, "Will the mug marked red then be closer than 0.75 m to the object marked blue by centres?", "centres"),
        (BOXES, "Which of these objects will then be nearest to the mug marked red, taking boxes?", "bounding"),
        (BOXES, "Which of these will then be nearest to the mug marked red, taking the centres of both?", "bounding"),
        (MOTION, "Suppose the mug marked red is moved 0.45 m to the right and 0.25 m away from the camera.", "0.45"),
        (MOTION, "Suppose the mug marked red is moved 40 cm to the right and 0.25 m away from the camera.", "40 cm"),
        (MOTION, "Suppose the mug marked red is moved 0.40 cm to the right and 0.25 m away from the camera.", "pieces"),
        (MOTION, "Suppose the mug marked red is moved 0.40 m to the left and 0.25 m away from the camera.", "pieces"),
        (MOTION, "Suppose the mug marked red is moved 0.25 m to the right and 0.40 m away from the camera.", "pieces"),
        (MOTION, "Suppose the mug marked red moves 0.25 m away from the camera and 0.40 m to the right.", "pieces"),
        (MOTION, "Suppose the mug marked red is moved 0.40 m to the right and 0.25 m toward the camera.", "pieces"),
        (MOTION, "Suppose the mug marked red is moved 0.40 m to the right and away from the camera.", "pieces"),
        (MOTION, "Suppose the red mug is moved 0.40 m to the right and 0.25 m away from the camera.", "pieces"),
        (MOTION, "Suppose the cup marked red is moved 0.40 m to the right and 0.25 m away from the camera.", "pieces"),
        (MOTION, "The mug marked red is moved 0.40 m to the right and 0.25 m away from the camera, to a wall.", "wall"),
        (
            MOTION,
            "The mug marked red is moved 0.40 m right and 0.25 m away from the camera to the object marked blue.",
            "p",
        ),
        (MOTION, "Is the mug marked red moved 0.40 m to the right and 0.25 m away from the camera?", "full stop"),
        (MOTION, "Suppose the mug marked red is not moved 0.40 m to the right, 0.25 m away from the camera.", "not"),
        (SIDE, "After this move, will the mug marked red be to the right of the object marked blue?", "pieces"),
        (SIDE, "After this move, will the object marked blue be to the left of the mug marked red?", "pieces"),
        (SIDE, "After this move, won't the mug marked red be to the left of the object marked blue?", "pieces"),
        (SIDE, "Will the mug marked red never be to the left of the object marked blue?", "pieces"),
        (SIDE, "Tell whether the mug marked red will be to the left of the object marked blue.", "question"),
        (SIDE, "Where does it go? Will the mug marked red be to the left of the object marked blue?", "question"),
        (SIDE, "Will the mug marked red be to the left of the object marked blue (yes, it will)?", "pieces"),
        (SIDE, "Will the mug marked red be 0.40 m to the left of the object marked blue?", "pieces"),
        (SIDE, "Will the mug marked red be to the left of the object marked blue, choice B?", "letters"),
        (SIDE, "Will the mug marked red be on the opposite side, to the left of the object marked blue?", "opposite"),
        (NEAR, "Will the mug marked red be farther than 0.75 m from the object marked blue then?", "farther"),
        (NEAR, "Will the mug marked red be within 0.50 m of the object marked blue then?", "pieces"),
        (NEAR, "Will the mug marked red be within 0.75 pixels of the object marked blue then?", "pieces"),
        (NEAR, "Will the mug marked red be within 0.75 m of the object marked blue, by two?", "pieces"),
        (WHICH, "After this move, which of these will be closest to the mug marked red, all in all?", "pieces"),
        (WHICH, "Which three of these will be closest to the mug marked red: the pan marked green?", "pieces"),
        (WHICH, "After this move, which three of these will be farthest from the mug marked red?", "farthest"),
        (STATIC, "After the move, is the mug marked red to the left of the object marked blue?", "after"),
        (STATIC, "Will the mug marked red end up to the left of the object marked blue?", "will"),
        (WAY, "From there, is the way blocked to slide the mug marked red another 0.40 m to the left?", "blocked"),
        (
            AFTER,
            "In the picture, the mug marked red is to the left of the object marked blue, so it is no: C.",
            "letter B",
        ),
        (
            AFTER,
            "In the picture, the mug marked red is to the left of the object marked blue, so it is yes: B.",
            "pieces",
        ),
        (AFTER, "In the picture, the mug marked red is to the left of the object marked blue, so it is B.", "pieces"),
        (
            AFTER,
            "B it is, no: in the picture, the mug marked red is to the left of the object marked blue.",
            "letter B",
        ),
        (
            AFTER,
            "The mug marked red is to the left of the object marked blue. C would be wrong, it is no: B.",
            "letters",
        ),
        (AFTER, "The mug marked red is to the left of the object marked blue, so A is wrong, it is no: B.", "letters"),
        (THREE, "The nearest are the mug marked red, the object marked blue and the pan marked green: ABC.", "ABD"),
        (THREE, "Nearest: the object marked blue, the mug marked red and the pan marked green. It is ABD.", "pieces"),
        (GT, "It is 1.20 m to the object marked blue but 0.35 m to the pan marked green, which makes it A.", "pieces"),
        (GT, "It is 0.35 m to the object marked blue but far to the pan marked green, which makes it A.", "pieces"),
        (GT, "0.35 m to the object marked blue, 1.20 m to the pan marked green: it is A.", "capital"),
    ],
)
def test_a_rewording_that_may_say_something_else_is_not(given: Text, reworded: str, why: str) -> None:
    assert why in str(refuse(given, reworded))


@pytest.mark.parametrize("bad", ["", "?", "Short?", "Will it? " * 40, SIDE.text.replace("picture", "pícture")])
def test_what_is_no_text_at_all_is_not_taken(bad: str) -> None:
    assert refuse(SIDE, bad) is not None


@pytest.mark.parametrize("sign", list("<>{}[]|\\/@#$^&*=_~`\n\t\0€…"))
def test_no_sign_beyond_plain_punctuation_is_taken(sign: str) -> None:
    assert "signs" in str(refuse(SIDE, SIDE.text.replace(" be ", f" be {sign} ")))


def test_every_text_would_be_taken_as_it_is() -> None:
    for given in (MOTION, SIDE, NEAR, WHICH, STATIC, WAY, AFTER, THREE, GT):
        assert refuse(given, given.text) is None


@pytest.mark.parametrize(
    ("dirty", "text"),
    [
        ("**Will** it `move` 0.40 m?", "Will it move 0.40 m?"),
        ("Will <b onclick='x'>it</b> move<script src=//x>?", "Will it move?"),
        ("# Will [it](http://example.org) move?", "Will it move?"),
        ("![Will](data:x) it move?", "Will it move?"),
        ("Will\x00 it\x1b[31m\u202e move\u200b?\r\n", "Will it[31m move?"),
        ("Will\u00a0it move 0.40\u202fm — “now”, it’s said?", 'Will it move 0.40 m - "now", it\'s said?'),
        ("Ｗｉｌｌ it move ０.４０ m?", "Will it move 0.40 m?"),
        ("Will \ud800it move?", "Will it move?"),
        ("  Will   it\n\nmove? ", "Will it move?"),
    ],
)
def test_control_characters_markup_and_typography_go(dirty: str, text: str) -> None:
    assert clean(dirty) == text


def test_pieces_are_names_numbers_directions_counts_and_negations() -> None:
    words = f"{MUG.capitalize()} isn't 0.40 m towards {BOX}, nor 12 pixels left; a third of two, without 1.5."
    found = [MUG, "not", "0.40 m", "toward", BOX, "not", "12 pixels", "left", "third", "two", "not", "1.5"]
    assert pieces(words, NAMES) == found


def test_longer_names_are_found_before_those_within_them() -> None:
    names = ("the lamp marked red", "the desk lamp marked red", "the mug marked red orange", "the mug marked red")
    found = pieces("The desk lamp marked red, the mug marked red orange, the lamp marked red.", names)
    assert found == ["the desk lamp marked red", "the mug marked red orange", "the lamp marked red"]
