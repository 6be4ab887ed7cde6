"""One surface while small objects are put on it: clear of each other and of its edge."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from flowbench.geometry import transform

from .catalogue import ObjectType
from .model import Model, Surface
from .rects import Rect
from .space import QUARTER, Item, RoomSpace, extent, footprint, item_at

_EDGE = 0.025
_GAP = 0.05
_TRIES = 12
_SQUARE = 0.06
"""Largest turn of what stands for good against its carrier's front, radians; pickupable things lie as they fell."""
_LOOSE = 0.5


@dataclass(eq=False)
class Top:
    """A surface and what stands on it, in its owner's frame, metres; ``fill`` is the share that may be covered."""

    item: Item
    surface: Surface
    taken: list[Rect] = field(default_factory=list)
    fill: float = 0.4

    @property
    def rect(self) -> Rect:
        """Where things may stand: the surface less a margin along its edges."""
        return Rect(self.surface.x0, self.surface.y0, self.surface.x1, self.surface.y1).grown(-_EDGE)

    @property
    def area(self) -> float:
        """Square metres, margin included."""
        return (self.surface.x1 - self.surface.x0) * (self.surface.y1 - self.surface.y0)

    @property
    def load(self) -> float:
        """Share that is covered."""
        return math.fsum(rect.area for rect in self.taken) / max(self.area, 1e-6)

    @property
    def left(self) -> float:
        """Square metres that may still be covered."""
        return max(self.fill - self.load, 0.0) * self.area


def lay(space: RoomSpace, kind: ObjectType, model: Model, top: Top, x: float, y: float, yaw: float) -> bool:
    """Put an object on a surface at (x, y), turned by ``yaw``, in its owner's frame, unless something hangs there."""
    wx, wy, wz = transform(top.item.pose.matrix, np.array([x, y, top.surface.z])).tolist()
    item = item_at(space, kind, model, wx, wy, round(wz, 4), top.item.yaw + yaw)
    if any(item.volume.meets(other.volume, _GAP) for other in space.items if other.kind.placement == "hung"):
        return False
    rect, _, _ = footprint(model, yaw)
    top.taken.append(Rect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y))
    space.items.append(item)
    return True


def put(rng: np.random.Generator, space: RoomSpace, kind: ObjectType, model: Model, top: Top) -> bool:
    """Put an object somewhere free on a surface, if there is such a place."""
    spot = _spot(rng, kind, model, top)
    return spot is not None and lay(space, kind, model, top, *spot)


def _spot(rng: np.random.Generator, kind: ObjectType, model: Model, top: Top) -> tuple[float, float, float] | None:
    """(x, y, yaw) in the frame of the surface's owner, or None."""
    if extent(model)[1][2] > top.surface.clearance - 0.01:
        return None
    inner = top.rect
    turn = _LOOSE if kind.pickupable else _SQUARE
    for _ in range(_TRIES):
        yaw = float(rng.uniform(-turn, turn))
        if top.item.kind.placement in ("floor", "table"):
            yaw += QUARTER * int(rng.integers(4))
        rect, _, _ = footprint(model, yaw)
        if rect.size[0] > 0.5 * inner.size[0] or rect.size[1] > inner.size[1]:
            yaw = 0.0
            rect, _, _ = footprint(model, yaw)
        (width, depth), (room_x, room_y) = rect.size, inner.size
        if width > room_x or depth > room_y:
            return None
        x = float(rng.random()) * (room_x - width) + inner.x0 - rect.x0
        y = float(rng.random()) * (room_y - depth) + inner.y0 - rect.y0
        if width > 0.5 * room_x:
            x = (inner.x0 + inner.x1 - rect.x0 - rect.x1) / 2.0
        if not kind.pickupable and top.item.kind.placement == "wall":
            y = inner.y1 - rect.y1  # lamps, screens and appliances stand at the back
        here = Rect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y)
        if any(here.overlaps(other, _GAP) for other in top.taken):
            continue
        if not top.taken or top.load + here.area / top.area <= top.fill:
            return x, y, yaw
    return None
