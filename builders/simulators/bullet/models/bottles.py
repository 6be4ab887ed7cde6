"""What holds liquids with a cap, a pump, a trigger or a spout."""

from __future__ import annotations

from dataclasses import replace

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .tints import tint, tinted
from .turned import Profile, turned


def _label(draw: Draw, tone: float = 1.0) -> Material:
    warm = draw.between(0.88, 1.0)
    return Material(draw.shape("label"), (tone, tone * warm, tone * warm * 0.96), 0.8, 0.0, 1.0 / 0.09)


def bottle(draw: Draw) -> Model:
    """A drinking bottle: a soda bottle with waist and label, or a flask to take along."""
    assembly = Assembly("Bottle", tolerance=0.003)
    h, r, form = draw.size("height"), draw.size("radius"), draw.shape("form")
    body = Material("plain", draw.colour((0.3, 0.6), (0.55, 0.9)), 0.12)
    cap = Material("plain", draw.colour((0.4, 0.65), (0.5, 0.9)), 0.4)
    if form in ("sport", "flask"):
        _flask(assembly, draw, (r, h), body, strap=form == "flask")
        return assembly.model(0.6)
    neck = 0.36 * r
    if form == "soda":
        foot = [(0.0, 0.0), (0.8 * r, 0.0), (0.98 * r, 0.05 * h), (r, 0.16 * h), (0.9 * r, 0.26 * h)]
        shoulder = [(0.9 * r, 0.5 * h), (r, 0.58 * h), (0.94 * r, 0.68 * h), (0.6 * r, 0.82 * h)]
        band = (0.915 * r, 0.27 * h, 0.49 * h)
    else:
        foot = [(0.0, 0.0), (0.94 * r, 0.0), (r, 0.008)]
        shoulder = [(r, 0.58 * h), (0.85 * r, 0.66 * h), (0.5 * r, 0.76 * h)]
        band = (1.012 * r, 0.14 * h, 0.5 * h)
    assembly.lathe([*foot, *shoulder, (neck, 0.88 * h), (neck, 0.96 * h), (0.0, 0.96 * h)], body, sides=20, crease=55.0)
    assembly.lathe([(band[0], band[1]), (band[0], band[2])], _label(draw), sides=20, solid=False)
    top = [(0.0, 0.93 * h), (neck * 1.25, 0.93 * h), (neck * 1.25, h), (0.0, h)]
    assembly.lathe(top, cap, sides=14)
    return assembly.model(0.6)


def _flask(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material, *, strap: bool) -> None:
    """A straight bottle with a wide cap: a drinking nozzle, or a carrying loop."""
    r, h = size
    lid = draw.dark
    wall: Profile = [(0.0, 0.0), (0.92 * r, 0.0), (r, 0.012), (r, 0.42 * h), (0.86 * r, 0.5 * h), (r, 0.6 * h)]
    if strap:
        wall = [(0.0, 0.0), (0.95 * r, 0.0), (r, 0.01), (r, 0.62 * h)]
    assembly.lathe([*wall, (r, 0.7 * h), (0.72 * r, 0.8 * h), (0.0, 0.8 * h)], body, sides=20, crease=50.0)
    assembly.lathe([(1.012 * r, 0.14 * h), (1.012 * r, 0.36 * h)], _label(draw), sides=20, solid=False)
    assembly.lathe([(0.0, 0.79 * h), (0.76 * r, 0.79 * h), (0.76 * r, 0.9 * h), (0.0, 0.9 * h)], lid, sides=18)
    if strap:
        arc = [sin_cos(-1.35 + 2.7 * i / 6) for i in range(7)]
        loop = [(0.55 * r * s, 0.0, 0.87 * h + 0.11 * h * c) for s, c in arc]
        assembly.tube(loop, 0.0045, lid, spans=3, sides=6)
        return
    nozzle = [(0.0, 0.9 * h), (0.5 * r, 0.9 * h), (0.22 * r, 0.93 * h), (0.22 * r, 0.97 * h), (0.3 * r, h), (0.0, h)]
    assembly.lathe(nozzle, draw.white, sides=14)


