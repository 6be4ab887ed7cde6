"""The Gilbert-Johnson-Keerthi distance between convex hulls, and its minimum over two unions of hulls.

Kernels in the common subset of Python and numba: scalar additions, multiplications, divisions and square
roots in a fixed order, so that compiled or not they give the same bits. The closest point is always formed
as a convex combination of true differences of vertices; hence a result is never below the true distance by
more than rounding, and the loop ends with a separating plane that proves it from the other side.

Source: Gilbert, Johnson, Keerthi (1988), with the sub-simplex found by trying every feature (at most 4
corners, 6 edges, 4 faces), which needs no case distinction that degenerate simplices could upset.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel

Float = NDArray[np.float64]
Int = NDArray[np.int64]

TOUCHING = 1e-10
"""Hulls nearer than this (metres) count as touching: their distance is 0."""
_PROVEN = 1e-11
"""The loop ends when the distance is known to within this (metres)."""
_FLAT = 1e-18
"""A triangle whose squared height is below this share of its squared longest edge is left to its edges."""
_MAX_STEPS = 128


@kernel
def _farthest(vertices: Float, first: int, last: int, x: float, y: float, z: float) -> int:
    """Index in [first, last) of the vertex farthest along (x, y, z), the lowest index on ties."""
    best = first
    reach = vertices[first, 0] * x + vertices[first, 1] * y + vertices[first, 2] * z
    for i in range(first + 1, last):
        value = vertices[i, 0] * x + vertices[i, 1] * y + vertices[i, 2] * z
        if value > reach:
            reach = value
            best = i
    return best


@kernel
def _try_edge(s: Float, i: int, j: int, least: float, weights: Float) -> float:
    """The point of edge (i, j) nearest to the origin; if it beats ``least``, note its weights."""
    ex, ey, ez = s[j, 0] - s[i, 0], s[j, 1] - s[i, 1], s[j, 2] - s[i, 2]
    length2 = ex * ex + ey * ey + ez * ez
    t = 0.0
    if length2 > 0.0:
        t = -(s[i, 0] * ex + s[i, 1] * ey + s[i, 2] * ez) / length2
        if t < 0.0:
            t = 0.0
        elif t > 1.0:
            t = 1.0
    r = 1.0 - t
    x, y, z = r * s[i, 0] + t * s[j, 0], r * s[i, 1] + t * s[j, 1], r * s[i, 2] + t * s[j, 2]
    squared: float = x * x + y * y + z * z
    if squared >= least:
        return least
    for k in range(4):
        weights[k] = 0.0
    weights[i] = r
    weights[j] = t
    return squared


@kernel
def _try_face(s: Float, i: int, j: int, k: int, least: float, weights: Float) -> float:
    """The origin's foot on face (i, j, k), where it falls inside; if it beats ``least``, note its weights."""
    ux, uy, uz = s[j, 0] - s[i, 0], s[j, 1] - s[i, 1], s[j, 2] - s[i, 2]
    vx, vy, vz = s[k, 0] - s[i, 0], s[k, 1] - s[i, 1], s[k, 2] - s[i, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    area2 = nx * nx + ny * ny + nz * nz
    longest2 = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz)
    if area2 <= _FLAT * longest2 * longest2:
        return least
    px, py, pz = -s[i, 0], -s[i, 1], -s[i, 2]
    b = (nx * (py * vz - pz * vy) + ny * (pz * vx - px * vz) + nz * (px * vy - py * vx)) / area2
    c = (nx * (uy * pz - uz * py) + ny * (uz * px - ux * pz) + nz * (ux * py - uy * px)) / area2
    a = 1.0 - b - c
    if a < 0.0 or b < 0.0 or c < 0.0:
        return least
    x = a * s[i, 0] + b * s[j, 0] + c * s[k, 0]
    y = a * s[i, 1] + b * s[j, 1] + c * s[k, 1]
    z = a * s[i, 2] + b * s[j, 2] + c * s[k, 2]
    squared: float = x * x + y * y + z * z
    if squared >= least:
        return least
    for m in range(4):
        weights[m] = 0.0
    weights[i] = a
    weights[j] = b
    weights[k] = c
    return squared


