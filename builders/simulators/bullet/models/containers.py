"""Bins, boxes, hampers and bags that stand on the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import ball_part
from .palette import hsv
from .sheets import crumpled
from .shells import shell, shell_parts
from .tints import paper, tint, tinted, toned
from .turned import crinkled, turned

_SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))

Rectangle = list[tuple[float, float]]


def _rectangle(x: float, y: float) -> Rectangle:
    return [(x * a, y * b) for a, b in _SQUARE]


def garbage_can(draw: Draw) -> Model:
    """A bin: domed with a pedal, open with a liner, with a swing lid; slim with a pedal, or a basket of paper."""
    assembly = Assembly("GarbageCan")
    size = (draw.size("radius"), draw.size("height"))
    body = draw.steel if draw.chance("bare") else draw.plastic()
    forms = {"domed": _domed, "lined": _lined, "swing": _swing, "slim": _slim, "basket": _basket}
    forms[draw.shape("form")](assembly, draw, size, body)
    return assembly.model(2.5)


def _pedal(assembly: Assembly, draw: Draw, y: float) -> None:
    assembly.box((0.1, 0.05, 0.02), (0.0, y - 0.015, 0.012), draw.dark, rounding=0.006, segments=1)


def _domed(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    radius, height = size
    low, rim = radius * draw.size("taper"), radius + 0.008
    top = height + 0.015
    wall = [(0.0, 0.0), (low, 0.0), (low, 0.025), (radius, height), (rim, height), (rim, top), (0.0, top)]
    assembly.lathe(wall, body, sides=28)
    assembly.lathe([(low + 0.003, 0.0), (low + 0.003, 0.025)], draw.dark, sides=28, solid=False)
    dome = [(rim, top), (0.9 * rim, top + 0.04), (0.6 * rim, top + 0.07), (0.0, top + 0.085)]
    lid = draw.dark if draw.chance("dark_lid") else body
    assembly.lathe([(0.0, top), *dome], lid, sides=28, crease=60.0)
    _pedal(assembly, draw, -low)


def _lined(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    """Open and full, a dark bag's creased hem turned over its rim."""
    radius = size[0]
    height = min(size[1], 2.2 * radius)
    low, top, film = radius * draw.size("taper"), height + 0.015, draw.dark
    assembly.lathe([(0.0, 0.0), (low, 0.0), (radius, height - 0.02)], body, sides=28)
    rim, fall = radius + 0.01, 0.3 * (radius - low)
    hem = [(rim - fall, 0.74 * height, 0.03), (rim + 0.002, 0.88 * height, 0.02)]
    crinkled(assembly, [*hem, (rim, top, 0.0), (radius - 0.01, top, 0.0)], 7, film, sides=42, tolerance=0.006)
    assembly.lathe([(radius - 0.01, top), (0.86 * radius, top - 0.03), (0.0, top - 0.035)], film, sides=28)
    _crumpled(assembly, draw, 0.9 * radius, top - 0.04)


def _crumpled(assembly: Assembly, draw: Draw, radius: float, z: float) -> None:
    """Balls of crumpled paper that rise over a bin's rim."""
    sheet = paper(draw)
    for x, y, share in ((0.42, -0.1, 0.42), (-0.42, 0.15, 0.42), (-0.05, -0.46, 0.4), (0.05, 0.42, 0.4)):
        r = share * radius
        ball = crumpled(draw, r, (1.0, 1.0, 0.8), replace(sheet, colour=toned(sheet.colour, draw.between(0.84, 1.0))))
        place = rotation("x", 5.0 * x, (x * radius, y * radius, z + 0.1 * radius))
        assembly.add(ball, [ball_part(0.92 * r, (0.0, 0.0, 0.0), (1.0, 1.0, 0.8))], at=place)


