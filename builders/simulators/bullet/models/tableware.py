"""Crockery, cookware and bottles."""

from __future__ import annotations

import math

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .palette import BLACK_PLASTIC, STEEL, between, chance, colour, glaze

Profile = list[tuple[float, float]]


def _arc(radius: float, height: float, steps: int, *, start: float = 0.0) -> Profile:
    """A quarter of an ellipse from (near) its lowest point out to its rim: (r, z)."""
    points = [sin_cos(start + (math.pi / 2 - start) * i / steps) for i in range(steps + 1)]
    lowest = 1.0 - points[0][1]
    return [(radius * s, height * ((1.0 - c) - lowest) / (1.0 - lowest)) for s, c in points]


def _vessel(outside: Profile, wall: float) -> Profile:
    """A closed profile of an open vessel of constant wall from its outside (bottom to rim)."""
    inside = [(max(r - wall, 0.0), z + wall) for r, z in outside[:-1]]
    rim_r, rim_z = outside[-1]
    lip = [(rim_r, rim_z), (rim_r - wall * 0.5, rim_z + wall * 0.4), (rim_r - wall, rim_z)]
    inside = [(r, z) for r, z in inside if z < rim_z - 1e-6]
    return [(0.0, outside[0][1]), *outside[:-1], *lip, *reversed(inside), (0.0, inside[0][1])]


def mug(rng: np.random.Generator, style: str) -> Model:
    """A mug with a handle."""
    assembly = Assembly("Mug", tolerance=0.003)
    r, h, ware = between(rng, 0.038, 0.048), between(rng, 0.085, 0.115), glaze(rng, style)
    flare = between(rng, 0.85, 1.0)
    assembly.lathe(_vessel([(r * flare * 0.95, 0.0), (r * flare, 0.006), (r, h)], 0.004), ware, sides=28)
    arc = [sin_cos(-1.4 + 2.8 * i / 8) for i in range(9)]
    path = [(r * 0.96 + 0.3 * h * c, 0.0, 0.5 * h + 0.3 * h * s) for s, c in arc]
    assembly.tube(path, 0.0055, ware, spans=4)
    drink = Material("plain", (0.36, 0.22, 0.13), 0.15)
    if chance(rng, 0.5):
        assembly.lathe([(r - 0.005, 0.8 * h), (0.0, 0.8 * h)], drink, sides=24, solid=False)
    return assembly.model(0.35)


def cup(rng: np.random.Generator, style: str) -> Model:
    """A tumbler."""
    assembly = Assembly("Cup", tolerance=0.003)
    r, h = between(rng, 0.034, 0.042), between(rng, 0.1, 0.14)
    ware = Material("plain", colour(rng, style, (0.3, 0.7), (0.6, 0.95)), 0.2)
    assembly.lathe(_vessel([(r * 0.78, 0.0), (r, h)], 0.003), ware, sides=24)
    return assembly.model(0.2)


def bowl(rng: np.random.Generator, style: str) -> Model:
    """A round bowl on a foot ring."""
    assembly = Assembly("Bowl", tolerance=0.003)
    r, ware = between(rng, 0.075, 0.14), glaze(rng, style)
    h = r * between(rng, 0.5, 0.75)
    side = [(x, z + 0.008) for x, z in _arc(r, h, 7, start=0.35)]
    assembly.lathe(_vessel([(side[0][0] * 0.95, 0.0), *side], 0.005), ware, sides=32, crease=60.0)
    return assembly.model(0.5)


def plate(rng: np.random.Generator, style: str) -> Model:
    """A flat plate with a rim."""
    assembly = Assembly("Plate", tolerance=0.003)
    r, ware = between(rng, 0.1, 0.14), glaze(rng, style)
    outside = [(0.6 * r, 0.0), (0.68 * r, 0.006), (r, 0.02)]
    inside = [(r, 0.0235), (0.66 * r, 0.01), (0.0, 0.008)]
    assembly.lathe([(0.0, 0.0), *outside, *inside], ware, sides=36, crease=35.0)
    if chance(rng, 0.5):
        band = Material("plain", colour(rng, style, (0.5, 0.8), (0.4, 0.8)), 0.25)
        assembly.lathe([(0.995 * r, 0.0239), (0.9 * r, 0.0201)], band, sides=36, solid=False)
    return assembly.model(0.4)


