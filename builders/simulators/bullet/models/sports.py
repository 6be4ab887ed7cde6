"""Sports things: balls, weights, bats, rackets."""

from __future__ import annotations

import math

import numpy as np

from flowbench.geometry import atan2, compose, sin_cos, transform
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material, join
from flowbench.rendering.placing import Vector, placed, rotation, translation
from flowbench.rendering.shapes import circle, lathe, sphere
from flowbench.rendering.sweeps import tube

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .electronics import FLAT
from .hulls import ball_part, lathe_parts
from .palette import hsv
from .resting import pressed
from .turned import Profile

_SIDES = 16
_HALF_STEP = math.pi / _SIDES


def basket_ball(draw: Draw) -> Model:
    """Orange with dark seams, or another bright colour."""
    assembly = Assembly("BasketBall", tolerance=0.003)
    r = draw.size("radius")
    orange = hsv(draw.size("hue"), draw.between(0.7, 0.8), draw.between(0.8, 0.93))
    tint = draw.colour((0.45, 0.65), (0.7, 0.9)) if draw.chance("coloured") else orange
    tilt = compose(rotation("x", draw.between(0.2, 0.8)), rotation("y", draw.between(0.2, 0.8)))
    turns = [sin_cos(2.0 * math.pi * i / 40) for i in range(41)]
    seams: list[list[Vector]] = [[(c, s, 0.0) for s, c in turns], [(0.0, c, s) for s, c in turns]]
    # A loop round each side, where the sphere has 0.8 of its radius.
    seams += [[(side * 0.6, 0.8 * c, 0.8 * s) for s, c in turns] for side in (-1.0, 1.0)]
    skin, thick = [sphere(r, Material("leather", tint, 0.7, 0.0, 4.0), sides=40, rings=20)], draw.size("seam")
    for seam in seams:
        path = [(0.992 * r * x, 0.992 * r * y, 0.992 * r * z) for x, y, z in seam]
        skin.append(placed(tube(path, thick, Material("plain", draw.palette.dark, 0.8), sides=5), tilt))
    part = ball_part(r, (0.0, 0.0, 0.0))
    assembly.add(pressed(join(skin), float(part[:, 2].min())), [part])
    return assembly.model(0.6)


def dumbbell(draw: Draw) -> Model:
    """Two heads on a bar: hexagons, stacked discs, or drums."""
    assembly = Assembly("Dumbbell", tolerance=0.003)
    form, r, head, bar = draw.shape("form"), draw.size("radius"), draw.size("head"), draw.size("bar")
    paint = Material("plain", draw.colour((0.4, 0.65), (0.3, 0.6)), 0.6) if draw.chance("coloured") else draw.dark
    # Round heads stand on a flat side of their parts.
    flat = r * 0.8660254 if form == "hexagons" else 0.9904 * r
    outline = [(r * c, r * s) for c, s in circle(6)]
    for side in (-1.0, 1.0):
        inner = (side * bar / 2, 0.0, flat)
        out = compose(rotation("y", side * math.pi / 2, inner), rotation("z", _HALF_STEP))
        if form == "hexagons":
            at = compose(rotation("y", side * math.pi / 2, inner), rotation("z", math.pi / 6))
            assembly.loft(outline, [(0.98 * x, 0.98 * y) for x, y in outline], 0.0, head, paint, at=at)
        elif form == "drums":
            drum = [(0.0, 0.0), (0.9 * r, 0.0), (r, 0.1 * head), (r, 0.9 * head), (0.9 * r, head), (0.0, head)]
            _weight(assembly, drum, paint, out)
            plate = [(0.7 * r, head), (0.68 * r, head + 0.003), (0.3 * r, head + 0.003), (0.26 * r, head)]
            assembly.lathe(plate, draw.steel, sides=24, at=out, solid=False)
            bolt = [(0.0, head), (0.014, head), (0.014, head + 0.008), (0.0, head + 0.008)]
            assembly.lathe(bolt, draw.steel, sides=6, at=out)
        else:
            start = 0.0
            for k in (1.0, 0.78, 0.56):
                thick = 0.3 * head
                disc = [(0.0, start), (k * r - 0.003, start), (k * r, start + 0.003), (k * r, start + thick - 0.003)]
                disc += [(k * r - 0.003, start + thick), (0.0, start + thick)]
                _weight(assembly, disc, paint, out)
                start += thick + 0.002
            nut = [(0.0, start), (0.3 * r, start), (0.3 * r, start + 0.018), (0.0, start + 0.018)]
            assembly.lathe(nut, draw.steel, sides=6, at=out)
    assembly.tube([(-bar / 2 - 0.01, 0.0, flat), (bar / 2 + 0.01, 0.0, flat)], 0.014, draw.steel, sides=12)
    return assembly.model(4.0)


def _weight(assembly: Assembly, profile: Profile, material: Material, at: Matrix) -> None:
    """A turned piece laid on its side, pressed flat where it would sink into the floor."""
    parts = [transform(at, part) for part in lathe_parts(profile, 0.003)]
    assembly.add(pressed(placed(lathe(profile, material, sides=24), at)), parts)


