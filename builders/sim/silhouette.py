"""The whole outline of an object in the picture, whatever hides or cuts it: what a mask is compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

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
    pixels = _projected(parts, camera)
    if pixels is None:
        return None
    fine = FINE if float(np.ptp(pixels, axis=0).max()) < FINE_BELOW else 1
    canvas, (left, top) = _painted(parts, pixels, fine)
    seen = _cropped(canvas, left, top, camera.width * fine, camera.height * fine)
    square = fine * fine
    return Silhouette(np.count_nonzero(canvas) / square, np.count_nonzero(seen) / square)


def outline_in_picture(parts: ConvexParts, camera: Camera) -> tuple[NDArray[np.uint8], int, int] | None:
    """The outline's pixels inside the picture, (h, w) uint8, with their left column and top row; None as above."""
    pixels = _projected(parts, camera)
    if pixels is None:
        return None
    canvas, (left, top) = _painted(parts, pixels, 1)
    return _cropped(canvas, left, top, camera.width, camera.height), max(0, left), max(0, top)


def _projected(parts: ConvexParts, camera: Camera) -> NDArray[np.float64] | None:
    """The vertices' pixels (n, 2); None behind the camera or far beyond the picture."""
    pixels, depth = camera.project(parts.vertices)
    if not (depth > NEAREST).all() or float(np.ptp(pixels, axis=0).max()) > LARGEST * camera.width:
        return None
    return pixels


def _painted(parts: ConvexParts, pixels: NDArray[np.float64], fine: int) -> tuple[NDArray[np.uint8], tuple[int, int]]:
    """A canvas with the outline on a grid ``fine`` times finer than pixels, and its cell (0, 0) on that grid."""
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    left, top = (math.floor(edge * fine) for edge in low.tolist())
    width, height = (math.ceil(edge * fine) - start + 1 for edge, start in zip(high.tolist(), (left, top), strict=True))
    canvas = np.zeros((height, width), dtype=np.uint8)
    cells = np.floor(pixels * fine + 0.5).astype(np.int32) - np.array([left, top], dtype=np.int32)
    for start, stop in zip(parts.offsets[:-1], parts.offsets[1:], strict=True):
        cv2.fillConvexPoly(canvas, cv2.convexHull(cells[start:stop]), 1)
    return canvas, (left, top)


def _cropped(canvas: NDArray[np.uint8], left: int, top: int, width: int, height: int) -> NDArray[np.uint8]:
    """The part of a canvas whose corner lies at (left, top) that falls into (0, 0) to (width, height)."""
    return canvas[max(0, -top) : max(0, height - top), max(0, -left) : max(0, width - left)]
