"""What decorates: vases, statues, candles, pictures, rugs."""

from __future__ import annotations

import math

import numpy as np

from flowbench.geometry import compose
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation
from flowbench.rendering.shapes import sphere
from flowbench.rendering.sweeps import leaf, tube

from ..model import Model
from .assembly import Assembly
from .palette import between, chance, colour, glaze, hsv, metal, stone, timber

Triple = tuple[float, float, float]
Lump = tuple[float, Triple, Triple]

_PICTURES = ("landscape", "abstract", "flowers", "seascape")
_RUGS = ("persian", "stripes", "check", "diamonds")


def vase(rng: np.random.Generator, style: str) -> Model:
    """Tall, round or waisted; with or without flowers."""
    assembly = Assembly("Vase", tolerance=0.003)
    h, r, ware = between(rng, 0.18, 0.34), between(rng, 0.06, 0.095), glaze(rng, style)
    kind = int(rng.integers(3))
    neck = r * between(rng, 0.4, 0.6)
    outlines = (
        [(0.6 * r, 0.0), (0.8 * r, 0.15 * h), (r, 0.45 * h), (0.8 * r, 0.7 * h), (neck, 0.88 * h), (1.2 * neck, h)],
        [(0.55 * r, 0.0), (0.7 * r, 0.3 * h), (0.95 * r, 0.72 * h), (0.8 * r, 0.88 * h), (0.55 * r, h)],
        [(0.8 * r, 0.0), (r, 0.1 * h), (r, 0.3 * h), (neck, 0.55 * h), (0.95 * neck, 0.8 * h), (1.3 * neck, h)],
    )
    outline = outlines[kind]
    mouth = outline[-1][0]
    inside = [(mouth - 0.005, h), (mouth * 0.8, 0.85 * h), (0.0, 0.8 * h)]
    assembly.lathe([(0.0, 0.0), *outline, *inside], ware, sides=28, crease=65.0)
    if chance(rng, 0.45):
        _flowers(assembly, rng, style, (mouth, h))
    return assembly.model(0.9)


def _flowers(assembly: Assembly, rng: np.random.Generator, style: str, mouth: tuple[float, float]) -> None:
    """A small bunch; it collides as one coarse hull from the vase's mouth up."""
    radius, height = mouth
    petal = Material("plain", colour(rng, style, (0.5, 0.85), (0.8, 0.98)), 0.8)
    heart = Material("plain", (0.95, 0.8, 0.25), 0.8)
    stalk = Material("plain", (0.42, 0.62, 0.32), 0.8)
    meshes = []
    count = int(rng.integers(5, 9))
    for i in range(count):
        turn = rotation("z", i * 2.399963)
        out, up = (0.2 + 0.8 * i / count) * 0.09, between(rng, 0.12, 0.2)
        path = [
            (0.3 * radius, 0.0, 0.9 * height),
            (0.6 * radius + 0.3 * out, 0.0, height + 0.5 * up),
            (0.5 * radius + out, 0.0, height + up),
        ]
        meshes.append((tube(path, 0.0025, stalk, sides=5), turn))
        head = path[-1]
        meshes.append((sphere(0.026, petal, at=head, scale=(1.0, 1.0, 1.0), sides=10, rings=6), turn))
        top = (head[0] + 0.008, 0.0, head[2] + 0.012)
        meshes.append((sphere(0.014, heart, at=top, sides=8, rings=5), turn))
    assembly.add_bunch(meshes)


def statue(rng: np.random.Generator, style: str) -> Model:
    """A bust on a plinth, a cat, or an obelisk of stacked stones."""
    kind = int(rng.integers(3))
    assembly = Assembly("Statue", tolerance=0.003)
    body = stone(rng, style) if chance(rng, 0.6) else Material("metal", (0.72, 0.55, 0.36), 0.4, 0.5, 2.0)
    s = between(rng, 0.9, 1.35)
    if kind == 0:
        _bust(assembly, body, s)
    elif kind == 1:
        _cat(assembly, body, s)
    else:
        _dancer(assembly, body, s)
    return assembly.model(2.5)


def _bust(assembly: Assembly, body: Material, s: float) -> None:
    assembly.box((0.13 * s, 0.12 * s, 0.05 * s), (0.0, 0.0, 0.025 * s), body, rounding=0.005)
    foot = [(0.0, 0.05), (0.052, 0.05), (0.03, 0.085), (0.028, 0.11), (0.0, 0.11)]
    assembly.lathe([(r * s, z * s) for r, z in foot], body, crease=50.0)
    neck = [(0.0, 0.18), (0.032, 0.18), (0.028, 0.275), (0.0, 0.275)]
    assembly.lathe([(r * s, z * s) for r, z in neck], body)
    pieces: list[Lump] = [
        (0.085, (0.0, 0.0, 0.16), (1.15, 0.62, 0.72)),
        (0.05, (0.0, -0.006, 0.305), (0.82, 1.0, 1.22)),
        (0.051, (0.0, 0.012, 0.328), (0.92, 0.95, 0.92)),
        (0.012, (0.0, -0.053, 0.3), (0.7, 1.1, 1.4)),
        (0.011, (-0.04, 0.0, 0.3), (0.45, 0.8, 1.3)),
        (0.011, (0.04, 0.0, 0.3), (0.45, 0.8, 1.3)),
    ]
    _lumps(assembly, body, s, pieces)