def baseball_bat(draw: Draw) -> Model:
    """Lying on the floor, its knob to the left."""
    assembly = Assembly("BaseballBat", tolerance=0.003)
    long, thick = draw.size("length"), draw.size("barrel")
    thin, knob = 0.42 * thick, 0.72 * thick
    body = draw.wood() if draw.shape("body") == "wooden" else draw.metal() if draw.chance("bare") else draw.plastic()
    # It lies on its knob and its barrel, on a flat side of its parts: its axis rises from the one to the other.
    rise = rotation("y", atan2(knob - thick, 0.94 * long))
    at = compose(rise, compose(rotation("y", math.pi / 2), rotation("z", _HALF_STEP)))
    end = [(0.0, 0.0), (0.8 * knob, 0.0), (knob, 0.005), (knob, 0.013), (thin, 0.022), (thin, 0.3 * long)]
    assembly.lathe([*end, (0.0, 0.3 * long)], body, sides=_SIDES, crease=60.0, at=at)
    swell = [
        (0.3, 0.42),
        (0.42, 0.48),
        (0.54, 0.63),
        (0.66, 0.84),
        (0.78, 0.97),
        (0.95, 1.0),
        (0.985, 0.92),
        (1.0, 0.7),
    ]
    barrel = [(thick * r, long * x) for x, r in swell]
    assembly.lathe([(0.0, 0.3 * long), *barrel, (0.0, long)], body, sides=_SIDES, crease=60.0, at=at)
    tape = Material("plain", draw.colour((0.25, 0.55), (0.35, 0.6)), 0.9) if draw.chance("tinted") else draw.dark
    turns = [(thin * (1.1 if i % 2 else 1.03), 0.024 + 0.019 * long * i) for i in range(15)]
    assembly.lathe([(0.0, turns[0][1]), *turns, (0.0, turns[-1][1])], tape, sides=_SIDES, at=at, solid=False)
    ring = Material("plain", draw.colour((0.4, 0.6), (0.5, 0.85)), 0.5)
    band = [(0.0, 0.7 * long), (0.91 * thick, 0.7 * long), (0.96 * thick, 0.74 * long), (0.0, 0.74 * long)]
    assembly.lathe(band, ring, sides=_SIDES, at=at, solid=False)
    return assembly.model(0.9)


def tennis_racket(draw: Draw) -> Model:
    """Lying flat, its handle to the left: a strung oval, with a forked or a full throat."""
    assembly = Assembly("TennisRacket", tolerance=0.003)
    long, wide, form = draw.size("length"), draw.size("head"), draw.shape("form")
    frame = draw.wood() if draw.chance("wooden") else draw.plastic()
    half_x, half_y, thick = 0.5 * wide * draw.size("oval"), 0.5 * wide, 0.011
    middle = long - half_x
    rim = [(middle + (half_x - thick) * x, (half_y - thick) * y, thick) for x, y in circle(32)]
    head = np.array([(middle + half_x * x, half_y * y, z) for x, y in circle(_SIDES) for z in (0.0, 2 * thick)])
    assembly.add(tube([*rim, rim[0]], thick, frame, sides=8), [head])
    _strings(assembly, draw, (middle, half_x - thick, half_y - thick, thick))
    neck, grip = middle - half_x, draw.size("grip")
    if form == "fork":
        for side in (-1.0, 1.0):
            path: list[Vector] = [(grip, side * 0.008, thick), (0.5 * (grip + neck), side * 0.022, thick)]
            path.append((neck + 0.22 * half_x, side * 0.55 * half_y, thick))
            assembly.tube(path, 0.9 * thick, frame, sides=8, spans=2)
    else:
        start = neck - 0.3 * half_x
        assembly.tube([(grip, 0.0, thick), (start + 0.02, 0.0, thick)], thick, frame, sides=8)
        x, y = neck + 0.14 * half_x, 0.5 * half_y
        wedge = [(start, -0.009), (x, -y), (x, y), (start, 0.009)]
        assembly.loft(wedge, wedge, 0.3 * thick, 1.7 * thick, frame)
    wrap = Material("plain", draw.colour((0.25, 0.55), (0.35, 0.6)), 0.9) if draw.chance("tinted") else draw.dark
    assembly.box((grip, 0.034, 0.03), (grip / 2, 0.0, 0.015), wrap, rounding=0.008, segments=1)
    assembly.box((0.014, 0.04, 0.034), (0.007, 0.0, 0.017), wrap, rounding=0.008, segments=1)
    return assembly.model(0.35)


def _strings(assembly: Assembly, draw: Draw, head: tuple[float, float, float, float]) -> None:
    """Strings both ways across the oval (middle x, half axes, height)."""
    middle, half_x, half_y, z = head
    cord = draw.dark if draw.chance("dark_strings") else draw.white
    for k in range(-5, 6):
        across = k / 5.6
        reach = math.sqrt(1.0 - across * across)
        at = compose(translation(middle, half_y * across, z), FLAT)
        assembly.picture(2 * half_x * reach, 0.004, cord, at=at)
    for k in range(-6, 7):
        along = k / 6.6
        reach = math.sqrt(1.0 - along * along)
        at = compose(translation(middle + half_x * along, 0.0, z + 0.0005), FLAT)
        assembly.picture(0.004, 2 * half_y * reach, cord, at=at)
