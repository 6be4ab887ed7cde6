"""Chairs: on four legs, on a bent tube, on a swivelling foot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material
from flowbench.rendering.placing import placed, rotation
from flowbench.rendering.shapes import box, cylinder
from flowbench.rendering.sweeps import tube

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .hulls import coarse_hull
from .legs import legs
from .shells import shell, shell_parts

_SIDES = (-1.0, 1.0)


@dataclass(frozen=True)
class _Chair:
    """What every build of a chair is made to; metres, lean in radians."""

    width: float
    depth: float
    seat: float
    back: float
    leg: float
    lean: float


def chair(draw: Draw) -> Model:
    """A chair to sit at a table or desk on."""
    names = ("width", "depth", "seat", "back", "leg", "lean")
    return BUILDS[draw.shape("build")](draw, _Chair(**{name: draw.size(name) for name in names}))


def _seat_on_legs(draw: Draw, c: _Chair, frame: Material, cover: Material) -> tuple[Assembly, Matrix]:
    """A wooden seat on four legs, perhaps padded; and where a back stands, which is built upright, then leaned."""
    assembly = Assembly("Chair")
    assembly.box((c.width, c.depth, 0.035), (0.0, 0.0, c.seat - 0.0175), frame, rounding=0.01, segments=1)
    if draw.chance("cushion"):
        size = (c.width - 0.03, c.depth - 0.03, 0.05)
        assembly.box(size, (0.0, 0.0, c.seat + 0.015), cover, rounding=0.022, segments=2)
    inset = c.leg / 2 + 0.004
    legs(assembly, draw.shape("feet"), (c.width - 2 * inset, c.depth - 2 * inset), c.seat - 0.02, c.leg, frame)
    return assembly, rotation("x", -c.lean, (0.0, c.depth / 2 - inset, c.seat - 0.02))


def _posts(assembly: Assembly, c: _Chair, frame: Material, at: Matrix) -> None:
    for side in _SIDES:
        size = (c.leg * 0.9, c.leg * 0.7, c.back)
        assembly.box(size, (side * (c.width - c.leg) / 2, 0.0, c.back / 2), frame, at=at)


def _slats(draw: Draw, c: _Chair) -> Model:
    """Boards across the back."""
    frame = draw.timber(0.4)
    assembly, at = _seat_on_legs(draw, c, frame, draw.cloth())
    _posts(assembly, c, frame, at)
    count = draw.count("bars") - 1
    for i in range(count):
        z = c.back * (0.97 - 0.62 * i / count) - 0.035
        size = (c.width - c.leg, 0.018, 0.75 * 0.62 * c.back / count)
        assembly.box(size, (0.0, 0.0, z), frame, rounding=0.006, segments=1, at=at)
    return assembly.model(4.5)


def _bars(draw: Draw, c: _Chair) -> Model:
    """Upright bars under a rail."""
    frame = draw.timber(0.4)
    assembly, at = _seat_on_legs(draw, c, frame, draw.cloth())
    _posts(assembly, c, frame, at)
    assembly.box((c.width - c.leg, 0.022, 0.07), (0.0, 0.0, c.back - 0.035), frame, rounding=0.008, segments=1, at=at)
    count = draw.count("bars")
    for i in range(count):
        x = (i + 1) * (c.width - c.leg) / (count + 1) - (c.width - c.leg) / 2
        assembly.box((0.02, 0.016, c.back - 0.05), (x, 0.0, (c.back - 0.05) / 2), frame, at=at)
    return assembly.model(4.5)


def _panel(draw: Draw, c: _Chair) -> Model:
    """A board between posts, the lower third open."""
    frame, board = draw.timber(0.4), draw.wood()
    assembly, at = _seat_on_legs(draw, c, frame, draw.cloth())
    _posts(assembly, c, frame, at)
    size = (c.width - c.leg, 0.016, 0.62 * c.back)
    assembly.box(size, (0.0, 0.0, 0.66 * c.back), board, rounding=0.006, segments=1, at=at)
    return assembly.model(4.8)


def _padded(draw: Draw, c: _Chair) -> Model:
    """A back upholstered like the seat."""
    cover = draw.cloth()
    assembly, at = _seat_on_legs(draw, c, draw.timber(0.4), cover)
    size = (c.width - 0.02, 0.05, c.back)
    assembly.box(size, (0.0, 0.0, c.back / 2), cover, rounding=0.023, segments=2, at=at)
    return assembly.model(5.5)


def _star(assembly: Assembly, height: float, metal: Material, castor: Material) -> None:
    """Five arms on castors round a pillar of this height, metres."""
    reach = 0.27
    for i in range(5):
        arm = box((reach, 0.045, 0.035), (reach / 2, 0.0, 0.085), metal)
        turned = rotation("x", math.pi / 2, (reach - 0.01, 0.022, 0.03))
        wheel = placed(cylinder(0.03, 0.044, castor, sides=10), turned)
        turn = rotation("z", 2.0 * math.pi * (i + 0.5) / 5)
        assembly.add_bunch([(arm, (0.0, 0.0, 0.0)), (wheel, (0.0, 0.0, 0.0))], at=turn)
    assembly.lathe([(0.0, 0.06), (0.03, 0.06), (0.025, height), (0.0, height)], metal, sides=12)


def _office(draw: Draw, c: _Chair) -> Model:
    """Padded, on castors, perhaps with arms."""
    assembly = Assembly("Chair")
    cover, metal = draw.cloth(patterned=False), draw.metal()
    width, seat, back = c.width + 0.05, c.seat + 0.03, c.back + 0.1
    _star(assembly, seat - 0.06, metal, draw.dark)
    assembly.box((width, width - 0.02, 0.08), (0.0, 0.0, seat - 0.03), cover, rounding=0.035, segments=2)
    at = rotation("x", -c.lean, (0.0, width / 2 - 0.03, seat + 0.04))
    assembly.box((width - 0.06, 0.06, back), (0.0, 0.0, back / 2 + 0.02), cover, rounding=0.028, segments=2, at=at)
    assembly.box((0.07, 0.02, 0.22), (0.0, 0.03, 0.0), metal, at=at)
    if draw.rng.random() < 0.5:
        for side in _SIDES:
            x = side * (width / 2 + 0.02)
            assembly.box((0.03, 0.05, 0.24), (x, 0.04, seat + 0.06), metal)
            assembly.box((0.05, 0.26, 0.03), (x, 0.0, seat + 0.19), draw.dark, rounding=0.012, segments=1)
    return assembly.model(9.0)


def _windsor(draw: Draw, c: _Chair) -> Model:
    """Thin turned spindles within a bow, above a solid seat."""
    frame = draw.timber(0.35)
    assembly = Assembly("Chair")
    r = c.width / 2
    rim = [(0.93 * r, c.seat - 0.032), (r, c.seat - 0.018), (r, c.seat - 0.008), (r - 0.008, c.seat)]
    assembly.lathe([(0.0, c.seat - 0.032), *rim, (0.0, c.seat)], frame, sides=24)
    top = c.seat - 0.025
    legs(assembly, "splayed", (0.62 * c.width, 0.62 * c.width), top, 1.4 * c.leg, frame)
    reach, level = 0.31 * c.width + 0.08 * top, 0.4 * top
    for side in _SIDES:
        assembly.tube([(side * reach, -reach, level), (side * reach, reach, level)], 0.01, frame, sides=6)
    assembly.tube([(-reach, 0.0, level), (reach, 0.0, level)], 0.01, frame, sides=6)
    at = rotation("x", -c.lean, (0.0, 0.72 * r, c.seat - 0.02))
    half = 0.72 * r
    bow = []
    for i in range(13):
        s, co = sin_cos(math.pi * i / 12)
        bow.append((-half * co * (1.0 + 0.18 * s), 0.0, c.back * (0.25 + 0.75 * s) if 0 < i < 12 else 0.0))
    pieces = [(tube(bow, 0.012, frame, sides=6), (0.0, 0.0, 0.0))]
    count = draw.count("bars")
    for i in range(count):
        x = ((i + 0.5) / count * 2.0 - 1.0) * 0.85
        height = c.back * (0.25 + 0.75 * math.sqrt(1.0 - x * x)) - 0.01
        path = [(0.72 * x * half, 0.0, 0.0), (x * half * 1.08, 0.0, height)]
        pieces.append((tube(path, [0.009, 0.006], frame, sides=5), (0.0, 0.0, 0.0)))
    assembly.add_bunch(pieces, at=at)
    return assembly.model(4.6)


def _shell(draw: Draw, c: _Chair) -> Model:
    """One moulded sheet for seat and back, on splayed legs or a swivelling foot."""
    assembly = Assembly("Chair")
    skin, half = draw.plastic(), c.width / 2
    # A side view of the sheet: (y, z) from the front's lip over the seat to the back's top.
    lean_s, lean_c = sin_cos(c.lean + 0.06)
    side = [(-c.depth / 2 - 0.02, -0.035), (-c.depth / 2 + 0.02, 0.0), (-0.05, -0.012), (c.depth / 2 - 0.1, -0.012)]
    side.append((c.depth / 2 - 0.035, 0.02))
    base_y, base_z = c.depth / 2 - 0.015, 0.075
    tall = 0.72 * c.back
    side += [(base_y + lean_s * t * tall, base_z + lean_c * t * tall) for t in (0.0, 0.35, 0.7, 1.0)]
    widths = (0.78, 0.86, 0.92, 0.92, 0.9, 0.9, 0.92, 0.86, 0.66)
    curls = (0.0, 0.01, 0.03, 0.045, 0.05, 0.05, 0.045, 0.03, 0.015)
    grid = np.empty((len(side), 7, 3))
    for i, (y, z) in enumerate(side):
        back_share = max(0.0, min(1.0, (i - 3) / 2.0))
        for k in range(7):
            u = k / 3.0 - 1.0
            lift = curls[i] * u * u
            grid[i, k] = (u * half * widths[i], y - lift * back_share, c.seat + z + lift * (1.0 - back_share))
    assembly.add(shell(grid, 0.01, skin), shell_parts(grid, 0.01, (0, 3, 5, 8), (0, 3, 6)))
    under = c.seat - 0.028
    if draw.chance("swivel"):
        _star(assembly, under, draw.metal(), draw.dark)
    else:
        frame = draw.wood() if draw.rng.random() < 0.6 else draw.metal()
        legs(assembly, "splayed", (0.6 * c.width, 0.56 * c.depth), under, 1.3 * c.leg, frame)
        assembly.box((0.62 * c.width, 0.6 * c.depth, 0.014), (0.0, 0.0, under - 0.002), draw.dark)
    return assembly.model(4.2)


def _cantilever(draw: Draw, c: _Chair) -> Model:
    """A bent tube without hind legs carries seat and back."""
    assembly = Assembly("Chair")
    metal = draw.metal()
    cover = draw.cloth(patterned=False)
    r, bend = 0.012, 0.05
    half_y, x = c.depth / 2, c.width / 2 - 0.014
    s, co = sin_cos(c.lean)
    level = c.seat - 0.045
    top = (half_y + s * (c.back + 0.03), level + co * (c.back + 0.03))
    side_view = [
        top,
        (half_y + s * bend, level + co * bend),
        (half_y - bend, level),
        (bend - half_y, level),
        (-half_y, level - bend),
        (-half_y, r + bend),
        (bend - half_y, r),
        (half_y, r),
    ]
    for side in _SIDES:
        path = [(side * x, y, z) for y, z in side_view]
        rings = tube(path, r, metal, sides=8)
        points = rings.vertices[: len(path) * 9].reshape(len(path), 9, 3)[:, :-1]
        parts = [
            coarse_hull(points[a : b + 1].reshape(-1, 3)) for a, b in ((0, 1), (1, 2), (2, 3), (3, 5), (5, 6), (6, 7))
        ]
        assembly.add(rings, parts)
    assembly.tube([(-x, half_y - r, r), (x, half_y - r, r)], r, metal)
    assembly.box((c.width, c.depth, 0.05), (0.0, -0.005, c.seat - 0.015), cover, rounding=0.02, segments=2)
    at = rotation("x", -c.lean, (0.0, half_y, level))
    size = (c.width, 0.035, 0.6 * c.back)
    assembly.box(size, (0.0, -0.012, 0.68 * c.back), cover, rounding=0.015, segments=2, at=at)
    return assembly.model(6.0)


Build = Callable[[Draw, _Chair], Model]

BUILDS: Mapping[str, Build] = MappingProxyType(
    {
        "slats": _slats,
        "bars": _bars,
        "panel": _panel,
        "padded": _padded,
        "office": _office,
        "windsor": _windsor,
        "shell": _shell,
        "cantilever": _cantilever,
    }
)
"""What makes a chair, by the word of its table."""
