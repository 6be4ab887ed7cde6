"""The sides of rooms: which walls of the file they are, what lies behind them, and where their inner faces are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..bullet.plan import OUTER_THICKNESS
from ..bullet.rects import Rect, spanning
from .frames import Point, floor_point
from .rooms import HALF_WALL, corners_of
from .schema import House, HouseError, WallShape

NEAR = 0.002
"""Metres within which two walls lie in one plane."""


@dataclass(frozen=True)
class Side:
    """One side of one room, from corner to corner, the room on its left.

    Attributes:
        room: index of its room.
        start, end: (x, y) in the plane of the wall, metres.
        shape: the wall of the file.
        neighbours: the other rooms behind it, as (index, the stretch shared).
        open: no wall stands there.
    """

    room: int
    start: Point
    end: Point
    shape: WallShape
    neighbours: tuple[tuple[int, Rect], ...] = ()
    open: bool = False

    @property
    def inward(self) -> Point:
        """Unit normal into the room."""
        (ax, ay), (bx, by) = self.start, self.end
        return float((ay > by) - (ay < by)), float((bx > ax) - (bx < ax))

    @property
    def inset(self) -> float:
        """How far before the wall's plane its inner face lies, metres."""
        return 0.0 if self.open else HALF_WALL


def sides_of(house: House) -> list[list[Side]]:
    """The sides of every room, in the rooms' order.

    Raises:
        HouseError: a floor is none that is understood, a side has no wall, or another room is so near behind it that
            the wall would stand in that room.
    """
    outlines = [corners_of(room.id, [floor_point(p) for p in room.floor_polygon]) for room in house.rooms]
    known = _walls(house)
    sides: list[list[Side]] = []
    for index, corners in enumerate(outlines):
        following = [*corners[1:], *corners[:1]]
        mine = []
        for start, end in zip(corners, following, strict=True):
            shape = known.get((house.rooms[index].id, frozenset((start, end))))
            if shape is None:
                raise HouseError(f"has no wall along {house.rooms[index].id} from {start} to {end}")
            mine.append(Side(index, start, end, shape))
        sides.append(mine)
    flat = [side for mine in sides for side in mine]
    return [[_joined(side, flat) for side in mine] for mine in sides]


def inner_faces(sides: Sequence[Side]) -> list[tuple[Point, Point]]:
    """Start and end of each side's inner face, in order; they meet, but for steps beside sides that are open."""
    arriving, leaving = [], []
    for before, after in zip([sides[-1], *sides[:-1]], sides, strict=True):
        straight = before.inward == after.inward
        arriving.append(_moved(after.start, before, None if straight else after))
        leaving.append(_moved(after.start, after, None if straight else before))
    return list(zip(leaving, [*arriving[1:], arriving[0]], strict=True))


def _moved(corner: Point, side: Side, other: Side | None) -> Point:
    """A corner moved into the room by the inset of one or two sides."""
    x, y = corner
    for each in (side, other):
        if each is not None:
            x, y = x + each.inset * each.inward[0], y + each.inset * each.inward[1]
    return round(x, 4) + 0.0, round(y, 4) + 0.0


def _walls(house: House) -> Mapping[tuple[str, frozenset[Point]], WallShape]:
    """Walls by the room that they are a side of, and their two corners; outsides of the house are not looked at."""
    return {
        (shape.room_id or "", frozenset(floor_point(p) for p in shape.polygon[:2])): shape
        for shape in house.walls
        if "exterior" not in shape.id
    }


def _joined(side: Side, flat: Sequence[Side]) -> Side:
    """The side with what lies behind it; it is open if the walls of both rooms are not there."""
    found = []
    for other in flat:
        if other.room != side.room and other.inward == (-side.inward[0], -side.inward[1]):
            stretch = _shared(side, other)
            if stretch is not None:
                found.append((other, stretch))
    neighbours = tuple((other.room, stretch) for other, stretch in found)
    gone = side.shape.empty and bool(found) and all(other.shape.empty for other, _ in found)
    return Side(side.room, side.start, side.end, side.shape, neighbours, gone)


def _shared(a: Side, b: Side) -> Rect | None:
    """The flat stretch where two sides that look apart lie back to back; None where they do not."""
    one, other = spanning(*a.start, *a.end), spanning(*b.start, *b.end)
    low = max(one.x0, other.x0), max(one.y0, other.y0)
    high = min(one.x1, other.x1), min(one.y1, other.y1)
    across = 0 if a.inward[0] else 1
    if high[1 - across] - low[1 - across] < NEAR:
        return None
    gap = (one[across] - other[across]) * a.inward[across]
    if NEAR < gap < OUTER_THICKNESS:
        near = f"{a.shape.room_id} and {b.shape.room_id} {100.0 * gap:.1f} cm apart"
        raise HouseError(f"has {near}, where rooms side by side meet in the plane of their wall")
    return spanning(*low, *high) if abs(gap) <= NEAR else None
