"""Every JSON case through the builder's label and through the independent recompute.

The builder's side gets its extents and gaps from the simple geometry below: column counts, and the distance
between upright prisms (plane distance of their footprints and vertical distance, joined by Pythagoras).
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.published import FIRST_LANDMARK, LETTERS, MOVER, box, home, paint, thing

from flowbench.builders.sim.categories import closer_to, left_right, near_object
from flowbench.builders.sim.items import Label, Reject
from flowbench.geometry import Camera, Pose
from flowbench.validation.recompute import RECOMPUTE, Evidence, HomeMeta, Question, Recomputed

CATEGORIES = ("left_right", "near_object", "closer_to")
CASES = {name: json.loads((Path(__file__).parent / "cases" / f"{name}.json").read_text()) for name in CATEGORIES}
EVERY = [pytest.param(name, case, id=f"{name}: {case['name']}") for name in CATEGORIES for case in CASES[name]]
INSTANCE = {"mover": MOVER, "landmark": FIRST_LANDMARK}

Case = dict[str, Any]
Point = tuple[float, float]
Outcome = Label | Reject


# --- simple geometry, for the builder's side


def extent(case: Case, when: str, name: str) -> left_right.Extent:
    columns = [u for row in picture(case, when).tolist() for u, value in enumerate(row) if value == INSTANCE[name]]
    return left_right.Extent(u=sum(columns) / len(columns), width=max(columns) - min(columns) + 1)


def footprints(parts: list[Case], pose: Case) -> list[tuple[list[Point], float, float]]:
    """Each part as (corners in order, lower z, upper z), world frame."""
    yaw, (px, py, pz) = math.radians(pose["yaw"]), pose["position"]
    prisms = []
    for part in parts:
        (hx, hy, hz), (cx, cy, cz) = part["half"], part["centre"]
        flat = [(cx + sx * hx, cy + sy * hy) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        turned = [
            (px + x * math.cos(yaw) - y * math.sin(yaw), py + x * math.sin(yaw) + y * math.cos(yaw)) for x, y in flat
        ]
        prisms.append((turned, pz + cz - hz, pz + cz + hz))
    return prisms


def to_segment(p: Point, a: Point, b: Point) -> float:
    ex, ey = b[0] - a[0], b[1] - a[1]
    t = min(1.0, max(0.0, ((p[0] - a[0]) * ex + (p[1] - a[1]) * ey) / (ex * ex + ey * ey)))
    return math.hypot(p[0] - a[0] - t * ex, p[1] - a[1] - t * ey)


def separated(a: list[Point], b: list[Point]) -> bool:
    """Whether a side of one rectangle separates it from the other."""
    for polygon in (a, b):
        for i in range(2):
            nx, ny = polygon[i + 1][0] - polygon[i][0], polygon[i + 1][1] - polygon[i][1]
            reach_a, reach_b = ([x * nx + y * ny for x, y in each] for each in (a, b))
            if max(reach_a) < min(reach_b) or max(reach_b) < min(reach_a):
                return True
    return False


def prism_gap(a: tuple[list[Point], float, float], b: tuple[list[Point], float, float]) -> float:
    flat = 0.0
    if separated(a[0], b[0]):
        sides = ((p, q, i) for p, q in ((a[0], b[0]), (b[0], a[0])) for i in range(4))
        flat = min(to_segment(corner, q[i], q[(i + 1) % 4]) for p, q, i in sides for corner in p)
    return math.hypot(flat, max(0.0, a[1] - b[2], b[1] - a[2]))


def gap(mover: list[Case], pose: Case, landmark: Case) -> float:
    return min(prism_gap(a, b) for a in footprints(mover, pose) for b in footprints(landmark["parts"], landmark))


# --- both sides


def builder_label(category: str, case: Case, when: str) -> Outcome:
    given = case["input"]
    if category == "left_right":
        extents = [extent(case, when, name) for name in ("mover", "landmark")]
        return left_right.label(*extents, given["relation"], given["size"][0] / 800)
    if category == "near_object":
        return near_object.label(gap(given["mover"]["parts"], given[when], given["landmark"]), given["threshold"])
    return closer_to.label([gap(given["mover"]["parts"], given[when], each) for each in given["landmarks"]])


def picture(case: Case, when: str) -> np.ndarray[Any, np.dtype[np.uint16]]:
    layers = [(INSTANCE[layer["object"]], layer["rects"]) for layer in case["input"][when]]
    return paint(tuple(case["input"]["size"]), layers)


def corners(parts: list[Case]) -> list[list[list[float]]]:
    return [box(part["half"], part["centre"]) for part in parts]


def pose_of(pose: Case) -> Pose:
    return Pose.upright(*pose["position"], math.radians(pose["yaw"]))


def evidence(category: str, case: Case) -> Evidence:
    given = case["input"]
    size = given.get("size", [160, 120])
    camera = Camera.standing((0.0, -3.0, 1.6), math.pi / 2.0, width=size[0], height=size[1])
    if category == "left_right":
        mover = thing(MOVER, "Box", [box((0.1, 0.1, 0.1))], Pose((0.0, 0.0, 0.1)), Pose((0.5, 0.0, 0.1)))
        landmarks = [thing(FIRST_LANDMARK, "Sofa", [box((0.5, 0.5, 0.5))], Pose((1.0, 1.0, 0.5)))]
        images = (picture(case, "before"), picture(case, "after"))
    else:
        mover = thing(MOVER, "Box", corners(given["mover"]["parts"]), pose_of(given["before"]), pose_of(given["after"]))
        listed = given["landmarks"] if category == "closer_to" else [given["landmark"]]
        landmarks = [
            thing(FIRST_LANDMARK + i, "Sofa", corners(each["parts"]), pose_of(each)) for i, each in enumerate(listed)
        ]
        images = (paint((size[0], size[1]), []),) * 2
    names = tuple(f"the object marked {i}" for i in range(len(landmarks)))
    text = f"Is it to the {given.get('relation')}, or within {given.get('threshold')} m?"
    depth = np.zeros((size[1], size[0]), dtype=np.float32)
    return Evidence(
        question=Question(
            category=category,
            preset="balanced",
            relation=given.get("relation"),
            threshold=given.get("threshold"),
            texts=(text, text),
            choices=names if category == "closer_to" else ("No", "Yes"),
            mover=MOVER,
            landmarks=tuple(each["id"] for each in landmarks),
            landmark_names=names,
        ),
        seg_before=images[0],
        seg_after=images[1],
        depth_before=depth,
        depth_after=depth,
        meta=HomeMeta.parse(json.dumps(home(camera, mover, landmarks)).encode()),
    )


def letter(category: str, answer: str | None) -> str | None:
    """The letter of a case's answer with the choices of :func:`evidence`."""
    return {"no": "A", "yes": "B"}[answer] if answer is not None and category != "closer_to" else answer


