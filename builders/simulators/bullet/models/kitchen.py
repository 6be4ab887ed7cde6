"""Kitchen units and appliances."""

from __future__ import annotations

import numpy as np

from flowbench.rendering import Material

from ..model import Model
from .assembly import Assembly
from .fittings import Fronts, doors, drawers
from .palette import BLACK_PLASTIC, STEEL, WHITE, between, chance, lacquer, metal, plastic, stone, timber

_GLASS = Material("plain", (0.30, 0.32, 0.35), 0.1)


def counter_top(rng: np.random.Generator, style: str) -> Model:
    """A base unit with a worktop: plain, with a sink, or with a stove and oven."""
    assembly = Assembly("CounterTop")
    width, depth, height = between(rng, 1.2, 1.9), 0.6, between(rng, 0.86, 0.93)
    body, grip, top = timber(rng, style, 0.7), metal(rng, style), stone(rng, style)
    if top.texture == "marble" and chance(rng, 0.3):
        top = timber(rng, style, 0.0)
    plinth, thick = 0.1, 0.035
    inner = height - plinth - thick
    dark = Material("plain", (0.35, 0.33, 0.31), 0.7)
    assembly.box((width, depth - 0.08, plinth), (0.0, 0.03, plinth / 2), dark)
    assembly.box((width, depth - 0.03, inner), (0.0, 0.015, plinth + inner / 2), body)
    kind = ("plain", "sink", "stove")[int(rng.integers(3))]
    special = 0.6
    start = -width / 2 if chance(rng, 0.5) else width / 2 - special
    front = -depth / 2 + 0.03
    if kind == "plain":
        _fronts(assembly, (-width / 2, width / 2), (plinth, height - thick), front, (body, grip))
        assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), top, rounding=0.005, segments=1)
        assembly.surface(-width / 2 + 0.03, -depth / 2 + 0.03, width / 2 - 0.03, depth / 2 - 0.03, height)
        return assembly.model(80.0)
    left, right = (start + special, width / 2) if start < -0.01 - width / 2 + 0.02 else (-width / 2, start)
    _fronts(assembly, (left, right), (plinth, height - thick), front, (body, grip))
    assembly.surface(left + 0.03, -depth / 2 + 0.03, right - 0.03, depth / 2 - 0.03, height)
    middle = start + special / 2
    if kind == "sink":
        fronts = Fronts(start + 0.01, start + special - 0.01, plinth + 0.005, height - thick - 0.005, front)
        doors(assembly, fronts, 2, body, grip)
        _sink(assembly, (width, depth, height), thick, middle, top)
    else:
        assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), top, rounding=0.005, segments=1)
        _stove(assembly, (middle, front, height), (plinth, height - thick))
    return assembly.model(90.0)


def _fronts(
    assembly: Assembly,
    across: tuple[float, float],
    upright: tuple[float, float],
    y: float,
    materials: tuple[Material, Material],
) -> None:
    """Doors below a row of drawers."""
    (x0, x1), (z0, z1) = across, upright
    count = max(1, round((x1 - x0) / 0.45))
    split = z1 - 0.16
    drawers(assembly, Fronts(x0 + 0.01, x1 - 0.01, split, z1 - 0.005, y), 1, *materials, columns=count)
    doors(assembly, Fronts(x0 + 0.01, x1 - 0.01, z0 + 0.005, split, y), count, *materials)


def _sink(assembly: Assembly, size: tuple[float, float, float], thick: float, middle: float, top: Material) -> None:
    """A worktop round a basin; the basin collides as if it were full."""
    width, depth, height = size
    hole_x, hole_y, deep = 0.44, 0.36, 0.15
    y, z = -0.03, height - thick / 2
    west, east = middle - hole_x / 2, middle + hole_x / 2
    south, north = y - hole_y / 2, y + hole_y / 2
    strips = (
        (-width / 2, west, -depth / 2, depth / 2),
        (east, width / 2, -depth / 2, depth / 2),
        (west, east, -depth / 2, south),
        (west, east, north, depth / 2),
    )
    for x0, x1, y0, y1 in strips:
        assembly.box((x1 - x0, y1 - y0, thick), ((x0 + x1) / 2, (y0 + y1) / 2, z), top, solid=False)
    assembly.block((width, depth, thick), (0.0, 0.0, z))
    rim = 0.012
    for side in (-1.0, 1.0):
        centre = (middle + side * (hole_x - rim) / 2, y, height - deep / 2 + 0.004)
        assembly.box((rim, hole_y, deep), centre, STEEL, solid=False)
        centre = (middle, y + side * (hole_y - rim) / 2, height - deep / 2 + 0.004)
        assembly.box((hole_x, rim, deep), centre, STEEL, solid=False)
    assembly.box((hole_x, hole_y, 0.01), (middle, y, height - deep), STEEL, solid=False)
    back = north + 0.05
    assembly.lathe(
        [(0.0, 0.0), (0.025, 0.0), (0.018, 0.03), (0.0, 0.03)], STEEL, sides=16, at=(middle, back, height), solid=False
    )
    spout = [
        (0.0, 0.0, 0.0),
        (0.0, 0.0, 0.2),
        (0.0, -0.03, 0.25),
        (0.0, -0.09, 0.265),
        (0.0, -0.14, 0.24),
        (0.0, -0.15, 0.19),
    ]
    assembly.tube(spout, 0.011, STEEL, at=(middle, back, height), spans=3)


