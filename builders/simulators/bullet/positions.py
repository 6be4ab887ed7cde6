"""Where a piece may go by itself: along walls, in corners, near walls, on the open floor, hung, under the ceiling.

Each function draws candidates; whether one is free is for the caller to judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from .catalogue import ObjectType
from .model import Model
from .plan import Wall
from .rects import Rect
from .space import QUARTER, Item, RoomSpace, Volume, extent, footprint, item_at, yaw_from_wall

TRIES = 30
_BACK_GAP = (0.016, 0.026)
"""Between a back and a wall, metres: clear of the baseboard, and in contact for the eye."""
_CENTRED = ("Bed", "Sofa")
"""Wall pieces that stand away from corners where they can: things go beside them."""

Candidates = Iterator[Item]
Finder = Callable[[np.random.Generator, RoomSpace, ObjectType, Model], Candidates]


def some_wall(rng: np.random.Generator, space: RoomSpace) -> Wall:
    """A wall drawn by its length."""
    ends = np.cumsum([wall.length for wall in space.walls])
    return space.walls[int(np.searchsorted(ends, float(rng.uniform(0.0, ends[-1]))))]


def against(space: RoomSpace, kind: ObjectType, model: Model, wall: Wall, t: float, gap: float) -> Item:
    """The piece with its back ``gap`` metres off a wall, its middle at ``t`` metres along it."""
    low, high = extent(model)
    x, y = wall.point(t + (low[0] + high[0]) / 2.0, high[1] + gap)
    return item_at(space, kind, model, x, y, 0.0, yaw_from_wall(wall))


def along_walls(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Somewhere along a wall, often at its end; beds and sofas in its middle first."""
    low, high = extent(model)
    width = high[0] - low[0]
    for k in range(TRIES):
        wall = some_wall(rng, space)
        aside = 0.55 if kind.name in _CENTRED and k < TRIES // 2 else 0.03
        room = wall.length - width - 2 * aside
        if room <= 0.0:
            continue
        t = width / 2.0 + aside + float(rng.random()) * room
        if aside < 0.1 and rng.random() < 0.5:
            t = width / 2.0 + float(rng.uniform(0.03, 0.12))
            t = t if rng.random() < 0.5 else wall.length - t
        yield against(space, kind, model, wall, t, float(rng.uniform(*_BACK_GAP)))


