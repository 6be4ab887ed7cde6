"""Ambient occlusion from the depth image, at half resolution.

Each pixel looks at neighbours on a spiral within a world radius and counts those that rise above its tangent
plane, less the farther they are ("The Alchemy screen-space ambient obscurance algorithm", McGuire et al. 2011).
The spiral is turned in a 4x4 pattern whose noise a 4x4 average over pixels of like depth then cancels.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel
from ..geometry import sin_cos
from .visibility import NOTHING

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int = NDArray[np.int32]

TAPS = 12
RADIUS = 0.45
"""How far an occluder reaches, metres."""

_LARGEST = 0.16
"""Largest radius in the picture, as a share of its height."""

_STRENGTH = 1.9
_GOLDEN_ANGLE = 2.399963229728653


def spirals() -> Float:
    """(16, TAPS, 3): offsets (x, y) in the unit disc and their length, for each of the 4x4 turns."""
    table = np.empty((16, TAPS, 3))
    order = (0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5)
    for cell in range(16):
        for tap in range(TAPS):
            share = (tap + (order[cell] + 0.5) / 16.0) / TAPS
            sine, cosine = sin_cos(tap * _GOLDEN_ANGLE + order[cell] * 2.0 * math.pi / 16.0)
            table[cell, tap] = share * cosine, share * sine, share
    return table


@kernel
def occlude(
    start: int,
    stop: int,
    inverse_depth: Float,
    seen: Int,
    points: Float,
    faces: Int,
    pose: Float,
    lens: Float,
    table: Float,
    openness: Float32,
) -> None:
    """Share of the surroundings that is open, 0..1, for the half-resolution rows ``start..stop - 1``.

    Args:
        inverse_depth, seen: (H, W) from the pixel centres.
        points, faces: see Scene.
        pose, lens: the camera.
        table: see :func:`spirals`.
        openness: out, ((H + 1) // 2, (W + 1) // 2).
    """
    height, width = inverse_depth.shape
    focal, centre_u, centre_v = lens[0], lens[1], lens[2]
    for y in range(start, stop):
        for x in range(openness.shape[1]):
            px, py = 2 * x, 2 * y
            f = seen[py, px]
            if f == NOTHING:
                openness[y, x] = 1.0
                continue
            i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
            ax, ay, az = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
            bx, by, bz = points[k, 0] - points[i, 0], points[k, 1] - points[i, 1], points[k, 2] - points[i, 2]
            wx, wy, wz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            length = 1.0 / math.sqrt(wx * wx + wy * wy + wz * wz)
            nx = (pose[0, 0] * wx + pose[0, 1] * wy + pose[0, 2] * wz) * length
            ny = (pose[1, 0] * wx + pose[1, 1] * wy + pose[1, 2] * wz) * length
            nz = (pose[2, 0] * wx + pose[2, 1] * wy + pose[2, 2] * wz) * length
            z = 1.0 / inverse_depth[py, px]
            qx, qy = (px - centre_u) / focal * z, (py - centre_v) / focal * z
            reach = min(RADIUS * focal / z, _LARGEST * height)
            taps = table[(y & 3) * 4 + (x & 3)]
            total = 0.0
            for t in range(TAPS):
                sx = px + math.floor(taps[t, 0] * reach + 0.5)
                sy = py + math.floor(taps[t, 1] * reach + 0.5)
                if sx < 0 or sy < 0 or sx >= width or sy >= height or seen[sy, sx] == NOTHING:
                    continue
                sz = 1.0 / inverse_depth[sy, sx]
                dx = (sx - centre_u) / focal * sz - qx
                dy = (sy - centre_v) / focal * sz - qy
                dz = sz - z
                square = dx * dx + dy * dy + dz * dz
                if square >= RADIUS * RADIUS or square < 1e-9:
                    continue
                distance = math.sqrt(square)
                rise = (nx * dx + ny * dy + nz * dz) / distance - 0.1
                if rise > 0.0:
                    fade = 1.0 - distance / RADIUS
                    total += rise * fade * (2.0 - fade)
            openness[y, x] = max(1.0 - _STRENGTH * total / TAPS, 0.0)


@kernel
def smooth(start: int, stop: int, inverse_depth: Float, openness: Float32, out: Float32) -> None:
    """Average 4x4 half-resolution pixels of like depth, rows ``start..stop - 1``."""
    rows, columns = openness.shape
    for y in range(start, stop):
        for x in range(columns):
            own = inverse_depth[2 * y, 2 * x]
            total, weight = 0.0, 0.0
            for dy in range(-2, 2):
                for dx in range(-2, 2):
                    qy, qx = min(max(y + dy, 0), rows - 1), min(max(x + dx, 0), columns - 1)
                    w = 1.0 / (1e-3 + 25.0 * abs(1.0 - inverse_depth[2 * qy, 2 * qx] / max(own, 1e-9)))
                    w = min(w, 4.0)
                    total += w * openness[qy, qx]
                    weight += w
            out[y, x] = total / weight