@kernel
def _volume(s: Float, i: int, j: int, k: int) -> float:
    """Six times the signed volume of the tetrahedron (origin, i, j, k)."""
    x = s[j, 1] * s[k, 2] - s[j, 2] * s[k, 1]
    y = s[j, 2] * s[k, 0] - s[j, 0] * s[k, 2]
    z = s[j, 0] * s[k, 1] - s[j, 1] * s[k, 0]
    volume: float = (s[i, 0] * x + s[i, 1] * y) + s[i, 2] * z
    return volume


@kernel
def _encloses(s: Float, weights: Float) -> bool:
    """Whether the origin lies strictly inside the tetrahedron; if so, note its weights."""
    a, b, c, d = _volume(s, 1, 2, 3), -_volume(s, 0, 2, 3), _volume(s, 0, 1, 3), -_volume(s, 0, 1, 2)
    if not ((a > 0.0 and b > 0.0 and c > 0.0 and d > 0.0) or (a < 0.0 and b < 0.0 and c < 0.0 and d < 0.0)):
        return False
    total = a + b + c + d
    weights[0] = a / total
    weights[1] = b / total
    weights[2] = c / total
    weights[3] = d / total
    return True


@kernel
def _nearest(s: Float, count: int, weights: Float) -> float:
    """Squared distance from the origin to the simplex of the first ``count`` rows of (4, 3) ``s``.

    ``weights`` (4,) receives the nearest point's barycentric coordinates; rows not needed get 0.
    """
    if count == 4 and _encloses(s, weights):
        return 0.0
    for k in range(4):
        weights[k] = 0.0
    weights[0] = 1.0
    least: float = s[0, 0] * s[0, 0] + s[0, 1] * s[0, 1] + s[0, 2] * s[0, 2]
    for j in range(1, count):
        for i in range(j):
            least = _try_edge(s, i, j, least, weights)
    for k in range(2, count):
        for j in range(1, k):
            for i in range(j):
                least = _try_face(s, i, j, k, least, weights)
    return least


@kernel
def _compact(s: Float, pairs: Int, weights: Float, count: int) -> int:
    """Drop the corners of weight 0; returns how many are left."""
    kept = 0
    for i in range(count):
        if weights[i] > 0.0:
            for axis in range(3):
                s[kept, axis] = s[i, axis]
            pairs[kept, 0] = pairs[i, 0]
            pairs[kept, 1] = pairs[i, 1]
            weights[kept] = weights[i]
            kept += 1
    for i in range(kept, 4):
        weights[i] = 0.0
    return kept


@kernel
def _enter(s: Float, pairs: Int, row: int, va: Float, i: int, vb: Float, j: int) -> None:
    """Put the difference of vertex i of A and j of B into a row of the simplex."""
    for axis in range(3):
        s[row, axis] = va[i, axis] - vb[j, axis]
    pairs[row, 0] = i
    pairs[row, 1] = j


@kernel
def _holds(pairs: Int, count: int, i: int, j: int) -> bool:
    """Whether the pair of vertices (i, j) is a corner of the simplex already."""
    for k in range(count):  # noqa: SIM110 (a generator expression does not compile)
        if pairs[k, 0] == i and pairs[k, 1] == j:
            return True
    return False


