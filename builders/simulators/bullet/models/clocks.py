"""Alarm clocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw

_SIDES = (-1.0, 1.0)


def alarm_clock(draw: Draw) -> Model:
    """A clock for a bedside."""
    assembly = Assembly("AlarmClock", tolerance=0.003)
    CLOCKS[draw.shape("build")](draw, assembly, draw.size("size"), draw.size("deep"))
    return assembly.model(0.35)


def _dial(draw: Draw, radius: float) -> Material:
    return Material("dial", draw.palette.white, 0.4, 0.0, 0.5 / radius)


def _face(assembly: Assembly, material: Material, radius: float, at: Vector) -> None:
    """A disc that faces -y."""
    front = rotation("x", math.pi / 2, at)
    assembly.lathe([(radius, 0.0), (0.0, 0.0)], material, sides=28, at=front, solid=False)


def _keys(assembly: Assembly, metal: Material, reach: float, at: Vector) -> None:
    """Two winders on the back, which faces +y; they do not collide."""
    x, y, z = at
    knob = [(0.0, 0.0), (0.009, 0.0), (0.009, 0.004), (0.0, 0.004)]
    for side in _SIDES:
        back = rotation("x", -math.pi / 2, (x + side * reach, y, z))
        assembly.lathe(knob, metal, sides=10, at=back, solid=False)


def _bells(draw: Draw, assembly: Assembly, size: float, deep: float) -> None:
    """Round, on two feet, two bells on top."""
    r, steel = size / 2, draw.metal()
    centre = r + 0.022
    at = rotation("x", math.pi / 2, (0.0, deep / 2, centre))
    assembly.lathe([(0.0, 0.0), (r, 0.0), (r, deep), (0.0, deep)], draw.plastic(), sides=28, at=at)
    _face(assembly, _dial(draw, 0.92 * r), 0.92 * r, (0.0, -deep / 2 - 0.001, centre))
    _keys(assembly, steel, 0.4 * r, (0.0, deep / 2, centre))
    for side in _SIDES:
        foot = [(side * 0.5 * r, 0.0, centre - 0.8 * r), (side * 0.75 * r, 0.0, 0.004)]
        assembly.tube(foot, [0.007, 0.005], steel, sides=8)
        bell = [(0.0, 0.0), (0.5 * r, 0.0), (0.42 * r, 0.2 * r), (0.0, 0.36 * r)]
        turned = rotation("y", side * 0.6, (side * 0.6 * r, 0.0, centre + 0.86 * r))
        assembly.lathe(bell, steel, sides=18, crease=60.0, at=turned)
    arc = [(x * r, 0.0, centre + z * r) for x, z in ((-0.55, 1.15), (-0.3, 1.42), (0.3, 1.42), (0.55, 1.15))]
    assembly.tube(arc, 0.004, steel, sides=6)


def _digital(draw: Draw, assembly: Assembly, size: float, deep: float) -> None:
    """A box with glowing digits."""
    width, height, depth = 1.4 * size, 0.65 * size, 1.4 * deep
    assembly.box((width, depth, height), (0.0, 0.0, height / 2), draw.plastic(), rounding=0.012, segments=2)
    digits = Material("digits", draw.palette.white, 0.2, emission=0.25)
    assembly.picture(width * 0.82, height * 0.62, digits, at=(0.0, -depth / 2 - 0.001, height * 0.52))


def _travel(draw: Draw, assembly: Assembly, size: float, deep: float) -> None:
    """A square case with a round dial and a button on top."""
    side = 0.78 * size
    case, rim = draw.plastic(), draw.metal()
    assembly.box((side, deep, side), (0.0, 0.0, side / 2), case, rounding=0.016, segments=2)
    ring = [(0.0, 0.0), (0.4 * side, 0.0), (0.4 * side, 0.004), (0.0, 0.004)]
    middle = (0.0, -deep / 2, side / 2)
    assembly.lathe(ring, rim, sides=28, at=rotation("x", math.pi / 2, middle))
    face = Material("clockface", draw.palette.white, 0.4, 0.0, 0.5 / (0.365 * side))
    _face(assembly, face, 0.365 * side, (0.0, -deep / 2 - 0.005, side / 2))
    _keys(assembly, rim, 0.2 * side, (0.0, deep / 2, 0.6 * side))
    assembly.box((0.4 * side, 0.4 * deep, 0.01), (0.0, 0.0, side + 0.004), rim, rounding=0.003, segments=1)


def _drum(draw: Draw, assembly: Assembly, size: float, deep: float) -> None:
    """A thick round clock on a foot, a handle over it."""
    r, metal = 0.46 * size, draw.metal()
    centre = r + 0.014
    at = rotation("x", math.pi / 2, (0.0, deep / 2, centre))
    rim = [(0.0, 0.0), (0.86 * r, 0.0), (r, 0.14 * deep), (r, 0.86 * deep), (0.92 * r, deep), (0.0, deep)]
    assembly.lathe(rim, draw.plastic(), sides=28, at=at)
    face = Material("clockface", draw.palette.white, 0.4, 0.0, 0.5 / (0.86 * r))
    _face(assembly, face, 0.86 * r, (0.0, -deep / 2 - 0.001, centre))
    _keys(assembly, metal, 0.4 * r, (0.0, deep / 2, centre))
    assembly.box((1.1 * r, 0.9 * deep, 0.03), (0.0, 0.0, 0.015), metal, rounding=0.006, segments=1)
    arc = [(x * r, 0.0, centre + z * r) for x, z in ((-0.6, 0.78), (-0.42, 1.3), (0.42, 1.3), (0.6, 0.78))]
    assembly.tube(arc, 0.005, metal, sides=6)


CLOCKS: Mapping[str, Callable[[Draw, Assembly, float, float], None]] = MappingProxyType(
    {"bells": _bells, "digital": _digital, "travel": _travel, "drum": _drum}
)
