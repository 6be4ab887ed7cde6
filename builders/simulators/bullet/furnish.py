"""Furnish a room from the catalogue: against walls, in corners, in groups, free standing, hung, on the floor.

Every piece keeps doors free and windows in view, and is refused where it would cut off a part of the floor.
Positions are drawn, tried, and given up after a fixed number of tries: a room that is too small for a piece
goes without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from .arrangement import arranged
from .catalogue import ObjectType
from .model import Model
from .plan import Wall
from .rects import Rect
from .space import QUARTER, Item, RoomSpace, Volume, footprint, item_at, yaw_from_wall

_TRIES = 30
_BACK_GAP = (0.012, 0.04)
_FRONT: Mapping[str, float] = {"Sofa": 1.7, "Bed": 0.7}
"""Depth kept free before furniture along walls, metres; 0.5 for the others."""
_ASIDE = ("GarbageCan", "GarbageBag", "LaundryHamper", "HousePlant", "Box", "VacuumCleaner")
"""Free-standing types that stand near walls."""
_LOOSE_GAP = 0.14
"""Free floor round things that stand alone, metres: movers need somewhere to go."""
_SEATED = ("DiningTable",)
"""Free-standing types that chairs go round."""
_FIRST = (
    ("Bed", "Sofa", "Toilet"),
    ("CounterTop", "Fridge", "Sink"),
    ("TVStand", "CoffeeTable"),
    ("DiningTable", "Desk"),
)
"""What others are grouped with, or has least choice, is placed before the rest, in this order."""
_ORDER = ("ceiling", "wall", "corner", "floor", "around", "rug", "hung")

Candidates = Iterator[Item]


def furnish(rng: np.random.Generator, style: str, space: RoomSpace, catalogue: Mapping[str, ObjectType]) -> None:
    """Fill a room with everything that stands on the floor or hangs on walls and ceiling."""
    room_type = space.plan.room_type
    drawn: list[tuple[ObjectType, Model]] = []
    for kind in catalogue.values():
        if kind.placement == "surface" or room_type not in kind.rooms:
            continue
        count = int(rng.integers(kind.rooms[room_type][0], kind.rooms[room_type][1] + 1))
        if kind.placement == "around" and count:
            drawn += [(kind, kind.make(rng, style))] * count  # a set of chairs
        else:
            drawn += [(kind, kind.make(rng, style)) for _ in range(count)]
    drawn.sort(key=lambda pair: (*_rank(pair[0]), -_area(pair[1])))
    for kind, model in drawn:
        _place(rng, space, kind, model)


def _rank(kind: ObjectType) -> tuple[int, int]:
    """The order of placing."""
    first = next((i for i, names in enumerate(_FIRST) if kind.name in names), len(_FIRST))
    return first, _ORDER.index(kind.placement)


def how_many(rng: np.random.Generator, fewest: int, most: int, density: float) -> int:
    """A count between a row's bounds, scaled by how full the home is (a fraction is a chance), at most one more."""
    count = int(rng.integers(fewest, most + 1)) * density
    return min(int(count) + int(rng.random() < count - int(count)), most + 1)


def _area(model: Model) -> float:
    low, high = model.mesh.bounds
    return float((high[0] - low[0]) * (high[1] - low[1]))