def _lumps(assembly: Assembly, body: Material, s: float, pieces: list[Lump]) -> None:
    """Ellipsoids (radius, centre, scale), all scaled by ``s``; the least are too small to collide."""
    for r, (x, y, z), scale in pieces:
        assembly.ball(r * s, (x * s, y * s, z * s), body, scale=scale, sides=16, solid=r > 0.0115)


def _cat(assembly: Assembly, body: Material, s: float) -> None:
    """A sitting cat."""
    pieces: list[Lump] = [
        (0.075, (0.0, 0.02, 0.075), (0.85, 1.1, 1.0)),
        (0.06, (0.0, -0.01, 0.15), (0.8, 0.8, 1.35)),
        (0.048, (0.0, -0.03, 0.245), (1.0, 0.95, 0.9)),
        (0.016, (0.0, -0.071, 0.235), (1.1, 0.7, 0.8)),
    ]
    for side in (-1.0, 1.0):
        pieces.append((0.019, (side * 0.028, -0.056, 0.013), (1.0, 1.3, 0.7)))
        ear = [(0.0, 0.0), (0.02 * s, 0.0), (0.0, 0.042 * s)]
        at = rotation("y", side * 0.3, (side * 0.028 * s, -0.025 * s, 0.272 * s))
        assembly.lathe(ear, body, sides=8, at=at)
        leg = [(side * 0.028 * s, -0.045 * s, 0.012 * s), (side * 0.026 * s, -0.045 * s, 0.13 * s)]
        assembly.tube(leg, 0.016 * s, body, sides=10)
    _lumps(assembly, body, s, pieces)
    tail = [(0.02, 0.09, 0.02), (0.07, 0.08, 0.018), (0.095, 0.03, 0.018), (0.08, -0.03, 0.018)]
    assembly.tube([(x * s, y * s, z * s) for x, y, z in tail], 0.014 * s, body, spans=3)


def _dancer(assembly: Assembly, body: Material, s: float) -> None:
    """A slender figure with raised arms."""
    plinth = [(0.0, 0.0), (0.055, 0.0), (0.055, 0.03), (0.045, 0.04), (0.0, 0.04)]
    assembly.lathe([(r * s, z * s) for r, z in plinth], body)
    gown = [
        (0.0, 0.04),
        (0.05, 0.04),
        (0.036, 0.1),
        (0.02, 0.17),
        (0.026, 0.2),
        (0.034, 0.23),
        (0.016, 0.265),
        (0.0, 0.265),
    ]
    assembly.lathe([(r * s, z * s) for r, z in gown], body, crease=60.0)
    _lumps(assembly, body, s, [(0.024, (0.0, 0.0, 0.29), (0.9, 1.0, 1.2))])
    for side in (-1.0, 1.0):
        path = [(0.02, 0.0, 0.245), (0.06, 0.0, 0.28), (0.055, 0.0, 0.34), (0.02, 0.0, 0.375)]
        assembly.tube([(side * x * s, y * s, z * s) for x, y, z in path], 0.009 * s, body, spans=3)


def candle(rng: np.random.Generator, style: str) -> Model:
    """A pillar candle on a dish, or a taper on a stick."""
    assembly = Assembly("Candle", tolerance=0.003)
    tint = (0.96, 0.92, 0.82) if chance(rng, 0.5) else colour(rng, style, (0.3, 0.6), (0.75, 0.95))
    wax = Material("plain", tint, 0.5)
    holder = metal(rng, style)
    if chance(rng, 0.5):
        r, h = between(rng, 0.03, 0.042), between(rng, 0.09, 0.16)
        dish = r * 1.5
        assembly.lathe([(0.0, 0.0), (dish * 0.8, 0.0), (dish, 0.014), (dish - 0.004, 0.014), (0.0, 0.008)], holder)
        low = 0.008
    else:
        r, h, low = 0.011, between(rng, 0.14, 0.2), between(rng, 0.08, 0.14)
        stick = [(0.045, 0.0), (0.045, 0.008), (0.012, 0.02), (0.008, low * 0.6), (0.02, low - 0.01), (0.02, low)]
        assembly.lathe([(0.0, 0.0), *stick, (0.0, low)], holder, crease=45.0)
    top = low + h
    assembly.lathe([(0.0, low), (r, low), (r, top - 0.004), (r * 0.8, top), (0.0, top - 0.006)], wax, sides=20)
    wick = Material("plain", (0.25, 0.22, 0.2), 0.9)
    assembly.tube([(0.0, 0.0, top - 0.008), (0.001, 0.0, top + 0.006)], 0.0015, wick, sides=5, spans=0)
    flame = [(0.0, top + 0.004), (0.006, top + 0.014), (0.004, top + 0.026), (0.0, top + 0.036)]
    glow = Material("plain", (1.0, 0.78, 0.35), 0.5, emission=1.6)
    assembly.lathe(flame, glow, sides=10, crease=90.0)
    return assembly.model(0.4)


