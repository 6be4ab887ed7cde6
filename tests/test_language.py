"""Words: enough phrasings, none with a hole; both questions say what decides; names name one thing."""

from __future__ import annotations

import itertools
import math
import re
import string
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.still import arrangement, block, sight_of

from flowbench.builders.sim.categories import CATEGORIES
from flowbench.builders.sim.distances import TERMS, Measure, Terms
from flowbench.builders.sim.items import Item
from flowbench.builders.sim.language import MOTIONS, Wording, object_names, path_text, put_into_words
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.naming import enumeration
from flowbench.builders.sim.view import Sight
from flowbench.geometry import Camera
from flowbench.schema import LETTERS, Mark

ALL = sorted(CATEGORIES)
HOLES = {
    "left_right": {"mover", "a", "relation"},
    "near_object": {"mover", "a", "threshold"},
    "closer_to": {"mover"},
    "occlusion": {"mover", "a"},
    "contact_wall": {"mover"},
    "feasibility": {"mover", "probe"},
    "closest_three": {"mover"},
    "count_near": {"mover", "listed", "threshold"},
}
MEASURE_HOLES = {field.name for field in fields(Terms)}
LANDMARKS = {"closer_to": 4, "closest_three": 6, "count_near": 6, "contact_wall": 0, "feasibility": 0}
COLOURS = ("blue", "green", "yellow", "orange", "purple", "cyan")
NAMES = {f"L{i}": f"the object marked {colour}" for i, colour in enumerate(COLOURS)} | {"M": "the box marked red"}
ANSWERS = {
    "closer_to": [str(i) for i in range(4)],
    "closest_three": ["+".join(map(str, three)) for three in itertools.combinations(range(6), 3)],
    "count_near": list("2345"),
}


def item_of(name: str, answer: str, measure: Measure = "nearest") -> Item:
    landmarks = tuple(f"L{i}" for i in range(LANDMARKS.get(name, 1)))
    relation = "left" if name == "left_right" else None
    threshold = 0.35 if "threshold" in HOLES[name] else None
    probe = Move(25, -40) if name == "feasibility" else None
    return Item(name, "M", Move(40, 0), landmarks, relation, threshold, answer, answer, 1.0, "cell", probe, measure)


def worded(name: str, answer: str, position: int = 0, seed: int = 0, measure: Measure = "nearest") -> Wording:
    item = item_of(name, answer, measure)
    return put_into_words(CATEGORIES[name], item, NAMES, position, np.random.default_rng(seed))


def right_texts(name: str, answer: str) -> set[str]:
    """The right choices, said without looking at letters."""
    if name in ("closer_to", "closest_three"):
        return {NAMES[f"L{index}"] for index in answer.split("+")}
    return {answer}


# --- phrasings


def test_every_category_is_checked() -> None:
    assert set(HOLES) == set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_phrasings_come_in_pairs_and_say_what_decides(name: str) -> None:
    category = CATEGORIES[name]
    assert category.name == name
    assert len(category.questions) == len(category.static_questions) >= 5
    for texts in (category.questions, category.static_questions):
        assert len(set(texts)) == len(texts)
        for text in texts:
            used = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
            assert set(used) - MEASURE_HOLES == HOLES[name], text
            assert bool(set(used) & MEASURE_HOLES) == category.measures_gaps, text
            assert text.endswith("?")
            assert text.count("?") == 1


LATER = r"\b(after|afterwards|then|once|now|ends? up|will|resulting|further|moved on|another|new place|from there)\b"


@pytest.mark.parametrize("name", ALL)
def test_only_the_question_speaks_of_a_move_that_was_made(name: str) -> None:
    """Each static question is asked of one picture, where nothing has moved and nothing lies ahead."""
    category = CATEGORIES[name]
    for text in category.static_questions:
        assert not re.search(LATER, text.lower()), text
    for text in category.questions:
        assert re.search(LATER, text.lower()) or "starting from its new place" in text.lower(), text