@pytest.mark.parametrize(("category", "case"), EVERY)
def test_builder_labels_the_case(category: str, case: Case) -> None:
    expected = case["expect"]
    after = builder_label(category, case, "after")
    if "reject" in expected:
        assert isinstance(after, Reject)
        assert after.reason
        return
    assert isinstance(after, Label)
    assert after.margin == pytest.approx(expected["margin"], abs=1e-4)
    before = builder_label(category, case, "before")
    answers = [None if isinstance(each, Reject) else each.answer for each in (before, after)]
    if category == "closer_to":
        answers = [None if each is None else LETTERS[int(each)] for each in answers]
    assert answers == [expected["before_answer"], expected["answer"]]


@pytest.mark.parametrize(("category", "case"), EVERY)
def test_recompute_labels_the_case(category: str, case: Case) -> None:
    expected = case["expect"]
    found: Recomputed = RECOMPUTE[category](evidence(category, case))
    if "reject" in expected:
        assert found.ambiguous
        assert (found.answer, found.flipped) == (None, None)
        assert found.reason
        return
    assert not found.ambiguous
    assert found.margin == pytest.approx(expected["margin"], abs=1e-4)
    assert found.margin_unit == ("px" if category == "left_right" else "m")
    before, after = (letter(category, expected[key]) for key in ("before_answer", "answer"))
    assert (found.before_answer, found.answer) == (before, after)
    assert found.flipped == (None if before is None else before != after)


@pytest.mark.parametrize("category", CATEGORIES)
def test_cases_hold_rejects_edges_and_every_answer(category: str) -> None:
    names = [case["name"] for case in CASES[category]]
    assert len(set(names)) == len(names)
    assert sum("reject" in case["expect"] for case in CASES[category]) >= 2
    assert any("edge" in case["name"] and "reject" in case["expect"] for case in CASES[category])
    answers = {case["expect"].get("answer") for case in CASES[category]}
    assert answers >= ({"A", "B", "D"} if category == "closer_to" else {"yes", "no"})
    assert any(case["expect"].get("before_answer", "") is None for case in CASES[category])
