"""Bathroom fixtures: toilet, sink, bathtub."""

from __future__ import annotations

import math

from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .fittings import Fronts, doors
from .tints import water
from .turned import Profile, turned

_LONGER: Vector = (1.0, 1.3, 1.0)
"""How an oval bowl differs from a round one."""


def toilet(draw: Draw) -> Model:
    """A toilet: close-coupled, its lid down or up; of one smooth piece; or hung on a wall box with a flush plate."""
    assembly = Assembly("Toilet")
    seat, wide = draw.size("seat"), draw.size("bowl") / 2
    form = draw.shape("form")
    face = draw.wood() if draw.chance("wooden") else draw.white
    if form in ("lid down", "lid up"):
        _close_coupled(assembly, draw, (wide, seat), face, up=form == "lid up")
    elif form == "one piece":
        _one_piece(assembly, draw, (wide, seat), face)
    else:
        _wall_hung(assembly, draw, (wide, seat), face)
    return assembly.model(35.0)


def _lid(assembly: Assembly, size: tuple[float, float], face: Material, y: float) -> None:
    """The closed seat and lid on a bowl of half width ``size[0]``."""
    wide, seat = size
    lid = [(0.0, seat), (1.01 * wide, seat), (1.03 * wide, seat + 0.012), (1.02 * wide, seat + 0.016)]
    lid += [(1.03 * wide, seat + 0.02), (0.97 * wide, seat + 0.034), (0.0, seat + 0.04)]
    turned(assembly, lid, face, stretch=_LONGER, sides=28, crease=50.0, at=(0.0, y, 0.0), tolerance=0.01)


def _close_coupled(assembly: Assembly, draw: Draw, size: tuple[float, float], face: Material, *, up: bool) -> None:
    wide, seat = size
    china, y = draw.porcelain, -0.08
    foot = [(0.0, 0.0), (0.68 * wide, 0.0), (0.6 * wide, 0.12), (0.74 * wide, 0.26)]
    bowl = [*foot, (0.97 * wide, seat - 0.03), (wide, seat)]
    if up:
        inside = [(0.74 * wide, seat), (0.66 * wide, seat - 0.04), (0.35 * wide, seat - 0.12), (0.0, seat - 0.13)]
        bowl += inside
        pool = [(0.42 * wide, seat - 0.1), (0.0, seat - 0.1)]
        turned(assembly, pool, water(draw), stretch=_LONGER, at=(0.0, y, 0.0), solid=False)
        ring = [(0.7 * wide, seat), (1.02 * wide, seat), (1.0 * wide, seat + 0.016), (0.72 * wide, seat + 0.016)]
        turned(assembly, [*ring, ring[0]], face, stretch=_LONGER, sides=28, at=(0.0, y, 0.0), tolerance=0.01)
        lid = [(0.0, 0.0), (wide, 0.0), (0.98 * wide, 0.016), (0.0, 0.02)]
        place = rotation("x", math.pi / 2 - 0.1, (0.0, 0.135, seat + 1.27 * wide))
        turned(assembly, lid, face, stretch=_LONGER, sides=28, at=place, tolerance=0.01)
    else:
        bowl.append((0.0, seat))
    turned(assembly, bowl, china, stretch=_LONGER, sides=28, crease=55.0, at=(0.0, y, 0.0), tolerance=0.01)
    if not up:
        _lid(assembly, size, face, y)
    tank, top = draw.size("tank"), draw.size("top")
    assembly.box((0.2, 0.26, seat - 0.02), (0.0, 0.13, (seat - 0.02) / 2), china, rounding=0.02)
    high = top - seat + 0.02
    edge = draw.size("edge")
    assembly.box((tank, 0.17, high), (0.0, 0.245, seat - 0.02 + high / 2), china, rounding=edge)
    assembly.box((tank + 0.015, 0.185, 0.03), (0.0, 0.2425, top + 0.01), china, rounding=0.01)
    if draw.chance("lever"):
        at = (-0.36 * tank, 0.155, top - 0.05)
        assembly.box((0.07, 0.014, 0.016), at, draw.steel, rounding=0.005, segments=1, solid=False)
        assembly.surface(-tank / 2 + 0.005, 0.162, tank / 2 - 0.005, 0.323, top + 0.025)
    else:
        button = [(0.0, 0.0), (0.025, 0.0), (0.022, 0.006), (0.0, 0.006)]
        assembly.lathe(button, draw.steel, sides=16, at=(0.0, 0.245, top + 0.024), solid=False)


