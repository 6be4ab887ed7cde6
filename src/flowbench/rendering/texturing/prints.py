"""What is printed or made to be read: book spines, labels, keys, clock faces; a mirror's haze."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import (
    RGB,
    SIZE,
    Mask,
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
    soft,
    triangle,
    within,
    wrapped,
)

_ONES = np.ones((SIZE, SIZE))
_DARK: RGB = (0.14, 0.14, 0.18)


def _books(rng: np.random.Generator) -> Float:
    """A spine: bands near both ends and a title between."""
    tone = 0.86 + 0.08 * noise(rng, (16, 64))
    bands = within(Y, 0.07, 0.10) | within(Y, 0.13, 0.145) | within(Y, 0.86, 0.89)
    strokes = within(Y, 0.32, 0.72) & (np.abs(X - 0.5) < 0.2) & (rng.random((SIZE // 8, 1)).repeat(8, axis=0) < 0.55)
    return np.where((bands | strokes)[..., None], np.array([1.0, 0.96, 0.8]), grey(tone, 0.0, 1.0))


def _spines(rng: np.random.Generator) -> Float:
    """A spine: a dark label framed in gold high up, a small mark at the foot, a cloth ground."""
    image = grey(0.5 * triangle(48.0 * X) * triangle(48.0 * Y) + 0.5 * noise(rng, (16, 64)), 0.80, 0.98)
    paint(image, within(Y, 0.55, 0.86), (0.92, 0.78, 0.48))
    paint(image, within(Y, 0.565, 0.845), (0.40, 0.36, 0.38))
    lines = within(Y, 0.60, 0.81) & within(Y * 18.0, 0.2, 0.7) & (np.abs(X - 0.5) < 0.34)
    paint(image, lines, (0.92, 0.80, 0.54))
    paint(image, disc(0.5, 0.14, 0.16, 0.4), (0.92, 0.78, 0.48))
    paint(image, within(Y, 0.03, 0.05) | within(Y, 0.95, 0.97), (0.40, 0.36, 0.38))
    return image


def _keys(rng: np.random.Generator) -> Float:
    """Rows of keys on a pale ground."""
    del rng
    cap = within(X * 12.0, 0.14, 0.92) & within(Y * 5.0, 0.12, 0.9)
    space = rectangle(0.26, 0.025, 0.74, 0.18)
    return grey(np.where(cap | space, 0.36 * _ONES, _ONES), 0.0, 1.0)


def _keypad(rng: np.random.Generator) -> Float:
    """Rounded pale keys close together on a dark ground, some of them coloured."""
    del rng
    image = np.full((SIZE, SIZE, 3), 0.36)
    dx, dy = 0.5 - wrapped(X * 14.0), 0.5 - wrapped(Y * 6.0)  # from the middle of the key
    past_x, past_y = np.maximum(dx - 0.28, 0.0), np.maximum(dy - 0.28, 0.0)
    caps = past_x * past_x + past_y * past_y < 0.12 * 0.12
    paint(image, caps, (0.94, 0.94, 0.92))
    paint(image, caps & (dx < 0.08) & (dy < 0.14), (0.45, 0.45, 0.46))
    paint(image, caps & ((X < 1 / 14) | (X > 13 / 14)), (0.66, 0.70, 0.72))
    paint(image, caps & (X > 13 / 14) & (Y > 2 / 6) & (Y < 3 / 6), (0.90, 0.52, 0.32))
    space = rectangle(4.2 / 14, 0.025, 9.8 / 14, 0.145)
    paint(image, rectangle(4 / 14, 0.0, 10 / 14, 1 / 6), (0.36, 0.36, 0.36))
    paint(image, space, (0.94, 0.94, 0.92))
    return image


_SEGMENTS = {"1": "bc", "0": "abcdef", "2": "abged", "8": "abcdefg", "3": "abgcd", "6": "afgecd"}
_BARS = {
    "a": (0.1, 0.9, 0.9, 1.0),
    "b": (0.8, 0.5, 1.0, 0.95),
    "c": (0.8, 0.05, 1.0, 0.5),
    "d": (0.1, 0.0, 0.9, 0.1),
    "e": (0.0, 0.05, 0.2, 0.5),
    "f": (0.0, 0.5, 0.2, 0.95),
    "g": (0.1, 0.45, 0.9, 0.55),
}


def _figures(text: str, low: float, high: float) -> Mask:
    """Four figures of seven segments and a colon."""
    shown = np.zeros((SIZE, SIZE), dtype=np.bool_)
    for symbol, left in zip(text, (0.06, 0.28, 0.56, 0.78), strict=True):
        for segment in _SEGMENTS[symbol]:
            x0, y0, x1, y1 = _BARS[segment]
            tall = high - low
            shown |= rectangle(left + 0.16 * x0, low + tall * y0, left + 0.16 * x1, low + tall * y1)
    for y in (0.28, 0.69):
        shown |= rectangle(0.485, low + (high - low) * y, 0.515, low + (high - low) * (y + 0.11))
    return shown


def _digits(rng: np.random.Generator) -> Float:
    """A clock's glowing figures on black."""
    del rng
    image = np.full((SIZE, SIZE, 3), 0.12)
    paint(image, _figures("1028", 0.18, 0.82), (0.95, 0.42, 0.32))
    return image


def _liquid(rng: np.random.Generator) -> Float:
    """A clock's dark figures on grey-green, a bell and a bar above."""
    image = blend(noise(rng, (2, 4)), (0.70, 0.76, 0.65), (0.74, 0.80, 0.68))
    paint(image, _figures("0836", 0.12, 0.70), (0.16, 0.20, 0.18))
    paint(image, rectangle(0.10, 0.82, 0.60, 0.85) | disc(0.8, 0.84, 0.045), (0.24, 0.28, 0.25))
    return image


