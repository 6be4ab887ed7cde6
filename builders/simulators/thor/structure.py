"""The building itself: iTHOR lists no walls and no ceilings, and its masks drop pixels, so both are made up here.

Where Unity lists floors, walls and ceilings as objects, those are used. What is missing comes from the rooms' floor
polygons: thin slabs behind the walls' inner faces, under floors and over ceilings. A pixel that belongs to no listed
object belongs to the piece of the building that its point lies nearest to.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import distance_to_edges, points_in_polygon

from ..base import Part, Room
from .rooms import triangulated

THICKNESS = 0.01
"""Of slabs that are made up, metres: walls of two rooms may share one face."""
ON_FACE = 0.05
"""A listed wall lies within this of the face that it stands for, metres."""


@dataclass(frozen=True)
class Face:
    """A wall's inner face: from ``start`` to ``end`` (x, y) with the room on its left; ``room`` is an index."""

    room: int
    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def length(self) -> float:
        """Metres."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        return math.sqrt(dx * dx + dy * dy)

    @property
    def normal(self) -> tuple[float, float]:
        """Unit (x, y) into the room."""
        return -(self.end[1] - self.start[1]) / self.length, (self.end[0] - self.start[0]) / self.length

    def slab(self, height: float) -> Part:
        """(8, 3) vertices of a slab behind the face, world frame."""
        nx, ny = self.normal
        ends = (self.start, self.end)
        return np.array(
            [(x - into * nx, y - into * ny, z) for x, y in ends for into in (0.0, THICKNESS) for z in (0.0, height)]
        )

    def carries(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
        """Whether a wall with these bounds stands right behind the face, along most of it."""
        nx, ny = self.normal
        corners = [(float(x), float(y)) for x in (low[0], high[0]) for y in (low[1], high[1])]
        depths = [(x - self.start[0]) * nx + (y - self.start[1]) * ny for x, y in corners]
        along = [(x - self.start[0]) * ny - (y - self.start[1]) * nx for x, y in corners]
        shared = min(max(along), self.length) - max(min(along), 0.0)
        return abs(max(depths)) <= ON_FACE and shared > 0.5 * self.length


def faces_of(rooms: Sequence[Room]) -> list[Face]:
    """All faces, room by room along the floor polygons."""
    return [
        Face(index, (ax, ay), (bx, by))
        for index, room in enumerate(rooms)
        for (ax, ay), (bx, by) in zip(room.polygon.tolist(), np.roll(room.polygon, -1, axis=0).tolist(), strict=True)
    ]


def slab_of(polygon: NDArray[np.float64], bottom: float, top: float) -> tuple[Part, ...]:
    """Convex parts of a level slab of a polygon's outline, world frame."""
    return tuple(
        np.array([(x, y, z) for x, y in triangle.tolist() for z in (bottom, top)]) for triangle in triangulated(polygon)
    )


@dataclass(frozen=True, eq=False)
class Building:
    """Which instance id each surface of the building has.

    Attributes:
        rooms: the rooms.
        floors, ceilings: an id for each room.
        walls: (face, id).
    """

    rooms: tuple[Room, ...]
    floors: tuple[int, ...]
    ceilings: tuple[int, ...]
    walls: tuple[tuple[Face, int], ...]

    def nearest(self, points: NDArray[np.float64]) -> NDArray[np.uint16]:
        """The id of the surface that each of (n, 3) world points lies nearest to, (n,)."""
        best = np.full(len(points), np.inf)
        ids = np.zeros(len(points), dtype=np.uint16)
        for distance, number in self._distances(points):
            nearer = distance < best
            best[nearer] = distance[nearer]
            ids[nearer] = number
        return ids

    def _distances(self, points: NDArray[np.float64]) -> Iterable[tuple[NDArray[np.float64], int]]:
        flat, z = points[:, :2], points[:, 2]
        for index, room in enumerate(self.rooms):
            beside = distance_to_edges(flat, room.polygon)
            outside = np.where(points_in_polygon(flat, room.polygon), 0.0, beside)
            yield np.maximum(np.abs(z), outside), self.floors[index]
            yield np.maximum(np.abs(z - room.height), outside), self.ceilings[index]
        for face, number in self.walls:
            line = np.array([face.start, face.end])
            over = np.maximum(np.maximum(-z, z - self.rooms[face.room].height), 0.0)
            yield np.maximum(distance_to_edges(flat, line), over), number
