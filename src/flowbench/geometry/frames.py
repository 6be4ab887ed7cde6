"""Rigid transforms as 4x4 float64 matrices, and poses as a rounded position and quaternion.

A pose is rounded when it is made (position to 1e-5 m, quaternion to 1e-7), so that the pose a label was
measured at is the pose that is published, digit for digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .trig import atan2, sin_cos

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

    Raises:
        ValueError: a number is not finite, or the quaternion's norm is not within 1e-3 of 1.
    """

    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        """Round to what is published; -0.0 becomes 0.0."""
        x, y, z, w = self.quaternion
        norm2 = x * x + y * y + z * z + w * w
        if not (all(math.isfinite(v) for v in self.position) and abs(norm2 - 1.0) < 2e-3):
            raise ValueError(f"pose at {self.position} turned by {self.quaternion}, expected finite numbers, norm 1")
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

    def relative(self, after: Pose) -> Matrix:
        """``world_after_from_world_before`` (4, 4): where the object's points go when it moves from here to ``after``.

        A translation is told by exact zeros and ones in the rotation part, so that what stays has no flow at all.
        """
        if self.quaternion != after.quaternion:
            return compose(after.matrix, invert(self.matrix))
        out = np.eye(4)
        out[:3, 3] = np.array(after.position) - np.array(self.position)
        return out


def rotate(matrix: Matrix, vectors: Points) -> Points:
    """Apply the rotation part of ``target_from_source`` to (..., 3) vectors."""
    given = np.asarray(vectors, dtype=np.float64)
    x, y, z = given[..., 0], given[..., 1], given[..., 2]
    out = np.empty(given.shape)
    for row, (a, b, c) in enumerate(matrix[:3, :3].tolist()):
        out[..., row] = a * x + b * y + c * z
    return out


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


def quaternion_of(matrix: Matrix) -> tuple[float, float, float, float]:
    """The unit quaternion (x, y, z, w) of the rotation part of a rigid transform (4, 4), with w >= 0.

    Source: Shepperd (1978): the largest component is taken from the diagonal, the others from it.
    """
    m: list[list[float]] = matrix[:3, :3].tolist()
    squares = [1.0 + 2.0 * m[i][i] - (m[0][0] + m[1][1] + m[2][2]) for i in range(3)]
    squares.append(1.0 + m[0][0] + m[1][1] + m[2][2])
    largest = squares.index(max(squares))
    if largest == 3:
        parts = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], squares[3]]
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        parts = [0.0, 0.0, 0.0, m[k][j] - m[j][k]]
        parts[i], parts[j], parts[k] = squares[i], m[j][i] + m[i][j], m[k][i] + m[i][k]
    norm = math.sqrt(parts[0] * parts[0] + parts[1] * parts[1] + parts[2] * parts[2] + parts[3] * parts[3])
    norm = -norm if parts[3] < 0.0 else norm
    return parts[0] / norm, parts[1] / norm, parts[2] / norm, parts[3] / norm


def rotation_angle(a: Matrix, b: Matrix) -> float:
    """Angle in radians, in [0, pi], between the rotation parts of two rigid transforms (4, 4).

    From the chord (the rotations' entries differ by 8 sin^2(angle / 2) in squares), which is exact for small
    angles where the arc cosine is not.
    """
    squared = 0.0
    for i in range(3):
        for j in range(3):
            difference = float(a[i, j]) - float(b[i, j])
            squared += difference * difference
    half_sine2 = min(squared / 8.0, 1.0)
    return 2.0 * atan2(math.sqrt(half_sine2), math.sqrt(1.0 - half_sine2))
