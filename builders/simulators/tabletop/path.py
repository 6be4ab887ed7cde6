"""A way of the arm, frame by frame: joints, opening, and how far its tip went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from flowbench.geometry import atan2
from flowbench.geometry.frames import Matrix

from .panda import MOST_OPEN, Joints
from .reaching import REST, reach, tip_frame

_FASTEST = 0.42
"""Radians that a joint turns from one frame to the next at most."""
LEAST_OPEN = 0.001


class UnreachableError(Exception):
    """The arm cannot go there, or not without a jump; the sentence says what was tried."""


@dataclass
class Path:
    """Grows at its end.

    Attributes:
        joints, openings: one entry a frame; opening in metres.
        marks: name -> frame at which something begins.
    """

    joints: list[Joints]
    openings: list[float]
    marks: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        """Its frames."""
        return len(self.joints)

    def mark(self, name: str) -> None:
        """What comes next begins with the next frame."""
        self.marks[name] = len(self)

    def stay(self, frames: int) -> None:
        """Nothing moves."""
        for _ in range(frames):
            self._add(self.joints[-1], self.openings[-1])

    def turn(self, target: Joints, frames: int, opening: float | None = None) -> None:
        """All joints go to ``target`` together."""
        start, width = self.joints[-1], self.openings[-1]
        for share in eased(frames):
            joints = tuple(round(a + share * (b - a), 7) for a, b in zip(start, target, strict=True))
            self._add(joints, width if opening is None else width + share * (opening - width))

    def grip(self, opening: float, frames: int) -> None:
        """The fingers move."""
        start = self.openings[-1]
        for share in eased(frames):
            self._add(self.joints[-1], start + share * (opening - start))

    def line(self, target: Matrix, frames: int) -> None:
        """The tip goes straight to the place of ``target``, whose directions it has already."""
        start = tip_frame(self.joints[-1])[:3, 3]
        step = target.copy()
        for share in eased(frames):
            step[:3, 3] = start + share * (target[:3, 3] - start)
            joints = reach(step, self.joints[-1])
            if joints is None:
                raise UnreachableError("the arm does not reach that far")
            self._add(joints, self.openings[-1])

    def _add(self, joints: Joints, opening: float) -> None:
        if max(abs(a - b) for a, b in zip(joints, self.joints[-1], strict=True)) > _FASTEST:
            raise UnreachableError("a joint would have to jump")
        self.joints.append(joints)
        self.openings.append(round(min(max(opening, LEAST_OPEN), MOST_OPEN), 6))


def eased(frames: int) -> Sequence[float]:
    """Shares of a way after each of so many frames, slow at both ends; the last is 1."""
    shares = [i / frames for i in range(1, frames + 1)]
    return [t * t * (3.0 - 2.0 * t) for t in shares]


def above(target: Matrix) -> Joints:
    """Joint angles for a place, found from a posture that faces it."""
    start = (atan2(float(target[1, 3]), float(target[0, 3])), *REST[1:])
    found = reach(target, start)
    if found is None:
        raise UnreachableError("the arm does not reach that far")
    return found


def raised(target: Matrix, height: float) -> Matrix:
    """A frame lifted by so many metres."""
    out = target.copy()
    out[2, 3] += height
    return out


def shifted(target: Matrix, way: Sequence[float]) -> Matrix:
    """A frame moved by (x, y) or (x, y, z) metres."""
    out = target.copy()
    out[: len(way), 3] += np.array(way)
    return out