def _swing(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    """Square, its lid two sloping flaps."""
    half, height = size
    deep, low = half * 0.85, draw.size("taper")
    assembly.loft(_rectangle(half * low, deep * low), _rectangle(half, deep), 0.0, height, body)
    assembly.box((2 * half + 0.02, 2 * deep + 0.02, 0.03), (0.0, 0.0, height + 0.01), draw.dark, rounding=0.008)
    peak = _rectangle(half * 0.95, deep * 0.04)
    assembly.loft(_rectangle(half * 0.95, deep * 0.95), peak, height + 0.024, height + 0.12, body)


def _slim(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    """A tall narrow bin with a flat lid and a pedal."""
    half, height = size
    deep = 0.75 * half
    assembly.box((2 * half, 2 * deep, 0.03), (0.0, 0.0, 0.015), draw.dark, rounding=0.008)
    assembly.box((2 * half - 0.012, 2 * deep - 0.012, height - 0.05), (0.0, 0.0, height / 2), body, rounding=0.035)
    assembly.box((2 * half, 2 * deep, 0.035), (0.0, 0.0, height), draw.dark, rounding=0.012)
    lid = (2 * half - 0.02, 2 * deep - 0.02, 0.03)
    assembly.box(lid, (0.0, 0.0, height + 0.03), body, rounding=0.014)
    assembly.box((0.16, 0.06, 0.018), (0.0, -deep - 0.022, 0.022), draw.steel, rounding=0.006, segments=1)


def _basket(assembly: Assembly, draw: Draw, size: tuple[float, float], body: Material) -> None:
    """An open waste basket of slats, full of crumpled paper."""
    radius, whole = size
    height, low = 0.66 * whole, radius * draw.size("taper")
    assembly.lathe(
        [(0.0, 0.0), (0.97 * low, 0.0), (0.98 * radius, height - 0.008), (0.0, height - 0.008)], draw.dark, sides=24
    )
    for z, wide in ((0.0, 0.05), (0.94, 0.05), (0.46, 0.035)):
        r0 = low + (radius - low) * z
        r1 = low + (radius - low) * (z + wide)
        hoop = [
            (r0 - 0.01, z * height),
            (r0 + 0.004, z * height),
            (r1 + 0.004, (z + wide) * height),
            (r1 - 0.01, (z + wide) * height),
        ]
        assembly.lathe(hoop, body, sides=24, solid=False)
    for i in range(16):
        path = [(low - 0.001, 0.0, 0.01), (radius - 0.001, 0.0, 0.97 * height)]
        assembly.tube(path, 0.006, body, sides=5, at=rotation("z", i * 0.3927), spans=0)
    _crumpled(assembly, draw, radius, height - 0.02)


def cardboard_box(draw: Draw) -> Model:
    """A cardboard box: taped shut, open, tied up as a parcel, or with a lid and holes to carry it."""
    assembly = Assembly("Box", tolerance=0.004)
    x, y, z = draw.size("width"), draw.size("depth"), draw.size("height")
    card = Material(draw.shape("card"), tint(draw, "card_hue", (0.02, 0.14), (0.84, 1.0)), 0.9, 0.0, draw.size("ribs"))
    forms = {"taped": _taped, "open": _open, "parcel": _parcel, "archive": _archive}
    forms[draw.shape("form")](assembly, draw, (x, y, z), card)
    return assembly.model(2.0)


def _sheet(assembly: Assembly, draw: Draw, size: tuple[float, float, float]) -> None:
    """A printed label on the front."""
    x, y, z = size
    note = Material(draw.shape("label"), (0.97, 0.97, 0.95), 0.8)
    wide = min(0.32 * x, 0.6 * z)
    assembly.picture(wide, 0.75 * wide, note, at=(0.2 * x, -y / 2 - 0.0015, 0.45 * z))


def _tape(assembly: Assembly, draw: Draw, size: tuple[float, float, float], wide: float) -> None:
    x, _, z = size
    tape = tinted(draw, "tape_hue", (0.3, 0.45), (0.8, 0.92), 0.25)
    assembly.box((x + 0.002, wide, 0.002), (0.0, 0.0, z), tape, solid=False)
    for side in (-1.0, 1.0):
        assembly.box((0.002, wide, 0.07), (side * x / 2, 0.0, z - 0.034), tape, solid=False)


def _taped(assembly: Assembly, draw: Draw, size: tuple[float, float, float], card: Material) -> None:
    assembly.box(size, (0.0, 0.0, size[2] / 2), card)
    _tape(assembly, draw, size, 0.05)
    seam = Material("plain", draw.palette.dark, 0.9)
    assembly.box((size[0], 0.003, 0.001), (0.0, 0.0, size[2]), seam, solid=False)
    if draw.chance("labelled"):
        _sheet(assembly, draw, size)


def _open(assembly: Assembly, draw: Draw, size: tuple[float, float, float], card: Material) -> None:
    x, y, z = size
    thick = 0.006
    assembly.box((x, y, thick), (0.0, 0.0, thick / 2), card, solid=False)
    for side in (-1.0, 1.0):
        assembly.box((thick, y, z), (side * (x - thick) / 2, 0.0, z / 2), card, solid=False)
        assembly.box((x - 2 * thick, thick, z), (0.0, side * (y - thick) / 2, z / 2), card, solid=False)
        flap = y * 0.42
        at = rotation("y", side * draw.between(0.5, 1.2), (side * (x / 2 - thick / 2), 0.0, z - 0.002))
        assembly.box((thick * 0.7, y - 0.01, flap), (0.0, 0.0, flap / 2), card, at=at)
        at = rotation("x", -side * draw.between(0.5, 1.2), (0.0, side * (y / 2 - thick / 2), z - 0.002))
        assembly.box((x - 0.01, thick * 0.7, flap), (0.0, 0.0, flap / 2), card, at=at)
    assembly.block((x, y, z), (0.0, 0.0, z / 2))
    if draw.chance("labelled"):
        _sheet(assembly, draw, size)


def _parcel(assembly: Assembly, draw: Draw, size: tuple[float, float, float], card: Material) -> None:
    """Tied crosswise with a bow on top, an address on its front."""
    x, y, z = size
    assembly.box(size, (0.0, 0.0, z / 2), card)
    twine = tinted(draw, "tape_hue", (0.4, 0.6), (0.5, 0.7), 0.8)
    assembly.box((x + 0.004, 0.012, z + 0.002), (0.0, 0.0, z / 2 + 0.001), twine, solid=False)
    assembly.box((0.012, y + 0.004, z + 0.002), (0.0, 0.0, z / 2 + 0.001), twine, solid=False)
    for side in (-1.0, 1.0):
        loop = [(0.0, 0.0), (0.03, 0.014), (0.055, 0.012), (0.06, -0.006), (0.035, -0.012), (0.004, -0.002)]
        path = [(side * a, 0.4 * side * a + b, z + 0.007) for a, b in loop]
        assembly.tube(path, 0.004, twine, sides=6, spans=0)
    assembly.block((0.11, 0.06, 0.012), (0.0, 0.0, z + 0.006))
    _sheet(assembly, draw, size)


def _archive(assembly: Assembly, draw: Draw, size: tuple[float, float, float], card: Material) -> None:
    """A box with a lid over its upper edge and holes to carry it by."""
    x, y, z = size
    assembly.box((x - 0.012, y - 0.012, z - 0.01), (0.0, 0.0, (z - 0.01) / 2), card)
    assembly.box((x, y, 0.07), (0.0, 0.0, z - 0.035), card, rounding=0.002, segments=1)
    hole = Material("plain", draw.palette.dark, 0.9)
    for side in (-1.0, 1.0):
        at = (side * (x / 2 - 0.005), 0.0, 0.6 * z)
        assembly.box((0.002, 0.09, 0.03), at, hole, rounding=0.001, segments=1, solid=False)
        assembly.box((0.09, 0.002, 0.03), (0.0, side * (y / 2 - 0.0055), 0.6 * z), hole, solid=False)
    _sheet(assembly, draw, (x, y - 0.012, 0.55 * z))


def laundry_hamper(draw: Draw) -> Model:
    """Wicker with a lid, clothes hanging out; or a cloth bag on a frame, heaped with clothes."""
    assembly = Assembly("LaundryHamper")
    height, half = draw.size("height"), draw.size("half")
    tone = (
        tint(draw, "cane_hue", (0.15, 0.35), (0.82, 0.97))
        if draw.chance("plain")
        else draw.colour((0.15, 0.45), (0.7, 0.92))
    )
    trim, form = draw.wood(), draw.shape("form")
    if form == "frame":
        _framed(assembly, draw, (half, height), trim)
        return assembly.model(3.0)
    weave = Material(draw.shape("weave"), tone, 0.85, 0.0, 3.0)
    if form == "basket":
        wall = [(0.0, 0.0), (half * 0.82, 0.0), (half, height), (0.0, height)]
        turned(assembly, wall, weave, stretch=(1.0, 0.8, 1.0), square=True, sides=32, tolerance=0.008)
        rim = [(half - 0.012, height - 0.03), (half + 0.008, height - 0.03), (half + 0.008, height + 0.008)]
        turned(
            assembly,
            [*rim, (half - 0.012, height + 0.008)],
            weave,
            stretch=(1.0, 0.8, 1.0),
            square=True,
            sides=32,
            solid=False,
        )
        _heap(assembly, draw, (0.86 * half, 0.66 * half), height)
        return assembly.model(3.0)
    if form == "square":
        deep = half * draw.size("oblong")
        assembly.loft(_rectangle(half * 0.86, deep * 0.86), _rectangle(half, deep), 0.0, height, weave)
        assembly.box((2 * half + 0.02, 2 * deep + 0.02, 0.035), (0.0, 0.0, height + 0.0175), trim, rounding=0.008)
        assembly.box((0.12, 0.03, 0.025), (0.0, 0.0, height + 0.045), trim, rounding=0.008)
        front = -deep
    else:
        body = [(0.0, 0.0), (half * 0.88, 0.0), (half, height * 0.55), (half * 0.94, height), (0.0, height)]
        assembly.lathe(body, weave, sides=28)
        lid = [(0.0, height), (half, height), (half, height + 0.03), (half * 0.8, height + 0.045), (0.0, height + 0.05)]
        assembly.lathe(lid, trim, sides=28)
        knob = [(0.0, height + 0.045), (0.015, height + 0.05), (0.025, height + 0.07), (0.0, height + 0.085)]
        assembly.lathe(knob, trim, sides=14)
        front = -half * 0.96
    _hanging(assembly, draw, front, height)
    return assembly.model(3.0)


def _hanging(assembly: Assembly, draw: Draw, front: float, top: float) -> None:
    """A sleeve caught under the lid."""
    cloth, columns = draw.cloth(), 9
    long, wide = draw.between(0.16, 0.2), 0.075
    rows = (1.0, 0.85, 0.65, 0.45, 0.25, 0.0)
    grid = np.empty((len(rows), columns, 3))
    for i, down in enumerate(rows):
        for j in range(columns):
            t = 2.0 * j / (columns - 1) - 1.0
            wave = sin_cos(5.0 * t + 2.0 * down)[0]
            out = 0.004 + 0.006 * down * (1.0 + wave)
            grid[i, j] = (wide * t * (0.8 + 0.2 * down), front - out, top + 0.004 - long * down * (1.0 - 0.35 * t * t))
    assembly.add(shell(grid, 0.004, cloth), shell_parts(grid, 0.004, (0, len(rows) - 1), (0, columns - 1)))


def _heap(assembly: Assembly, draw: Draw, span: tuple[float, float], z: float) -> None:
    """Clothes that rise above a rim."""
    x, y = span
    fold = [(0.0, -0.3, 0.0), (0.85, -0.2, 0.1), (1.0, 0.0, 0.12), (0.7, 0.26, 0.2), (0.0, 0.34, 0.0)]
    for dx, dy, r in ((-0.4, -0.15, 0.55), (0.42, 0.12, 0.55), (0.0, -0.35, 0.5), (0.02, 0.38, 0.52)):
        place = rotation("z", 7.0 * dx + dy, (dx * x, dy * y, z))
        points = [(a * r * y, b * r * y, swing) for a, b, swing in fold]
        crinkled(assembly, points, 5, draw.cloth(), sides=20, at=place, solid=False)
    heap = [(0.0, 0.0), (0.9 * y, 0.0), (0.62 * y, 0.24 * y), (0.0, 0.26 * y)]
    turned(assembly, heap, draw.cloth(), stretch=(x / y, 1.0, 1.0), sides=12, at=(0.0, 0.0, z - 0.02))


def _framed(assembly: Assembly, draw: Draw, size: tuple[float, float], wood: Material) -> None:
    """A cloth bag hung between crossed legs."""
    half, height = size
    cloth, deep = draw.cloth(), 0.8 * half
    bottom = 0.16 * height
    bag = [(0.0, bottom), (0.8 * half, bottom), (0.9 * half, 0.4 * height), (0.96 * half, height), (0.0, height)]
    turned(assembly, bag, cloth, stretch=(1.0, 0.8, 1.0), square=True, sides=32, tolerance=0.008)
    for y in (-1.0, 1.0):
        for x in (-1.0, 1.0):
            offset = y * (deep - 0.006 + 0.016 * x)
            path = [(-x * half, offset, 0.011), (x * half, offset, height + 0.02)]
            assembly.tube(path, 0.011, wood)
        assembly.tube([(y * half, -deep - 0.02, height + 0.015), (y * half, deep + 0.02, height + 0.015)], 0.012, wood)
    _heap(assembly, draw, (0.84 * half, 0.66 * half), height)


def garbage_bag(draw: Draw) -> Model:
    """A full bag, creased, gathered at its neck: tied with a band, or by its own two ears."""
    assembly = Assembly("GarbageBag", tolerance=0.012)
    coloured = hsv(draw.size("bag_hue"), draw.size("strength"), draw.size("bright"))
    tone = tint(draw, "film_hue", (0.02, 0.1), (0.2, 0.42)) if draw.chance("black") else coloured
    film = Material("plain", tone, 0.3)
    r, h = draw.size("radius"), draw.size("height")
    body = [(0.0, 0.0, 0.0), (0.8 * r, 0.0, 0.03), (0.97 * r, 0.1 * h, 0.03), (r, 0.3 * h, 0.035)]
    body += [(0.93 * r, 0.55 * h, 0.05), (0.66 * r, 0.78 * h, 0.08), (0.3 * r, 0.93 * h, 0.18), (0.13 * r, h, 0.2)]
    creases, tie = draw.count("creases"), draw.shape("tie")
    if tie == "band":
        body += [(0.11 * r, 1.05 * h, 0.1), (0.34 * r, 1.19 * h, 0.14), (0.3 * r, 1.21 * h, 0.14), (0.0, 1.15 * h, 0.0)]
        assembly.ball(0.17 * r, (0.0, 0.0, 1.02 * h), draw.plastic(), scale=(1.0, 1.0, 0.35), solid=False)
    else:
        body.append((0.0, 1.02 * h, 0.0))
        assembly.ball(0.16 * r, (0.0, 0.0, 1.01 * h), film, scale=(1.0, 1.0, 0.8), sides=12, rings=8)
        for side in (-1.0, 1.0):
            ear = [(0.0, 0.0, 1.01 * h), (side * 0.2 * r, 0.03, 1.13 * h), (side * 0.42 * r, 0.02, 1.2 * h)]
            assembly.tube(ear, [0.03 * r, 0.13 * r, 0.03 * r], film, sides=6)
    crinkled(assembly, body, creases, film, sides=5 * creases, tolerance=0.004)
    return assembly.model(4.0)
