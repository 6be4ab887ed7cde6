"""The whole outline of an object in the picture, whatever hides or cuts it: what a mask is compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from flowbench.geometry import Camera, ConvexParts

NEAREST = 0.05
FINE, FINE_BELOW = 4, 100.0
"""Objects of fewer pixels are outlined on a grid so many times finer."""
LARGEST = 6.0
"""Outlines of more than so many image widths are not drawn: the object is all around the camera."""


@dataclass(frozen=True)
class Silhouette:
    """Areas in pixels: of the whole outline, and of its part inside the picture."""

    area: float
    inside: float


def silhouette(parts: ConvexParts, camera: Camera) -> Silhouette | None:
    """Outline convex parts (world frame); None for what reaches behind the camera or far beyond the picture."""
    pixels, depth = camera.project(parts.vertices)
    if not (depth > NEAREST).all():
        return None
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    extent = float((high - low).max())
    if extent > LARGEST * camera.width:
        return None
    fine = FINE if extent < FINE_BELOW else 1
    # The canvas holds the outline; its cell (0, 0) is cell ``origin`` of the (finer) picture.
    origin = [math.floor(edge * fine) for edge in low.tolist()]
    width, height = (math.ceil(edge * fine) - start + 1 for edge, start in zip(high.tolist(), origin, strict=True))
    canvas = np.zeros((height, width), dtype=np.uint8)
    cells = np.floor(pixels * fine + 0.5).astype(np.int32) - np.array(origin, dtype=np.int32)
    for start, stop in zip(parts.offsets[:-1], parts.offsets[1:], strict=True):
        cv2.fillConvexPoly(canvas, cv2.convexHull(cells[start:stop]), 1)
    left, top = (max(0, -start) for start in origin)
    right, bottom = (size * fine - start for size, start in zip((camera.width, camera.height), origin, strict=True))
    seen = canvas[top : max(0, bottom), left : max(0, right)]
    square = fine * fine
    return Silhouette(np.count_nonzero(canvas) / square, np.count_nonzero(seen) / square)
