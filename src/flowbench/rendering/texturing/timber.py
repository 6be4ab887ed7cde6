"""Wood: plain and quarter-sawn grain, boards, herringbone, panelling, cane and wicker."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import SIZE, Painter, X, Y, blend, cover, grey, noise, soft, triangle, whole, wrapped

_BOARDS = 8


def _wood(rng: np.random.Generator) -> Float:
    """Plain-sawn grain along v."""
    bend = noise(rng, (2, 4, 8), across=3.0, along=0.5)
    fine = noise(rng, (32, 64, 128), fade=0.8, across=1.0, along=0.12)
    rings = triangle(2.0 * X + 3.0 * bend)
    return blend(0.6 * rings + 0.4 * fine, (0.69, 0.54, 0.40), (0.88, 0.74, 0.58))


def _planks(rng: np.random.Generator) -> Float:
    """Floor boards along v, eight abreast, each as long as the texture, with staggered butts."""
    board = whole(X * _BOARDS)
    stagger = (rng.permutation(_BOARDS) * 3 % _BOARDS / _BOARDS + rng.uniform(0.0, 0.08, _BOARDS))[board]
    along = Y + stagger
    bend = noise(rng, (2, 4, 8), across=4.0, along=0.5)
    fine = noise(rng, (64, 128), fade=0.8, across=1.0, along=0.08)
    grain = triangle(4.0 * X + 2.0 * bend + rng.random(_BOARDS)[board])
    tone = 0.45 * grain + 0.55 * fine
    shade = rng.uniform(0.86, 1.05, (_BOARDS, 1))[board, 0]
    wood: Float = blend(tone, (0.72, 0.57, 0.43), (0.88, 0.74, 0.58)) * shade[..., None]
    gap = np.maximum(soft(0.0026 - wrapped(X * _BOARDS) / _BOARDS), soft(0.0022 - wrapped(along)))
    wood *= (1.0 - 0.5 * gap)[..., None]
    return wood


def _quarter_sawn(rng: np.random.Generator) -> Float:
    """Fine straight grain along v with pale flecks, 0..1."""
    lines = noise(rng, (32, 64, 128), fade=0.9, across=1.0, along=0.03)
    broad = noise(rng, (4, 8), across=1.0, along=0.25)
    flecks = np.clip(noise(rng, (24, 48), across=0.7, along=0.8) * 4.0 - 2.7, 0.0, 1.0)
    return np.clip(0.5 * lines + 0.3 * broad + 0.3 * flecks, 0.0, 1.0)


def _veneer(rng: np.random.Generator) -> Float:
    return blend(_quarter_sawn(rng), (0.71, 0.59, 0.47), (0.94, 0.84, 0.71))


def _parquet(rng: np.random.Generator) -> Float:
    """Herringbone: blocks five times as long as wide, at 45 degrees, sqrt(200) widths a texture."""
    long, turns = 5, 10
    p, q = (X + Y) * turns, (X - Y) * turns
    i, j = whole(p), whole(q)
    step = (i - j) % (2 * long)
    lying = step < long
    first = np.where(lying, i - step, j - (j - i - 1) % (2 * long))  # the block's first square along it
    along = np.where(lying, p, q) - first
    across = np.where(lying, q - j, p - i)
    middle_p = np.where(lying, 2 * first + long, 2 * i + 1)
    middle_q = np.where(lying, 2 * j + 1, 2 * first + long)
    block = ((middle_p + middle_q) % (4 * turns), (middle_p - middle_q) % (4 * turns))
    shade = rng.uniform(0.84, 1.06, (4 * turns, 4 * turns))[block]
    shift = rng.integers(0, SIZE, (4 * turns, 4 * turns))[block]
    grain = _quarter_sawn(rng)
    tone = grain[(whole(along * 20.0) + shift) % SIZE, (whole(across * 20.0) + 7 * shift) % SIZE]
    wood: Float = blend(tone, (0.69, 0.56, 0.44), (0.91, 0.78, 0.64)) * shade[..., None]
    width = 0.70710678 / turns
    edge = np.minimum(np.minimum(across, 1.0 - across), np.minimum(along, long - along)) * width
    wood *= (1.0 - 0.55 * soft(0.002 - edge))[..., None]
    return wood


def _panelling(rng: np.random.Generator) -> Float:
    """Painted boards along v, eight abreast: a bead and a groove at each joint."""
    place = X * _BOARDS - np.floor(X * _BOARDS)
    tone = 0.93 + 0.07 * noise(rng, (64, 128), across=1.0, along=0.04)
    tone *= rng.uniform(0.97, 1.0, _BOARDS)[whole(X * _BOARDS)]
    for low, high, factor in ((0.0, 0.06, 0.55), (0.06, 0.12, 1.06), (0.16, 0.20, 0.82), (0.94, 1.0, 0.88)):
        tone = np.where((place >= low) & (place < high), tone * factor, tone)
    return grey(np.clip(tone, 0.0, 1.0), 0.0, 1.0)


def _wicker(rng: np.random.Generator) -> Float:
    """Basket weave: wide canes over and under."""
    column, row = np.floor(X * 8.0), np.floor(Y * 16.0)
    over = (column + row) % 2 == 0
    tone = np.where(over, triangle(8.0 * X) * 0.5 + 0.5, 0.35) * (0.55 + 0.45 * triangle(16.0 * Y))
    return blend(0.85 * tone + 0.15 * noise(rng, (32, 64)), (0.55, 0.46, 0.34), (1.0, 0.93, 0.80))


def _rattan(rng: np.random.Generator) -> Float:
    """Open cane: pairs of strands along u and v and single ones across them leave eight-sided holes."""
    holes = 8
    shade, cane = np.ones((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    for wave in (X + Y, X - Y):
        _strand(shade, cane, wrapped(wave * holes + 0.5) / holes, 0.085 / holes)
    for wave in (X, Y):
        for beside in (-0.11, 0.11):
            _strand(shade, cane, wrapped(wave * holes + 0.5 + beside) / holes, 0.075 / holes)
    image = blend(noise(rng, (16, 64)), (0.52, 0.43, 0.33), (0.60, 0.50, 0.39))
    cover(image, cane, blend(noise(rng, (32, 64), fade=0.9), (0.84, 0.72, 0.53), (0.99, 0.91, 0.74)))
    image *= shade[..., None]
    return image


def _strand(shade: Float, cane: Float, distance: Float, half: float) -> None:
    """Lay a round strand over what lies below, which it darkens beside itself."""
    shade *= 1.0 - 0.25 * soft(half + 0.006 - distance)
    body = soft(half - distance)
    shade += (1.0 - 0.3 * np.clip(distance / half, 0.0, 1.0) - shade) * body
    np.maximum(cane, body, out=cane)


PAINTERS: Mapping[str, Painter] = {
    "wood": _wood,
    "planks": _planks,
    "wicker": _wicker,
    "veneer": _veneer,
    "parquet": _parquet,
    "panelling": _panelling,
    "rattan": _rattan,
}
"""What paints each of them, by name."""
