"""One good sample a category, its numbers worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from flowbench.encoding import encode_depth
from flowbench.geometry import Camera, Pose

from .published import COLOURS, FIRST_LANDMARK, MOVER, Draft, box, home, paint, record, thing

SIZE = (160, 120)
THING = 31
"""Something that no text names."""
CAMERA = Camera.standing((0.0, -3.0, 1.6), math.pi / 2.0, width=SIZE[0], height=SIZE[1])
START, END = Pose((0.0, 0.0, 0.0)), Pose((0.6, 0.0, 0.0))
CUBE = [box((0.1, 0.1, 0.1), (0.0, 0.0, 0.1))]
SOFA = [box((0.2, 0.2, 0.2), (0.0, 0.0, 0.2))]


def draft_left_right() -> Draft:
    """The mover's mask passes the landmark's from left to right: 30 px apart, the band is max(4, 20 / 4) = 5 px."""
    facts = home(CAMERA, thing(MOVER, "Box", CUBE, START, END), [thing(11, "Sofa", SOFA, Pose((0.3, 1.0, 0.0)))])
    label = {"answer": "B", "before_answer": "A", "flipped": True, "relation": "right", "margin": 25.0}
    claims = record(
        "left_right",
        facts,
        choices=("No", "Yes"),
        question="Will the object marked red be to the right of the object marked blue?",
        static_question="Is the object marked red to the right of the object marked blue?",
        label={**label, "margin_unit": "px"},
        gaps=None,
    )
    sofa = (11, [[70, 40, 80, 50]])
    draft = Draft(
        claims,
        facts,
        paint(SIZE, [sofa, (MOVER, [[40, 60, 50, 70]])]),
        paint(SIZE, [sofa, (MOVER, [[100, 60, 110, 70]])]),
    )
    draft.refresh_segments()
    return draft


def draft_near_object() -> Draft:
    """Cubes in a row: the gap goes from 1.5 - 0.2 - 0.1 = 1.2 m to 0.6 m, the threshold is 0.75 m."""
    facts = home(CAMERA, thing(MOVER, "Box", CUBE, START, END), [thing(11, "Sofa", SOFA, Pose((1.5, 0.0, 0.0)))])
    label = {"answer": "A", "before_answer": "B", "flipped": True, "relation": "within", "threshold": 0.75}
    claims = record(
        "near_object",
        facts,
        choices=("Yes", "No"),
        question="Will the object marked red be within 0.75 m of the object marked blue?",
        static_question="Is the object marked red within 0.75 m of the object marked blue?",
        label={**label, "margin": 0.10, "margin_unit": "m"},
        gaps=[(1.2, 0.6)],
    )
    draft = Draft(claims, facts, *_two_images(1))
    draft.refresh_segments()
    return draft


def draft_closer_to() -> Draft:
    """Gaps before: 1.2, 0.7, 1.7, 2.7 m; after: 0.6, sqrt(0.3² + 0.7²), sqrt(0.3² + 1.7²), sqrt(0.3² + 2.7²) m."""
    places = ((1.5, 0.0), (0.0, 1.0), (0.0, -2.0), (0.0, 3.0))
    facts = home(
        CAMERA,
        thing(MOVER, "Box", CUBE, START, END),
        [thing(FIRST_LANDMARK + i, "Sofa", SOFA, Pose((x, y, 0.0))) for i, (x, y) in enumerate(places)],
    )
    names = [f"the object marked {colour}" for colour in COLOURS[:4]]
    after = [0.6, *(math.hypot(0.3, y) for y in (0.7, 1.7, 2.7))]
    label = {"answer": "A", "before_answer": "B", "flipped": True, "margin": after[1] - after[0] - 0.05}
    claims = record(
        "closer_to",
        facts,
        choices=names,
        question="To which of these does it end up closest, measured between nearest points?",
        static_question="Which of these is it closest to, measured between nearest points?",
        label={**label, "margin_unit": "m"},
        gaps=list(zip((1.2, 0.7, 1.7, 2.7), after, strict=True)),
    )
    draft = Draft(claims, facts, *_two_images(4))
    draft.refresh_segments()
    return draft


def draft_occlusion() -> Draft:
    """A board in full view, 40 x 40 px, of which the mover covers 20 columns: 0.5 hidden, 0.15 beyond 0.35."""
    camera = Camera.standing((0.0, 0.0, 0.0), math.pi / 2.0, width=SIZE[0], height=SIZE[1])
    board = [box((0.5, 0.001, 0.5), (0.0, 0.001, 0.0))]
    mover = thing(MOVER, "Box", CUBE, Pose((-0.8, 1.5, 0.0)), Pose((0.0, 1.5, 0.0)))
    facts = home(camera, mover, [thing(11, "Sofa", board, Pose((0.0, 2.0, 0.0)))])
    label = {"answer": "B", "before_answer": None, "flipped": None, "margin": 0.15, "margin_unit": "share"}
    claims = record(
        "occlusion",
        facts,
        choices=("No", "Yes"),
        question="Will the object marked red hide a third or more of the object marked blue?",
        static_question="Does the object marked red hide a third or more of the object marked blue?",
        label=label,
        gaps=None,
    )
    seen = (11, [[60, 40, 100, 80]])
    images = (paint(SIZE, [seen, (MOVER, [[x, 40, x + 20, 80]])]) for x in (20, 60))
    draft = Draft(claims, facts, *images)
    draft.refresh_segments()
    return draft


def draft_contact_wall() -> Draft:
    """A wall at x = 0.715: the gap goes from 0.615 m to 0.015 m."""
    wall = thing(THING, "Wall", [box((0.05, 3.0, 1.3), (0.765, 0.0, 1.3))], Pose((0.0, 0.0, 0.0)))
    label = {"answer": "A", "before_answer": "B", "flipped": True, "margin": 0.015}
    return _draft_without_landmarks(
        "contact_wall",
        wall,
        "Will the object marked red be touching a wall, no more than 0.03 m from it?",
        "Is the object marked red touching a wall, no more than 0.03 m from it?",
        label,
    )


def draft_feasibility() -> Draft:
    """A box at x = 1.1 blocks the way of 0.5 m after 1.1 - 0.6 - 0.2 = 0.3 m; before the move it is 0.4 m off.

    Nothing stands between the eye and the mover, 3 m away.
    """
    label = {
        "answer": "B",
        "before_answer": "A",
        "flipped": True,
        "margin": 0.17,
        "probe": {"direction": "right", "distance": 0.5, "right": 0.5, "away": 0.0},
    }
    draft = _draft_without_landmarks(
        "feasibility",
        thing(THING, "Box", CUBE, Pose((1.1, 0.0, 0.0))),
        "Could the object marked red be moved a further 0.50 m to the right at the same height?",
        "Could the object marked red be moved 0.50 m to the right at the same height?",
        label,
    )
    far = encode_depth(np.full((SIZE[1], SIZE[0]), 4.0, dtype=np.float32))
    draft.extra.update({"depth_before.png16": far, "depth_after.png16": far})
    return draft


def _draft_without_landmarks(category: str, other: dict[str, Any], ask: str, static: str, label: Any) -> Draft:
    facts = home(CAMERA, thing(MOVER, "Box", CUBE, START, END), [], [other])
    claims = record(
        category,
        facts,
        choices=("Yes", "No"),
        question=ask,
        static_question=static,
        label={**label, "margin_unit": "m"},
        gaps=None,
    )
    shown = [(other["id"], [[140, 30, 150, 40]])]
    draft = Draft(claims, facts, *_two_images(0, shown))
    draft.refresh_segments()
    return draft


def draft_closest_three() -> Draft:
    """Six in a row with the mover: gaps of |x| - 0.3 before, |x - 0.6| - 0.3 after; the fourth is 1.6, the third 1.1.

    Before: 1.3, 0.8, 0.5, 1.0, 1.5, 2.3 m; after: 0.7, 0.2, 1.1, 1.6, 2.1, 1.7 m.
    """
    label = {"answer": "ABC", "before_answer": "BCD", "flipped": True, "margin": 0.45}
    names = [f"the object marked {colour}" for colour in COLOURS]
    return _draft_in_a_row(
        "closest_three",
        (1.6, 1.1, -0.8, -1.3, -1.8, 2.6),
        names,
        "Which three of these will be closest to it, measured between nearest points?",
        "Which three of these are closest to it, measured between nearest points?",
        label,
    )


def draft_count_near() -> Draft:
    """Three come within 0.75 m, two leave.

    Before: 0.9, 1.0, 1.1, 0.4, 0.5, 1.5 m; after: 0.3, 0.4, 0.5, 1.0, 1.1, 2.1 m.
    """
    label = {"answer": "D", "before_answer": "B", "flipped": True, "margin": 0.2, "relation": "within"}
    listed = ", ".join(f"the object marked {colour}" for colour in COLOURS)
    return _draft_in_a_row(
        "count_near",
        (1.2, 1.3, 1.4, -0.7, -0.8, -1.8),
        ("4", "2", "5", "3"),
        f"How many of these will be within 0.75 m of it: {listed}?",
        f"How many of these are within 0.75 m of it: {listed}?",
        {**label, "threshold": 0.75},
    )


def _draft_in_a_row(
    category: str, places: Sequence[float], choices: Sequence[str], ask: str, static: str, label: Any
) -> Draft:
    facts = home(
        CAMERA,
        thing(MOVER, "Box", CUBE, START, END),
        [thing(FIRST_LANDMARK + i, "Sofa", SOFA, Pose((x, 0.0, 0.0))) for i, x in enumerate(places)],
    )
    claims = record(
        category,
        facts,
        choices=choices,
        question=ask,
        static_question=static,
        label={**label, "margin_unit": "m"},
        gaps=[(abs(x) - 0.3, abs(x - 0.6) - 0.3) for x in places],
    )
    draft = Draft(claims, facts, *_two_images(len(places)))
    draft.refresh_segments()
    return draft


def _two_images(landmarks: int, things: Sequence[tuple[int, list[list[int]]]] = ()) -> tuple[Any, Any]:
    still = [*things, *((FIRST_LANDMARK + i, [[10 + 20 * i, 40, 20 + 20 * i, 50]]) for i in range(landmarks))]
    return tuple(paint(SIZE, [*still, (MOVER, [[x, 60, x + 10, 70]])]) for x in (40, 60))


DRAFTS: dict[str, Callable[[], Draft]] = {
    "left_right": draft_left_right,
    "near_object": draft_near_object,
    "closer_to": draft_closer_to,
    "occlusion": draft_occlusion,
    "contact_wall": draft_contact_wall,
    "feasibility": draft_feasibility,
    "closest_three": draft_closest_three,
    "count_near": draft_count_near,
}
