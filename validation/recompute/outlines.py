"""Outlines of things in the picture, from the projection of their convex parts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .distance import Vertices
from .meta import CameraMeta

Mask = NDArray[np.bool_]


def projected(part: Vertices, camera: CameraMeta) -> NDArray[np.float64] | None:
    """Pixels (n, 2) of a part's vertices (n, 3) in the world frame; None where one lies behind the camera."""
    local = part @ camera.matrix[:3, :3].T + camera.matrix[:3, 3]
    if (local[:, 2] <= 0.0).any():
        return None
    pixels: NDArray[np.float64] = camera.focal * local[:, :2] / local[:, 2:] + camera.centre
    return pixels


def fill(mask: Mask, corners: NDArray[np.float64]) -> None:
    """Set the pixels inside a convex polygon with counter-clockwise corners (in a frame whose v points down)."""
    height, width = mask.shape
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, (width, height))
    if (low >= high).any():
        return
    u, v = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
    inside = np.ones(u.shape, dtype=np.bool_)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside &= (bx - ax) * (v - ay) - (by - ay) * (u - ax) >= 0.0
    mask[low[1] : high[1], low[0] : high[0]] |= inside


def hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corners of the convex hull of (n, 2) points, counter-clockwise (monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) == 1:
        return np.array(ordered)
    chains = []
    for sequence in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in sequence:
            while len(chain) >= 2 and _turn(chain[-2], chain[-1], (x, y)) <= 0.0:
                chain.pop()
            chain.append((x, y))
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1])


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