def wine_bottle(draw: Draw) -> Model:
    """Dark glass, a paper label, foil round its neck: with high shoulders, or sloping like a Burgundy."""
    assembly = Assembly("WineBottle", tolerance=0.003)
    h, r, neck = draw.size("height"), draw.size("radius"), draw.size("neck")
    hue, value = ("amber_hue", (0.42, 0.55)) if draw.chance("amber") else ("glass_hue", (0.34, 0.46))
    glass = tinted(draw, hue, (0.42, 0.6), value, 0.1)
    foot: Profile = [(0.0, 0.0), (0.94 * r, 0.0), (r, 0.008)]
    if draw.shape("form") == "bordeaux":
        upper: Profile = [(r, 0.6 * h), (0.9 * r, 0.65 * h), (0.62 * r, 0.69 * h), (neck * 1.1, 0.73 * h)]
        low, high = 0.16, 0.52
    else:
        upper = [(r, 0.42 * h), (0.92 * r, 0.5 * h), (0.66 * r, 0.6 * h), (neck * 1.15, 0.72 * h)]
        low, high = 0.2, 0.36
    assembly.lathe([*foot, *upper, (neck, 0.97 * h), (0.0, 0.97 * h)], glass, sides=20, crease=55.0)
    assembly.lathe([(1.012 * r, low * h), (1.012 * r, high * h)], _label(draw, 0.98), sides=20, solid=False)
    foil = Material("plain", draw.colour((0.4, 0.6), (0.4, 0.75)), 0.35, 0.3)
    sleeve = [(0.0, 0.8 * h), (neck * 1.12, 0.8 * h), (neck * 1.08, 0.96 * h)]
    ring = [(neck * 1.3, 0.965 * h), (neck * 1.3, 0.985 * h), (neck * 1.05, 0.99 * h), (neck * 1.05, h), (0.0, h)]
    assembly.lathe([*sleeve, *ring], foil, sides=14)
    return assembly.model(1.2)


def soap_bottle(draw: Draw) -> Model:
    """A pump bottle, round or square."""
    assembly = Assembly("SoapBottle", tolerance=0.003)
    r, h, nose = draw.size("radius"), draw.size("height"), draw.size("nose")
    soap = Material("plain", draw.colour((0.3, 0.6), (0.6, 0.92)), 0.2)
    form = draw.shape("form")
    square = form == "square"
    wall: Profile = [(r, 0.012), (r, 0.84 * h), (0.86 * r, 0.93 * h), (0.42 * r, h)]
    if form in ("pear", "bell"):
        wall = [(r, 0.1 * h), (0.97 * r, 0.35 * h), (0.72 * r, 0.72 * h), (0.45 * r, 0.9 * h), (0.4 * r, h)]
    turned(assembly, [(0.0, 0.0), (0.94 * r, 0.0), *wall, (0.0, h)], soap, square=square, crease=50.0, tolerance=0.003)
    if form not in ("pear", "bell"):
        band = [(1.012 * r, 0.22 * h), (1.012 * r, 0.66 * h)]
        turned(assembly, band, _label(draw), square=square, solid=False)
    pump = draw.steel if draw.chance("metal_pump") else draw.white
    collar = [(0.0, h), (0.44 * r, h), (0.44 * r, h + 0.014), (0.12 * r, h + 0.018)]
    assembly.lathe([*collar, (0.12 * r, h + 0.036), (0.0, h + 0.036)], pump, sides=14)
    button = [(0.0, h + 0.034), (0.011, h + 0.034), (0.012, h + 0.046), (0.0, h + 0.049)]
    assembly.lathe(button, pump, sides=14)
    spout = [(0.0, 0.0, h + 0.041), (0.0, -0.7 * nose, h + 0.042), (0.0, -nose, h + 0.032)]
    assembly.tube(spout, [0.007, 0.005, 0.004], pump)
    return assembly.model(0.4)


def spray_bottle(draw: Draw) -> Model:
    """A cleaner's bottle with a trigger and a nozzle to the left."""
    assembly = Assembly("SprayBottle", tolerance=0.003)
    r, h = draw.size("radius"), draw.size("height")
    body = Material("plain", draw.colour((0.3, 0.6), (0.65, 0.95)), 0.2)
    head = Material("plain", draw.colour((0.45, 0.65), (0.55, 0.85)), 0.45) if draw.chance("bright") else draw.white
    tall = 0.7 * h
    shapes: dict[str, Profile] = {
        "oval": [(r, 0.1 * tall), (0.96 * r, 0.5 * tall), (0.62 * r, 0.8 * tall), (0.34 * r, 0.92 * tall)],
        "shouldered": [(r, 0.05 * tall), (r, 0.62 * tall), (0.8 * r, 0.76 * tall), (0.36 * r, 0.9 * tall)],
        "waisted": [(r, 0.08 * tall), (0.78 * r, 0.42 * tall), (0.95 * r, 0.66 * tall), (0.36 * r, 0.9 * tall)],
        "cone": [(r, 0.04 * tall), (0.9 * r, 0.2 * tall), (0.4 * r, 0.84 * tall), (0.34 * r, 0.9 * tall)],
    }
    form = draw.shape("form")
    flat = (1.0, draw.size("flatness"), 1.0)
    wall: Profile = [(0.0, 0.0), (0.92 * r, 0.0), *shapes[form], (0.34 * r, tall), (0.0, tall)]
    turned(assembly, wall, body, stretch=flat, square=form == "shouldered", crease=60.0, tolerance=0.003)
    label = _label(draw)
    if form in ("oval", "shouldered"):
        band = [(1.01 * r, 0.16 * tall), ((0.985 if form == "oval" else 1.01) * r, 0.46 * tall)]
        turned(assembly, band, label, stretch=flat, square=form == "shouldered", solid=False)
    elif form == "waisted":
        y = -0.84 * flat[1] * r - 0.002
        assembly.picture(0.7 * r, 0.26 * tall, replace(label, scale=1.0), at=(0.0, y, 0.36 * tall))
    collar = [(0.0, tall - 0.002), (0.016, tall - 0.002), (0.015, tall + 0.02), (0.0, tall + 0.02)]
    assembly.lathe(collar, head, sides=14)
    top = h - 0.016
    assembly.box((0.022, 0.02, top - tall), (0.0, 0.0, (top + tall) / 2), head, rounding=0.005, segments=1)
    assembly.box((0.09, 0.026, 0.032), (-0.012, 0.0, top), head, rounding=0.01)
    assembly.box((0.014, 0.02, 0.02), (-0.062, 0.0, top + 0.002), draw.dark, rounding=0.003, segments=1)
    trigger = [(-0.028, 0.0, top - 0.012), (-0.04, 0.0, top - 0.034), (-0.04, 0.0, top - 0.054)]
    assembly.tube([*trigger, (-0.046, 0.0, top - 0.068)], [0.006, 0.006, 0.005, 0.005], head, sides=6)
    return assembly.model(0.5)


