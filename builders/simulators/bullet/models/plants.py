"""House plants: a pot and one of several kinds of green."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from flowbench.geometry import compose, sin_cos
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material, Mesh, join
from flowbench.rendering.placing import placed, rotation, stretched
from flowbench.rendering.shapes import sphere
from flowbench.rendering.sweeps import leaf, tube

from ..model import Model
from .assembly import Assembly
from .hulls import lathe_parts
from .palette import between, chance, glaze, hsv, metal

_GOLDEN_ANGLE = 2.399963
_SECTORS = 8
_BUSH_OUTLINE = (
    (0.0, -1.0),
    (0.5, -0.88),
    (0.84, -0.55),
    (0.98, -0.1),
    (0.96, 0.3),
    (0.82, 0.65),
    (0.55, 0.88),
    (0.0, 0.92),
)
"""(radius, z) between the tips of the unit bush's leaves and the gaps between them."""
_SOIL = Material("soil", (0.62, 0.48, 0.38), 1.0, 0.0, 5.0)

Bunch = list[tuple[Mesh, Matrix]]


def house_plant(rng: np.random.Generator, style: str) -> Model:
    """A large plant for the floor."""
    return _plant(rng, style, between(rng, 0.14, 0.19), between(rng, 0.5, 0.9))


def table_plant(rng: np.random.Generator, style: str) -> Model:
    """A small plant for a table."""
    return _plant(rng, style, between(rng, 0.065, 0.095), between(rng, 0.2, 0.34))


def _plant(rng: np.random.Generator, style: str, radius: float, tall: float) -> Model:
    assembly = Assembly("HousePlant", tolerance=0.004)
    earth = _pot(assembly, rng, style, radius)
    hue = float(rng.uniform(0.24, 0.37))
    kind = int(rng.integers(4))
    if kind == 0:
        _rosette(assembly, rng, (earth, 0.85 * tall, hue))
    elif kind == 1:
        _swords(assembly, rng, (earth, tall, hue), radius)
    elif kind == 2:
        _bush(assembly, rng, (earth, tall, hue), radius)
    else:
        _cactus(assembly, rng, (earth, tall, hue), radius)
    return assembly.model(1.0 + 30.0 * radius)


def _pot(assembly: Assembly, rng: np.random.Generator, style: str, radius: float) -> float:
    """A pot round z; gives the height of its earth."""
    height = radius * between(rng, 1.5, 2.1)
    clay = Material("plain", (0.80, 0.50, 0.36), 0.85)
    ware = clay if chance(rng, 0.3) else metal(rng, style) if chance(rng, 0.15) else glaze(rng, style)
    low = radius * between(rng, 0.62, 0.85)
    rim = radius * 1.05
    if chance(rng, 0.5):
        wall = [(low, 0.0), (radius * 0.96, 0.82 * height), (rim, 0.82 * height), (rim, height)]
    else:
        wall = [(low, 0.0), (rim, 0.55 * height), (0.94 * rim, height)]
    mouth = wall[-1][0]
    inside = [(mouth - 0.08 * radius, height), (mouth - 0.12 * radius, 0.88 * height), (0.0, 0.88 * height)]
    assembly.lathe([(0.0, 0.0), *wall, *inside], ware, sides=28)
    earth = 0.9 * height
    assembly.lathe([(mouth - 0.1 * radius, earth), (0.0, earth + 0.05 * radius)], _SOIL, sides=20, solid=False)
    return earth


def _green(rng: np.random.Generator, hue: float) -> Material:
    tint = hsv(hue + float(rng.uniform(-0.02, 0.02)), float(rng.uniform(0.5, 0.72)), float(rng.uniform(0.55, 0.85)))
    return Material("leaf", tint, 0.5)


def _rosette(assembly: Assembly, rng: np.random.Generator, size: tuple[float, float, float]) -> None:
    """Broad leaves on stalks that lean outwards; collides in sectors."""
    earth, tall, hue = size
    count = int(rng.integers(14, 21))
    stalk = Material("plain", hsv(hue, 0.5, 0.5), 0.7)
    sectors: list[Bunch] = [[] for _ in range(_SECTORS)]
    for i in range(count):
        k = i / count
        turn = i * _GOLDEN_ANGLE + float(rng.uniform(-0.2, 0.2))
        rise = tall * (0.3 + 0.6 * k) * float(rng.uniform(0.9, 1.05))
        out = tall * (0.12 + 0.14 * (1.0 - k))
        path = [(0.0, 0.0, earth), (0.25 * out, 0.0, earth + 0.55 * rise), (out, 0.0, earth + rise)]
        spin = rotation("z", turn)
        blade = leaf(
            tall * between(rng, 0.36, 0.48), tall * between(rng, 0.15, 0.22), between(rng, 0.5, 1.3), _green(rng, hue)
        )
        lift = rotation("y", -0.55 * k - 0.1, path[-1])
        bunch = sectors[int(turn / (2.0 * math.pi) * _SECTORS) % _SECTORS]
        bunch.append((tube(path, 0.009 * tall, stalk, sides=5), spin))
        bunch.append((blade, compose(spin, lift)))
    for bunch in sectors:
        if bunch:
            assembly.add_bunch(bunch)


