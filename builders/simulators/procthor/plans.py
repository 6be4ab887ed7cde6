"""The plan of a house: rooms, walls, doors, windows, and where two rooms have no wall between them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..bullet.openings import Hole, HousePlan, Opening
from ..bullet.plan import Wall
from ..bullet.rects import Rect
from .frames import floor_point
from .rooms import HALF_WALL, OutlinedRoom, largest_of, tiles_of
from .schema import House, HouseError, OpeningShape, Surface, WallShape
from .sides import NEAR, Side, inner_faces, sides_of

ROOM_TYPES: Mapping[str, str] = {
    "Kitchen": "kitchen",
    "LivingRoom": "living_room",
    "Bedroom": "bedroom",
    "Bathroom": "bathroom",
    "Office": "office",
    "Hallway": "hallway",
}
"""ProcTHOR's room types (the first four) and two of ours; others are furnished as living rooms."""
_MOST_SIDE = 100.0
_HEIGHTS = (1.8, 10.0)
_LEVEL = 0.02
_SLACK = 0.06
"""How far a hole may reach beyond its wall, metres: ProcTHOR's offsets do so by up to 2 cm."""
_LEAST_HOLE = 0.2
_EDGE = 0.03
"""Wall left between a hole and a corner, metres."""
_WAY = 0.3
"""Floor before a door that leads to it, metres."""


@dataclass(frozen=True, eq=False)
class Planned:
    """A house's plan, and what surfaces it has.

    Attributes:
        plan: rooms, walls, openings.
        walls: material of each wall of the plan.
        floors: material name of each room's floor.
        frames: asset id of each opening of the plan.
        left_out: what could not be built, by reason.
    """

    plan: HousePlan
    walls: tuple[Surface, ...]
    floors: tuple[str, ...]
    frames: tuple[str, ...]
    left_out: Counter[str]


def plan_of(house: House) -> Planned:
    """The plan of a parsed house.

    Raises:
        HouseError: the rooms do not make one: they overlap, lack walls, or doors lie outside their walls.
    """
    height = _height(house)
    sides = sides_of(house)
    rooms = tuple(_room(house, index, mine) for index, mine in enumerate(sides))
    _apart(house, rooms)
    walls: list[Wall] = []
    standing: list[Side] = []
    for mine in sides:
        for side, (start, end) in zip(mine, inner_faces(mine), strict=True):
            if not side.open:
                walls.append(Wall(len(walls), side.room, start, end, not side.neighbours, HALF_WALL))
                standing.append(side)
    left_out: Counter[str] = Counter()
    openings, frames = _openings(house, walls, standing, height, left_out)
    gaps = tuple(
        ((side.room, other), stretch)
        for mine in sides
        for side in mine
        for other, stretch in side.neighbours
        if side.open and side.room < other
    )
    plan = HousePlan(rooms, tuple(walls), openings, height, gaps)
    surfaces = tuple(side.shape.material for side in standing)
    return Planned(plan, surfaces, tuple(room.floor_material.name for room in house.rooms), frames, left_out)


def _height(house: House) -> float:
    """Floor to ceiling, metres."""
    inner = [wall for wall in house.walls if "exterior" not in wall.id]
    if not inner:
        raise HouseError("has no walls")
    lows = [min(p.y for p in wall.polygon) for wall in inner] + [p.y for r in house.rooms for p in r.floor_polygon]
    tops = [max(p.y for p in wall.polygon) for wall in inner]
    if max(map(abs, lows)) > _LEVEL or max(tops) - min(tops) > _LEVEL:
        raise HouseError("has floors or ceilings at several heights, where one storey is understood")
    if not _HEIGHTS[0] <= max(tops) <= _HEIGHTS[1]:
        raise HouseError(f"has walls {max(tops):.2f} m high, expected {_HEIGHTS[0]} to {_HEIGHTS[1]} m")
    return round(max(tops), 3)


def _room(house: House, index: int, sides: Sequence[Side]) -> OutlinedRoom:
    """A room from its sides."""
    shape = house.rooms[index]
    points = [point for face in inner_faces(sides) for point in face]
    corners = [p for k, p in enumerate(points) if p != points[k - 1]]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    bounds = Rect(min(xs), min(ys), max(xs), max(ys))
    if max(bounds.size) > _MOST_SIDE or max(map(abs, bounds)) > 5 * _MOST_SIDE:
        raise HouseError(f"is absurdly large: {shape.id} lies from {bounds[:2]} to {bounds[2:]}")
    return OutlinedRoom(
        room_id=f"room-{index + 1}",
        uses=(ROOM_TYPES.get(shape.room_type, "living_room"),),
        bounds=bounds,
        notch=None,
        outline=tuple(corners),
        floors=tuple(tiles_of([side.start for side in sides])),
        free=tuple(largest_of(corners)),
    )


