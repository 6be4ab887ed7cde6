"""Screens and small devices."""

from __future__ import annotations

import math

import numpy as np

from flowbench.geometry import compose
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation, translation

from ..model import Model
from .assembly import Assembly
from .palette import BLACK_PLASTIC, STEEL, between, chance, colour

_SHELL = Material("plain", (0.24, 0.24, 0.26), 0.35)
_SCREENS = ("screen", "landscape", "seascape")


def _lit(rng: np.random.Generator) -> Material:
    name = _SCREENS[int(rng.integers(len(_SCREENS)))]
    return Material(name, (0.95, 0.97, 1.0), 0.1, emission=0.35)


def television(rng: np.random.Generator, style: str) -> Model:
    """A flat screen on a foot or two feet."""
    del style
    assembly = Assembly("Television")
    width = between(rng, 0.8, 1.25)
    height, lift = width * 0.58, between(rng, 0.05, 0.08)
    assembly.box((width, 0.035, height), (0.0, 0.0, lift + height / 2), _SHELL, rounding=0.006)
    assembly.picture(width - 0.03, height - 0.035, _lit(rng), at=(0.0, -0.0185, lift + height / 2 + 0.003))
    if chance(rng, 0.5):
        assembly.box((width * 0.36, 0.2, 0.014), (0.0, 0.0, 0.007), _SHELL, rounding=0.005, segments=1)
        assembly.box((0.1, 0.03, lift), (0.0, 0.005, lift / 2 + 0.007), _SHELL)
    else:
        for side in (-1.0, 1.0):
            assembly.box((0.03, 0.22, 0.014), (side * width * 0.36, 0.0, 0.007), _SHELL, rounding=0.004, segments=1)
            assembly.box((0.024, 0.028, lift), (side * width * 0.36, 0.0, lift / 2 + 0.007), _SHELL)
    return assembly.model(9.0)


def desktop(rng: np.random.Generator, style: str) -> Model:
    """A monitor on its stand."""
    assembly = Assembly("Desktop", tolerance=0.004)
    width = between(rng, 0.48, 0.62)
    height, lift = width * 0.6, between(rng, 0.09, 0.13)
    shell = Material("plain", (0.88, 0.89, 0.9), 0.35) if chance(rng, 0.4) else _SHELL
    del style
    assembly.box((width, 0.03, height), (0.0, 0.0, lift + height / 2), shell, rounding=0.006)
    assembly.picture(width - 0.025, height - 0.03, _lit(rng), at=(0.0, -0.016, lift + height / 2 + 0.003))
    assembly.box((0.06, 0.025, lift + 0.1), (0.0, 0.026, lift / 2 + 0.055), shell, rounding=0.005, segments=1)
    assembly.box((0.2, 0.16, 0.012), (0.0, 0.02, 0.006), shell, rounding=0.005, segments=1)
    return assembly.model(4.0)


def laptop(rng: np.random.Generator, style: str) -> Model:
    """Open, its screen towards the front."""
    assembly = Assembly("Laptop", tolerance=0.003)
    width, depth, thick = between(rng, 0.31, 0.37), between(rng, 0.21, 0.25), 0.016
    silver = Material("metal", (0.8, 0.81, 0.84), 0.4, 0.4, 2.0)
    shell = silver if chance(rng, 0.5) else Material("plain", colour(rng, style, (0.15, 0.5), (0.45, 0.8)), 0.4)
    assembly.box((width, depth, thick), (0.0, 0.0, thick / 2), shell, rounding=0.004, segments=1)
    flat = rotation("x", -math.pi / 2)
    keys = Material("keys", (0.42, 0.42, 0.45), 0.6)
    at = compose(translation(0.0, 0.045, thick + 0.0006), flat)
    assembly.picture(width - 0.04, depth * 0.48, keys, at=at)
    pad = Material("plain", (0.62, 0.63, 0.65), 0.4)
    at = compose(translation(0.0, -depth * 0.29, thick + 0.0006), flat)
    assembly.picture(width * 0.3, depth * 0.26, pad, at=at)
    lid = rotation("x", -between(rng, 0.15, 0.45), (0.0, depth / 2 - 0.006, thick - 0.002))
    assembly.box((width, 0.008, depth), (0.0, 0.0, depth / 2), shell, rounding=0.003, segments=1, at=lid)
    screen = compose(lid, translation(0.0, -0.0045, depth / 2 + 0.004))
    border = compose(lid, translation(0.0, -0.0042, depth / 2))
    assembly.picture(width - 0.008, depth - 0.008, BLACK_PLASTIC, at=border)
    assembly.picture(width - 0.022, depth - 0.03, _lit(rng), at=screen)
    return assembly.model(1.6)