def _one_piece(assembly: Assembly, draw: Draw, size: tuple[float, float], face: Material) -> None:
    """Its skirt falls straight to the floor and runs into a low tank."""
    wide, seat = size
    china, y = draw.porcelain, -0.08
    skirt = [(0.0, 0.0), (0.78 * wide, 0.0), (0.84 * wide, 0.1), (0.96 * wide, 0.7 * seat), (wide, seat), (0.0, seat)]
    turned(assembly, skirt, china, stretch=_LONGER, sides=28, crease=60.0, at=(0.0, y, 0.0), tolerance=0.01)
    assembly.box((1.62 * wide, 0.3, seat), (0.0, 0.16, seat / 2), china, rounding=0.04, segments=3)
    _lid(assembly, size, face, y)
    top = draw.size("top")
    turned(
        assembly,
        [(0.0, 0.0), (0.5, 0.0), (0.5, 0.9 * (top - seat)), (0.46, top - seat), (0.0, top - seat)],
        china,
        stretch=(draw.size("tank"), 0.19, 1.0),
        square=True,
        at=(0.0, 0.235, seat),
        tolerance=0.02,
    )
    for x in (-0.02, 0.02):
        assembly.box((0.034, 0.05, 0.008), (x, 0.235, top + 0.003), draw.steel, rounding=0.003, segments=1, solid=False)


def _wall_hung(assembly: Assembly, draw: Draw, size: tuple[float, float], face: Material) -> None:
    """A bowl that hangs from a box with the cistern in it."""
    wide, seat = size
    china, high = draw.porcelain, draw.size("box")
    panel, across = draw.stone() if draw.chance("stone") else draw.white, draw.size("tank") + 0.24
    assembly.box((across, 0.14, high - 0.03), (0.0, 0.3, (high - 0.03) / 2), panel, rounding=0.004, segments=1)
    assembly.box((across + 0.02, 0.155, 0.03), (0.0, 0.2975, high - 0.015), draw.wood(), rounding=0.004, segments=1)
    low = 0.13
    bowl = [(0.0, low), (0.5 * wide, low), (0.82 * wide, 0.5 * (low + seat)), (wide, seat), (0.0, seat)]
    turned(assembly, bowl, china, stretch=_LONGER, sides=28, crease=60.0, at=(0.0, -0.07, 0.0), tolerance=0.01)
    assembly.box((1.6 * wide, 0.16, seat - low), (0.0, 0.155, (seat + low) / 2), china, rounding=0.03)
    _lid(assembly, size, face, -0.07)
    y = 0.229
    assembly.box((0.23, 0.012, 0.15), (0.0, y, high - 0.16), draw.steel, rounding=0.004, segments=1, solid=False)
    for x, w in ((-0.045, 0.08), (0.055, 0.06)):
        assembly.box((w, 0.01, 0.1), (x, y - 0.006, high - 0.16), draw.white, rounding=0.004, segments=1, solid=False)


def sink(draw: Draw) -> Model:
    """A basin with a tap: a bowl on a cabinet, round or square; on a pedestal; on an open console."""
    assembly = Assembly("Sink")
    size = (draw.size("width"), draw.size("depth"), draw.size("height"))
    form = draw.shape("form")
    if form == "pedestal":
        _pedestal(assembly, draw, size)
    elif form == "console":
        _console(assembly, draw, size)
    else:
        _cabinet(assembly, draw, size, square=form == "square bowl")
    return assembly.model(35.0)


