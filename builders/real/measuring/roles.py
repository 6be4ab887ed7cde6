"""Who moved and who stood still (paper, B.2, "Mover and landmarks", and B.5)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.perception.prompts import mention
from flowbench.builders.sim.items import Reject
from flowbench.schema.real_meta import MatchEvidence, Sighting

from .certifying import image_way
from .sighting import length

LEAST_MOVE, LEAST_MOVE_PIXELS = 0.03, 8.0
STILL = 0.02
MOST_OTHERS = 2
HELD = 0.30
"""Share of the mover's after mask in the dilated arm from which on it is still held."""
ELONGATED = 3.5
LEAST_MOVER_PIXELS = 1000
SHRUNK = 0.30
DEEP = 0.60
"""Metres of depth change that are not believed."""
UNMOVED = 0.6
"""Correlation of the picture at the mover's old place, from which on nothing moved."""
TALL, LYING = 1.3, 0.77
"""Height over width of a box before and after a thing is knocked over."""
ROTATION = re.compile(
    r"\b(?:(?:flipp?|tipp?|toppl|rotat|twist|turn|knock)(?:e|es|ed|s|ing)?|upright|upside)\b", re.IGNORECASE
)


@dataclass(frozen=True, eq=False)
class Thing:
    """A matched object.

    Attributes:
        label: its class.
        generic: whether that is a generic label.
        score: of its before mask.
        masks: index of its mask in the layer before and after.
        before, after: what was measured.
        evidence: of the match.
        radius: metres.
        moved: position after less position before, metres.
    """

    label: str
    generic: bool
    score: float
    masks: tuple[int, int]
    before: Sighting
    after: Sighting
    evidence: MatchEvidence
    radius: float
    moved: tuple[float, float, float]

    @property
    def travels(self) -> bool:
        """Whether it counts as moving."""
        way = image_way(self.before, self.after)
        return length(self.moved) >= LEAST_MOVE and length(way) >= LEAST_MOVE_PIXELS

    @property
    def is_still(self) -> bool:
        """Whether it counts as standing still."""
        return length(self.moved) < STILL


@dataclass(frozen=True)
class Roles:
    """Indices into the things: who moved, who else did, who stood still."""

    mover: int
    others: tuple[int, ...]
    still: tuple[int, ...]


def assign(things: Sequence[Thing], task: str, uses_task: bool, seen: Sequence[str]) -> Roles | Reject:
    """Find the mover.

    Args:
        things: matched objects.
        task: what the robot was told.
        uses_task: whether the mover must be what the task names first.
        seen: labels of all masks of I0, matched or not.
    """
    if ROTATION.search(task):
        return Reject("mover: the task is to turn something")
    moving = [k for k, thing in enumerate(things) if thing.travels]
    if not moving:
        return Reject("mover: nothing moved")
    order = sorted(moving, key=lambda k: (-length(things[k].moved), k))
    mover: int | Reject = _named(things, order, task, seen) if uses_task and task else order[0]
    if isinstance(mover, Reject):
        return mover
    others = tuple(k for k in moving if k != mover)
    if len(others) > MOST_OTHERS:
        return Reject("mover: many other things moved")
    return Roles(mover, others, tuple(k for k, thing in enumerate(things) if thing.is_still))


def _named(things: Sequence[Thing], moving: Sequence[int], task: str, seen: Sequence[str]) -> int | Reject:
    """The moving object that the task names first."""
    places = {label: place for label in seen if (place := mention(label, task)) is not None}
    # "the orange can" names a can, whatever fruit there is
    places = {label: place for label, place in places.items() if place + 1 not in places.values()}
    if not places:
        return Reject("mover: the task names nothing that is seen")
    first = min(places.values())
    named = [k for k in moving if places.get(things[k].label) == first]
    return named[0] if named else Reject("mover: the task's object did not move")


def refuse_mover(
    mover: Thing, before: NDArray[np.uint8], after: NDArray[np.uint8], mask: NDArray[np.bool_]
) -> Reject | None:
    """Why a mover is not to be asked about (B.2, B.5); None where nothing speaks against it.

    Args:
        mover: the object.
        before, after: I0 and I1.
        mask: its mask in I0.
    """
    reasons = (
        ("is still held", mover.after.arm_share > HELD),
        ("is elongated", aspect(mover.before) > ELONGATED),
        ("is small", mover.before.area < LEAST_MOVER_PIXELS),
        ("is mostly hidden afterwards", mover.after.area < SHRUNK * mover.before.area),
        ("changes its depth by far", abs(mover.after.depth - mover.before.depth) > DEEP),
        ("is knocked over", _tall(mover.before) > TALL and _tall(mover.after) < LYING),
        ("is still seen at its old place", likeness(before, after, mask) > UNMOVED),
    )
    return next((Reject(f"mover: {reason}") for reason, holds in reasons if holds), None)


def aspect(sighting: Sighting) -> float:
    """Longer side of the box over the shorter one."""
    return max(sighting.bbox[2:]) / min(sighting.bbox[2:])


def _tall(sighting: Sighting) -> float:
    return sighting.bbox[3] / sighting.bbox[2]


def likeness(before: NDArray[np.uint8], after: NDArray[np.uint8], mask: NDArray[np.bool_]) -> float:
    """Pearson correlation of the gray values under a mask in two pictures; 0 where one of them is flat."""
    x, y = (picture[mask].astype(np.int64).sum(axis=1) for picture in (before, after))
    n, total_x, total_y = len(x), int(x.sum()), int(y.sum())
    cross = n * int((x * y).sum()) - total_x * total_y
    square_x, square_y = n * int((x * x).sum()) - total_x * total_x, n * int((y * y).sum()) - total_y * total_y
    return 0.0 if square_x == 0 or square_y == 0 else cross / (math.sqrt(square_x) * math.sqrt(square_y))