def cell_phone(rng: np.random.Generator, style: str) -> Model:
    """Lying on its back."""
    assembly = Assembly("CellPhone", tolerance=0.002)
    width, long, thick = between(rng, 0.07, 0.078), between(rng, 0.145, 0.165), 0.009
    shell = Material("plain", colour(rng, style, (0.2, 0.7), (0.4, 0.9)), 0.3)
    assembly.box((width, long, thick), (0.0, 0.0, thick / 2), shell, rounding=0.004)
    flat = rotation("x", -math.pi / 2, (0.0, 0.0, thick + 0.0005))
    assembly.picture(width - 0.007, long - 0.01, Material("screen", (1.0, 1.0, 1.0), 0.1, emission=0.2), at=flat)
    return assembly.model(0.2)


def remote_control(rng: np.random.Generator, style: str) -> Model:
    """A bar with rows of keys."""
    assembly = Assembly("RemoteControl", tolerance=0.002)
    width, long, thick = between(rng, 0.045, 0.055), between(rng, 0.16, 0.2), 0.02
    shell = _SHELL if chance(rng, 0.6) else Material("plain", colour(rng, style, (0.1, 0.4), (0.7, 0.9)), 0.5)
    assembly.box((width, long, thick), (0.0, 0.0, thick / 2), shell, rounding=0.007)
    tints = ((0.85, 0.85, 0.87), (0.55, 0.75, 0.9))
    for row in range(6):
        for column in (-1.0, 0.0, 1.0):
            key = Material("plain", tints[1 if row == 0 else 0], 0.6)
            centre = (column * width * 0.28, long * (0.3 - 0.12 * row), thick)
            assembly.box((0.009, 0.01, 0.004), centre, key, rounding=0.0015, segments=1, solid=False)
    red = Material("plain", (0.85, 0.2, 0.18), 0.5)
    assembly.lathe(
        [(0.0, 0.0), (0.006, 0.0), (0.005, 0.003), (0.0, 0.003)],
        red,
        sides=12,
        at=(0.0, long * 0.43, thick),
        solid=False,
    )
    return assembly.model(0.15)


def vacuum_cleaner(rng: np.random.Generator, style: str) -> Model:
    """An upright vacuum cleaner, standing."""
    assembly = Assembly("VacuumCleaner")
    paint = Material("plain", colour(rng, style, (0.5, 0.85), (0.55, 0.88)), 0.35)
    high = between(rng, 1.0, 1.15)
    assembly.box((0.3, 0.26, 0.09), (0.0, -0.06, 0.055), paint, rounding=0.03)
    assembly.box((0.31, 0.06, 0.04), (0.0, -0.16, 0.022), BLACK_PLASTIC, rounding=0.01, segments=1)
    lean = rotation("x", -0.12, (0.0, 0.05, 0.09))
    assembly.box((0.17, 0.13, 0.4), (0.0, 0.0, 0.19), paint, rounding=0.05, segments=3, at=lean)
    assembly.lathe(
        [(0.0, 0.0), (0.06, 0.0), (0.06, 0.2), (0.0, 0.2)],
        Material("plain", (0.72, 0.78, 0.82), 0.15),
        sides=20,
        at=compose(lean, translation(0.0, -0.05, 0.1)),
    )
    assembly.tube([(0.0, 0.0, 0.36), (0.0, 0.0, high - 0.2)], 0.014, STEEL, at=lean)
    grip = [
        (0.0, 0.0, high - 0.22),
        (0.0, 0.0, high - 0.12),
        (0.0, 0.04, high - 0.06),
        (0.0, 0.1, high - 0.06),
        (0.0, 0.12, high - 0.12),
    ]
    assembly.tube(grip, 0.017, BLACK_PLASTIC, at=lean, spans=3)
    for side in (-1.0, 1.0):
        at = rotation("y", math.pi / 2, (side * 0.145 - 0.0125, 0.03, 0.045))
        assembly.lathe([(0.0, 0.0), (0.045, 0.0), (0.045, 0.025), (0.0, 0.025)], BLACK_PLASTIC, sides=20, at=at)
    return assembly.model(5.0)
