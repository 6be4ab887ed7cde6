"""Oriented boxes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .convex import convex_distance
from .frames import Matrix, Points, compose, transform


@dataclass(frozen=True, eq=False)
class OrientedBox:
    """A box at a pose.

    Attributes:
        frame: ``target_from_box`` (4, 4); the box's centre is its origin.
        half: (3,) half extents along the box's own axes, metres.
    """

    frame: Matrix
    half: NDArray[np.float64]

    @classmethod
    def around(cls, points: Points) -> OrientedBox:
        """The axis-aligned box of (n, 3) points, n >= 1, in their own frame."""
        low, high = aabb_of(points)
        frame = np.eye(4)
        frame[:3, 3] = (low + high) / 2.0
        return cls(frame, (high - low) / 2.0)

    @property
    def centre(self) -> NDArray[np.float64]:
        """(3,) centre in the target frame."""
        return self.frame[:3, 3]

    @property
    def corners(self) -> Points:
        """(8, 3) corners in the target frame."""
        signs = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
        return transform(self.frame, signs * self.half)

    def placed(self, world_from_object: Matrix) -> OrientedBox:
        """The same box carried along by its object's pose."""
        return OrientedBox(compose(world_from_object, self.frame), self.half)

    def distance(self, other: OrientedBox) -> float:
        """Least distance in metres to another box in the same frame; 0 where they touch or overlap."""
        return convex_distance(self.corners, other.corners)


def aabb_of(points: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper corner (3,) of (n, 3) points, n >= 1."""
    return points.min(axis=0), points.max(axis=0)
