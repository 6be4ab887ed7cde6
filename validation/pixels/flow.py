"""The exact flow, worked out again from depth, ids, poses and the camera (schema.md, "Columns")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..recompute.meta import CameraMeta, HomeMeta, ObjectMeta
from ..recompute.rules import Finding
from .placing import in_camera

HALF_STEP: Final = 1.0 / 128.0
"""Half of the grid of 1/64 px on which flow is stored."""
ROUNDING: Final = 1e-3
"""Pixels that single precision and rounded poses may cost."""
HALF_MILLIMETRE: Final = 0.0005
"""What rounding to whole millimetres hides of the depth that the flow was made from, metres."""

Flow = NDArray[np.float32]


def check_flow(
    flow: Flow, valid: NDArray[np.bool_], depth: NDArray[np.float32], ids: NDArray[np.uint16], meta: HomeMeta
) -> Iterator[Finding]:
    """Valid exactly where there is depth, zero where nothing moved, and as the poses have it where something did.

    Args:
        flow: (H, W, 2) float32 pixels, before to after.
        valid: (H, W) bool.
        depth: (H, W) float32 metres, before.
        ids: (H, W) uint16, before.
        meta: the scene's state in both moments.
    """
    odd = np.count_nonzero(valid != (depth > 0.0))
    if odd:
        yield Finding("flow validity", f"{odd} px differ", "valid exactly where the before image has depth")
    still = flow.view(np.int64)[..., 0] != 0
    flat_ids, flat_depth = ids.ravel(), depth.ravel()
    for thing in meta.moving:
        pixels = np.flatnonzero((flat_ids == thing.id) & (flat_depth > 0.0))
        still.ravel()[pixels] = False
        if pixels.size:
            stated = flow.reshape(-1, 2)[pixels].astype(np.float64)
            yield from _compare(stated, pixels, flat_depth[pixels].astype(np.float64), thing, meta.camera)
    moving = np.count_nonzero(still)
    if moving:
        yield Finding("flow of still pixels", f"{moving} px have some", "exactly 0 where nothing moved")


def _compare(
    stated: NDArray[np.float64],
    pixels: NDArray[np.intp],
    depth: NDArray[np.float64],
    thing: ObjectMeta,
    camera: CameraMeta,
) -> Iterator[Finding]:
    """The stated (n, 2) flow of a thing's pixels lies within what the rounded depth leaves open."""
    middle, low, high = (
        moved_by(pixels, depth + each, thing, camera) for each in (0.0, -HALF_MILLIMETRE, HALF_MILLIMETRE)
    )
    open_to = np.maximum(np.abs(low - middle), np.abs(high - middle)) + HALF_STEP + ROUNDING
    beyond = np.abs(stated - middle) - open_to
    wrong = (beyond > 0.0).any(axis=1)
    if wrong.any():
        worst = int(beyond.max(axis=1).argmax())
        found = f"{stated[worst].round(3).tolist()} px at a pixel of {thing.object} ({int(wrong.sum())} px differ)"
        yield Finding("flow of the moved", found, f"{middle[worst].round(3).tolist()} px from its poses")


def moved_by(
    pixels: NDArray[np.intp], depth: NDArray[np.float64], thing: ObjectMeta, camera: CameraMeta
) -> NDArray[np.float64]:
    """(n, 2) pixels by which points of a thing move in the picture.

    Args:
        pixels: (n,) indices of pixels, row by row.
        depth: (n,) planar depth before the move, metres.
        thing: with both of its poses.
        camera: of both images.
    """
    start, end = thing.before, thing.after
    world = np.eye(4)
    if start.quaternion == end.quaternion:
        world[:3, 3] = np.subtract(end.position, start.position)
    else:
        world = end.world_from_object @ np.linalg.inv(start.world_from_object)
    after_from_before = camera.matrix @ world @ np.linalg.inv(camera.matrix)
    points = in_camera(camera, pixels, depth)
    moved = points @ after_from_before[:3, :3].T + after_from_before[:3, 3]
    change: NDArray[np.float64] = moved[:, :2] / moved[:, 2:] - points[:, :2] / points[:, 2:]
    return camera.focal * change
