"""What procedural textures are made of: coordinates, tileable noise, waves, blends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .mesh import Float

SIZE = 256
"""Texels a side."""

_STEP = (np.arange(SIZE) + 0.5) / SIZE
X: Float = np.ascontiguousarray(np.broadcast_to(_STEP[None, :], (SIZE, SIZE)))
"""u of each texel, 0..1, (SIZE, SIZE)."""
Y: Float = np.ascontiguousarray(np.broadcast_to(_STEP[:, None], (SIZE, SIZE)))
"""v of each texel, 0..1, (SIZE, SIZE)."""

Mask = NDArray[np.bool_]
RGB = tuple[float, float, float]


def noise(
    rng: np.random.Generator, octaves: Sequence[int], *, fade: float = 0.55, across: float = 1.0, along: float = 1.0
) -> Float:
    """Tileable value noise, (SIZE, SIZE), stretched to 0..1.

    Args:
        rng: where the lattice values come from.
        octaves: lattice cells a side of each octave.
        fade: weight of an octave relative to the one before.
        across, along: factors on the cells in u and v.
    """
    out = np.zeros((SIZE, SIZE))
    weight = 1.0
    for cells in octaves:
        rows, columns = max(1, round(cells * along)), max(1, round(cells * across))
        lattice = rng.random((rows, columns))
        out += weight * _interpolated(lattice)
        weight *= fade
    low, high = float(out.min()), float(out.max())
    return (out - low) / (high - low)


def _interpolated(lattice: Float) -> Float:
    """The lattice, repeated for ever, smoothly interpolated at every texel."""
    rows, columns = lattice.shape
    y, x = _STEP * rows, _STEP * columns
    j, i = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    fy, fx = (y - j)[:, None], (x - i)[None, :]
    fy, fx = fy * fy * (3.0 - 2.0 * fy), fx * fx * (3.0 - 2.0 * fx)
    j0, j1, i0, i1 = (
        (j % rows)[:, None],
        ((j + 1) % rows)[:, None],
        (i % columns)[None, :],
        ((i + 1) % columns)[None, :],
    )
    low = lattice[j0, i0] * (1.0 - fx) + lattice[j0, i1] * fx
    high = lattice[j1, i0] * (1.0 - fx) + lattice[j1, i1] * fx
    mixed: Float = low * (1.0 - fy) + high * fy
    return mixed


def triangle(t: Float) -> Float:
    """A smoothed triangle wave of period 1: 0 at whole numbers, 1 half way."""
    rise = 1.0 - np.abs(2.0 * (t - np.floor(t)) - 1.0)
    smooth: Float = rise * rise * (3.0 - 2.0 * rise)
    return smooth


def within(t: Float, low: float, high: float) -> Mask:
    """Where the fractional part of ``t`` lies in [low, high)."""
    part = t - np.floor(t)
    return (part >= low) & (part < high)


def disc(x: float, y: float, radius: float, squash: float = 1.0) -> Mask:
    """Where a texel lies in a disc (or an ellipse ``squash`` times as high), repeated beyond the edges."""
    dx = np.abs(X - x)
    dy = np.abs(Y - y)
    dx, dy = np.minimum(dx, 1.0 - dx), np.minimum(dy, 1.0 - dy) / squash
    return dx * dx + dy * dy < radius * radius


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Mask:
    """Where a texel lies in a rectangle."""
    return (x0 <= X) & (x1 > X) & (y0 <= Y) & (y1 > Y)


def grey(t: Float, low: float, high: float) -> Float:
    """(SIZE, SIZE) in 0..1 to greys between two levels, (SIZE, SIZE, 3)."""
    return np.repeat((low + (high - low) * t)[..., None], 3, axis=2)


def blend(t: Float, first: RGB, second: RGB) -> Float:
    """(SIZE, SIZE) in 0..1 to colours between two, (SIZE, SIZE, 3)."""
    a, b = np.array(first), np.array(second)
    mixed: Float = a + (b - a) * t[..., None]
    return mixed


def paint(image: Float, where: Mask, colour: RGB) -> None:
    """Fill the masked texels of an (SIZE, SIZE, 3) image in place."""
    image[where] = colour
