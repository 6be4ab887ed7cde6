"""Small objects on surfaces: spread out, clear of each other and of the edge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from flowbench.geometry import transform

from .catalogue import ObjectType
from .furnish import how_many
from .model import Model, Surface
from .rects import Rect
from .space import QUARTER, Item, RoomSpace, footprint, item_at

_EDGE = 0.025
_GAP = 0.06
_TRIES = 12
_FILL = 0.45
"""Greatest share of a surface that objects may cover."""


@dataclass(eq=False)
class _Top:
    """A surface while objects are put on it."""

    item: Item
    surface: Surface
    taken: list[Rect] = field(default_factory=list)

    @property
    def area(self) -> float:
        return (self.surface.x1 - self.surface.x0) * (self.surface.y1 - self.surface.y0)

    @property
    def load(self) -> float:
        """Share that is covered."""
        return math.fsum(rect.area for rect in self.taken) / max(self.area, 1e-6)


def scatter(
    rng: np.random.Generator, style: str, space: RoomSpace, catalogue: Mapping[str, ObjectType], density: float
) -> None:
    """Put the room's small objects on its furniture, largest first."""
    tops = [_Top(item, surface) for item in space.items for surface in item.model.surfaces]
    drawn: list[tuple[ObjectType, Model]] = []
    for kind in catalogue.values():
        if kind.placement != "surface" or space.plan.room_type not in kind.rooms:
            continue
        fewest, most = kind.rooms[space.plan.room_type]
        drawn += [
            (kind, kind.make(rng, style))
            for _ in range(how_many(rng, fewest, most, density if kind.pickupable else 1.0))
        ]
    drawn.sort(key=lambda pair: -_extent(pair[1]))
    for kind, model in drawn:
        fitting = [top for top in tops if top.item.kind.name in kind.on]
        if fitting:
            _put_on_some(rng, space, kind, model, fitting)


def _extent(model: Model) -> float:
    low, high = model.mesh.bounds
    return max(float(high[0] - low[0]), float(high[1] - low[1]))


def _put_on_some(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, tops: list[_Top]) -> None:
    """Try the emptiest surfaces first, with some chance in the order."""
    noise = rng.random(len(tops))
    order = sorted(range(len(tops)), key=lambda i: tops[i].load + 0.15 * float(noise[i]))
    for top in (tops[i] for i in order[:6]):
        spot = _spot(rng, model, top)
        if spot is None:
            continue
        x, y, yaw, rect = spot
        top.taken.append(rect)
        wx, wy, wz = transform(top.item.pose.matrix, np.array([x, y, top.surface.z])).tolist()
        space.items.append(item_at(space, kind, model, wx, wy, round(wz, 4), top.item.yaw + yaw))
        return


def _spot(rng: np.random.Generator, model: Model, top: _Top) -> tuple[float, float, float, Rect] | None:
    """(x, y, yaw, covered rectangle) in the frame of the surface's owner, or None."""
    surface = top.surface
    height = float(model.mesh.bounds[1][2])
    if height > surface.clearance - 0.01:
        return None
    inner = Rect(surface.x0, surface.y0, surface.x1, surface.y1).grown(-_EDGE)
    for _ in range(_TRIES):
        yaw = float(rng.uniform(-0.5, 0.5))
        if top.item.kind.placement == "floor":
            yaw += QUARTER * int(rng.integers(4))
        rect, _, _ = footprint(model, yaw)
        width, depth = rect.size
        if width > 0.5 * inner.size[0]:
            yaw = 0.0
            rect, _, _ = footprint(model, yaw)
            width, depth = rect.size
        if width > inner.size[0] or depth > inner.size[1]:
            return None
        x = float(rng.uniform(inner.x0 - rect.x0, inner.x1 - rect.x1))
        y = float(rng.uniform(inner.y0 - rect.y0, inner.y1 - rect.y1))
        if width > 0.5 * inner.size[0]:
            x = (inner.x0 + inner.x1 - rect.x0 - rect.x1) / 2.0
        here = Rect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y)
        if any(here.overlaps(other, _GAP) for other in top.taken):
            continue
        if top.load + here.area / top.area > _FILL and top.taken:
            continue
        return x, y, yaw, here
    return None