def _basin(assembly: Assembly, draw: Draw, r: float, at: Vector, *, square: bool, flat: float = 1.0) -> None:
    outside = [(0.0, 0.0), (0.6 * r, 0.0), (0.9 * r, 0.06), (r, 0.12), (r - 0.012, 0.124)]
    if square:
        outside = [(0.0, 0.0), (0.9 * r, 0.0), (r, 0.1), (r - 0.012, 0.104)]
    inner: Profile = [(r - 0.02, 0.09), (0.82 * r, 0.05), (0.4 * r, 0.025), (0.0, 0.022)]
    stretch = (1.0, flat, 1.0)
    turned(assembly, [*outside, *inner], draw.porcelain, stretch=stretch, square=square, sides=32, crease=50.0, at=at)
    drain = [(0.022, 0.0), (0.0, 0.001)]
    assembly.lathe(drain, draw.steel, sides=14, at=(at[0], at[1], at[2] + 0.026), solid=False)


def _tap(assembly: Assembly, draw: Draw, at: Vector, reach: float, rise: float) -> None:
    """A tap that reaches forward, with one lever or a cross handle at each side."""
    x, y, z = at
    metal = draw.steel if draw.chance("steel_tap") else draw.metal()
    spout = [(x, y, z), (x, y, z + 0.85 * rise), (x, y - 0.25 * reach, z + rise), (x, y - reach, z + 0.92 * rise)]
    assembly.tube(spout, 0.012, metal, spans=2)
    if draw.chance("crosses"):
        for side in (-0.09, 0.09):
            post = [(0.0, 0.0), (0.012, 0.0), (0.01, 0.045), (0.0, 0.045)]
            assembly.lathe(post, metal, sides=10, at=(x + side, y, z))
            assembly.box((0.05, 0.012, 0.012), (x + side, y, z + 0.045), metal, rounding=0.004, segments=1)
    else:
        assembly.box((0.012, 0.05, 0.01), (x, y - 0.01, z + rise + 0.018), metal, rounding=0.003, segments=1)


def _cabinet(assembly: Assembly, draw: Draw, size: Vector, *, square: bool) -> None:
    width, depth, height = size
    body, grip, top = draw.timber(0.6), draw.metal(), draw.stone()
    assembly.box((width - 0.02, depth - 0.04, height - 0.11), (0.0, 0.01, 0.08 + (height - 0.11) / 2), body)
    assembly.box((width - 0.1, depth - 0.12, 0.08), (0.0, 0.02, 0.04), body)
    assembly.box((width, depth, 0.03), (0.0, 0.0, height - 0.015), top, rounding=0.006)
    fronts = Fronts(-width / 2 + 0.02, width / 2 - 0.02, 0.09, height - 0.04, -depth / 2 + 0.03)
    doors(assembly, fronts, 2, body, grip)
    r = draw.size("basin") / 2
    _basin(assembly, draw, r, (0.0, -0.02, height), square=square, flat=0.86 if square else 1.0)
    _tap(assembly, draw, (0.0, depth / 2 - 0.045, height), 0.13, draw.size("tap"))
    if width > 2 * r + 0.3:
        assembly.surface(r + 0.03, -depth / 2 + 0.03, width / 2 - 0.03, depth / 2 - 0.03, height)
        assembly.surface(-width / 2 + 0.03, -depth / 2 + 0.03, -r - 0.03, depth / 2 - 0.03, height)


