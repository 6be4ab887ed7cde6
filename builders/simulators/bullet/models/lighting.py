"""Lamps: what they look like; their light is the scene's affair."""

from __future__ import annotations

import math

import numpy as np

from flowbench.rendering import Material
from flowbench.rendering.placing import rotation
from flowbench.rendering.shapes import lathe
from flowbench.rendering.sweeps import two_sided

from ..model import Model
from .assembly import Assembly
from .hulls import lathe_parts
from .palette import RGB, between, chance, colour, glaze, metal

_GLOW: RGB = (1.0, 0.93, 0.8)
_BULB = Material("plain", _GLOW, 0.4, emission=1.4)


def _shade(
    assembly: Assembly, rng: np.random.Generator, style: str, size: tuple[float, float, float], at: float
) -> None:
    """A cloth shade, open above and below, round z, with (lower radius, upper radius, height), from height ``at``."""
    low, high, tall = size
    tint = (1.0, 0.95, 0.85) if chance(rng, 0.6) else colour(rng, style, (0.2, 0.5), (0.75, 0.95))
    profile = [(low, at), (high, at + tall)]
    cover = two_sided(lathe(profile, Material("fabric", tint, 0.95, 0.0, 5.0, 0.25), sides=32))
    assembly.add(cover, lathe_parts([(0.0, at), *profile, (0.0, at + tall)], 0.004))
    bulb = [(0.0, at + 0.3 * tall), (0.03, at + 0.42 * tall), (0.02, at + 0.65 * tall), (0.0, at + 0.7 * tall)]
    assembly.lathe(bulb, _BULB, sides=12, crease=90.0, solid=False)


def floor_lamp(rng: np.random.Generator, style: str) -> Model:
    """A pole or a tripod under a shade."""
    assembly = Assembly("FloorLamp")
    height, tall = between(rng, 1.35, 1.7), between(rng, 0.22, 0.34)
    low = between(rng, 0.15, 0.22)
    high = low * between(rng, 0.62, 1.0)
    post = metal(rng, style)
    base = height - tall
    if chance(rng, 0.3):
        hub = base - 0.06
        for i in range(3):
            turn = rotation("z", 2.0 * math.pi * (i + 0.25) / 3)
            assembly.tube([(0.27, 0.0, 0.0), (0.015, 0.0, hub)], [0.011, 0.014], post, at=turn)
        assembly.lathe(
            [
                (0.0, hub - 0.03),
                (0.035, hub - 0.03),
                (0.035, hub),
                (0.012, hub + 0.01),
                (0.012, base + 0.5 * tall),
                (0.0, base + 0.5 * tall),
            ],
            post,
            sides=14,
        )
    else:
        foot, stem = between(rng, 0.12, 0.16), 0.012
        top = base + 0.4 * tall
        profile = [(foot, 0.0), (foot, 0.02), (0.03, 0.035), (stem, 0.06), (stem, top), (0.0, top)]
        assembly.lathe([(0.0, 0.0), *profile], post, sides=28)
    _shade(assembly, rng, style, (low, high, tall), base)
    return assembly.model(5.0)


def desk_lamp(rng: np.random.Generator, style: str) -> Model:
    """A table lamp with a ceramic foot and shade, or a jointed work lamp."""
    assembly = Assembly("DeskLamp", tolerance=0.003)
    if chance(rng, 0.45):
        return _work_lamp(assembly, rng, style)
    r, h = between(rng, 0.05, 0.085), between(rng, 0.17, 0.28)
    vase = [(0.0, 0.0), (0.7 * r, 0.0), (0.8 * r, 0.02), (r, 0.4 * h), (0.45 * r, 0.85 * h), (0.3 * r, h), (0.0, h)]
    assembly.lathe(vase, glaze(rng, style), sides=28, crease=50.0)
    tall = between(rng, 0.14, 0.2)
    assembly.lathe([(0.0, h), (0.008, h), (0.008, h + 0.6 * tall), (0.0, h + 0.6 * tall)], metal(rng, style), sides=10)
    low = between(rng, 0.11, 0.16)
    _shade(assembly, rng, style, (low, low * between(rng, 0.6, 0.85), tall), h + 0.03)
    return assembly.model(1.8)


def _work_lamp(assembly: Assembly, rng: np.random.Generator, style: str) -> Model:
    paint = Material("plain", colour(rng, style, (0.4, 0.8), (0.55, 0.9)), 0.35)
    steel = metal(rng, style)
    foot = between(rng, 0.075, 0.095)
    assembly.lathe([(0.0, 0.0), (foot, 0.0), (foot, 0.018), (0.02, 0.03), (0.0, 0.03)], paint, sides=28)
    lower, upper = between(rng, 0.22, 0.3), between(rng, 0.2, 0.26)
    elbow = (0.0, 0.4 * lower, 0.03 + 0.9 * lower)
    head = (0.0, elbow[1] - 0.85 * upper, elbow[2] + 0.5 * upper)
    assembly.tube([(0.0, 0.0, 0.02), elbow], 0.007, steel)
    assembly.tube([elbow, head], 0.007, steel)
    r, long = between(rng, 0.05, 0.07), 0.11
    cone = [(r, 0.0), (0.55 * r, 0.6 * long), (0.3 * r, long), (0.0, long)]
    at = rotation("x", -0.45, (head[0], head[1] - 0.02, head[2] - 0.6 * long))
    assembly.add(two_sided(lathe(cone, paint, sides=24)), lathe_parts([(0.0, 0.0), *cone], 0.003), at=at)
    bulb = [(0.0, 0.004), (0.024, 0.02), (0.016, 0.05), (0.0, 0.055)]
    assembly.lathe(bulb, _BULB, sides=12, crease=90.0, at=at, solid=False)
    return assembly.model(1.6)


def ceiling_light(rng: np.random.Generator, style: str) -> Model:
    """A bowl of frosted glass close to the ceiling, or a hanging shade."""
    assembly = Assembly("CeilingLight")
    ring = metal(rng, style)
    r = between(rng, 0.16, 0.24)
    glass = Material("plain", _GLOW, 0.4, emission=1.3)
    if chance(rng, 0.5):
        drop = between(rng, 0.08, 0.12)
        bowl = [(0.0, -drop), (0.6 * r, -0.88 * drop), (0.9 * r, -0.55 * drop), (r, -0.02), (0.0, -0.02)]
        assembly.lathe(bowl, glass, sides=32, crease=60.0)
        assembly.lathe([(0.0, -0.025), (r * 1.05, -0.025), (r * 1.05, 0.0), (0.0, 0.0)], ring, sides=32)
        return assembly.model(2.0, anchor="ceiling")
    cord, tall = between(rng, 0.15, 0.3), between(rng, 0.12, 0.18)
    rod = [(0.0, -cord - 0.5 * tall), (0.005, -cord - 0.5 * tall), (0.005, -0.025), (0.05, -0.02), (0.05, 0.0)]
    assembly.lathe([*rod, (0.0, 0.0)], ring, sides=12)
    _shade(assembly, rng, style, (r, r * between(rng, 0.5, 0.9), tall), -cord - tall)
    return assembly.model(1.5, anchor="ceiling")
