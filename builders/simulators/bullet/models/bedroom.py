"""Beds, pillows, alarm clocks, dog beds."""

from __future__ import annotations

import math

import numpy as np

from flowbench.rendering import Material, Mesh
from flowbench.rendering.placing import rotation
from flowbench.rendering.sweeps import cushion

from ..model import Model, Part
from .assembly import Assembly
from .palette import between, chance, cloth, colour, metal, plastic, timber

_LINEN = Material("fabric", (0.95, 0.94, 0.91), 0.95, 0.0, 4.0)


def bed(rng: np.random.Generator, style: str) -> Model:
    """A single or double bed, its head to the wall."""
    assembly = Assembly("Bed")
    width = between(rng, 0.95, 1.1) if chance(rng, 0.4) else between(rng, 1.35, 1.7)
    length, head = between(rng, 1.95, 2.1), between(rng, 0.75, 1.15)
    frame, cover = timber(rng, style), cloth(rng, style)
    if chance(rng, 0.3):
        frame = cloth(rng, style, patterned=False)
    leg, rail = between(rng, 0.1, 0.18), between(rng, 0.14, 0.2)
    deck = leg + rail
    assembly.box((width, length, rail), (0.0, 0.0, leg + rail / 2), frame, rounding=0.01)
    assembly.box((width, 0.06, head), (0.0, length / 2 + 0.03, head / 2), frame, rounding=0.015)
    thick = between(rng, 0.15, 0.2)
    top = deck + thick - 0.03
    assembly.box(
        (width - 0.03, length - 0.04, thick), (0.0, 0.0, deck - 0.03 + thick / 2), _LINEN, rounding=0.05, segments=3
    )
    reach = length * between(rng, 0.6, 0.72)
    y = -length / 2 + reach / 2 - 0.01
    assembly.box(
        (width + 0.04, reach, thick + 0.02), (0.0, y, deck - 0.01 + thick / 2), cover, rounding=0.05, segments=3
    )
    fold = Material("fabric", (0.93, 0.9, 0.86), 0.95, 0.0, 4.0)
    size = (width + 0.045, 0.2, thick + 0.03)
    assembly.box(
        size, (0.0, y + reach / 2 - 0.06, deck - 0.005 + thick / 2), fold, rounding=0.05, segments=3, solid=False
    )
    assembly.block(size, (0.0, y + reach / 2 - 0.06, deck - 0.005 + thick / 2), rounding=0.05)
    pillow = Material("fabric", colour(rng, style, (0.05, 0.35), (0.85, 0.97)), 0.95, 0.0, 4.0)
    places = (-0.25, 0.25) if width > 1.2 else (0.0,)
    for place in places:
        wide = min(0.66, width * (0.44 if len(places) == 2 else 0.66))
        at = rotation("x", 0.35, (place * width, length / 2 - 0.24, top + 0.1))
        assembly.box((wide, 0.4, 0.14), (0.0, 0.0, 0.0), pillow, rounding=0.065, segments=4, at=at)
    for x in (-1.0, 1.0):
        for end in (-1.0, 1.0):
            centre = (x * (width / 2 - 0.05), end * (length / 2 - 0.06), (leg + 0.01) / 2)
            assembly.box((0.06, 0.06, leg + 0.01), centre, frame, rounding=0.006, segments=1)
    return assembly.model(45.0)


def pillow(rng: np.random.Generator, style: str) -> Model:
    """A throw pillow, lying flat."""
    assembly = Assembly("Pillow", tolerance=0.004)
    x, y, z = between(rng, 0.38, 0.52), between(rng, 0.34, 0.42), between(rng, 0.11, 0.15)
    mesh = cushion((x, y, z), cloth(rng, style))
    assembly.add(mesh, [_cushion_part(mesh)])
    return assembly.model(0.6)


