"""Procedural textures: name -> (256, 256, 3) uint8 sRGB, tileable, the same bytes on every CPU.

Only exact arithmetic: value noise with polynomial smoothing, triangle waves instead of sines. Row index grows
with v, column index with u, so row 0 is the bottom of an upright picture. Textures that a material's colour
tints are light and grey; those that show something (pictures, screens) have their own colours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..seeding import generator
from .mesh import Float
from .pictures import PICTURES
from .texturing.drawing import SIZE, X, Y, blend, grey, noise, triangle, within

Painter = Callable[[np.random.Generator], Float]


def _plain(rng: np.random.Generator) -> Float:
    del rng
    return np.ones((SIZE, SIZE, 3))


def _wood(rng: np.random.Generator) -> Float:
    """Grain along v."""
    bend = noise(rng, (2, 4, 8), across=3.0, along=0.5)
    fine = noise(rng, (32, 64, 128), fade=0.8, across=1.0, along=0.12)
    rings = triangle(2.0 * X + 3.0 * bend)
    return blend(0.6 * rings + 0.4 * fine, (0.69, 0.51, 0.34), (0.87, 0.71, 0.52))


def _planks(rng: np.random.Generator) -> Float:
    """Floor boards along v, four abreast, with staggered butts."""
    board = np.floor(X * 4.0).astype(np.int64)
    offset = rng.permutation(4)[board] * 0.25 + 0.1
    half = np.floor((Y + offset) * 2.0).astype(np.int64) % 2
    shade = rng.uniform(0.82, 1.06, (4, 2))[board, half]
    wood = _wood(rng) * shade[..., None]
    gap = within(X * 4.0, 0.0, 0.022) | within((Y + offset) * 2.0, 0.0, 0.008)
    return np.where(gap[..., None], wood * 0.55, wood)


def _tile(rng: np.random.Generator) -> Float:
    """Two by two tiles with grout."""
    body = grey(noise(rng, (8, 16, 64)), 0.86, 0.97)
    tone = rng.uniform(0.95, 1.0, (2, 2))[np.floor(Y * 2.0).astype(np.int64), np.floor(X * 2.0).astype(np.int64)]
    grout = within(X * 2.0, 0.0, 0.024) | within(Y * 2.0, 0.0, 0.024)
    tiles: Float = np.where(grout[..., None], 0.68, body * tone[..., None])
    return tiles


def _weave(repeats: float) -> Float:
    """Over and under of a plain weave, 0..1."""
    return np.where(
        (np.floor(X * repeats) + np.floor(Y * repeats)) % 2 == 0, triangle(X * repeats), triangle(Y * repeats)
    )


def _fabric(rng: np.random.Generator) -> Float:
    return grey(0.55 * _weave(64.0) + 0.45 * noise(rng, (8, 32, 64)), 0.76, 1.0)


def _stripes(rng: np.random.Generator) -> Float:
    """Cloth with broad and narrow bands along v."""
    band = within(X * 2.0, 0.10, 0.42) | within(X * 2.0, 0.55, 0.60) | within(X * 2.0, 0.66, 0.71)
    return np.where(band[..., None], _fabric(rng), _fabric(rng) * np.array([0.68, 0.70, 0.73]))


def _check(rng: np.random.Generator) -> Float:
    """Gingham."""
    tone = 1.0 - 0.17 * (np.floor(X * 4.0) % 2) - 0.17 * (np.floor(Y * 4.0) % 2)
    return _fabric(rng) * tone[..., None]


def _diamonds(rng: np.random.Generator) -> Float:
    """Rhombs in two tones with a thin line between."""
    level = np.floor(2.0 * X + 2.0 * Y + 0.5) + np.floor(2.0 * X - 2.0 * Y + 0.5)
    line = within(2.0 * X + 2.0 * Y, 0.47, 0.53) | within(2.0 * X - 2.0 * Y, 0.47, 0.53)
    tone = np.where(line, 1.0, np.where(level % 2 == 0, 0.9, 0.64))
    return _fabric(rng) * tone[..., None]


def _plaster(rng: np.random.Generator) -> Float:
    return grey(noise(rng, (16, 32, 64, 128), fade=0.7), 0.94, 1.0)


def _wallpaper(rng: np.random.Generator) -> Float:
    """Faint broad stripes with a small motif."""
    motif = triangle(4.0 * X) * triangle(4.0 * Y + 0.5 * (np.floor(4.0 * X) % 2))
    tone = np.where(within(X * 4.0, 0.0, 0.5), 0.97, 0.9) + np.where(motif > 0.86, 0.06, 0.0)
    paper: Float = grey(noise(rng, (64, 128)), 0.97, 1.0) * np.minimum(tone, 1.0)[..., None]
    return paper


def _carpet(rng: np.random.Generator) -> Float:
    return grey(0.6 * rng.random((SIZE, SIZE)) + 0.4 * noise(rng, (4, 16, 64)), 0.7, 1.0)


def _fur(rng: np.random.Generator) -> Float:
    return grey(0.5 * noise(rng, (32, 64, 128), fade=0.9, across=1.0, along=0.5) + 0.5 * noise(rng, (8, 16)), 0.72, 1.0)


def _marble(rng: np.random.Generator) -> Float:
    """Soft cloud with thin veins."""
    cloud = noise(rng, (3, 6, 12, 24))
    vein = 1.0 - triangle(X + Y + 1.6 * cloud)
    thin = vein * vein * vein * vein
    return grey(0.25 * cloud + 0.75 * (1.0 - thin * thin), 0.70, 1.0)


def _concrete(rng: np.random.Generator) -> Float:
    pores = rng.random((SIZE, SIZE)) < 0.004
    return np.where(pores[..., None], 0.72, grey(noise(rng, (4, 8, 32, 128), fade=0.7), 0.84, 1.0))


def _brick(rng: np.random.Generator) -> Float:
    """Eight courses of running bond."""
    course = np.floor(Y * 8.0)
    run = X * 4.0 + 0.5 * (course % 2)
    shade = rng.uniform(0.82, 1.08, (8, 4))[course.astype(np.int64), np.floor(run).astype(np.int64) % 4]
    body = blend(noise(rng, (16, 64)), (0.60, 0.30, 0.21), (0.74, 0.42, 0.30)) * shade[..., None]
    joint = within(Y * 8.0, 0.0, 0.11) | within(run, 0.0, 0.055)
    return np.where(joint[..., None], np.array([0.78, 0.76, 0.72]), body)


def _leaf(rng: np.random.Generator) -> Float:
    """One leaf: u from base to tip, v across; pale veins."""
    across = np.abs(2.0 * Y - 1.0)
    ribs = np.clip(1.0 - 9.0 * np.abs(triangle(7.0 * X - 1.5 * across) - 0.5), 0.0, 1.0) * 0.10
    middle = np.clip(1.0 - 16.0 * across, 0.0, 1.0) * 0.22
    return grey(np.clip(0.74 + 0.12 * noise(rng, (8, 32)) + ribs + middle, 0.0, 1.0), 0.0, 1.0)


def _cactus(rng: np.random.Generator) -> Float:
    """Ribs along v with rows of pale spines."""
    rib = triangle(16.0 * X)
    spine = (triangle(16.0 * X) > 0.8) & within(Y * 24.0, 0.0, 0.25)
    return np.where(spine[..., None], 1.0, grey(0.8 * rib + 0.2 * noise(rng, (32, 64)), 0.66, 0.88))


def _books(rng: np.random.Generator) -> Float:
    """A spine: bands near both ends and a title between."""
    tone = 0.86 + 0.08 * noise(rng, (16, 64))
    bands = within(Y, 0.07, 0.10) | within(Y, 0.13, 0.145) | within(Y, 0.86, 0.89)
    strokes = within(Y, 0.32, 0.72) & (np.abs(X - 0.5) < 0.2) & (rng.random((SIZE // 8, 1)).repeat(8, axis=0) < 0.55)
    return np.where((bands | strokes)[..., None], np.array([1.0, 0.96, 0.8]), grey(tone, 0.0, 1.0))


def _paper(rng: np.random.Generator) -> Float:
    """Page edges: thin lines along u."""
    return grey(0.5 * triangle(64.0 * Y) + 0.5 * noise(rng, (4, 64), across=0.25, along=1.0), 0.82, 1.0)


def _cardboard(rng: np.random.Generator) -> Float:
    """Kraft paper over faint flutes."""
    tone = 0.25 * triangle(32.0 * X) + 0.75 * noise(rng, (8, 32, 128), fade=0.8)
    return blend(tone, (0.68, 0.52, 0.35), (0.80, 0.65, 0.46))


def _crust(rng: np.random.Generator) -> Float:
    """Baked dough, lighter and darker."""
    return blend(noise(rng, (4, 8, 32, 64), fade=0.7), (0.66, 0.42, 0.20), (0.90, 0.70, 0.42))


def _wicker(rng: np.random.Generator) -> Float:
    """Basket weave: wide canes over and under."""
    column, row = np.floor(X * 8.0), np.floor(Y * 16.0)
    over = (column + row) % 2 == 0
    tone = np.where(over, triangle(8.0 * X) * 0.5 + 0.5, 0.35) * (0.55 + 0.45 * triangle(16.0 * Y))
    return blend(0.85 * tone + 0.15 * noise(rng, (32, 64)), (0.55, 0.46, 0.34), (1.0, 0.93, 0.80))


def _metal(rng: np.random.Generator) -> Float:
    """Brushed along u."""
    return grey(noise(rng, (64, 128), fade=0.8, across=0.05, along=1.0), 0.9, 1.0)


def _soil(rng: np.random.Generator) -> Float:
    return grey(noise(rng, (16, 32, 64, 128), fade=0.9), 0.45, 1.0)


def _leather(rng: np.random.Generator) -> Float:
    """Pebbles."""
    return grey(triangle(32.0 * X + 0.5 * (np.floor(32.0 * Y) % 2)) * triangle(32.0 * Y), 0.86, 1.0) * grey(
        noise(rng, (4, 16)), 0.94, 1.0
    )


MATERIALS: Mapping[str, Painter] = {
    "plain": _plain,
    "wood": _wood,
    "planks": _planks,
    "tile": _tile,
    "fabric": _fabric,
    "stripes": _stripes,
    "check": _check,
    "diamonds": _diamonds,
    "plaster": _plaster,
    "wallpaper": _wallpaper,
    "carpet": _carpet,
    "fur": _fur,
    "marble": _marble,
    "concrete": _concrete,
    "brick": _brick,
    "leaf": _leaf,
    "cactus": _cactus,
    "books": _books,
    "paper": _paper,
    "cardboard": _cardboard,
    "crust": _crust,
    "wicker": _wicker,
    "metal": _metal,
    "soil": _soil,
    "leather": _leather,
    "veneer": _wood,
    "parquet": _planks,
    "linen": _fabric,
    "zigzag": _stripes,
    "dots": _check,
    "kilim": _diamonds,
    "stucco": _plaster,
    "panelling": _wallpaper,
    "mosaic": _tile,
    "sisal": _carpet,
    "terrazzo": _marble,
    "slate": _concrete,
    "hammered": _metal,
    "rattan": _wicker,
    "corrugated": _cardboard,
    "spines": _books,
    "quilt": _check,
}

TEXTURES: Mapping[str, Painter] = {**MATERIALS, **PICTURES}
"""What paints each texture, by name."""


def make_textures(seed: int = 0, names: Sequence[str] | None = None) -> dict[str, NDArray[np.uint8]]:
    """The texture set, (256, 256, 3) uint8 sRGB each.

    Args:
        seed: of their noise; each texture has its own generator, so that one more changes no other.
        names: which; all by default.
    """
    out = {}
    for name in TEXTURES if names is None else names:
        image = TEXTURES[name](generator(seed, "textures", 0, name))
        out[name] = np.floor(np.clip(image, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    return out
