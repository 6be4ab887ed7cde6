"""Textures that show something: paintings, screens, keys, clock faces, labels, a rug."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Mapping

import numpy as np

from .mesh import Float
from .texturing.drawing import RGB, SIZE, X, Y, blend, disc, grey, noise, paint, rectangle, triangle, within

Painter = Callable[[np.random.Generator], Float]

_ONES = np.ones((SIZE, SIZE))


def _colour(rng: np.random.Generator, saturation: float, value: float) -> RGB:
    return colorsys.hsv_to_rgb(float(rng.random()), saturation, value)


def _skyline(rng: np.random.Generator, cells: int, low: float, high: float) -> Float:
    """A height for each column, (1, SIZE)."""
    ridge = noise(rng, (cells, 2 * cells, 4 * cells))[:1]
    return low + (high - low) * ridge


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
        paint(image, _skyline(rng, 3, low, high) > Y, tint)
    meadow = _skyline(rng, 2, 0.14, 0.24) > Y
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


def _screen(rng: np.random.Generator) -> Float:
    """A desktop: icons, a window with lines of text, a bar."""
    image = blend(0.6 * Y + 0.4 * noise(rng, (2, 4)), (0.22, 0.34, 0.60), (0.42, 0.66, 0.82))
    for k in range(8):
        x, y = 0.05 + 0.1 * (k % 2), 0.80 - 0.16 * (k // 2)
        paint(image, rectangle(x, y, x + 0.065, y + 0.1), _colour(rng, 0.6, 0.95))
    paint(image, rectangle(0.32, 0.2, 0.92, 0.88), (0.96, 0.96, 0.97))
    paint(image, rectangle(0.32, 0.82, 0.92, 0.88), (0.30, 0.45, 0.62))
    for k in range(9):
        end = float(rng.uniform(0.6, 0.88))
        paint(image, rectangle(0.36, 0.74 - 0.055 * k, end, 0.765 - 0.055 * k), (0.62, 0.66, 0.72))
    paint(image, rectangle(0.0, 0.0, 1.0, 0.07), (0.20, 0.24, 0.32))
    return image


def _keys(rng: np.random.Generator) -> Float:
    """Rows of keys on a pale ground."""
    del rng
    cap = within(X * 12.0, 0.14, 0.92) & within(Y * 5.0, 0.12, 0.9)
    space = rectangle(0.26, 0.025, 0.74, 0.18)
    return grey(np.where(cap | space, 0.36 * _ONES, _ONES), 0.0, 1.0)


_SEGMENTS = {"1": "bc", "0": "abcdef", "2": "abged", "8": "abcdefg"}
_BARS = {
    "a": (0.1, 0.9, 0.9, 1.0),
    "b": (0.8, 0.5, 1.0, 0.95),
    "c": (0.8, 0.05, 1.0, 0.5),
    "d": (0.1, 0.0, 0.9, 0.1),
    "e": (0.0, 0.05, 0.2, 0.5),
    "f": (0.0, 0.5, 0.2, 0.95),
    "g": (0.1, 0.45, 0.9, 0.55),
}


def _digits(rng: np.random.Generator) -> Float:
    """A digital clock's face."""
    del rng
    image = np.full((SIZE, SIZE, 3), 0.12)
    glow: RGB = (0.95, 0.42, 0.32)
    for symbol, left in zip("1028", (0.06, 0.28, 0.56, 0.78), strict=True):
        for segment in _SEGMENTS[symbol]:
            x0, y0, x1, y1 = _BARS[segment]
            box = rectangle(left + 0.16 * x0, 0.18 + 0.64 * y0, left + 0.16 * x1, 0.18 + 0.64 * y1)
            paint(image, box, glow)
    for y in (0.36, 0.62):
        paint(image, rectangle(0.485, y, 0.515, y + 0.07), glow)
    return image


