"""What hangs in frames: landscapes, still lifes, geometric art; upright over one repeat."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import (
    RGB,
    SIZE,
    Painter,
    X,
    Y,
    blend,
    cover,
    disc,
    grey,
    ground,
    noise,
    paint,
    rectangle,
    relief,
    soft,
)


def _ridge(rng: np.random.Generator, cells: int, low: float, high: float) -> Float:
    """A height for each column, (1, SIZE)."""
    line = noise(rng, (cells, 2 * cells, 4 * cells))[:1]
    return low + (high - low) * line


def _landscape(rng: np.random.Generator) -> Float:
    """Sky with a sun, hills behind hills, a meadow."""
    image = blend(np.clip((Y - 0.4) / 0.6, 0.0, 1.0), (0.98, 0.86, 0.70), (0.42, 0.62, 0.86))
    cloud = noise(rng, (3, 6, 12, 24), along=2.0)
    image += np.clip(cloud - 0.62, 0.0, 1.0)[..., None] * 0.7
    paint(image, disc(0.7, 0.78, 0.075), (1.0, 0.95, 0.72))
    for low, high, tint in (
        (0.46, 0.66, (0.55, 0.62, 0.72)),
        (0.36, 0.52, (0.42, 0.56, 0.52)),
        (0.24, 0.38, (0.40, 0.60, 0.34)),
    ):
        paint(image, _ridge(rng, 3, low, high) > Y, tint)
    meadow = _ridge(rng, 2, 0.14, 0.24) > Y
    grass = blend(noise(rng, (16, 64)), (0.48, 0.64, 0.28), (0.70, 0.78, 0.38))
    image = np.where(meadow[..., None], grass, image)
    for _ in range(6):
        x, y = float(rng.uniform(0.05, 0.95)), float(rng.uniform(0.12, 0.26))
        paint(image, rectangle(x - 0.006, y - 0.04, x + 0.006, y), (0.36, 0.26, 0.18))
        paint(image, disc(x, y + 0.02, 0.032, 1.2), (0.24, 0.44, 0.24))
    return image


def _seascape(rng: np.random.Generator) -> Float:
    """Evening sky, sea with a path of light, two sails."""
    image = blend(np.clip((Y - 0.42) / 0.58, 0.0, 1.0), (0.99, 0.72, 0.50), (0.50, 0.58, 0.80))
    paint(image, disc(0.35, 0.5, 0.09), (1.0, 0.93, 0.68))
    waves = noise(rng, (8, 16, 64), across=0.4, along=2.0)
    sea = blend(0.5 * waves + 0.5 * Y / 0.45, (0.12, 0.32, 0.48), (0.42, 0.60, 0.70))
    glitter = (np.abs(X - 0.35) < 0.03 + 0.16 * (0.45 - Y)) & (waves > 0.5)
    sea[glitter] = (0.98, 0.84, 0.60)
    image = np.where((Y < 0.45)[..., None], sea, image)
    for x, y, tall in ((0.68, 0.40, 0.22), (0.86, 0.43, 0.11)):
        sail = (y + 0.02 <= Y) & (y + tall > Y) & (np.abs(X - x) < 0.42 * (y + tall - Y) * 0.7) & (x < X)
        jib = (y + 0.02 <= Y) & (y + tall * 0.8 > Y) & (x - 0.3 * (y + tall * 0.8 - Y) < X) & (x - 0.006 > X)
        paint(image, sail | jib, (0.97, 0.96, 0.92))
        paint(image, rectangle(x - 0.3 * tall, y, x + 0.35 * tall, y + 0.02), (0.40, 0.24, 0.18))
    return image


def _abstract(rng: np.random.Generator) -> Float:
    """Blocks of bright colours between dark bars."""
    image = np.full((SIZE, SIZE, 3), 0.95)
    tints: tuple[RGB, ...] = ((0.86, 0.25, 0.20), (0.95, 0.80, 0.25), (0.22, 0.40, 0.70), (0.95, 0.94, 0.90))
    xs = [0.0, *sorted(float(v) for v in rng.uniform(0.12, 0.9, 3)), 1.0]
    ys = [0.0, *sorted(float(v) for v in rng.uniform(0.12, 0.9, 3)), 1.0]
    order = [*rng.permutation(4), *rng.permutation(4), *rng.permutation(4), *rng.permutation(4)]
    for k, index in enumerate(order):
        row, column = divmod(k, 4)
        paint(image, rectangle(xs[column], ys[row], xs[column + 1], ys[row + 1]), tints[int(index)])
    bars = np.zeros((SIZE, SIZE), dtype=np.bool_)
    for x, y in zip(xs[1:-1], ys[1:-1], strict=True):
        bars |= (np.abs(X - x) < 0.012) | (np.abs(Y - y) < 0.012)
    paint(image, bars, (0.15, 0.14, 0.16))
    return image


def _flowers(rng: np.random.Generator) -> Float:
    """Blossoms scattered on a pale ground; repeats without a seam."""
    image: Float = grey(noise(rng, (16, 64)), 0.9, 0.98) * np.array([1.0, 0.98, 0.92])
    for _ in range(14):
        x, y = float(rng.random()), float(rng.random())
        paint(image, disc((x + 0.05) % 1.0, (y - 0.05) % 1.0, 0.045, 0.5), (0.42, 0.60, 0.36))
        tint = colorsys.hsv_to_rgb(float(rng.uniform(-0.12, 0.16)) % 1.0, 0.6, 0.92)
        for dx, dy in ((0.04, 0.0), (0.012, 0.038), (-0.032, 0.024), (-0.032, -0.024), (0.012, -0.038)):
            paint(image, disc((x + dx) % 1.0, (y + dy) % 1.0, 0.03), tint)
        paint(image, disc(x, y, 0.02), (0.97, 0.84, 0.35))
    return image


def _mountains(rng: np.random.Generator) -> Float:
    """Snowy peaks lit from one side, firs before them, their picture in a lake."""
    image = blend(np.clip((Y - 0.3) / 0.7, 0.0, 1.0), (0.96, 0.84, 0.78), (0.50, 0.66, 0.82))
    ragged = 0.10 * noise(rng, (4, 8, 16, 32))
    facets = relief(noise(rng, (6, 12, 24, 48), fade=0.6), 3.0)
    white = blend(facets, (0.78, 0.82, 0.92), (1.0, 0.99, 0.97))
    for peaks, base, dark, light in (
        (((0.16, 0.66), (0.44, 0.74), (0.86, 0.68)), 0.40, (0.58, 0.62, 0.74), (0.74, 0.76, 0.84)),
        (((0.02, 0.70), (0.62, 0.90), (1.02, 0.62)), 0.36, (0.34, 0.38, 0.50), (0.56, 0.56, 0.62)),
    ):
        for x, top in peaks:
            rough = ragged[int(rng.integers(SIZE))][None, :]
            height = top - 1.15 * np.abs(X - x) - rough + 0.05
            rock = blend(np.clip(0.5 * facets + 0.5 * (X + 0.12 * facets > x + 0.06), 0.0, 1.0), dark, light)
            snow = height - Y < 0.4 * (top - base) * (0.35 + 0.7 * facets)
            share = soft(np.minimum(height - Y, Y - base + 0.2) * 0.6)
            cover(image, share, rock)
            cover(image, share * snow, white)
    firs = _ridge(rng, 24, 0.30, 0.44) > Y
    paint(image, firs, (0.20, 0.32, 0.30))
    shore = int(0.30 * SIZE)
    lake = image[np.clip(2 * shore - np.arange(SIZE), 0, SIZE - 1)] * 0.8 + np.array([0.02, 0.05, 0.07])
    ripple = np.clip(4.0 * noise(rng, (48,), across=0.08) - 2.6, 0.0, 1.0)
    cover(lake, 0.4 * ripple, (0.86, 0.90, 0.94))
    return np.where((Y < 0.30)[..., None], lake, image)


def _oval(x: float, y: float, wide: float, high: float) -> Float:
    """How deep texels lie inside an ellipse, about its rim in texture sides."""
    dx, dy = (X - x) / wide, (Y - y) / high
    return (1.0 - np.sqrt(dx * dx + dy * dy)) * min(wide, high)


def _portrait(rng: np.random.Generator) -> Float:
    """A woman's head and shoulders before a dark ground, lit from the left, in oils."""
    strokes = noise(rng, (8, 32, 64), along=1.6, fade=0.8)
    glow = np.clip(1.0 - 1.3 * np.sqrt((X - 0.4) * (X - 0.4) + (Y - 0.6) * (Y - 0.6)), 0.0, 1.0)
    image = blend(np.clip(0.75 * glow + 0.3 * strokes, 0.0, 1.0), (0.25, 0.22, 0.20), (0.56, 0.52, 0.42))
    skin, shade, hair = (0.91, 0.73, 0.60), (0.66, 0.46, 0.37), (0.30, 0.19, 0.13)
    cover(image, soft(_oval(0.5, 0.62, 0.185, 0.225)), hair)
    cover(image, soft(_oval(0.5, 0.82, 0.075, 0.06)), hair)
    cover(image, soft(_oval(0.5, -0.02, 0.40, 0.36)), (0.42, 0.20, 0.24))
    cover(image, soft(_oval(0.5, 0.30, 0.15, 0.115)), skin)
    neck = np.where(rectangle(0.44, 0.24, 0.56, 0.50), np.clip((Y - 0.24) * 9.0, 0.0, 1.0), 0.0)
    cover(image, neck, (0.80, 0.61, 0.50))
    cover(image, soft(_oval(0.5, 0.585, 0.128, 0.168)), skin)
    side = np.clip((X - 0.50) * 7.0, 0.0, 1.0) * 0.75
    cover(image, soft(_oval(0.5, 0.585, 0.128, 0.168)) * side, shade)
    cover(image, soft(_oval(0.5, 0.755, 0.135, 0.065)), hair)
    for x in (0.448, 0.552):
        cover(image, soft(_oval(x, 0.605, 0.026, 0.011)), (0.97, 0.94, 0.90))
        cover(image, soft(_oval(x, 0.605, 0.011, 0.012)), (0.16, 0.12, 0.10))
        cover(image, soft(_oval(x, 0.640, 0.034, 0.007)), hair)
    cover(image, soft(_oval(0.512, 0.555, 0.014, 0.042)), shade)
    cover(image, soft(_oval(0.5, 0.492, 0.036, 0.012)), (0.70, 0.30, 0.28))
    necklace = soft(0.006 - np.abs(_oval(0.5, 0.34, 0.11, 0.11))) * (Y < 0.32)
    cover(image, necklace, (0.94, 0.80, 0.48))
    return image * (0.94 + 0.12 * strokes)[..., None]


