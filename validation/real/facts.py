"""What a category's formula sees of a question, and what it says of it.

Lengths are metres in the camera frame of the before image (x right, y down, z away), after the profile's scale; pixels
are those of the published pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from flowbench.errors import ReleaseError
from flowbench.schema.real_meta import ProfileRules

EXTENT_SHARE = 0.85
Vector = tuple[float, float, float]
Box = tuple[float, float, float, float]
"""(x, y, width, height) in pixels."""
ROUNDING = 2e-6
"""Metres by which the six decimals of published measurements may miss a condition."""


@dataclass(frozen=True)
class Thing:
    """A measured object.

    Attributes:
        id: instance id.
        before, after: position; of what is gone after the move the second is None.
        pixel_before, pixel_after: (u, v) median of the mask.
        radius: effective radius, from the before box.
        box_before, box_after: of the visible pixels.
        area_before, area_after: visible pixels.
    """

    id: int
    before: Vector
    after: Vector | None
    pixel_before: tuple[float, float]
    pixel_after: tuple[float, float] | None
    radius: float
    box_before: Box
    box_after: Box | None
    area_before: int
    area_after: int


@dataclass(frozen=True)
class Asked:
    """A question with what was measured for it.

    Attributes:
        rules: constants of the source.
        mover: what moves.
        landmarks: the objects that are named, in the order in which the record lists them.
        width, height: of the pictures.
        test: whether it belongs to the test split, whose margins are wider.
        paper: whether the paper's own preset chose the question; ours also asks what the move does not change.
        named: whether objects go by names instead of marks.
        threshold: metres; None where none is named.
        relation: what is claimed: ``within``, ``beyond``, ``left``, ``right``, ``closer`` or ``farther``; None without.
        counts: the counts offered as choices; empty where the choices are no counts.
        side_width: share of the landmark's width that left or right clears besides m.
        extent: how far the farthest two marked objects are apart; thresholds are not larger than most of it.
        covered: share of each landmark's before mask that the mover's after mask covers; empty where not asked.
    """

    rules: ProfileRules
    mover: Thing
    landmarks: Sequence[Thing]
    width: int
    height: int
    test: bool = False
    paper: bool = True
    named: bool = False
    threshold: float | None = None
    relation: str | None = None
    counts: Sequence[int] = ()
    covered: Sequence[float] = ()
    side_width: float = 0.0
    extent: float = math.inf

    @cached_property
    def gaps_before(self) -> tuple[float, ...]:
        """Surface distance from the mover to each landmark before the move (paper, B.4 "Distances")."""
        return tuple(surface_distance(self.mover.before, self.mover.radius, each) for each in self.landmarks)

    @cached_property
    def gaps_after(self) -> tuple[float, ...]:
        """The same after the move; landmarks stay where they were measured before it."""
        return tuple(surface_distance(self.end, self.mover.radius, each) for each in self.landmarks)

    @property
    def end(self) -> Vector:
        """Where the mover ends."""
        if self.mover.after is None:
            raise ReleaseError("the mover is not seen after the move, expected a mask: build the sample again")
        return self.mover.after

    def only(self) -> Thing:
        """The landmark of a question about one."""
        if len(self.landmarks) != 1:
            raise ReleaseError(f"the question names {len(self.landmarks)} landmarks, expected 1: build it again")
        return self.landmarks[0]

    def limit(self) -> float:
        """The threshold of a question that has one."""
        if self.threshold is None or not 0.0 < self.threshold < math.inf:
            raise ReleaseError(f"the threshold is {self.threshold}, expected a positive distance: build it again")
        return self.threshold


@dataclass(frozen=True)
class Condition:
    """Something that a question has to keep clear of.

    Attributes:
        name: in a few words.
        value: what was measured, in the condition's own unit.
        least: what it has to reach.
    """

    name: str
    value: float
    least: float

    @property
    def met(self) -> bool:
        """Whether the value reaches the least one, but for rounding."""
        return self.value >= self.least - ROUNDING


@dataclass(frozen=True)
class Outcome:
    """What the evidence says of a question.

    Attributes:
        answer, before: the right choice in words, or the positions of the right landmarks as digits; after and before.
        margin: how far the label lies from its boundary after the move, in ``unit``.
        unit: ``"m"`` or ``"share"``.
        conditions: all that the question has to meet.
    """

    answer: str
    before: str
    margin: float
    unit: str
    conditions: Sequence[Condition]

    @property
    def flipped(self) -> bool:
        """Whether the move changes the answer."""
        return self.answer != self.before

    @property
    def broken(self) -> Sequence[Condition]:
        """The conditions that are not met."""
        return [each for each in self.conditions if not each.met]


def surface_distance(position: Vector, radius: float, landmark: Thing) -> float:
    """d = max(0, |X_A - X_L| - r_A - r_L), metres."""
    return max(0.0, math.dist(position, landmark.before) - radius - landmark.radius)


def changes(asked: Asked, answer: str, before: str) -> list[Condition]:
    """The answer changes with the move, where the paper's preset asks for it (B.4, "Flips")."""
    return [Condition("the answer changes", float(answer != before), 1.0)] if asked.paper else []


def fitting_threshold(asked: Asked, limit: float, known: Sequence[float]) -> list[Condition]:
    """The threshold is one that the source asks about, and not absurdly large for the scene (B.5)."""
    return [
        Condition("a threshold of the source", float(any(abs(limit - each) < 1e-6 for each in known)), 1.0),
        Condition("threshold within the scene", -limit, -EXTENT_SHARE * asked.extent),
    ]
