"""What screens show: a desktop, a city at night, an editor, a dashboard; upright over one repeat."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import RGB, SIZE, Painter, X, Y, blend, cover, disc, ground, noise, paint, rectangle, soft, within


def _screen(rng: np.random.Generator) -> Float:
    """A desktop: icons, a window with lines of text, a bar."""
    image = blend(0.6 * Y + 0.4 * noise(rng, (2, 4)), (0.22, 0.34, 0.60), (0.42, 0.66, 0.82))
    for k in range(8):
        x, y = 0.05 + 0.1 * (k % 2), 0.80 - 0.16 * (k // 2)
        paint(image, rectangle(x, y, x + 0.065, y + 0.1), colorsys.hsv_to_rgb(float(rng.random()), 0.6, 0.95))
    paint(image, rectangle(0.32, 0.2, 0.92, 0.88), (0.96, 0.96, 0.97))
    paint(image, rectangle(0.32, 0.82, 0.92, 0.88), (0.30, 0.45, 0.62))
    for k in range(9):
        end = float(rng.uniform(0.6, 0.88))
        paint(image, rectangle(0.36, 0.74 - 0.055 * k, end, 0.765 - 0.055 * k), (0.62, 0.66, 0.72))
    paint(image, rectangle(0.0, 0.0, 1.0, 0.07), (0.20, 0.24, 0.32))
    return image


def _skyline(rng: np.random.Generator) -> Float:
    """A city at night: dusk, a moon, two rows of towers with lit windows, their gleam on water."""
    image = blend(np.clip(1.6 * Y - 0.45, 0.0, 1.0), (0.80, 0.48, 0.46), (0.12, 0.16, 0.36))
    paint(image, disc(0.78, 0.84, 0.05), (0.97, 0.95, 0.84))
    lit = rng.random((44, 44))[(Y * 44.0).astype(np.int64), (X * 44.0).astype(np.int64)]
    panes = within(X * 44.0, 0.2, 0.75) & within(Y * 44.0, 0.2, 0.7)
    for tint, share, low, high in (((0.24, 0.26, 0.42), 0.84, 0.50, 0.84), ((0.10, 0.11, 0.18), 0.74, 0.34, 0.66)):
        left = -0.02
        while left < 1.0:
            right = left + float(rng.uniform(0.06, 0.13))
            top = float(rng.uniform(low, high))
            tower = rectangle(left, 0.2, right, top)
            if rng.random() < 0.3:
                tower |= rectangle((left + right) / 2 - 0.006, top, (left + right) / 2 + 0.006, top + 0.08)
            paint(image, tower, tint)
            paint(image, tower & panes & (lit > share), (0.99, 0.84, 0.48))
            left = right + float(rng.uniform(-0.01, 0.012))
    ripple = noise(rng, (64,), across=0.1)
    rows = np.clip(SIZE // 5 * 2 - 1 - np.arange(SIZE), 0, SIZE - 1)
    mirrored = image[rows] * (0.45 + 0.25 * ripple[..., None]) + np.array([0.03, 0.05, 0.10])
    return np.where((Y < 0.2)[..., None], mirrored, image)


_INKS: tuple[RGB, ...] = (
    (0.82, 0.84, 0.86),
    (0.55, 0.78, 0.88),
    (0.88, 0.68, 0.44),
    (0.66, 0.82, 0.52),
    (0.80, 0.58, 0.80),
)


def _code(rng: np.random.Generator) -> Float:
    """A dark editor: a list of files, numbered lines of coloured words, a bar below."""
    image = ground((0.13, 0.15, 0.19))
    paint(image, rectangle(0.0, 0.0, 0.20, 1.0), (0.18, 0.20, 0.25))
    for k in range(9):
        y = 0.86 - 0.07 * k
        paint(image, rectangle(0.03, y, 0.03 + float(rng.uniform(0.06, 0.13)), y + 0.022), (0.56, 0.60, 0.66))
    paint(image, rectangle(0.20, 0.93, 1.0, 1.0), (0.20, 0.23, 0.29))
    paint(image, rectangle(0.22, 0.93, 0.42, 1.0), (0.28, 0.32, 0.40))
    indent = 0
    for k in range(18):
        y = 0.885 - 0.046 * k
        paint(image, rectangle(0.225, y, 0.245, y + 0.018), (0.38, 0.42, 0.48))
        indent = min(max(indent + int(rng.integers(-1, 2)), 0), 3)
        x = 0.275 + 0.04 * indent
        for _ in range(int(rng.integers(0, 6))):
            end = x + float(rng.uniform(0.025, 0.11))
            paint(image, rectangle(x, y, min(end, 0.95), y + 0.022), _INKS[int(rng.integers(len(_INKS)))])
            x = end + 0.014
    paint(image, rectangle(0.0, 0.0, 1.0, 0.045), (0.26, 0.46, 0.66))
    return image


def _chart(rng: np.random.Generator) -> Float:
    """A dashboard: bars, a rising line, a ring and figures on white cards."""
    image = ground((0.89, 0.91, 0.93))
    paint(image, rectangle(0.0, 0.92, 1.0, 1.0), (0.20, 0.42, 0.44))
    for box in ((0.04, 0.50, 0.58, 0.88), (0.62, 0.50, 0.96, 0.88), (0.04, 0.06, 0.42, 0.46), (0.46, 0.06, 0.96, 0.46)):
        paint(image, rectangle(*box), (0.99, 0.99, 0.99))
    for k, high in enumerate(rng.uniform(0.06, 0.26, 8)):
        x = 0.08 + 0.06 * k
        paint(image, rectangle(x, 0.55, x + 0.04, 0.55 + float(high)), (0.93, 0.62, 0.30) if k % 3 == 2 else _TEAL)
    _ring(image, 0.79, 0.69, 0.13)
    for k in range(4):
        y = 0.37 - 0.08 * k
        paint(image, rectangle(0.08, y, 0.18, y + 0.03), (0.70, 0.73, 0.76))
        paint(image, rectangle(0.21, y, 0.21 + float(rng.uniform(0.06, 0.17)), y + 0.03), (0.42, 0.48, 0.66))
    heights = np.array([0.12, 0.17, 0.15, 0.22, 0.20, 0.28, 0.34]) + rng.uniform(-0.02, 0.02, 7)
    place = np.clip((X - 0.50) / 0.42, 0.0, 0.999) * 6.0
    before = place.astype(np.int64)
    line = heights[before] + (heights[before + 1] - heights[before]) * (place - before)
    inside = rectangle(0.50, 0.10, 0.92, 0.44)
    cover(image, np.where(inside & (line > Y), 0.25, 0.0), _TEAL)
    cover(image, soft(0.009 - np.abs(line - Y)) * inside, _TEAL)
    return image


_TEAL: RGB = (0.24, 0.56, 0.56)


def _ring(image: Float, x: float, y: float, radius: float) -> None:
    """A ring in three parts."""
    dx, dy = X - x, Y - y
    distance = np.sqrt(dx * dx + dy * dy)
    share = soft(0.036 - np.abs(distance - radius + 0.036))
    cover(image, share, (0.42, 0.48, 0.66))
    cover(image, share * ((dx > 0.0) & (dy > -0.6 * dx)), (0.93, 0.62, 0.30))
    cover(image, share * ((dx < 0.0) & (dy < -dx)), _TEAL)


PAINTERS: Mapping[str, Painter] = {"screen": _screen, "skyline": _skyline, "code": _code, "chart": _chart}
"""What paints each of them, by name."""