def pot(rng: np.random.Generator, style: str) -> Model:
    """A cooking pot with two ears and a lid."""
    assembly = Assembly("Pot", tolerance=0.004)
    r, h = between(rng, 0.1, 0.14), between(rng, 0.11, 0.18)
    body = STEEL if chance(rng, 0.45) else glaze(rng, style)
    grip = BLACK_PLASTIC if chance(rng, 0.6) else STEEL
    assembly.lathe(
        [(0.0, 0.0), (r - 0.008, 0.0), (r, 0.012), (r, h), (r + 0.004, h), (r + 0.004, h + 0.005), (0.0, h + 0.005)],
        body,
        sides=32,
    )
    dome = [(r, h + 0.005), (0.75 * r, h + 0.022), (0.4 * r, h + 0.032), (0.0, h + 0.035)]
    assembly.lathe([(0.0, h + 0.005), *dome], body, sides=32, crease=50.0)
    top = h + 0.034
    knob = [(0.0, top), (0.008, top), (0.02, top + 0.018), (0.014, top + 0.026), (0.0, top + 0.028)]
    assembly.lathe(knob, grip, sides=16, crease=60.0)
    for side in (-1.0, 1.0):
        start = side * (r - 0.003)
        far = side * (r + 0.035)
        path = [(start, -0.04, 0.8 * h), (far, -0.03, 0.8 * h), (far, 0.03, 0.8 * h), (start, 0.04, 0.8 * h)]
        assembly.tube(path, 0.007, grip)
    return assembly.model(1.8)


def pan(rng: np.random.Generator, style: str) -> Model:
    """A frying pan, its handle to the right."""
    assembly = Assembly("Pan", tolerance=0.004)
    r, h = between(rng, 0.11, 0.15), between(rng, 0.04, 0.055)
    tint = (0.34, 0.34, 0.36) if chance(rng, 0.6) else colour(rng, style, (0.5, 0.8), (0.5, 0.8))
    iron = Material("metal", tint, 0.45, 0.3, 2.0)
    assembly.lathe(_vessel([(0.82 * r, 0.0), (0.97 * r, 0.7 * h), (r, h)], 0.004), iron, sides=36)
    grip = BLACK_PLASTIC if chance(rng, 0.6) else Material("wood", (0.9, 0.7, 0.5), 0.5, 0.0, 3.0)
    long = between(rng, 0.17, 0.21)
    assembly.tube([(0.96 * r, 0.0, 0.8 * h), (r + 0.05, 0.0, h + 0.012)], 0.007, STEEL)
    path = [(r + 0.04, 0.0, h + 0.01), (r + 0.1, 0.0, h + 0.02), (r + long, 0.0, h + 0.025)]
    assembly.tube(path, [0.009, 0.013, 0.011], grip)
    return assembly.model(1.2)


def kettle(rng: np.random.Generator, style: str) -> Model:
    """A kettle with a bow handle and a spout to the right."""
    assembly = Assembly("Kettle", tolerance=0.004)
    r, h = between(rng, 0.085, 0.11), between(rng, 0.12, 0.16)
    body = STEEL if chance(rng, 0.4) else glaze(rng, style)
    shape = [(0.0, 0.0), (0.92 * r, 0.0), (r, 0.12 * h), (0.97 * r, 0.45 * h), (0.72 * r, 0.85 * h), (0.4 * r, h)]
    assembly.lathe([*shape, (0.0, 1.03 * h)], body, sides=32, crease=50.0)
    knob = [(0.0, h), (0.008, h), (0.015, 1.12 * h), (0.0, 1.17 * h)]
    assembly.lathe(knob, BLACK_PLASTIC, sides=14, crease=70.0)
    assembly.tube(
        [(0.85 * r, 0.0, 0.42 * h), (1.25 * r, 0.0, 0.7 * h), (1.5 * r, 0.0, 0.98 * h)], [0.022, 0.016, 0.011], body
    )
    arc = [sin_cos(-1.35 + 2.7 * i / 10) for i in range(11)]
    path = [(0.72 * r * s, 0.0, 0.85 * h + 0.62 * h * c) for s, c in arc]
    assembly.tube(path, 0.008, BLACK_PLASTIC, spans=5)
    return assembly.model(1.3)


