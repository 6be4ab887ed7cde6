"""An object measured in a published picture: where it is, how large it is, what covers it (paper, B.2-B.4).

Pixels are those of the id images, depth is that of the depth images in whole millimetres; lengths are metres in the
camera frame of the before image, or on the table plane.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.schema.real_meta import ARM_ID

from ..pixels.runs import IdImage
from .facts import Box, Vector

NEAR_ARM: Final = 25
"""Side in pixels of the square by which the arm's mask is dilated (B.2)."""

Mask = NDArray[np.bool_]
Matrix = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Camera:
    """How pixels become places.

    Attributes:
        fx, fy, cx, cy: intrinsics, pixels.
        plane: plane_from_pixel, 3x3; None where depth gives places.
    """

    fx: float
    fy: float
    cx: float
    cy: float
    plane: Matrix | None

    def on_plane(self, u: float, v: float) -> Vector:
        """Where a pixel lies on the plane; nowhere (infinitely far) on its horizon."""
        p, q, w = (row[0] * u + row[1] * v + row[2] for row in self.plane or ())
        return (p / w, q / w, 0.0) if w else (np.inf, np.inf, 0.0)


@dataclass(frozen=True)
class Measured:
    """One object in one picture.

    Attributes:
        pixel: (u, v) median of the mask.
        depth: median metric depth over mask pixels that have one, metres; 0 where none has.
        position: where it is.
        box: of the mask.
        area: mask pixels.
        width: metric width of the box.
    """

    pixel: tuple[float, float]
    depth: float
    position: Vector
    box: Box
    area: int
    width: float


@dataclass(frozen=True, eq=False)
class Frame:
    """One of the two pictures.

    Attributes:
        ids: (H, W) uint16 instance ids.
        depth: (H, W) float32 metres, 0 where there is none.
        camera: of the pair.
    """

    ids: NDArray[np.uint16]
    depth: NDArray[np.float32]
    camera: Camera

    @cached_property
    def regions(self) -> Mapping[int, tuple[int, Box]]:
        """Id -> area and box."""
        return IdImage.of(self.ids).regions

    @cached_property
    def objects(self) -> Mapping[int, Measured]:
        """Every object that is seen, the arm left out."""
        return {each: self._measure(each) for each in self.regions if each != ARM_ID}

    @cached_property
    def near_arm(self) -> Mask:
        """(H, W) bool: within 12 px of the arm."""
        arm = (self.ids == ARM_ID).astype(np.uint8)
        return np.asarray(cv2.dilate(arm, np.ones((NEAR_ARM, NEAR_ARM), np.uint8)), np.bool_)

    def window(self, instance_id: int) -> tuple[slice, slice]:
        """Rows and columns of an object's box."""
        x, y, width, height = (int(each) for each in self.regions[instance_id][1])
        return slice(y, y + height), slice(x, x + width)

    def mask(self, instance_id: int) -> Mask:
        """(h, w) bool within the object's box."""
        return np.asarray(self.ids[self.window(instance_id)] == instance_id)

    def share_near_arm(self, instance_id: int) -> float:
        """Share of an object's mask that lies within 12 px of the arm."""
        mask = self.mask(instance_id)
        near = self.near_arm[self.window(instance_id)]
        return float(np.count_nonzero(mask & near) / np.count_nonzero(mask))

    def share_under(self, instance_id: int, other: Frame, over: int) -> float:
        """Share of an object's mask here that the object ``over`` covers in the other picture."""
        mask = self.mask(instance_id)
        return float(np.count_nonzero(mask & (other.ids[self.window(instance_id)] == over)) / np.count_nonzero(mask))

    def _measure(self, instance_id: int) -> Measured:
        area, box = self.regions[instance_id]
        rows, columns = self.window(instance_id)
        v, u = np.nonzero(self.mask(instance_id))
        pixel = float(np.median(u)) + columns.start, float(np.median(v)) + rows.start
        over = self.depth[rows, columns][v, u]
        millimetres = np.rint(over[over > 0.0].astype(np.float64) * 1000.0)
        depth = float(np.median(millimetres)) / 1000.0 if millimetres.size else 0.0
        position, width = self._place(pixel, depth, box)
        return Measured(pixel, depth, position, box, area, width)

    def _place(self, pixel: tuple[float, float], depth: float, box: Box) -> tuple[Vector, float]:
        """Position and metric width."""
        camera = self.camera
        if camera.plane is None:
            (u, v), z = pixel, depth
            return ((u - camera.cx) * z / camera.fx, (v - camera.cy) * z / camera.fy, z), box[2] * z / camera.fx
        x, y, width, height = box
        v = y + height - 1.0 - height / 4.0
        left, right = camera.on_plane(x - 0.5, v), camera.on_plane(x + width - 0.5, v)
        across = float(np.hypot(right[0] - left[0], right[1] - left[1]))
        return camera.on_plane(x + (width - 1.0) / 2.0, v), across
