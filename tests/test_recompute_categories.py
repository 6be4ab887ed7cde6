"""What can be wrong with a question of one category alone is found by its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.corrupting import Corrupt, objects, rules_broken, set_record
from support.drafts import DRAFTS, THING
from support.published import FLOOR, MOVER, Draft, box, paint

from flowbench.encoding import encode_depth


def move_thing(dx: float, instance_id: int = THING) -> Corrupt:
    """Displace a thing in both frames."""

    def corrupt(draft: Draft) -> None:
        for when in ("before", "after"):
            objects(draft)[instance_id][when]["position"][0] += dx

    return corrupt


def change_thing(**values: Any) -> Corrupt:
    return lambda draft: objects(draft)[THING].update(values)


def answer(letters: str) -> Corrupt:
    """Claim another answer, consistently."""

    def corrupt(draft: Draft) -> None:
        choices = draft.record["choices"]
        draft.record.update(answer=letters, answer_text="; ".join(choices["ABCDEF".index(each)] for each in letters))

    return corrupt


def probe(right: float, away: float, stated: str | None = None) -> Corrupt:
    """Ask about another probe, in the record and perhaps in both texts."""

    def corrupt(draft: Draft) -> None:
        draft.record["probe"].update(right=right, away=away)
        if stated is not None:
            draft.record.update(question=f"Moved a further {stated}?", static_question=f"Moved {stated}?")

    return corrupt


def reword(change: Callable[[str], str], *keys: str) -> Corrupt:
    return lambda draft: draft.record.update({key: change(draft.record[key]) for key in keys})


def replace_choices(*choices: str) -> Corrupt:
    def corrupt(draft: Draft) -> None:
        text = choices["ABCDEF".index(draft.record["answer"][0])]
        draft.record.update(choices=list(choices), answer_text=text)

    return corrupt


def repaint(columns: int) -> Corrupt:
    """Let the mover cover so many of the 40 columns of the occluded board, or stand beside it."""

    def corrupt(draft: Draft) -> None:
        left, right = (min(60, 40 + columns), 60 + columns) if columns else (110, 130)
        draft.after = paint((160, 120), [(11, [[60, 40, 100, 80]]), (MOVER, [[left, 40, right, 80]])])
        draft.refresh_segments()

    return corrupt


def cover_before(draft: Draft) -> None:
    """Something nearer stands before 4 of its 40 columns in the first frame."""
    depth = np.full(draft.before.shape, 2.0, dtype=np.float32)
    draft.before[40:80, 60:64], depth[40:80, 60:64] = FLOOR, 1.0
    draft.extra["depth_before.png16"] = encode_depth(depth)
    draft.refresh_segments()


def vanish_before(draft: Draft) -> None:
    draft.before[draft.before == 11] = FLOOR
    draft.refresh_segments()


def name_landmark(draft: Draft) -> None:
    """Name a thing that the question is not about."""
    each = objects(draft)[THING]
    each["structural"] = False
    draft.before[0:4, 0:4] = draft.after[0:4, 0:4] = THING
    draft.refresh_segments()
    named = {"id": THING, "object": each["object"], "type": each["type"], "name": "the object marked blue"}
    draft.record["landmarks"].append({**named, "distance_before": None, "distance_after": None})


def swap_landmarks(draft: Draft) -> None:
    """List two landmarks in the other's place, but not the choices."""
    first, second, *rest = draft.record["landmarks"]
    draft.record["landmarks"] = [second, first, *rest]


def drop_landmark(draft: Draft) -> None:
    draft.record["landmarks"].pop()


def cover_thing(pixels: int) -> Corrupt:
    """Hide so many of the thing's 100 pixels after the move: 150 px of a picture 800 wide are 6 of these."""

    def corrupt(draft: Draft) -> None:
        shown = np.flatnonzero(draft.after == THING)
        draft.after.ravel()[shown[:pixels]] = FLOOR
        draft.refresh_segments()

    return corrupt


