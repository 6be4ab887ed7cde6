"""What is taken in a room: boxes along the axes that furniture, doors and windows fill or keep free."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from flowbench.geometry import Pose, rotate

from .catalogue import ObjectType
from .free_space import FreeSpace
from .model import Model
from .openings import HousePlan
from .plan import RoomPlan, Wall
from .rects import Rect

QUARTER = 0.5 * math.pi
_WINDOW_DEPTH = 0.45


@dataclass(frozen=True)
class Volume:
    """A floor rectangle from ``z0`` to ``z1``, metres. ``zone`` volumes are only kept free, nothing is there."""

    rect: Rect
    z0: float
    z1: float
    zone: bool = False


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
        space.volumes += [Volume(rect, 0.0, house.height) for rect in house.keep_out(index)]
        for opening in house.openings:
            for wall_index, hole in opening.cuts:
                wall = house.walls[wall_index]
                if wall.room == index:
                    rect = wall.strip(hole.t0 - 0.1, hole.t1 + 0.1, 0.0, _WINDOW_DEPTH)
                    space.volumes.append(Volume(rect, hole.z0, hole.z1 + 0.1))
        return space

    def fits(self, volume: Volume, gap: float = 0.03, *, zones: bool = True) -> bool:
        """Whether a volume lies in the room, ``gap`` metres from all others; ``zones`` ones count if asked."""
        if not self.plan.holds(volume.rect) or volume.z1 > self.height - 0.01:
            return False
        return not any(
            (zones or not other.zone)
            and volume.z0 < other.z1
            and other.z0 < volume.z1
            and volume.rect.overlaps(other.rect, gap)
            for other in self.volumes
        )

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
    """The model's bounds turned by ``yaw`` about its origin: a floor rectangle, lowest and highest z."""
    low, high = model.mesh.bounds
    points = np.concatenate([model.mesh.vertices, *model.parts]) if _turned(yaw) else np.array([low, high])
    turned = rotate(Pose.upright(0.0, 0.0, 0.0, yaw).matrix, points)
    (x0, y0, z0), (x1, y1, z1) = turned.min(axis=0).tolist(), turned.max(axis=0).tolist()
    return Rect(x0, y0, x1, y1), z0, z1


def _turned(yaw: float) -> bool:
    quarters = yaw / QUARTER
    return abs(quarters - round(quarters)) > 1e-6


def item_at(space: RoomSpace, kind: ObjectType, model: Model, x: float, y: float, z: float, yaw: float) -> Item:
    """An item with its origin at (x, y, z), turned by yaw."""
    rect, z0, z1 = footprint(model, yaw)
    x, y = round(x, 4), round(y, 4)
    volume = Volume(Rect(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y), z0 + z, z1 + z)
    return Item(kind, model, space.index, Pose.upright(x, y, z, yaw), yaw, volume)


def yaw_from_wall(wall: Wall) -> float:
    """The yaw that turns a model's back (+Y) to a wall: its front (-Y) looks along the wall's inward normal."""
    return {(0, -1): 0.0, (1, 0): QUARTER, (0, 1): 2 * QUARTER, (-1, 0): -QUARTER}[wall.inward]
