"""Bathroom fixtures and what belongs to them."""

from __future__ import annotations

import numpy as np

from flowbench.rendering import Material
from flowbench.rendering.placing import stretched, translation
from flowbench.rendering.shapes import lathe

from ..model import Model
from .assembly import Assembly
from .fittings import Fronts, doors
from .hulls import lathe_parts
from .palette import STEEL, between, chance, colour, metal, stone, timber, wood

_PORCELAIN = Material("plain", (0.96, 0.96, 0.95), 0.15)


def toilet(rng: np.random.Generator, style: str) -> Model:
    """A close-coupled toilet, lid down."""
    assembly = Assembly("Toilet")
    seat = between(rng, 0.39, 0.43)
    tank_wide, tank_top = between(rng, 0.36, 0.42), between(rng, 0.76, 0.86)
    profile = [(0.0, 0.0), (0.13, 0.0), (0.115, 0.12), (0.14, 0.26), (0.185, seat - 0.03), (0.19, seat), (0.0, seat)]
    longer = (1.0, 1.3, 1.0)
    where = translation(0.0, -0.08, 0.0)
    bowl = stretched(lathe(profile, _PORCELAIN, sides=32, crease=55.0), longer)
    assembly.add(bowl, [part * np.array(longer) for part in lathe_parts(profile, 0.01)], at=where)
    lid = [(0.0, seat), (0.192, seat), (0.195, seat + 0.012), (0.185, seat + 0.03), (0.0, seat + 0.036)]
    white = Material("plain", (0.99, 0.99, 0.99), 0.3)
    face = wood(rng, style) if chance(rng, 0.4) else white
    cover = stretched(lathe(lid, face, sides=32, crease=50.0), longer)
    assembly.add(cover, [part * np.array(longer) for part in lathe_parts(lid, 0.01)], at=where)
    assembly.box((0.2, 0.26, seat - 0.02), (0.0, 0.13, (seat - 0.02) / 2), _PORCELAIN, rounding=0.02)
    high = tank_top - seat + 0.02
    assembly.box((tank_wide, 0.17, high), (0.0, 0.235, seat - 0.02 + high / 2), _PORCELAIN, rounding=0.02)
    assembly.box((tank_wide + 0.015, 0.185, 0.03), (0.0, 0.235, tank_top + 0.01), _PORCELAIN, rounding=0.01)
    button = [(0.0, 0.0), (0.025, 0.0), (0.022, 0.006), (0.0, 0.006)]
    assembly.lathe(button, STEEL, sides=16, at=(0.0, 0.235, tank_top + 0.024), solid=False)
    return assembly.model(35.0)


def sink(rng: np.random.Generator, style: str) -> Model:
    """A basin on a cabinet, with a tap."""
    assembly = Assembly("Sink")
    width, depth, height = between(rng, 0.6, 0.95), between(rng, 0.45, 0.52), between(rng, 0.8, 0.86)
    body, grip, top = timber(rng, style, 0.6), metal(rng, style), stone(rng, style)
    assembly.box((width - 0.02, depth - 0.04, height - 0.11), (0.0, 0.01, 0.08 + (height - 0.11) / 2), body)
    assembly.box((width - 0.1, depth - 0.12, 0.08), (0.0, 0.02, 0.04), body)
    assembly.box((width, depth, 0.03), (0.0, 0.0, height - 0.015), top, rounding=0.006)
    fronts = Fronts(-width / 2 + 0.02, width / 2 - 0.02, 0.09, height - 0.04, -depth / 2 + 0.03)
    doors(assembly, fronts, 2, body, grip)
    r = min(0.2, depth * 0.42)
    outside = [(0.0, 0.0), (0.6 * r, 0.0), (0.9 * r, 0.06), (r, 0.12), (r - 0.012, 0.124)]
    basin = [*outside, (r - 0.02, 0.11), (0.82 * r, 0.05), (0.4 * r, 0.025), (0.0, 0.022)]
    place = (0.0, -0.02, height)
    assembly.lathe(basin, _PORCELAIN, sides=36, crease=50.0, at=place)
    y = depth / 2 - 0.05
    spout = [(0.0, y, height), (0.0, y, height + 0.2), (0.0, y - 0.03, height + 0.23), (0.0, y - 0.12, height + 0.21)]
    assembly.tube(spout, 0.012, STEEL, spans=2)
    if width > 0.75:
        assembly.surface(r + 0.03, -depth / 2 + 0.03, width / 2 - 0.03, depth / 2 - 0.03, height)
        assembly.surface(-width / 2 + 0.03, -depth / 2 + 0.03, -r - 0.03, depth / 2 - 0.03, height)
    return assembly.model(35.0)


