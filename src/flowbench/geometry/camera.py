"""The pinhole camera: intrinsics, pose, projection (schema.md, "Conventions").

Pixels are (u, v) with the origin at the centre of the top-left pixel, u right, v down; depth is planar.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .frames import Matrix, Points, invert, rotate, transform
from .trig import sin_cos

POSE_DECIMALS = 9


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera at a pose.

    Attributes:
        width, height: image size in pixels.
        focal: fx = fy in pixels.
        camera_from_world: (4, 4) float64; camera frame is OpenCV (x right, y down, z forward).

    Raises:
        ValueError: the image is empty, the focal length is not positive, or the pose is not a finite (4, 4) matrix.
    """

    width: int
    height: int
    focal: float
    camera_from_world: Matrix

    def __post_init__(self) -> None:
        """Refuse what no pinhole camera is."""
        if self.width < 1 or self.height < 1 or not 0.0 < self.focal < math.inf:
            raise ValueError(f"camera of {self.width}x{self.height} px and focal {self.focal} px, expected above 0")
        if self.camera_from_world.shape != (4, 4) or not np.isfinite(self.camera_from_world).all():
            raise ValueError(f"camera_from_world {self.camera_from_world!r}, expected a finite (4, 4) matrix")

    @classmethod
    def standing(
        cls,
        position: tuple[float, float, float],
        yaw: float,
        pitch_down: float = 0.0,
        *,
        width: int = 800,
        height: int = 600,
    ) -> Camera:
        """A level-roll camera with a horizontal field of view of 90 degrees (focal = width / 2).

        Args:
            position: the eye, world frame, metres.
            yaw: radians, counter-clockwise from above; 0 looks along world +x.
            pitch_down: radians below the horizon.
            width, height: image size in pixels.
        """
        sy, cy = sin_cos(yaw)
        sp, cp = sin_cos(pitch_down)
        right = (sy, -cy, 0.0)
        down = (-cy * sp, -sy * sp, -cp)
        forward = (cy * cp, sy * cp, -sp)
        matrix = np.eye(4)
        matrix[:3, :3] = np.array([right, down, forward])
        matrix[:3, 3] = -rotate(matrix, np.array(position, dtype=np.float64))
        return cls(width, height, width / 2.0, np.round(matrix, POSE_DECIMALS) + 0.0)

    @property
    def centre(self) -> tuple[float, float]:
        """Principal point (cx, cy): the middle of the image in pixel coordinates."""
        return (self.width - 1) / 2.0, (self.height - 1) / 2.0

    @property
    def intrinsics(self) -> Matrix:
        """K, (3, 3) float64."""
        cx, cy = self.centre
        return np.array([[self.focal, 0.0, cx], [0.0, self.focal, cy], [0.0, 0.0, 1.0]])

    @property
    def world_from_camera(self) -> Matrix:
        """The camera's pose, (4, 4) float64."""
        return invert(self.camera_from_world)

    @property
    def eye(self) -> NDArray[np.float64]:
        """The camera's position, (3,) float64, world frame, metres."""
        return self.world_from_camera[:3, 3]

    @property
    def floor_axes(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The camera's right and forward directions on the floor, unit (x, y) vectors in the world frame.

        They are what "to the right" and "away from the camera" mean in a motion (paper A.2).

        Raises:
            ValueError: the camera lies on its side: its right points straight up or down.
        """
        rx, ry = float(self.camera_from_world[0, 0]), float(self.camera_from_world[0, 1])
        norm = math.sqrt(rx * rx + ry * ry)
        if norm < 1e-6:
            raise ValueError("camera whose right is vertical has no right on the floor; expected a level one")
        rx, ry = rx / norm, ry / norm
        return (rx, ry), (-ry, rx)

    def project(self, points: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """World points (..., 3) to pixels (..., 2) and planar depth (...,); depth <= 0 lies behind."""
        local = transform(self.camera_from_world, points)
        cx, cy = self.centre
        z = local[..., 2]
        safe = np.where(z == 0.0, 1e-12, z)
        u = self.focal * local[..., 0] / safe + cx
        v = self.focal * local[..., 1] / safe + cy
        return np.stack([u, v], axis=-1), z

    def unproject(self, pixels: NDArray[np.float64], depth: NDArray[np.float64]) -> Points:
        """Pixels (..., 2) with planar depth (...,) in metres to world points (..., 3)."""
        cx, cy = self.centre
        x = (pixels[..., 0] - cx) / self.focal * depth
        y = (pixels[..., 1] - cy) / self.focal * depth
        return transform(self.world_from_camera, np.stack([x, y, depth], axis=-1))
