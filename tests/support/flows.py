"""Flow forth and back again: how far from where it began a point ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera, invert, transform
from flowbench.rendering import forward_flow, occluded

Float = NDArray[np.float64]
Seen = tuple[NDArray[np.float32], NDArray[np.uint16]]
"""Depth and ids."""

SAME_POINT = 1e-5
"""The after image shows a point itself, on a plane, where its interpolated depth errs by less than this."""


def round_trip(before: Seen, after: Seen, camera: Camera, mover: int, motion: Float) -> tuple[Float, int]:
    """Errors of flow forth and back, pixels, of what both images show of a mover.

    The flow back is interpolated between four pixels, which means something only where they show one smooth
    piece of surface, and no edge or crease.

    Returns:
        errors: (n,) pixels.
        unoccluded: how many pixels there are that may be on edges and creases.
    """
    forth, _ = forward_flow(*before, camera, {mover: motion})
    back, _ = forward_flow(*after, camera, {mover: invert(motion)})
    hidden = occluded(*before, *after, camera, {mover: motion})
    v, u = np.nonzero((before[1] == mover) & ~hidden)
    x, y = u + forth[v, u, 0].astype(np.float64), v + forth[v, u, 1].astype(np.float64)
    x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)
    inside = (x0 >= 0) & (y0 >= 0) & (x0 < camera.width - 1) & (y0 < camera.height - 1)
    u, v, x, y, x0, y0 = (a[inside] for a in (u, v, x, y, x0, y0))
    corners = [(y0, x0), (y0, x0 + 1), (y0 + 1, x0), (y0 + 1, x0 + 1)]
    fx, fy = x - x0, y - y0
    weights = np.stack([(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx])
    pixels = np.stack([u, v], axis=-1).astype(np.float64)
    points = camera.unproject(pixels, before[0][v, u].astype(np.float64))
    _, depth = camera.project(transform(motion, points))
    nearby = np.stack([after[0][corner] for corner in corners]).astype(np.float64)
    shown = 1.0 / (weights / np.maximum(nearby, 1e-6)).sum(axis=0)
    same = np.all([after[1][corner] == mover for corner in corners], axis=0)
    same &= np.abs(shown - depth) < SAME_POINT * depth
    returned = sum(w[:, None] * back[corner] for w, corner in zip(weights, corners, strict=True))
    errors = np.abs(forth[v, u] + returned).max(axis=-1)[same]
    return errors, len(same)
