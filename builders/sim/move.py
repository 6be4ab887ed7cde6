"""A motion of a mover: whole centimetres along the camera's right/away axes (paper A.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flowbench.geometry import Camera

SMALLEST_COMPONENT_CM = 5.0
WAYS = {
    "left": "to the left",
    "right": "to the right",
    "away": "away from the camera",
    "toward": "toward the camera",
}


@dataclass(frozen=True)
class Move:
    """A displacement on the floor in whole centimetres along the camera's right and away from it."""

    right_cm: int
    away_cm: int

    @classmethod
    def of(cls, right: float, away: float) -> Move:
        """Round metres to whole centimetres; a component too small to be worth saying becomes 0."""
        return cls(_whole(right * 100.0), _whole(away * 100.0))

    @classmethod
    def across(cls, camera: Camera, dx: float, dy: float) -> Move:
        """The motion nearest to a displacement (dx, dy) in the world frame, metres; undoes :meth:`world`."""
        right, away = camera.floor_axes
        return cls.of(dx * right[0] + dy * right[1], dx * away[0] + dy * away[1])

    @property
    def length(self) -> float:
        """Metres."""
        return math.sqrt(self.right_cm * self.right_cm + self.away_cm * self.away_cm) / 100.0

    @property
    def direction(self) -> str:
        """``left``, ``right``, ``away``, ``toward``, or two joined by ``+``."""
        sideways = "right" if self.right_cm > 0 else "left" if self.right_cm < 0 else ""
        depth = "away" if self.away_cm > 0 else "toward" if self.away_cm < 0 else ""
        return "+".join(word for word in (sideways, depth) if word)

    @property
    def way(self) -> str:
        """The direction in words without numbers: ``to the right and away from the camera``."""
        return " and ".join(WAYS[word] for word in self.direction.split("+"))

    def scaled(self, factor: float) -> Move:
        """A part of the way along the same ray, rounded to whole centimetres."""
        return Move(_whole(self.right_cm * factor), _whole(self.away_cm * factor))

    def world(self, camera: Camera) -> tuple[float, float]:
        """(dx, dy) in the world frame, metres."""
        right, away = camera.floor_axes
        r, a = self.right_cm / 100.0, self.away_cm / 100.0
        return r * right[0] + a * away[0], r * right[1] + a * away[1]


def _whole(centimetres: float) -> int:
    """Whole centimetres, 0 below ``SMALLEST_COMPONENT_CM``."""
    return round(centimetres) if abs(centimetres) >= SMALLEST_COMPONENT_CM else 0


def length_band(length: float, bands: Sequence[tuple[float, float]]) -> str:
    """The name of the band a length lies in, e.g. ``"0.35-0.54"``; shorter and longer ones have their own."""
    for shortest, longest in bands:
        if shortest - 0.005 <= length < longest + 0.005:
            return f"{shortest:.2f}-{longest:.2f}"
    return f"under {bands[0][0]:.2f}" if length < bands[0][0] else f"over {bands[-1][1]:.2f}"
