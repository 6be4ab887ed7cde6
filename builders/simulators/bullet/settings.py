"""Tables that are laid: a plate before every chair of some tables, with a cup or mug to its right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flowbench.geometry import invert, transform

from .catalogue import ObjectType
from .model import Model
from .rects import Rect
from .space import Item, RoomSpace, footprint
from .surfaces import Top, lay

_LAID = 0.6
"""How often a dining table is laid."""
_DRINKS = ("Cup", "Mug")
_REACH = 0.9
"""A table's chairs stand at most this far outside its middle rectangle, metres."""


def set_tables(
    rng: np.random.Generator,
    style: str,
    spaces: Sequence[RoomSpace],
    catalogue: Mapping[str, ObjectType],
    tops: Sequence[Sequence[Top]],
) -> int:
    """Lay some of a home's dining tables; ``tops`` are each room's surfaces. The number of things put there."""
    laid = 0
    for space, surfaces in zip(spaces, tops, strict=True):
        for top in surfaces:
            if top.item.kind.name == "DiningTable" and rng.random() < _LAID:
                drink = catalogue[_DRINKS[int(rng.integers(len(_DRINKS)))]]
                pieces = [(kind, kind.make(rng, style)) for kind in (catalogue["Plate"], drink)]
                laid += sum(int(_lay_seat(rng, space, top, chair, pieces)) for chair in space.of_type("Chair"))
    return laid


def _lay_seat(
    rng: np.random.Generator, space: RoomSpace, top: Top, chair: Item, pieces: Sequence[tuple[ObjectType, Model]]
) -> int:
    """Plate and drink before one chair, where it stands at this table and they find place."""
    x, y, _ = transform(invert(top.item.pose.matrix), np.array(chair.pose.position)).tolist()
    rect = top.rect
    beyond = [x - min(max(x, rect.x0), rect.x1), y - min(max(y, rect.y0), rect.y1)]
    if max(abs(v) for v in beyond) > _REACH or (beyond[0] != 0.0) == (beyond[1] != 0.0):
        return 0
    ahead = (-_sign(beyond[0]), -_sign(beyond[1]))
    right = (ahead[1], -ahead[0])
    (plate, dish), (drink, cup) = pieces
    size, cup_size = (max(footprint(model, 0.0)[0].size) / 2.0 for _, model in pieces)
    edge = (min(max(x, rect.x0), rect.x1), min(max(y, rect.y0), rect.y1))
    centre = _ahead(edge, ahead, size + 0.02)
    beside = _ahead(_ahead(centre, right, size + cup_size + 0.03), ahead, 0.08)
    turn = float(rng.uniform(-3.0, 3.0))
    return _lay(space, plate, dish, top, centre, turn) and 1 + _lay(space, drink, cup, top, beside, turn)


def _lay(space: RoomSpace, kind: ObjectType, model: Model, top: Top, at: tuple[float, float], yaw: float) -> int:
    rect, _, _ = footprint(model, yaw)
    here = Rect(rect.x0 + at[0], rect.y0 + at[1], rect.x1 + at[0], rect.y1 + at[1])
    if not top.rect.contains(here) or any(here.overlaps(other, 0.008) for other in top.taken):
        return 0
    return int(lay(space, kind, model, top, *at, yaw))


def _ahead(start: tuple[float, float], direction: tuple[int, int], length: float) -> tuple[float, float]:
    return start[0] + length * direction[0], start[1] + length * direction[1]


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
