"""Bins, boxes, hampers and bags that stand on the floor."""

from __future__ import annotations

import numpy as np

from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .palette import BLACK_PLASTIC, STEEL, between, chance, colour, plastic, wood

_SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def _rectangle(x: float, y: float) -> list[tuple[float, float]]:
    return [(x * a, y * b) for a, b in _SQUARE]


def garbage_can(rng: np.random.Generator, style: str) -> Model:
    """Round with a dome lid, round and open, or square with a swing lid."""
    assembly = Assembly("GarbageCan")
    body = STEEL if chance(rng, 0.35) else plastic(rng, style)
    radius, height = between(rng, 0.13, 0.18), between(rng, 0.32, 0.6)
    kind = int(rng.integers(3))
    if kind == 2:
        half, deep = radius, radius * between(rng, 0.75, 1.0)
        assembly.loft(_rectangle(half * 0.82, deep * 0.82), _rectangle(half, deep), 0.0, height, body)
        assembly.box((2 * half + 0.02, 2 * deep + 0.02, 0.03), (0.0, 0.0, height + 0.01), BLACK_PLASTIC, rounding=0.008)
        peak = _rectangle(half * 0.45, deep * 0.3)
        assembly.loft(_rectangle(half * 0.95, deep * 0.95), peak, height + 0.024, height + 0.09, body)
        return assembly.model(2.5)
    low = radius * between(rng, 0.78, 0.95)
    rim = radius + 0.008
    wall = [(low, 0.0), (radius, height), (rim, height), (rim, height + 0.015)]
    if kind == 0:
        assembly.lathe([(0.0, 0.0), *wall, (0.0, height + 0.015)], body, sides=32)
        dome = [(rim, height + 0.015), (0.9 * rim, height + 0.055), (0.6 * rim, height + 0.085), (0.0, height + 0.1)]
        lid = BLACK_PLASTIC if chance(rng, 0.5) else body
        assembly.lathe([(0.0, height + 0.015), *dome], lid, sides=32, crease=60.0)
        assembly.box((0.1, 0.05, 0.02), (0.0, -low - 0.015, 0.012), BLACK_PLASTIC, rounding=0.006, segments=1)
        return assembly.model(3.0)
    inside = [(radius - 0.006, height + 0.015), (radius - 0.012, height - 0.01), (low * 0.96, 0.04), (0.0, 0.04)]
    assembly.lathe([(0.0, 0.0), *wall, *inside], body, sides=32)
    liner = Material("plain", (0.9, 0.9, 0.92), 0.5)
    fall = 0.05 * (radius - low) / height
    hem = [(radius - fall + 0.002, height - 0.05), (rim + 0.004, height + 0.012), (radius - 0.008, height + 0.018)]
    assembly.lathe([*hem, (radius - 0.014, height - 0.06)], liner, sides=32, solid=False)
    return assembly.model(1.5)


def cardboard_box(rng: np.random.Generator, style: str) -> Model:
    """A cardboard box, taped shut or with its flaps open."""
    assembly = Assembly("Box", tolerance=0.004)
    del style
    x, y, z = between(rng, 0.28, 0.5), between(rng, 0.22, 0.38), between(rng, 0.18, 0.36)
    tint = float(rng.uniform(0.82, 1.0))
    card = Material("cardboard", (tint, tint, tint), 0.9, 0.0, 2.5)
    if chance(rng, 0.5):
        assembly.box((x, y, z), (0.0, 0.0, z / 2), card)
        tape = Material("plain", (0.86, 0.76, 0.56), 0.3)
        assembly.box((x + 0.002, 0.05, 0.002), (0.0, 0.0, z), tape, solid=False)
        for side in (-1.0, 1.0):
            assembly.box((0.002, 0.05, 0.07), (side * x / 2, 0.0, z - 0.034), tape, solid=False)
        return assembly.model(3.0)
    thick = 0.006
    assembly.box((x, y, thick), (0.0, 0.0, thick / 2), card, solid=False)
    for side in (-1.0, 1.0):
        assembly.box((thick, y, z), (side * (x - thick) / 2, 0.0, z / 2), card, solid=False)
        assembly.box((x - 2 * thick, thick, z), (0.0, side * (y - thick) / 2, z / 2), card, solid=False)
        lean = between(rng, 0.5, 1.2)
        flap = y * 0.42
        at = rotation("y", side * lean, (side * (x / 2 - thick / 2), 0.0, z - 0.002))
        assembly.box((thick * 0.7, y - 0.01, flap), (0.0, 0.0, flap / 2), card, at=at)
        at = rotation("x", -side * between(rng, 0.5, 1.2), (0.0, side * (y / 2 - thick / 2), z - 0.002))
        assembly.box((x - 0.01, thick * 0.7, flap), (0.0, 0.0, flap / 2), card, at=at)
    assembly.block((x, y, z), (0.0, 0.0, z / 2))
    return assembly.model(1.5)


def laundry_hamper(rng: np.random.Generator, style: str) -> Model:
    """Wicker or cloth, square or round, with a lid."""
    assembly = Assembly("LaundryHamper")
    tint = (0.95, 0.85, 0.68) if chance(rng, 0.5) else colour(rng, style, (0.15, 0.45), (0.7, 0.92))
    weave = Material("wicker", tint, 0.85, 0.0, 3.0)
    height, half = between(rng, 0.45, 0.62), between(rng, 0.17, 0.22)
    trim = wood(rng, style)
    if chance(rng, 0.5):
        deep = half * between(rng, 0.75, 1.0)
        assembly.loft(_rectangle(half * 0.86, deep * 0.86), _rectangle(half, deep), 0.0, height, weave)
        assembly.box((2 * half + 0.02, 2 * deep + 0.02, 0.035), (0.0, 0.0, height + 0.0175), trim, rounding=0.008)
        assembly.box((0.12, 0.03, 0.025), (0.0, 0.0, height + 0.045), trim, rounding=0.008)
        return assembly.model(3.0)
    body = [(0.0, 0.0), (half * 0.88, 0.0), (half, height * 0.55), (half * 0.94, height), (0.0, height)]
    assembly.lathe(body, weave, sides=32)
    lid = [(0.0, height), (half, height), (half, height + 0.03), (half * 0.8, height + 0.045), (0.0, height + 0.05)]
    assembly.lathe(lid, trim, sides=32)
    knob = [(0.0, height + 0.045), (0.015, height + 0.05), (0.025, height + 0.07), (0.0, height + 0.085)]
    assembly.lathe(knob, trim, sides=16)
    return assembly.model(3.0)


def garbage_bag(rng: np.random.Generator, style: str) -> Model:
    """A full bag tied at its neck."""
    assembly = Assembly("GarbageBag")
    tint = (0.30, 0.31, 0.34) if chance(rng, 0.4) else colour(rng, style, (0.2, 0.6), (0.55, 0.85))
    film = Material("plain", tint, 0.3)
    r, h = between(rng, 0.2, 0.27), between(rng, 0.34, 0.46)
    body = [(0.0, 0.0), (0.8 * r, 0.0), (r, 0.22 * h), (0.98 * r, 0.5 * h), (0.72 * r, 0.78 * h), (0.2 * r, h)]
    neck = [(0.1 * r, 1.04 * h), (0.3 * r, 1.22 * h), (0.0, 1.18 * h)]
    assembly.lathe([*body, *neck], film, sides=14, crease=70.0)
    tie = Material("plain", (0.9, 0.85, 0.3), 0.5)
    assembly.ball(0.13 * r, (0.0, 0.0, 1.05 * h), tie, scale=(1.0, 1.0, 0.5), solid=False)
    return assembly.model(4.0)
