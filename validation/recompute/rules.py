"""The rules that every category shares (sim.md, "Planning: shared rules"), read from the evidence.

Each function yields ``Finding`` values: which rule is broken, what is published, what the rule asks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .common import FULL_WIDTH, Evidence
from .meta import ObjectMeta

LEAST_AREA = 150
"""Visible pixels that a named object has in both frames of a picture 800 wide."""
LEAST_KEPT = 0.7
"""Share of its visible area that a named object keeps."""
AREA_SLACK = 1e-6
"""Pixels by which rounding may miss that share."""
MAY_HIDE = ("occlusion",)
"""Categories whose landmarks may vanish behind the mover."""
SINGLE_TYPES = ("ShelvingUnit", "Drawer")
"""Types that look too much alike to be named twice."""


@dataclass(frozen=True)
class Finding:
    """A broken rule.

    Attributes:
        rule: its short name.
        found: what the sample says or shows.
        expected: what would have been right.
    """

    rule: str
    found: str
    expected: str


def visibility(evidence: Evidence) -> Iterator[Finding]:
    """Named objects are large enough in both frames and keep 70 % of their area.

    The mover's area is first corrected for its distance to the camera: a mask shrinks with the square of it.
    """
    width = evidence.meta.camera.width
    for each in evidence.question.named:
        before, after = evidence.outlines_before.get(each), evidence.outlines_after.get(each)
        may_hide = evidence.question.category in MAY_HIDE and each != evidence.question.mover
        for frame, outline in (("before", before), ("after", after))[: 1 if may_hide else 2]:
            area = 0 if outline is None else outline.area
            if area * FULL_WIDTH**2 < LEAST_AREA * width**2:  # whole numbers: 6 px of a picture 160 wide are enough
                least = LEAST_AREA * (width / FULL_WIDTH) ** 2
                yield Finding("visible", f"id {each} has {area} px {frame}", f"at least {least:g} px")
        if before is None or after is None or may_hide:
            continue
        factor = _nearness(evidence) if each == evidence.question.mover else 1.0
        if after.area * factor < LEAST_KEPT * before.area - AREA_SLACK:
            kept = after.area * factor / before.area
            yield Finding("kept", f"id {each} keeps {kept:.3f} of its area", f"at least {LEAST_KEPT:g}")


def naming(evidence: Evidence) -> Iterator[Finding]:
    """Named objects are distinct, no part of the building, and not carried by or carrying the mover."""
    question = evidence.question
    if len(set(question.named)) != len(question.named):
        yield Finding("distinct", f"ids {list(question.named)}", "different objects")
    mover = evidence.meta.find(question.mover)
    carriers = (mover.before.supporter, mover.after.supporter)
    for each in (evidence.meta.find(one) for one in question.named):
        if each.structural:
            yield Finding("structure", f"{each.object} is part of the building", "furniture or a small object")
        if each.object in carriers:
            yield Finding("supporter", f"{each.object} carries the mover", "never listed")
    types = [evidence.meta.find(each).type for each in question.landmarks]
    for alike in SINGLE_TYPES:
        if types.count(alike) > 1:
            yield Finding("alike", f"{types.count(alike)} landmarks of type {alike}", "at most one")
    if None in carriers:
        yield Finding("supported", f"{mover.object} stands on {carriers}", "supported before and after")
    loads = [o.object for o in evidence.meta.objects if mover.object in (o.before.supporter, o.after.supporter)]
    if loads:
        yield Finding("load", f"{mover.object} carries {', '.join(loads[:3])}", "supports nothing")


def motion(evidence: Evidence) -> Iterator[Finding]:
    """The mover moved, and nothing else did."""
    mover = evidence.meta.find(evidence.question.mover)
    for source, names in (("poses", evidence.meta.displaced), ("list 'moved'", evidence.meta.moved)):
        if list(names) != [mover.object]:
            yield Finding("moved", f"{source}: {', '.join(names) or 'nothing'}", mover.object)


def displacement(mover: ObjectMeta) -> NDArray[np.float64]:
    """(3,) float64: the mover's displacement in the world frame, metres."""
    return np.subtract(mover.after.position, mover.before.position, dtype=np.float64)


def _nearness(evidence: Evidence) -> float:
    """(distance after / distance before)² between the eye and the centre of the mover's box."""
    mover, eye = evidence.meta.find(evidence.question.mover), evidence.meta.camera.eye
    before = math.dist(mover.centre(mover.before), eye)
    after = math.dist(mover.centre(mover.after), eye)
    return (after / before) ** 2 if before > 0.0 else 0.0
