"""What polished metal mirrors: all that is around, as one picture.

The picture is an octahedron's net: a direction is divided by the sum of its coordinates' sizes; the upper half is what
lies inside the diamond |u| + |v| < 1, the lower half is folded over its edges into the corners. It has no poles, and a
lookup needs no angle.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel

Float = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Index = NDArray[np.int64]

GAIN = 8.0
"""Linear light of the picture's white: lamps in it are brighter than paper."""


def directions(size: int) -> Float:
    """(size, size, 3) unit directions (world) that the texels of a mirrored picture show; row index grows with v."""
    step = (np.arange(size) + 0.5) * (2.0 / size) - 1.0
    u, v = np.broadcast_to(step[None, :], (size, size)), np.broadcast_to(step[:, None], (size, size))
    up = 1.0 - np.abs(u) - np.abs(v)
    below = up < 0.0
    x = np.where(below, (1.0 - np.abs(v)) * np.where(u < 0.0, -1.0, 1.0), u)
    y = np.where(below, (1.0 - np.abs(u)) * np.where(v < 0.0, -1.0, 1.0), v)
    length = np.sqrt(x * x + y * y + up * up)
    return np.stack([x / length, y / length, up / length], axis=-1)


@kernel
def _place(column: int, row: int, size: int) -> int:
    """Place of a texel in a level; beyond an edge the net goes on at the same edge, from its other end."""
    if column < 0 or column >= size:
        column, row = min(max(column, 0), size - 1), size - 1 - row
    if row < 0 or row >= size:
        column, row = size - 1 - column, min(max(row, 0), size - 1)
    return row * size + column


@kernel
def mirrored(
    x: float,
    y: float,
    z: float,
    rough: float,
    row: int,
    texels: Bytes,
    starts: Index,
    sizes: Index,
    counts: Index,
) -> tuple[float, float, float]:
    """Linear light that comes from a direction (world, need not be unit), blurred as a rough surface blurs it.

    Args:
        x, y, z: the direction one looks in.
        rough: roughness of the mirror; the rougher, the coarser the two levels that are mixed.
        row: of the picture in the texture set.
        texels, starts, sizes, counts: see TextureSet.
    """
    over = 1.0 / (abs(x) + abs(y) + abs(z) + 1e-12)
    u, v = x * over, y * over
    if z < 0.0:
        u, v = (1.0 - abs(v)) * (-1.0 if u < 0.0 else 1.0), (1.0 - abs(u)) * (-1.0 if v < 0.0 else 1.0)
    u, v = 0.5 * u + 0.5, 0.5 * v + 0.5
    last = counts[row] - 1
    blur = min(rough * last, 1.0 * last)
    level = min(int(blur), max(last - 1, 0))
    blur -= level
    red = green = blue = 0.0
    for step in range(2):
        share = 1.0 - blur if step == 0 else blur
        if share == 0.0:
            continue
        n = sizes[row] >> (level + step)
        first = starts[row, level + step]
        gu, gv = u * n - 0.5, v * n - 0.5
        left, top = math.floor(gu), math.floor(gv)
        gu -= left
        gv -= top
        k0, k1 = share * (1.0 - gu) * (1.0 - gv), share * gu * (1.0 - gv)
        k2, k3 = share * (1.0 - gu) * gv, share * gu * gv
        a, b = first + _place(left, top, n), first + _place(left + 1, top, n)
        c, d = first + _place(left, top + 1, n), first + _place(left + 1, top + 1, n)
        red += k0 * texels[a, 0] + k1 * texels[b, 0] + k2 * texels[c, 0] + k3 * texels[d, 0]
        green += k0 * texels[a, 1] + k1 * texels[b, 1] + k2 * texels[c, 1] + k3 * texels[d, 1]
        blue += k0 * texels[a, 2] + k1 * texels[b, 2] + k2 * texels[c, 2] + k3 * texels[d, 2]
    gain = GAIN / 65025.0
    return gain * red * red, gain * green * green, gain * blue * blue
