"""What the renderer may know of a home: from a room, one sees others through open doorways only."""

from __future__ import annotations

from flowbench.rendering import Cells

from .openings import HousePlan
from .rects import Rect, spanning

Corners = tuple[tuple[float, float, float], tuple[float, float, float]]


def cells_of(plan: HousePlan) -> Cells:
    """A zone for each room, in order, up to its walls' inner faces, and a gate for each doorway and gap.

    Windows show a painted sky, and entrances are closed.
    """
    zones = tuple(tuple(_box(leg, plan.height) for leg in room.legs) for room in plan.rooms)
    gates = []
    for opening in plan.openings:
        if opening.kind != "doorway":
            continue
        (first, one), (second, other) = opening.cuts
        near, far = plan.walls[first], plan.walls[second]
        # The walls stand back to back, so that one's start lies across from the other's end.
        hole = spanning(*near.point(one.t0), *far.point(other.t0))
        gates.append((near.room, far.room, _box(hole, max(one.z1, other.z1))))
    gates += [(a, b, _box(rect, plan.height)) for (a, b), rect in plan.gaps]
    return Cells(zones, tuple(gates))


def _box(rect: Rect, height: float) -> Corners:
    return (rect.x0, rect.y0, 0.0), (rect.x1, rect.y1, height)