def painting(rng: np.random.Generator, style: str) -> Model:
    """A framed picture for a wall, with or without a mount."""
    assembly = Assembly("Painting")
    width, height = between(rng, 0.45, 1.0), between(rng, 0.4, 0.75)
    frame, rim = timber(rng, style), between(rng, 0.025, 0.05)
    deep = 0.03
    for side in (-1.0, 1.0):
        assembly.box((width, deep, rim), (0.0, 0.0, side * (height - rim) / 2), frame, rounding=0.006, solid=False)
        size = (rim, deep, height - 2 * rim)
        assembly.box(size, (side * (width - rim) / 2, 0.0, 0.0), frame, rounding=0.006, solid=False)
    assembly.block((width, deep, height), (0.0, 0.0, 0.0))
    inner_x, inner_z = width - 2 * rim, height - 2 * rim
    assembly.box((inner_x, 0.012, inner_z), (0.0, 0.006, 0.0), Material("plain", (0.95, 0.94, 0.9), 0.9), solid=False)
    mount = between(rng, 0.03, 0.07) if chance(rng, 0.5) else 0.0
    picture = _PICTURES[int(rng.integers(len(_PICTURES)))]
    tint = hsv(float(rng.random()), float(rng.uniform(0.0, 0.2)), 1.0)
    canvas = Material(picture, tint, 0.7)
    assembly.picture(inner_x - 2 * mount, inner_z - 2 * mount, canvas, at=(0.0, -0.001, 0.0))
    return assembly.model(3.0, anchor="wall")


def mirror(rng: np.random.Generator, style: str) -> Model:
    """A wall mirror; it shows a bright haze, not the room."""
    assembly = Assembly("Mirror")
    width, height = between(rng, 0.45, 0.7), between(rng, 0.6, 0.95)
    frame, rim = timber(rng, style), between(rng, 0.03, 0.05)
    for side in (-1.0, 1.0):
        assembly.box((width, 0.03, rim), (0.0, 0.0, side * (height - rim) / 2), frame, rounding=0.006, solid=False)
        size = (rim, 0.03, height - 2 * rim)
        assembly.box(size, (side * (width - rim) / 2, 0.0, 0.0), frame, rounding=0.006, solid=False)
    assembly.block((width, 0.03, height), (0.0, 0.0, 0.0))
    glass = Material("glass", (0.93, 0.96, 1.0), 0.08)
    assembly.box((width - 2 * rim, 0.01, height - 2 * rim), (0.0, 0.005, 0.0), glass, solid=False)
    assembly.picture(width - 2 * rim, height - 2 * rim, glass, at=(0.0, -0.001, 0.0))
    return assembly.model(5.0, anchor="wall")


def area_rug(rng: np.random.Generator, style: str) -> Model:
    """A rectangular rug; too thin to collide."""
    assembly = Assembly("AreaRug")
    width, depth = between(rng, 1.3, 2.3), between(rng, 0.95, 1.6)
    weave = _RUGS[int(rng.integers(len(_RUGS)))]
    tint = colour(rng, style, (0.2, 0.55), (0.65, 0.92))
    thick = 0.01
    edge = Material("carpet", tint, 0.97, 0.0, 2.0)
    assembly.box((width, depth, thick), (0.0, 0.0, thick / 2), edge, solid=False)
    top = Material(weave, tint, 0.97, 0.0, 1.0)
    # The pattern lies on the pile as one picture, turned to face up.
    flat = rotation("x", -math.pi / 2, (0.0, 0.0, thick + 0.0006))
    assembly.picture(width - 0.05, depth - 0.05, top, at=flat)
    return assembly.model(4.0)


def tissue_box(rng: np.random.Generator, style: str) -> Model:
    """A patterned carton with a tissue standing out of it."""
    assembly = Assembly("TissueBox", tolerance=0.003)
    x, y, z = between(rng, 0.21, 0.24), 0.12, between(rng, 0.07, 0.1)
    if chance(rng, 0.4):
        x, y, z = 0.12, 0.12, between(rng, 0.12, 0.14)
    texture = ("flowers", "diamonds", "stripes")[int(rng.integers(3))]
    assembly.box(
        (x, y, z), (0.0, 0.0, z / 2), Material(texture, colour(rng, style, (0.2, 0.5), (0.75, 0.95)), 0.7, 0.0, 5.0)
    )
    paper = Material("plain", (0.97, 0.97, 0.96), 0.9)
    blade = leaf(0.075, 0.075, 0.5, paper, rows=4)
    raised = rotation("y", -1.25, (0.0, 0.0, z - 0.004))
    assembly.add_bunch([(blade, compose(rotation("z", turn), raised)) for turn in (0.3, 1.7)])
    return assembly.model(0.2)
