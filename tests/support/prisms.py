"""Distances the simple way: of upright prisms, from their footprints and heights, joined by Pythagoras."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Point = tuple[float, float]
Prism = tuple[list[Point], float, float]
"""Corners in order, lower and upper z, world frame."""


def gap(mover: Sequence[Mapping[str, Any]], pose: Mapping[str, Any], landmark: Mapping[str, Any]) -> float:
    """Metres between a mover's parts at a pose and a landmark with its own."""
    pairs = ((a, b) for a in footprints(mover, pose) for b in footprints(landmark["parts"], landmark))
    return min(prism_gap(a, b) for a, b in pairs)


def between_centres(mover: Sequence[Mapping[str, Any]], pose: Mapping[str, Any], landmark: Mapping[str, Any]) -> float:
    """Metres between the middles of what all parts of either reach, along its own axes."""
    return math.dist(middle(mover, pose), middle(landmark["parts"], landmark))


def between_boxes(mover: Sequence[Mapping[str, Any]], pose: Mapping[str, Any], landmark: Mapping[str, Any]) -> float:
    """Metres between what all parts of either reach, along the world's axes."""
    pairs = zip(reach(footprints(mover, pose)), reach(footprints(landmark["parts"], landmark)), strict=True)
    return math.hypot(*(max(0.0, a[0] - b[1], b[0] - a[1]) for a, b in pairs))


DISTANCES = {"nearest": gap, "centres": between_centres, "boxes": between_boxes}


def middle(parts: Sequence[Mapping[str, Any]], pose: Mapping[str, Any]) -> Sequence[float]:
    x, y, z = ((low + high) / 2.0 for low, high in reach(footprints(parts, {"yaw": 0.0, "position": (0.0, 0.0, 0.0)})))
    yaw, (px, py, pz) = math.radians(pose["yaw"]), pose["position"]
    return px + x * math.cos(yaw) - y * math.sin(yaw), py + x * math.sin(yaw) + y * math.cos(yaw), pz + z


def reach(prisms: Sequence[Prism]) -> list[tuple[float, float]]:
    """Along x, y and z."""
    x, y = ([corner[axis] for corners, _, _ in prisms for corner in corners] for axis in (0, 1))
    return [(min(x), max(x)), (min(y), max(y)), (min(p[1] for p in prisms), max(p[2] for p in prisms))]


def footprints(parts: Sequence[Mapping[str, Any]], pose: Mapping[str, Any]) -> list[Prism]:
    yaw, (px, py, pz) = math.radians(pose["yaw"]), pose["position"]
    prisms = []
    for part in parts:
        (hx, hy, hz), (cx, cy, cz) = part["half"], part["centre"]
        flat = [(cx + sx * hx, cy + sy * hy) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        turned = [
            (px + x * math.cos(yaw) - y * math.sin(yaw), py + x * math.sin(yaw) + y * math.cos(yaw)) for x, y in flat
        ]
        prisms.append((turned, pz + cz - hz, pz + cz + hz))
    return prisms


def prism_gap(a: Prism, b: Prism) -> float:
    flat = 0.0
    if separated(a[0], b[0]):
        sides = ((p, q, i) for p, q in ((a[0], b[0]), (b[0], a[0])) for i in range(4))
        flat = min(to_segment(corner, q[i], q[(i + 1) % 4]) for p, q, i in sides for corner in p)
    return math.hypot(flat, max(0.0, a[1] - b[2], b[1] - a[2]))


def to_segment(p: Point, a: Point, b: Point) -> float:
    ex, ey = b[0] - a[0], b[1] - a[1]
    t = min(1.0, max(0.0, ((p[0] - a[0]) * ex + (p[1] - a[1]) * ey) / (ex * ex + ey * ey)))
    return math.hypot(p[0] - a[0] - t * ex, p[1] - a[1] - t * ey)


def separated(a: list[Point], b: list[Point]) -> bool:
    """Whether a side of one rectangle separates it from the other."""
    for polygon in (a, b):
        for i in range(2):
            nx, ny = polygon[i + 1][0] - polygon[i][0], polygon[i + 1][1] - polygon[i][1]
            reach_a, reach_b = ([x * nx + y * ny for x, y in each] for each in (a, b))
            if max(reach_a) < min(reach_b) or max(reach_b) < min(reach_a):
                return True
    return False
