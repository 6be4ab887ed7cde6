"""A move as texts tell it: whole centimetres to the right and down, small components left out (paper, B.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_COMPONENT = 0.02
"""Metres below which a component is not told."""
BANDS = ((10.0, "0.05-0.10"), (20.0, "0.10-0.20"))
FARTHEST = "0.20+"


@dataclass(frozen=True)
class Stated:
    """Whole centimetres: to the right, down, and (never told) away."""

    right_cm: int
    down_cm: int
    away_cm: int

    @classmethod
    def of(cls, moved: Sequence[float]) -> Stated:
        """From a displacement (x, y, z), metres."""
        x, y, z = moved
        right, down = (round(100.0 * part) if abs(part) >= LEAST_COMPONENT else 0 for part in (x, y))
        return cls(right, down, round(100.0 * z))

    @property
    def length_cm(self) -> float:
        """Of what is told."""
        return math.sqrt(self.right_cm * self.right_cm + self.down_cm * self.down_cm)

    @property
    def metres(self) -> float:
        """The same as records state it, metres, six decimals."""
        return round(self.length_cm / 100.0, 6)

    @property
    def direction(self) -> str:
        """``"left+up"``; "" where nothing is told."""
        across = "right" if self.right_cm > 0 else "left" if self.right_cm < 0 else ""
        along = "down" if self.down_cm > 0 else "up" if self.down_cm < 0 else ""
        return "+".join(part for part in (across, along) if part)

    @property
    def band(self) -> str:
        """Of its length."""
        return next((name for below, name in BANDS if self.length_cm < below), FARTHEST)

    @property
    def words(self) -> str:
        """``"12 cm to the left and 5 cm up"``."""
        across = f"{abs(self.right_cm)} cm to the {'right' if self.right_cm > 0 else 'left'}" if self.right_cm else ""
        along = f"{abs(self.down_cm)} cm {'down' if self.down_cm > 0 else 'up'}" if self.down_cm else ""
        return " and ".join(part for part in (across, along) if part)
