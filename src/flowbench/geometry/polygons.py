"""Simple polygons on the floor: (n, 2) float64 vertices in order, not closed (the last joins the first), metres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Polygon = NDArray[np.float64]
Points2 = NDArray[np.float64]

BOUNDARY = 1e-9
"""Points within this of an edge (metres) lie on it."""


def polygon_area(polygon: Polygon) -> float:
    """Area in square metres, positive where the vertices run counter-clockwise and negative otherwise."""
    x, y = (polygon - polygon[0]).T.tolist()
    twice = 0.0
    for i in range(1, len(x) - 1):
        twice += x[i] * y[i + 1] - x[i + 1] * y[i]
    return twice / 2.0


def distance_to_edges(points: Points2, polygon: Polygon) -> NDArray[np.float64]:
    """Distance in metres from (..., 2) points to the nearest edge of a polygon, (...,), on either side of it."""
    x, y = points[..., 0], points[..., 1]
    least = np.full(np.shape(x), np.inf)
    for (ax, ay), (bx, by) in _edges(polygon):
        dx, dy = bx - ax, by - ay
        length2 = dx * dx + dy * dy
        along = ((x - ax) * dx + (y - ay) * dy) / length2 if length2 > 0.0 else np.zeros(np.shape(x))
        t = np.clip(along, 0.0, 1.0)
        ox, oy = x - (ax + t * dx), y - (ay + t * dy)
        least = np.minimum(least, np.sqrt(ox * ox + oy * oy))
    return least


def points_in_polygon(points: Points2, polygon: Polygon) -> NDArray[np.bool_]:
    """Whether (..., 2) points lie in a polygon, (...,) bool; the boundary belongs to it.

    The inside is where a ray crosses the boundary an odd number of times, so the vertices may run either way.
    """
    x, y = points[..., 0], points[..., 1]
    odd = np.zeros(np.shape(x), dtype=bool)
    for (ax, ay), (bx, by) in _edges(polygon):
        if ay == by:
            continue
        crosses = (ay > y) != (by > y)  # half-open: a ray through a vertex meets just one of its edges
        odd ^= crosses & (x < ax + (y - ay) / (by - ay) * (bx - ax))
    return np.asarray(odd | (distance_to_edges(points, polygon) <= BOUNDARY))


def point_in_polygon(point: tuple[float, float] | Points2, polygon: Polygon) -> bool:
    """Whether one point (x, y) lies in a polygon (see :func:`points_in_polygon`)."""
    return bool(points_in_polygon(np.asarray(point, dtype=np.float64), polygon))


def _edges(polygon: Polygon) -> list[tuple[list[float], list[float]]]:
    """Start and end of each edge."""
    corners: list[list[float]] = polygon.tolist()
    return list(zip(corners, corners[1:] + corners[:1], strict=True))
