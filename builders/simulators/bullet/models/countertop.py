"""Machines that stand on the worktop: microwave, toaster, coffee machine."""

from __future__ import annotations

import math

from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .tints import pane, tint
from .turned import turned


def _shell(draw: Draw) -> Material:
    """Steel, white or coloured plastic."""
    return (draw.steel, draw.white, draw.plastic())[int(draw.rng.integers(3))]


def _knob(assembly: Assembly, r: float, at: Vector, material: Material, mark: Material) -> None:
    """A turning knob that faces -y, with a mark."""
    place = rotation("x", math.pi / 2, at)
    assembly.lathe([(r, 0.0), (0.88 * r, 0.007), (0.0, 0.008)], material, sides=16, at=place, solid=False)
    x, y, z = at
    assembly.box((0.12 * r, 0.001, 0.8 * r), (x, y - 0.008, z + 0.3 * r), mark, solid=False)


def microwave(draw: Draw) -> Model:
    """A box with a glass door and, at its right or below, keys or knobs."""
    assembly = Assembly("Microwave", tolerance=0.004)
    width, depth, height = draw.size("width"), draw.size("depth"), draw.size("height")
    shell, form = _shell(draw), draw.shape("panel")
    assembly.box(
        (width, depth, height), (0.0, 0.0, height / 2 + 0.006), shell, rounding=draw.size("rounding"), segments=3
    )
    y = -depth / 2
    forms = {"keys": _beside, "knobs": _beside, "below": _below, "glass": _all_glass}
    forms[form](assembly, draw, (width, y, height), form)
    for fx in (-1.0, 1.0):
        for fy in (-1.0, 1.0):
            centre = (fx * (width / 2 - 0.05), fy * (depth / 2 - 0.05), 0.004)
            assembly.box((0.03, 0.03, 0.008), centre, draw.dark, solid=False)
    assembly.block((width - 0.07, depth - 0.07, 0.01), (0.0, 0.0, 0.005))
    return assembly.model(12.0)


def _window(assembly: Assembly, draw: Draw, size: tuple[float, float], at: Vector) -> None:
    """A framed door with a darker window that shows a dim inside."""
    wide, high = size
    x, y, z = at
    assembly.box((wide, 0.012, high), (x, y, z), draw.dark, rounding=0.004, segments=1, solid=False)
    assembly.box(
        (wide - 0.07, 0.006, high - 0.07), (x, y - 0.0045, z), pane(draw), rounding=0.002, segments=1, solid=False
    )


def _clock(assembly: Assembly, draw: Draw, size: tuple[float, float], at: Vector) -> None:
    face = Material("digits", draw.palette.white, 0.2, emission=0.25)
    assembly.picture(*size, face, at=at)


def _beside(assembly: Assembly, draw: Draw, size: Vector, form: str) -> None:
    width, y, height = size
    door = width * draw.size("door")
    x, z = -width / 2 + door / 2 + 0.012, height / 2 + 0.006
    _window(assembly, draw, (door - 0.02, height - 0.04), (x, y, z))
    side = width / 2 - (width - door) / 2 - 0.002
    room = width - door - 0.045
    if draw.chance("bar"):
        grip = (0.016, 0.016, height * 0.66)
        at = (x + door / 2 - 0.018, y - 0.004, z)
        assembly.box(grip, at, draw.steel, rounding=0.005, segments=1, solid=False)
    else:
        at = (side, y - 0.002, 0.15 * height)
        assembly.box((room, 0.008, 0.1 * height), at, draw.steel, rounding=0.003, segments=1, solid=False)
    _clock(assembly, draw, (room, height * 0.15), (side, y - 0.0015, height * 0.85))
    if form == "keys":
        keys = Material(draw.shape("keys"), draw.palette.white, 0.5)
        assembly.picture(room, height * 0.4, keys, at=(side, y - 0.0015, height * 0.5))
    else:
        for z in (0.62, 0.36):
            _knob(assembly, 0.08 * height, (side, y, z * height), draw.dark, draw.white)


def _below(assembly: Assembly, draw: Draw, size: Vector, form: str) -> None:
    """A door over the whole width, keys and clock in a strip below it."""
    del form
    width, y, height = size
    strip = 0.24 * height
    middle, door = (height + strip) / 2 + 0.002, height - strip - 0.03
    _window(assembly, draw, (width - 0.05, door), (0.0, y, middle))
    bar = (0.018, 0.018, 0.78 * door)
    assembly.box(bar, (width / 2 - 0.055, y - 0.004, middle), draw.steel, rounding=0.006, segments=1, solid=False)
    low = 0.58 * strip
    _clock(assembly, draw, (0.22 * width, 0.56 * strip), (-0.28 * width, y - 0.0015, low))
    keys = Material(draw.shape("keys"), draw.palette.white, 0.5)
    assembly.picture(0.34 * width, 0.56 * strip, keys, at=(0.04 * width, y - 0.0015, low))
    _knob(assembly, 0.3 * strip, (0.34 * width, y, low), draw.steel, draw.dark)