def set_depth(metres: float, moment: str) -> Corrupt:
    """Something stands that far from the camera, all over the picture."""

    def corrupt(draft: Draft) -> None:
        draft.extra[f"depth_{moment}.png16"] = encode_depth(np.full(draft.before.shape, metres, dtype=np.float32))

    return corrupt


WALL_BEHIND = [box((0.05, 3.0, 1.3), (-0.165, 0.0, 1.3))]
CORRUPTIONS: dict[str, list[tuple[str, Corrupt, set[str]]]] = {
    "occlusion": [
        ("answer swapped", answer("A"), {"answer"}),
        ("before-answer claimed", set_record(before_answer="A", flipped=True), {"before_answer", "flipped"}),
        ("margin", set_record(margin=0.15001), {"margin"}),
        ("margin in pixels", set_record(margin_unit="px"), {"margin_unit"}),
        ("a little more is hidden", repaint(21), {"margin"}),
        ("too little is hidden to tell", repaint(8), {"margin", "ambiguous"}),
        ("nothing is hidden", repaint(0), {"margin", "answer"}),
        ("covered before", cover_before, {"margin", "ambiguous"}),
        ("not seen before", vanish_before, {"margin", "ambiguous", "visible"}),
        ("choices are not yes and no", replace_choices("Whole", "Part"), {"question"}),
        ("no landmark", drop_landmark, {"question"}),
    ],
    "contact_wall": [
        ("answer swapped", answer("B"), {"answer"}),
        ("before-answer wrong", set_record(before_answer="A"), {"before_answer"}),
        ("wall moved by a centimetre", move_thing(0.01), {"margin"}),
        ("wall moved into the band", move_thing(0.05), {"margin", "ambiguous"}),
        ("wall moved away", move_thing(0.5), {"margin", "answer", "flipped"}),
        ("wall a little inside the mover", move_thing(-0.034), {"margin"}),
        ("wall far inside the mover", move_thing(-0.036), {"margin", "ambiguous"}),
        ("wall behind the start", change_thing(parts=WALL_BEHIND), {"margin", "answer", "before_answer"}),
        ("wall of another room", change_thing(room="room-1"), {"question"}),
        ("wall that is none", change_thing(type="Dresser"), {"question"}),
        ("wall without shape", change_thing(parts=[]), {"question"}),
        ("mover in no room", lambda draft: objects(draft)[MOVER].update(room=None), {"question"}),
        ("a landmark", name_landmark, {"question"}),
    ],
    "feasibility": [
        ("answer swapped", answer("A"), {"answer"}),
        ("before-answer wrong", set_record(before_answer="B", flipped=False), {"before_answer", "flipped"}),
        ("probe not as stated", probe(0.45, 0.0), {"question"}),
        ("probe shorter, in the texts too", probe(0.4, 0.0, "0.40 m to the right"), {"margin"}),
        ("probe too short, in the texts too", probe(0.2, 0.0, "0.20 m to the right"), {"margin", "answer", "flipped"}),
        ("probe just too far, in the texts too", probe(0.32, 0.0, "0.32 m to the right"), {"margin", "ambiguous"}),
        ("probe turned", probe(-0.5, 0.0), {"question"}),
        ("probe turned, in the texts too", probe(-0.5, 0.0, "0.50 m to the left"), {"margin", "answer", "flipped"}),
        ("probe turned by a right angle", probe(0.0, 0.5), {"question"}),
        ("texts without a direction", probe(0.5, 0.0, "0.50 m"), {"question"}),
        ("texts with another direction", probe(0.5, 0.0, "0.50 m to the left"), {"question"}),
        ("texts with one more direction", probe(0.5, 0.0, "0.50 m to the right and away"), {"question"}),
        ("a component not stated", probe(0.5, 0.1), {"question"}),
        ("no probe", set_record(probe=None), {"question"}),
        ("obstacle moved by a centimetre", move_thing(0.01), {"margin"}),
        ("obstacle moved away", move_thing(1.0), {"margin", "answer", "flipped"}),
        ("obstacle moved to where it grazes", move_thing(0.19), {"margin", "ambiguous"}),
        ("obstacle blocks before instead", move_thing(-0.75), {"margin", "answer", "before_answer"}),
        ("a landmark", name_landmark, {"question"}),
        ("what blocks is hardly seen", cover_thing(95), {"blocker seen"}),
        ("what blocks is seen well enough", cover_thing(94), set()),
        ("where a free way leads is hidden", set_depth(2.5, "before"), {"probe in view"}),
        ("where a blocked way leads is hidden", set_depth(2.5, "after"), set()),
        (
            "probe leads out of the picture, in the texts too",
            probe(-6.0, 0.0, "6.00 m to the left"),
            {"margin", "answer", "flipped", "probe in view"},
        ),
    ],
    "closest_three": [
        ("a letter swapped", answer("ABD"), {"answer"}),
        ("letters out of order", answer("BAC"), {"answer"}),
        ("a letter missing", answer("AB"), {"answer"}),
        ("a letter twice", answer("AAB"), {"answer"}),
        ("before-answer wrong", set_record(before_answer="BCE"), {"before_answer"}),
        ("before-answer as now", set_record(before_answer="ABC", flipped=False), {"before_answer", "flipped"}),
        ("landmarks out of the choices' order", swap_landmarks, {"question"}),
        ("five landmarks", drop_landmark, {"question"}),
        (
            "the fourth comes near",
            move_thing(-0.55, 16),
            {"margin", "ambiguous", "distance_before", "distance_after"},
        ),
        (
            "the fourth comes nearer than the third",
            move_thing(-1.2, 16),
            {"margin", "answer", "distance_before", "distance_after"},
        ),
    ],
    "count_near": [
        ("another count", answer("B"), {"answer"}),
        ("before-answer wrong", set_record(before_answer="A"), {"before_answer"}),
        ("before-answer as now", set_record(before_answer="D", flipped=False), {"before_answer", "flipped"}),
        ("threshold changed", set_record(threshold=0.5), {"question"}),
        ("no threshold", set_record(threshold=None), {"question"}),
        ("a listed name left out", reword(lambda text: text.replace("pink", "red"), "static_question"), {"question"}),
        ("another threshold in a text", reword(lambda text: text.replace("0.75", "1.00"), "question"), {"question"}),
        ("choices of other counts", replace_choices("1", "2", "3", "4"), {"question"}),
        ("choices in another order", replace_choices("2", "3", "4", "5"), {"answer", "before_answer"}),
        ("five landmarks", drop_landmark, {"question"}),
        ("one more comes near", move_thing(0.45, 15), {"margin", "answer", "distance_before", "distance_after"}),
        ("one into the band", move_thing(0.35, 15), {"margin", "ambiguous", "distance_before", "distance_after"}),
    ],
}


def test_every_later_category_is_corrupted() -> None:
    assert set(CORRUPTIONS) == set(DRAFTS) - {"left_right", "near_object", "closer_to"}


@pytest.mark.parametrize(
    ("category", "corrupt", "expected"),
    [
        pytest.param(category, corrupt, expected, id=f"{category}: {name}")
        for category, corruptions in CORRUPTIONS.items()
        for name, corrupt, expected in corruptions
    ],
)
def test_corruption_is_found_by_its_rule(category: str, corrupt: Corrupt, expected: set[str]) -> None:
    draft = DRAFTS[category]()
    corrupt(draft)
    assert rules_broken(draft) == expected


def test_what_occludes_may_leave_nothing_to_see() -> None:
    """Only the mover must stay visible: what it hides need not keep its area."""
    draft = DRAFTS["occlusion"]()
    draft.after[draft.after == 11] = FLOOR
    draft.record.update(margin=0.65)
    draft.refresh_segments()
    assert rules_broken(draft) == set()
