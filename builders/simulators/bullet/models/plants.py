"""House plants: a pot and one of several kinds of green."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from flowbench.geometry import compose, sin_cos
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material, Mesh, join
from flowbench.rendering.placing import Vector, placed, rotation, stretched, translation
from flowbench.rendering.shapes import solid, sphere
from flowbench.rendering.sweeps import leaf, tube, two_sided

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import lathe_parts
from .palette import hsv

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

Bunch = list[tuple[Mesh, Matrix]]


@dataclass(frozen=True)
class _Size:
    """How large the green is, metres: the earth's height, its own height above it, the pot's radius; its hue."""

    earth: float
    tall: float
    radius: float
    hue: float


def house_plant(draw: Draw) -> Model:
    """A large plant for the floor or a small one for a table, as the row says."""
    assembly = Assembly("HousePlant", tolerance=0.004)
    radius = draw.size("radius")
    earth = _pot(assembly, draw, radius)
    size = _Size(earth, draw.size("height"), radius, draw.size("hue"))
    _KINDS[draw.shape("kind")](assembly, draw, size)
    return assembly.model(1.0 + 30.0 * radius)


def _pot(assembly: Assembly, draw: Draw, radius: float) -> float:
    """A pot round z; gives the height of its earth."""
    form, height = draw.shape("pot"), radius * draw.size("depth")
    clay = Material("plain", (0.80, 0.50, draw.size("clay")), 0.85)
    ware = clay if draw.chance("earthen") else draw.metal() if draw.chance("metal") else draw.glaze()
    soil = Material("soil", (0.62, draw.size("soil"), 0.36), 1.0, 0.0, 5.0)
    low, rim = radius * draw.size("foot"), radius * 1.05
    earth = 0.9 * height
    if form == "square":
        half = 0.9 * radius
        lower = [
            (-0.8 * half, -0.8 * half),
            (0.8 * half, -0.8 * half),
            (0.8 * half, 0.8 * half),
            (-0.8 * half, 0.8 * half),
        ]
        upper = [(x / 0.8, y / 0.8) for x, y in lower]
        assembly.loft(lower, upper, 0.0, height, ware)
        bed = (1.8 * half, 1.8 * half, 0.01)
        assembly.box(bed, (0.0, 0.0, height), soil, solid=False)
        return height
    if form == "basket":
        ware = Material(draw.shape("weave"), (0.95, 0.84, 0.66), 0.8, 0.0, 4.0)
        wall = [(low, 0.0), (1.12 * rim, 0.4 * height), (1.1 * rim, 0.65 * height), (rim, height)]
    elif form == "rimmed":
        wall = [(low, 0.0), (radius * 0.96, 0.82 * height), (rim, 0.82 * height), (rim, height)]
    elif form == "footed":
        wall = [
            (0.8 * low, 0.0),
            (0.7 * low, 0.08 * height),
            (0.5 * rim, 0.14 * height),
            (rim, 0.5 * height),
            (rim, height),
        ]
    else:
        wall = [(low, 0.0), (rim, 0.55 * height), (0.94 * rim, height)]
    mouth = wall[-1][0]
    inside = [(mouth - 0.08 * radius, height), (mouth - 0.12 * radius, 0.88 * height), (0.0, 0.88 * height)]
    assembly.lathe([(0.0, 0.0), *wall, *inside], ware, sides=28)
    assembly.lathe([(mouth - 0.1 * radius, earth), (0.0, earth + 0.05 * radius)], soil, sides=20, solid=False)
    return earth


def _green(draw: Draw, hue: float) -> Material:
    tint = hsv(hue + draw.between(-0.015, 0.015), draw.between(0.5, 0.72), draw.between(0.52, 0.82))
    return Material("leaf", tint, 0.5)


def _sectors(assembly: Assembly, pieces: list[tuple[float, Bunch]]) -> None:
    """Pieces by their angle about z; those of a sector collide as one hull."""
    sectors: list[Bunch] = [[] for _ in range(_SECTORS)]
    for turn, bunch in pieces:
        sectors[int(turn / (2.0 * math.pi) * _SECTORS) % _SECTORS] += bunch
    for bunch in sectors:
        if bunch:
            assembly.add_bunch(bunch)


def _rosette(assembly: Assembly, draw: Draw, size: _Size) -> None:
    """Broad leaves on stalks that lean outwards."""
    count, tall = draw.count("leaves"), 0.85 * size.tall
    stalk = Material("plain", hsv(size.hue, 0.5, 0.5), 0.7)
    pieces = []
    for i in range(count):
        k = i / count
        turn = i * _GOLDEN_ANGLE + draw.between(-0.2, 0.2)
        rise = tall * (0.3 + 0.6 * k) * draw.between(0.9, 1.05)
        out = tall * (0.12 + 0.14 * (1.0 - k))
        path = [(0.0, 0.0, size.earth), (0.25 * out, 0.0, size.earth + 0.55 * rise), (out, 0.0, size.earth + rise)]
        spin = rotation("z", turn)
        blade_size = (tall * draw.between(0.36, 0.48), tall * draw.between(0.15, 0.22))
        blade = leaf(*blade_size, draw.between(0.5, 1.3), _green(draw, size.hue))
        lift = rotation("y", -0.55 * k - 0.1, path[-1])
        pieces.append((turn, [(tube(path, 0.009 * tall, stalk, sides=5), spin), (blade, compose(spin, lift))]))
    _sectors(assembly, pieces)


def _swords(assembly: Assembly, draw: Draw, size: _Size) -> None:
    """A snake plant: stiff upright blades; each collides by itself."""
    for i in range(draw.count("leaves") // 2):
        turn = i * _GOLDEN_ANGLE
        high = size.tall * draw.between(0.7, 1.0) * (1.0 - 0.03 * i)
        reach = size.radius * 0.5 * (0.15 + 0.85 * i / 10.0)
        blade = leaf(high, high * 0.13 + 0.02, -0.12, _green(draw, size.hue))
        at = compose(rotation("z", turn), rotation("y", -1.42 + 0.1 * i / 10.0, (reach, 0.0, size.earth - 0.01)))
        assembly.add_bunch([(blade, at)])


def _bush(assembly: Assembly, draw: Draw, size: _Size) -> None:
    """Small leaves all round a ball or an egg on a short stem."""
    tall = size.tall
    stem = tall * (0.3 if draw.chance("stemmed") else 0.04)
    wide = min(0.46 * (tall - stem), size.radius * 1.7)
    middle = size.earth + stem + (tall - stem) / 2
    high = (tall - stem) / 2
    trunk = Material("plain", (0.5, 0.38, draw.size("bark")), 0.9)
    assembly.tube([(0.0, 0.0, size.earth - 0.01), (0.0, 0.0, middle)], 0.1 * size.radius, trunk)
    core = Material("leaf", hsv(size.hue, 0.6, 0.42), 0.8, 0.0, 4.0)
    pieces = [sphere(0.74, core, sides=14, rings=8)]
    pieces += [replace(leaves, materials=(_green(draw, size.hue),)) for leaves in _bush_leaves()]
    bush = stretched(join(pieces), (wide, wide, high))
    parts = lathe_parts([(wide * r, high * z) for r, z in _BUSH_OUTLINE], 0.03 * wide)
    assembly.add(bush, parts, at=rotation("z", draw.between(0.0, 2.0 * math.pi), (0.0, 0.0, middle)))


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


def _cactus(assembly: Assembly, draw: Draw, size: _Size) -> None:
    """A column with two arms."""
    skin = _skin(draw, size.hue)
    earth, body = size.earth, size.tall * 0.85
    thick = size.radius * draw.between(0.32, 0.42)
    dome = [(thick * c, earth + body - thick + thick * s) for s, c in (sin_cos(0.3927 * i) for i in range(1, 4))]
    foot = [(0.0, earth - 0.01), (0.85 * thick, earth - 0.01), (thick, earth + 0.3 * body)]
    column = [*foot, (thick, earth + body - thick), *dome, (0.0, earth + body)]
    assembly.lathe(column, skin, sides=20, crease=60.0)
    for side in (-1.0, 1.0):
        start = earth + body * draw.between(0.3, 0.5)
        reach, bend = side * thick * draw.between(1.9, 2.3), side * 0.6 * thick
        up = body * draw.between(0.25, 0.38)
        path = [(0.0, 0.0, start), (reach - bend, 0.0, start), (reach, 0.0, start + 0.6 * thick)]
        path += [(reach, 0.0, start + up), (reach, 0.0, start + up + 0.4 * thick)]
        radii = [k * thick for k in (0.55, 0.6, 0.6, 0.58, 0.3)]
        assembly.tube(path, radii, skin, sides=14, spans=2)
    if draw.chance("blossom"):
        assembly.ball(0.35 * thick, (0.0, 0.0, earth + body), _petal(draw), sides=10, rings=6)


def _skin(draw: Draw, hue: float) -> Material:
    return Material("cactus", hsv(hue, draw.between(0.4, 0.6), draw.between(0.6, 0.8)), 0.7)


def _petal(draw: Draw) -> Material:
    return Material("plain", draw.colour((0.5, 0.6), (0.9, 0.97)), 0.8)


def _paddles(assembly: Assembly, draw: Draw, size: _Size) -> None:
    """A prickly pear: flat round pads on top of each other."""
    skin = _skin(draw, size.hue)
    spine = Material("plain", (0.95, 0.93, draw.size("clay")), 0.8)
    r = 0.24 * size.tall
    pads: list[tuple[float, float, float, float]] = [(0.0, size.earth + 0.9 * r, 1.0, 0.0)]
    pads += [(-0.95 * r, size.earth + 2.25 * r, 0.85, -0.6), (0.75 * r, size.earth + 2.5 * r, 0.8, 0.4)]
    pads += [(1.7 * r, size.earth + 3.25 * r, 0.55, 0.9), (-0.35 * r, size.earth + 3.35 * r, 0.6, 0.25)]
    for x, z, k, lean in pads:
        at = rotation("y", lean, (x, 0.0, z))
        assembly.ball(k * r, (0.0, 0.0, 0.0), skin, scale=(0.8, 0.24, 1.0), sides=16, rings=10, at=at)
        for dx, dz in ((-0.35, 0.3), (0.35, 0.3), (0.0, -0.05), (-0.4, -0.35), (0.4, -0.35), (0.0, 0.65)):
            depth = -0.23 * k * r * math.sqrt(1.0 - (dx / 0.8) * (dx / 0.8) - dz * dz)
            assembly.picture(
                0.09 * k * r, 0.09 * k * r, spine, at=compose(at, translation(dx * k * r, depth - 0.002, dz * k * r))
            )
    if draw.chance("blossom"):
        assembly.ball(0.28 * r, (-0.2 * r, 0.0, size.earth + 3.98 * r), _petal(draw), sides=10, rings=6)


def _frond(length: float, width: float, bend: float, material: Material, pairs: int) -> Mesh:
    """A feathered leaf from the origin along +x: pairs of pointed leaflets along a vein that bends down."""
    vertices: list[Vector] = []
    normals: list[Vector] = []
    uvs: list[tuple[float, float]] = []
    faces: list[tuple[int, int, int]] = []
    x = z = 0.0
    for i in range(pairs + 1):
        t = i / pairs
        s, c = sin_cos(bend * t)
        half = 0.5 * width * (0.25 + 3.0 * t * (1.0 - t)) * (1.0 - 0.35 * t)
        step = length / pairs
        for side in (1.0, -1.0):
            base = len(vertices)
            along, droop = 0.55 * half, 0.3 * half
            tip = (x + c * along, side * half, z - s * along - droop)
            near, far = (x - 0.35 * step * c, 0.0, z + 0.35 * step * s), (x + 0.45 * step * c, 0.0, z - 0.45 * step * s)
            vertices += [near, far, tip]
            ax, ay, az = (far[k] - near[k] for k in range(3))
            bx, by, bz = (tip[k] - near[k] for k in range(3))
            nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            length_n = math.sqrt(nx * nx + ny * ny + nz * nz)
            sign = 1.0 if nz > 0.0 else -1.0
            normals += [(sign * nx / length_n, sign * ny / length_n, sign * nz / length_n)] * 3
            uvs += [(t, 0.5), (t, 0.5), (t, 0.9)]
            faces.append((base, base + 1, base + 2) if sign > 0.0 else (base, base + 2, base + 1))
        x += c * step
        z -= s * step
    mesh = solid(np.array(vertices), np.array(normals), np.array(uvs), np.array(faces, dtype=np.int32), material)
    return two_sided(mesh)


def _fern(assembly: Assembly, draw: Draw, size: _Size) -> None:
    """Feathered fronds that arch out of the pot on all sides."""
    count = draw.count("leaves") + 6
    pieces = []
    for i in range(count):
        k = i / count
        turn = i * _GOLDEN_ANGLE
        long = size.tall * draw.between(0.56, 0.68)
        frond = _frond(long, 0.36 * long, 1.5 + 0.5 * (1.0 - k), _green(draw, size.hue), 13)
        lift = rotation("y", -0.8 - 0.65 * k, (0.15 * size.radius, 0.0, size.earth - 0.005))
        pieces.append((turn, [(frond, compose(rotation("z", turn), lift))]))
    _sectors(assembly, pieces)


def _palm(assembly: Assembly, draw: Draw, size: _Size) -> None:
    """A bare trunk under a crown of feathered fronds."""
    bark = Material("plain", (0.55, 0.42, draw.size("bark")), 0.9)
    top = size.earth + 0.5 * size.tall
    low, rings = size.earth - 0.01, []
    for i in range(13):
        t = i / 12
        rings.append((0.08 * size.tall * t * (1.0 - t), 0.0, low + (top - low) * t))
    thick = 0.16 * size.radius
    assembly.tube(rings, [thick * (1.15 if i % 2 else 0.9) for i in range(13)], bark, sides=10, spans=2)
    count = 11
    pieces = []
    for i in range(count):
        turn = i * _GOLDEN_ANGLE
        long = size.tall * draw.between(0.5, 0.6)
        frond = _frond(long, 0.42 * long, 1.5, _green(draw, size.hue), 12)
        lift = rotation("y", -0.15 - 0.9 * i / count, (0.0, 0.0, top - 0.01))
        pieces.append((turn, [(frond, compose(rotation("z", turn), lift))]))
    _sectors(assembly, pieces)


_KINDS: dict[str, Callable[[Assembly, Draw, _Size], None]] = {
    "rosette": _rosette,
    "swords": _swords,
    "bush": _bush,
    "cactus": _cactus,
    "paddles": _paddles,
    "fern": _fern,
    "palm": _palm,
}
