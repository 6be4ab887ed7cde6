"""Rugs: what is woven has its own colours and is tinted a little by its material; u along the long side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import RGB, SIZE, Painter, X, Y, cover, grey, noise, paint, soft, triangle, whole, within, wrapped


def _pile(rng: np.random.Generator) -> Float:
    return grey(0.5 * noise(rng, (64, 128)) + 0.5 * triangle(64.0 * Y), 0.90, 1.0)


def _persian(rng: np.random.Generator) -> Float:
    """Borders, a field of small motifs, a rhombic centre."""
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


def _diamonds(rng: np.random.Generator) -> Float:
    """Rhombs in two tones with a thin line between."""
    level = np.floor(2.0 * X + 2.0 * Y + 0.5) + np.floor(2.0 * X - 2.0 * Y + 0.5)
    line = within(2.0 * X + 2.0 * Y, 0.47, 0.53) | within(2.0 * X - 2.0 * Y, 0.47, 0.53)
    tone = np.where(line, 1.0, np.where(level % 2 == 0, 0.9, 0.64))
    weave = 0.55 * triangle(64.0 * (X + Y)) + 0.45 * noise(rng, (8, 32, 64))
    return grey(weave, 0.76, 1.0) * tone[..., None]


_SAND: RGB = (0.97, 0.92, 0.80)
_CLAY: RGB = (0.80, 0.47, 0.36)
_INK: RGB = (0.42, 0.47, 0.58)
_OCHRE: RGB = (0.93, 0.75, 0.46)
_BANDS: tuple[tuple[float, float, RGB], ...] = (
    (0.00, 0.20, _CLAY),
    (0.20, 0.225, _SAND),
    (0.225, 0.275, _INK),
    (0.275, 0.30, _SAND),
    (0.30, 0.70, _OCHRE),
    (0.70, 0.725, _SAND),
    (0.725, 0.775, _INK),
    (0.775, 0.80, _SAND),
    (0.80, 1.00, _CLAY),
)


def _kilim(rng: np.random.Generator) -> Float:
    """Bands along v of stepped rhombs and small triangles, between stripes."""
    image = np.empty((SIZE, SIZE, 3))
    for low, high, tint in _BANDS:
        image[within(X, low, high)] = tint
    steps = 64
    x, y = whole(X * steps), whole(Y * steps)
    for middle, half, tints in ((32, 12, (_CLAY, _SAND, _INK)), (6, 5, (_SAND, _INK)), (58, 5, (_SAND, _INK))):
        period = 16 if half > 6 else 8
        up = np.abs(2 * (y % period) - period + 1) // 2  # whole steps, so that the rhombs are stepped
        reach = np.abs(x - middle) * period // (2 * half) + up
        for k, tint in enumerate(tints):
            paint(image, (reach < period // 2 - k * period // 6) & (np.abs(x - middle) <= half), tint)
    teeth = (within(X, 0.225, 0.275) | within(X, 0.725, 0.775)) & (y % 4 < 2)
    paint(image, teeth, _OCHRE)
    return image * _pile(rng)


_MEDALLION: tuple[tuple[float, float, RGB], ...] = (
    # radius, depth of the petals, colour; from the rim inwards
    (0.490, 0.000, (0.50, 0.55, 0.62)),
    (0.465, 0.000, (0.96, 0.92, 0.82)),
    (0.445, 0.000, (0.70, 0.50, 0.46)),
    (0.365, 0.000, (0.96, 0.92, 0.82)),
    (0.340, 0.035, (0.50, 0.55, 0.62)),
    (0.235, 0.045, (0.96, 0.88, 0.70)),
    (0.150, 0.030, (0.70, 0.50, 0.46)),
    (0.070, 0.015, (0.96, 0.92, 0.82)),
)


def _medallion(rng: np.random.Generator) -> Float:
    """Rings and a rosette of twelve petals on a plain ground."""
    image = np.full((SIZE, SIZE, 3), 0.93)
    dx, dy = X - 0.5, Y - 0.5
    radius = np.sqrt(dx * dx + dy * dy)
    petals = triangle(_turn(dx, dy) * 12.0)
    for reach, depth, tint in _MEDALLION:
        cover(image, soft(reach - depth * (1.0 - petals) - radius), tint)
    beads = wrapped(_turn(dx, dy) * 36.0) / 36.0 * 6.2831853 * radius
    bead = 0.018 - np.sqrt(beads * beads + (radius - 0.405) * (radius - 0.405))
    cover(image, soft(bead), (0.96, 0.86, 0.62))
    return image * _pile(rng)


def _turn(dx: Float, dy: Float) -> Float:
    """The direction about the middle in turns, 0..1, true at every eighth and within 0.4 degrees between.

    By arithmetic that every CPU rounds alike.
    """
    a, b = np.abs(dx), np.abs(dy)
    part = np.minimum(a, b) / np.maximum(np.maximum(a, b), 1e-9)
    eighth = part * (0.125 + 0.0434 * (1.0 - part))  # an arc tangent
    quarter = np.where(a >= b, eighth, 0.25 - eighth)
    half = np.where(dx >= 0.0, quarter, 0.5 - quarter)
    return np.where(dy >= 0.0, half, 1.0 - half)


PAINTERS: Mapping[str, Painter] = {
    "persian": _persian,
    "diamonds": _diamonds,
    "kilim": _kilim,
    "medallion": _medallion,
}
"""What paints each of them, by name."""