def _pedestal(assembly: Assembly, draw: Draw, size: Vector) -> None:
    _, depth, height = size
    china, r = draw.porcelain, draw.size("basin") / 2
    column = [(0.0, 0.0), (0.13, 0.0), (0.115, 0.03), (0.08, 0.25), (0.085, 0.55), (0.13, height - 0.16)]
    assembly.lathe([*column, (0.0, height - 0.16)], china, sides=24, crease=50.0, at=(0.0, 0.06, 0.0))
    flat = (depth - 0.06) / (2 * r)
    low = height - 0.19
    outside = [(0.0, low), (0.4 * r, low), (0.85 * r, low + 0.06), (r, height - 0.03), (r, height)]
    inner = [(0.9 * r, height), (0.84 * r, height - 0.03), (0.6 * r, height - 0.1), (0.0, height - 0.12)]
    turned(assembly, [*outside, *inner], china, stretch=(1.0, flat, 1.0), sides=32, crease=50.0)
    back = depth / 2
    assembly.box((1.5 * r, 0.13, 0.07), (0.0, back - 0.065, height - 0.035), china, rounding=0.02)
    drain = [(0.022, 0.0), (0.0, 0.001)]
    assembly.lathe(drain, draw.steel, sides=14, at=(0.0, 0.0, height - 0.112), solid=False)
    _tap(assembly, draw, (0.0, back - 0.07, height - 0.002), 0.12, 0.55 * draw.size("tap"))


def _console(assembly: Assembly, draw: Draw, size: Vector) -> None:
    """A slab on legs, a wide basin on it and a shelf below."""
    width, depth, height = size
    frame, top = draw.metal(), draw.wood() if draw.chance("wooden") else draw.stone()
    assembly.box((width, depth, 0.05), (0.0, 0.0, height - 0.025), top, rounding=0.004)
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            centre = (x * (width / 2 - 0.03), y * (depth / 2 - 0.03), (height - 0.05) / 2)
            assembly.box((0.03, 0.03, height - 0.05), centre, frame)
    assembly.box((width - 0.06, depth - 0.04, 0.025), (0.0, 0.0, 0.22), top)
    r = draw.size("basin") / 2
    _basin(assembly, draw, r, (0.0, -0.03, height), square=True, flat=(depth - 0.12) / (2 * r))
    _tap(assembly, draw, (0.0, depth / 2 - 0.04, height), 0.13, draw.size("tap"))
    for side in (-1.0, 1.0):
        x0, x1 = sorted((side * (r + 0.03), side * (width / 2 - 0.03)))
        assembly.surface(x0, -depth / 2 + 0.03, x1, depth / 2 - 0.03, height)


def bathtub(draw: Draw) -> Model:
    """A tub: built in, a rounded shell, or free-standing, some with water in; it collides as if it were full."""
    assembly = Assembly("Bathtub")
    size = (draw.size("width"), draw.size("depth"), draw.size("height"))
    form = draw.shape("form")
    if form in _TUBS:
        _one_shell(assembly, draw, size, *_TUBS[form])
    else:
        _built_in(assembly, draw, size, panelled=form == "panelled")
    return assembly.model(90.0)


