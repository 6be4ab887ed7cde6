"""Food that lies about: fruit, vegetables, eggs, bread."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import sin_cos
from flowbench.rendering import Material, Mesh, join
from flowbench.rendering.placing import Vector, placed, rotation, stretched
from flowbench.rendering.shapes import lathe, sphere
from flowbench.rendering.sweeps import grid_surface, leaf, two_sided

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import coarse_hull
from .palette import hsv
from .resting import lying, standing_hull
from .tints import tint, tinted
from .turned import wavy

_FLAT = 0.05
"""By how much of its radius a fruit is flattened where it stands."""


def _round(radius: float, squash: float, dimple: float, shoulder: float) -> list[tuple[float, float]]:
    """The profile of a fruit with a dimpled top, flattened where it stands."""
    profile = []
    steps = 12
    for i in range(steps + 1):
        s, c = sin_cos(math.pi * (i / steps - 0.5))
        near = max(0.0, 1.0 - c / 0.55)
        z = squash * (s - dimple * near * near * (1.0 if s > 0.0 else -0.6))
        profile.append((0.0 if i in (0, steps) else radius * c * (1.0 + shoulder * s), radius * z))
    low = min(z for _, z in profile) + _FLAT * radius
    return [(r, max(0.0, z - low)) for r, z in profile]


def apple(draw: Draw) -> Model:
    """Red or golden; green, taller, with a leaf."""
    assembly = Assembly("Apple", tolerance=0.003)
    r = draw.size("radius")
    hue = "second_hue" if draw.chance("second") else "hue"
    skin = tinted(draw, hue, (0.65, 0.85), (0.7, 0.88), 0.3)
    profile = _round(r, draw.size("squash"), draw.size("dimple"), draw.size("shoulder"))
    mesh = lathe(profile, skin, sides=22, crease=100.0)
    assembly.add(mesh, [standing_hull(mesh.vertices, 1.065)])
    top = profile[-1][1]
    stalk = tinted(draw, "stalk_hue", (0.5, 0.6), (0.4, 0.5), 0.8)
    assembly.tube([(0.0, 0.0, top), (0.002, 0.0, top + 0.012), (0.007, 0.0, top + 0.028)], 0.002, stalk, sides=6)
    if draw.chance("leaf"):
        green = tinted(draw, "leaf_hue", (0.6, 0.75), (0.45, 0.6), 0.6)
        blade = leaf(0.034, 0.016, 0.5, green, rows=4)
        assembly.add(blade, [coarse_hull(blade.vertices)], at=rotation("z", -0.9, (0.003, 0.0, top + 0.016)))
    return assembly.model(0.2)


def tomato(draw: Draw) -> Model:
    """Red, flat, with a green star on top; or three on a vine."""
    assembly = Assembly("Tomato", tolerance=0.003)
    skin = tinted(draw, "hue", (0.84, 0.9), (0.75, 0.9), 0.2)
    green = tinted(draw, "stalk_hue", (0.55, 0.65), (0.45, 0.6), 0.7)
    r, squash = draw.size("radius"), draw.size("squash")
    if draw.shape("form") == "vine":
        gap = 1.96 * r
        tops = [_tomato(assembly, (x, y), (r * share, squash), skin, green) for x, y, share in _bunch(draw, gap)]
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = ((x, y, z + 0.3 * r) for x, y, z in tops)
        path = [(1.25 * x0, 0.9 * y0, z0 - 0.002), (x0, y0, z0), (0.5 * x0, 0.5 * y0 + 0.003, z1 + 0.001), (x1, y1, z1)]
        path += [(0.45 * x2, 0.5 * y2 - 0.004, z1 + 0.003), (x2, y2, z2), (1.4 * x2, 1.3 * y2, z2 + 0.005)]
        assembly.tube(path, [0.0012, 0.0018, 0.0017, 0.0019, 0.0018, 0.002, 0.0023], green, sides=6, spans=2)
        return assembly.model(0.3)
    _tomato(assembly, (0.0, 0.0), (r, squash), skin, green)
    return assembly.model(0.15)


def _bunch(draw: Draw, gap: float) -> list[tuple[float, float, float]]:
    """(x, y, share of the size) of three fruits that touch, nearly in a row."""
    bend = draw.between(-0.25, 0.25) * gap
    return [(-gap, bend, draw.between(0.92, 1.0)), (0.0, 0.0, 1.0), (gap, bend, draw.between(0.92, 1.0))]


def _tomato(
    assembly: Assembly, at: tuple[float, float], size: tuple[float, float], skin: Material, green: Material
) -> Vector:
    """One fruit with its star; gives the middle of its top."""
    (x, y), (r, squash) = at, size
    profile = _round(r, squash, 0.2, 0.0)
    mesh = lathe(profile, skin, sides=16, crease=100.0)
    assembly.add(mesh, [standing_hull(mesh.vertices)], at=(x, y, 0.0))
    top = profile[-1][1]
    for i in range(5):
        blade = leaf(0.62 * r, 0.26 * r, 0.9, green, rows=2)
        assembly.add(blade, at=rotation("z", 1.2566 * i, (x, y, top + 0.1 * r)))
    assembly.tube([(x, y, top), (x + 0.002, y, top + 0.4 * r)], 0.0025, green, sides=6)
    return x, y, top


def potato(draw: Draw) -> Model:
    """A lumpy tuber with eyes: oval and brown, or long and yellow."""
    assembly = Assembly("Potato", tolerance=0.003)
    r = draw.size("radius")
    half = (r * draw.size("long"), r * draw.between(0.98, 1.12), r * draw.between(0.86, 0.96))
    # The unit ball's texture is stretched with it, down to a few centimetres.
    skin = Material("soil", tint(draw, "hue", (0.36, 0.48), (0.84, 0.96)), 0.9, 0.0, 0.12)
    mesh = stretched(sphere(1.0, skin, sides=22, rings=12), half)
    phase, lump = draw.between(0.0, 6.28), draw.size("lump")
    mesh = replace(mesh, vertices=_lumpy(mesh.vertices, half, phase, lump))
    lying(assembly, mesh, pieces=2)
    eye = tinted(draw, "hue", (0.5, 0.55), (0.46, 0.54), 0.9)
    for i in range(7):
        s, c = sin_cos(phase + 2.4 * i)
        up = 0.85 - 0.17 * i
        reach = math.sqrt(1.0 - up * up)
        point = np.array([[half[0] * reach * c, half[1] * reach * s, half[2] * up]])
        x, y, z = (0.94 * float(v) for v in _lumpy(point, half, phase, lump)[0])
        dent = sphere(0.0032, eye, at=(x, y, z), sides=8, rings=6)
        if z > -0.75 * half[2]:
            assembly.add(dent)
    return assembly.model(0.2)


def _lumpy(points: NDArray[np.float64], half: Vector, phase: float, lump: float) -> NDArray[np.float64]:
    """Points of an ellipsoid, swollen here and drawn in there by up to the share ``lump``."""
    out = points.copy()
    for i, (x, y, z) in enumerate((points / np.array(half)).tolist()):
        swell = sin_cos(2.6 * x + phase)[0] + 0.8 * sin_cos(3.1 * y - phase)[0] + 0.5 * sin_cos(3.4 * z + 2 * phase)[0]
        out[i] *= 1.0 + lump * swell
    return out


def egg(draw: Draw) -> Model:
    """A hen's egg lying on its side, blunt end to the left: white or brown."""
    assembly = Assembly("Egg", tolerance=0.003)
    long, r = draw.size("length") / 2.0, draw.size("radius")
    shell = Material("plain", hsv(draw.size("hue"), draw.size("saturation"), draw.between(0.88, 0.97)), 0.45)
    mesh = stretched(sphere(1.0, shell, sides=28, rings=18), (long, r, r))
    along = mesh.vertices[:, 0] / long
    taper = 1.0 - 0.2 * along - 0.05 * along * along
    lying(assembly, replace(mesh, vertices=mesh.vertices * np.stack([np.ones_like(taper), taper, taper], axis=1)))
    return assembly.model(0.06)


