"""Distances between convex sets given by their vertices, and between objects made of several.

The distance between two objects is the gap between their closest surface points (sim.md, "Planning"); 0
means that they touch or overlap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .frames import Matrix, Points, transform
from .gjk import hull_distance, union_distance

Vertices = NDArray[np.float64]
Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ConvexParts:
    """A union of convex parts, laid out for the compiled distance; keep one per object and place it.

    Attributes:
        vertices: (n, 3) float64, C order, the parts' vertices one part after another, metres.
        offsets: (k + 1,) int64; part i owns rows ``offsets[i]:offsets[i + 1]``, at least one.
    """

    vertices: Vertices
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, parts: Sequence[Vertices]) -> ConvexParts:
        """Lay out parts of (n_i, 3) vertices, all in one frame.

        Raises:
            ValueError: there is no part, or one is empty, not (n, 3), or not finite.
        """
        if len(parts) == 0:
            raise ValueError("a distance needs at least one convex part on either side, got none; skip decoration")
        arrays = [_checked(part) for part in parts]
        offsets = np.zeros(len(arrays) + 1, dtype=np.int64)
        np.cumsum([len(array) for array in arrays], out=offsets[1:])
        return cls(np.concatenate(arrays), offsets)

    def __len__(self) -> int:
        """The number of parts."""
        return len(self.offsets) - 1

    @cached_property
    def boxes(self) -> tuple[Vertices, Vertices]:
        """Lower and upper corners of the parts' axis-aligned boxes, (k, 3) float64 each."""
        starts = self.offsets[:-1]
        return np.minimum.reduceat(self.vertices, starts), np.maximum.reduceat(self.vertices, starts)

    @cached_property
    def parts(self) -> tuple[Vertices, ...]:
        """The parts one by one, (n_i, 3) float64 each."""
        return tuple(self.vertices[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:], strict=True))

    def placed(self, target_from_source: Matrix) -> ConvexParts:
        """The parts moved into another frame by a (4, 4) rigid transform."""
        return ConvexParts(transform(target_from_source, self.vertices), self.offsets)

    def moved(self, displacement: Vector | tuple[float, float, float]) -> ConvexParts:
        """The parts displaced by (3,) metres."""
        way = np.asarray(displacement, dtype=np.float64)
        low, high = self.boxes
        return self._with(self.vertices + way, self.offsets, (low + way, high + way), {"_both_ends": self._both_ends})

    def swept(self, displacement: Vector | tuple[float, float, float]) -> ConvexParts:
        """What the parts sweep on a straight way of (3,) metres: the hull of each part's two ends, exactly."""
        way = np.asarray(displacement, dtype=np.float64)
        low, high = self.boxes
        boxes = np.minimum(low, low + way), np.maximum(high, high + way)
        both = np.concatenate([self.vertices, self.vertices + way])[self._both_ends]
        return self._with(both, 2 * self.offsets, boxes, {})

    @classmethod
    def _with(
        cls,
        vertices: Vertices,
        offsets: NDArray[np.int64],
        boxes: tuple[Vertices, Vertices],
        known: Mapping[str, object],
    ) -> ConvexParts:
        """Parts whose boxes, and more, are known already: adding keeps the order of floats, so these are exact."""
        made = cls(vertices, offsets)
        vars(made).update(known, boxes=boxes)
        return made

    @cached_property
    def _both_ends(self) -> NDArray[np.int64]:
        """Rows of the vertices followed by the same at the way's other end, so that each part has its two in a row."""
        count = len(self.vertices)
        rows = [np.arange(a, b) + end for a, b in pairwise(self.offsets.tolist()) for end in (0, count)]
        return np.concatenate(rows)

    def distance(self, other: ConvexParts, limit: float = math.inf) -> float:
        """Least distance to another union in metres, 0 where they overlap, but at most ``limit``.

        A test "nearer than r" is cheapest as ``a.distance(b, limit=r) < r``.
        """
        return self._measure(other, limit)[0]

    def closest_points(self, other: ConvexParts) -> tuple[Vector, Vector] | None:
        """The nearest points (3,) of this and the other union; None where they touch or overlap."""
        distance, points = self._measure(other, math.inf)
        return None if distance == 0.0 else (points[0], points[1])

    def _measure(self, other: ConvexParts, limit: float) -> tuple[float, Vertices]:
        """Distance, and the closest points (2, 3)."""
        points = np.zeros((2, 3))
        low, high = self.boxes
        other_low, other_high = other.boxes
        distance = union_distance(
            self.vertices,
            self.offsets,
            low,
            high,
            other.vertices,
            other.offsets,
            other_low,
            other_high,
            float(limit),
            points,
        )
        return float(distance), points


def convex_distance(a: Vertices, b: Vertices) -> float:
    """Least distance in metres between the hulls of (n, 3) and (m, 3) vertices; 0 where they overlap.

    Exact to 1e-7 m for coordinates within 100 m; the same bits with the arguments exchanged, and with or
    without a compiler. Points, segments, flat and repeated vertices are all welcome.

    Raises:
        ValueError: a set is empty, not (n, 3), or not finite.
    """
    a, b = _checked(a), _checked(b)
    pairs = np.zeros((4, 2), dtype=np.int64)
    return float(hull_distance(a, 0, len(a), b, 0, len(b), math.inf, np.zeros((4, 3)), pairs, np.zeros(4)))


def surface_distance(parts_a: Sequence[Vertices] | ConvexParts, parts_b: Sequence[Vertices] | ConvexParts) -> float:
    """Least distance in metres between two unions of convex parts (same frame); 0 where they overlap.

    Args:
        parts_a, parts_b: (n_i, 3) float64 vertices of each part, or what :meth:`ConvexParts.of` made of them.

    Raises:
        ValueError: a union has no part, or one is empty, not (n, 3), or not finite.
    """
    a = parts_a if isinstance(parts_a, ConvexParts) else ConvexParts.of(parts_a)
    b = parts_b if isinstance(parts_b, ConvexParts) else ConvexParts.of(parts_b)
    return a.distance(b)


def _checked(vertices: Points) -> Vertices:
    """The vertices as the kernels take them: (n, 3) float64, C order, writeable."""
    array = np.asarray(vertices, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0:
        raise ValueError(f"convex part of shape {array.shape}, expected (n, 3) vertices with n >= 1")
    if not np.isfinite(array).all():
        raise ValueError("convex part with a vertex that is not finite; check the pose it was placed with")
    if array.flags.c_contiguous and array.flags.writeable:  # the only type the kernels are compiled for
        return array
    return np.array(array, order="C")