def _face(blank: RGB, rim: RGB) -> tuple[Float, Float, Float, Float]:
    """A blank clock face; its texels' x, y and squared distance from the middle."""
    image = ground(blank)
    dx, dy = X - 0.5, Y - 0.5
    radius = dx * dx + dy * dy
    image[(radius > 0.47 * 0.47) & (radius < 0.5 * 0.5)] = rim
    return image, dx, dy, radius


_SPOKES = ((1.0, 0.0), (0.8660254, 0.5), (0.5, 0.8660254), (0.0, 1.0), (-0.5, 0.8660254), (-0.8660254, 0.5))


def _hand(x: Float, y: Float, way: tuple[float, float], long: float, thick: float) -> Float:
    """Coverage of a hand that points along the unit vector ``way``."""
    ahead = x * way[0] + y * way[1]
    depth = np.minimum(thick - np.abs(x * way[1] - y * way[0]), np.minimum(ahead + 0.05, long - ahead))
    return soft(depth)


def _dial(rng: np.random.Generator) -> Float:
    """A clock's face with strokes, its middle at u = v = 0, where a turned disc has it."""
    del rng
    image, dx, dy, radius = _face((0.97, 0.97, 0.97), (0.35, 0.35, 0.40))
    for c, s in _SPOKES:
        thick = 0.02 if c in (0.0, 1.0) else 0.012
        ring = (radius > 0.37 * 0.37) & (radius < 0.45 * 0.45)
        cover(image, soft(thick - np.abs(dx * s - dy * c)) * ring, _DARK)
    for way, long, thick in (((0.5, 0.8660254), 0.33, 0.016), ((-0.8660254, 0.5), 0.23, 0.024)):
        cover(image, _hand(dx, dy, way, long, thick), _DARK)
    paint(image, disc(0.5, 0.5, 0.035), (0.82, 0.25, 0.2))
    return np.roll(image, SIZE // 2, axis=(0, 1))


def _clockface(rng: np.random.Generator) -> Float:
    """A clock's face with dots, a pale ring and slim hands, its middle at u = v = 0."""
    del rng
    image, dx, dy, radius = _face((0.30, 0.36, 0.40), (0.86, 0.76, 0.58))
    paint(image, (radius > 0.26 * 0.26) & (radius < 0.275 * 0.275), (0.62, 0.64, 0.64))
    pale: RGB = (0.95, 0.91, 0.82)
    for c, s in _SPOKES:
        large = 0.034 if c in (0.0, 1.0) else 0.02
        for sign in (-0.39, 0.39):
            paint(image, disc(0.5 + sign * c, 0.5 + sign * s, large), pale)
    for way, long, thick in (((-0.5, 0.8660254), 0.36, 0.011), ((0.9659258, -0.2588190), 0.24, 0.017)):
        cover(image, _hand(dx, dy, way, long, thick), pale)
    cover(image, _hand(dx, dy, (0.0, -1.0), 0.38, 0.005), (0.90, 0.60, 0.36))
    paint(image, disc(0.5, 0.5, 0.028), (0.90, 0.60, 0.36))
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


def _sticker(rng: np.random.Generator) -> Float:
    """A label: a slanted band across a plain ground, a leaf, bars of a code."""
    image = blend(noise(rng, (32, 64)), (0.86, 0.89, 0.80), (0.91, 0.93, 0.85))
    slant = Y + 0.25 * np.abs(X - 0.5)
    paint(image, (slant > 0.42) & (slant < 0.72), (0.28, 0.46, 0.46))
    paint(image, (slant > 0.72) & (slant < 0.75), (0.93, 0.76, 0.38))
    dx, dy = np.abs(X - 0.5), np.abs(Y - 0.56)
    paint(image, dx * dx * 40.0 + dy * 8.0 < 0.75, (0.95, 0.92, 0.78))
    paint(image, rectangle(0.49, 0.46, 0.51, 0.66), (0.28, 0.46, 0.46))
    paint(image, rectangle(0.2, 0.84, 0.8, 0.90), (0.36, 0.30, 0.30))
    bars = rng.random(40)[np.minimum((X * 40.0).astype(np.int64), 39)] < 0.5
    paint(image, bars & rectangle(0.3, 0.10, 0.7, 0.26), (0.22, 0.22, 0.22))
    return image


def _glass(rng: np.random.Generator) -> Float:
    """A mirror's haze: soft diagonal gleams."""
    gleam = triangle(X + 0.6 * Y) * 0.6 + 0.4 * noise(rng, (2, 4))
    return blend(gleam, (0.72, 0.78, 0.82), (0.97, 0.98, 0.99))


def _sheen(rng: np.random.Generator) -> Float:
    """A mirror's haze: an even gleam with steep pale streaks."""
    streak = np.clip(3.0 * triangle(2.0 * X - Y) - 2.0, 0.0, 1.0)
    return blend(
        np.clip(0.35 + 0.5 * streak + 0.25 * noise(rng, (2,)), 0.0, 1.0), (0.68, 0.70, 0.70), (0.96, 0.96, 0.93)
    )


PAINTERS: Mapping[str, Painter] = {
    "books": _books,
    "keys": _keys,
    "digits": _digits,
    "dial": _dial,
    "label": _label,
    "glass": _glass,
    "spines": _spines,
    "keypad": _keypad,
    "liquid": _liquid,
    "clockface": _clockface,
    "sticker": _sticker,
    "sheen": _sheen,
}
"""What paints each of them, by name."""
