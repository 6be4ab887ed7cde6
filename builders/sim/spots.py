"""Where a dot goes: the same point of the object in both pictures, deep inside its mask in both."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import compose, invert, transform

from .measuring import CHAMFER_STEP, Spot, depths
from .view import LEAST_MARK_DEPTH, Sight

CLEARANCE = 22.0
"""Pixels of an 800 px wide image between a dot and one that it must keep clear of."""


def common_spot(before: Sight, after: Sight, object_id: str, avoid: Spot | None = None) -> tuple[Spot, Spot] | None:
    """The point of an object's surface that lies deepest inside its masks before and after, as a pixel of each picture.

    A dot there moves as the object does. None when no point has room for a dot in both.

    Args:
        before, after: both moments.
        object_id: whose surface.
        avoid: where another dot lies in both pictures; ours keeps clear of it.
    """
    key = object_id if avoid is None else f"{object_id} off {avoid.u} {avoid.v}"
    known = after.spots.get(key)
    if known is None or known[0] is not before:
        known = after.spots[key] = before, _find(before, after, object_id, avoid)
    return known[1]


def kept_spot(before: Sight, after: Sight, object_id: str) -> tuple[Spot, Spot] | None:
    """The innermost pixel of an object's mask before the move, for both pictures: a dot that nothing may hide."""
    if before.mask(object_id) is None:
        return None
    spot = before.spot(object_id)
    return None if spot.depth < LEAST_MARK_DEPTH * before.scale else (spot, spot)


def _find(before: Sight, after: Sight, object_id: str, avoid: Spot | None) -> tuple[Spot, Spot] | None:
    facts, facts_after = before.mask(object_id), after.mask(object_id)
    if facts is None or facts_after is None:
        return None
    instance_id = before.arrangement.object(object_id).instance_id
    inside = depths(before.ids == instance_id, facts)
    inside_after = depths(after.ids == instance_id, facts_after)
    v, u = np.nonzero(inside)
    v, u = v + facts.top, u + facts.left
    u2, v2 = _followed(before, after, object_id, u, v)
    row, column = v2 - facts_after.top, u2 - facts_after.left
    height, width = inside_after.shape
    within = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    then = np.where(within, inside_after[np.where(within, row, 0), np.where(within, column, 0)], 0)
    both: NDArray[np.int32] = np.minimum(inside[v - facts.top, u - facts.left], then).astype(np.int32)
    if avoid is not None:
        reach = CLEARANCE * before.scale
        for du, dv in ((u - avoid.u, v - avoid.v), (u2 - avoid.u, v2 - avoid.v)):
            both[np.asarray(du * du + dv * dv) < reach * reach] = 0
    deepest = int(both.max(initial=0))
    if deepest < CHAMFER_STEP * LEAST_MARK_DEPTH * before.scale:
        return None
    best = np.flatnonzero(both == deepest)
    across, down = u[best] - facts.u, v[best] - facts.v
    chosen = int(best[np.argmin(across * across + down * down)])
    depth = deepest / CHAMFER_STEP
    return Spot(int(u[chosen]), int(v[chosen]), depth), Spot(int(u2[chosen]), int(v2[chosen]), depth)


def _followed(
    before: Sight, after: Sight, object_id: str, u: NDArray[np.int64], v: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pixels that show after the move what pixels (u, v) of the object showed before it."""
    start, end = before.arrangement.pose(object_id), after.arrangement.pose(object_id)
    if start == end:
        return u, v
    pixels = np.stack([u, v], axis=-1).astype(np.float64)
    points = before.camera.unproject(pixels, before.depth[v, u].astype(np.float64))
    moved, depth = after.camera.project(transform(compose(end.matrix, invert(start.matrix)), points))
    nearest = np.floor(np.where(depth[:, None] > 0.0, moved, -1.0) + 0.5).astype(np.int64)
    return nearest[:, 0], nearest[:, 1]
