"""What procedural textures are made of: coordinates, tileable noise, waves, blends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..mesh import Float

SIZE = 256
"""Texels a side."""

_STEP = (np.arange(SIZE) + 0.5) / SIZE
X: Float = np.ascontiguousarray(np.broadcast_to(_STEP[None, :], (SIZE, SIZE)))
"""u of each texel, 0..1, (SIZE, SIZE)."""
Y: Float = np.ascontiguousarray(np.broadcast_to(_STEP[:, None], (SIZE, SIZE)))
"""v of each texel, 0..1, (SIZE, SIZE)."""

Mask = NDArray[np.bool_]
Whole = NDArray[np.int64]
Painter = Callable[[np.random.Generator], Float]
"""Makes a texture: (SIZE, SIZE, 3) sRGB in 0..1, clipped later."""
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
    above, below, fy = _cells_of(rows)
    left, right, fx = _cells_of(columns)
    across = lattice[:, left] * (1.0 - fx) + lattice[:, right] * fx
    mixed: Float = across[above] * (1.0 - fy[:, None]) + across[below] * fy[:, None]
    return mixed


def _cells_of(count: int) -> tuple[Whole, Whole, Float]:
    """For each texel along an axis: the lattice lines before and after it, and the smoothed way between them."""
    place = _STEP * count
    before = np.floor(place).astype(np.int64)
    part = place - before
    return before % count, (before + 1) % count, part * part * (3.0 - 2.0 * part)


def triangle(t: Float) -> Float:
    """A smoothed triangle wave of period 1: 0 at whole numbers, 1 half way."""
    rise = 1.0 - np.abs(2.0 * (t - np.floor(t)) - 1.0)
    smooth: Float = rise * rise * (3.0 - 2.0 * rise)
    return smooth


def within(t: Float, low: float, high: float) -> Mask:
    """Where the fractional part of ``t`` lies in [low, high)."""
    part = t - np.floor(t)
    return (part >= low) & (part < high)


def whole(t: Float) -> Whole:
    """Rounded down."""
    return np.floor(t).astype(np.int64)


def wrapped(t: Float) -> Float:
    """The distance to the nearest whole number, 0..0.5."""
    return np.abs(t - np.floor(t + 0.5))


def soft(depth: Float) -> Float:
    """How much of a texel a shape covers, 0..1, from how deep it lies inside (in texture sides, < 0 outside)."""
    return np.clip(depth * SIZE + 0.5, 0.0, 1.0)


def relief(height: Float, strength: float) -> Float:
    """Shade of a bumpy surface lit from above and the left: 0.5 where it is level."""
    slope = height - np.roll(height, (-1, 1), axis=(0, 1))
    return np.clip(0.5 + strength * slope, 0.0, 1.0)


def cells(rng: np.random.Generator, count: int) -> tuple[Whole, Float, Float]:
    """Tileable cells about ``count`` x ``count`` scattered points.

    Returns:
        the number of each texel's nearest point, and its distances to the nearest and the second nearest point in
        mean spacings, (SIZE, SIZE) each.
    """
    jitter = rng.random((2, count, count))
    row, column = np.floor(_STEP * count).astype(np.int64), np.floor(_STEP * count).astype(np.int64)
    number = np.zeros((SIZE, SIZE), dtype=np.int64)
    nearest, second = np.full((SIZE, SIZE), 9.0), np.full((SIZE, SIZE), 9.0)
    for k in range(9):
        j, i = row + (k // 3 - 1), column + (k % 3 - 1)
        at = np.ix_(j % count, i % count)
        dx = (i - _STEP * count)[None, :] + jitter[0][at]
        dy = (j - _STEP * count)[:, None] + jitter[1][at]
        distance = dx * dx + dy * dy
        closer = distance < nearest
        second = np.where(closer, nearest, np.minimum(second, distance))
        nearest = np.where(closer, distance, nearest)
        number = np.where(closer, ((j % count) * count)[:, None] + (i % count)[None, :], number)
    return number, np.sqrt(nearest), np.sqrt(second)


def disc(x: float, y: float, radius: float, squash: float = 1.0) -> Mask:
    """Where a texel lies in a disc (or an ellipse ``squash`` times as high), repeated beyond the edges."""
    dx, dy = np.abs(_STEP - x), np.abs(_STEP - y)
    dx, dy = np.minimum(dx, 1.0 - dx), np.minimum(dy, 1.0 - dy) / squash
    return (dx * dx)[None, :] + (dy * dy)[:, None] < radius * radius


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Mask:
    """Where a texel lies in a rectangle."""
    return ((y0 <= _STEP) & (y1 > _STEP))[:, None] & ((x0 <= _STEP) & (x1 > _STEP))[None, :]


def grey(t: Float, low: float, high: float) -> Float:
    """(SIZE, SIZE) in 0..1 to greys between two levels, (SIZE, SIZE, 3)."""
    image = np.empty((*t.shape, 3))
    image[...] = (low + (high - low) * t)[..., None]
    return image


def blend(t: Float, first: RGB, second: RGB) -> Float:
    """(SIZE, SIZE) in 0..1 to colours between two, (SIZE, SIZE, 3)."""
    mixed = np.empty((*t.shape, 3))
    for k in range(3):  # a channel at a time: numpy is slow over a last axis of three
        mixed[..., k] = first[k] + (second[k] - first[k]) * t
    return mixed


def ground(colour: RGB) -> Float:
    """An (SIZE, SIZE, 3) image of one colour."""
    image = np.empty((SIZE, SIZE, 3))
    image[...] = colour
    return image


def cover(image: Float, share: Float | Mask, colour: RGB | Float) -> None:
    """Lay a colour over an (SIZE, SIZE, 3) image in place, each texel's share of it in 0..1."""
    rows, columns = np.flatnonzero(share.any(axis=1)), np.flatnonzero(share.any(axis=0))
    if not len(rows):
        return
    window = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    ink = np.asarray(colour)
    part, ink, share = image[window], ink[window] if ink.ndim == 3 else ink, share[window]
    for k in range(3):
        part[..., k] += (ink[..., k] - part[..., k]) * share


def paint(image: Float, where: Mask, colour: RGB) -> None:
    """Fill the masked texels of an (SIZE, SIZE, 3) image in place."""
    image[where] = colour
