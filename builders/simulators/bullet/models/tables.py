"""Tables and desks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .fittings import Fronts, drawers
from .palette import STEEL, between, chance, metal, stone, timber


@dataclass(frozen=True)
class _Table:
    """Ranges of a kind of table, metres."""

    kind: str
    width: tuple[float, float]
    depth: tuple[float, float]
    height: tuple[float, float]
    round_share: float
    shelf_share: float
    kilograms: float


_DINING = _Table("DiningTable", (1.15, 1.75), (0.78, 0.98), (0.72, 0.77), 0.25, 0.0, 28.0)
_COFFEE = _Table("CoffeeTable", (0.85, 1.25), (0.5, 0.68), (0.36, 0.46), 0.3, 0.4, 14.0)
_SIDE = _Table("SideTable", (0.4, 0.56), (0.38, 0.48), (0.46, 0.62), 0.4, 0.4, 6.0)


def dining_table(rng: np.random.Generator, style: str) -> Model:
    """Rectangular on four legs, or round on a pillar."""
    return _table(rng, style, _DINING)


def coffee_table(rng: np.random.Generator, style: str) -> Model:
    """Low, with or without a shelf."""
    return _table(rng, style, _COFFEE)


def side_table(rng: np.random.Generator, style: str) -> Model:
    """Small, round or square."""
    return _table(rng, style, _SIDE)


def _table(rng: np.random.Generator, style: str, table: _Table) -> Model:
    width, depth, height = between(rng, *table.width), between(rng, *table.depth), between(rng, *table.height)
    top = stone(rng, style) if chance(rng, 0.2) else timber(rng, style)
    frame = top if chance(rng, 0.5) and top.texture in ("wood", "plain") else timber(rng, style)
    if chance(rng, table.round_share):
        return _round_table(rng, style, table, (depth * 1.15 / 2, height), (top, frame))
    assembly = Assembly(table.kind)
    thick = between(rng, 0.025, 0.045)
    assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), top, rounding=0.008)
    assembly.surface(-width / 2 + 0.02, -depth / 2 + 0.02, width / 2 - 0.02, depth / 2 - 0.02, height)
    legs = metal(rng, style) if chance(rng, 0.25) else frame
    leg = between(rng, 0.035, 0.05) if width < 0.7 else between(rng, 0.05, 0.075)
    inset = leg / 2 + between(rng, 0.01, 0.04)
    _legs(assembly, rng, legs, (width - 2 * inset, depth - 2 * inset, height - thick), leg)
    if chance(rng, table.shelf_share):
        level = between(rng, 0.12, 0.18)
        size = (width - 2 * inset, depth - 2 * inset, 0.02)
        assembly.box(size, (0.0, 0.0, level), frame)
        x, y = size[0] / 2 - leg, size[1] / 2 - leg
        assembly.surface(-x, -y, x, y, level + 0.01, height - thick - level - 0.01)
    elif width > 0.7 or chance(rng, 0.5):
        apron = 0.08 if width > 0.7 else 0.06
        z = height - thick - apron / 2
        for side in (-1.0, 1.0):
            assembly.box((width - 2 * inset, 0.02, apron), (0.0, side * (depth / 2 - inset), z), legs)
            assembly.box((0.02, depth - 2 * inset, apron), (side * (width / 2 - inset), 0.0, z), legs)
    return assembly.model(table.kilograms)


def _legs(
    assembly: Assembly, rng: np.random.Generator, material: Material, span: tuple[float, float, float], leg: float
) -> None:
    """Four legs under a top, square, tapered or turned; ``span`` is (x, y) between their middles and their height."""
    x, y, height = span
    kind = int(rng.integers(3))
    for sx in (-0.5, 0.5):
        for sy in (-0.5, 0.5):
            at = (sx * x, sy * y, 0.0)
            if kind == 0:
                assembly.box((leg, leg, height), (0.0, 0.0, height / 2), material, rounding=0.006, segments=1, at=at)
            elif kind == 1:
                half, foot = leg / 2, leg * 0.32
                square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                lower = [(foot * a, foot * b) for a, b in square]
                assembly.loft(lower, [(half * a, half * b) for a, b in square], 0.0, height, material, at=at)
            else:
                radius = leg / 2
                profile = [(0.0, 0.0), (radius * 0.7, 0.0), (radius, height - 0.02), (radius, height), (0.0, height)]
                assembly.lathe(profile, material, sides=16, at=at)


def _round_table(
    rng: np.random.Generator,
    style: str,
    table: _Table,
    size: tuple[float, float],
    materials: tuple[Material, Material],
) -> Model:
    assembly = Assembly(table.kind)
    (radius, height), (top, frame) = size, materials
    thick = between(rng, 0.02, 0.035)
    low, edge = height - thick, 0.006
    rim = [(radius - edge, low), (radius, low + edge), (radius, height - edge), (radius - edge, height)]
    assembly.lathe([(0.0, low), *rim, (0.0, height)], top, sides=48, crease=50.0)
    half = radius * 0.69
    assembly.surface(-half, -half, half, half, height)
    if chance(rng, 0.5):
        stem, foot = 0.018 + 0.05 * radius, radius * 0.62
        profile = [(0.0, 0.0), (foot, 0.0), (foot, 0.02), (stem * 1.2, 0.05), (stem, 0.09), (stem, low), (0.0, low)]
        assembly.lathe(profile, frame, sides=28, crease=30.0)
    else:
        spread = radius * between(rng, 0.62, 0.72)
        count = 3 if chance(rng, 0.4) else 4
        for i in range(count):
            turn = rotation("z", 2.0 * math.pi * (i + 0.5) / count)
            assembly.tube([(spread, 0.0, 0.0), (spread * 0.8, 0.0, low)], [0.016, 0.022], frame, sides=10, at=turn)
    return assembly.model(table.kilograms * 0.8)


def desk(rng: np.random.Generator, style: str) -> Model:
    """A writing desk with a drawer pedestal on one or both sides, or on trestles."""
    assembly = Assembly("Desk")
    width, depth, height = between(rng, 1.05, 1.45), between(rng, 0.58, 0.72), between(rng, 0.72, 0.76)
    top, body = timber(rng, style), timber(rng, style, 0.5)
    thick = between(rng, 0.025, 0.035)
    assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), top, rounding=0.006)
    assembly.surface(-width / 2 + 0.02, -depth / 2 + 0.02, width / 2 - 0.02, depth / 2 - 0.02, height)
    under = height - thick
    sides = (-1.0, 1.0) if width > 1.3 and chance(rng, 0.4) else (1.0,) if chance(rng, 0.5) else (-1.0,)
    pedestal = between(rng, 0.34, 0.42)
    for side in (-1.0, 1.0):
        if side not in sides:
            x = side * (width / 2 - 0.04)
            assembly.box((0.04, depth - 0.04, under), (x, 0.0, under / 2), body, rounding=0.004, segments=1)
            continue
        x = side * (width / 2 - 0.02 - pedestal / 2)
        assembly.box((pedestal, depth - 0.05, under), (x, 0.0, under / 2), body)
        column = Fronts(x - pedestal / 2 + 0.01, x + pedestal / 2 - 0.01, 0.05, under - 0.01, -depth / 2 + 0.025)
        drawers(assembly, column, int(rng.integers(3, 5)), body, STEEL)
    assembly.box((width - 0.08, 0.02, 0.3), (0.0, depth / 2 - 0.06, under - 0.15), body)
    return assembly.model(30.0)