def lettuce(draw: Draw) -> Model:
    """A head in its ruffled outer leaves: round, or tall."""
    assembly = Assembly("Lettuce", tolerance=0.006)
    r, h = draw.size("radius"), draw.size("radius") * draw.size("tall")
    heart = Material("plain", tint(draw, "hue", (0.36, 0.46), (0.78, 0.9)), 0.7)
    ball = [
        (0.0, 0.0, 0.0),
        (0.5, 0.02, 0.02),
        (0.8, 0.35, 0.03),
        (0.8, 0.62, 0.05),
        (0.5, 0.92, 0.08),
        (0.0, 1.0, 0.0),
    ]
    core = [wavy([(a * r, b * h) for a, b, _ in ball], [swing for _, _, swing in ball], 5, heart, sides=25)]
    for layer, (count, top, lean) in enumerate(((3, 1.04, -0.34), (4, 0.96, -0.1), (5, 0.7, 0.24))):
        for i in range(count):
            shade = 0.86 - 0.09 * layer
            green = Material("leaf", tint(draw, "hue", (0.34 + 0.08 * layer, 0.5), (shade - 0.1, shade)), 0.7)
            turn = rotation("z", 6.2832 * (i + 0.4 * layer) / count + draw.between(-0.12, 0.12))
            size = (r, top * draw.between(0.94, 1.0) * h)
            blade = _outer_leaf(size, lean + draw.between(-0.04, 0.04), draw.size("ruffle"), green)
            if layer:
                assembly.add(blade, [coarse_hull(blade.vertices)], at=turn)
            else:
                core.append(placed(blade, turn))
    whole = join(core)
    assembly.add(whole, [standing_hull(whole.vertices)])
    return assembly.model(0.4)


_LEAF = ((0.28, 0.0), (0.66, 0.1), (0.86, 0.36), (0.88, 0.66), (0.9, 0.88), (1.0, 1.0))
"""(radius, height) of an outer leaf along its vein, as shares of the head's."""
_ACROSS = 11
"""Points across a leaf."""


def _outer_leaf(size: tuple[float, float], lean: float, ruffle: float, material: Material) -> Mesh:
    """A leaf that clasps the head, its upper rim waved outwards."""
    r, h = size
    grid = np.empty((len(_LEAF), _ACROSS, 3))
    for row, (out, up) in enumerate(_LEAF):
        for column in range(_ACROSS):
            across = 2.0 * column / (_ACROSS - 1) - 1.0
            s, c = sin_cos(0.85 * across * (0.55 + 0.45 * up))
            edge = up * up * (0.35 + 0.65 * across * across)
            wave = ruffle * edge * sin_cos(7.8 * across + 9.0 * lean)[0]
            radius = r * (out * (0.94 + lean * up) + wave)
            height = h * (up * (1.0 - 0.34 * across * across) + 0.3 * wave)
            grid[row, column] = (radius * c, radius * s, max(height, 0.0))
    return two_sided(grid_surface(grid, grid[..., 1:], material))
