"""Exact optical flow between two states of a scene seen by one camera that stands still.

Every pixel's point is known (float32 depth, before any compression) and so is its object's rigid motion, so
flow is one 3x4 matrix an instance and one projection a pixel (architecture.md, "Flow").
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .._jit import in_bands, kernel, require_numba
from ..geometry import Camera, compose
from ..geometry.frames import Matrix
from .visibility import lens as lens_of

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Ids = NDArray[np.uint16]
Mask = NDArray[np.bool_]

DEPTH_TOLERANCE = 0.02
"""A point whose depth differs from what the after frame shows by more than this fraction is hidden."""

_BAND = 64


def forward_flow(
    depth_before: Float32, ids_before: Ids, camera: Camera, motions: Mapping[int, Matrix]
) -> tuple[Float32, Mask]:
    """Flow from the before to the after image, in pixels.

    Args:
        depth_before: (H, W) float32 planar depth, metres; 0 where there is none.
        ids_before: (H, W) uint16 instance ids.
        camera: the camera of both images.
        motions: instance id -> (4, 4) ``world_after_from_world_before``; the others stand still.

    Returns:
        flow: (H, W, 2) float32, (u, v) displacement; exactly 0 where nothing moved or nothing is known.
        valid: (H, W) bool: there is depth, and the point does not end behind the camera. Points that become
            hidden or leave the image are valid.

    Raises:
        UsageError: numba is not installed.
    """
    flow, valid, _ = _displaced(depth_before, ids_before, camera, motions)
    return flow, valid


def occluded(
    depth_before: Float32,
    ids_before: Ids,
    depth_after: Float32,
    ids_after: Ids,
    camera: Camera,
    motions: Mapping[int, Matrix],
) -> Mask:
    """(H, W) bool: where the before image shows a point that the after image does not.

    It left the image, or the nearest pixel to where it went shows another instance, or a depth that differs by
    more than :data:`DEPTH_TOLERANCE`. Arguments are those of :func:`forward_flow` and the after frame's.
    """
    flow, valid, depth_then = _displaced(depth_before, ids_before, camera, motions)
    height, width = depth_before.shape
    rows, columns = np.indices((height, width))
    u = np.floor(columns + flow[..., 0].astype(np.float64) + 0.5)
    v = np.floor(rows + flow[..., 1].astype(np.float64) + 0.5)
    inside = valid & (u >= 0) & (u < width) & (v >= 0) & (v < height)
    x = np.where(inside, u, 0).astype(np.intp)
    y = np.where(inside, v, 0).astype(np.intp)
    same = ids_after[y, x] == ids_before
    near = np.abs(depth_after[y, x] - depth_then) <= DEPTH_TOLERANCE * depth_then
    hidden: Mask = valid & ~(inside & same & near)
    return hidden


def _displaced(
    depth: Float32, ids: Ids, camera: Camera, motions: Mapping[int, Matrix]
) -> tuple[Float32, Mask, Float32]:
    """Flow, validity, and every point's planar depth after the motion, (H, W) float32."""
    require_numba("optical flow")
    shape = (camera.height, camera.width)
    if depth.shape != shape or ids.shape != shape:
        raise ValueError(f"depth {depth.shape} and ids {ids.shape} do not have the camera's size {shape}.")
    slots = np.full(65536, -1, dtype=np.int32)
    table = np.empty((len(motions), 3, 4))
    for slot, (instance_id, motion) in enumerate(sorted(motions.items())):
        if np.array_equal(motion, np.eye(4)):
            continue
        slots[instance_id] = slot
        after_from_before = compose(camera.camera_from_world, compose(motion, camera.world_from_camera))
        table[slot] = after_from_before[:3]
    flow = np.empty((*shape, 2), dtype=np.float32)
    valid = np.empty(shape, dtype=np.bool_)
    depth_then = np.empty(shape, dtype=np.float32)
    # Read-only arrays are another type to numba; they would compile the kernel anew.
    arrays = np.require(depth, np.float32, ["C", "W"]), np.require(ids, np.uint16, ["C", "W"])
    in_bands(_displace, shape[0], _BAND, *arrays, slots, table, lens_of(camera), flow, valid, depth_then)
    return flow, valid, depth_then


@kernel
def _displace(
    start: int,
    stop: int,
    depth: Float32,
    ids: Ids,
    slots: NDArray[np.int32],
    table: Float,
    lens: Float,
    flow: Float32,
    valid: Mask,
    depth_then: Float32,
) -> None:
    """Rows ``start..stop - 1`` of :func:`_displaced`."""
    focal, centre_u, centre_v = lens[0], lens[1], lens[2]
    for y in range(start, stop):
        for x in range(depth.shape[1]):
            z = np.float64(depth[y, x])
            slot = slots[ids[y, x]]
            flow[y, x, 0] = 0.0
            flow[y, x, 1] = 0.0
            depth_then[y, x] = depth[y, x]
            valid[y, x] = z > 0.0
            if slot < 0 or not z > 0.0:
                continue
            m = table[slot]
            rx, ry = (x - centre_u) / focal, (y - centre_v) / focal
            px, py = rx * z, ry * z
            qx = m[0, 0] * px + m[0, 1] * py + m[0, 2] * z + m[0, 3]
            qy = m[1, 0] * px + m[1, 1] * py + m[1, 2] * z + m[1, 3]
            qz = m[2, 0] * px + m[2, 1] * py + m[2, 2] * z + m[2, 3]
            depth_then[y, x] = max(qz, 0.0)
            if not qz > 0.0 or math.isinf(qz):
                valid[y, x] = False
                continue
            flow[y, x, 0] = focal * (qx / qz - rx)
            flow[y, x, 1] = focal * (qy / qz - ry)
