"""Floor plans: rooms by recursive splitting of a footprint, their walls, and how the parts fit together.

Lengths are rounded to centimetres, so that wall faces of neighbouring rooms meet exactly. A room is a
rectangle, less at most one corner that a smaller room takes (an L).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import FlowbenchError

from .proportions import Proportions
from .rects import Rect, spanning

INNER_HALF = 0.06
"""Half the thickness of a wall between rooms; outer walls lie this far inside the footprint, metres."""
OUTER_THICKNESS = 0.20
LEAST_LEG = 2.4
"""Least width of what a carved corner leaves of a room, metres."""
MOST_ASPECT = 2.0
_PROGRAMMES = 8
_TRIES = 100
_CUTS = 6
_BY_SIZE = ("living_room", "bedroom", "kitchen", "office", "hallway", "bathroom")


@dataclass(frozen=True)
class Wall:
    """One side of one room: the inner face from ``start`` to ``end`` with the room on its left.

    Attributes:
        index: running number in the home.
        room: index of its room.
        start, end: (x, y) of the inner face, metres.
        outer: whether it faces the outside.
    """

    index: int
    room: int
    start: tuple[float, float]
    end: tuple[float, float]
    outer: bool

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
        return OUTER_THICKNESS if self.outer else INNER_HALF

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


def draw_rooms(rng: np.random.Generator, style: Proportions, count: int | None = None) -> Rooms:
    """Divide a footprint into rooms.

    Args:
        rng: the layout's generator.
        style: proportions and programmes.
        count: number of rooms; drawn from the style's when None.
    """
    count = style.room_counts[int(rng.integers(len(style.room_counts)))] if count is None else count
    for _ in range(_PROGRAMMES):
        kinds = _programme(rng, style, count)
        carve = "bathroom" in kinds and count > 2 and bool(rng.random() < 0.6)
        drawn = (_cells(rng, style, kinds, carve) for _ in range(_TRIES))
        cells = next((cells for cells in drawn if cells is not None), None)
        if cells is not None:
            break
    else:
        raise FlowbenchError(f"no floor plan of {count} rooms was found in this style; widen its sides.")
    rooms = tuple(
        RoomPlan(f"room-{i + 1}", (kind,), cell.grown(-INNER_HALF), notch.grown(INNER_HALF) if notch else None)
        for i, (kind, (cell, notch)) in enumerate(zip(kinds, cells, strict=True))
    )
    rooms = tuple(RoomPlan(r.room_id, r.uses, _cm(r.bounds), _clipped(r.notch, r.bounds)) for r in rooms)
    return Rooms(rooms, _walls(rooms), round(float(rng.uniform(*style.height)), 2))


def _programme(rng: np.random.Generator, style: Proportions, count: int) -> list[str]:
    """Room types of a home, the largest kind first."""
    programmes = style.programmes[count]
    return sorted(programmes[int(rng.integers(len(programmes)))], key=_BY_SIZE.index)


def _cells(
    rng: np.random.Generator, style: Proportions, kinds: list[str], carve: bool
) -> list[tuple[Rect, Rect | None]] | None:
    """Centre-line rectangles (and notches) in the order of ``kinds``, or None when the draw does not fit."""
    whole = kinds[:-1] if carve else kinds
    area = math.fsum(float(rng.uniform(*style.areas[kind])) for kind in kinds)
    aspect = float(rng.uniform(1.0, 1.8))
    width = math.sqrt(area * aspect)
    depth = area / width
    if rng.random() < 0.5:
        width, depth = depth, width
    cells = _split(rng, style, Rect(0.0, 0.0, round(width, 2), round(depth, 2)), len(whole))
    if cells is None:
        return None
    cells.sort(key=lambda cell: -cell.area)
    if not carve:
        return [(cell, None) for cell in cells]
    side = tuple(round(float(rng.uniform(2.3, 2.9)), 2) for _ in range(2))
    corner = int(rng.integers(4))
    host = int(rng.integers(min(2, len(cells))))
    notch = _corner(cells[host], side, corner)
    if min(cells[host].size[k] - side[k] for k in range(2)) < LEAST_LEG:
        return None
    return [(cell, notch if i == host else None) for i, cell in enumerate(cells)] + [(notch, None)]


def _split(rng: np.random.Generator, style: Proportions, rect: Rect, count: int) -> list[Rect] | None:
    """Cut a rectangle into ``count`` well-formed ones by straight cuts, mostly across its longer side."""
    if count == 1:
        return [rect] if _well_formed(rect, style) else None
    for _ in range(_CUTS):
        first = count // 2 if rng.random() < 0.5 else count - count // 2
        share = first / count + float(rng.uniform(-0.16, 0.16))
        width, depth = rect.size
        if (width > depth) == (rng.random() < 0.85):
            cut = round(rect.x0 + width * share, 2)
            parts = rect._replace(x1=cut), rect._replace(x0=cut)
        else:
            cut = round(rect.y0 + depth * share, 2)
            parts = rect._replace(y1=cut), rect._replace(y0=cut)
        left = _split(rng, style, parts[0], first)
        right = _split(rng, style, parts[1], count - first) if left is not None else None
        if left is not None and right is not None:
            return left + right
    return None


def _well_formed(cell: Rect, style: Proportions) -> bool:
    short, long = sorted(cell.size)
    return style.side[0] <= short and long <= style.side[1] and long <= MOST_ASPECT * short


def _corner(rect: Rect, side: tuple[float, ...], corner: int) -> Rect:
    """A rectangle of the given sides at corner 0..3 (counter-clockwise from the lower left)."""
    x0 = rect.x0 if corner in (0, 3) else round(rect.x1 - side[0], 2)
    y0 = rect.y0 if corner in (0, 1) else round(rect.y1 - side[1], 2)
    x1 = rect.x1 if corner in (1, 2) else round(x0 + side[0], 2)
    y1 = rect.y1 if corner in (2, 3) else round(y0 + side[1], 2)
    return Rect(x0, y0, x1, y1)


def _cm(rect: Rect) -> Rect:
    return Rect(*(round(v, 2) for v in rect))


def _clipped(notch: Rect | None, bounds: Rect) -> Rect | None:
    """The notch as seen from inside: reaching exactly to the room's faces."""
    if notch is None:
        return None
    return _cm(
        Rect(max(notch.x0, bounds.x0), max(notch.y0, bounds.y0), min(notch.x1, bounds.x1), min(notch.y1, bounds.y1))
    )


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


def _walls(rooms: tuple[RoomPlan, ...]) -> tuple[Wall, ...]:
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
