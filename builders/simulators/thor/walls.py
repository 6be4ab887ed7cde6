"""iTHOR's walls, measured: floors reach under them and nothing lists them, but their depth is seen.

What belongs to no listed object, at the height of walls and near an edge of the floor, is wall. The distance that most
such points have from an edge is where the wall's face is; the room's polygon is drawn through the faces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera, points_in_polygon

from ..base import Room
from .structure import Face, faces_of

REACH = 0.30
"""Metres on either side of an edge in which its wall is looked for."""
BIN = 0.01
FEWEST = 150
"""Points that tell of a face."""
LOWEST, BELOW_TOP = 0.3, 0.3
"""Metres above the floor and below the ceiling: skirting and cornices are no faces."""
SIZE = (200, 150)
PLACES = 3
TURNS = 4


def lookouts(room: Room, standing: NDArray[np.float64]) -> list[Camera]:
    """Cameras all round from a few places of a room."""
    inside = standing[points_in_polygon(standing[:, :2], room.polygon)]
    yaws = [2.0 * math.pi * turn / TURNS for turn in range(TURNS)]
    return [
        Camera.standing((x, y, z), yaw, 0.1, width=SIZE[0], height=SIZE[1])
        for x, y, z in inside[:: max(1, len(inside) // PLACES)][:PLACES].tolist()
        for yaw in yaws
    ]


def on_faces(room: Room, points: NDArray[np.float64]) -> Room:
    """A room with its outline on the faces of what is seen.

    Args:
        room: with an outline within :data:`REACH` of its walls.
        points: (n, 3) of no listed object, seen from inside the room, world frame, metres.
    """
    tall = points[(points[:, 2] > LOWEST) & (points[:, 2] < room.height - BELOW_TOP)]
    return replace(room, polygon=_moved(room.polygon, [_shift(face, tall) for face in faces_of([room])]))


def _shift(face: Face, points: NDArray[np.float64]) -> float:
    """Metres into the room by which most points near a face lie; 0 where too few do."""
    nx, ny = face.normal
    x, y = points[:, 0] - face.start[0], points[:, 1] - face.start[1]
    into, along = x * nx + y * ny, x * ny - y * nx
    near = into[(np.abs(into) < REACH) & (along > 0.0) & (along < face.length)]
    if len(near) < FEWEST:
        return 0.0
    bins = np.floor(near / BIN).astype(np.int64)
    values, counts = np.unique(bins, return_counts=True)
    mode = int(values[int(np.argmax(counts))])
    ridge = np.sort(near[np.abs(near - (mode + 0.5) * BIN) < 1.5 * BIN])
    return round(float(ridge[len(ridge) // 2]), 3) if len(ridge) >= FEWEST else 0.0


def _moved(polygon: NDArray[np.float64], shifts: Sequence[float]) -> NDArray[np.float64]:
    """A polygon with each edge moved inwards; corners are where neighbouring edges then meet."""
    edges = list(_lines(polygon, shifts))
    corners = []
    for k, (ax, ay, ac) in enumerate(edges):
        bx, by, bc = edges[k - 1]
        across = bx * ay - by * ax
        if abs(across) < 1e-6:
            corners.append((float(polygon[k, 0]), float(polygon[k, 1])))
            continue
        corners.append(((bc * ay - ac * by) / across, (bx * ac - ax * bc) / across))
    return np.round(np.array(corners), 4) + 0.0


def _lines(polygon: NDArray[np.float64], shifts: Sequence[float]) -> Iterator[tuple[float, float, float]]:
    """(nx, ny, c) of each edge's line nx x + ny y = c, moved along its normal into the room."""
    following = np.roll(polygon, -1, axis=0).tolist()
    for (ax, ay), (bx, by), shift in zip(polygon.tolist(), following, shifts, strict=True):
        nx, ny = Face(0, (ax, ay), (bx, by)).normal
        yield nx, ny, nx * ax + ny * ay + shift
