"""One good sample a category, its numbers worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flowbench.geometry import Camera, Pose

from .published import FIRST_LANDMARK, MOVER, Draft, box, home, paint, record, thing

SIZE = (160, 120)
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
    names = [f"the object marked {colour}" for colour in ("blue", "green", "yellow", "white")]
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


def _two_images(landmarks: int) -> tuple[Any, Any]:
    still = [(FIRST_LANDMARK + i, [[10 + 20 * i, 40, 20 + 20 * i, 50]]) for i in range(landmarks)]
    return tuple(paint(SIZE, [*still, (MOVER, [[x, 60, x + 10, 70]])]) for x in (40, 60))


DRAFTS: dict[str, Callable[[], Draft]] = {
    "left_right": draft_left_right,
    "near_object": draft_near_object,
    "closer_to": draft_closer_to,
}
