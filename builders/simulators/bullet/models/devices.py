"""Small electric devices: phones, remote controls, vacuum cleaners."""

from __future__ import annotations

import math

import numpy as np

from flowbench.geometry import compose, sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation, translation
from flowbench.rendering.shapes import circle, loft

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .electronics import FLAT
from .palette import hsv
from .printing import Outline, lines, panel

_ON_FLAT = rotation("z", math.pi / 16)
"""Turns the parts of a wheel so that it stands on a flat side of them."""


def cell_phone(draw: Draw) -> Model:
    """Lying on its back with its screen on, on its face with its lenses up, or open on its hinge."""
    assembly = Assembly("CellPhone", tolerance=0.002)
    width, form = draw.size("width"), draw.shape("form")
    long, thick = width * draw.size("ratio"), draw.size("thick")
    shell = draw.plastic() if draw.chance("coloured") else draw.dark
    if form == "flip":
        _flip(assembly, draw, (0.9 * width, 0.7 * long, thick), draw.steel if draw.chance("coloured") else draw.dark)
        return assembly.model(0.15)
    if form == "lenses":
        shell = Material("plain", draw.colour((0.1, 0.35), (0.55, 0.9)), 0.2)
    outline, bevel = _rounded(width, long, 0.12 * width), _rounded(width - 0.003, long - 0.003, 0.11 * width)
    for z, (low, high) in ((0.0, (bevel, outline)), (thick - 0.0018, (outline, bevel))):
        assembly.loft(low, high, z, z + 0.0018, shell, solid=False)
    body = loft(outline, outline, 0.0018, thick - 0.0018, shell)
    assembly.add(body, [np.array([(x, y, z) for x, y in outline for z in (0.0, thick)])])
    if form == "lenses":
        _lenses(assembly, draw, (width, long, thick))
    else:
        rim = 0.003 if form == "bare" else 0.006
        _icons(assembly, draw, (width - 2 * rim, long - 2.6 * rim, thick))
    return assembly.model(0.2)


