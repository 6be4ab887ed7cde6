"""Things to read, play and train with."""

from __future__ import annotations

import math

import numpy as np

from flowbench.geometry import compose, sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation, translation
from flowbench.rendering.shapes import circle

from ..model import Model
from .assembly import Assembly
from .palette import STEEL, between, chance, colour, hsv

Triple = tuple[float, float, float]


def book(rng: np.random.Generator, style: str) -> Model:
    """A closed book lying flat, sometimes a pile of two or three."""
    assembly = Assembly("Book", tolerance=0.003)
    pages = Material("paper", (0.97, 0.95, 0.88), 0.9, 0.0, 8.0)
    z = 0.0
    for _ in range(1 if chance(rng, 0.7) else int(rng.integers(2, 4))):
        width, long, thick = between(rng, 0.14, 0.19), between(rng, 0.2, 0.26), between(rng, 0.022, 0.045)
        cover = Material("books", colour(rng, style, (0.3, 0.65), (0.5, 0.88)), 0.6, 0.0, 1.0 / long)
        at = rotation("z", float(rng.uniform(-0.25, 0.25)), (0.0, 0.0, z))
        board = 0.003
        for level in (board / 2, thick - board / 2):
            assembly.box((width, long, board), (0.0, 0.0, level), cover, at=at, solid=False)
        assembly.box((board, long, thick), (-width / 2 + board / 2, 0.0, thick / 2), cover, at=at, solid=False)
        inner = (width - 0.01, long - 0.012, thick - 2 * board)
        assembly.box(inner, (-0.003, 0.0, thick / 2), pages, at=at, solid=False)
        assembly.block((width, long, thick), (0.0, 0.0, thick / 2), at=at)
        z += thick
    return assembly.model(0.7)


def basket_ball(rng: np.random.Generator, style: str) -> Model:
    """Orange with dark seams, or another bright colour."""
    assembly = Assembly("BasketBall", tolerance=0.003)
    r = between(rng, 0.115, 0.123)
    tint = (0.93, 0.52, 0.24) if chance(rng, 0.7) else colour(rng, style, (0.6, 0.85), (0.7, 0.9))
    assembly.ball(r, (0.0, 0.0, r), Material("leather", tint, 0.7, 0.0, 4.0), sides=32, rings=16)
    seam = Material("plain", (0.2, 0.17, 0.16), 0.8)
    rings = [rotation("x", 0.0), rotation("x", math.pi / 2), rotation("y", math.pi / 2)]
    tilt = compose(rotation("x", 0.5), rotation("y", 0.35))
    for ring in rings:
        path = [(0.994 * r * c, 0.994 * r * s, 0.0) for s, c in (sin_cos(2.0 * math.pi * i / 40) for i in range(41))]
        at = compose(translation(0.0, 0.0, r), compose(tilt, ring))
        assembly.tube(path, 0.0022, seam, sides=4, at=at, spans=0)
    return assembly.model(0.6)


def teddy_bear(rng: np.random.Generator, style: str) -> Model:
    """Sitting, facing the front."""
    del style
    assembly = Assembly("TeddyBear", tolerance=0.004)
    s = between(rng, 0.9, 1.45)
    coat = hsv(float(rng.uniform(0.05, 0.1)), float(rng.uniform(0.3, 0.6)), float(rng.uniform(0.6, 0.92)))
    if chance(rng, 0.25):
        coat = hsv(float(rng.uniform(0.85, 0.95)), 0.3, 0.92)
    fur = Material("fur", coat, 0.98, 0.0, 5.0)
    light = Material("fur", (0.96, 0.9, 0.8), 0.98, 0.0, 5.0)
    dark = Material("plain", (0.16, 0.12, 0.1), 0.3)
    limbs: list[tuple[float, Triple, Triple, Material]] = [
        (0.085, (0.0, 0.0, 0.095), (1.0, 0.85, 1.15), fur),
        (0.072, (0.0, -0.01, 0.235), (1.05, 0.95, 0.95), fur),
        (0.034, (0.0, -0.066, 0.22), (1.05, 0.75, 0.85), light),
    ]
    for x in (-1.0, 1.0):
        limbs.append((0.042, (x * 0.062, -0.1, 0.042), (0.95, 1.7, 1.0), fur))
        limbs.append((0.034, (x * 0.1, -0.035, 0.14), (0.85, 1.1, 1.7), fur))
        limbs.append((0.028, (x * 0.058, 0.0, 0.295), (1.0, 0.6, 1.0), fur))
    details: list[tuple[float, Triple, Triple, Material]] = [
        (0.012, (0.0, -0.087, 0.232), (1.2, 0.7, 0.8), dark),
        (0.06, (0.0, -0.028, 0.1), (1.0, 0.85, 1.2), light),
    ]
    for x in (-1.0, 1.0):
        details.append((0.009, (x * 0.028, -0.067, 0.258), (1.0, 0.7, 1.0), dark))
        details.append((0.024, (x * 0.062, -0.164, 0.045), (0.85, 0.35, 0.95), light))
        details.append((0.017, (x * 0.058, -0.012, 0.295), (1.0, 0.5, 1.0), light))
    for pieces, solid in ((limbs, True), (details, False)):
        for r, (x, y, z), scale, material in pieces:
            assembly.ball(r * s, (x * s, y * s, z * s), material, scale=scale, sides=14, rings=8, solid=solid)
    if chance(rng, 0.6):
        bow = Material("plain", hsv(float(rng.random()), 0.7, 0.85), 0.6)
        for x in (-1.0, 1.0):
            centre = (x * 0.026 * s, -0.075 * s, 0.172 * s)
            assembly.ball(0.026 * s, centre, bow, scale=(1.0, 0.45, 0.7), sides=10, rings=6)
    return assembly.model(0.5)


def dumbbell(rng: np.random.Generator, style: str) -> Model:
    """Two hexagonal heads on a bar."""
    assembly = Assembly("Dumbbell", tolerance=0.003)
    r, head, bar = between(rng, 0.05, 0.075), between(rng, 0.06, 0.09), between(rng, 0.12, 0.15)
    paint = Material("plain", colour(rng, style, (0.4, 0.75), (0.45, 0.85)), 0.5)
    flat = r * 0.8660254
    lower = [(r * c, r * s) for c, s in circle(6)]
    middle = [(0.98 * x, 0.98 * y) for x, y in lower]
    for side in (-1.0, 1.0):
        at = rotation("y", math.pi / 2, (side * (bar + head) / 2 - head / 2, 0.0, flat))
        at = compose(at, rotation("z", math.pi / 6))
        assembly.loft(lower, middle, 0.0, head, paint, at=at)
    assembly.tube([(-bar / 2 - 0.01, 0.0, flat), (bar / 2 + 0.01, 0.0, flat)], 0.014, STEEL, sides=12)
    return assembly.model(4.0)
