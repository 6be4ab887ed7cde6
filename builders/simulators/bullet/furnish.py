"""Furnish a room from the catalogue: against walls, in corners, in groups, free standing, hung, on the floor.

Every piece keeps doors free and windows in view, and is refused where it would cut off a part of the floor.
Positions are drawn, tried, and given up after a fixed number of tries: a room that is too small for a piece
goes without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .amounts import bounds_in
from .arrangement import GROUPS, arranged, in_rows
from .catalogue import ObjectType
from .model import Model
from .positions import FINDERS, all_along_walls, before, under_ceiling
from .space import Item, RoomSpace, Volume, extent

_FRONT: Mapping[str, float] = {"Sofa": 1.7, "Bed": 0.7, "Desk": 0.85}
"""Depth kept free before furniture along walls, metres; 0.5 for the others."""
_CHAIRS_DEPTH = 0.7
"""Kept free for chairs round a table, metres."""
_LOOSE_GAP = 0.14
"""Free floor round things that stand alone, metres: movers need somewhere to go."""
_FIRST = (
    ("Bed", "Sofa", "Bathtub"),
    ("CounterTop", "Fridge", "Sink", "Toilet"),
    ("TVStand", "CoffeeTable"),
    ("DiningTable", "Desk"),
    ("Chair",),
)
"""What others are grouped with, or has least choice, is placed before the rest, in this order."""
_ORDER = ("ceiling", "wall", "corner", "floor", "table", "aside", "around", "rug", "hung")
_ROW = ("CounterTop", "Fridge", "WashingMachine")
"""Stand side by side where they stand together."""
_GROUPED_ONLY = ("SideTable", "Ottoman", "Footstool")
"""Stand nowhere else in a room that has what they are grouped with."""

Drawn = tuple[ObjectType, Model]


def furnish(rng: np.random.Generator, style: str, space: RoomSpace, counts: Sequence[tuple[ObjectType, int]]) -> None:
    """Fill a room with the given numbers of what stands on the floor or hangs on walls and ceiling."""
    drawn: list[Drawn] = []
    for kind, count in counts:
        if kind.placement == "ceiling":
            for item in under_ceiling(rng, space, kind, count, kind.make(rng, style)):
                space.put(item, blocks=False)
        else:
            drawn += [(kind, model) for model in kind.make_set(rng, style, count)]
    drawn.sort(key=lambda pair: (*_rank(pair[0]), -_area(pair[1])))
    row = [pair for pair in drawn if pair[0].name in _ROW] if "kitchen" in space.plan.uses else []
    for pair in drawn:
        if pair not in row:
            _place(rng, space, *pair)
        elif pair is row[0]:
            _place_row(rng, space, row)


def _rank(kind: ObjectType) -> tuple[int, int]:
    """The order of placing."""
    first = next((i for i, names in enumerate(_FIRST) if kind.name in names), len(_FIRST))
    return first, _ORDER.index(kind.placement)


def _area(model: Model) -> float:
    low, high = extent(model)
    return (high[0] - low[0]) * (high[1] - low[1])


def _place_row(rng: np.random.Generator, space: RoomSpace, row: Sequence[Drawn]) -> None:
    """A kitchen's counters and appliances: in one row, or what does not fit there in a second one."""
    rest = list(row)
    for _ in range(3):
        items = in_rows(rng, space, rest)
        for item in items:
            _accept(space, item)
        rest = [pair for pair in rest if not any(item.model is pair[1] for item in items)]
        if not rest or not items:
            return


def _place(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model) -> None:
    """Put one piece where its row says, trying its group's places first."""
    for item in arranged(rng, space, kind, model):
        if kind.placement == "hung":
            free = space.fits(item.volume, 0.06, ignoring=("front",))
        else:
            free = space.fits(item.volume, 0.02, ignoring=("front",)) and space.walkable(item.volume)
        if free:
            _accept(space, item)
            return
    grouped = kind.name in _GROUPED_ONLY and space.of_type(*(name for name, _, _ in GROUPS[kind.name]))
    if kind.placement == "around" or grouped:
        return
    for item in FINDERS[kind.placement](rng, space, kind, model):
        if _acceptable(space, item):
            _accept(space, item)
            return
    if kind.placement == "wall" and bounds_in(kind, space.plan)[0]:
        for item in all_along_walls(rng, space, kind, model):
            if space.fits(item.volume, 0.02, ignoring=("front",)) and space.walkable(item.volume):
                _accept(space, item)
                return


def _acceptable(space: RoomSpace, item: Item) -> bool:
    placement = item.kind.placement
    if placement == "rug":
        laid = [other.volume.rect for other in space.items if other.kind.placement == "rug"]
        return space.plan.holds(item.volume.rect) and not any(item.volume.rect.overlaps(r, 0.1) for r in laid)
    if placement == "hung":
        return space.fits(item.volume, 0.08, ignoring=("front",))
    gap = {"floor": _LOOSE_GAP, "aside": _LOOSE_GAP / 2.0}.get(placement, 0.04)
    slender = ("view",) if placement == "corner" else ()
    return space.fits(item.volume, gap, ignoring=slender) and space.walkable(item.volume)


def _accept(space: RoomSpace, item: Item) -> None:
    """Take a piece in, with the floor that stays free before it or round it."""
    placement, top = item.kind.placement, item.volume.z1
    if placement == "rug":
        space.items.append(item)
        return
    space.put(item, blocks=placement != "hung")
    if placement == "wall":
        depth = _FRONT.get(item.kind.name, 0.5)
        space.volumes.append(Volume(before(item, depth), 0.0, top, "front"))
    elif placement == "table":
        space.volumes.append(Volume(item.volume.rect.grown(_CHAIRS_DEPTH), 0.0, top, "front"))
