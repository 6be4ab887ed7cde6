"""Convex parts of AI2-THOR's objects: the hulls of the meshes that make one up, else its oriented bounding box.

Unity tells its colliders to nobody. ``GetInSceneAssetGeometry`` gives the meshes that are drawn, in the world frame; a
mesh's hull is its part, which fills hollows within one mesh. Where a build lacks the action, or an object has no
meshes, the box of the metadata stands in: oriented for what can be moved, along the axes for the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Pose, invert, transform

from ..base import Part
from .units import to_world

MOST_VERTICES = 64
"""Of a part; of more, those farthest in so many directions are kept."""
MOST_PARTS = 64
"""Of an object: meshes beyond that are small change (leaves, buttons), the largest are kept."""
STRAY = 0.05
"""Metres by which meshes may leave the metadata's box before they are not believed."""
DECIMALS = 5


def parts_of(entry: Mapping[str, Any], meshes: Sequence[NDArray[np.float64]], pose: Pose) -> tuple[Part, ...]:
    """Convex parts in the object's frame, metres.

    Args:
        entry: the object's metadata.
        meshes: vertices (n, 3) of each mesh, world frame; none where there are none.
        pose: where it stands.
    """
    low, high = bounds_of(entry)
    solid = [mesh for mesh in meshes if len(mesh) >= 4]
    if solid:
        points = np.concatenate(solid)
        if (points.min(axis=0) < low - STRAY).any() or (points.max(axis=0) > high + STRAY).any():
            solid = []
    if not solid:
        solid = [box_corners(entry)]
    if len(solid) > MOST_PARTS:
        order = sorted(range(len(solid)), key=lambda k: (-_size(solid[k]), k))[:MOST_PARTS]
        solid = [solid[k] for k in sorted(order)]
    object_from_world = invert(pose.matrix)
    return tuple(np.round(transform(object_from_world, extreme(mesh)), DECIMALS) + 0.0 for mesh in solid)


def meshes_of(returned: object) -> list[NDArray[np.float64]]:
    """Vertices (n, 3) of each mesh that ``GetInSceneAssetGeometry`` returned, world frame; [] for anything else."""
    found = []
    for mesh in returned if isinstance(returned, list) else []:
        corners = mesh.get("vertices") if isinstance(mesh, Mapping) else None
        if isinstance(corners, list) and corners:
            found.append(np.array([to_world(corner, "vertex") for corner in corners]))
    return found


def floor_triangles(returned: object) -> list[list[tuple[float, float]]]:
    """Triangles, (x, y) of three corners each, of the meshes of a floor; [] where nothing tells them."""
    found = []
    for mesh in returned if isinstance(returned, list) else []:
        corners, order = (mesh.get(key) if isinstance(mesh, Mapping) else None for key in ("vertices", "triangles"))
        if not isinstance(corners, list) or not isinstance(order, list) or len(order) % 3:
            continue
        if not all(type(k) is int and 0 <= k < len(corners) for k in order):
            continue
        flat = [to_world(corner, "vertex")[:2] for corner in corners]
        found += [[flat[a], flat[b], flat[c]] for a, b, c in zip(order[::3], order[1::3], order[2::3], strict=True)]
    return found


def bounds_of(entry: Mapping[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper corner (3,) of an object's box along the axes, world frame, metres."""
    box = entry.get("axisAlignedBoundingBox") or {}
    centre = np.array(to_world(box.get("center") or {}, "bounding box"))
    half = np.array(to_world(box.get("size") or {}, "bounding box")) / 2.0
    return centre - half, centre + half


def box_corners(entry: Mapping[str, Any]) -> NDArray[np.float64]:
    """(8, 3) corners of the tightest box that the metadata states, world frame, metres."""
    oriented = entry.get("objectOrientedBoundingBox") or {}
    corners = oriented.get("cornerPoints") or []
    if len(corners) == 8:
        return np.array([to_world(corner, "bounding box") for corner in corners])
    low, high = bounds_of(entry)
    return np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def extreme(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """At most :data:`MOST_VERTICES` of (n, 3) points, whose hull is nearly that of all; in their order."""
    points = np.unique(np.round(points, DECIMALS), axis=0) if len(points) > MOST_VERTICES else points
    if len(points) <= MOST_VERTICES:
        return points
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    x, y, z = (points - middle).T
    kept = {int(np.argmax(a * x + b * y + c * z)) for a, b, c in _DIRECTIONS}
    return points[sorted(kept)]


def _directions() -> list[tuple[float, float, float]]:
    """Directions on a cube's surface, the corners, edges and faces among them, thinned to the most that are kept."""
    steps = (-1.0, -0.5, 0.0, 0.5, 1.0)
    grid = [(a, b, c) for a in steps for b in steps for c in steps if max(abs(a), abs(b), abs(c)) == 1.0]
    coarse = [each for each in grid if all(abs(v) in (0.0, 1.0) for v in each)]
    return (coarse + [each for each in grid if each not in coarse])[:MOST_VERTICES]


_DIRECTIONS = _directions()


def _size(points: NDArray[np.float64]) -> float:
    """Volume of the box along the axes, with a millimetre more on each side so that sheets have one."""
    x, y, z = (points.max(axis=0) - points.min(axis=0) + 0.001).tolist()
    return float(x * y * z)
