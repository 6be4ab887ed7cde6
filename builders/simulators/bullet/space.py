"""What is taken in a room: boxes along the axes that furniture, doors and windows fill or keep free."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from flowbench.geometry import Pose, rotate, sin_cos
from flowbench.geometry.frames import Points

from .catalogue import ObjectType
from .free_space import FreeSpace
from .model import Model
from .openings import HousePlan
from .plan import RoomPlan, Wall
from .rects import Rect

QUARTER = 0.5 * math.pi
_WINDOW_DEPTH = 0.45
_SILL = 0.08
"""How far a window's sill reaches below its hole, metres."""
_SILL_DEPTH = 0.12
_DIRECTIONS = tuple(sin_cos(2.0 * math.pi * k / 32) for k in range(32))


@dataclass(frozen=True)
class Volume:
    """A floor rectangle from ``z0`` to ``z1``, metres.

    ``use`` says what it is: a ``"thing"``; a ``"way"`` (before doors) where nothing may come; a ``"view"`` (before
    windows) that only slender things may take; or a ``"front"`` (before furniture) for what belongs to the furniture.
    """

    rect: Rect
    z0: float
    z1: float
    use: str = "thing"

    def meets(self, other: Volume, gap: float) -> bool:
        """Whether two volumes overlap in height and come closer than ``gap`` metres across."""
        return self.z0 < other.z1 and other.z0 < self.z1 and self.rect.overlaps(other.rect, gap)


@dataclass(frozen=True, eq=False)
class Item:
    """A placed object: its type, its drawn variant, its room's index, and where it stands."""

    kind: ObjectType
    model: Model
    room: int
    pose: Pose
    yaw: float
    volume: Volume


@dataclass(eq=False)
class RoomSpace:
    """One room while it is furnished."""

    index: int
    plan: RoomPlan
    walls: tuple[Wall, ...]
    height: float
    floor: FreeSpace
    volumes: list[Volume] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    @classmethod
    def of(cls, house: HousePlan, index: int, floor: FreeSpace) -> RoomSpace:
        """The empty room: free floor before doors, and free air before windows."""
        walls = tuple(wall for wall in house.walls if wall.room == index)
        space = cls(index, house.rooms[index], walls, house.height, floor)
        space.volumes += [Volume(rect, 0.0, house.height, "way") for rect in house.keep_out(index)]
        for opening in house.openings:
            for wall_index, hole in opening.cuts:
                wall = house.walls[wall_index]
                if wall.room == index:
                    rect = wall.strip(hole.t0 - 0.1, hole.t1 + 0.1, 0.0, _WINDOW_DEPTH)
                    space.volumes.append(Volume(rect, hole.z0 - _SILL, hole.z1 + 0.1, "view"))
                    sill = wall.strip(hole.t0 - 0.1, hole.t1 + 0.1, 0.0, _SILL_DEPTH)
                    space.volumes.append(Volume(sill, hole.z0 - _SILL, hole.z0 + 0.02))
        return space

    def fits(self, volume: Volume, gap: float = 0.03, *, ignoring: tuple[str, ...] = ()) -> bool:
        """Whether a volume lies in the room, ``gap`` metres from all others but those of the ignored uses."""
        if not self.plan.holds(volume.rect) or volume.z1 > self.height - 0.01:
            return False
        return not any(other.use not in ignoring and volume.meets(other, gap) for other in self.volumes)

    def walkable(self, volume: Volume) -> bool:
        """Whether people can still walk everywhere with this volume's rectangle taken."""
        return self.floor.admits([volume.rect])

    def put(self, item: Item, *, blocks: bool = True) -> None:
        """Take an item in; ``blocks`` if people cannot walk there."""
        self.items.append(item)
        self.volumes.append(item.volume)
        if blocks:
            self.floor.block(item.volume.rect)

    def of_type(self, *names: str) -> list[Item]:
        """Items of these types, in the order they came."""
        return [item for item in self.items if item.kind.name in names]


def footprint(model: Model, yaw: float) -> tuple[Rect, float, float]:
    """The bounds of mesh and parts turned by ``yaw`` about the origin: a floor rectangle, lowest and highest z."""
    outline, z0, z1 = _outline(model)
    turned = rotate(Pose.upright(0.0, 0.0, 0.0, yaw).matrix, outline)
    (x0, y0, _), (x1, y1, _) = turned.min(axis=0).tolist(), turned.max(axis=0).tolist()
    return Rect(x0, y0, x1, y1), z0, z1


@lru_cache(maxsize=64)
def extent(model: Model) -> tuple[list[float], list[float]]:
    """Lower and upper corner of the model's mesh, its own frame, metres."""
    low, high = model.mesh.bounds
    return low.tolist(), high.tolist()


@lru_cache(maxsize=64)
def _outline(model: Model) -> tuple[Points, float, float]:
    """(n, 3) points that bound the model seen from above, to a part in a thousand, and its z range."""
    points = np.concatenate([model.mesh.vertices, *model.parts])
    farthest = {int(np.argmax(points[:, 0] * c + points[:, 1] * s)) for s, c in _DIRECTIONS}
    return points[sorted(farthest)], float(points[:, 2].min()), float(points[:, 2].max())


def item_at(space: RoomSpace, kind: ObjectType, model: Model, x: float, y: float, z: float, yaw: float) -> Item:
    """An item with its origin at (x, y, z), turned by yaw."""
    rect, z0, z1 = footprint(model, yaw)
    x, y = round(x, 4), round(y, 4)
    volume = Volume(Rect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y), z0 + z, z1 + z)
    return Item(kind, model, space.index, Pose.upright(x, y, z, yaw), yaw, volume)


def yaw_from_wall(wall: Wall) -> float:
    """The yaw that turns a model's back (+Y) to a wall: its front (-Y) looks along the wall's inward normal."""
    return {(0, -1): 0.0, (1, 0): QUARTER, (0, 1): 2 * QUARTER, (-1, 0): -QUARTER}[wall.inward]
