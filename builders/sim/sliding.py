"""What a viewer expects of a motion beyond a free end: nothing in the way, and firm ground under the object."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import ConvexParts, points_in_polygon

from .items import Reject
from .scene import Arrangement

LIFT = 0.004
"""Metres by which the mover is lifted while it is swept, so that what it slides on is not in its way."""
TRIM = 0.02
"""Metres left out at either end of the way: there it may touch its neighbours."""
BASE = 0.02
"""Vertices within so much of the lowest one are what an object stands on."""
LEVEL = 0.03
"""Faces within so much of the base's height carry it."""
LEAST_CARRIED = 0.95
GRID = 16


def refuse_way(before: Arrangement, mover: str, displacement: tuple[float, float]) -> Reject | None:
    """Whether the straight way of a mover, at constant height, leads through something (swept exactly).

    Args:
        before: how everything stands.
        mover: what moves.
        displacement: (dx, dy), world frame, metres.
    """
    dx, dy = displacement
    length = math.sqrt(dx * dx + dy * dy)
    if length <= 2.0 * TRIM:
        return None
    ux, uy = dx / length, dy / length
    start = before.placed(mover).moved((ux * TRIM, uy * TRIM, LIFT))
    swept = start.swept((ux * (length - 2.0 * TRIM), uy * (length - 2.0 * TRIM), 0.0))
    near = before.parts_within(swept.vertices.min(axis=0), swept.vertices.max(axis=0), mover)
    if near and swept.distance(ConvexParts.of([part for _, part in near]), limit=TRIM) == 0.0:
        return Reject("move: leads through something")
    return None


def refuse_overhang(before: Arrangement, mover: str, displacement: tuple[float, float]) -> Reject | None:
    """Whether a mover at the end of its way, at constant height, hangs over the edge of what carries it there."""
    supporter = before.supporter(mover)
    if supporter is None or before.object(supporter).structural:
        return None
    end = before.placed(mover).moved((*displacement, 0.0))
    low, high = end.vertices.min(axis=0), end.vertices.max(axis=0)
    height = float(low[2])
    low[2], high[2] = height - LEVEL, height + LEVEL
    below = [part for _, part in before.parts_within(low, high, mover)]
    if not below or carried_share(end, ConvexParts.of(below)) < LEAST_CARRIED:
        return Reject("move: hangs over an edge")
    return None


def carried_share(mover: ConvexParts, below: ConvexParts) -> float:
    """Share of what an object stands on that lies over level faces below it, by points of a grid.

    Args:
        mover, below: its parts, and those that may carry it, in the world frame.
    """
    height = float(mover.vertices[:, 2].min())
    base = _hull(mover.vertices[mover.vertices[:, 2] <= height + BASE, :2])
    if base is None:
        return 1.0
    (x0, y0), (x1, y1) = base.min(axis=0).tolist(), base.max(axis=0).tolist()
    steps = [(step + 0.5) / GRID for step in range(GRID)]
    grid = np.array([(x0 + (x1 - x0) * s, y0 + (y1 - y0) * t) for s in steps for t in steps])
    grid = grid[points_in_polygon(grid, base)]
    carried = np.zeros(len(grid), dtype=bool)
    for part in below.parts:
        face = _hull(part[np.abs(part[:, 2] - height) <= LEVEL, :2])
        if face is not None:
            carried |= points_in_polygon(grid, face)
    return np.count_nonzero(carried) / len(grid) if len(grid) else 1.0


def _hull(points: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Convex hull (k, 2) of floor points, to a tenth of a millimetre; None where they span nothing."""
    cells = np.floor(points * 1e4 + 0.5).astype(np.int32)
    if len(cells) < 3:
        return None
    hull = cv2.convexHull(cells).reshape(-1, 2).astype(np.float64) / 1e4
    return hull if len(hull) >= 3 else None