def _all_glass(assembly: Assembly, draw: Draw, size: Vector, form: str) -> None:
    """A front all of dark glass, keys and clock printed on it."""
    del form
    width, y, height = size
    z = height / 2 + 0.006
    front = (width - 0.012, 0.01, height - 0.012)
    assembly.box(front, (0.0, y, z), draw.dark, rounding=0.006, segments=2, solid=False)
    window = (0.62 * width, 0.004, 0.66 * height)
    assembly.box(window, (-0.14 * width, y - 0.005, z), pane(draw), rounding=0.0015, segments=1, solid=False)
    side, room = 0.36 * width, 0.19 * width
    _clock(assembly, draw, (room, 0.15 * height), (side, y - 0.0065, 0.84 * height))
    keys = Material(draw.shape("keys"), draw.palette.white, 0.5)
    assembly.picture(room, height * 0.46, keys, at=(side, y - 0.0065, height * 0.46))
    pull = (0.014, 0.014, 0.8 * height)
    assembly.box(pull, (0.22 * width, y - 0.005, z), draw.steel, rounding=0.005, segments=1, solid=False)


def toaster(draw: Draw) -> Model:
    """Slots on top with toast in them: a rounded or a plain box with two; one long slot; a bubble."""
    assembly = Assembly("Toaster", tolerance=0.004)
    width, depth, height = draw.size("width"), draw.size("depth"), draw.size("height")
    shell, form = draw.steel if draw.chance("bare") else draw.plastic(), draw.shape("form")
    if form == "bubble":
        profile = [(0.0, 0.012), (0.94, 0.012), (1.0, 0.1 * height), (0.97, 0.55 * height), (0.86, 0.85 * height)]
        top = [(0.7, 0.97 * height), (0.6, height), (0.0, height)]
        stretch = (width / 2, depth / 2, 1.0)
        turned(assembly, [*profile, *top], shell, stretch=stretch, square=True, sides=32, crease=60.0, tolerance=0.04)
    else:
        rounding = {"box": 0.012, "long": 0.02}.get(form, 0.03)
        body = (width, depth, height - 0.012)
        assembly.box(body, (0.0, 0.0, height / 2 + 0.006), shell, rounding=rounding, segments=3)
        if form == "box":
            for x in (-1.0, 1.0):
                cheek = (0.022, depth + 0.006, height - 0.03)
                assembly.box(cheek, (x * (width / 2 - 0.014), 0.0, height / 2), draw.dark, rounding=0.01, solid=False)
    assembly.box((width - 0.06, depth - 0.06, 0.014), (0.0, 0.0, 0.007), draw.dark)
    slots = (-0.19, 0.19) if form != "long" else (0.0,)
    toast = Material("crust", tint(draw, "toast_hue", (0.02, 0.1), (0.86, 1.0)), 0.9, 0.0, 4.0)
    inside, long = draw.chance("toast"), 0.62 if form == "bubble" else 0.7
    for y in slots:
        assembly.box((width * long, 0.026, 0.002), (0.0, y * depth, height), draw.dark, solid=False)
        if inside:
            for x, wide in ((-0.17, 0.3), (0.17, 0.3)) if form == "long" else ((0.0, 0.5),):
                slice_ = (width * wide, 0.015, 0.06)
                assembly.box(slice_, (x * width, y * depth, height + 0.012), toast, rounding=0.007, segments=1)
    end = (0.465 if form == "bubble" else 0.5) * width + 0.004
    assembly.box((0.004, 0.01, 0.5 * height), (end - 0.004, 0.0, 0.55 * height), draw.dark, solid=False)
    assembly.box((0.02, 0.034, 0.016), (end, 0.0, height * 0.66), draw.dark, rounding=0.005, segments=1)
    front = -0.48 * depth if form == "bubble" else -0.5 * depth + 0.001
    _knob(assembly, 0.014, (0.2 * width, front, 0.3 * height), draw.steel, draw.dark)
    return assembly.model(1.6)


def coffee_machine(draw: Draw) -> Model:
    """A filter machine with its jug, or an espresso machine with its filter holder."""
    assembly = Assembly("CoffeeMachine", tolerance=0.004)
    size = (draw.size("width"), draw.size("depth"), draw.size("height"))
    shell = draw.plastic() if draw.chance("coloured") else draw.steel if draw.chance("bare") else draw.dark
    form = draw.shape("form")
    if form == "espresso":
        _espresso(assembly, draw, size, shell)
    else:
        _filter(assembly, draw, size, shell, thermos=form == "thermos jug")
    return assembly.model(3.0)


