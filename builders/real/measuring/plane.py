"""The table plane of pictures without useful depth (paper, B.3, "Language-Table table plane").

A homography takes pixels to the plane; it is fitted with RANSAC to places where the end effector was seen and recorded.
OpenCV's own is not used: its linear algebra may differ between CPUs, and its random numbers are not ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.sim.items import Reject

LEAST_CORRESPONDENCES = 30
INLIER = 8.0
"""Pixels."""
ROUNDS = 300
LEAST_INLIERS = 0.5
_TINY = 1e-12

Rows = list[list[float]]


def arm_foot(arm: NDArray[np.bool_]) -> tuple[float, float] | None:
    """The bottom-centre pixel of the arm's mask: its lowest row, the middle of it; None without an arm."""
    rows, columns = np.nonzero(arm)
    if rows.size == 0:
        return None
    lowest = int(rows.max())
    return float(np.median(columns[rows == lowest])), float(lowest)


def fit_plane(
    pixels: Sequence[tuple[float, float]],
    places: Sequence[tuple[float, float]],
    centre: tuple[float, float],
    rng: np.random.Generator,
) -> NDArray[np.float64] | Reject:
    """The plane of pictures taken by one camera that stands still.

    Args:
        pixels: where the end effector was seen.
        places: where it was recorded to be on the table, robot's frame, metres.
        centre: the principal point; there x points to the right of the picture and y down it.
        rng: draws RANSAC's samples.

    Returns:
        (3, 3) plane_from_pixel, metres; or why there is none.
    """
    if len(pixels) < LEAST_CORRESPONDENCES:
        return Reject("plane: too few places where the arm was seen")
    best: list[int] = []
    for _ in range(ROUNDS):
        four = sorted(rng.choice(len(pixels), 4, replace=False).tolist())
        matrix = _homography([places[k] for k in four], [pixels[k] for k in four])
        if matrix is not None:
            inliers = _inliers(matrix, pixels, places)
            best = inliers if len(inliers) > len(best) else best
    if len(best) < max(4, LEAST_INLIERS * len(pixels)):
        return Reject("plane: the places where the arm was seen do not agree")
    pixel_from_plane = _homography([places[k] for k in best], [pixels[k] for k in best])
    plane_from_pixel = None if pixel_from_plane is None else _inverse(pixel_from_plane)
    if plane_from_pixel is None:
        return Reject("plane: the places where the arm was seen lie in a row")
    return np.array(_turned(plane_from_pixel, centre))


def plane_of_camera(
    k: NDArray[np.float64], camera_from_robot: NDArray[np.float64], centre: tuple[float, float]
) -> NDArray[np.float64] | Reject:
    """The plane where the camera's pose was recorded: the robot stands on the table, whose height is 0.

    Args:
        k: (3, 3) intrinsics, pixels.
        camera_from_robot: (3, 4) pose, OpenCV's axes, metres.
        centre: as in :func:`fit_plane`.
    """
    pose = [[row[0], row[1], row[3]] for row in camera_from_robot.tolist()]
    plane_from_pixel = _inverse(_times(k.tolist(), pose))
    if plane_from_pixel is None:
        return Reject("plane: the camera looks along the table")
    return np.array(_turned(plane_from_pixel, centre))


def apply(matrix: Rows, u: float, v: float) -> tuple[float, float]:
    """A point taken through a homography."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    scale = g * u + h * v + i
    scale = _TINY if scale == 0.0 else scale
    return (a * u + b * v + c) / scale, (d * u + e * v + f) / scale


def _inliers(matrix: Rows, pixels: Sequence[tuple[float, float]], places: Sequence[tuple[float, float]]) -> list[int]:
    """Correspondences whose place is seen within INLIER of where it was seen."""
    found = []
    for k, (pixel, place) in enumerate(zip(pixels, places, strict=True)):
        u, v = apply(matrix, *place)
        du, dv = u - pixel[0], v - pixel[1]
        if du * du + dv * dv <= INLIER * INLIER:
            found.append(k)
    return found


def _homography(sources: Sequence[tuple[float, float]], targets: Sequence[tuple[float, float]]) -> Rows | None:
    """Least squares of eight unknowns (the last entry is 1), in coordinates that are centred and scaled."""
    from_sources, _ = _normal(sources)
    from_targets, to_targets = _normal(targets)
    if from_sources is None or from_targets is None:
        return None
    rows: Rows = []
    for source, target in zip(sources, targets, strict=True):
        x, y = apply(from_sources, *source)
        u, v = apply(from_targets, *target)
        rows.append([x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u])
        rows.append([0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v])
    normal = [[math.fsum(row[i] * row[j] for row in rows) for j in range(9)] for i in range(8)]
    solved = _solve(normal)
    if solved is None:
        return None
    inner = [solved[0:3], solved[3:6], [*solved[6:8], 1.0]]
    return _times(_times(to_targets, inner), from_sources)


def _normal(points: Sequence[tuple[float, float]]) -> tuple[Rows | None, Rows]:
    """What takes points to mean 0 and spread 1, and back; None where they are one point."""
    mx = math.fsum(x for x, _ in points) / len(points)
    my = math.fsum(y for _, y in points) / len(points)
    spread = math.sqrt(math.fsum((x - mx) * (x - mx) + (y - my) * (y - my) for x, y in points) / len(points))
    if spread < _TINY:
        return None, []
    there = [[1.0 / spread, 0.0, -mx / spread], [0.0, 1.0 / spread, -my / spread], [0.0, 0.0, 1.0]]
    return there, [[spread, 0.0, mx], [0.0, spread, my], [0.0, 0.0, 1.0]]


def _solve(system: Rows) -> list[float] | None:
    """Gauss-Jordan with the largest pivot, over (n, n + 1); None where it has no one solution."""
    n = len(system)
    rows = [list(row) for row in system]
    for column in range(n):
        pivot = max(range(column, n), key=lambda k: (abs(rows[k][column]), -k))
        if abs(rows[pivot][column]) < _TINY:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for k in range(n):
            if k != column and rows[k][column] != 0.0:
                factor = rows[k][column]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[column], strict=True)]
    return [row[n] for row in rows]


def _times(a: Rows, b: Rows) -> Rows:
    return [[math.fsum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def _inverse(m: Rows) -> Rows | None:
    """By cofactors, up to scale."""
    (a, b, c), (d, e, f), (g, h, i) = m
    cofactors = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ]
    whole = a * cofactors[0][0] + b * cofactors[1][0] + c * cofactors[2][0]
    return None if abs(whole) < _TINY else [[value / whole for value in row] for row in cofactors]


def _turned(matrix: Rows, centre: tuple[float, float]) -> Rows:
    """The same plane with x along the picture's right at its centre, and y at a right angle, down the picture."""
    u, v = centre
    origin, right, down = apply(matrix, u, v), apply(matrix, u + 1.0, v), apply(matrix, u, v + 1.0)
    rx, ry = right[0] - origin[0], right[1] - origin[1]
    size = math.sqrt(rx * rx + ry * ry)
    rx, ry = rx / size, ry / size
    dx, dy = -ry, rx
    if dx * (down[0] - origin[0]) + dy * (down[1] - origin[1]) < 0.0:
        dx, dy = -dx, -dy
    turn = [
        [rx, ry, -(rx * origin[0] + ry * origin[1])],
        [dx, dy, -(dx * origin[0] + dy * origin[1])],
        [0.0, 0.0, 1.0],
    ]
    return _times(turn, matrix)
