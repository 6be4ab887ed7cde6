"""Rigid transforms as 4x4 float64 matrices, and poses as a rounded position and quaternion.

A pose is rounded when it is made (position to 1e-5 m, quaternion to 1e-7), so that the pose a label was
measured at is the pose that is published, digit for digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .trig import sin_cos

Matrix = NDArray[np.float64]
Points = NDArray[np.float64]

POSITION_DECIMALS = 5
QUATERNION_DECIMALS = 7


@dataclass(frozen=True)
class Pose:
    """Where an object's frame lies in the world.

    Attributes:
        position: (x, y, z) of the object frame's origin, world frame, metres.
        quaternion: (x, y, z, w), unit up to rounding, world from object.
    """

    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        """Round to what is published; -0.0 becomes 0.0."""
        position = tuple(round(float(v), POSITION_DECIMALS) + 0.0 for v in self.position)
        quaternion = tuple(round(float(v), QUATERNION_DECIMALS) + 0.0 for v in self.quaternion)
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "quaternion", quaternion)

    @classmethod
    def upright(cls, x: float, y: float, z: float, yaw: float) -> Pose:
        """A pose turned by ``yaw`` radians about world Z, counter-clockwise seen from above."""
        s, c = sin_cos(yaw * 0.5)
        return cls((x, y, z), (0.0, 0.0, s, c))

    @property
    def matrix(self) -> Matrix:
        """``world_from_object``, (4, 4) float64."""
        x, y, z, w = self.quaternion
        n = math.sqrt(x * x + y * y + z * z + w * w)
        x, y, z, w = x / n, y / n, z / n, w / n
        px, py, pz = self.position
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), px],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), py],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), pz],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )

    def moved(self, dx: float, dy: float, dz: float = 0.0) -> Pose:
        """The same orientation, displaced in the world frame (metres)."""
        x, y, z = self.position
        return Pose((x + dx, y + dy, z + dz), self.quaternion)


def rotate(matrix: Matrix, vectors: Points) -> Points:
    """Apply the rotation part of ``target_from_source`` to (..., 3) vectors."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    rows = [matrix[i, 0] * x + matrix[i, 1] * y + matrix[i, 2] * z for i in range(3)]
    return np.stack(rows, axis=-1)


def transform(matrix: Matrix, points: Points) -> Points:
    """Apply ``target_from_source`` (4, 4) to (..., 3) points."""
    return rotate(matrix, points) + matrix[:3, 3]


def compose(target_from_middle: Matrix, middle_from_source: Matrix) -> Matrix:
    """``target_from_source`` of two rigid transforms, (4, 4) each, without BLAS."""
    out = np.eye(4)
    out[:3, :3] = rotate(target_from_middle, middle_from_source[:3, :3].T).T
    out[:3, 3] = transform(target_from_middle, middle_from_source[:3, 3])
    return out


def invert(target_from_source: Matrix) -> Matrix:
    """``source_from_target`` of a rigid transform (4, 4)."""
    out = np.eye(4)
    out[:3, :3] = target_from_source[:3, :3].T
    out[:3, 3] = -rotate(out, target_from_source[:3, 3])
    return out
