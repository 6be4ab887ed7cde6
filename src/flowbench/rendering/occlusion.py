"""What shades a point besides the key light's shadow: corners, and what stands between it and its lamp.

Both are made at half resolution from the depth image, with patterns turned from pixel to pixel in a 4x4 cell;
a 4x4 average over pixels of like depth cancels their noise.

Corners: each pixel looks at neighbours on a spiral within a world radius and counts those that rise above its
tangent plane, less the farther they are ("The Alchemy screen-space ambient obscurance algorithm", McGuire et
al. 2011). Lamps: a walk from the point toward its brightest lamp through the key light's height map, which
knows the upper side of everything; whatever lies deeper than a hand's breadth below it counts as free, so
that shelves and the space under tables are not solid.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel
from ..geometry import sin_cos
from .lamps import ALL_ROUND, DIRECTION, SAME_REGION, elsewhere
from .rasterizing import NOTHING
from .shadow import TILE

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int = NDArray[np.int32]

RADIUS = 0.6
"""How far an occluder in a corner reaches, metres."""

_TAPS = 8
_LARGEST = 0.2
"""Largest radius in the picture, as a share of its height."""
_STRENGTH = 3.2
_FLAT = 0.08
"""Sine of the elevation above the tangent plane from which on a neighbour closes anything off."""
_STEPS = 6
_THICKNESS = 0.3
"""Casters are taken to be this thick, metres."""
_GOLDEN_ANGLE = 2.399963229728653
_ORDER = (0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5)
"""Bayer's order of a 4x4 cell."""


def spirals() -> Float:
    """(16, _TAPS, 2): offsets (x, y) in the unit disc for each place in the 4x4 cell."""
    table = np.empty((16, _TAPS, 2))
    for cell, order in enumerate(_ORDER):
        for tap in range(_TAPS):
            share = (tap + (order + 0.5) / 16.0) / _TAPS
            share *= 0.3 + 0.7 * share
            sine, cosine = sin_cos(tap * _GOLDEN_ANGLE + order * 2.0 * math.pi / 16.0)
            table[cell, tap] = share * cosine, share * sine
    return table


@kernel
def halve(start: int, stop: int, inverse_depth: Float, depth: Float32) -> None:
    """Planar depth of every other pixel, 0 where nothing is hit; half-resolution rows ``start..stop - 1``."""
    for y in range(start, stop):
        for x in range(depth.shape[1]):
            inverse = inverse_depth[2 * y, 2 * x]
            depth[y, x] = 1.0 / inverse if inverse > 0.0 else 0.0


@kernel
def _corner(x: int, y: int, nx: float, ny: float, nz: float, depth: Float32, lens: Float, taps: Float) -> float:
    """Share of the surroundings of half-resolution pixel (x, y) that is open; its normal in the camera frame."""
    rows, columns = depth.shape
    step = 2.0 / lens[0]
    z = depth[y, x]
    reach = min(RADIUS / (step * z), _LARGEST * rows)
    off_u, off_v = 0.5 * lens[1], 0.5 * lens[2]
    px, py = (x - off_u) * step * z, (y - off_v) * step * z
    total = 0.0
    for t in range(len(taps)):
        sx, sy = x + math.floor(taps[t, 0] * reach + 0.5), y + math.floor(taps[t, 1] * reach + 0.5)
        if sx < 0 or sy < 0 or sx >= columns or sy >= rows:
            continue
        sz = depth[sy, sx]
        dx, dy, dz = (sx - off_u) * step * sz - px, (sy - off_v) * step * sz - py, sz - z
        square = dx * dx + dy * dy + dz * dz
        rise = nx * dx + ny * dy + nz * dz
        # Most neighbours lie on the same plane; that they do is found before there is a root to take.
        if sz == 0.0 or square >= RADIUS * RADIUS or rise <= 0.0 or rise * rise <= _FLAT * _FLAT * square:
            continue
        distance = math.sqrt(square)
        fade = 1.0 - distance / RADIUS
        total += (rise / distance - _FLAT) * fade * (2.0 - fade)
    return max(1.0 - _STRENGTH * total / len(taps), 0.0)


