"""The JSON cases of ``real_*``: places and sizes of a mover and of landmarks, from which each side gets what it reads.

``input`` of a case, lengths in metres in the camera frame of the before image:

- ``mover``: ``before`` and ``after``, ``landmarks``: ``at``; a number x stands for [x, 0, 1]. Radii are 2 cm of the
  mover, 3 cm of landmarks, where nothing is said.
- ``box`` (of the mover one a moment) and ``area`` (before and after), pixels: where they matter.
- ``profile`` (``tabletop``), ``split`` (``train``), ``preset`` (``paper``), ``threshold``, ``relation``, ``named``,
  ``counts``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flowbench.validation.real.categories import FORMULAS, LISTING
from flowbench.validation.real.facts import Asked, Thing, Vector
from flowbench.validation.real.profiles import SOURCES

Case = dict[str, Any]
CATEGORIES = tuple(FORMULAS)
SIZE = (640, 480)
FOCAL = 610.0
LETTERS = "ABCDEF"


def load(category: str) -> list[Case]:
    """A category's cases."""
    cases: list[Case] = json.loads((Path(__file__).parents[1] / "cases" / f"real_{category}.json").read_text("utf-8"))
    return cases


def place(value: float | Sequence[float]) -> Vector:
    """A position, in full."""
    if isinstance(value, float):
        return (value, 0.0, 1.0)
    x, y, z = value
    return (x, y, z)


def pixel(at: Vector) -> tuple[float, float]:
    """Where a position is seen."""
    return (FOCAL * at[0] / at[2] + SIZE[0] / 2, FOCAL * at[1] / at[2] + SIZE[1] / 2)


def thing(instance_id: int, given: Case, radius: float) -> Thing:
    """A mover or a landmark."""
    before, after = (place(given["at"] if "at" in given else given[when]) for when in ("before", "after"))
    boxes = given.get("box", [300.0, 200.0, 50.0, 50.0])
    boxes = boxes if isinstance(boxes[0], list) else [boxes, boxes]
    areas = given.get("area", [2000, 2000])
    return Thing(
        id=instance_id,
        before=before,
        after=after,
        pixel_before=pixel(before),
        pixel_after=pixel(after),
        radius=given.get("radius", radius),
        box_before=tuple(boxes[0]),
        box_after=tuple(boxes[1]),
        area_before=areas[0],
        area_after=areas[1],
    )


def asked(case: Case) -> Asked:
    """What the recheck's formula reads of a case."""
    given = case["input"]
    source = SOURCES[given.get("profile", "tabletop")]
    listed = [each if isinstance(each, dict) else {"at": each} for each in given["landmarks"]]
    return Asked(
        rules=source.rules,
        mover=thing(2, given["mover"], 0.02),
        landmarks=tuple(thing(3 + i, each, 0.03) for i, each in enumerate(listed)),
        width=SIZE[0],
        height=SIZE[1],
        test=given.get("split", "train") == "test",
        named=given.get("named", False),
        threshold=given.get("threshold"),
        relation=given.get("relation"),
        counts=given.get("counts", ()),
        covered=tuple(each.get("covered", 0.0) for each in listed),
        side_width=source.side_width,
        paper=given.get("preset", "paper") == "paper",
    )


def answer(category: str, outcome: str) -> str:
    """An outcome as cases write it: places in the list are letters."""
    return "".join(LETTERS[int(each)] for each in outcome) if category in LISTING else outcome
