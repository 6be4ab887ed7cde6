"""The walls of an object's room: gaps to them, and which way they lie."""

from __future__ import annotations

from dataclasses import dataclass

from flowbench.builders.simulators.base import SceneObject

from .scene import Arrangement


@dataclass(frozen=True)
class WallSide:
    """A wall as an object sees it.

    Attributes:
        object_id: the wall's.
        gap: metres between closest surface points.
        normal: unit (x, y) from the wall toward the object.
    """

    object_id: str
    gap: float
    normal: tuple[float, float]


def walls_of(arrangement: Arrangement, item: SceneObject) -> list[SceneObject]:
    """The walls of the room an object belongs to."""
    return [o for o in arrangement.objects if o.object_type == "Wall" and o.room_id == item.room_id and o.parts]


def wall_gap(arrangement: Arrangement, item: SceneObject) -> float:
    """Metres from an object to the nearest wall of its room: where a door or window is cut out, there is no wall."""
    return min(arrangement.gap(item.object_id, wall.object_id) for wall in walls_of(arrangement, item))


def wall_sides(arrangement: Arrangement, item: SceneObject) -> list[WallSide]:
    """The walls straight beside an object, nearest first; not those that it sees across a corner."""
    found = []
    for wall in walls_of(arrangement, item):
        points = arrangement.placed(item.object_id).closest_points(arrangement.placed(wall.object_id))
        if points is None:
            continue
        dx, dy = (float(a - b) for a, b in zip(points[0][:2], points[1][:2], strict=True))
        gap = arrangement.gap(item.object_id, wall.object_id)
        if gap > 0.0 and max(abs(dx), abs(dy)) > 0.999 * gap:
            normal = (round(dx / gap) + 0.0, 0.0) if abs(dx) > abs(dy) else (0.0, round(dy / gap) + 0.0)
            found.append(WallSide(wall.object_id, gap, normal))
    return sorted(found, key=lambda side: (side.gap, side.object_id))
