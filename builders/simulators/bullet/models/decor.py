"""What decorates tables and floors: vases, candles, tissue boxes, rugs."""

from __future__ import annotations

import math

from flowbench.geometry import compose, sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation, translation
from flowbench.rendering.shapes import lathe, sphere
from flowbench.rendering.sweeps import leaf, tube

from ..model import Model
from .assembly import Assembly, Place
from .draw import Draw
from .electronics import FLAT
from .printing import Outline, ellipse, panel
from .sheets import tuft

_GOLDEN_ANGLE = 2.399963
_OUTLINES: dict[str, Outline] = {
    "shouldered": [(0.55, 0.0), (0.7, 0.3), (0.95, 0.72), (0.8, 0.88), (0.5, 0.95), (0.55, 1.0)],
    "bellied": [(0.6, 0.0), (0.8, 0.15), (1.0, 0.42), (0.8, 0.68), (0.45, 0.86), (0.6, 1.0)],
    "bottle": [(0.8, 0.0), (1.0, 0.1), (1.0, 0.3), (0.4, 0.55), (0.38, 0.8), (0.5, 1.0)],
    "amphora": [
        (0.3, 0.0),
        (0.42, 0.03),
        (0.3, 0.08),
        (0.9, 0.42),
        (1.0, 0.6),
        (0.8, 0.74),
        (0.42, 0.82),
        (0.4, 0.94),
        (0.56, 1.0),
    ],
    "gourd": [
        (0.6, 0.0),
        (0.9, 0.12),
        (1.0, 0.28),
        (0.8, 0.45),
        (0.4, 0.56),
        (0.6, 0.68),
        (0.62, 0.78),
        (0.4, 0.9),
        (0.5, 1.0),
    ],
    "trumpet": [(0.8, 0.0), (0.75, 0.03), (0.3, 0.1), (0.32, 0.3), (0.5, 0.7), (0.75, 0.9), (1.0, 1.0)],
}
"""(radius, height) of vases, of one's greatest radius and height."""


def vase(draw: Draw) -> Model:
    """Turned or square; with or without flowers."""
    assembly = Assembly("Vase", tolerance=0.003)
    form, h, r, ware = draw.shape("form"), draw.size("height"), draw.size("radius"), draw.glaze()
    if form == "square":
        mouth = _square_vase(assembly, (0.72 * r, h), ware)
    else:
        outline = [(r * x, h * z) for x, z in _OUTLINES[form]]
        mouth = outline[-1][0]
        inside = [(mouth - 0.005, h), (mouth * 0.8, 0.93 * h), (0.0, 0.9 * h)]
        assembly.lathe([(0.0, 0.0), *outline, *inside], ware, sides=28, crease=65.0)
    if form == "amphora":
        for side in (-1.0, 1.0):
            path = [(0.38, 0.93), (0.72, 0.96), (0.86, 0.86), (0.84, 0.72)]
            assembly.tube([(side * r * x, 0.0, h * z) for x, z in path], 0.09 * r, ware, spans=3)
    if draw.chance("flowers") or form == "square":
        _flowers(assembly, draw, (mouth, h))
    return assembly.model(0.9)


def _square_vase(assembly: Assembly, size: tuple[float, float], ware: Material) -> float:
    """Four flat walls that spread a little upwards, of (half width, height); gives the mouth's half width."""
    half, h = size
    low = [(-0.7 * half, -0.7 * half), (0.7 * half, -0.7 * half), (0.7 * half, 0.7 * half), (-0.7 * half, 0.7 * half)]
    high = [(x / 0.7, y / 0.7) for x, y in low]
    assembly.loft(low, high, 0.0, h, ware)
    hole = Material("plain", (0.25, 0.23, 0.22), 0.9)
    inner = 2 * half - 0.016
    assembly.picture(inner, inner, hole, at=compose(translation(0.0, 0.0, h + 0.0005), FLAT))
    return half


