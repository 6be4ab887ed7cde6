"""More things of kitchens and playrooms: cartons, boxes, pots, and toys that are no blocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from flowbench.builders.simulators.bullet.models.assembly import Assembly
from flowbench.builders.simulators.bullet.models.tableware import vessel
from flowbench.builders.simulators.bullet.models.turned import turned
from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from .household import fruit_profile
from .scene import Colour, Recipe

_STEEL = Material("metal", (0.80, 0.81, 0.83), 0.28, 0.8, 4.0)
_DARK = Material("plain", (0.12, 0.12, 0.13), 0.5)
_WHITE = Material("plain", (0.94, 0.93, 0.90), 0.4)
_PANE = Material("plain", (0.62, 0.76, 0.84), 0.1)


def _square(x: float, y: float) -> list[tuple[float, float]]:
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _plain(tint: Colour, roughness: float = 0.4) -> Material:
    return Material("plain", tint, roughness)


def carton(assembly: Assembly, recipe: Recipe) -> None:
    """A milk carton with a gabled top: white above, coloured below, a cap on its slope."""
    half, h = recipe.sizes["width"] / 2.0, recipe.sizes["height"]
    eaves, ridge, print_ = 0.74 * h, 0.92 * h, _plain(recipe.tint, 0.45)
    assembly.loft(_square(half, half), _square(half, half), 0.0, 0.42 * eaves, print_)
    assembly.loft(_square(half, half), _square(half, half), 0.42 * eaves, eaves, _WHITE)
    assembly.loft(_square(half, half), _square(half, 0.06 * half), eaves, ridge, print_)
    assembly.loft(_square(half, 0.06 * half), _square(half, 0.06 * half), ridge, h, _WHITE)
    tilt = rotation("x", 0.9, (0.0, -0.56 * half, 0.5 * (eaves + ridge)))
    assembly.lathe([(0.0, 0.0), (0.0125, 0.0), (0.0125, 0.008), (0.0, 0.008)], print_, sides=18, at=tilt)
    spot = [(0.0, -half - 0.0004, 0.7 * eaves), (0.0, half + 0.0004, 0.7 * eaves)]
    for at in spot:
        assembly.ball(0.5 * half, at, print_, scale=(1.0, 0.001, 1.0), sides=20, rings=10, solid=False)


def parcel(assembly: Assembly, recipe: Recipe) -> None:
    """A box as tea or crackers come in: a pale field with a coloured disc on its front and back."""
    x, y, h = (recipe.sizes[name] for name in ("width", "depth", "height"))
    assembly.box((x, y, h), (0.0, 0.0, h / 2.0), _plain(recipe.tint, 0.5), rounding=0.0015, segments=1)
    for side in (-1.0, 1.0):
        field = (0.0, side * (y / 2.0 + 0.0002), 0.54 * h)
        assembly.box((0.74 * x, 0.0004, 0.5 * h), field, _WHITE, solid=False)
        disc = (0.0, side * (y / 2.0 + 0.0006), 0.54 * h)
        paint = _plain((0.5 * recipe.tint[0] + 0.3, 0.5 * recipe.tint[1] + 0.2, 0.5 * recipe.tint[2]))
        assembly.ball(0.19 * h, disc, paint, scale=(1.0, 0.002, 1.0), sides=24, rings=12, solid=False)


def sponge(assembly: Assembly, recipe: Recipe) -> None:
    """Two layers: soft below, a green scourer on top."""
    x, y, h = (recipe.sizes[name] for name in ("width", "depth", "height"))
    soft = Material("terrazzo", recipe.tint, 0.95, 0.0, 9.0)
    assembly.box((x, y, 0.72 * h), (0.0, 0.0, 0.36 * h), soft, rounding=0.003)
    scourer = Material("carpet", (0.16, 0.38, 0.20), 0.95, 0.0, 8.0)
    assembly.box((x, y, 0.28 * h), (0.0, 0.0, 0.86 * h), scourer, rounding=0.002)


def pot(assembly: Assembly, recipe: Recipe) -> None:
    """A small saucepan, its handle towards +x."""
    r, h, out = (recipe.sizes[name] for name in ("radius", "height", "handle"))
    ware = _STEEL if recipe.colour == "silver" else _plain(recipe.tint, 0.25)
    assembly.lathe(vessel([(0.93 * r, 0.0), (r, 0.008), (r, h)], 0.003), ware, sides=40, crease=50.0)
    path = [(0.98 * r, 0.0, 0.8 * h), (r + 0.02, 0.0, 0.86 * h), (r + out, 0.0, 0.94 * h)]
    assembly.tube(path, [0.006, 0.007, 0.008], _DARK, sides=10, spans=2)


def shaker(assembly: Assembly, recipe: Recipe) -> None:
    """A white salt shaker with a steel cap that has holes."""
    r, h = recipe.sizes["radius"], recipe.sizes["height"]
    body = [(0.0, 0.0), (r, 0.0), (r, 0.006), (0.72 * r, 0.72 * h), (0.0, 0.72 * h)]
    assembly.lathe(body, _plain(recipe.tint, 0.2), sides=28, crease=40.0)
    cap = [(0.0, 0.7 * h), (0.78 * r, 0.7 * h), (0.8 * r, 0.86 * h), (0.6 * r, 0.96 * h), (0.0, h)]
    assembly.lathe(cap, _STEEL, sides=28, crease=50.0)
    for i in range(5):
        s, c = sin_cos(1.2566 * i)
        hole = (0.3 * r * c, 0.3 * r * s, 0.982 * h)
        assembly.ball(0.0014, hole, _DARK, sides=8, rings=6, solid=False)


def car(assembly: Assembly, recipe: Recipe) -> None:
    """A toy car heading +x: body, cabin with panes, four wheels."""
    x, y, h = (recipe.sizes[name] for name in ("length", "width", "height"))
    paint, wheel = _plain(recipe.tint, 0.25), 0.24 * h
    assembly.box((x, 0.86 * y, 0.42 * h), (0.0, 0.0, 0.4 * h), paint, rounding=0.006)
    low = [(-0.32 * x, -0.39 * y), (0.22 * x, -0.39 * y), (0.22 * x, 0.39 * y), (-0.32 * x, 0.39 * y)]
    high = [(-0.24 * x, -0.34 * y), (0.08 * x, -0.34 * y), (0.08 * x, 0.34 * y), (-0.24 * x, 0.34 * y)]
    assembly.loft(low, high, 0.6 * h, 0.95 * h, _PANE)
    roof = [(1.04 * a, 1.02 * b) for a, b in high]
    assembly.loft(roof, roof, 0.94 * h, h, paint)
    for sx in (-0.3, 0.3):
        for side in (-1.0, 1.0):
            at = rotation("x", -side * math.pi / 2, (sx * x, side * 0.37 * y, wheel))
            tyre = [(0.0, 0.0), (wheel, 0.0), (wheel, 0.125 * y), (0.0, 0.125 * y)]
            assembly.lathe(tyre, _DARK, sides=20, at=at, solid=False)
            assembly.block((1.6 * wheel, 0.125 * y, 2.0 * wheel), (sx * x, side * 0.4325 * y, wheel))
            hub = (sx * x, side * 0.495 * y, wheel)
            assembly.ball(0.45 * wheel, hub, _WHITE, scale=(1.0, 0.1, 1.0), sides=14, rings=8, solid=False)
    for side in (-1.0, 1.0):
        lamp = (0.497 * x, side * 0.27 * y, 0.45 * h)
        assembly.ball(0.09 * h, lamp, _WHITE, scale=(0.3, 1.0, 1.0), sides=12, rings=8, solid=False)


def duck(assembly: Assembly, recipe: Recipe) -> None:
    """A rubber duck heading +x."""
    x, y, h = (recipe.sizes[name] for name in ("length", "width", "height"))
    paint, beak = _plain(recipe.tint, 0.25), _plain((0.92, 0.42, 0.08), 0.3)
    half = 0.5 * y
    body = fruit_profile(half, 0.3 * h / half, 0.0, 0.0)
    turned(assembly, body, paint, stretch=(0.46 * x / half, 1.0, 1.0), sides=28, crease=100.0, tolerance=0.0012)
    z = 0.29 * h
    r = 0.245 * h
    assembly.ball(r, (0.2 * x, 0.0, z + 0.42 * h), paint, sides=24, rings=12)
    assembly.ball(0.4 * r, (0.2 * x + 1.02 * r, 0.0, z + 0.4 * h), beak, scale=(1.1, 1.1, 0.4), sides=14, rings=8)
    for side in (-1.0, 1.0):
        eye = (0.2 * x + 0.78 * r, side * 0.46 * r, z + 0.42 * h + 0.38 * r)
        assembly.ball(0.13 * r, eye, _DARK, sides=10, rings=6, solid=False)
        wing = (-0.1 * x, side * 0.46 * y, z + 0.06 * h)
        assembly.ball(0.2 * x, wing, paint, scale=(1.0, 0.22, 0.5), sides=16, rings=8)
    tail = (-0.42 * x, 0.0, z + 0.17 * h)
    assembly.ball(0.09 * x, tail, paint, scale=(1.0, 0.7, 0.8), sides=14, rings=8)


def ball(assembly: Assembly, recipe: Recipe) -> None:
    """A tennis ball: yellow-green felt with a white seam."""
    r = recipe.sizes["radius"]
    felt = Material("fur", (0.80, 0.88, 0.20), 0.95, 0.0, 8.0)
    assembly.lathe(fruit_profile(r, 1.0, 0.0, 0.0), felt, sides=32, crease=100.0)
    middle = 0.965 * r
    path = []
    for i in range(33):
        s, c = sin_cos(2.0 * math.pi * i / 32)
        z = 0.44 * sin_cos(4.0 * math.pi * i / 32)[1]
        level = math.sqrt(1.0 - z * z)
        reach = r * 0.985
        path.append((reach * level * c, reach * z, middle + reach * level * s))
    assembly.tube(path, 0.0016, _WHITE, sides=6, spans=0)


MAKERS: Mapping[str, Callable[[Assembly, Recipe], None]] = {
    "carton": carton,
    "parcel": parcel,
    "sponge": sponge,
    "pot": pot,
    "shaker": shaker,
    "car": car,
    "duck": duck,
    "ball": ball,
}
"""What makes each thing, by the name that things.toml gives."""
