"""Crockery and what stands on a laid table."""

from __future__ import annotations

import math

from flowbench.geometry import atan2, compose, sin_cos
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation, translation
from flowbench.rendering.shapes import circle

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .printing import letters
from .tints import paper, tinted
from .turned import Profile, crinkled, turned

_SCALLOPS = 10
"""Waves round the rim of a scalloped plate."""


def _arc(radius: float, height: float, steps: int, *, start: float = 0.0) -> list[tuple[float, float]]:
    """A quarter of an ellipse from (near) its lowest point out to its rim: (r, z)."""
    points = [sin_cos(start + (math.pi / 2 - start) * i / steps) for i in range(steps + 1)]
    lowest = 1.0 - points[0][1]
    return [(radius * s, height * ((1.0 - c) - lowest) / (1.0 - lowest)) for s, c in points]


def vessel(outside: Profile, wall: float) -> list[tuple[float, float]]:
    """A closed profile of an open vessel of constant wall from its outside (bottom to rim)."""
    inside = [(max(r - wall, 0.0), z + wall) for r, z in outside[:-1]]
    rim_r, rim_z = outside[-1]
    lip = [(rim_r, rim_z), (rim_r - wall * 0.5, rim_z + wall * 0.4), (rim_r - wall, rim_z)]
    inside = [(r, z) for r, z in inside if z < rim_z - 1e-6]
    return [(0.0, outside[0][1]), *outside[:-1], *lip, *reversed(inside), (0.0, inside[0][1])]


def _filling(assembly: Assembly, radius: float, z: float, material: Material) -> None:
    assembly.lathe([(radius, z), (0.0, z)], material, sides=20, solid=False)


def mug(draw: Draw) -> Model:
    """A mug with a handle, round or cornered."""
    assembly = Assembly("Mug", tolerance=0.003)
    r, h, ware, form = draw.size("radius"), draw.size("height"), draw.glaze(), draw.shape("form")
    walls: dict[str, Profile] = {
        "straight": [(0.93 * r, 0.0), (0.98 * r, 0.006), (r, h)],
        "flared": [(0.78 * r, 0.0), (0.82 * r, 0.006), (r, h)],
        "barrel": [(0.8 * r, 0.0), (0.95 * r, 0.2 * h), (r, 0.5 * h), (0.96 * r, 0.8 * h), (0.88 * r, h)],
        "tulip": [(0.6 * r, 0.0), (0.86 * r, 0.14 * h), (0.97 * r, 0.4 * h), (0.9 * r, 0.75 * h), (r, h)],
    }
    wall = walls[form]
    assembly.lathe(vessel(wall, 0.004), ware, sides=24, crease=50.0)
    out = draw.size("handle")
    if draw.shape("grip") == "bow":
        arc = [sin_cos(-1.4 + 2.8 * i / 7) for i in range(8)]
        path = [(r * 0.94 + out * c, 0.0, 0.5 * h + 0.31 * h * s) for s, c in arc]
    else:
        far, near = r + out, 0.84 * r
        path = [(near, 0.0, 0.84 * h), (far - 0.008, 0.0, 0.84 * h), (far, 0.0, 0.78 * h), (far, 0.0, 0.4 * h)]
        path += [(far - 0.008, 0.0, 0.33 * h), (near, 0.0, 0.27 * h)]
    assembly.tube(path, draw.size("thick"), ware, spans=4)
    if draw.chance("band"):
        stripe = Material("plain", draw.colour((0.4, 0.65), (0.35, 0.8)), 0.25)
        z0, z1 = (0.42 * h, 0.6 * h) if form == "straight" else (0.0, 0.0)
        if z1 > z0:
            assembly.lathe([(1.006 * r, z0), (1.006 * r, z1)], stripe, sides=24, solid=False)
    if draw.chance("drink"):
        drink = tinted(draw, "drink_hue", (0.55, 0.7), (0.3, 0.45), 0.12)
        _filling(assembly, (r if form in ("straight", "flared") else 0.88 * r) - 0.005, 0.82 * h, drink)
    return assembly.model(0.35)