def _flowers(assembly: Assembly, draw: Draw, mouth: tuple[float, float]) -> None:
    """A small bunch; it collides as one coarse hull from the vase's mouth up."""
    radius, height = mouth
    form = draw.shape("blossoms")
    petal = Material("plain", draw.colour((0.5, 0.85), (0.8, 0.98)), 0.8)
    heart = Material("plain", (0.95, 0.8, draw.size("heart")), 0.8)
    stalk = Material("plain", (0.42, draw.size("stalk"), 0.32), 0.8)
    meshes = []
    count = draw.count("stalks")
    for i in range(count):
        turn = rotation("z", i * _GOLDEN_ANGLE)
        out, up = (0.2 + 0.8 * i / count) * 0.09, draw.size("stalk_height")
        head: Vector = (0.5 * radius + out, 0.0, height + up)
        path = [(0.3 * radius, 0.0, 0.92 * height), (0.6 * radius + 0.3 * out, 0.0, height + 0.5 * up), head]
        meshes.append((tube(path, 0.0025, stalk, sides=5), turn))
        if form == "tulips":
            cup = [(0.0, -0.006), (0.016, 0.002), (0.021, 0.02), (0.017, 0.04), (0.006, 0.052), (0.0, 0.05)]
            meshes.append((lathe(cup, petal, sides=10, crease=70.0), compose(turn, translation(*head))))
            blade = leaf(0.13, 0.026, 0.6, stalk, rows=4)
            lift = rotation("y", -1.2, (0.5 * radius, 0.0, height - 0.01))
            meshes.append((blade, compose(rotation("z", i * _GOLDEN_ANGLE + 0.7), lift)))
            continue
        meshes.append((sphere(0.028, petal, at=head, scale=(1.0, 1.0, 0.7), sides=8, rings=5), turn))
        meshes.append((sphere(0.013, heart, at=(head[0] + 0.006, 0.0, head[2] + 0.013), sides=6, rings=4), turn))
    assembly.add_bunch(meshes)


def candle(draw: Draw) -> Model:
    """A pillar on a dish, a taper on a stick, a branched holder, or pillars on a tray."""
    assembly = Assembly("Candle", tolerance=0.003)
    tint = draw.colour((0.3, 0.6), (0.75, 0.95)) if draw.chance("coloured") else (0.96, 0.92, draw.size("wax"))
    wax, holder = Material("plain", tint, 0.5), draw.metal()
    form = draw.shape("form")
    r, h = draw.size("radius"), draw.size("height")
    if form == "pillar":
        dish = r * 1.5
        assembly.lathe([(0.0, 0.0), (dish * 0.8, 0.0), (dish, 0.014), (dish - 0.004, 0.014), (0.0, 0.008)], holder)
        _wax(assembly, draw, (0.0, 0.0, 0.008), (r, h), wax)
    elif form == "taper":
        low = draw.size("stick")
        stick = [(0.045, 0.0), (0.045, 0.008), (0.012, 0.02), (0.008, low * 0.6), (0.02, low - 0.01), (0.02, low)]
        assembly.lathe([(0.0, 0.0), *stick, (0.0, low)], holder, crease=45.0)
        _wax(assembly, draw, (0.0, 0.0, low), (0.011, h + 0.04), wax)
    elif form == "branched":
        low = draw.size("stick")
        stem = [(0.06, 0.0), (0.055, 0.012), (0.014, 0.025), (0.009, low - 0.015), (0.016, low), (0.0, low)]
        assembly.lathe([(0.0, 0.0), *stem], holder, crease=45.0)
        reach = 0.09
        arc = [
            (reach * c, 0.0, low - 0.01 + reach * s) for s, c in (sin_cos(math.pi * (1 + i / 12)) for i in range(13))
        ]
        assembly.tube(arc, 0.006, holder, spans=4)
        for x in (-reach, 0.0, reach):
            _wax(assembly, draw, (x, 0.0, low - 0.012 if x else low), (0.0095, 0.8 * h), wax)
    else:
        assembly.box((5.6 * r, 2.5 * r, 0.014), (0.0, 0.0, 0.007), draw.wood(), rounding=0.003, segments=1)
        for k, tall in enumerate((0.75, 1.0, 0.55)):
            _wax(assembly, draw, ((k - 1) * 1.85 * r, 0.0, 0.013), (0.85 * r, tall * h), wax)
    return assembly.model(0.4)