@pytest.mark.parametrize("name", ALL)
def test_every_phrasing_is_drawn_and_none_has_a_hole(name: str) -> None:
    category = CATEGORIES[name]
    answer = ANSWERS.get(name, ["yes"])[0]
    drawn = [worded(name, answer, seed=seed) for seed in range(60)]
    assert len({each.question for each in drawn}) == len(category.questions)
    assert len({each.static_question for each in drawn}) == len(category.static_questions)
    assert len({each.motion for each in drawn}) == len(MOTIONS) >= 5
    item = item_of(name, answer)
    for each in drawn:
        for text in (each.motion, each.question, each.static_question):
            assert not re.search(r"[{}]|  |None|,,|\bthe the\b", text)
            assert text[0].isupper()
            assert NAMES["M"] in text or NAMES["M"].capitalize() in text
        assert "0.40 m to the right, as seen from the camera" in each.motion
        for text in (each.question, each.static_question):
            assert ("0.35 m" in text) == (item.threshold is not None)
            assert ("0.25 m to the right and 0.40 m toward the camera" in text) == (item.probe is not None)
            named = [key for key in item.landmarks if NAMES[key] in text.lower()]
            assert named == ([] if category.lists_landmarks else list(item.landmarks))


TOLD = {"nearest": r"nearest points|smallest gaps? to", "centres": r"\bcentres?\b", "boxes": r"\bbounding[ -]box"}


@pytest.mark.parametrize("measure", TERMS)
@pytest.mark.parametrize("name", ["near_object", "closer_to", "closest_three", "count_near"])
def test_every_text_says_what_distances_lie_between(name: str, measure: Measure) -> None:
    drawn = [worded(name, ANSWERS.get(name, ["yes"])[0], seed=seed, measure=measure) for seed in range(40)]
    texts = {text for each in drawn for text in (each.question, each.static_question)}
    assert len(texts) == len(CATEGORIES[name].questions) + len(CATEGORIES[name].static_questions)
    for text in texts:
        assert [other for other, words in TOLD.items() if re.search(words, text.lower())] == [measure], text


def test_contact_and_hiding_say_how_much() -> None:
    for texts in (CATEGORIES["contact_wall"].questions, CATEGORIES["contact_wall"].static_questions):
        assert all("0.03 m" in text for text in texts)
    for texts in (CATEGORIES["occlusion"].questions, CATEGORIES["occlusion"].static_questions):
        assert all("a third" in text for text in texts)
    for texts in (CATEGORIES["feasibility"].questions, CATEGORIES["feasibility"].static_questions):
        assert all(re.search(r"height|without lifting it", text) for text in texts)


# --- letters


def letterings() -> list[tuple[str, str, int]]:
    """(category, answer, right position): every position, with answers in turn."""
    found = []
    for name in ALL:
        answers = ANSWERS.get(name, ["yes", "no"])
        found += [(name, answers[i % len(answers)], i) for i in range(CATEGORIES[name].letterings())]
        found += [(name, answer, 0) for answer in answers]
    return found


@pytest.mark.parametrize(("name", "answer", "position"), letterings())
def test_the_letters_name_the_right_texts(name: str, answer: str, position: int) -> None:
    category = CATEGORIES[name]
    for seed in range(3):
        wording = worded(name, answer, position, seed)
        letters = wording.letters(category.picks(answer))
        assert {wording.choices[LETTERS.index(letter)] for letter in letters} == right_texts(name, answer)
        assert len(letters) == category.picked
        assert list(letters) == sorted(letters)
        assert sorted(wording.order) == list(range(category.choices))
        assert len(set(wording.choices)) == category.choices


@pytest.mark.parametrize("name", ALL)
def test_right_positions_run_through_all_letters(name: str) -> None:
    category, answer = CATEGORIES[name], ANSWERS.get(name, ["yes"])[0]
    count = math.comb(category.choices, category.picked)
    found = ["".join(worded(name, answer, i).letters(category.picks(answer))) for i in range(count)]
    assert found == ["".join(each) for each in itertools.combinations(LETTERS[: category.choices], category.picked)]