def all_along_walls(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Every 10 cm of every wall, in random order: for what a room cannot do without."""
    low, high = extent(model)
    half = (high[0] - low[0]) / 2.0 + 0.02
    spots = [(wall, half + 0.1 * k) for wall in space.walls for k in range(int((wall.length - 2 * half) / 0.1) + 1)]
    for wall, t in (spots[k] for k in rng.permutation(len(spots))):
        yield against(space, kind, model, wall, t, _BACK_GAP[0])


def in_corners(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """At a wall's end, mostly turned towards the room; else near a wall."""
    for _ in range(TRIES):
        wall = some_wall(rng, space)
        at_start = bool(rng.random() < 0.5)
        turned = 0.5 * QUARTER * (1 if at_start else -1) if rng.random() < 0.6 else 0.0
        yaw = yaw_from_wall(wall) - turned
        rect, _, _ = footprint(model, yaw)
        aside = float(rng.uniform(0.04, 0.2))
        into = float(rng.uniform(0.03, 0.1)) if turned else float(rng.uniform(*_BACK_GAP))
        ax, ay = wall.along
        reach = [-(rect.x0 * ax + rect.y0 * ay), -(rect.x1 * ax + rect.y1 * ay)]
        t = max(reach) + aside if at_start else wall.length + min(reach) - aside
        x, y = wall.point(t, _behind(rect, wall) + into)
        yield item_at(space, kind, model, x, y, 0.0, yaw)
    yield from near_walls(rng, space, kind, model)


def _behind(rect: Rect, wall: Wall) -> float:
    """How far a footprint reaches from its origin towards a wall, metres."""
    nx, ny = wall.inward
    return max(-(rect.x0 * nx + rect.y0 * ny), -(rect.x1 * nx + rect.y1 * ny))


def near_walls(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Right at a wall, or a little off and a little turned."""
    for _ in range(2 * TRIES):
        wall = some_wall(rng, space)
        flush = bool(rng.random() < 0.6)
        yaw = yaw_from_wall(wall) + (0.0 if flush else float(rng.uniform(-0.3, 0.3)))
        rect, _, _ = footprint(model, yaw)
        reach = max(rect.x1 - rect.x0, rect.y1 - rect.y0) / 2.0
        if wall.length > 2 * reach + 0.1:
            t = float(rng.uniform(reach + 0.05, wall.length - reach - 0.05))
            gap = float(rng.uniform(*(_BACK_GAP if flush else (0.03, 0.12))))
            x, y = wall.point(t, _behind(rect, wall) + gap)
            yield item_at(space, kind, model, x, y, 0.0, yaw)


def free_standing(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """On the open floor, mostly off the middle, which people cross."""
    cx, cy = space.plan.bounds.centre
    middle = 0.22 * math.fsum(space.plan.bounds.size)
    inner = space.plan.bounds.grown(-0.2)
    for _ in range(2 * TRIES):
        yaw = QUARTER * int(rng.integers(4)) + (float(rng.uniform(-0.5, 0.5)) if rng.random() < 0.4 else 0.0)
        x, y = float(rng.uniform(inner.x0, inner.x1)), float(rng.uniform(inner.y0, inner.y1))
        if abs(x - cx) + abs(y - cy) > middle or rng.random() < 0.25:
            yield item_at(space, kind, model, x, y, 0.0, yaw)


def with_room_round(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Along a wall's direction, chairs' depth away from everything; less in a small room."""
    for margin in (0.8, 0.6, 0.4):
        inner = space.plan.bounds.grown(-0.35 - margin)
        for _ in range(3 * TRIES):
            x, y = float(rng.uniform(inner.x0, inner.x1)), float(rng.uniform(inner.y0, inner.y1))
            item = item_at(space, kind, model, x, y, 0.0, QUARTER * int(rng.integers(2)))
            grown = Volume(item.volume.rect.grown(margin), 0.0, item.volume.z1)
            if space.fits(grown, 0.0, ignoring=("front", "way", "view")):
                yield item
    for _ in range(TRIES):  # with one side or end at a wall
        wall = some_wall(rng, space)
        yaw = yaw_from_wall(wall) + QUARTER * int(rng.integers(2))
        rect, _, _ = footprint(model, yaw)
        deep, half = (side / 2.0 for side in (rect.size if wall.inward[0] else rect.size[::-1]))
        if wall.length > 2 * half + 0.8:
            x, y = wall.point(half + 0.4 + float(rng.random()) * (wall.length - 2 * half - 0.8), deep + 0.05)
            yield item_at(space, kind, model, x, y, 0.0, yaw)


def rugs(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Under a group, at the foot of a bed, else in the room's middle."""
    anchors = [item.volume.rect.centre for item in space.of_type("CoffeeTable", "DiningTable")]
    for bed in space.of_type("Bed"):
        x, y = bed.volume.rect.centre
        ahead, reach = front_of(bed), 0.5 * max(bed.volume.rect.size)
        anchors.append((x + ahead[0] * reach, y + ahead[1] * reach))
    for x, y in [*anchors, space.plan.bounds.centre]:
        for quarter in (int(rng.integers(2)), 0, 1):
            dx, dy = float(rng.uniform(-0.1, 0.1)), float(rng.uniform(-0.1, 0.1))
            yield item_at(space, kind, model, x + dx, y + dy, 0.0, QUARTER * quarter)


def hung(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """On a wall, above what stands there."""
    low, high = extent(model)
    half = (high[0] - low[0]) / 2.0
    for _ in range(TRIES):
        wall = some_wall(rng, space)
        if wall.length >= 2 * half + 0.4:
            t = half + 0.2 + float(rng.random()) * (wall.length - 2 * half - 0.4)
            yield from hung_at(rng, space, kind, model, wall, t)


def hung_at(
    rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, wall: Wall, t: float
) -> Candidates:
    """At ``t`` metres along a wall, clear of what stands below; nothing where it would come too high."""
    low, high = extent(model)
    half = (high[0] - low[0]) / 2.0
    strip = wall.strip(t - half, t + half, 0.0, 0.3)
    below = [v.z1 for v in space.volumes if v.use == "thing" and v.z0 < 0.5 and v.rect.overlaps(strip)]
    bottom = max(kind.height + float(rng.uniform(-0.06, 0.10)), max(below, default=0.0) + 0.12)
    if bottom + high[2] < min(space.height - 0.15, 2.35):
        x, y = wall.point(t, 0.001)
        yield item_at(space, kind, model, x, y, round(bottom, 3), yaw_from_wall(wall))


def under_ceiling(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, count: int, model: Model) -> list[Item]:
    """``count`` lamps spread along the longer side of the room's greatest rectangle."""
    bounds, notch = space.plan.bounds, space.plan.notch
    if notch is not None:
        beside = bounds._replace(x0=notch.x1) if notch.x0 == bounds.x0 else bounds._replace(x1=notch.x0)
        above = bounds._replace(y0=notch.y1) if notch.y0 == bounds.y0 else bounds._replace(y1=notch.y0)
        bounds = max(beside, above, key=lambda rect: rect.area)
    yaw = QUARTER * int(rng.integers(4))
    cx, cy = bounds.centre
    width, depth = bounds.size
    shares = [(k + 0.5) / count - 0.5 for k in range(count)]
    spots = [(cx + width * s, cy) if width > depth else (cx, cy + depth * s) for s in shares]
    return [item_at(space, kind, model, x, y, space.height, yaw) for x, y in spots]


def front_of(item: Item) -> tuple[int, int]:
    """Direction that a piece turned by quarters looks to."""
    return ((0, -1), (1, 0), (0, 1), (-1, 0))[round(item.yaw / QUARTER) % 4]


def before(item: Item, depth: float) -> Rect:
    """The floor from a wall piece's footprint to ``depth`` metres before it."""
    dx, dy = (depth * v for v in front_of(item))
    rect = item.volume.rect
    return Rect(rect.x0 + min(0.0, dx), rect.y0 + min(0.0, dy), rect.x1 + max(0.0, dx), rect.y1 + max(0.0, dy))


FINDERS: Mapping[str, Finder] = {
    "wall": along_walls,
    "corner": in_corners,
    "aside": near_walls,
    "floor": free_standing,
    "table": with_room_round,
    "rug": rugs,
    "hung": hung,
}
"""Placement -> where such pieces may go."""
