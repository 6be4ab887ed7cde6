"""Footstools: padded, on short legs, on bows or on a box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .legs import legs

_SIDES = (-1.0, 1.0)


def footstool(draw: Draw) -> Model:
    """Low, for the feet of one who sits."""
    size = (draw.size("width"), draw.size("depth"), draw.size("height"))
    return FOOTSTOOLS[draw.shape("build")](draw, Assembly("Footstool", tolerance=0.005), size)


def _padded_footstool(draw: Draw, assembly: Assembly, size: tuple[float, float, float]) -> Model:
    """A cushion on a low frame with short legs."""
    (width, depth, height), thick = size, draw.size("thick")
    wood = draw.wood()
    assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), draw.cloth(), rounding=0.03, segments=2)
    low = height - thick
    assembly.box((width - 0.02, depth - 0.02, 0.04), (0.0, 0.0, low - 0.015), wood, rounding=0.004, segments=1)
    legs(assembly, draw.shape("feet"), (width - 0.06, depth - 0.06), low - 0.02, 0.036, wood)
    return assembly.model(2.5)


def _round_footstool(draw: Draw, assembly: Assembly, size: tuple[float, float, float]) -> Model:
    """A round cushion in a wooden ring on short legs."""
    height, thick = size[2], draw.size("thick")
    wood, r = draw.wood(), 0.46 * size[0]
    low = height - thick
    rim = [(r - 0.012, low), (r, low + 0.3 * thick), (r - 0.008, low + 0.6 * thick), (0.82 * r, height - 0.008)]
    assembly.lathe([(0.0, low), *rim, (0.4 * r, height), (0.0, height)], draw.cloth(), sides=24, crease=60.0)
    ring = [(0.0, low - 0.03), (r, low - 0.03), (r + 0.006, low - 0.015), (r, low), (0.0, low)]
    assembly.lathe(ring, wood, sides=24)
    legs(assembly, draw.shape("feet"), (1.2 * r, 1.2 * r), low - 0.02, 0.036, wood)
    return assembly.model(2.2)


def _cradle(draw: Draw, assembly: Assembly, size: tuple[float, float, float]) -> Model:
    """A cushion on two crossed bows."""
    (width, depth, height), thick = size, draw.size("thick")
    wood = draw.wood()
    assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), draw.cloth(), rounding=0.035, segments=2)
    top, reach = height - thick + 0.01, width / 2 - 0.03
    for y in (0.035 - depth / 2, depth / 2 - 0.035):
        for side in _SIDES:
            pieces = [(-side * reach, y, 0.013), (0.0, y, 0.55 * top), (side * reach * 0.9, y, top)]
            assembly.tube(pieces, [0.013, 0.015, 0.013], wood, sides=8, spans=2)
    assembly.tube([(0.0, 0.035 - depth / 2, 0.55 * top), (0.0, depth / 2 - 0.035, 0.55 * top)], 0.012, wood)
    return assembly.model(2.8)


def _skirted(draw: Draw, assembly: Assembly, size: tuple[float, float, float]) -> Model:
    """A cushion on a covered box with a welt between them, on bun feet."""
    (width, depth, height), thick = size, draw.size("thick")
    cover, low, foot = draw.cloth(), height - thick, 0.05
    assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), cover, rounding=0.035, segments=2)
    body = (width - 0.015, depth - 0.015, low - foot)
    assembly.box(body, (0.0, 0.0, (low + foot) / 2), cover, rounding=0.012, segments=1)
    welt = draw.cloth(patterned=False)
    assembly.box((width - 0.007, depth - 0.007, 0.014), (0.0, 0.0, low), welt, rounding=0.006, segments=1, solid=False)
    legs(assembly, draw.shape("feet"), (width - 0.07, depth - 0.07), foot + 0.01, 0.042, draw.wood())
    return assembly.model(3.0)


FOOTSTOOLS: Mapping[str, Callable[[Draw, Assembly, tuple[float, float, float]], Model]] = MappingProxyType(
    {"padded": _padded_footstool, "round": _round_footstool, "cradle": _cradle, "skirted": _skirted}
)