def cup(draw: Draw) -> Model:
    """A cup without a handle: a tumbler with a straw, a party cup; a goblet, or paper with a lid."""
    assembly = Assembly("Cup", tolerance=0.003)
    r, h, form = draw.size("radius"), draw.size("height"), draw.shape("form")
    ware = Material("plain", draw.colour((0.3, 0.6), (0.6, 0.95)), 0.2)
    if form == "goblet":
        stem, foot = 0.1 * r, 0.78 * r
        bowl: Profile = [(stem, 0.46 * h), (0.7 * r, 0.54 * h), (r, 0.7 * h), (0.97 * r, 0.85 * h), (0.86 * r, h)]
        base: Profile = [(0.0, 0.0), (foot, 0.0), (foot, 0.003), (0.3 * r, 0.012), (stem, 0.03), *bowl]
        rim = [(0.86 * r - 0.003, h), (0.94 * r, 0.85 * h), (0.94 * r, 0.72 * h), (0.0, 0.6 * h)]
        assembly.lathe([*base, *rim], ware, sides=22, crease=55.0)
        _filling(assembly, 0.95 * r, 0.8 * h, tinted(draw, "drink_hue", (0.6, 0.8), (0.4, 0.6), 0.1))
        return assembly.model(0.2)
    if form == "takeaway":
        assembly.lathe([(0.0, 0.0), (0.7 * r, 0.0), (0.97 * r, 0.9 * h), (0.0, 0.9 * h)], paper(draw), sides=22)
        sleeve = [(0.79 * r, 0.28 * h), (0.945 * r, 0.72 * h), (0.92 * r, 0.72 * h)]
        assembly.lathe(sleeve, ware, sides=22, solid=False)
        lid = [(0.0, 0.88 * h), (r, 0.88 * h), (r, 0.93 * h), (0.9 * r, 0.94 * h), (0.84 * r, h), (0.0, 0.985 * h)]
        assembly.lathe(lid, draw.dark if draw.chance("straw") else draw.white, sides=22)
        return assembly.model(0.2)
    low = draw.size("foot") * r
    if form == "party":
        mid = low + 0.75 * (r - low)
        wall: Profile = [(low, 0.0), (mid - 0.003, 0.6 * h), (mid, 0.61 * h), (r - 0.002, 0.97 * h), (r, h)]
        assembly.lathe(vessel(wall, 0.0025), ware, sides=22)
        roll = [(r - 0.001, h - 0.005), (r + 0.002, h - 0.002), (r, h + 0.001)]
        assembly.lathe(roll, draw.white, sides=22, solid=False)
    else:
        assembly.lathe(vessel([(low, 0.0), (r, h)], 0.003), ware, sides=22)
        _filling(assembly, 0.93 * r, 0.8 * h, tinted(draw, "drink_hue", (0.6, 0.8), (0.6, 0.85), 0.1))
    if draw.chance("straw"):
        tip = (0.62 * r, 0.1 * r, h + 0.055)
        path = [(-0.5 * low, 0.0, 0.75 * h), (0.5 * r, 0.05 * r, h + 0.03), tip]
        assembly.tube(path, 0.003, Material("plain", draw.colour((0.4, 0.65), (0.7, 0.9)), 0.4), sides=6)
    return assembly.model(0.2)


def bowl(draw: Draw) -> Model:
    """A bowl on a foot ring: round, wide like for soup; or straight and deep, or cornered. Often with something in."""
    assembly = Assembly("Bowl", tolerance=0.003)
    r, ware, form = draw.size("radius"), draw.glaze(), draw.shape("form")
    h = r * draw.size("depth")
    if form in ("round", "soft square"):
        side = [(x, z + 0.008) for x, z in _arc(r, h, 6, start=0.35)]
    elif form == "wide":
        side = [(x, z + 0.008) for x, z in _arc(0.8 * r, 0.92 * h, 5, start=0.4)]
        side.append((r, h + 0.012))
    else:
        side = [(0.4 * r, 0.008), (0.6 * r, 0.3 * h), (0.97 * r, 0.96 * h), (r, h + 0.008)]
    profile = vessel([(side[0][0] * 0.95, 0.0), *side], 0.005)
    turned(assembly, profile, ware, square=form == "soft square", sides=28, crease=60.0, tolerance=0.003)
    if draw.chance("full"):
        food = tinted(draw, "soup_hue", (0.6, 0.85), (0.55, 0.85), 0.3)
        inner = {"wide": 0.77, "conical": 0.8}.get(form, 0.93) * r - 0.004
        level = {"wide": 0.8, "conical": 0.7}.get(form, 0.62) * h
        turned(assembly, [(inner, level), (0.0, level)], food, square=form == "soft square", solid=False)
    return assembly.model(0.5)


def plate(draw: Draw) -> Model:
    """A flat plate: with a rim, curved up, with a scalloped rim, or deep; its rim of another colour, or lined."""
    assembly = Assembly("Plate", tolerance=0.003)
    r, h, ware, form = draw.size("radius"), draw.size("height"), draw.glaze(), draw.shape("form")
    well = draw.size("well") * r
    if form == "deep":
        h *= 1.8
    if form == "coupe":
        outside = [(0.62 * r, 0.0), (0.84 * r, 0.12 * h), (0.96 * r, 0.55 * h), (r, h)]
        inside = [(0.98 * r, h + 0.001), (0.93 * r, 0.55 * h + 0.003), (0.8 * r, 0.12 * h + 0.004), (0.0, 0.005)]
    else:
        outside = [(well - 0.08 * r, 0.0), (well + 0.05 * r, 0.55 * h), (r, h)]
        inside = [(r - 0.001, h + 0.003), (well + 0.03 * r, 0.55 * h + 0.004), (well - 0.06 * r, 0.005), (0.0, 0.004)]
    waves = _SCALLOPS if form == "scalloped" else 0
    _dish(assembly, [(0.0, 0.0), *outside, *inside], r, ware, waves)
    paint = Material("plain", draw.colour((0.35, 0.6), (0.3, 0.75)), 0.25)
    (r0, z0), (r1, z1), (r2, z2) = inside[0], inside[1], inside[2]
    lift = 0.0006
    line = [(r0, z0 + lift), (r0 + 0.2 * (r1 - r0), z0 + 0.2 * (z1 - z0) + lift)]
    if draw.chance("band"):
        line = [(r0, z0 + lift), (r1, z1 + lift)]
    _dish(assembly, line, r, paint, waves, solid=False)
    if draw.chance("ringed"):
        _dish(assembly, [(0.99 * r2, z2 + lift), (0.9 * r2, z2 + lift)], r, paint, waves, solid=False)
    return assembly.model(0.4)