def _dial(rng: np.random.Generator) -> Float:
    """A clock's face with hands, its middle at u = v = 0, where a turned disc has it."""
    del rng
    image = np.full((SIZE, SIZE, 3), 0.97)
    dark: RGB = (0.14, 0.14, 0.18)
    dx, dy = X - 0.5, Y - 0.5
    radius = dx * dx + dy * dy
    image[(radius > 0.47 * 0.47) & (radius < 0.5 * 0.5)] = (0.35, 0.35, 0.4)
    for c, s in ((1.0, 0.0), (0.8660254, 0.5), (0.5, 0.8660254), (0.0, 1.0), (-0.5, 0.8660254), (-0.8660254, 0.5)):
        beside = np.abs(dx * s - dy * c)
        thick = 0.02 if c in (0.0, 1.0) else 0.012
        paint(image, (beside < thick) & (radius > 0.37 * 0.37) & (radius < 0.45 * 0.45), dark)
    for (c, s), long, thick in (((0.5, 0.8660254), 0.33, 0.016), ((-0.8660254, 0.5), 0.23, 0.024)):
        ahead = dx * c + dy * s
        paint(image, (np.abs(dx * s - dy * c) < thick) & (ahead > -0.04) & (ahead < long), dark)
    paint(image, disc(0.5, 0.5, 0.035), (0.82, 0.25, 0.2))
    return np.roll(image, SIZE // 2, axis=(0, 1))


def _label(rng: np.random.Generator) -> Float:
    """Paper with a border, a blob and lines of print."""
    image = grey(noise(rng, (32, 64)), 0.93, 0.98)
    paint(image, within(Y, 0.04, 0.09) | within(Y, 0.91, 0.96), (0.75, 0.58, 0.25))
    paint(image, disc(0.5, 0.62, 0.17), (0.72, 0.28, 0.24))
    paint(image, disc(0.5, 0.62, 0.11), (0.95, 0.85, 0.6))
    for k in range(4):
        paint(image, rectangle(0.22, 0.36 - 0.07 * k, 0.78, 0.385 - 0.07 * k), (0.35, 0.33, 0.32))
    return image


def _persian(rng: np.random.Generator) -> Float:
    """A rug: borders, a field of small motifs, a medallion; tinted by its material."""
    dx, dy = np.abs(2.0 * X - 1.0), np.abs(2.0 * Y - 1.0)
    edge = 1.0 - np.maximum(dx, dy)
    image = grey(noise(rng, (64, 128)), 0.92, 1.0)
    motif = triangle(10.0 * X) * triangle(10.0 * Y)
    field = edge >= 0.24
    image[field & (motif > 0.7)] *= np.array([0.62, 0.60, 0.72])
    rhomb = dx + dy
    for limit, tint in (
        (0.62, (0.60, 0.42, 0.40)),
        (0.52, (1.0, 0.92, 0.72)),
        (0.34, (0.55, 0.62, 0.72)),
        (0.16, (1.0, 0.86, 0.6)),
    ):
        image[field & (rhomb < limit)] = tint
    for low, high, tint in (
        (0.0, 0.03, (0.62, 0.42, 0.40)),
        (0.06, 0.20, (0.60, 0.44, 0.42)),
        (0.22, 0.24, (0.5, 0.4, 0.4)),
    ):
        image[(edge >= low) & (edge < high)] = tint
    band = (edge >= 0.08) & (edge < 0.18) & (triangle(14.0 * X) * triangle(14.0 * Y) > 0.45)
    paint(image, band, (1.0, 0.9, 0.7))
    return image


def _glass(rng: np.random.Generator) -> Float:
    """A mirror's haze: soft diagonal gleams."""
    gleam = triangle(X + 0.6 * Y) * 0.6 + 0.4 * noise(rng, (2, 4))
    return blend(gleam, (0.72, 0.78, 0.82), (0.97, 0.98, 0.99))


PICTURES: Mapping[str, Painter] = {
    "landscape": _landscape,
    "seascape": _seascape,
    "abstract": _abstract,
    "flowers": _flowers,
    "screen": _screen,
    "keys": _keys,
    "digits": _digits,
    "dial": _dial,
    "label": _label,
    "persian": _persian,
    "glass": _glass,
    "mountains": _landscape,
    "portrait": _flowers,
    "circles": _abstract,
    "botanical": _flowers,
    "skyline": _screen,
    "code": _screen,
    "chart": _screen,
    "clockface": _dial,
    "sticker": _label,
    "keypad": _keys,
    "medallion": _persian,
}
"""What paints each of them, by name."""