def bathtub(rng: np.random.Generator, style: str) -> Model:
    """A built-in tub with a tap at one end; its hollow collides as if it were full."""
    assembly = Assembly("Bathtub")
    del style
    width, depth, height = between(rng, 1.5, 1.75), between(rng, 0.7, 0.8), between(rng, 0.52, 0.6)
    rim = 0.07
    for side in (-1.0, 1.0):
        size = (width, rim, height)
        assembly.box(size, (0.0, side * (depth - rim) / 2, height / 2), _PORCELAIN, rounding=0.02, solid=False)
        size = (rim * 1.6, depth - 2 * rim + 0.04, height)
        assembly.box(size, (side * (width - rim * 1.6) / 2, 0.0, height / 2), _PORCELAIN, rounding=0.02, solid=False)
    assembly.box((width - 0.1, depth - 0.1, 0.12), (0.0, 0.0, 0.08), _PORCELAIN, solid=False)
    assembly.block((width, depth, height), (0.0, 0.0, height / 2), rounding=0.02)
    x = width / 2 - 0.06
    spout = [
        (x, 0.0, height - 0.01),
        (x, 0.0, height + 0.1),
        (x - 0.03, 0.0, height + 0.13),
        (x - 0.13, 0.0, height + 0.11),
    ]
    assembly.tube(spout, 0.016, STEEL, spans=2)
    return assembly.model(90.0)


def soap_bottle(rng: np.random.Generator, style: str) -> Model:
    """A pump bottle."""
    assembly = Assembly("SoapBottle", tolerance=0.003)
    r, h = between(rng, 0.032, 0.04), between(rng, 0.12, 0.16)
    tint = Material("plain", colour(rng, style, (0.35, 0.75), (0.6, 0.92)), 0.25)
    body = [(0.0, 0.0), (r, 0.0), (r, 0.82 * h), (0.5 * r, h), (0.0, h)]
    assembly.lathe(body, tint, sides=24)
    label = Material("label", (0.97, 0.97, 0.95), 0.8, 0.0, 6.0)
    assembly.lathe([(1.01 * r, 0.2 * h), (1.01 * r, 0.65 * h)], label, sides=24, solid=False)
    pump = Material("plain", (0.93, 0.93, 0.92), 0.4)
    neck = [(0.0, h), (0.4 * r, h), (0.4 * r, h + 0.015), (0.12 * r, h + 0.018), (0.12 * r, h + 0.04), (0.0, h + 0.04)]
    assembly.lathe(neck, pump, sides=14)
    assembly.box((0.018, 0.05, 0.01), (0.0, -0.014, h + 0.043), pump, rounding=0.004, segments=1)
    return assembly.model(0.4)


def toilet_paper(rng: np.random.Generator, style: str) -> Model:
    """A roll standing upright."""
    del style
    assembly = Assembly("ToiletPaper", tolerance=0.002)
    r, h = between(rng, 0.05, 0.06), between(rng, 0.095, 0.105)
    return _roll(assembly, r, h)


def paper_towel_roll(rng: np.random.Generator, style: str) -> Model:
    """A tall roll standing upright."""
    del style
    assembly = Assembly("PaperTowelRoll", tolerance=0.002)
    return _roll(assembly, between(rng, 0.055, 0.068), between(rng, 0.23, 0.27))


def _roll(assembly: Assembly, r: float, h: float) -> Model:
    paper = Material("fabric", (0.98, 0.98, 0.97), 0.95, 0.0, 8.0)
    core = Material("cardboard", (0.9, 0.85, 0.78), 0.9, 0.0, 4.0)
    hole = 0.02
    assembly.lathe([(0.0, 0.0), (r, 0.0), (r, h), (hole, h)], paper, sides=28)
    assembly.lathe([(hole, h), (hole - 0.002, h - 0.05), (0.0, h - 0.05)], core, sides=20, solid=False)
    return assembly.model(0.2)