def _filter(assembly: Assembly, draw: Draw, size: Vector, shell: Material, *, thermos: bool) -> None:
    width, depth, height = size
    base, head, dark = 0.04, height * 0.3, draw.dark if shell != draw.dark else draw.steel
    assembly.box((width, depth, base), (0.0, 0.0, base / 2), shell, rounding=0.012, segments=1)
    column = (width, depth * 0.36, height - head - base + 0.03)
    assembly.box(column, (0.0, depth * 0.32, (height - head + base) / 2), shell, rounding=0.012, segments=1)
    assembly.box((width, depth, head), (0.0, 0.0, height - head / 2), shell, rounding=0.02)
    strip = (width * 0.7, 0.006, head * 0.35)
    assembly.box(strip, (0.0, -depth / 2, height - head * 0.5), draw.steel, rounding=0.002, segments=1, solid=False)
    lamp = (0.02, 0.008, 0.012)
    assembly.box(
        lamp, (0.3 * width, -depth / 2 + 0.002, 0.5 * base), draw.white, rounding=0.003, segments=1, solid=False
    )
    r, tall = width * 0.36, height - head - base - 0.02
    place = (0.0, -depth * 0.16, base)
    coffee = Material("plain", tint(draw, "coffee_hue", (0.55, 0.65), (0.26, 0.34)), 0.1)
    if thermos:
        wall = [(0.0, 0.0), (r * 0.86, 0.0), (r * 0.9, 0.7 * tall), (0.66 * r, 0.9 * tall), (0.0, 0.9 * tall)]
        assembly.lathe(wall, draw.steel, sides=22, at=place, crease=50.0)
    else:
        fill = [(0.0, 0.0), (r * 0.9, 0.0), (r, tall * 0.3), (0.94 * r, tall * 0.55), (0.0, tall * 0.55)]
        assembly.lathe(fill, coffee, sides=22, at=place, crease=60.0)
        upper = [(0.94 * r, tall * 0.55), (r * 0.72, tall * 0.9), (0.0, tall * 0.9)]
        assembly.lathe(upper, pane(draw), sides=22, at=place, crease=60.0)
    rim = [(0.0, tall * 0.9), (r * 0.75, tall * 0.9), (r * 0.75, tall), (0.0, tall)]
    assembly.lathe(rim, dark, sides=22, at=place)
    grip = [(0.0, -r * 0.7, tall * 0.88), (0.0, -r * 1.5, tall * 0.8), (0.0, -r * 1.45, tall * 0.25)]
    assembly.tube([*grip, (0.0, -r * 0.92, tall * 0.2)], 0.009, dark, at=place, spans=3)


def _espresso(assembly: Assembly, draw: Draw, size: Vector, shell: Material) -> None:
    """A drip tray, a head with the filter holder in it, a steam pipe, cups on top."""
    width, depth, height = size
    steel, dark = draw.steel, draw.dark
    high = height - 0.06
    base, head = 0.05, 0.36 * high
    assembly.box((width, depth, base), (0.0, 0.0, base / 2), shell, rounding=0.008, segments=1)
    grate = (width - 0.05, 0.5 * depth, 0.004)
    assembly.box(grate, (0.0, -0.2 * depth, base), dark, solid=False)
    for i in range(6):
        x = (i - 2.5) * (width - 0.07) / 6
        assembly.box((0.006, 0.48 * depth, 0.004), (x, -0.2 * depth, base + 0.003), steel, solid=False)
    column = (width, 0.42 * depth, high - base - 0.5 * head)
    assembly.box(column, (0.0, 0.29 * depth, base + column[2] / 2), shell, rounding=0.008, segments=1)
    assembly.box((width, depth - 0.02, head), (0.0, 0.01, high - head / 2), shell, rounding=0.014)
    y, z = -0.2 * depth, high - head
    group = [(0.0, z - 0.045), (0.026, z - 0.045), (0.036, z - 0.035), (0.036, z - 0.02), (0.03, z + 0.004)]
    assembly.lathe([*group, (0.0, z + 0.004)], steel, sides=18, at=(0.0, y, 0.0))
    handle = [(0.0, y - 0.03, z - 0.028), (0.0, y - 0.07, z - 0.03), (0.0, y - 0.15, z - 0.042)]
    assembly.tube(handle, [0.008, 0.012, 0.014], dark)
    for x in (-0.01, 0.01):
        assembly.tube([(x, y, z - 0.04), (x, y, z - 0.07)], 0.004, steel, sides=6)
    x = 0.42 * width
    pipe = [(x, -0.3 * depth, z + 0.004), (x, -0.36 * depth, z - 0.04), (x + 0.012, -0.42 * depth, z - 0.13)]
    assembly.tube(pipe, [0.006, 0.005, 0.004], steel, sides=6)
    front = -depth / 2 + 0.02
    place = rotation("x", math.pi / 2, (-0.26 * width, front, high - 0.5 * head))
    assembly.lathe([(0.034, 0.0), (0.032, 0.01), (0.028, 0.006)], steel, sides=20, at=place, solid=False)
    dial = Material(draw.shape("gauge"), draw.palette.white, 0.4)
    assembly.picture(0.04, 0.04, dial, at=(-0.26 * width, front - 0.0085, high - 0.5 * head))
    for i in range(2):
        _knob(assembly, 0.018, ((0.12 + 0.22 * i) * width, front, high - 0.5 * head), steel, dark)
    for x in (-0.2, 0.2):
        cup = [(0.0, 0.0), (0.02, 0.0), (0.032, 0.05), (0.029, 0.05), (0.018, 0.006), (0.0, 0.006)]
        assembly.lathe(cup, draw.porcelain, sides=16, at=(x * width, 0.1 * depth, high - 0.001))
