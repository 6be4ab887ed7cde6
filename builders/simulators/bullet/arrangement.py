"""Groups: chairs at tables, the coffee table before the sofa, the television opposite, a kitchen's row of counters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from flowbench.geometry import transform

from .catalogue import ObjectType
from .model import Model
from .plan import Wall
from .positions import against, front_of, hung_at
from .space import QUARTER, Item, RoomSpace, Volume, extent, footprint, item_at, yaw_from_wall

_SEAT_PITCH = 0.62
"""Least distance between chairs at one side of a table, metres."""
_ROW_GAP, _ROW_BACK = 0.005, 0.015
"""Gaps between a row's pieces and behind them, metres."""

Candidates = Iterator[Item]
Rule = Callable[[np.random.Generator, RoomSpace, ObjectType, Model, Item], Candidates]


def arranged(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> Candidates:
    """Places for a piece in a group that the room already holds, best first; none where it belongs to none."""
    if kind.placement == "around":
        for anchor in _spread(rng, space, kind):
            yield from _seats(rng, space, kind, model, anchor)
        return
    for anchor_type, chance, rule in GROUPS.get(kind.name, ()):
        for anchor in space.of_type(anchor_type):
            if rng.random() < chance:
                yield from rule(rng, space, kind, model, anchor)


def _spread(rng: np.random.Generator, space: RoomSpace, kind: ObjectType) -> list[Item]:
    """Anchors of a grouped type: desks first (one chair each), then tables."""
    anchors = space.of_type(*kind.beside)
    return sorted(anchors, key=lambda item: item.kind.placement != "wall")


def _at(space: RoomSpace, kind: ObjectType, model: Model, anchor: Item, x: float, y: float, yaw: float) -> Item:
    """An item at (x, y) of the anchor's frame, turned by ``yaw`` against it."""
    wx, wy, _ = transform(anchor.pose.matrix, np.array([x, y, 0.0])).tolist()
    return item_at(space, kind, model, wx, wy, 0.0, anchor.yaw + yaw)


def _seats(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, anchor: Item) -> Candidates:
    """Facing a table's sides; only the front of one that stands at a wall, and there one seat."""
    low, high = extent(anchor.model)
    half = [(high[k] - low[k]) / 2.0 for k in (0, 1)]
    rect, _, _ = footprint(model, 0.0)
    front = -rect.y0
    slots: list[tuple[float, float, float]] = []
    if anchor.kind.placement == "wall":
        slots.append((float(rng.uniform(-0.1, 0.1)), -1.0, 2 * QUARTER))
    else:
        count = max(1, int(2 * half[0] / _SEAT_PITCH))
        for k in range(count):
            x = (k + 0.5) / count * 2 * half[0] - half[0]
            slots += [(x, -1.0, 2 * QUARTER), (x, 1.0, 0.0)]
        slots += [(0.0, -2.0, QUARTER), (0.0, 2.0, -QUARTER)] if half[1] > 0.3 else []
        slots = [slots[i] for i in rng.permutation(len(slots))]
    for offset, side, yaw in slots:
        gap = front + float(rng.uniform(0.05, 0.18))
        turn = float(rng.uniform(-0.12, 0.12))
        if abs(side) == 1.0:
            yield _at(space, kind, model, anchor, offset, side * (half[1] + gap), yaw + turn)
        else:
            yield _at(space, kind, model, anchor, side / 2.0 * (half[0] + gap), offset, yaw_for_end(side) + turn)


def yaw_for_end(side: float) -> float:
    """Seats at a table's ends look along its length: at -x towards +x and the other way round."""
    return QUARTER if side < 0 else -QUARTER


def _before(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, anchor: Item) -> Candidates:
    """In front of a seat, at arm's length."""
    low = extent(anchor.model)[0]
    rect, _, _ = footprint(model, 0.0)
    for gap in (0.36, 0.30, 0.45):
        x = float(rng.uniform(-0.12, 0.12))
        yield _at(space, kind, model, anchor, x, low[1] - gap - rect.y1, 0.0)


def _at_ends(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, anchor: Item) -> Candidates:
    """Across a table's ends, looking over it."""
    low, high = extent(anchor.model)
    rect, _, _ = footprint(model, 0.0)
    for side in (-1.0, 1.0) if rng.random() < 0.5 else (1.0, -1.0):
        reach = (high[0] - low[0]) / 2.0 + float(rng.uniform(0.3, 0.45)) - rect.y0
        turn = float(rng.uniform(-0.25, 0.25))
        yield _at(space, kind, model, anchor, side * reach, float(rng.uniform(-0.1, 0.2)), yaw_for_end(side) + turn)


def _in_line(narrowest: float, widest: float) -> Rule:
    """Left or right of a piece, backs in line, with a gap between these bounds (metres)."""

    def rule(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, anchor: Item) -> Candidates:
        low, high = extent(anchor.model)
        rect, _, _ = footprint(model, 0.0)
        for side in (-1.0, 1.0) if rng.random() < 0.5 else (1.0, -1.0):
            gap = float(rng.uniform(narrowest, widest))
            x = high[0] + gap - rect.x0 if side > 0 else low[0] - gap - rect.x1
            yield _at(space, kind, model, anchor, x, high[1] - rect.y1, 0.0)

    return rule


_beside = _in_line(0.04, 0.10)


def _opposite(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, anchor: Item) -> Candidates:
    """At the wall that a seat looks at, in line with it; else at a wall beside it."""
    forward = transform(anchor.pose.matrix, np.array([0.0, -1.0, 0.0])) - np.array(anchor.pose.position)
    back = extent(model)[1][1]
    for wall in space.walls:
        nx, ny = wall.inward
        if nx * float(forward[0]) + ny * float(forward[1]) > -0.9:
            continue
        ax, ay = wall.along
        t = (anchor.pose.position[0] - wall.start[0]) * ax + (anchor.pose.position[1] - wall.start[1]) * ay
        for shift in (0.0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8):
            x, y = wall.point(t + shift, back + 0.02)
            yield item_at(space, kind, model, x, y, 0.0, anchor.yaw + 2 * QUARTER)
    for wall in space.walls:
        nx, ny = wall.inward
        if abs(nx * float(forward[0]) + ny * float(forward[1])) < 0.1 and wall.length > 2.0:
            x, y = wall.point(float(rng.uniform(0.8, wall.length - 0.8)), back + 0.02)
            yield item_at(space, kind, model, x, y, 0.0, yaw_from_wall(wall))


def _above(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, anchor: Item) -> Candidates:
    """On the wall behind a piece, over its middle."""
    x, y, _ = anchor.pose.position
    for wall in space.walls:
        ax, ay = wall.along
        nx, ny = wall.inward
        t = (x - wall.start[0]) * ax + (y - wall.start[1]) * ay
        away = (x - wall.start[0]) * nx + (y - wall.start[1]) * ny
        if front_of(anchor) == wall.inward and away < 1.3 and 0.3 < t < wall.length - 0.3:
            for shift in (0.0, 0.2, -0.2):
                yield from hung_at(rng, space, kind, model, wall, t + shift)


def in_rows(rng: np.random.Generator, space: RoomSpace, pieces: Sequence[tuple[ObjectType, Model]]) -> list[Item]:
    """As many pieces as find place side by side along one wall, the tallest at an end; nothing if none does."""
    pieces = sorted(pieces, key=lambda pair: float(extent(pair[1])[1][2]))
    best: list[Item] = []
    starts = [(wall, 0.03 + 0.1 * k) for wall in space.walls for k in range(int(wall.length / 0.1))]
    for k in rng.permutation(len(starts)):
        wall, start = starts[k]
        ordered = pieces if rng.random() < 0.5 else pieces[::-1]
        while len(ordered) > len(best):
            spans = _spans(space, wall, start, ordered)
            if len(spans) == len(ordered) and space.floor.admits([volume.rect for volume in spans]):
                best = [
                    against(space, kind, model, wall, t, _ROW_BACK)
                    for (kind, model), t in zip(ordered, _middles(start, ordered), strict=True)
                ]
                break
            ordered = ordered[: len(spans)] if len(spans) < len(ordered) else ordered[:-1]
        if len(best) == len(pieces):
            break
    return best


def _middles(start: float, pieces: Sequence[tuple[ObjectType, Model]]) -> list[float]:
    """Metres along the wall of the pieces' middles, side by side from ``start``."""
    middles = []
    for _, model in pieces:
        low, high = extent(model)
        width = high[0] - low[0]
        middles.append(start + width / 2.0)
        start += width + _ROW_GAP
    return middles


def _spans(space: RoomSpace, wall: Wall, start: float, pieces: Sequence[tuple[ObjectType, Model]]) -> list[Volume]:
    """What the pieces take up, up to the first that does not fit."""
    spans = []
    for (_, model), t in zip(pieces, _middles(start, pieces), strict=True):
        low, high = extent(model)
        half = (high[0] - low[0]) / 2.0
        volume = Volume(wall.strip(t - half, t + half, _ROW_BACK, _ROW_BACK + high[1] - low[1]), 0.0, high[2])
        if t + half > wall.length - 0.02 or not space.fits(volume, 0.02):
            break
        spans.append(volume)
    return spans


GROUPS: Mapping[str, tuple[tuple[str, float, Rule], ...]] = {
    "CoffeeTable": (("Sofa", 1.0, _before),),
    "ArmChair": (("CoffeeTable", 0.7, _at_ends),),
    "TVStand": (("Sofa", 1.0, _opposite), ("Bed", 1.0, _opposite)),
    "Dresser": (("Bed", 0.6, _opposite),),
    "SideTable": (("Bed", 1.0, _beside), ("Sofa", 0.9, _beside), ("ArmChair", 0.5, _beside)),
    "FloorLamp": (("Sofa", 0.6, _beside),),
    "Ottoman": (("ArmChair", 0.8, _before), ("CoffeeTable", 0.8, _at_ends), ("Bed", 0.8, _before)),
    "Footstool": (("ArmChair", 0.8, _before), ("Sofa", 0.5, _beside), ("Bed", 0.8, _before)),
    "GarbageCan": (("Desk", 0.7, _beside), ("CounterTop", 0.7, _beside), ("Toilet", 0.7, _beside)),
    "LaundryHamper": (("WashingMachine", 0.7, _beside), ("Bathtub", 0.5, _beside), ("Dresser", 0.5, _beside)),
    "Painting": (("Sofa", 0.8, _above), ("Bed", 0.8, _above), ("Desk", 0.4, _above), ("Dresser", 0.4, _above)),
    "Mirror": (("Sink", 1.0, _above), ("Dresser", 0.7, _above), ("Cabinet", 0.7, _above)),
}
"""Type -> (type it is grouped with, how often, where it goes)."""