def bottle(rng: np.random.Generator, style: str) -> Model:
    """A drinking or sauce bottle with a label and cap."""
    return _bottle("Bottle", rng, colour(rng, style, (0.35, 0.75), (0.55, 0.9)), colour(rng, style), 0.24)


def wine_bottle(rng: np.random.Generator, style: str) -> Model:
    """Dark glass with a paper label."""
    green, brown = (0.30, 0.42, 0.27), (0.45, 0.29, 0.20)
    return _bottle("WineBottle", rng, green if chance(rng, 0.6) else brown, colour(rng, style, (0.5, 0.8)), 0.31)


def _bottle(
    kind: str,
    rng: np.random.Generator,
    glass: tuple[float, float, float],
    cap: tuple[float, float, float],
    tall: float,
) -> Model:
    assembly = Assembly(kind, tolerance=0.003)
    h, r = tall * between(rng, 0.9, 1.1), between(rng, 0.034, 0.04)
    neck, shoulder = between(rng, 0.32, 0.4) * r, between(rng, 0.55, 0.64) * h
    body = [(0.0, 0.0), (0.94 * r, 0.0), (r, 0.008), (r, shoulder), (0.85 * r, shoulder + 0.06 * h)]
    upper = [(neck * 1.15, shoulder + 0.17 * h), (neck, shoulder + 0.22 * h), (neck, 0.97 * h), (0.0, 0.97 * h)]
    assembly.lathe([*body, *upper], Material("plain", glass, 0.12), sides=24)
    tint = float(rng.uniform(0.85, 1.0))
    label = Material("label", (1.0, tint, tint * 0.95), 0.8, 0.0, 4.0)
    low, high = 0.18 * h, shoulder * 0.85
    assembly.lathe([(1.012 * r, low), (1.012 * r, high)], label, sides=24, solid=False)
    top = [(0.0, 0.93 * h), (neck * 1.2, 0.93 * h), (neck * 1.2, h), (0.0, h)]
    assembly.lathe(top, Material("plain", cap, 0.4), sides=16)
    return assembly.model(0.8)


def watering_can(rng: np.random.Generator, style: str) -> Model:
    """A can with a long spout to the right and a handle over its back."""
    assembly = Assembly("WateringCan", tolerance=0.004)
    r, h = between(rng, 0.08, 0.11), between(rng, 0.16, 0.22)
    tin = Material("metal", colour(rng, style, (0.3, 0.7), (0.55, 0.85)), 0.4, 0.2, 2.0)
    assembly.lathe(_vessel([(r, 0.0), (0.85 * r, h)], 0.004), tin, sides=28)
    assembly.tube([(0.9 * r, 0.0, 0.2 * h), (2.2 * r, 0.0, 1.05 * h)], [0.018, 0.01], tin)
    rose = [(0.0, 0.0), (0.01, 0.0), (0.032, 0.035), (0.0, 0.042)]
    assembly.lathe(rose, tin, sides=16, at=rotation("y", 0.85, (2.15 * r, 0.0, 1.03 * h)))
    arc = [sin_cos(-0.3 + 2.6 * i / 8) for i in range(9)]
    path = [(-0.75 * r - 0.75 * r * s, 0.0, 0.6 * h + 0.42 * h * c) for s, c in arc]
    assembly.tube(path, 0.007, tin, spans=4)
    return assembly.model(0.9)