def _apart(house: House, rooms: Sequence[OutlinedRoom]) -> None:
    """Refuse rooms that overlap, or that lie absurdly far apart."""
    for (i, a), (j, b) in itertools.combinations(enumerate(rooms), 2):
        if any(one.grown(-NEAR).overlaps(other) for one in a.floors for other in b.floors):
            raise HouseError(f"has rooms that overlap, {house.rooms[i].id} and {house.rooms[j].id}")
    spread = [max(r.bounds[k + 2] for r in rooms) - min(r.bounds[k] for r in rooms) for k in (0, 1)]
    if max(spread) > _MOST_SIDE:
        raise HouseError(f"is absurdly large: it stretches over {max(spread):.0f} m, expected at most {_MOST_SIDE:.0f}")


def _openings(
    house: House, walls: Sequence[Wall], sides: Sequence[Side], height: float, left_out: Counter[str]
) -> tuple[tuple[Opening, ...], tuple[str, ...]]:
    """Doors, then windows, each cut into the walls it lies in, and the asset of each."""
    index = {side.shape.id: k for k, side in enumerate(sides)}
    shapes = {wall.id: wall for wall in house.walls}
    made: list[Opening] = []
    assets: list[str] = []
    for kind, shape in [*(("door", d) for d in house.doors), *(("window", w) for w in house.windows)]:
        place = next((name for name in (shape.wall0, shape.wall1) if name in index), None)
        if place is None:
            raise HouseError(f"has {shape.id} in {shape.wall0}, which is no wall of a room")
        drawn = shapes.get(shape.wall0, shapes[place])
        first = walls[index[place]]
        cut = _cut(shape, drawn, first, height, kind == "window")
        opening = _opening(kind, shape, first, cut, walls)
        if opening is None:
            left_out[f"{kind} in a wall between rooms" if kind == "window" else f"{kind} that leads nowhere"] += 1
            continue
        _clear(shape, opening, made)
        made.append(opening)
        assets.append(shape.asset_id)
    return tuple(made), tuple(assets)


def _cut(shape: OpeningShape, drawn: WallShape, wall: Wall, height: float, window: bool) -> Hole:
    """The hole along our wall, from what the file says of it along its own."""
    (ax, ay), (bx, by) = (floor_point(p) for p in drawn.polygon[:2])
    length = abs(bx - ax) + abs(by - ay)
    low, high = sorted(p.x for p in shape.hole_polygon)
    bottom, top = sorted(p.y for p in shape.hole_polygon)
    if low < -_SLACK or high > length + _SLACK or top > height + _SLACK or bottom < -_SLACK:
        raise HouseError(f"has {shape.id} outside its wall {drawn.id}")
    if high - low < _LEAST_HOLE or top - bottom < _LEAST_HOLE:
        raise HouseError(f"has {shape.id} of next to no size")
    ux, uy = (bx - ax) / length, (by - ay) / length
    ends = sorted(_along(wall, ax + ux * t, ay + uy * t) for t in (low, high))
    t0, t1 = max(ends[0], _EDGE), min(ends[1], wall.length - _EDGE)
    if t1 - t0 < _LEAST_HOLE:
        raise HouseError(f"has {shape.id} outside its wall {drawn.id}")
    floor = round(max(bottom, 0.05), 3) if window else 0.0
    return Hole(round(t0, 3), round(t1, 3), floor, round(min(top, height - 0.02), 3))


def _along(wall: Wall, x: float, y: float) -> float:
    ax, ay = wall.along
    return (x - wall.start[0]) * ax + (y - wall.start[1]) * ay


def _opening(kind: str, shape: OpeningShape, first: Wall, hole: Hole, walls: Sequence[Wall]) -> Opening | None:
    """A window or door; None for windows between rooms, and for doors to where no room is."""
    if kind == "window":
        return Opening("window", ((first.index, hole),)) if first.outer else None
    way = (first.room, first.strip(hole.t0, hole.t1, 0.0, _WAY))
    if first.outer:
        return Opening("entrance", ((first.index, hole),), (way,))
    for wall in walls:
        back_to_back = wall.room != first.room and wall.inward == (-first.inward[0], -first.inward[1])
        near = abs(
            (first.start[0] - wall.start[0]) * first.inward[0] + (first.start[1] - wall.start[1]) * first.inward[1]
        )
        if not back_to_back or abs(near - 2 * HALF_WALL) > NEAR + 1e-6:
            continue
        ends = sorted(_along(wall, *first.point(t)) for t in (hole.t0, hole.t1))
        if ends[0] >= 0.0 and ends[1] <= wall.length:
            other = Hole(round(ends[0], 3), round(ends[1], 3), hole.z0, hole.z1)
            beyond = (wall.room, wall.strip(other.t0, other.t1, 0.0, _WAY))
            open_way = shape.openness is None or shape.openness >= 0.5
            cuts = ((first.index, hole), (wall.index, other))
            return Opening("doorway" if open_way else "closed", cuts, (way, beyond))
    return None


def _clear(shape: OpeningShape, opening: Opening, made: Sequence[Opening]) -> None:
    """Refuse a hole that reaches into another of its wall."""
    for index, hole in opening.cuts:
        for other in made:
            for number, cut in other.cuts:
                if number == index and hole.t0 < cut.t1 and cut.t0 < hole.t1 and hole.z0 < cut.z1 and cut.z0 < hole.z1:
                    raise HouseError(f"has {shape.id} in the same place as another door or window")
