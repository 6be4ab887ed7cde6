"""How much of the key light reaches a point: the shadow map, filtered."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel
from .shadow import TILE

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]

_SOFTNESS = 0.10
"""Half-width of a penumbra, metres for each metre between caster and receiver."""


@kernel
def lit_share(
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    facing: float,
    heights: Float32,
    highest: Float32,
    lowest: Float32,
    frame: Float,
) -> float:
    """Share of the key light that reaches a point, 0..1.

    A square of the shadow map is averaged exactly; it grows with the caster's height above the receiver, as the
    penumbra of a square lamp does. Heights are compared with the receiver's tangent plane, so a flat face
    never shadows itself.

    Args:
        x, y, z: the point, world frame.
        nx, ny, nz: its normal.
        facing: cosine between normal and light, above 0.
        heights, highest, lowest, frame: see ShadowMap.
    """
    a, b, c = int(frame[0]), int(frame[1]), int(frame[2])
    pa = x if a == 0 else (y if a == 1 else z)
    pb = x if b == 0 else (y if b == 1 else z)
    pc = x if c == 0 else (y if c == 1 else z)
    na = nx if a == 0 else (ny if a == 1 else nz)
    nb = nx if b == 0 else (ny if b == 1 else nz)
    scale, corner_u, corner_v = frame[6], int(frame[7]), int(frame[8])
    u, v = (pa - pc * frame[4]) * scale, (pb - pc * frame[5]) * scale
    p, q = math.floor(u) - corner_u, math.floor(v) - corner_v
    rows, columns = heights.shape
    if p < TILE + 1 or q < TILE + 1 or p >= columns - TILE - 1 or q >= rows - TILE - 1:
        return 1.0
    # Slope of the tangent plane, metres of height a texel.
    steep = frame[9] / (max(facing, 0.05) * scale)
    slope_u, slope_v = -na * steep, -nb * steep
    steepness = abs(slope_u) + abs(slope_v)
    h = pc * frame[3] + 0.003 + 0.4 * steepness
    p //= TILE
    q //= TILE
    if highest[q, p] <= h - TILE * steepness:
        return 1.0
    if lowest[q, p] > h + TILE * steepness:
        return 0.0
    gu, gv = u / TILE - 0.5, v / TILE - 0.5
    p, q = math.floor(gu), math.floor(gv)
    gu -= p
    gv -= q
    p -= corner_u // TILE
    q -= corner_v // TILE
    rise = (1.0 - gv) * ((1.0 - gu) * max(highest[q, p] - h, 0.0) + gu * max(highest[q, p + 1] - h, 0.0)) + gv * (
        (1.0 - gu) * max(highest[q + 1, p] - h, 0.0) + gu * max(highest[q + 1, p + 1] - h, 0.0)
    )
    radius = min(max(rise * _SOFTNESS * scale, 0.75), TILE - 0.5)
    u0, u1, v0, v1 = u - radius, u + radius, v - radius, v + radius
    i0, i1, j0, j1 = math.floor(u0), math.floor(u1), math.floor(v0), math.floor(v1)
    left, right = i0 + 1.0 - u0, u1 - i1
    blocked = 0.0
    for j in range(j0, j1 + 1):
        row = j - corner_v
        base = h + slope_v * (j + 0.5 - v) + slope_u * (0.5 - u)
        count = 0
        for i in range(i0 + 1, i1):
            count += heights[row, i - corner_u] > base + slope_u * i
        share = float(count)
        if heights[row, i0 - corner_u] > base + slope_u * i0:
            share += left
        if heights[row, i1 - corner_u] > base + slope_u * i1:
            share += right
        if j == j0:
            share *= j0 + 1.0 - v0
        elif j == j1:
            share *= v1 - j1
        blocked += share
    return float(1.0 - blocked / (4.0 * radius * radius))
