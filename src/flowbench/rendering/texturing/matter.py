"""Leaves, soil and food, metal, paper and board: what small things are made of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..mesh import Float
from .drawing import Painter, X, Y, blend, cells, grey, noise, relief, triangle, within


def _leaf(rng: np.random.Generator) -> Float:
    """One leaf: u from base to tip, v across; pale veins."""
    across = np.abs(2.0 * Y - 1.0)
    ribs = np.clip(1.0 - 9.0 * np.abs(triangle(7.0 * X - 1.5 * across) - 0.5), 0.0, 1.0) * 0.10
    middle = np.clip(1.0 - 16.0 * across, 0.0, 1.0) * 0.22
    return grey(np.clip(0.74 + 0.12 * noise(rng, (8, 32)) + ribs + middle, 0.0, 1.0), 0.0, 1.0)


def _frond(rng: np.random.Generator) -> Float:
    """One leaf, u from base to tip, v across: parallel veins, a groove in the middle, a darker rim."""
    across = np.abs(2.0 * Y - 1.0)
    veins = triangle(14.0 * Y) * 0.09
    middle = np.clip(1.0 - 12.0 * across, 0.0, 1.0) * 0.2
    tone = 0.82 + 0.10 * noise(rng, (4, 64), across=1.0, along=0.5) + veins - middle - 0.16 * across * across
    return grey(np.clip(tone, 0.0, 1.0), 0.0, 1.0)


def _cactus(rng: np.random.Generator) -> Float:
    """Ribs along v with rows of pale spines."""
    rib = triangle(16.0 * X)
    spine = (triangle(16.0 * X) > 0.8) & within(Y * 24.0, 0.0, 0.25)
    return np.where(spine[..., None], 1.0, grey(0.8 * rib + 0.2 * noise(rng, (32, 64)), 0.66, 0.88))


def _soil(rng: np.random.Generator) -> Float:
    return grey(noise(rng, (16, 32, 64, 128), fade=0.9), 0.45, 1.0)


def _gravel(rng: np.random.Generator) -> Float:
    """Small round stones, each of its own tone."""
    number, nearest, second = cells(rng, 22)
    gap = np.clip((second - nearest) * 4.0, 0.0, 1.0)
    tone = rng.uniform(0.55, 1.0, 22 * 22)[number]
    return grey(gap * tone * (1.0 - 0.3 * np.clip(nearest, 0.0, 1.0)), 0.30, 1.0)


def _crust(rng: np.random.Generator) -> Float:
    """Baked dough, lighter and darker."""
    return blend(noise(rng, (4, 8, 32, 64), fade=0.7), (0.66, 0.42, 0.20), (0.90, 0.70, 0.42))


def _scored(rng: np.random.Generator) -> Float:
    """Dark baked dough dusted with flour, cut across."""
    dust = np.clip(3.0 * noise(rng, (6, 12, 24), fade=0.8) - 1.4, 0.0, 1.0)
    cut = np.clip(1.0 - 6.0 * np.abs(triangle(3.0 * X + 0.15 * noise(rng, (4,))) - 0.5), 0.0, 1.0)
    crust = blend(noise(rng, (16, 32, 64)), (0.50, 0.31, 0.17), (0.68, 0.46, 0.27))
    return crust + (np.array([0.95, 0.88, 0.74]) - crust) * np.maximum(0.55 * dust, 0.8 * cut)[..., None]


def _metal(rng: np.random.Generator) -> Float:
    """Brushed along u."""
    return grey(noise(rng, (64, 128), fade=0.8, across=0.05, along=1.0), 0.9, 1.0)


def _hammered(rng: np.random.Generator) -> Float:
    """Shallow dents, lit from above."""
    _, nearest, _ = cells(rng, 20)
    return grey(0.8 * relief(-nearest * nearest, 1.6) + 0.2 * noise(rng, (8, 64)), 0.78, 1.0)


def _paper(rng: np.random.Generator) -> Float:
    """Page edges: thin lines along u."""
    return grey(0.5 * triangle(64.0 * Y) + 0.5 * noise(rng, (4, 64), across=0.25, along=1.0), 0.82, 1.0)


def _cardboard(rng: np.random.Generator) -> Float:
    """Kraft paper over faint flutes."""
    tone = 0.25 * triangle(32.0 * X) + 0.75 * noise(rng, (8, 32, 128), fade=0.8)
    return blend(tone, (0.68, 0.52, 0.35), (0.80, 0.65, 0.46))


def _corrugated(rng: np.random.Generator) -> Float:
    """Greyish recycled board: ribs along u, specks of fibre."""
    tone = 0.45 * triangle(20.0 * Y) + 0.55 * noise(rng, (8, 64), across=2.0)
    specks = noise(rng, (128,), across=0.5) > 0.93
    return np.where(
        specks[..., None], np.array([0.52, 0.47, 0.42]), blend(tone, (0.62, 0.56, 0.48), (0.80, 0.74, 0.66))
    )


PAINTERS: Mapping[str, Painter] = {
    "leaf": _leaf,
    "cactus": _cactus,
    "paper": _paper,
    "cardboard": _cardboard,
    "crust": _crust,
    "metal": _metal,
    "soil": _soil,
    "frond": _frond,
    "gravel": _gravel,
    "scored": _scored,
    "hammered": _hammered,
    "corrugated": _corrugated,
}
"""What paints each of them, by name."""
