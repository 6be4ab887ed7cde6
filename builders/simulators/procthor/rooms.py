"""Rooms of any outline along the axes, and the rectangles they consist of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..bullet.plan import RoomPlan
from ..bullet.rects import Rect
from .frames import Point
from .schema import HouseError

HALF_WALL = 0.005
"""Half the thickness of walls between rooms, metres: ProcTHOR's have none, and pictures hang 5 mm before them."""
_SAME = 1e-6


@dataclass(frozen=True, eq=False)
class OutlinedRoom(RoomPlan):
    """A room whose walls run along the axes.

    Attributes:
        outline: corners of its walls' inner faces, counter-clockwise, metres.
        floors: its floor up to the middle of its walls, rectangles that touch but do not overlap.
        free: the largest rectangles inside its walls' faces; they overlap.
    """

    outline: tuple[Point, ...] = ()
    floors: tuple[Rect, ...] = ()
    free: tuple[Rect, ...] = ()

    @property
    def polygon(self) -> NDArray[np.float64]:
        """(n, 2) float64 corners, counter-clockwise, metres."""
        return np.array(self.outline)

    @property
    def tiles(self) -> list[Rect]:
        """Its floor up to the middle of its walls."""
        return list(self.floors)

    @property
    def legs(self) -> list[Rect]:
        """Its floor up to its walls' inner faces."""
        return list(self.free)

    @property
    def area(self) -> float:
        """Square metres."""
        return abs(signed_area(self.outline))

    def holds(self, rect: Rect) -> bool:
        """Whether a rectangle lies on the room's floor."""
        return any(leg.contains(rect) for leg in self.free)

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies on the room's floor."""
        return any(leg.has(x, y) for leg in self.free)


def corners_of(name: str, points: Sequence[Point]) -> tuple[Point, ...]:
    """A floor's corners, counter-clockwise, no two alike; those where two walls meet in line are kept.

    Raises:
        HouseError: the sides do not run along the axes, cross, or enclose next to nothing.
    """
    corners = [point for k, point in enumerate(points) if point != points[k - 1]]
    area = signed_area(corners)
    if area < 0.0:
        corners.reverse()
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        if abs(ax - bx) > _SAME and abs(ay - by) > _SAME:
            raise HouseError(f"has slanted sides in {name}, where only floors along the axes are understood")
    covered = math.fsum(rect.area for rect in tiles_of(corners))
    if abs(area) < 0.5 or abs(covered - abs(area)) > 1e-3:
        raise HouseError(f"has a floor of {abs(area):.1f} m² in {name} that is too small, or crosses itself")
    return tuple(corners)


def signed_area(corners: Sequence[Point]) -> float:
    """Square metres, positive if the corners go round counter-clockwise."""
    following = [*corners[1:], *corners[:1]]
    return math.fsum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(corners, following, strict=True)) / 2.0


def tiles_of(corners: Sequence[Point]) -> list[Rect]:
    """An outline's inside as rectangles that do not overlap: strips along x, joined where they are alike."""
    xs, ys, inside = _cells(corners)
    found: list[Rect] = []
    for row, (y0, y1) in enumerate(itertools.pairwise(ys)):
        start: int | None = None
        for column in range(len(xs)):
            filled = column < len(xs) - 1 and bool(inside[row, column])
            if filled and start is None:
                start = column
            elif not filled and start is not None:
                _stack(found, Rect(xs[start], y0, xs[column], y1))
                start = None
    return found


def largest_of(corners: Sequence[Point]) -> list[Rect]:
    """The rectangles inside an outline that no other one holds."""
    xs, ys, inside = _cells(corners)
    rows, columns = inside.shape
    found = []
    for c, a in np.argwhere(inside).tolist():
        for d in range(c + 1, rows + 1):
            if not inside[d - 1, a]:
                break
            for b in range(a + 1, columns + 1):
                if not inside[c:d, b - 1].all():
                    break
                wider = (a > 0 and inside[c:d, a - 1].all()) or (b < columns and inside[c:d, b].all())
                deeper = (c > 0 and inside[c - 1, a:b].all()) or (d < rows and inside[d, a:b].all())
                if not wider and not deeper:
                    found.append(Rect(xs[a], ys[c], xs[b], ys[d]))
    return sorted(found)


def _stack(found: list[Rect], strip: Rect) -> None:
    """Add a strip, joined with one below it that is as wide."""
    for k, other in enumerate(found):
        if (other.x0, other.x1, other.y1) == (strip.x0, strip.x1, strip.y0):
            found[k] = other._replace(y1=strip.y1)
            return
    found.append(strip)


def _cells(corners: Sequence[Point]) -> tuple[list[float], list[float], NDArray[np.bool_]]:
    """The grid of all corners' x and y, and which of its cells (row, column) lie inside (even-odd rule)."""
    xs, ys = sorted({x for x, _ in corners}), sorted({y for _, y in corners})
    inside = np.zeros((len(ys) - 1, len(xs) - 1), dtype=bool)
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        if ax == bx:
            rows = slice(ys.index(min(ay, by)), ys.index(max(ay, by)))
            inside[rows, xs.index(ax) :] ^= True
    return xs, ys, inside