def _circles(rng: np.random.Generator) -> Float:
    """Geometric art: overlapping discs and half discs in earthy colours on cream."""
    image = ground((0.95, 0.92, 0.85))
    plan: tuple[tuple[float, float, float, RGB], ...] = (
        (0.34, 0.64, 0.24, (0.78, 0.44, 0.32)),
        (0.64, 0.50, 0.21, (0.28, 0.42, 0.44)),
        (0.42, 0.30, 0.17, (0.90, 0.70, 0.38)),
        (0.76, 0.80, 0.11, (0.44, 0.38, 0.50)),
        (0.20, 0.22, 0.07, (0.28, 0.42, 0.44)),
    )
    for x, y, radius, tint in plan:
        x, y = x + float(rng.uniform(-0.03, 0.03)), y + float(rng.uniform(-0.03, 0.03))
        depth = _oval(x, y, radius, radius)
        cover(image, 0.88 * soft(depth), tint)
        if radius > 0.16:
            cover(image, soft(0.006 - np.abs(depth + 0.025)), (0.22, 0.20, 0.22))
            cover(image, soft(np.minimum(depth - 0.05, y - Y)), (0.95, 0.92, 0.85))
    cover(image, rectangle(0.10, 0.115, 0.90, 0.125), (0.22, 0.20, 0.22))
    return image