def test_right_letters_say_nothing_of_the_order_of_several() -> None:
    """Which of the three nearest comes first is drawn, not told by its distance or number."""
    first = {worded("closest_three", "0+1+2", 0, seed).choices[0] for seed in range(40)}
    assert first == {NAMES[f"L{i}"] for i in range(3)}
    wrong = {worded("closest_three", "0+1+2", 0, seed).choices[5] for seed in range(40)}
    assert wrong == {NAMES[f"L{i}"] for i in range(3, 6)}


@given(st.permutations(range(6)), st.sets(st.integers(0, 5), min_size=1, max_size=3))
def test_letters_follow_the_order_of_the_choices(order: list[int], picks: set[int]) -> None:
    wording = Wording({}, "", "", "", tuple(str(index) for index in order), tuple(order))
    letters = wording.letters(tuple(picks))
    assert {int(wording.choices[LETTERS.index(letter)]) for letter in letters} == picks


# --- names


def test_enumerations() -> None:
    assert enumeration([]) == ""
    assert enumeration(["a"]) == "a"
    assert enumeration(["a", "b"]) == "a and b"
    assert enumeration(["a", "b", "c"]) == "a, b and c"


def test_probes_are_told_like_motions() -> None:
    assert path_text(Move(-30, 0)) == "0.30 m to the left, as seen from the camera"
    assert path_text(Move(-30, 105)) == "0.30 m to the left and 1.05 m away from the camera"


CAMERA = Camera.standing((0.0, 0.0, 1.0), 0.0, width=80, height=60)


def seen(**pixels: int) -> Sight:
    """Things by name (its letters are the type) with so many visible pixels."""
    scene = arrangement(**{name: [block(3, 0, 0, (0.2, 0.2, 0.2))] for name in pixels})
    ids = np.zeros((60, 80), dtype=np.uint16)
    for row, count in enumerate(pixels.values(), 1):
        ids[row, :count] = row
    return sight_of(scene, CAMERA, ids, np.full(ids.shape, 3.0, dtype=np.float32))


def same_type(sight: Sight, *names: str) -> Sight:
    """Let these things be of one type."""
    objects = tuple(
        replace(each, object_type=names[0]) if each.object_id in names else each for each in sight.arrangement.objects
    )
    return replace(sight, arrangement=replace(sight.arrangement, objects=objects))


def mark(name: str, colour: str) -> Mark:
    return Mark(id=1, object=name, colour=colour, rgb=[0, 0, 0], radius=2.0, before=[0.0, 0.0], after=[0.0, 0.0])


MARKS = [mark("Mug", "red"), mark("Chair", "blue")]


def test_a_type_is_said_where_it_is_the_only_one_of_its_kind() -> None:
    both = seen(Mug=30, Chair=30, Sofa=30)
    assert object_names(MARKS, both, both) == {"Mug": "the mug marked red", "Chair": "the chair marked blue"}


def test_a_second_of_a_type_in_either_picture_leaves_the_mark_alone() -> None:
    alone, two = (same_type(seen(Mug=30, Chair=30, Stool=stool), "Chair", "Stool") for stool in (0, 30))
    for before, after in ((two, two), (alone, two), (two, alone)):
        assert object_names(MARKS, before, after)["Chair"] == "the object marked blue"
        assert object_names(MARKS, before, after)["Mug"] == "the mug marked red"
    assert object_names(MARKS, alone, alone)["Chair"] == "the chair marked blue"


def test_what_nobody_notices_does_not_blur_a_name() -> None:
    """Fewer than 50 px of 800 x 600 (half a pixel of 80 x 60) are no second chair; one pixel is."""
    speck = same_type(seen(Mug=30, Chair=30, Stool=1), "Chair", "Stool")
    assert object_names(MARKS, speck, speck)["Chair"] == "the object marked blue"
