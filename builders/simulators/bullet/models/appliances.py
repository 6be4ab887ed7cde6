"""Large appliances: fridges and washing machines."""

from __future__ import annotations

import math

from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .tints import pane


def _shell(draw: Draw) -> Material:
    """Steel, white or painted."""
    return (draw.steel, draw.white, draw.lacquer())[int(draw.rng.integers(3))]


def _grip(draw: Draw, shell: Material) -> Material:
    return draw.steel if shell != draw.steel and draw.chance("steel_grips") else draw.dark


def fridge(draw: Draw) -> Model:
    """A tall fridge: a door above a door; two doors above a drawer; or a bulging one with a lever."""
    assembly = Assembly("Fridge")
    size = (draw.size("width"), draw.size("depth"), draw.size("height"))
    shell, form, share = _shell(draw), draw.shape("form"), draw.size("split")
    if form == "retro":
        _retro(assembly, draw, size)
    elif form == "french":
        _french(assembly, draw, size, shell)
    else:
        _two_doors(assembly, draw, size, shell, 1.0 - share if form == "freezer above" else share)
    return assembly.model(70.0)


def _carcass(assembly: Assembly, draw: Draw, size: Vector, shell: Material) -> float:
    """All but the doors; gives the depth of the doors' middle."""
    width, depth, height = size
    assembly.box((width, depth - 0.06, height - 0.03), (0.0, 0.03, height / 2 + 0.015), shell, rounding=0.01)
    assembly.box((width - 0.06, depth - 0.12, 0.04), (0.0, 0.03, 0.02), draw.dark)
    seal = (width - 0.01, 0.05, height - 0.07)
    assembly.box(seal, (0.0, -depth / 2 + 0.04, 0.05 + seal[2] / 2), draw.dark, solid=False)
    return -depth / 2 + 0.03


def _door(
    assembly: Assembly, across: tuple[float, float], upright: tuple[float, float], y: float, shell: Material
) -> None:
    (x0, x1), (z0, z1) = across, upright
    assembly.box((x1 - x0, 0.055, z1 - z0), ((x0 + x1) / 2, y, (z0 + z1) / 2), shell, rounding=0.012)


def _two_doors(assembly: Assembly, draw: Draw, size: Vector, shell: Material, share: float) -> None:
    width, depth, height = size
    y, split, grip = _carcass(assembly, draw, size, shell), height * share, _grip(draw, shell)
    hand = 1.0 if draw.chance("right") else -1.0
    bar = draw.chance("bars")
    for z0, z1 in ((0.04, split - 0.004), (split + 0.004, height)):
        _door(assembly, (-width / 2, width / 2), (z0, z1), y, shell)
        long = min(0.4, 0.5 * (z1 - z0))
        z = z1 - 0.06 - long / 2 if z0 < 0.1 else z0 + 0.06 + long / 2
        x = hand * (width / 2 - 0.05)
        if bar:
            assembly.box((0.022, 0.03, long), (x, -depth / 2 - 0.01, z), grip, rounding=0.008, segments=1)
        else:
            x = hand * (width / 2 - 0.028)
            assembly.box((0.036, 0.012, long), (x, -depth / 2 + 0.001, z), grip, rounding=0.005, solid=False)
    if draw.chance("dispenser"):
        # At the height of a hand, in whichever door is there.
        z = max(1.12, split + 0.2) if share < 0.5 else min(1.1, split - 0.2)
        niche = (0.2, 0.006, 0.26)
        assembly.box(niche, (-0.3 * hand * width / 2, -depth / 2 + 0.001, z), pane(draw), rounding=0.002, solid=False)
        lip = (0.16, 0.012, 0.014)
        assembly.box(
            lip, (-0.3 * hand * width / 2, -depth / 2 - 0.004, z - 0.1), draw.steel, rounding=0.004, solid=False
        )


def _french(assembly: Assembly, draw: Draw, size: Vector, shell: Material) -> None:
    """Two upper doors side by side, one or two drawers below."""
    width, depth, height = size
    y, grip = _carcass(assembly, draw, size, shell), _grip(draw, shell)
    count = draw.count("drawers")
    split = 0.4 * height
    for side in (-1.0, 1.0):
        x = sorted((side * 0.003, side * width / 2))
        _door(assembly, (x[0], x[1]), (split + 0.004, height), y, shell)
        long = 0.62 * (height - split)
        at = (side * 0.045, -depth / 2 - 0.012, split + 0.08 + long / 2)
        assembly.box((0.022, 0.034, long), at, grip, rounding=0.009, segments=1)
    high = (split - 0.04) / count
    for i in range(count):
        z0, z1 = 0.04 + i * high, 0.04 + (i + 1) * high - 0.006
        _door(assembly, (-width / 2, width / 2), (z0, z1), y, shell)
        assembly.box(
            (0.8 * width, 0.034, 0.022), (0.0, -depth / 2 - 0.012, z1 - 0.07), grip, rounding=0.009, segments=1
        )