@kernel
def _lamp_share(
    wx: float,
    wy: float,
    wz: float,
    nx: float,
    ny: float,
    nz: float,
    lamps: Float,
    heights: Float32,
    highest: Float32,
    frame: Float,
    jitter: float,
) -> float:
    """Share of all lamps' light that reaches a point (world frame), if only the brightest were blocked."""
    best, total, tx, ty, tz = 0.0, 0.0, 0.0, 0.0, 0.0
    after = 0
    while after < len(lamps):
        k = after
        if elsewhere(wx, wy, wz, lamps, k):
            after += int(lamps[k, SAME_REGION])
            continue
        after += 1
        lx, ly, lz = lamps[k, 0] - wx, lamps[k, 1] - wy, lamps[k, 2] - wz
        facing = nx * lx + ny * ly + nz * lz
        if facing <= 0.0:
            continue
        square = lx * lx + ly * ly + lz * lz
        lobe = lamps[k, ALL_ROUND] * math.sqrt(square) - (
            lx * lamps[k, DIRECTION] + ly * lamps[k, DIRECTION + 1] + lz * lamps[k, DIRECTION + 2]
        )
        if lobe <= 0.0:
            continue
        power = facing * lobe * (lamps[k, 3] + lamps[k, 4] + lamps[k, 5]) / (square * (square + 0.3))
        total += power
        if power > best:
            best, tx, ty, tz = power, lx, ly, lz
    if best == 0.0:
        return 1.0
    a, b, c = int(frame[0]), int(frame[1]), int(frame[2])
    sx, sy, sz = wx + 0.03 * nx, wy + 0.03 * ny, wz + 0.03 * nz
    pa = sx if a == 0 else (sy if a == 1 else sz)
    pb = sx if b == 0 else (sy if b == 1 else sz)
    pc = sx if c == 0 else (sy if c == 1 else sz)
    ta = tx if a == 0 else (ty if a == 1 else tz)
    tb = tx if b == 0 else (ty if b == 1 else tz)
    tc = tx if c == 0 else (ty if c == 1 else tz)
    h, climb = pc * frame[3], tc * frame[3]
    if climb < 0.1:
        return 1.0
    scale = frame[6]
    u, v = (pa - pc * frame[4]) * scale, (pb - pc * frame[5]) * scale
    du, dv = (ta - tc * frame[4]) * scale, (tb - tc * frame[5]) * scale
    rows, columns = heights.shape
    blocked = 0.0
    for k in range(_STEPS):
        share = (k + jitter) / _STEPS
        t = 0.95 * share * (0.4 + 0.6 * share)
        iu, iv = math.floor(u + t * du) - int(frame[7]), math.floor(v + t * dv) - int(frame[8])
        if iu < 0 or iv < 0 or iu >= columns or iv >= rows:
            continue
        if highest[iv // TILE, iu // TILE] <= h + t * climb:
            continue
        rise = heights[iv, iu] - (h + t * climb)
        if 0.0 < rise < _THICKNESS:
            blocked = max(blocked, min(rise / (0.01 + 0.05 * t * climb), 1.0))
    return 1.0 - blocked * best / total


@kernel
def occlude(
    start: int,
    stop: int,
    depth: Float32,
    seen: Int,
    points: Float,
    faces: Int,
    view: Float,
    lens: Float,
    spiral: Float,
    lamps: Float,
    heights: Float32,
    highest: Float32,
    frame: Float,
    shares: Float32,
) -> None:
    """Half-resolution rows ``start..stop - 1``.

    Args:
        depth: (H2, W2) see :func:`halve`.
        seen: (H, W) face at every pixel centre.
        points, faces: see Scene.
        view, lens: the camera, see shading.view_of and visibility.lens.
        spiral: see :func:`spirals`.
        lamps, heights, highest, frame: see shading and ShadowMap.
        shares: out, (H2, W2, 2): what is open of the surroundings, and of the way to the lamp, 0..1.
    """
    known = NOTHING
    for y in range(start, stop):
        for x in range(depth.shape[1]):
            shares[y, x, 0] = 1.0
            shares[y, x, 1] = 1.0
            f = seen[2 * y, 2 * x]
            if f == NOTHING:
                continue
            if f != known:  # rows run along faces, so it seldom changes
                known = f
                i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
                ax, ay, az = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
                bx, by, bz = points[k, 0] - points[i, 0], points[k, 1] - points[i, 1], points[k, 2] - points[i, 2]
                nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
                over = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
                nx *= over
                ny *= over
                nz *= over
                cx = view[6] * nx + view[9] * ny + view[12] * nz
                cy = view[7] * nx + view[10] * ny + view[13] * nz
                cz = view[8] * nx + view[11] * ny + view[14] * nz
            cell = (y & 3) * 4 + (x & 3)
            shares[y, x, 0] = _corner(x, y, cx, cy, cz, depth, lens, spiral[cell])
            if len(lamps):
                z = depth[y, x]
                rx, ry = (2 * x - lens[1]) / lens[0], (2 * y - lens[2]) / lens[0]
                wx = view[3] + z * (view[6] * rx + view[7] * ry + view[8])
                wy = view[4] + z * (view[9] * rx + view[10] * ry + view[11])
                wz = view[5] + z * (view[12] * rx + view[13] * ry + view[14])
                jitter = (_ORDER[cell] + 0.5) / 16.0
                shares[y, x, 1] = _lamp_share(wx, wy, wz, nx, ny, nz, lamps, heights, highest, frame, jitter)


@kernel
def smooth(start: int, stop: int, depth: Float32, shares: Float32, out: Float32) -> None:
    """Average 4x4 half-resolution pixels of like depth, rows ``start..stop - 1``."""
    rows, columns = depth.shape
    # A row at a time, one shift of it after the other: loops without branches, which compilers vectorize.
    line = np.empty((3, columns + 3))
    near, opened, reached = line[0], line[1], line[2]
    sums = np.empty((3, columns))
    open_sum, lamp_sum, weights = sums[0], sums[1], sums[2]
    tight = np.empty(columns)
    for y in range(start, stop):
        sums[:] = 0.0
        for x in range(columns):
            tight[x] = 20.0 / max(depth[y, x], 1e-3)
        for dy in range(-2, 2):
            qy = min(max(y + dy, 0), rows - 1)
            for x in range(columns):
                near[x + 2] = depth[qy, x]
                opened[x + 2] = shares[qy, x, 0]
                reached[x + 2] = shares[qy, x, 1]
            for c in range(3):
                line[c, 0] = line[c, 1] = line[c, 2]
                line[c, columns + 2] = line[c, columns + 1]
            for dx in range(4):
                for x in range(columns):
                    w = max(1.0 - abs(near[x + dx] - depth[y, x]) * tight[x], 0.001)
                    open_sum[x] += w * opened[x + dx]
                    lamp_sum[x] += w * reached[x + dx]
                    weights[x] += w
        for x in range(columns):
            out[y, x, 0] = open_sum[x] / weights[x]
            out[y, x, 1] = lamp_sum[x] / weights[x]