def watering_can(draw: Draw) -> Model:
    """A can with a long spout to the right and a handle at its back: a tin with a rose, or a round pot with a beak."""
    assembly = Assembly("WateringCan", tolerance=0.004)
    r, h, reach = draw.size("radius"), draw.size("height"), draw.size("reach") * draw.size("radius")
    tin = Material("plain", tint(draw, "hue", (0.25, 0.58), (0.55, 0.85)), 0.4)
    if draw.chance("bare"):
        tin = draw.steel
    form = draw.shape("form")
    if form == "tin":
        wall: Profile = [(r, 0.0), (r, 0.02), (0.86 * r, h)]
    elif form == "bucket":
        wall = [(0.86 * r, 0.0), (r, 0.9 * h), (r, h)]
    else:
        wall = [(0.9 * r, 0.0), (r, 0.2 * h), (0.94 * r, 0.5 * h), (0.6 * r, 0.85 * h), (0.5 * r, h)]
    rim, thick = wall[-1][0], 0.004
    inner = [(rim, h + 0.004), (rim - thick, h), (0.8 * rim, 0.55 * h), (0.0, 0.55 * h)]
    assembly.lathe([(0.0, 0.0), *wall, *inner], tin, sides=24, crease=50.0)
    if form == "round":
        beak = [(0.8 * r, 0.0, 0.2 * h), (0.62 * reach, 0.0, 0.42 * h), (0.84 * reach, 0.0, 0.9 * h)]
        beak += [(reach, 0.0, 1.35 * h), (1.08 * reach, 0.0, 1.48 * h)]
        assembly.tube(beak, [0.018, 0.012, 0.009, 0.008, 0.007], tin, spans=3)
        rose = [(0.0, 0.0), (0.008, 0.0), (0.026, 0.024), (0.0, 0.03)]
        assembly.lathe(rose, tin, sides=14, at=rotation("y", 0.75, (1.06 * reach, 0.0, 1.45 * h)))
        arc = [sin_cos(0.15 + 2.7 * i / 8) for i in range(9)]
        loop = [(-0.4 * r - 0.85 * r * s, 0.0, 0.62 * h + 0.42 * h * c) for s, c in arc]
        assembly.tube(loop, 0.008, tin, spans=4)
        return assembly.model(0.9)
    end = (reach, 0.0, 1.05 * h)
    assembly.tube([(0.85 * r, 0.0, 0.2 * h), end], [0.018, 0.01], tin)
    rose = [(0.0, 0.0), (0.01, 0.0), (0.034, 0.035), (0.0, 0.042)]
    assembly.lathe(rose, tin, sides=16, at=rotation("y", 0.85, (end[0] - 0.006, 0.0, end[2] - 0.004)))
    if form == "tin":
        arc = [sin_cos(-0.3 + 2.6 * i / 8) for i in range(9)]
        path = [(-0.75 * r - 0.75 * r * s, 0.0, 0.6 * h + 0.42 * h * c) for s, c in arc]
    else:
        arc = [sin_cos(-1.45 + 2.9 * i / 8) for i in range(9)]
        path = [(0.95 * r * s, 0.0, 0.96 * h + 0.55 * h * c) for s, c in arc]
    assembly.tube(path, 0.007, tin, spans=4)
    return assembly.model(0.9)