def _stove(assembly: Assembly, place: tuple[float, float, float], upright: tuple[float, float]) -> None:
    """A glass hob with an oven below."""
    x, y, height = place
    z0, z1 = upright
    enamel = Material("metal", (0.8, 0.81, 0.83), 0.35, 0.6, 2.0)
    assembly.box((0.56, 0.5, 0.008), (x, 0.0, height + 0.003), _GLASS, solid=False)
    ring = Material("plain", (0.62, 0.34, 0.28), 0.4)
    for dx, dy, r in ((-0.14, -0.12, 0.08), (0.14, -0.12, 0.1), (-0.14, 0.12, 0.1), (0.14, 0.12, 0.08)):
        at = (x + dx, dy, height + 0.0085)
        assembly.lathe([(r, 0.0), (r - 0.012, 0.0)], ring, sides=28, at=at, solid=False)
    assembly.block((0.58, 0.02, z1 - z0 - 0.01), (x, y - 0.009, (z0 + z1) / 2))
    assembly.box(
        (0.58, 0.02, z1 - z0 - 0.01), (x, y - 0.009, (z0 + z1) / 2), enamel, rounding=0.004, segments=1, solid=False
    )
    assembly.box((0.46, 0.004, 0.3), (x, y - 0.02, z0 + 0.27), _GLASS, solid=False)
    assembly.box((0.46, 0.012, 0.018), (x, y - 0.027, z0 + 0.47), STEEL, rounding=0.005, segments=1, solid=False)
    for i in range(4):
        assembly.box(
            (0.035, 0.012, 0.035),
            (x - 0.18 + 0.12 * i, y - 0.024, z1 - 0.07),
            BLACK_PLASTIC,
            rounding=0.01,
            solid=False,
        )


def fridge(rng: np.random.Generator, style: str) -> Model:
    """A tall fridge, the freezer door above or below."""
    assembly = Assembly("Fridge")
    width, depth, height = between(rng, 0.58, 0.75), between(rng, 0.6, 0.7), between(rng, 1.5, 1.85)
    kinds = (STEEL, WHITE, lacquer(rng, style))
    shell = kinds[int(rng.integers(3))]
    split = height * (between(rng, 0.3, 0.38) if chance(rng, 0.5) else between(rng, 0.64, 0.72))
    assembly.box((width, depth - 0.06, height - 0.03), (0.0, 0.03, height / 2 + 0.015), shell, rounding=0.01)
    assembly.box((width - 0.06, depth - 0.12, 0.04), (0.0, 0.03, 0.02), BLACK_PLASTIC)
    hand = 1.0 if chance(rng, 0.5) else -1.0
    for z0, z1 in ((0.04, split - 0.004), (split + 0.004, height)):
        size = (width, 0.055, z1 - z0)
        assembly.box(size, (0.0, -depth / 2 + 0.03, (z0 + z1) / 2), shell, rounding=0.012)
        long = min(0.4, 0.5 * (z1 - z0))
        z = z1 - 0.06 - long / 2 if z0 < 0.1 else z0 + 0.06 + long / 2
        x = hand * (width / 2 - 0.05)
        assembly.box(
            (0.022, 0.03, long),
            (x, -depth / 2 - 0.008, z),
            BLACK_PLASTIC if shell != STEEL else STEEL,
            rounding=0.008,
            segments=1,
        )
    return assembly.model(70.0)