def _place(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> None:
    """Put one piece where its row says, trying its group's places first."""
    for item in arranged(rng, space, kind, model):
        if space.fits(item.volume, 0.02, ignoring=("front",)) and space.walkable(item.volume):
            _accept(space, item)
            return
    if kind.placement == "around":
        return
    maker: Callable[[np.random.Generator, RoomSpace, ObjectType, Model], Candidates] = {
        "ceiling": _on_ceiling,
        "wall": _along_walls,
        "corner": _in_corners,
        "floor": _free_standing,
        "rug": _rugs,
        "hung": _hung,
    }[kind.placement]
    for item in maker(rng, space, kind, model):
        if _acceptable(space, item):
            _accept(space, item)
            return


def _acceptable(space: RoomSpace, item: Item) -> bool:
    placement = item.kind.placement
    if placement == "ceiling":
        return True
    if placement == "rug":
        laid = [other.volume.rect for other in space.items if other.kind.placement == "rug"]
        return space.plan.holds(item.volume.rect) and not any(item.volume.rect.overlaps(r, 0.1) for r in laid)
    if placement == "hung":
        return space.fits(item.volume, 0.08, ignoring=("front",))
    return space.fits(item.volume, _LOOSE_GAP if placement == "floor" else 0.04) and space.walkable(item.volume)


def _accept(space: RoomSpace, item: Item) -> None:
    placement = item.kind.placement
    if placement == "rug":
        space.items.append(item)
        return
    space.put(item, blocks=placement not in ("ceiling", "hung"))
    if placement == "wall":
        depth = _FRONT.get(item.kind.name, 0.5)
        dx, dy = (depth * v for v in _front(item))
        rect = item.volume.rect
        zone = Rect(rect.x0 + min(0.0, dx), rect.y0 + min(0.0, dy), rect.x1 + max(0.0, dx), rect.y1 + max(0.0, dy))
        space.volumes.append(Volume(zone, 0.0, item.volume.z1, "front"))


def _front(item: Item) -> tuple[int, int]:
    """Direction that a piece turned by quarters looks to."""
    return ((0, -1), (1, 0), (0, 1), (-1, 0))[round(item.yaw / QUARTER) % 4]


def _some_wall(rng: np.random.Generator, space: RoomSpace) -> Wall:
    """A wall drawn by its length."""
    ends = np.cumsum([wall.length for wall in space.walls])
    return space.walls[int(np.searchsorted(ends, float(rng.uniform(0.0, ends[-1]))))]


def against(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, wall: Wall, t: float) -> Item:
    """The piece with its back to a wall, its middle at ``t`` metres along it."""
    back = float(model.mesh.bounds[1][1])
    x, y = wall.point(t, back + float(rng.uniform(*_BACK_GAP)))
    return item_at(space, kind, model, x, y, 0.0, yaw_from_wall(wall))


def _along_walls(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    low, high = model.mesh.bounds
    half = float(high[0] - low[0]) / 2.0
    for _ in range(_TRIES):
        wall = _some_wall(rng, space)
        room = wall.length - 2 * half
        if room <= 0.06:
            continue
        t = half + 0.03 + float(rng.random()) * (room - 0.06)
        if rng.random() < 0.4:
            t = half + float(rng.uniform(0.03, 0.12))
            t = t if rng.random() < 0.5 else wall.length - t
        yield against(rng, space, kind, model, wall, t)


def _in_corners(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """At a wall's end; half of the time turned towards the room."""
    for _ in range(_TRIES):
        wall = _some_wall(rng, space)
        at_start = bool(rng.random() < 0.5)
        turned = 0.5 * QUARTER * (1 if at_start else -1) if rng.random() < 0.6 else 0.0
        yaw = yaw_from_wall(wall) - turned
        rect, _, _ = footprint(model, yaw)
        aside, into = float(rng.uniform(0.04, 0.2)), float(rng.uniform(0.03, 0.1))
        ax, ay = wall.along
        reach = [-(rect.x0 * ax + rect.y0 * ay), -(rect.x1 * ax + rect.y1 * ay)]
        t = max(reach) + aside if at_start else wall.length + min(reach) - aside
        nx, ny = wall.inward
        depth = max(-(rect.x0 * nx + rect.y0 * ny), -(rect.x1 * nx + rect.y1 * ny))
        x, y = wall.point(t, depth + into)
        yield item_at(space, kind, model, x, y, 0.0, yaw)


def _free_standing(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Tables with room for chairs, some things near walls; others mostly off the middle, which stays open."""
    if kind.name in _SEATED:
        yield from _tables(rng, space, kind, model)
        return
    if kind.name in _ASIDE:
        yield from _near_walls(rng, space, kind, model)
        return
    cx, cy = space.plan.bounds.centre
    middle = 0.22 * math.fsum(space.plan.bounds.size)
    inner = space.plan.bounds.grown(-0.2)
    for _ in range(2 * _TRIES):
        yaw = QUARTER * int(rng.integers(4)) + (float(rng.uniform(-0.5, 0.5)) if rng.random() < 0.4 else 0.0)
        x, y = float(rng.uniform(inner.x0, inner.x1)), float(rng.uniform(inner.y0, inner.y1))
        if abs(x - cx) + abs(y - cy) > middle or rng.random() < 0.25:
            yield item_at(space, kind, model, x, y, 0.0, yaw)


def _near_walls(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """A little off a wall, a little turned."""
    for _ in range(2 * _TRIES):
        wall = _some_wall(rng, space)
        yaw = yaw_from_wall(wall) + float(rng.uniform(-0.35, 0.35))
        rect, _, _ = footprint(model, yaw)
        reach = max(rect.x1 - rect.x0, rect.y1 - rect.y0) / 2.0
        if wall.length > 2 * reach + 0.1:
            t = float(rng.uniform(reach + 0.05, wall.length - reach - 0.05))
            x, y = wall.point(t, reach + float(rng.uniform(0.06, 0.35)))
            yield item_at(space, kind, model, x, y, 0.0, yaw)


def _tables(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Along a wall's direction, chairs' depth away from everything; less in a small room."""
    for margin in (0.8, 0.6, 0.4):
        inner = space.plan.bounds.grown(-0.35 - margin)
        for _ in range(3 * _TRIES):
            x, y = float(rng.uniform(inner.x0, inner.x1)), float(rng.uniform(inner.y0, inner.y1))
            item = item_at(space, kind, model, x, y, 0.0, QUARTER * int(rng.integers(2)))
            grown = Volume(item.volume.rect.grown(margin), 0.0, item.volume.z1)
            if space.fits(grown, 0.0, ignoring=("front", "way")):
                yield item


def _rugs(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Under the middle of a group, else in the room's middle."""
    anchors = [item.volume.rect.centre for item in space.of_type("CoffeeTable", "DiningTable", "Bed")]
    for x, y in [*anchors, space.plan.bounds.centre]:
        for quarter in (int(rng.integers(2)), 0, 1):
            dx, dy = float(rng.uniform(-0.15, 0.15)), float(rng.uniform(-0.15, 0.15))
            yield item_at(space, kind, model, x + dx, y + dy, 0.0, QUARTER * quarter)


def _hung(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """On a wall, above what stands there."""
    low, high = model.mesh.bounds
    half, tall = float(high[0] - low[0]) / 2.0, float(high[2])
    for _ in range(_TRIES):
        wall = _some_wall(rng, space)
        if wall.length < 2 * half + 0.4:
            continue
        t = half + 0.2 + float(rng.random()) * (wall.length - 2 * half - 0.4)
        x, y = wall.point(t, 0.001)
        bottom = kind.height + float(rng.uniform(-0.06, 0.10))
        strip = wall.strip(t - half, t + half, 0.0, 0.3)
        below = [v.z1 for v in space.volumes if v.use == "thing" and v.z0 < 0.5 and v.rect.overlaps(strip)]
        bottom = max(bottom, max(below, default=0.0) + 0.12)
        if bottom + tall < space.height - 0.15:
            yield item_at(space, kind, model, x, y, round(bottom, 3), yaw_from_wall(wall))


def _on_ceiling(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """In the middle of the room's greatest rectangle."""
    bounds, notch = space.plan.bounds, space.plan.notch
    if notch is not None:
        beside = bounds._replace(x0=notch.x1) if notch.x0 == bounds.x0 else bounds._replace(x1=notch.x0)
        above = bounds._replace(y0=notch.y1) if notch.y0 == bounds.y0 else bounds._replace(y1=notch.y0)
        bounds = max(beside, above, key=lambda rect: rect.area)
    x, y = bounds.centre
    yield item_at(space, kind, model, x, y, space.height, QUARTER * int(rng.integers(4)))
