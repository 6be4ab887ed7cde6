"""Food that lies about: fruit, vegetables, bread."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import stretched
from flowbench.rendering.shapes import circle, lathe, sphere

from ..model import Model, Part
from .assembly import Assembly
from .hulls import ball_part, coarse_hull
from .palette import between, hsv

_STALK = Material("plain", (0.45, 0.33, 0.2), 0.8)
_FLAT = 0.05
"""By how much of its radius a fruit is flattened where it stands."""
_FOOT = 6
"""Corners of the ring on which it stands."""


def _fruit(
    assembly: Assembly, radius: float, squash: float, dimple: float, skin: Material, *, shoulder: float = 0.0
) -> float:
    """A round fruit with a dimpled top; gives the dimple's height."""
    profile = []
    steps = 12
    for i in range(steps + 1):
        s, c = sin_cos(math.pi * (i / steps - 0.5))
        near = max(0.0, 1.0 - c / 0.55)
        z = squash * (s - dimple * near * near * (1.0 if s > 0.0 else -0.6))
        profile.append((0.0 if i in (0, steps) else radius * c * (1.0 + shoulder * s), radius * z))
    low = min(z for _, z in profile) + _FLAT * radius
    profile = [(r, max(0.0, z - low)) for r, z in profile]
    mesh = lathe(profile, skin, sides=24, crease=100.0)
    assembly.add(mesh, [_standing_hull(mesh.vertices)])
    return profile[-1][1]


def _standing_hull(vertices: NDArray[np.float64]) -> Part:
    """A coarse hull with the whole of its foot, the ring where the skin leaves the ground, so that it stands."""
    floor = vertices[:, 2].min()
    body = _grown(vertices)
    body[:, 2] = np.maximum(body[:, 2], floor)
    ground = vertices[vertices[:, 2] == floor]
    reach = math.sqrt(float((ground[:, 0] * ground[:, 0] + ground[:, 1] * ground[:, 1]).max()))
    foot = [(reach * c, reach * s, floor) for c, s in circle(_FOOT)]
    return coarse_hull(np.concatenate([np.array(foot), body]), keep=_FOOT)


def _grown(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points blown up by 3.5% about their middle, to make up for the flat faces of a coarse hull."""
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2.0
    grown: NDArray[np.float64] = middle + 1.035 * (vertices - middle)
    return grown


def apple(rng: np.random.Generator, style: str) -> Model:
    """Red, yellow or green."""
    del style
    assembly = Assembly("Apple", tolerance=0.003)
    r = between(rng, 0.036, 0.044)
    hue = (0.0, 0.02, 0.14, 0.24)[int(rng.integers(4))]
    skin = Material("plain", hsv(hue, float(rng.uniform(0.65, 0.85)), float(rng.uniform(0.7, 0.88))), 0.3)
    top = _fruit(assembly, r, 0.92, 0.42, skin, shoulder=0.12)
    assembly.tube([(0.0, 0.0, top), (0.002, 0.0, top + 0.012), (0.007, 0.0, top + 0.026)], 0.002, _STALK, sides=6)
    return assembly.model(0.2)


def tomato(rng: np.random.Generator, style: str) -> Model:
    """Red, flat, with a green star on top."""
    del style
    assembly = Assembly("Tomato", tolerance=0.003)
    r = between(rng, 0.034, 0.045)
    skin = Material("plain", hsv(float(rng.uniform(-0.01, 0.04)), 0.85, float(rng.uniform(0.75, 0.9))), 0.2)
    top = _fruit(assembly, r, 0.78, 0.2, skin)
    green = Material("plain", (0.33, 0.55, 0.22), 0.7)
    star = [(0.45 * r, top + 0.0035), (0.2 * r, top + 0.003), (0.0, top + 0.004)]
    assembly.lathe(star, green, sides=5, solid=False)
    assembly.tube([(0.0, 0.0, top), (0.003, 0.0, top + 0.014)], 0.0025, green, sides=6)
    return assembly.model(0.15)


def potato(rng: np.random.Generator, style: str) -> Model:
    """A long brown tuber."""
    del style
    assembly = Assembly("Potato", tolerance=0.003)
    r = between(rng, 0.03, 0.038)
    skin = Material("crust", hsv(0.1, 0.2, float(rng.uniform(0.85, 1.0))), 0.9, 0.0, 5.0)
    scale = (between(rng, 1.3, 1.7), between(rng, 0.95, 1.15), between(rng, 0.85, 1.0))
    assembly.ball(r, (0.0, 0.0, 0.0), skin, scale=scale)
    return assembly.model(0.2)


def bread(rng: np.random.Generator, style: str) -> Model:
    """A loaf with scored crust."""
    del style
    assembly = Assembly("Bread", tolerance=0.003)
    long, half = between(rng, 0.2, 0.3), between(rng, 0.05, 0.065)
    tone = float(rng.uniform(0.85, 1.0))
    crust = Material("crust", (tone, tone, tone), 0.9, 0.0, 4.0)
    loaf = stretched(sphere(1.0, crust, sides=24, rings=14), (long / 2, half, half * 0.8))
    flat = np.maximum(loaf.vertices[:, 2], -0.45 * half)
    vertices = np.column_stack([loaf.vertices[:, :2], flat])
    loaf = replace(loaf, vertices=vertices)
    part = ball_part(1.0, (0.0, 0.0, 0.0), (long / 2, half, half * 0.8))
    part[:, 2] = np.maximum(part[:, 2], -0.45 * half)
    assembly.add(loaf, [part])
    cut = Material("plain", (0.95, 0.82, 0.6), 0.95)
    for i in range(4):
        x = (i - 1.5) * long * 0.17
        rise = half * 0.8 * math.sqrt(1.0 - (2.0 * x / long) * (2.0 * x / long))
        assembly.tube(
            [(x - 0.012, -0.45 * half, 0.80 * rise), (x, 0.0, 0.94 * rise), (x + 0.012, 0.45 * half, 0.80 * rise)],
            0.004,
            cut,
            sides=6,
            spans=0,
        )
    return assembly.model(0.5)