def microwave(rng: np.random.Generator, style: str) -> Model:
    """A box with a glass door and a keypad."""
    assembly = Assembly("Microwave", tolerance=0.004)
    width, depth, height = between(rng, 0.44, 0.54), between(rng, 0.33, 0.4), between(rng, 0.26, 0.31)
    kinds = (STEEL, WHITE, plastic(rng, style))
    shell = kinds[int(rng.integers(3))]
    assembly.box((width, depth, height), (0.0, 0.0, height / 2 + 0.006), shell, rounding=0.008)
    door = width * 0.72
    x = -width / 2 + door / 2 + 0.01
    y = -depth / 2
    assembly.box(
        (door - 0.02, 0.006, height - 0.05), (x, y, height / 2 + 0.006), _GLASS, rounding=0.002, segments=1, solid=False
    )
    assembly.box(
        (0.014, 0.008, height * 0.6),
        (x + door / 2 - 0.005, y - 0.002, height / 2),
        STEEL,
        rounding=0.003,
        segments=1,
        solid=False,
    )
    keys = Material("keys", (0.9, 0.9, 0.92), 0.5)
    assembly.picture(width * 0.19, height * 0.5, keys, at=(width / 2 - 0.125 * width, y - 0.001, height * 0.38))
    clock = Material("digits", (1.0, 1.0, 1.0), 0.2, emission=0.2)
    assembly.picture(width * 0.19, height * 0.16, clock, at=(width / 2 - 0.125 * width, y - 0.001, height * 0.8))
    for fx in (-1.0, 1.0):
        for fy in (-1.0, 1.0):
            centre = (fx * (width / 2 - 0.04), fy * (depth / 2 - 0.04), 0.004)
            assembly.box((0.03, 0.03, 0.008), centre, BLACK_PLASTIC, solid=False)
    assembly.block((width - 0.05, depth - 0.05, 0.01), (0.0, 0.0, 0.005))
    return assembly.model(12.0)


def toaster(rng: np.random.Generator, style: str) -> Model:
    """Two slots, a lever on its side, perhaps with toast in it."""
    assembly = Assembly("Toaster", tolerance=0.004)
    width, depth, height = between(rng, 0.26, 0.31), between(rng, 0.15, 0.18), between(rng, 0.17, 0.2)
    shell = STEEL if chance(rng, 0.4) else plastic(rng, style)
    assembly.box((width, depth, height - 0.012), (0.0, 0.0, height / 2 + 0.006), shell, rounding=0.03, segments=4)
    assembly.box((width - 0.04, depth - 0.04, 0.014), (0.0, 0.0, 0.007), BLACK_PLASTIC)
    toast = Material("crust", (1.0, 1.0, 1.0), 0.9, 0.0, 4.0) if chance(rng, 0.5) else None
    for side in (-1.0, 1.0):
        assembly.box((width * 0.68, 0.028, 0.002), (0.0, side * 0.032, height), BLACK_PLASTIC, solid=False)
        if toast is not None:
            assembly.box((width * 0.55, 0.016, 0.05), (0.0, side * 0.032, height + 0.012), toast, rounding=0.007)
    assembly.box(
        (0.016, 0.03, 0.018), (width / 2 + 0.006, 0.0, height * 0.65), BLACK_PLASTIC, rounding=0.004, segments=1
    )
    return assembly.model(1.6)


def coffee_machine(rng: np.random.Generator, style: str) -> Model:
    """A filter machine with its glass jug."""
    assembly = Assembly("CoffeeMachine", tolerance=0.004)
    width, depth, height = between(rng, 0.18, 0.22), between(rng, 0.24, 0.28), between(rng, 0.31, 0.37)
    shell = plastic(rng, style) if chance(rng, 0.5) else Material("plain", (0.36, 0.36, 0.38), 0.4)
    trim = STEEL
    base, head = 0.04, height * 0.3
    assembly.box((width, depth, base), (0.0, 0.0, base / 2), shell, rounding=0.012)
    assembly.box(
        (width, depth * 0.36, height - head - base + 0.03),
        (0.0, depth * 0.32, (height - head + base) / 2),
        shell,
        rounding=0.012,
    )
    assembly.box((width, depth, head), (0.0, 0.0, height - head / 2), shell, rounding=0.02, segments=3)
    assembly.box(
        (width * 0.7, 0.006, head * 0.35),
        (0.0, -depth / 2, height - head * 0.5),
        trim,
        rounding=0.002,
        segments=1,
        solid=False,
    )
    r, tall = width * 0.33, height - head - base - 0.025
    jug = [(0.0, 0.0), (r * 0.9, 0.0), (r, tall * 0.35), (r * 0.72, tall * 0.9), (0.0, tall * 0.9)]
    place = (0.0, -depth * 0.14, base)
    assembly.lathe(jug, Material("plain", (0.42, 0.29, 0.2), 0.1), sides=24, at=place, crease=60.0)
    rim = [(0.0, tall * 0.9), (r * 0.75, tall * 0.9), (r * 0.75, tall), (0.0, tall)]
    assembly.lathe(rim, BLACK_PLASTIC, sides=24, at=place)
    grip = [
        (0.0, -r * 0.7, tall * 0.85),
        (0.0, -r * 1.45, tall * 0.75),
        (0.0, -r * 1.4, tall * 0.25),
        (0.0, -r * 0.95, tall * 0.2),
    ]
    assembly.tube(grip, 0.008, BLACK_PLASTIC, at=place, spans=3)
    return assembly.model(2.5)
