"""The table as still objects stand on it, and whether another thing does too: depth questions need that (real.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flowbench.schema.real_meta import Sighting

from .sighting import Optics

LEAST_STANDING = 3
RESTING = 0.03
"""Metres off the table that count as standing on it."""
_SINGULAR = 1e-12

Table = tuple[float, float, float]
"""(a, b, c) of y = a x + b z + c in the camera frame of I0, metres."""


def bottom(sighting: Sighting, optics: Optics) -> tuple[float, float, float]:
    """The point below an object's middle where its box ends, at its depth, camera frame, metres."""
    fx, fy = optics.focal
    left, top, width, height = sighting.bbox
    u, v, z = left + (width - 1.0) / 2.0, top + height - 1.0, sighting.depth
    return (u - float(optics.k[0, 2])) * z / fx, (v - float(optics.k[1, 2])) * z / fy, z


def table_under(standing: Sequence[Sighting], optics: Optics) -> Table | None:
    """Least squares through the bottoms of still objects; None where they are too few or stand in a row."""
    if len(standing) < LEAST_STANDING:
        return None
    points = [bottom(each, optics) for each in standing]
    rows = [(x, z, 1.0) for x, _, z in points]
    matrix = [[math.fsum(row[i] * row[j] for row in rows) for j in range(3)] for i in range(3)]
    right = [math.fsum(row[i] * point[1] for row, point in zip(rows, points, strict=True)) for i in range(3)]
    whole = _determinant(matrix)
    if abs(whole) < _SINGULAR:
        return None
    a, b, c = (
        _determinant([[right[i] if j == column else matrix[i][j] for j in range(3)] for i in range(3)]) / whole
        for column in range(3)
    )
    return a, b, c


def stands(sighting: Sighting, table: Table, optics: Optics) -> bool:
    """Whether an object's bottom lies on the table."""
    a, b, c = table
    x, y, z = bottom(sighting, optics)
    off = abs(y - (a * x + b * z + c)) / math.sqrt(1.0 + a * a + b * b)
    return off <= RESTING


def _determinant(m: Sequence[Sequence[float]]) -> float:
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )
