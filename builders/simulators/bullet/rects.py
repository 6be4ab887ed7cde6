"""Axis-aligned rectangles on the floor plane: what plans and furnishing are made of."""

from __future__ import annotations

from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle (x0, y0) to (x1, y1), world metres, x0 <= x1 and y0 <= y1."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def size(self) -> tuple[float, float]:
        """Extent along x and y, metres."""
        return self.x1 - self.x0, self.y1 - self.y0

    @property
    def area(self) -> float:
        """Square metres."""
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, metres."""
        return (self.x0 + self.x1) / 2.0, (self.y0 + self.y1) / 2.0

    def grown(self, margin: float) -> Rect:
        """The rectangle widened by ``margin`` metres on every side (narrowed if negative)."""
        return Rect(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def contains(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """Whether ``other`` lies inside, edges included."""
        return (
            self.x0 <= other.x0 + tolerance
            and self.y0 <= other.y0 + tolerance
            and other.x1 <= self.x1 + tolerance
            and other.y1 <= self.y1 + tolerance
        )

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies inside, edges included."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def overlaps(self, other: Rect, gap: float = 0.0) -> bool:
        """Whether the two come closer than ``gap`` metres along both axes (touching edges do not overlap)."""
        return (
            self.x0 < other.x1 + gap - 1e-9
            and other.x0 < self.x1 + gap - 1e-9
            and self.y0 < other.y1 + gap - 1e-9
            and other.y0 < self.y1 + gap - 1e-9
        )


def spanning(ax: float, ay: float, bx: float, by: float) -> Rect:
    """The rectangle with two opposite corners given in any order."""
    return Rect(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