def _cushion_part(mesh: Mesh) -> Part:
    """The rim, the middles and a ring between them, of the 9 x 9 points of each side: 30 vertices."""
    upper, lower = mesh.vertices.reshape(2, 9, 9, 3)
    rim = [upper[i, j] for i in (0, 2, 6, 8) for j in (0, 2, 6, 8) if i in (0, 8) or j in (0, 8)]
    ring = [side[i, j] for side in (upper, lower) for i in (2, 4, 6) for j in (2, 4, 6)]
    return np.stack(rim + ring)


def alarm_clock(rng: np.random.Generator, style: str) -> Model:
    """A twin-bell clock, or a digital one."""
    assembly = Assembly("AlarmClock", tolerance=0.003)
    case = plastic(rng, style)
    if chance(rng, 0.35):
        width, height, depth = between(rng, 0.13, 0.18), between(rng, 0.065, 0.085), between(rng, 0.06, 0.08)
        assembly.box((width, depth, height), (0.0, 0.0, height / 2), case, rounding=0.012, segments=3)
        face = Material("digits", (1.0, 1.0, 1.0), 0.2, emission=0.25)
        assembly.picture(width * 0.82, height * 0.62, face, at=(0.0, -depth / 2 - 0.001, height * 0.52))
        return assembly.model(0.3)
    r, deep = between(rng, 0.05, 0.065), 0.045
    steel = metal(rng, style)
    centre = r + 0.022
    at = rotation("x", math.pi / 2, (0.0, deep / 2, centre))
    assembly.lathe([(0.0, 0.0), (r, 0.0), (r, deep), (0.0, deep)], case, sides=32, at=at)
    face = Material("dial", (1.0, 1.0, 1.0), 0.4, 0.0, 0.5 / (0.92 * r))
    front = rotation("x", math.pi / 2, (0.0, -deep / 2 - 0.001, centre))
    assembly.lathe([(0.92 * r, 0.0), (0.0, 0.0)], face, sides=32, at=front, solid=False)
    for side in (-1.0, 1.0):
        foot = [(side * 0.5 * r, 0.0, centre - 0.8 * r), (side * 0.75 * r, 0.0, 0.004)]
        assembly.tube(foot, [0.007, 0.005], steel, sides=8)
        bell = [(0.0, 0.0), (0.5 * r, 0.0), (0.42 * r, 0.2 * r), (0.0, 0.36 * r)]
        assembly.lathe(
            bell, steel, sides=20, crease=60.0, at=rotation("y", side * 0.6, (side * 0.6 * r, 0.0, centre + 0.86 * r))
        )
    arc = [(-0.55 * r, 0.0, centre + 1.15 * r), (-0.3 * r, 0.0, centre + 1.42 * r), (0.3 * r, 0.0, centre + 1.42 * r)]
    assembly.tube([*arc, (0.55 * r, 0.0, centre + 1.15 * r)], 0.004, steel, sides=6)
    return assembly.model(0.4)


def dog_bed(rng: np.random.Generator, style: str) -> Model:
    """A round or oval padded ring with a cushion in it."""
    assembly = Assembly("DogBed")
    r, h = between(rng, 0.28, 0.38), between(rng, 0.14, 0.18)
    cover = cloth(rng, style, patterned=False)
    inner = Material("fabric", colour(rng, style, (0.05, 0.25), (0.8, 0.95)), 0.95, 0.0, 4.0)
    ring = [(0.9 * r, 0.0), (r, 0.3 * h), (0.98 * r, 0.75 * h), (0.88 * r, h), (0.76 * r, 0.85 * h), (0.7 * r, 0.4 * h)]
    assembly.lathe([(0.0, 0.0), *ring, (0.0, 0.4 * h)], cover, sides=36, crease=70.0)
    assembly.lathe([(0.71 * r, 0.42 * h), (0.5 * r, 0.52 * h), (0.0, 0.55 * h)], inner, sides=36, solid=False)
    return assembly.model(1.5)
