"""What belongs to a pet: dog beds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation, stretched
from flowbench.rendering.shapes import lathe

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import lathe_parts

_SIDES = (-1.0, 1.0)


def dog_bed(draw: Draw) -> Model:
    """A cushion within a padded rim, perhaps with a toy bone on it."""
    assembly = Assembly("DogBed")
    length, height = draw.size("length"), draw.size("height")
    cover = draw.cloth(patterned=False)
    inner = Material(draw.palette.plain_fabric, draw.colour((0.05, 0.2), (0.85, 0.95)), 0.95, 0.0, 4.0)
    level = DOG_BEDS[draw.shape("build")](assembly, (length, draw.size("share") * length, height), (cover, inner))
    if draw.chance("bone"):
        _bone(draw, assembly, (0.0, -0.03, level + 0.016))
    return assembly.model(1.8)


def _bone(draw: Draw, assembly: Assembly, at: Vector) -> None:
    """A rod with two knobs at either end."""
    place = rotation("z", draw.between(-0.7, 0.7), at)
    bone = Material("plain", draw.palette.porcelain, 0.5)
    assembly.tube([(-0.07, 0.0, 0.0), (0.07, 0.0, 0.0)], 0.014, bone, at=place, spans=0)
    for x in _SIDES:
        for y in _SIDES:
            assembly.ball(0.02, (0.078 * x, 0.016 * y, 0.0), bone, sides=8, rings=6, at=place, solid=False)
    assembly.block((0.18, 0.06, 0.036), (0.0, 0.0, 0.0), at=place)


def _ring(assembly: Assembly, size: Vector, cloths: tuple[Material, Material]) -> float:
    """A padded ring; gives the height that it is filled to."""
    r, h = size[0] / 2, size[2]
    ring = [(0.9 * r, 0.0), (r, 0.3 * h), (0.98 * r, 0.75 * h), (0.88 * r, h), (0.76 * r, 0.85 * h), (0.7 * r, 0.4 * h)]
    outer = lathe([(0.0, 0.0), *ring, (0.0, 0.4 * h)], cloths[0], sides=30, crease=70.0)
    pad = [(0.71 * r, 0.42 * h), (0.5 * r, 0.52 * h), (0.0, 0.55 * h)]
    factors = (1.0, size[1] / size[0], 1.0)
    parts = [part * factors for part in lathe_parts([(0.0, 0.0), *ring, (0.0, h)], 0.008)]
    assembly.add(stretched(outer, factors), parts)
    assembly.add(stretched(lathe(pad, cloths[1], sides=30), factors))
    return 0.55 * h


def _sofa(assembly: Assembly, size: Vector, cloths: tuple[Material, Material]) -> float:
    """A mat with a bolster along its back and its sides, open in front."""
    (x, y, h), (cover, inner) = size, cloths
    r, mat = 0.27 * h + 0.02, 0.42 * h
    assembly.box((x - 0.02, y - 0.02, mat), (0.0, 0.0, mat / 2), cover, rounding=0.02, segments=1)
    size = (x - 3 * r, y - 2 * r, 0.05)
    assembly.box(size, (0.0, -r / 2, mat + 0.015), inner, rounding=0.022, segments=1)
    z = h - r
    for side in _SIDES:
        at = rotation("x", math.pi / 2, (side * (x / 2 - r), y / 2, z))
        assembly.lathe(_bolster(y, r), cover, sides=16, crease=60.0, at=at)
    at = rotation("y", math.pi / 2, (-x / 2, y / 2 - r, z))
    assembly.lathe(_bolster(x, r), cover, sides=16, crease=60.0, at=at)
    return mat + 0.04


def _bolster(length: float, radius: float) -> list[tuple[float, float]]:
    """The outline of a roll with rounded ends, along z."""
    soft = 0.4 * radius
    ends = [(radius - soft, 0.0), (radius, soft), (radius, length - soft), (radius - soft, length)]
    return [(0.0, 0.0), *ends, (0.0, length)]


def _basket(assembly: Assembly, size: Vector, cloths: tuple[Material, Material]) -> float:
    """Straight padded walls, the front one lower, round a thick mat."""
    (x, y, h), (cover, inner) = size, cloths
    wall = 0.08
    low = 0.5 * h
    assembly.box((x - wall, y - wall, 0.3 * h), (0.0, 0.0, 0.15 * h), cover)
    for side in _SIDES:
        centre = (side * (x - wall) / 2, 0.0, h / 2)
        assembly.box((wall, y, h), centre, cover, rounding=0.035, segments=2)
    assembly.box((x - wall, wall, h), (0.0, (y - wall) / 2, h / 2), cover, rounding=0.035, segments=2)
    assembly.box((x - wall, wall, low), (0.0, (wall - y) / 2, low / 2), cover, rounding=0.035, segments=2)
    mat = (x - 2 * wall + 0.01, y - 2 * wall + 0.01, 0.2 * h)
    assembly.box(mat, (0.0, 0.0, 0.36 * h), inner, rounding=0.02, segments=1)
    return 0.46 * h


DOG_BEDS: Mapping[str, Callable[[Assembly, Vector, tuple[Material, Material]], float]] = MappingProxyType(
    {"ring": _ring, "sofa": _sofa, "basket": _basket}
)
