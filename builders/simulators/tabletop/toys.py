"""Toy blocks: prisms over polygons, discs, stars, moons, hearts; edges a little rounded by a bevel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from flowbench.builders.simulators.bullet.models.assembly import Assembly
from flowbench.geometry import atan2, sin_cos
from flowbench.rendering import Material

from .scene import Recipe

Point = tuple[float, float]

_BEVEL = 0.0015
_ROUGHNESS = 0.38
_HORN = 0.75
"""Radians from the opening's middle to a moon's horn."""
_ARC = 14
"""Pieces of a moon's arc."""


def _paint(recipe: Recipe) -> Material:
    return Material("plain", recipe.tint, _ROUGHNESS)


def _ring(corners: int, radius: float, turn: float = 0.0) -> list[Point]:
    """Corners of a regular polygon, counter-clockwise."""
    turns = [sin_cos(turn + 2.0 * math.pi * i / corners) for i in range(corners)]
    return [(radius * c, radius * s) for s, c in turns]


def _slab(assembly: Assembly, polygon: list[Point], middle: Point, height: float, paint: Material) -> None:
    """A convex polygon as a slab whose upper edge is bevelled toward ``middle``."""
    inner = [(_drawn_in(x, middle[0]), _drawn_in(y, middle[1])) for x, y in polygon]
    assembly.loft(polygon, polygon, 0.0, height - _BEVEL, paint)
    assembly.loft(polygon, inner, height - _BEVEL, height, paint)


def _drawn_in(value: float, middle: float) -> float:
    return middle + (value - middle) * 0.94


def prism(assembly: Assembly, recipe: Recipe) -> None:
    """A regular polygon, one of its sides facing -y."""
    corners = round(recipe.sizes["corners"])
    half = math.pi / corners
    s, c = sin_cos(half)
    wide = recipe.sizes["width"]
    radius = wide / (2.0 * s) if corners <= 4 else wide / (1.0 + c)
    polygon = _ring(corners, radius, -0.5 * math.pi + half)
    _slab(assembly, polygon, (0.0, 0.0), recipe.sizes["height"], _paint(recipe))


def disc(assembly: Assembly, recipe: Recipe) -> None:
    """A short cylinder."""
    r, h = recipe.sizes["radius"], recipe.sizes["height"]
    profile = [(0.0, 0.0), (r, 0.0), (r, h - _BEVEL), (r - _BEVEL, h), (0.0, h)]
    assembly.lathe(profile, _paint(recipe), sides=32)


def star(assembly: Assembly, recipe: Recipe) -> None:
    """Five points round a pentagon, one of them towards +y."""
    outer = recipe.sizes["width"] / 1.902
    inner = 0.45 * outer
    tips, notches = _ring(5, outer, 0.5 * math.pi), _ring(5, inner, 0.5 * math.pi + 0.2 * math.pi)
    height, paint = recipe.sizes["height"], _paint(recipe)
    for i in range(5):
        _slab(assembly, [(0.0, 0.0), notches[i - 1], tips[i], notches[i]], (0.0, 0.0), height, paint)


def moon(assembly: Assembly, recipe: Recipe) -> None:
    """A crescent open towards +x, of slabs side by side."""
    height, paint = recipe.sizes["height"], _paint(recipe)
    outer, inner = _crescent(recipe.sizes["width"] / 2.0)
    last = len(outer) - 2
    for i in range(last + 1):
        slab = [outer[i], outer[i + 1], inner[i + 1], inner[i]]
        corners = slab[:3] if i == 0 else [*slab[:2], slab[3]] if i == last else slab
        assembly.loft(corners, corners, 0.0, height, paint)


def _crescent(r: float) -> tuple[list[Point], list[Point]]:
    """Points along the outer and the inner arc, from one horn counter-clockwise to the other."""
    s, c = sin_cos(_HORN)
    shift = 0.52 * r
    inner_r = math.sqrt((r * c - shift) * (r * c - shift) + r * s * r * s)
    arcs = []
    for radius, middle, first in ((r, 0.0, _HORN), (inner_r, shift, atan2(r * s, r * c - shift))):
        turns = [sin_cos(first + (2.0 * math.pi - 2.0 * first) * i / _ARC) for i in range(_ARC + 1)]
        arcs.append([(middle + radius * c, radius * s) for s, c in turns])
    return arcs[0], arcs[1]


def heart(assembly: Assembly, recipe: Recipe) -> None:
    """A square on its corner and a disc on each of its upper sides; its tip towards -y."""
    height, paint = recipe.sizes["height"], _paint(recipe)
    side = recipe.sizes["width"] / 1.70711
    d = side * 0.70711
    _slab(assembly, [(0.0, -d), (d, 0.0), (0.0, d), (-d, 0.0)], (0.0, 0.0), height, paint)
    for x in (-0.5 * d, 0.5 * d):
        disc = [(x + a, 0.5 * d + b) for a, b in _ring(24, 0.5 * side)]
        _slab(assembly, disc, (x, 0.5 * d), height, paint)


MAKERS: Mapping[str, Callable[[Assembly, Recipe], None]] = {
    "prism": prism,
    "disc": disc,
    "star": star,
    "moon": moon,
    "heart": heart,
}
"""What makes each toy, by the name that things.toml gives."""