def _swords(assembly: Assembly, rng: np.random.Generator, size: tuple[float, float, float], radius: float) -> None:
    """A snake plant: stiff upright blades; each collides by itself."""
    earth, tall, hue = size
    for i in range(int(rng.integers(7, 11))):
        turn = i * _GOLDEN_ANGLE
        high = tall * float(rng.uniform(0.7, 1.0)) * (1.0 - 0.03 * i)
        reach = radius * 0.5 * (0.15 + 0.85 * i / 10.0)
        blade = leaf(high, high * 0.13 + 0.02, -0.12, _green(rng, hue))
        at = compose(rotation("z", turn), rotation("y", -1.42 + 0.1 * i / 10.0, (reach, 0.0, earth - 0.01)))
        assembly.add_bunch([(blade, at)])


def _bush(assembly: Assembly, rng: np.random.Generator, size: tuple[float, float, float], radius: float) -> None:
    """Small leaves all round a ball or an egg on a short stem."""
    earth, tall, hue = size
    stem = tall * (0.3 if chance(rng, 0.4) else 0.04)
    wide = min(0.46 * (tall - stem), radius * 1.7)
    middle = earth + stem + (tall - stem) / 2
    high = (tall - stem) / 2
    trunk = Material("plain", (0.5, 0.38, 0.27), 0.9)
    assembly.tube([(0.0, 0.0, earth - 0.01), (0.0, 0.0, middle)], 0.1 * radius, trunk)
    core = Material("leaf", hsv(hue, 0.6, 0.42), 0.8, 0.0, 4.0)
    pieces = [sphere(0.74, core, sides=14, rings=8)]
    pieces += [replace(leaves, materials=(_green(rng, hue),)) for leaves in _bush_leaves()]
    bush = stretched(join(pieces), (wide, wide, high))
    parts = lathe_parts([(wide * r, high * z) for r, z in _BUSH_OUTLINE], 0.03 * wide)
    assembly.add(bush, parts, at=rotation("z", float(rng.uniform(0.0, 2.0 * math.pi)), (0.0, 0.0, middle)))


@lru_cache(maxsize=1)
def _bush_leaves() -> tuple[Mesh, ...]:
    """Leaves like shingles round a ball of radius 0.74, reaching out to about 1: five meshes, one a colour."""
    count, shades = 90, 5
    groups: list[list[Mesh]] = [[] for _ in range(shades)]
    for i in range(count):
        level = 1.0 - 2.0 * (i + 0.5) / count
        ring = math.sqrt(1.0 - level * level)
        elevation = level * (1.0 + 0.57 * level * level)
        blade = leaf(0.34 + 0.02 * (i % shades), 0.24, 0.5, rows=3)
        at = rotation("y", 0.85 - elevation, (0.74 * ring, 0.0, 0.74 * level))
        groups[i % shades].append(placed(blade, compose(rotation("z", i * _GOLDEN_ANGLE), at)))
    return tuple(join(group) for group in groups)


def _cactus(assembly: Assembly, rng: np.random.Generator, size: tuple[float, float, float], radius: float) -> None:
    """A column with two arms."""
    earth, tall, hue = size
    skin = Material("cactus", hsv(hue, float(rng.uniform(0.4, 0.6)), float(rng.uniform(0.6, 0.8))), 0.7)
    thick = radius * between(rng, 0.32, 0.42)
    body = tall * 0.85
    dome = [(thick * c, earth + body - thick + thick * s) for s, c in (sin_cos(0.3927 * i) for i in range(1, 4))]
    column = [
        (0.0, earth - 0.01),
        (0.85 * thick, earth - 0.01),
        (thick, earth + 0.3 * body),
        (thick, earth + body - thick),
    ]
    assembly.lathe([*column, *dome, (0.0, earth + body)], skin, sides=20, crease=60.0)
    for side in (-1.0, 1.0):
        start = earth + body * between(rng, 0.3, 0.5)
        reach = thick * between(rng, 1.9, 2.3)
        up = body * between(rng, 0.25, 0.38)
        bend = 0.6 * thick
        path = [
            (0.0, 0.0, start),
            (side * (reach - bend), 0.0, start),
            (side * reach, 0.0, start + bend),
            (side * reach, 0.0, start + up),
            (side * reach, 0.0, start + up + 0.4 * thick),
        ]
        assembly.tube(
            path, [0.55 * thick, 0.6 * thick, 0.6 * thick, 0.58 * thick, 0.3 * thick], skin, sides=14, spans=2
        )
    petal = Material("plain", hsv(0.93, 0.55, 0.95), 0.8)
    if chance(rng, 0.6):
        assembly.ball(0.35 * thick, (0.0, 0.0, earth + body), petal, sides=10, rings=6)