def _dish(
    assembly: Assembly, profile: Profile, r: float, material: Material, waves: int, *, solid: bool = True
) -> None:
    """A turned piece whose edge, at the radius r, swings in and out so many times."""
    if not waves:
        turned(assembly, profile, material, sides=32, crease=25.0, tolerance=0.003, solid=solid)
        return
    points = [(x, z, 0.035 * max(0.0, 2.5 * x / r - 1.5)) for x, z in profile]
    crinkled(assembly, points, waves, material, sides=6 * waves, tolerance=0.003, solid=solid)


def pepper_shaker(draw: Draw) -> Model:
    """Glass with pepper under a metal cap, or a turned wooden mill."""
    assembly = Assembly("PepperShaker", tolerance=0.003)
    r, h = draw.size("radius"), draw.size("height")
    if draw.shape("form") == "mill":
        wood = draw.wood()
        foot = [(0.0, 0.0), (r, 0.0), (r, 0.1 * h), (0.78 * r, 0.14 * h), (0.62 * r, 0.34 * h), (0.86 * r, 0.56 * h)]
        assembly.lathe([*foot, (0.9 * r, 0.62 * h), (0.6 * r, 0.66 * h), (0.0, 0.66 * h)], wood, sides=20, crease=50.0)
        head = [(0.0, 0.67 * h), (0.85 * r, 0.67 * h), (0.98 * r, 0.76 * h), (0.8 * r, 0.88 * h), (0.2 * r, 0.92 * h)]
        assembly.lathe([*head, (0.0, 0.92 * h)], wood, sides=20, crease=50.0)
        assembly.lathe([(0.0, 0.655 * h), (0.7 * r, 0.655 * h), (0.7 * r, 0.68 * h)], draw.metal(), sides=18)
        assembly.ball(0.042 * h, (0.0, 0.0, 0.955 * h), draw.steel, sides=12, rings=8)
        return assembly.model(0.3)
    glass = tinted(draw, "glass_hue", (0.06, 0.14), (0.84, 0.92), 0.1)
    pepper = Material("soil", (0.36, 0.31, 0.27), 0.9, 0.0, 12.0)
    sides = draw.count("facets")
    level, neck = draw.between(0.34, 0.56) * h, 0.7 * h

    def wide(z: float) -> float:
        return 0.93 * r - 0.25 * r * z / neck

    for material, z0, z1 in ((glass, 0.0, 0.07 * h), (pepper, 0.07 * h, level), (glass, level, neck)):
        low, high = ([(wide(z) * c, wide(z) * s) for c, s in circle(sides)] for z in (z0, z1))
        assembly.loft(low, high, z0, z1, material)
    # The facet next to the front, -y, bears the letter.
    turn = 2.0 * math.pi * (math.floor(0.75 * sides) + 0.5) / sides + 0.5 * math.pi
    _letter(assembly, draw, 0.022, at=rotation("z", turn, (0.0, 0.0, 0.26 * h)), out=wide(0.2 * h))
    edge = 0.82 * r
    cap = [(0.0, neck - 0.002), (edge, neck - 0.002), (edge, 0.84 * h), (0.94 * edge, 0.87 * h), (0.3 * edge, h)]
    assembly.lathe([*cap, (0.0, h)], draw.steel, sides=18, crease=25.0)
    slope = atan2(0.13 * h, 0.64 * edge)
    hole = [(0.085 * r, 0.0), (0.0, 0.0)]
    for ring, count in ((0.42, 5), (0.7, 9)):
        for i in range(count):
            z = h - (ring - 0.3) / 0.64 * 0.13 * h
            lean = rotation("y", slope, (ring * edge, 0.0, z + 0.0006))
            around = compose(rotation("z", 2.0 * math.pi * i / count), lean)
            assembly.lathe(hole, draw.dark, sides=6, at=around, solid=False)
    return assembly.model(0.15)


def _letter(assembly: Assembly, draw: Draw, size: float, *, at: Matrix, out: float) -> None:
    """A P on a white label that faces -y, so far out."""
    label = compose(at, translation(0.0, -out - 0.0006, 0.0))
    assembly.picture(0.5 * size, 0.84 * size, draw.white, at=label)
    letters(assembly, "P", (0.5 * size, 0.62 * size), draw.dark, at=compose(label, translation(0.0, -0.0003, 0.0)))