def _rounded(width: float, long: float, r: float) -> Outline:
    """A rectangle with corners of radius r: 16 points, counter-clockwise."""
    x, y = width / 2 - r, long / 2 - r
    turns = [circle(12)[(3 * quarter + k) % 12] for quarter in range(4) for k in range(4)]
    signs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
    return [(signs[i // 4][0] * x + r * c, signs[i // 4][1] * y + r * s) for i, (c, s) in enumerate(turns)]


def _flat(assembly: Assembly, size: tuple[float, float], material: Material, centre: Vector) -> None:
    """A rectangle facing up."""
    assembly.picture(*size, material, at=compose(translation(*centre), FLAT))


def _icons(assembly: Assembly, draw: Draw, size: tuple[float, float, float]) -> None:
    """A bright screen with rows of icons, at height size[2]."""
    wide, long, top = size
    face = compose(translation(0.0, 0.0, top + 0.0003), FLAT)
    assembly.add(panel(_rounded(wide, long, 0.1 * wide), draw.dark), at=face)
    ground = Material("plain", draw.colour((0.3, 0.6), (0.55, 0.8)), 0.1, emission=0.25)
    face = compose(translation(0.0, 0.0, top + 0.0006), FLAT)
    assembly.add(panel(_rounded(wide - 0.003, long - 0.004, 0.085 * wide), ground), at=face)
    for row in range(6):
        for column in range(4):
            if row == 4:
                continue
            tint = hsv(float(draw.rng.random()), 0.5, 0.95)
            icon = Material("plain", tint, 0.1, emission=0.3)
            centre = (wide * (0.21 * column - 0.315), long * (0.37 - 0.15 * row), top + 0.0009)
            _flat(assembly, (0.15 * wide, 0.15 * wide), icon, centre)


def _flip(assembly: Assembly, draw: Draw, size: tuple[float, float, float], shell: Material) -> None:
    """An open one with a hinge: keys on the half that lies, a screen on the half that stands; size of a half."""
    width, long, top = size
    assembly.box((width, long, top), (0.0, 0.0, top / 2), shell, rounding=0.005)
    for row in range(5):
        for column in (-1.0, 0.0, 1.0):
            centre = (column * 0.29 * width, (0.3 - 0.17 * row) * long, top)
            call = row == 0 and column != 0.0
            key = Material("plain", hsv(0.35 if column < 0.0 else 0.0, 0.65, draw.size("bright")), 0.5)
            assembly.box((0.22 * width, 0.11 * long, 0.0028), centre, key if call else draw.white, solid=False)
    lid = rotation("x", -draw.size("tilt"), (0.0, 0.5 * long, 0.6 * top))
    assembly.box((width, 0.8 * top, long), (0.0, 0.0, long / 2), shell, rounding=0.004, at=lid)
    front = -0.4 * top
    border = compose(lid, translation(0.0, front - 0.0003, 0.52 * long))
    screen = compose(lid, translation(0.0, front - 0.0006, 0.52 * long))
    assembly.picture(0.86 * width, 0.8 * long, draw.dark, at=border)
    white = draw.size("bright")
    lit = Material("plain", (0.6 * white, 0.9 * white, white), 0.1, emission=0.35)
    assembly.picture(0.76 * width, 0.68 * long, lit, at=screen)
    lines(assembly, draw, (0.6 * width, 0.4 * long), 4, draw.dark, at=compose(screen, translation(0.0, -0.0003, 0.0)))


def _lenses(assembly: Assembly, draw: Draw, size: tuple[float, float, float]) -> None:
    """The back: a plate with three lenses in a corner, a mark in the middle."""
    width, long, top = size
    x, y, side = -0.18 * width, 0.5 * long - 0.32 * width, 0.5 * width
    assembly.box((side, side, 0.003), (x, y, top), draw.dark, rounding=0.0014, segments=1, solid=False)
    for dx, dy in ((-0.24, 0.24), (-0.24, -0.24), (0.24, 0.0)):
        at = (x + dx * side, y + dy * side, top + 0.0012)
        lens = [(0.0, 0.0), (0.2 * side, 0.0), (0.2 * side, 0.0012), (0.14 * side, 0.0016), (0.0, 0.001)]
        assembly.lathe(lens, draw.steel, sides=14, at=at, solid=False)
        glass = Material("plain", (0.2, 0.22, 0.3), 0.1)
        assembly.lathe(
            [(0.13 * side, 0.0), (0.0, 0.0)], glass, sides=12, at=(at[0], at[1], at[2] + 0.0018), solid=False
        )
    mark = [(0.1 * width, 0.0), (0.0, 0.0)]
    assembly.lathe(mark, draw.steel, sides=16, at=(0.0, -0.02 * long, top + 0.0004), solid=False)


def remote_control(draw: Draw) -> Model:
    """A bar with keys: in rows, round a pad, or few on a slim wand."""
    assembly = Assembly("RemoteControl", tolerance=0.002)
    width, long, thick = draw.size("width"), draw.size("length"), draw.size("thick")
    form = draw.shape("form")
    shell = draw.white if draw.chance("pale") else draw.dark
    keys = draw.dark if shell == draw.white else Material("plain", draw.palette.porcelain, 0.6)
    if form == "bowed":
        _outlined(assembly, (width, long, thick), shell)
    else:
        assembly.box((width, long, thick), (0.0, 0.0, thick / 2), shell, rounding=0.4 * thick)
    red = Material("plain", (draw.size("bright"), 0.2, 0.18), 0.5)
    if form == "rows":
        _keys(assembly, (width, long, thick), (-0.36, 0.3), 8, keys)
        _round_key(assembly, (0.0, 0.43 * long, thick), 0.13 * width, red)
    else:
        ring = 0.26 if form == "bowed" else 0.22
        pad = (0.0, ring * long, thick)
        _round_key(assembly, pad, 0.33 * width, keys)
        _round_key(assembly, (pad[0], pad[1], pad[2] + 0.001), 0.14 * width, shell)
        _round_key(assembly, (-0.25 * width, 0.43 * long, thick), 0.11 * width, red)
        _keys(assembly, (width, long, thick), (-0.4, 0.05), {"bowed": 5, "wand": 3, "slab": 4}[form], keys)
    if form == "slab":
        for k, hue in enumerate((0.0, 0.33, 0.15, 0.6)):
            key = Material("plain", hsv(hue, 0.6, draw.size("bright")), 0.5)
            centre = ((0.2 * k - 0.3) * width, -0.44 * long, thick)
            assembly.box((0.15 * width, 0.03 * long, 0.003), centre, key, solid=False)
    return assembly.model(0.15)


def _outlined(assembly: Assembly, size: tuple[float, float, float], shell: Material) -> None:
    """Broad at its head, narrower below."""
    width, long, thick = size
    x, y = width / 2, long / 2
    outline = [(-0.7 * x, -y), (0.7 * x, -y), (0.92 * x, 0.0), (x, 0.55 * y), (0.8 * x, y), (-0.8 * x, y)]
    outline += [(-x, 0.55 * y), (-0.92 * x, 0.0)]
    upper = [(0.9 * a, 0.97 * b) for a, b in outline]
    assembly.loft(outline, outline, 0.0, 0.6 * thick, shell)
    assembly.loft(outline, upper, 0.6 * thick, thick, shell)


def _keys(
    assembly: Assembly, size: tuple[float, float, float], span: tuple[float, float], rows: int, material: Material
) -> None:
    """Three columns of keys between two fractions of the length."""
    width, long, top = size
    step = (span[1] - span[0]) / (rows - 1)
    for row in range(rows):
        for column in (-1.0, 0.0, 1.0):
            centre = (column * width * 0.27, long * (span[1] - step * row), top)
            assembly.box((0.19 * width, min(0.6 * step, 0.055) * long, 0.004), centre, material, solid=False)


def _round_key(assembly: Assembly, at: Vector, r: float, material: Material) -> None:
    profile = [(0.0, -0.001), (r, -0.001), (r, 0.0015), (0.85 * r, 0.0025), (0.0, 0.0025)]
    assembly.lathe(profile, material, sides=16, at=at, solid=False)


def vacuum_cleaner(draw: Draw) -> Model:
    """An upright one, or one that is pulled along by its hose."""
    assembly = Assembly("VacuumCleaner")
    form = draw.shape("form")
    paint = Material("plain", draw.colour((0.4, 0.65), (0.5, 0.8)), 0.35)
    if form in ("bag", "cyclone"):
        _upright(assembly, draw, paint, cyclone=form == "cyclone")
    else:
        _canister(assembly, draw, paint, drum=form == "drum")
    return assembly.model(5.0)


def _upright(assembly: Assembly, draw: Draw, paint: Material, *, cyclone: bool) -> None:
    high, dark = draw.size("height"), draw.dark
    wide = draw.size("head")
    assembly.box((wide, 0.26, 0.09), (0.0, -0.06, 0.055), paint, rounding=0.03)
    assembly.box((wide + 0.01, 0.06, 0.04), (0.0, -0.16, 0.022), dark, rounding=0.01, segments=1)
    lean = rotation("x", -0.12, (0.0, 0.05, 0.09))
    if cyclone:
        assembly.box((0.15, 0.08, 0.42), (0.0, 0.03, 0.2), paint, rounding=0.03, at=lean)
        bin_, drum = (
            Material("plain", (0.74, 0.78, draw.between(0.8, 0.86)), 0.15),
            compose(lean, translation(0, -0.05, 0.06)),
        )
        assembly.lathe([(0.0, 0.0), (0.065, 0.0), (0.065, 0.2), (0.0, 0.2)], bin_, sides=20, at=drum)
        assembly.lathe([(0.0, 0.2), (0.07, 0.2), (0.055, 0.28), (0.0, 0.29)], dark, sides=20, at=drum)
    else:
        assembly.box((0.19, 0.15, 0.5), (0.0, -0.01, 0.27), paint, rounding=0.07, segments=3, at=lean)
        assembly.box((0.13, 0.16, 0.05), (0.0, -0.01, 0.14), dark, rounding=0.02, segments=1, at=lean)
    assembly.tube([(0.0, 0.02, 0.36), (0.0, 0.02, high - 0.2)], 0.014, draw.steel, at=lean)
    grip = [(0.0, 0.02, high - 0.22), (0.0, 0.02, high - 0.12), (0.0, 0.05, high - 0.06)]
    grip += [(0.0, 0.11, high - 0.06), (0.0, 0.13, high - 0.12)]
    assembly.tube(grip, 0.017, dark, at=lean, spans=3)
    for side in (-1.0, 1.0):
        at = compose(rotation("y", math.pi / 2, (side * (wide / 2 - 0.005) - 0.0125, 0.03, 0.045)), _ON_FLAT)
        assembly.lathe([(0.0, 0.0), (0.045, 0.0), (0.045, 0.025), (0.0, 0.025)], dark, sides=20, at=at)


def _canister(assembly: Assembly, draw: Draw, paint: Material, *, drum: bool) -> None:
    """The body behind, the tube upright before it with its head on the floor, the hose between them."""
    high, wide, dark = draw.size("height"), draw.size("head"), draw.dark
    if drum:
        body = [(0.0, 0.03), (0.15, 0.03), (0.155, 0.06), (0.15, 0.2), (0.0, 0.2)]
        lid = [(0.0, 0.2), (0.158, 0.2), (0.158, 0.225), (0.12, 0.28), (0.05, 0.3), (0.0, 0.3)]
        assembly.lathe(body, paint, sides=28, at=(0.0, 0.2, 0.0))
        assembly.lathe(lid, dark, sides=28, at=(0.0, 0.2, 0.0))
        assembly.lathe([(0.0, 0.0), (0.12, 0.0), (0.12, 0.031), (0.0, 0.031)], dark, sides=20, at=(0.0, 0.2, 0.0))
        outlet: Vector = (0.0, 0.17, 0.285)
    else:
        assembly.box((0.22, 0.38, 0.19), (0.0, 0.21, 0.125), paint, rounding=0.07, segments=3)
        assembly.box((0.1, 0.2, 0.03), (0.0, 0.24, 0.218), dark, rounding=0.012, segments=1)
        for side in (-1.0, 1.0):
            at = compose(rotation("y", math.pi / 2, (side * 0.12 - 0.02, 0.29, 0.095)), _ON_FLAT)
            assembly.lathe([(0.0, 0.0), (0.095, 0.0), (0.095, 0.04), (0.0, 0.04)], dark, sides=24, at=at)
        assembly.box((0.1, 0.05, 0.05), (0.0, 0.07, 0.025), dark)
        outlet = (0.0, 0.06, 0.17)
    head_y = -0.2
    assembly.box((wide, 0.09, 0.035), (0.0, head_y, 0.0175), dark, rounding=0.01, segments=1)
    top: Vector = (0.0, head_y + 0.1, high)
    assembly.tube([(0.0, head_y + 0.01, 0.03), top], 0.015, draw.steel, sides=10)
    grip = [top, (0.0, head_y + 0.13, high + 0.07), (0.0, head_y + 0.2, high + 0.1)]
    assembly.tube(grip, 0.019, dark, sides=10, spans=2)
    path = []
    for i in range(25):
        s, c = sin_cos(math.pi * i / 24)
        k = i / 24
        y, z = grip[-1][1] + (outlet[1] - grip[-1][1]) * k, grip[-1][2] + (outlet[2] - grip[-1][2]) * k
        path.append((0.05 * s, y + 0.3 * s, z + 0.12 * s * c))
    assembly.tube(path, [0.02 if i % 2 else 0.0165 for i in range(25)], dark, sides=10, spans=6)
