"""The JSON cases: one description of a scene, from which each side gets what it reads.

The builder's label functions get column counts and gaps of upright prisms; its readers, and the recompute, get the
scene itself. ``input`` of a case:

- ``mover`` and ``landmark(s)``: boxes in the object's frame (``parts``), with pose(s). Lists of six may be written as
  numbers: a board 0.2 m thick then moves along x from ``before`` to ``after`` between cubes of 0.2 m at those x, all
  beside each other, so that a gap is the distance in x less 0.2 m.
- ``measure``: what distances lie between, ``nearest`` where nothing is said.
- ``things``: more boxes, with ``type`` and ``room``.
- ``before``, ``after`` of pictures: layers of rectangles [x0, y0, x1, y1), later ones in front, with their ``depth``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera, Pose
from flowbench.schema import LETTERS
from flowbench.validation.recompute import Evidence, HomeMeta, Question

from .published import FIRST_LANDMARK, MOVER, box, home, paint, thing

Case = dict[str, Any]

CATEGORIES = (
    "left_right",
    "near_object",
    "closer_to",
    "occlusion",
    "contact_wall",
    "feasibility",
    "closest_three",
    "count_near",
)
LISTING = ("closer_to", "closest_three")
PICTURED = ("left_right", "occlusion")
FIRST_THING = 31
INSTANCE = {"mover": MOVER, "landmark": FIRST_LANDMARK, "thing": FIRST_THING}
COUNTS = ("4", "2", "5", "3")
"""Choices of count_near, shuffled."""


def load(category: str) -> list[Case]:
    """A category's cases, written out in full."""
    cases: list[Case] = json.loads((Path(__file__).parents[1] / "cases" / f"{category}.json").read_text("utf-8"))
    for case in cases:
        if isinstance(case["input"].get("landmarks", [None])[0], float):
            case["input"].update(_board(case["input"]))
    return cases


def _board(given: Case) -> Case:
    cube = {"half": [0.1, 0.1, 0.1], "centre": [0.0, 0.0, 0.1]}
    return {
        "mover": {"parts": [{"half": [0.1, 2.0, 0.1], "centre": [0.0, 0.0, 0.1]}]},
        **{when: {"position": [given[when], 0.0, 0.0], "yaw": 0.0} for when in ("before", "after")},
        "landmarks": [
            {"parts": [cube], "position": [x, -1.5 + 0.6 * i, 0.0], "yaw": 0.0}
            for i, x in enumerate(given["landmarks"])
        ],
    }


def picture(case: Case, when: str) -> NDArray[np.uint16]:
    """(H, W) instance ids."""
    layers = [(INSTANCE[layer["object"]], layer["rects"]) for layer in case["input"][when]]
    return paint(tuple(case["input"]["size"]), layers)


def depths(case: Case, when: str) -> NDArray[np.float32]:
    """(H, W) depth in metres; the floor is 5 m away."""
    width, height = case["input"].get("size", (160, 120))
    depth = np.full((height, width), 5.0, dtype=np.float32)
    for layer in case["input"][when] if "size" in case["input"] else ():
        for x0, y0, x1, y1 in layer["rects"]:
            depth[y0:y1, x0:x1] = layer.get("depth", 5.0)
    return depth


def evidence(category: str, case: Case) -> Evidence:
    """What a recompute reads of a case."""
    given = case["input"]
    size = tuple(given.get("size", (160, 120)))
    camera = Camera.standing(tuple(given.get("eye", (0.0, -3.0, 1.6))), math.pi / 2.0, width=size[0], height=size[1])
    mover, landmarks, things = _left_right_objects() if category == "left_right" else _objects(given)
    names = tuple(f"the object marked {i}" for i in range(len(landmarks)))
    images = [picture(case, w) if category in PICTURED else paint(size, []) for w in ("before", "after")]
    probe = given.get("probe")
    stated = [] if probe is None else [f"{abs(part):.2f} m {way}" for part, way in zip(probe, ways(probe), strict=True)]
    text = f"Is it to the {given.get('relation')}, within {given.get('threshold')} m, or {stated} of {names}?"
    return Evidence(
        question=Question(
            category=category,
            preset="balanced",
            relation=given.get("relation"),
            threshold=given.get("threshold"),
            texts=(text, text),
            choices=names if category in LISTING else COUNTS if category == "count_near" else ("No", "Yes"),
            mover=MOVER,
            landmarks=tuple(each["id"] for each in landmarks),
            landmark_names=names,
            probe=None if probe is None else (probe[0], probe[1]),
            measure=given.get("measure", "nearest"),
        ),
        seg_before=images[0],
        seg_after=images[1],
        depth_before=depths(case, "before"),
        depth_after=depths(case, "after"),
        meta=HomeMeta.parse(json.dumps(home(camera, mover, landmarks, things)).encode()),
    )


def ways(probe: Sequence[float]) -> list[str]:
    """Words for a probe's components, empty for one of no length."""
    words = (("right", "left"), ("away", "toward"))
    return [pair[part < 0.0] if part else "" for part, pair in zip(probe, words, strict=True)]


def _left_right_objects() -> tuple[Case, list[Case], list[Case]]:
    """Masks alone decide: any two things will do."""
    mover = thing(MOVER, "Box", [box((0.1, 0.1, 0.1))], Pose((0.0, 0.0, 0.1)), Pose((0.5, 0.0, 0.1)))
    return mover, [thing(FIRST_LANDMARK, "Sofa", [box((0.5, 0.5, 0.5))], Pose((1.0, 1.0, 0.5)))], []


def _objects(given: Case) -> tuple[Case, list[Case], list[Case]]:
    start, end = (_pose(given["poses"][i] if "poses" in given else given[w]) for i, w in enumerate(("before", "after")))
    mover = thing(MOVER, "Box", _corners(given["mover"]), start, end)
    listed = given["landmarks"] if "landmarks" in given else [given["landmark"]] if "landmark" in given else []
    landmarks = [thing(FIRST_LANDMARK + i, "Sofa", _corners(each), _pose(each)) for i, each in enumerate(listed)]
    things = [
        thing(FIRST_THING + i, each["type"], _corners(each), _pose(each), room=each.get("room", "room-0"))
        for i, each in enumerate(given.get("things", ()))
    ]
    return mover, landmarks, things


def _corners(shape: Mapping[str, Any]) -> list[list[list[float]]]:
    return [box(part["half"], part["centre"]) for part in shape["parts"]]


def _pose(pose: Mapping[str, Any]) -> Pose:
    x, y, z = pose["position"]
    return Pose.upright(x, y, z, math.radians(pose.get("yaw", 0.0)))


def letter(category: str, answer: str | None) -> str | None:
    """The letters of a case's answer with the choices of :func:`evidence`."""
    if answer is None or category in LISTING:
        return answer
    return LETTERS[COUNTS.index(answer)] if category == "count_near" else {"no": "A", "yes": "B"}[answer]
