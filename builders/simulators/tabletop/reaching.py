"""Joint angles that bring the gripper to a place: damped least squares, in exactly rounded arithmetic.

Bullet solves the same task, but its turns and its solver's end differ between CPUs in the last bits, and so would where
the arm is drawn. A path is solved frame by frame, each from the one before, so that the arm never jumps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from flowbench.geometry import compose, sin_cos
from flowbench.geometry.frames import Matrix

from .panda import Joints, panda, tip_from_hand

REST: Final[Joints] = (0.0, -0.35, 0.0, -2.25, 0.0, 1.95, 0.785)
"""The posture that the arm leans to where it has a choice."""
DECIMALS: Final = 7
_STEPS: Final = 40
_NEAR, _STRAIGHT = 2e-5, 2e-4
"""Metres and radians within which a place counts as reached."""
_DAMPING: Final = 1e-5
_LONGEST: Final = 0.25
"""Radians that a step turns a joint at most."""
_LEANING: Final = 0.15
"""Share of the way to :data:`REST` in the first of the steps; in the ``_LEAN_STEPS``-th there is none left."""
_LEAN_STEPS: Final = 8
_MARGIN: Final = 0.03
"""Radians kept from the joints' limits."""

Row = list[float]


def tip_frame(joints: Sequence[float]) -> Matrix:
    """World from the frame between the fingers' tips, (4, 4)."""
    return compose(panda().frames(joints)[-1], tip_from_hand())


def pointing(place: Sequence[float], closing: float, tilt: float = 0.0) -> Matrix:
    """World from a tip frame that points down: z down, y along which the fingers close.

    Args:
        place: (x, y, z), metres.
        closing: radians, direction of the frame's y seen from above, counter-clockwise from +x.
        tilt: radians by which the hand leans away from the direction ``closing`` - 90 degrees, towards which the tips
            then point.
    """
    (s, c), (st, ct) = sin_cos(closing), sin_cos(tilt)
    ahead = (s, -c)
    down = (st * ahead[0], st * ahead[1], -ct)
    y = (c, s, 0.0)
    x = (y[1] * down[2] - y[2] * down[1], y[2] * down[0] - y[0] * down[2], y[0] * down[1] - y[1] * down[0])
    out = np.eye(4)
    out[:3, 0], out[:3, 1], out[:3, 2], out[:3, 3] = x, y, down, tuple(place)
    return out


def reach(target: Matrix, start: Sequence[float]) -> Joints | None:
    """Joint angles, rounded, that bring the tip frame to ``target``; None if none are found near ``start``."""
    arm, q = panda(), list(start)
    for number in range(_STEPS):
        frames = arm.frames(q)
        tip = compose(frames[-1], tip_from_hand())
        error = _error(tip, target)
        shift = max(abs(value) for value in error[:3])
        turn = max(abs(value) for value in error[3:])
        if shift < _NEAR and turn < _STRAIGHT:
            return _within(q)
        share = _LEANING * max(0.0, 1.0 - number / _LEAN_STEPS)
        lean = [share * (rest - angle) for rest, angle in zip(REST, q, strict=True)]
        q = [a + b for a, b in zip(q, _step(frames[1:8], tip, error, lean), strict=True)]
    return None


def _within(joints: Sequence[float]) -> Joints | None:
    """The angles, rounded; None beyond a limit."""
    for angle, (low, high) in zip(joints, panda().limits, strict=True):
        if not low + _MARGIN <= angle <= high - _MARGIN:
            return None
    return tuple(round(angle, DECIMALS) + 0.0 for angle in joints)


def _error(tip: Matrix, target: Matrix) -> Row:
    """What is missing: a shift in metres and a turn as a rotation vector (exact near 0), world frame."""
    a, b = tip.tolist(), target.tolist()
    shift = [b[i][3] - a[i][3] for i in range(3)]
    turn = [0.0, 0.0, 0.0]
    for k in range(3):
        p, q = (a[0][k], a[1][k], a[2][k]), (b[0][k], b[1][k], b[2][k])
        turn[0] += 0.5 * (p[1] * q[2] - p[2] * q[1])
        turn[1] += 0.5 * (p[2] * q[0] - p[0] * q[2])
        turn[2] += 0.5 * (p[0] * q[1] - p[1] * q[0])
    return [*shift, *turn]


def _step(frames: Sequence[Matrix], tip: Matrix, error: Row, lean: Row) -> Row:
    """Change of the angles: damped least squares, and a lean in what is left over."""
    at = [float(value) for value in tip[:3, 3]]
    columns = []
    for frame in frames:
        rows = frame.tolist()
        z = (rows[0][2], rows[1][2], rows[2][2])
        d = [at[i] - rows[i][3] for i in range(3)]
        columns.append([z[1] * d[2] - z[2] * d[1], z[2] * d[0] - z[0] * d[2], z[0] * d[1] - z[1] * d[0], *z])
    wanted = [e - _along(columns, lean, i) for i, e in enumerate(error)]
    square = [[_pair(columns, i, j) + (_DAMPING if i == j else 0.0) for j in range(6)] for i in range(6)]
    force = _solved(square, wanted)
    step = [
        k + math.fsum(c * f for c, f in zip(column, force, strict=True))
        for k, column in zip(lean, columns, strict=True)
    ]
    longest = max(abs(value) for value in step)
    share = min(1.0, _LONGEST / longest) if longest > 0.0 else 1.0
    return [share * value for value in step]


def _along(columns: Sequence[Row], angles: Row, i: int) -> float:
    return math.fsum(column[i] * angle for column, angle in zip(columns, angles, strict=True))


def _pair(columns: Sequence[Row], i: int, j: int) -> float:
    return math.fsum(column[i] * column[j] for column in columns)


def _solved(matrix: list[Row], right: Row) -> Row:
    """Gaussian elimination of a positive definite matrix."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(n):
        for j in range(i + 1, n):
            share = rows[j][i] / rows[i][i]
            for k in range(i, n + 1):
                rows[j][k] -= share * rows[i][k]
    out = [0.0] * n
    for i in reversed(range(n)):
        rest = rows[i][n] - math.fsum(rows[i][k] * out[k] for k in range(i + 1, n))
        out[i] = rest / rows[i][i]
    return out