def _built_in(assembly: Assembly, draw: Draw, size: Vector, *, panelled: bool) -> None:
    width, depth, height = size
    rim, china = draw.size("rim"), draw.porcelain
    ends = rim * draw.size("ends")
    for side in (-1.0, 1.0):
        piece = (width, rim, height)
        assembly.box(piece, (0.0, side * (depth - rim) / 2, height / 2), china, rounding=0.02, solid=False)
        piece = (ends, depth - 2 * rim + 0.04, height)
        assembly.box(piece, (side * (width - ends) / 2, 0.0, height / 2), china, rounding=0.02, solid=False)
    inside = depth - 2 * rim
    assembly.box((width - 0.1, depth - 0.1, 0.12), (0.0, 0.0, 0.08), china, solid=False)
    back = [(0.0, -inside / 2), (0.02, -inside / 2), (0.02, inside / 2), (0.0, inside / 2)]
    low = [(0.34, y) if x > 0.0 else (x, y) for x, y in back]
    assembly.loft(low, back, 0.14, height - 0.02, china, at=(-width / 2 + ends - 0.01, 0.0, 0.0), solid=False)
    assembly.block((width, depth, height), (0.0, 0.0, height / 2), rounding=0.02)
    if ends > 0.14:
        shelf = -width / 2 + ends - 0.03
        assembly.surface(-width / 2 + 0.02, -inside / 2 + 0.02, shelf, inside / 2 - 0.02, height)
    if draw.chance("filled"):
        assembly.box((width - 0.1, depth - 0.1, 0.004), (0.0, 0.0, 0.7 * height), water(draw), solid=False)
    if panelled:
        panel = draw.timber(0.5)
        assembly.box((width - 0.02, 0.012, height - 0.1), (0.0, -depth / 2 - 0.004, height / 2 - 0.045), panel)
    x = width / 2 - ends / 2
    spout = [(x, 0.0, height - 0.01), (x, 0.0, height + 0.1), (x - 0.03, 0.0, height + 0.13)]
    assembly.tube([*spout, (x - 0.15, 0.0, height + 0.11)], 0.016, draw.steel, spans=2)
    for y in (-0.11, 0.11):
        knob = [(0.0, 0.0), (0.02, 0.0), (0.024, 0.03), (0.0, 0.034)]
        assembly.lathe(knob, draw.steel, sides=12, at=(x, y, height - 0.001))


_TUBS = {"rounded": (0.9, 0.0, True), "claws": (0.62, 0.1, False), "slipper": (0.78, 0.0, False)}
"""Tubs of one shell: the foot's share of the rim, the floor's height under it in metres, square rather than oval."""


def _one_shell(assembly: Assembly, draw: Draw, size: Vector, share: float, low: float, square: bool) -> None:
    """A shell on four feet, flaring up from the floor, or a rounded block, with a tap on its back edge."""
    width, depth, height = size
    china, flat = draw.porcelain, depth / width
    r, foot = width / 2, share * width / 2
    skin = draw.lacquer() if draw.chance("painted") else china
    oval = (1.0, flat, 1.0)
    swell = max(0.8 * r, foot) if low == 0.0 else 0.84 * r
    wall = [(0.0, low), (foot, low), (swell, low + 0.1), (0.955 * r, height - 0.02)]
    turned(assembly, wall, skin, stretch=oval, square=square, sides=36, crease=50.0, tolerance=0.01)
    rim = [(0.95 * r, height - 0.022), (r, height - 0.014), (0.985 * r, height), (0.92 * r, height)]
    inside = [(0.88 * r, height - 0.06), (0.72 * r, low + 0.18), (0.5 * r, low + 0.1), (0.0, low + 0.08)]
    turned(assembly, rim, china, stretch=oval, square=square, sides=36, crease=50.0, tolerance=0.004)
    turned(assembly, [rim[-1], *inside], china, stretch=oval, square=square, sides=36, crease=50.0, solid=False)
    if draw.chance("filled"):
        pool = [(0.845 * r, 0.78 * height), (0.0, 0.78 * height)]
        turned(assembly, pool, water(draw), stretch=oval, square=square, sides=36, solid=False)
    if low > 0.0:
        metal = draw.metal()
        for x in (-1.0, 1.0):
            for y in (-1.0, 1.0):
                leg = [(0.5 * r * x, 0.5 * flat * r * y, 0.13), (0.56 * r * x, 0.64 * flat * r * y, 0.07)]
                assembly.tube([*leg, (0.54 * r * x, 0.66 * flat * r * y, 0.012)], [0.032, 0.02, 0.03], metal)
    y = 0.955 * depth / 2
    spout = [(0.0, y, height - 0.01), (0.0, y, height + 0.13), (0.0, y - 0.03, height + 0.16)]
    assembly.tube([*spout, (0.0, y - 0.15, height + 0.14)], 0.015, draw.steel, spans=2)
