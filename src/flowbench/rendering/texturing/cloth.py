"""Cloth and skin: plain weaves, printed and woven patterns, carpets, fur, leather."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import SIZE, Painter, X, Y, cells, grey, noise, relief, soft, triangle, whole, within, wrapped


def _weave(repeats: float) -> Float:
    """Over and under of a plain weave, 0..1."""
    over = (np.floor(X * repeats) + np.floor(Y * repeats)) % 2 == 0
    return np.where(over, triangle(X * repeats), triangle(Y * repeats))


def _fabric(rng: np.random.Generator) -> Float:
    """Close plain weave."""
    return grey(0.55 * _weave(64.0) + 0.45 * noise(rng, (8, 32, 64)), 0.76, 1.0)


def _stripes(rng: np.random.Generator) -> Float:
    """Broad and narrow bands along v."""
    band = within(X * 2.0, 0.10, 0.42) | within(X * 2.0, 0.55, 0.60) | within(X * 2.0, 0.66, 0.71)
    return np.where(band[..., None], _fabric(rng), _fabric(rng) * np.array([0.68, 0.70, 0.73]))


def _check(rng: np.random.Generator) -> Float:
    """Gingham."""
    tone = 1.0 - 0.17 * (np.floor(X * 4.0) % 2) - 0.17 * (np.floor(Y * 4.0) % 2)
    return _fabric(rng) * tone[..., None]


def _linen(rng: np.random.Generator) -> Float:
    """Coarse weave of uneven threads with slubs, each thread of its own tone."""
    threads = 48
    over = (np.floor(X * threads) + np.floor(Y * threads)) % 2 == 0
    warp = rng.random(threads)[whole(X * threads)]
    weft = rng.random(threads)[whole(Y * threads)]
    slubs = np.where(over, noise(rng, (48,), along=0.2), noise(rng, (48,), across=0.2))
    rounded = np.where(over, triangle(X * threads), triangle(Y * threads))
    tone = 0.42 * rounded + 0.30 * np.where(over, warp, weft) + 0.28 * slubs
    return grey(tone, 0.66, 1.0)


def _zigzag(rng: np.random.Generator) -> Float:
    """Chevrons across v, broad and narrow."""
    bend = wrapped(X * 4.0) / 4.0
    place = (Y + bend) * 4.0
    dark = np.maximum(soft((0.22 - wrapped(place)) / 5.6), soft((0.05 - wrapped(place + 0.5)) / 5.6))
    cloth: Float = _linen(rng) * (1.0 - dark[..., None] * np.array([0.38, 0.35, 0.30]))
    return cloth


def _dots(rng: np.random.Generator) -> Float:
    """Dots in offset rows."""
    spot = np.zeros((SIZE, SIZE))
    for x, y in ((0.0, 0.0), (0.5, 0.5)):
        dx, dy = wrapped(X * 3.0 - x - 0.25) / 3.0, wrapped(Y * 3.0 - y - 0.25) / 3.0
        spot = np.maximum(spot, soft(0.062 - np.sqrt(dx * dx + dy * dy)))
    return _linen(rng) * (0.74 + 0.26 * spot)[..., None]


_PATCHES = np.array([[1.0, 0.97, 0.93], [0.84, 0.90, 1.0], [1.0, 0.86, 0.80], [0.78, 0.80, 0.84], [0.94, 0.98, 0.84]])


def _quilt(rng: np.random.Generator) -> Float:
    """Patchwork: four by four patches of plain, dotted, striped and halved cloth, puffed between the seams."""
    row, column = whole(Y * 4.0), whole(X * 4.0)
    tints = _PATCHES[(np.arange(4)[:, None] * 2 + np.arange(4)[None, :] + rng.integers(5)) % 5]
    kind = rng.permutation(16).reshape(4, 4)[row, column] % 4
    x, y = X * 4.0 - column, Y * 4.0 - row
    dots = soft((0.10 - np.sqrt(wrapped(x * 3.0) * wrapped(x * 3.0) + wrapped(y * 3.0) * wrapped(y * 3.0))) / 12.0)
    marks = np.select(
        [kind == 1, kind == 2, kind == 3],
        [0.22 * dots * 1.5, 0.18 * soft((0.25 - wrapped(x * 4.0)) / 16.0), 0.24 * soft((x - y) / 5.6)],
        0.0,
    )
    edge = np.minimum(np.minimum(x, 1.0 - x), np.minimum(y, 1.0 - y))
    puff = 0.80 + 0.20 * np.clip(edge * 8.0, 0.0, 1.0)
    stitch = (np.abs(edge - 0.07) < 0.012) & within((x + y) * 8.0, 0.0, 0.55)
    cloth: Float = tints[row, column] * _fabric(rng) * (puff * (1.0 - marks) * np.where(stitch, 0.82, 1.0))[..., None]
    return cloth


def _carpet(rng: np.random.Generator) -> Float:
    """Cut pile: tufts, and faint marks of feet and brush."""
    tufts = relief(noise(rng, (64, 128), fade=0.9), 0.9)
    tone = 0.45 * tufts + 0.35 * rng.random((SIZE, SIZE)) + 0.2 * noise(rng, (6, 16, 32), fade=0.8)
    return grey(tone, 0.68, 1.0)


def _sisal(rng: np.random.Generator) -> Float:
    """Basket weave: squares of four cords that lie along u and along v by turns."""
    squares, cords = 12, 4
    lying = (whole(X * squares) + whole(Y * squares)) % 2 == 0
    place = np.where(lying, Y, X) * (squares * cords)
    along = np.where(lying, X, Y) * squares
    rise = 0.55 + 0.45 * triangle(along)
    tones = rng.random((squares, squares * cords))
    cord = np.where(lying, tones[whole(X * squares), whole(place)], tones[whole(Y * squares), whole(place)])
    tone = 0.62 * triangle(place) * rise + 0.22 * cord + 0.16 * noise(rng, (16, 128))
    return grey(np.clip(tone, 0.0, 1.0), 0.58, 1.0)


def _fur(rng: np.random.Generator) -> Float:
    """Short hair along v."""
    return grey(0.5 * noise(rng, (32, 64, 128), fade=0.9, across=1.0, along=0.5) + 0.5 * noise(rng, (8, 16)), 0.72, 1.0)


def _shag(rng: np.random.Generator) -> Float:
    """Curly pile: small rounded tufts."""
    number, nearest, _ = cells(rng, 36)
    tone = 1.0 - np.clip(nearest, 0.0, 1.0)
    return grey(0.55 * tone + 0.25 * rng.random(36 * 36)[number] + 0.2 * noise(rng, (8, 128)), 0.66, 1.0)


def _leather(rng: np.random.Generator) -> Float:
    """Even pebbles."""
    return grey(triangle(32.0 * X + 0.5 * (np.floor(32.0 * Y) % 2)) * triangle(32.0 * Y), 0.86, 1.0) * grey(
        noise(rng, (4, 16)), 0.94, 1.0
    )


def _hide(rng: np.random.Generator) -> Float:
    """Leather with creases between uneven grains."""
    _, nearest, second = cells(rng, 30)
    crease = np.clip((second - nearest) * 4.0, 0.0, 1.0)
    return grey(0.55 * crease + 0.45 * noise(rng, (3, 6, 24)), 0.80, 1.0)


PAINTERS: Mapping[str, Painter] = {
    "fabric": _fabric,
    "stripes": _stripes,
    "check": _check,
    "carpet": _carpet,
    "fur": _fur,
    "leather": _leather,
    "linen": _linen,
    "zigzag": _zigzag,
    "dots": _dots,
    "quilt": _quilt,
    "sisal": _sisal,
    "shag": _shag,
    "hide": _hide,
}
"""What paints each of them, by name."""