def _botanical(rng: np.random.Generator) -> Float:
    """A print of a branch: pairs of leaves on a curved stem, on old paper."""
    image = blend(noise(rng, (4, 64)), (0.93, 0.90, 0.81), (0.97, 0.95, 0.88))
    bend = 0.5 + 0.20 * (Y - 0.2) * (1.0 - Y)
    stem = soft(0.007 - np.abs(X - bend)) * ((Y > 0.10) & (Y < 0.86))
    cover(image, stem, (0.36, 0.36, 0.22))
    for k in range(7):
        y = 0.20 + 0.10 * k
        long = 0.21 - 0.018 * k
        for side in (-1.0, 1.0):
            green = (0.30 + 0.04 * k, 0.46 + 0.02 * k, 0.32 + 0.02 * float(rng.random()))
            x = 0.5 + 0.20 * (y - 0.2) * (1.0 - y)
            _blade(image, x, y, side * 0.80, 0.60, long, green)
    _blade(image, 0.525, 0.84, 0.0, 1.0, 0.12, (0.52, 0.60, 0.40))
    cover(image, (rectangle(0.05, 0.05, 0.95, 0.95) & ~rectangle(0.058, 0.058, 0.942, 0.942)), (0.55, 0.50, 0.40))
    return image


def _blade(image: Float, x: float, y: float, way_x: float, way_y: float, long: float, tint: RGB) -> None:
    """Lay a pointed leaf over the image, from (x, y) along a unit vector, with a pale rib."""
    low, left = (max(int((centre - long) * SIZE), 0) for centre in (y, x))
    high, right = (int((centre + long) * SIZE) + 1 for centre in (y, x))
    image, dx, dy = (part[low:high, left:right] for part in (image, X - x, Y - y))
    along = (dx * way_x + dy * way_y) / long
    beside = np.abs(dx * way_y - dy * way_x)
    wide = 0.9 * long * along * (1.0 - along)
    share = soft(wide - beside) * ((along > 0.0) & (along < 1.0))
    cover(image, share, tint)
    cover(image, 0.6 * share * soft(0.003 - beside), (0.86, 0.88, 0.70))


PAINTERS: Mapping[str, Painter] = {
    "landscape": _landscape,
    "seascape": _seascape,
    "abstract": _abstract,
    "flowers": _flowers,
    "mountains": _mountains,
    "portrait": _portrait,
    "circles": _circles,
    "botanical": _botanical,
}
"""What paints each of them, by name."""