def _wax(assembly: Assembly, draw: Draw, at: Vector, size: tuple[float, float], wax: Material) -> None:
    """A burning candle of (radius, height)."""
    r, top = size
    profile = [(0.0, 0.0), (r, 0.0), (r, top - 0.003), (r * 0.85, top), (0.0, top - 0.004)]
    assembly.lathe(profile, wax, sides=18, at=at)
    assembly.tube([(0.0, 0.0, top - 0.006), (0.001, 0.0, top + 0.006)], 0.0015, draw.dark, sides=5, spans=0, at=at)
    flame = [(0.0, top + 0.004), (0.006, top + 0.014), (0.004, top + 0.026), (0.0, top + 0.036)]
    glow = Material("plain", (1.0, draw.size("flame"), 0.35), 0.5, emission=1.6)
    assembly.lathe(flame, glow, sides=8, crease=90.0, at=at, solid=False)
    assembly.block((0.008, 0.008, 0.032), (at[0], at[1], at[2] + top + 0.018))


def tissue_box(draw: Draw) -> Model:
    """A patterned box, long, cubic, round or of wood, with a tissue standing out of its slot."""
    assembly = Assembly("TissueBox", tolerance=0.003)
    form, long, z = draw.shape("form"), draw.size("length"), draw.size("height")
    tint = draw.colour((0.2, 0.5), (0.75, 0.95))
    print_ = Material(draw.shape("patterns"), tint, 0.7, 0.0, 5.0)
    slot: Outline = ellipse(0.055, 0.02, 20)
    if form == "round":
        r = 0.36 * long
        assembly.lathe([(0.0, 0.0), (r, 0.0), (r, 1.5 * z), (0.0, 1.5 * z)], print_, sides=32)
        slot, z = ellipse(0.03, 0.03, 20), 1.5 * z
    elif form == "cube":
        side = 0.54 * long
        z += 0.05
        assembly.box((side, side, z), (0.0, 0.0, z / 2), print_)
    else:
        body = draw.wood() if form == "wooden" else print_
        assembly.box((long, 0.55 * long, z), (0.0, 0.0, z / 2), body)
    assembly.add(panel(slot, draw.dark), at=compose(translation(0.0, 0.0, z + 0.0006), FLAT))
    paper = Material("plain", draw.palette.white, 0.9)
    leaves = []
    for turn, high in ((0.3, 0.085), (1.5, 0.07), (3.5, 0.06)):
        leaves.append(
            (tuft(high * draw.between(0.9, 1.05), 0.044, 2.0 * turn, paper), rotation("z", turn, (0.0, 0.0, z)))
        )
    assembly.add_bunch(leaves)
    return assembly.model(0.2)


def area_rug(draw: Draw) -> Model:
    """A rectangular rug, with or without fringes, a round one, or a runner; too thin to collide."""
    assembly = Assembly("AreaRug")
    form, width = draw.shape("form"), draw.size("width")
    depth, tint = width * draw.size("ratio"), draw.colour((0.2, 0.55), (0.65, 0.92))
    thick = 0.01
    edge = Material(draw.shape("pile"), tint, 0.97, 0.0, 2.0)
    top = Material(draw.shape("weave"), tint, 0.97, 0.0, 1.0)
    if form == "runner":
        depth *= 0.5
    # The pattern lies on the pile as one picture, turned to face up.
    above: Place = compose(translation(0.0, 0.0, thick + 0.0006), FLAT)
    if form in ("round", "oval"):
        x, y = (0.45 * width, 0.45 * width) if form == "round" else (width / 2, depth / 2)
        assembly.loft(ellipse(x, y), ellipse(x, y), 0.0, thick, edge, solid=False)
        assembly.add(panel(ellipse(x - 0.03, y - 0.03), top), at=above)
        return assembly.model(4.0)
    assembly.box((width, depth, thick), (0.0, 0.0, thick / 2), edge, solid=False)
    assembly.picture(width - 0.05, depth - 0.05, top, at=above)
    if form == "fringed":
        thread = Material("plain", draw.palette.porcelain, 0.95)
        count = int(depth / 0.03)
        for side in (-1.0, 1.0):
            for i in range(count):
                centre = (side * (width / 2 + 0.022), depth * ((i + 0.5) / count - 0.5), 0.004)
                assembly.picture(0.045, 0.012, thread, at=compose(translation(*centre), FLAT))
    return assembly.model(4.0)
