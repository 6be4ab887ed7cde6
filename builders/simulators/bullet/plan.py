"""Floor plans: rooms, their walls, and how the parts fit together.

Lengths are rounded to centimetres, so that wall faces of neighbouring rooms meet exactly. A room is a
rectangle, less at most one corner that a smaller room takes (an L).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .rects import Rect, spanning

INNER_HALF = 0.06
"""Half the thickness of a wall between rooms; outer walls lie this far inside the footprint, metres."""
OUTER_THICKNESS = 0.20


@dataclass(frozen=True)
class Wall:
    """One side of one room: the inner face from ``start`` to ``end`` with the room on its left.

    Attributes:
        index: running number in the home.
        room: index of its room.
        start, end: (x, y) of the inner face, metres.
        outer: whether it faces the outside.
        half: half the thickness of the wall that it is a side of, if it lies between rooms, metres.
    """

    index: int
    room: int
    start: tuple[float, float]
    end: tuple[float, float]
    outer: bool
    half: float = INNER_HALF

    @property
    def length(self) -> float:
        """Metres along the face."""
        return abs(self.end[0] - self.start[0]) + abs(self.end[1] - self.start[1])

    @property
    def along(self) -> tuple[int, int]:
        """Unit direction from start to end."""
        return _sign(self.end[0] - self.start[0]), _sign(self.end[1] - self.start[1])

    @property
    def inward(self) -> tuple[int, int]:
        """Unit normal into the room."""
        dx, dy = self.along
        return -dy, dx

    @property
    def thickness(self) -> float:
        """Of the slab behind the face, metres."""
        return OUTER_THICKNESS if self.outer else self.half

    def point(self, t: float, into: float = 0.0) -> tuple[float, float]:
        """(x, y) at ``t`` metres along the face and ``into`` metres into the room."""
        (ax, ay), (nx, ny) = self.along, self.inward
        return self.start[0] + t * ax + into * nx, self.start[1] + t * ay + into * ny

    def strip(self, t0: float, t1: float, into0: float, into1: float) -> Rect:
        """The floor rectangle between two points along and two depths into the room."""
        return spanning(*self.point(t0, into0), *self.point(t1, into1))


@dataclass(frozen=True, eq=False)
class RoomPlan:
    """A room's floor: ``bounds`` (inner faces) less ``notch``, a rectangle at one of its corners.

    Attributes:
        room_id: ``"room-1"``, ``"room-2"``, ...
        uses: room types it serves, the main one first; more than one in an open-plan room.
        bounds, notch: metres.
    """

    room_id: str
    uses: tuple[str, ...]
    bounds: Rect
    notch: Rect | None

    @property
    def room_type(self) -> str:
        """Its main use."""
        return self.uses[0]

    @property
    def polygon(self) -> NDArray[np.float64]:
        """(4 or 6, 2) float64 corners, counter-clockwise, metres."""
        return np.array(_outline(self.bounds, self.notch))

    @property
    def tiles(self) -> list[Rect]:
        """Its floor up to the middle of its walls, as rectangles that touch but do not overlap."""
        whole = self.bounds.grown(INNER_HALF)
        return _without(whole, self.notch.grown(-INNER_HALF)) if self.notch else [whole]

    @property
    def legs(self) -> list[Rect]:
        """Its floor up to its walls' inner faces, as rectangles that overlap where it turns a corner."""
        whole, notch = self.bounds, self.notch
        if notch is None:
            return [whole]
        side = whole._replace(x0=notch.x1) if notch.x0 <= whole.x0 else whole._replace(x1=notch.x0)
        end = whole._replace(y0=notch.y1) if notch.y0 <= whole.y0 else whole._replace(y1=notch.y0)
        return [side, end]

    @property
    def area(self) -> float:
        """Square metres."""
        return self.bounds.area - (self.notch.area if self.notch else 0.0)

    def holds(self, rect: Rect) -> bool:
        """Whether a rectangle lies on the room's floor."""
        return self.bounds.contains(rect) and not (self.notch and self.notch.overlaps(rect))

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies on the room's floor."""
        return self.bounds.has(x, y) and not (self.notch and self.notch.has(x, y))


@dataclass(frozen=True)
class Rooms:
    """Rooms and walls before doors and windows are cut."""

    rooms: tuple[RoomPlan, ...]
    walls: tuple[Wall, ...]
    height: float


def _without(whole: Rect, notch: Rect) -> list[Rect]:
    """A rectangle less a corner of it, as two rectangles."""
    a = Rect(max(whole.x0, notch.x0), max(whole.y0, notch.y0), min(whole.x1, notch.x1), min(whole.y1, notch.y1))
    left = a.x0 - whole.x0 < whole.x1 - a.x1
    side = whole._replace(x0=a.x1) if left else whole._replace(x1=a.x0)
    x0, x1 = (whole.x0, a.x1) if left else (a.x0, whole.x1)  # up to the edge: the notch may stop short of it
    low = a.y0 - whole.y0 < whole.y1 - a.y1
    rest = Rect(x0, a.y1, x1, whole.y1) if low else Rect(x0, whole.y0, x1, a.y0)
    return [side, rest]


def _outline(bounds: Rect, notch: Rect | None) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = bounds
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    if notch is None:
        return corners
    a0, b0, a1, b1 = notch
    detours = {
        (x0, y0): [(x0, b1), (a1, b1), (a1, y0)],
        (x1, y0): [(a0, y0), (a0, b1), (x1, b1)],
        (x1, y1): [(x1, b0), (a0, b0), (a0, y1)],
        (x0, y1): [(a1, y1), (a1, b0), (x0, b0)],
    }
    taken = next(corner for corner in corners if notch.has(*corner))
    outline: list[tuple[float, float]] = []
    for corner in corners:
        outline.extend(detours[corner] if corner == taken else [corner])
    return outline


def walls_of(rooms: tuple[RoomPlan, ...]) -> tuple[Wall, ...]:
    """Every room's sides, in room order; outer ones lie on the hull of all rooms."""
    hull = Rect(
        min(r.bounds.x0 for r in rooms),
        min(r.bounds.y0 for r in rooms),
        max(r.bounds.x1 for r in rooms),
        max(r.bounds.y1 for r in rooms),
    )
    walls: list[Wall] = []
    for index, room in enumerate(rooms):
        outline = _outline(room.bounds, room.notch)
        for start, end in zip(outline, outline[1:] + outline[:1], strict=True):
            outer = (start[0] == end[0] and start[0] in (hull.x0, hull.x1)) or (
                start[1] == end[1] and start[1] in (hull.y0, hull.y1)
            )
            walls.append(Wall(len(walls), index, start, end, outer))
    return tuple(walls)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