@kernel
def hull_distance(
    va: Float,
    a_first: int,
    a_last: int,
    vb: Float,
    b_first: int,
    b_last: int,
    limit: float,
    s: Float,
    pairs: Int,
    weights: Float,
) -> float:
    """Distance in metres between the hulls of va[a_first:a_last] and vb[b_first:b_last].

    Args:
        va, vb: (n, 3) and (m, 3) float64, C order.
        a_first, a_last, b_first, b_last: the rows that make the two hulls, at least one each.
        limit: stop as soon as the distance is known to be at least this; the value returned then is at
            least ``limit`` but may exceed the distance.
        s, pairs, weights: (4, 3) float64, (4, 2) int64, (4,) float64 workspace; afterwards the rows of
            ``weights`` above 0 express the closest points by the vertices of ``pairs``.
    """
    _enter(s, pairs, 0, va, a_first, vb, b_first)
    count = 1
    squared = _nearest(s, count, weights)
    for _ in range(_MAX_STEPS):
        if squared <= TOUCHING * TOUCHING:
            return 0.0
        x = y = z = 0.0
        for k in range(count):
            x += weights[k] * s[k, 0]
            y += weights[k] * s[k, 1]
            z += weights[k] * s[k, 2]
        i = _farthest(va, a_first, a_last, -x, -y, -z)
        j = _farthest(vb, b_first, b_last, x, y, z)
        _enter(s, pairs, count, va, i, vb, j)
        # Both hulls lie on their sides of two planes this far apart (times the norm of the direction).
        gap = x * s[count, 0] + y * s[count, 1] + z * s[count, 2]
        distance = math.sqrt(squared)
        if gap >= limit * distance or squared - gap <= _PROVEN * distance or _holds(pairs, count, i, j):
            return distance
        held0, held1, held2 = weights[0], weights[1], weights[2]
        nearer = _nearest(s, count + 1, weights)
        if nearer >= squared:  # rounding is all that is left
            weights[0], weights[1], weights[2], weights[3] = held0, held1, held2, 0.0
            return distance
        squared = nearer
        count = _compact(s, pairs, weights, count + 1)
    return math.sqrt(squared)


@kernel
def box_gap2(low_a: Float, high_a: Float, low_b: Float, high_b: Float, i: int, j: int) -> float:
    """Squared distance between box i of A and box j of B, axis-aligned, (k, 3) corners each; 0 on overlap."""
    total = 0.0
    for axis in range(3):
        gap = max(low_a[i, axis] - high_b[j, axis], low_b[j, axis] - high_a[i, axis])
        if gap > 0.0:
            total += gap * gap
    return total


@kernel
def union_distance(
    va: Float,
    a_offsets: Int,
    low_a: Float,
    high_a: Float,
    vb: Float,
    b_offsets: Int,
    low_b: Float,
    high_b: Float,
    limit: float,
    points: Float,
) -> float:
    """The least distance over all pairs of a part of A and a part of B, but at most ``limit``.

    Starts with the pair whose boxes are nearest and skips all pairs whose boxes are farther apart than what
    has been found; ``points`` (2, 3) receives the closest points on A and B where the result is below
    ``limit`` and above 0.
    """
    s = np.zeros((4, 3))
    pairs = np.zeros((4, 2), dtype=np.int64)
    weights = np.zeros(4)
    a_count = len(a_offsets) - 1
    b_count = len(b_offsets) - 1
    first = 0
    lowest = math.inf
    for pair in range(a_count * b_count):
        bound = box_gap2(low_a, high_a, low_b, high_b, pair // b_count, pair % b_count)
        if bound < lowest:
            lowest = bound
            first = pair
    least = limit
    for turn in range(-1, a_count * b_count):
        if turn == first:
            continue
        pair = first if turn < 0 else turn
        i = pair // b_count
        j = pair % b_count
        if box_gap2(low_a, high_a, low_b, high_b, i, j) >= least * least:
            continue
        found = hull_distance(
            va, a_offsets[i], a_offsets[i + 1], vb, b_offsets[j], b_offsets[j + 1], least, s, pairs, weights
        )
        if found < least:
            least = found
            for axis in range(3):
                points[0, axis] = 0.0
                points[1, axis] = 0.0
                for k in range(4):
                    if weights[k] > 0.0:
                        points[0, axis] += weights[k] * va[pairs[k, 0], axis]
                        points[1, axis] += weights[k] * vb[pairs[k, 1], axis]
            if least == 0.0:
                return 0.0
    return least