def _retro(assembly: Assembly, draw: Draw, size: Vector) -> None:
    """Rounded all over, in colour, with a lever and a badge."""
    width, depth, height = 0.76 * size[0], 0.93 * size[1], 0.84 * size[2]
    paint, low = draw.plastic(), 0.07
    assembly.box((width, depth - 0.1, height - low), (0.0, 0.05, (height + low) / 2), paint, rounding=0.08, segments=3)
    split = 0.74 * height
    for z0, z1 in ((low + 0.01, split - 0.004), (split + 0.004, height - 0.01)):
        door = (width - 0.006, 0.16, z1 - z0)
        assembly.box(door, (0.0, -depth / 2 + 0.08, (z0 + z1) / 2), paint, rounding=0.06, segments=3)
        z = z1 - 0.12 if z0 < 0.2 else z0 + 0.1
        x = width / 2 - 0.11
        assembly.box((0.05, 0.03, 0.05), (x, -depth / 2 - 0.008, z), draw.steel, rounding=0.01, solid=False)
        assembly.box((0.17, 0.024, 0.03), (x - 0.05, -depth / 2 - 0.026, z), draw.steel, rounding=0.011)
    assembly.box(
        (0.2, 0.012, 0.035), (-0.16 * width, -depth / 2 - 0.002, split + 0.16), draw.steel, rounding=0.005, solid=False
    )
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            foot = [(0.0, 0.0), (0.024, 0.0), (0.03, low + 0.02), (0.0, low + 0.02)]
            assembly.lathe(foot, draw.steel, sides=12, at=(x * (width / 2 - 0.1), 0.02 + y * (depth / 2 - 0.14), 0.0))


def washing_machine(draw: Draw) -> Model:
    """A front loader; or a wide one on a drawer, or with a dryer on top."""
    assembly = Assembly("WashingMachine")
    size = (draw.size("width"), draw.size("depth"), draw.size("height"))
    shell = draw.white if draw.chance("white") else _shell(draw)
    form, top = draw.shape("form"), size[2]
    if form == "stacked":
        _machine(assembly, draw, size, shell, 0.0)
        _machine(assembly, draw, size, shell, size[2])
    elif form == "raised":
        low = 0.3
        width, depth, height = size
        assembly.box((width, depth, low - 0.006), (0.0, 0.0, low / 2), shell, rounding=0.01)
        assembly.box((0.4 * width, 0.024, 0.03), (0.0, -depth / 2 - 0.008, 0.72 * low), draw.steel, rounding=0.008)
        _machine(assembly, draw, size, shell, low)
        top = low + height
    else:
        _machine(assembly, draw, size, shell, 0.0, drawer_left=form == "drawer left")
    if form != "stacked":
        x, y = size[0] / 2 - 0.02, size[1] / 2 - 0.02
        assembly.surface(-x, -y, x, y, top)
    return assembly.model(70.0)


def _machine(
    assembly: Assembly, draw: Draw, size: Vector, shell: Material, low: float, *, drawer_left: bool = True
) -> None:
    """One machine from the height ``low`` up: a round door below a panel with a drawer, a dial and a display."""
    width, depth, height = size
    assembly.box((width, depth, height - 0.012), (0.0, 0.0, low + height / 2 + 0.006), shell, rounding=0.012)
    assembly.box((width - 0.04, depth - 0.04, 0.02), (0.0, 0.0, low + 0.01), draw.dark)
    y, r = -depth / 2, draw.size("door") / 2
    middle = low + draw.size("door_height") * height
    at = rotation("x", math.pi / 2, (0.0, y, middle))
    ring = draw.steel if draw.chance("steel_ring") else draw.dark
    frame = [(1.12 * r, -0.002), (1.1 * r, 0.022), (0.9 * r, 0.03), (0.78 * r, 0.014)]
    assembly.lathe(frame, ring, sides=36, crease=50.0, at=at)
    glass = [(0.79 * r, 0.013), (0.6 * r, 0.024), (0.0, 0.034)]
    assembly.lathe(glass, pane(draw), sides=28, crease=60.0, at=at, solid=False)
    side = -1.0 if drawer_left else 1.0
    top = low + height - 0.075
    strip = Material("plain", draw.palette.dark, 0.35) if draw.chance("dark_panel") else shell
    assembly.box((width - 0.02, 0.006, 0.1), (0.0, y, top), strip, rounding=0.002, segments=1, solid=False)
    tray = (0.28 * width, 0.008, 0.08)
    assembly.box(tray, (side * 0.32 * width, y - 0.002, top), shell, rounding=0.003, segments=1, solid=False)
    grip = (0.2 * width, 0.004, 0.012)
    assembly.box(grip, (side * 0.32 * width, y - 0.006, top - 0.02), draw.dark, rounding=0.002, segments=1, solid=False)
    knob = [(0.03, 0.0), (0.028, 0.011), (0.0, 0.012)]
    dial = rotation("x", math.pi / 2, (0.0, y - 0.002, top))
    assembly.lathe(knob, draw.steel, sides=18, at=dial, solid=False)
    clock = Material("digits", draw.palette.white, 0.2, emission=0.2)
    assembly.picture(0.1, 0.05, clock, at=(-side * 0.22 * width, y - 0.0045, top))
    for i in range(3):
        key = (0.018, 0.004, 0.012)
        at_key = (-side * (0.34 + 0.05 * i) * width, y - 0.003, top - 0.015)
        assembly.box(key, at_key, draw.white, rounding=0.001, segments=1, solid=False)
