"""One object in one picture: median pixel, median depth, position (paper, B.2, "3D positions")."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.schema.real_meta import Sighting

DECIMALS = 6
LEAST_DEPTH_SHARE = 0.5
"""Of a mask's pixels that must have depth."""
NEAREST, FARTHEST = 0.05, 20.0
"""Metres from the camera between which things are measured; on a table plane none lies farther than twice that."""
_TINY = 1e-12
ARM_REACH = 25
"""Side of the square by which the arm's mask is dilated (B.2)."""


@dataclass(frozen=True, eq=False)
class Optics:
    """How pixels become places.

    Attributes:
        k: (3, 3) intrinsics, pixels.
        plane_from_pixel: (3, 3) of a table plane, metres from pixels; None where depth is used.
        plane_points: what it was fitted to, (u, v, x, y), pixels and metres of the robot; else empty.
    """

    k: NDArray[np.float64]
    plane_from_pixel: NDArray[np.float64] | None = None
    plane_points: tuple[tuple[float, float, float, float], ...] = ()

    @property
    def focal(self) -> tuple[float, float]:
        """(fx, fy), pixels."""
        return float(self.k[0, 0]), float(self.k[1, 1])

    def place(self, pixel: Sequence[float], depth: float, bbox: Sequence[float]) -> list[float]:
        """Position of a sighting, metres; see :mod:`flowbench.schema.real_meta`."""
        if self.plane_from_pixel is not None:
            x, y = on_plane(self.plane_from_pixel, *foot(bbox))
            return [x, y, 0.0]
        u, v = pixel
        fx, fy = self.focal
        x = (u - float(self.k[0, 2])) * depth / fx
        y = (v - float(self.k[1, 2])) * depth / fy
        return [round(x, DECIMALS) + 0.0, round(y, DECIMALS) + 0.0, round(depth, DECIMALS)]

    def radius(self, sighting: Sighting) -> float:
        """Effective radius from the box: r = w Z / (2 fx), or half its width on the plane (B.4, "Distances")."""
        x, _, width, _ = sighting.bbox
        if self.plane_from_pixel is None:
            return round(width * sighting.depth / (2.0 * self.focal[0]), DECIMALS)
        _, v = foot(sighting.bbox)
        ends = [on_plane(self.plane_from_pixel, u, v) for u in (x - 0.5, x + width - 0.5)]
        return round(length([b - a for a, b in zip(*ends, strict=True)]) / 2.0, DECIMALS)

    def extent(self, sighting: Sighting) -> float:
        """Size as the scale reference states it: max(w Z / fx, h Z / fy), or the width on the plane, metres."""
        if self.plane_from_pixel is not None:
            return 2.0 * self.radius(sighting)
        fx, fy = self.focal
        return max(sighting.bbox[2] * sighting.depth / fx, sighting.bbox[3] * sighting.depth / fy)


def foot(bbox: Sequence[float]) -> tuple[float, float]:
    """Where an object stands on a table plane: the bottom centre of its box raised by a quarter of its height."""
    x, y, width, height = bbox
    return x + (width - 1.0) / 2.0, y + height - 1.0 - height / 4.0


def on_plane(homography: NDArray[np.float64], u: float, v: float) -> tuple[float, float]:
    """The plane's point that a pixel shows, metres."""
    (a, b, c), (d, e, f), (g, h, i) = homography.tolist()
    scale = g * u + h * v + i
    scale = _TINY if scale == 0.0 else scale  # on the horizon; such things are not measured
    return (
        round((a * u + b * v + c) / scale, DECIMALS) + 0.0,
        round((d * u + e * v + f) / scale, DECIMALS) + 0.0,
    )


def length(vector: Sequence[float]) -> float:
    """Euclidean length."""
    return math.sqrt(math.fsum(part * part for part in vector))


def sight(
    mask: NDArray[np.bool_], millimetres: NDArray[np.uint16], near_arm: NDArray[np.bool_], optics: Optics
) -> Sighting | None:
    """Measure a mask; None where half of it has no depth, nothing is left of it, or it is no thing on a table.

    Args:
        mask: (H, W) bool.
        millimetres: (H, W) metric depth in whole millimetres, 0 = none.
        near_arm: (H, W) bool, the arm's mask dilated.
        optics: how pixels become places.
    """
    rows, columns = pixels_of(mask)
    if rows.size == 0:
        return None
    depths = millimetres[rows, columns]
    depths = depths[depths > 0]
    if depths.size < LEAST_DEPTH_SHARE * rows.size:
        return None
    pixel = [float(np.median(columns)), float(np.median(rows))]
    depth = round(float(np.median(depths)) / 1000.0, DECIMALS)
    if not NEAREST <= depth <= FARTHEST:
        return None
    left, top = int(columns.min()), int(rows.min())
    bbox = [float(left), float(top), float(int(columns.max()) - left + 1), float(int(rows.max()) - top + 1)]
    found = Sighting(
        pixel=pixel,
        depth=depth,
        position=optics.place(pixel, depth, bbox),
        bbox=bbox,
        area=int(rows.size),
        arm_share=round(int(np.count_nonzero(near_arm[rows, columns])) / int(rows.size), DECIMALS),
    )
    far = max(length(found.position), optics.radius(found))
    return None if far > 2.0 * FARTHEST else found


def pixels_of(mask: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of a mask's pixels, row by row: as ``np.nonzero`` gives them, several times as fast."""
    flat = np.flatnonzero(mask.ravel())
    rows = flat // mask.shape[1]
    return rows, flat - rows * mask.shape[1]


def dilated(arm: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The arm's mask, grown by a square of ARM_REACH pixels."""
    if not arm.any():
        return arm
    grown: NDArray[np.bool_] = cv2.dilate(arm.astype(np.uint8), np.ones((ARM_REACH, ARM_REACH), np.uint8)) > 0
    return grown
