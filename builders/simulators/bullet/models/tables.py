"""Tables to dine at, to sit round, to stand beside something."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .fittings import Fronts, drawers
from .legs import SPLAY, legs, upright

_SIDES = (-1.0, 1.0)
_EDGE = 0.02
"""What stands on a top keeps this far from its edge, metres."""


@dataclass(frozen=True)
class _Table:
    """What a table is made to, metres; ``low`` is the underside of its top."""

    width: float
    depth: float
    height: float
    thick: float
    leg: float
    inset: float

    @property
    def low(self) -> float:
        """The underside of the top."""
        return self.height - self.thick

    @property
    def span(self) -> tuple[float, float]:
        """(x, y) between the middles of legs at the corners."""
        inset = 2 * self.inset + self.leg
        return self.width - inset, self.depth - inset


def dining_table(draw: Draw) -> Model:
    """Large, at sitting height."""
    return _table(draw, "DiningTable", 28.0)


def coffee_table(draw: Draw) -> Model:
    """Low, with or without a shelf."""
    return _table(draw, "CoffeeTable", 14.0)


def side_table(draw: Draw) -> Model:
    """Small, with or without a drawer or a shelf."""
    return _table(draw, "SideTable", 6.0)


def _table(draw: Draw, kind: str, kilograms: float) -> Model:
    table = _Table(**{name: draw.size(name) for name in ("width", "depth", "height", "thick", "leg", "inset")})
    top = draw.stone() if draw.rng.random() < 0.2 else draw.timber()
    matching = draw.rng.random() < 0.6 and top.texture in ("plain", draw.palette.wood)
    frame = top if matching else draw.wood()
    assembly = Assembly(kind)
    if draw.chance("round"):
        _round_table(draw, assembly, table, top, frame)
        return assembly.model(0.8 * kilograms)
    shape = draw.shape("legs")
    size = (table.width, table.depth, table.thick)
    assembly.box(size, (0.0, 0.0, table.height - table.thick / 2), top, rounding=0.006, segments=1)
    reach = (table.width / 2 - _EDGE, table.depth / 2 - _EDGE)
    assembly.surface(-reach[0], -reach[1], reach[0], reach[1], table.height)
    if shape in ON_LEGS:
        _on_legs(draw, assembly, table, shape, frame)
    else:
        SUPPORTS[shape](assembly, table, top if shape == "waterfall" else frame)
    return assembly.model(kilograms)


def _on_legs(draw: Draw, assembly: Assembly, table: _Table, shape: str, frame: Material) -> None:
    """Four legs; below the top an apron or a drawer, lower a shelf."""
    metal = shape == "hairpin" or (shape in ("square", "splayed") and draw.rng.random() < 0.25)
    material = draw.metal() if metal else frame
    x, y = table.span
    legs(assembly, shape, table.span, table.low, table.leg, material)
    drop = 0.0
    if draw.chance("drawer"):
        drop = min(0.14, 0.22 * table.height)
        body = (x + 0.5 * table.leg, y + 0.3 * table.leg, drop)
        assembly.box(body, (0.0, 0.0, table.low - drop / 2), frame)
        edge, front = body[0] / 2 - table.leg, -body[1] / 2
        fronts = Fronts(-edge, edge, table.low - drop + 0.008, table.low - 0.006, front)
        drawers(assembly, fronts, 1, frame, draw.metal(), pull="knob")
    elif shape in ("square", "tapered", "turned"):
        drop = 0.07 if table.width > 0.7 else 0.05
        z = table.low - drop / 2
        for side in _SIDES:
            assembly.box((x, 0.02, drop), (0.0, side * y / 2, z), material)
            assembly.box((0.02, y, drop), (side * x / 2, 0.0, z), material)
    if shape != "hairpin" and draw.chance("shelf"):
        level = 0.3 * table.height
        wider = 2.0 * SPLAY * (table.low - level) if shape == "splayed" else 0.0
        assembly.box((x + wider, y + wider, 0.02), (0.0, 0.0, level), frame)
        free = (x / 2 - table.leg, y / 2 - table.leg)
        gap = table.low - drop - level - 0.01
        assembly.surface(-free[0], -free[1], free[0], free[1], level + 0.01, gap)


def _trestle(assembly: Assembly, table: _Table, frame: Material) -> None:
    """A broad foot, post and bearer at each end, joined by a rail."""
    x = table.width / 2 - 0.26
    for side in _SIDES:
        assembly.box((0.09, table.depth - 0.2, 0.06), (side * x, 0.0, 0.03), frame, rounding=0.008, segments=1)
        assembly.box((0.07, 0.16, table.low - 0.1), (side * x, 0.0, table.low / 2), frame)
        assembly.box((0.07, table.depth - 0.24, 0.06), (side * x, 0.0, table.low - 0.03), frame)
    assembly.box((2 * x, 0.035, 0.12), (0.0, 0.0, 0.4 * table.low), frame)


def _nook(assembly: Assembly, table: _Table, frame: Material) -> None:
    """Sides and a back down to the floor, open in front, a board above the floor and one in the middle."""
    board = 0.02
    x, y = (table.width - board) / 2 - 0.01, table.depth / 2 - 0.01
    for side in _SIDES:
        assembly.box((board, 2 * y, table.low), (side * x, 0.0, table.low / 2), frame)
    low, middle = 0.07, 0.5 * table.low
    assembly.box((2 * x, board, table.low - low), (0.0, y - board / 2, (table.low + low) / 2), frame)
    for z, gap in ((low, middle - low), (middle, table.low - middle)):
        assembly.box((2 * x, 2 * y, board), (0.0, 0.0, z - board / 2), frame)
        free = x - board / 2 - _EDGE
        assembly.surface(-free, _EDGE - y, free, y - board - _EDGE, z, gap - board)


def _waterfall(assembly: Assembly, table: _Table, frame: Material) -> None:
    """The top turned down at its ends to the floor."""
    for side in _SIDES:
        size = (table.thick, table.depth, table.low + 0.004)
        assembly.box(size, (side * (table.width - table.thick) / 2, 0.0, size[2] / 2), frame)


def _slab(assembly: Assembly, table: _Table, frame: Material) -> None:
    """A broad board across each end, joined by a rail."""
    x, half = table.width / 2 - 0.2, table.depth / 2 - 0.08
    view = [(0.12 - half, 0.0), (half - 0.12, 0.0), (half, table.low), (-half, table.low)]
    for side in _SIDES:
        assembly.loft(view, view, -0.03, 0.03, frame, at=upright((side * x, 0.0, 0.0)))
    assembly.box((2 * x, 0.035, 0.14), (0.0, 0.0, 0.62 * table.low), frame)


def _round_table(draw: Draw, assembly: Assembly, table: _Table, top: Material, frame: Material) -> None:
    """A disc on a pillar or legs."""
    radius = 0.56 * table.depth
    edge, low = 0.006, table.low
    rim = [(radius - edge, low), (radius, low + edge), (radius, table.height - edge), (radius - edge, table.height)]
    assembly.lathe([(0.0, low), *rim, (0.0, table.height)], top, sides=36)
    half = radius * 0.69
    assembly.surface(-half, -half, half, half, table.height)
    shape = draw.shape("stand")
    if shape == "posts":
        count = 3 if draw.rng.random() < 0.4 else 4
        for i in range(count):
            turn = rotation("z", 2.0 * math.pi * (i + 0.5) / count)
            path = [(0.72 * radius, 0.0, 0.0), (0.6 * radius, 0.0, low)]
            assembly.tube(path, [0.3 * table.leg, 0.5 * table.leg], frame, sides=10, at=turn)
        if draw.chance("shelf"):
            level, r = 0.35 * table.height, 0.72 * radius
            assembly.lathe([(0.0, level - 0.018), (r, level - 0.018), (r, level), (0.0, level)], top, sides=28)
            assembly.surface(-0.4 * r, -0.4 * r, 0.4 * r, 0.4 * r, level, low - level)
        return
    stem = 0.018 + 0.05 * radius
    feet = {
        "pillar": [(0.62 * radius, 0.0), (0.62 * radius, 0.02), (1.2 * stem, 0.05), (stem, 0.09), (stem, low)],
        "tulip": [
            (0.68 * radius, 0.0),
            (0.66 * radius, 0.012),
            (0.4 * radius, 0.035),
            (1.5 * stem, 0.16 * low),
            (0.8 * stem, 0.5 * low),
            (1.2 * stem, 0.86 * low),
            (0.4 * radius, low),
        ],
        "cone": [(0.66 * radius, 0.0), (0.66 * radius, 0.03), (0.34 * radius, low)],
        "drum": [(0.84 * radius, 0.0), (0.84 * radius, low)],
    }
    material = draw.white if shape == "tulip" and draw.rng.random() < 0.6 else frame
    assembly.lathe([(0.0, 0.0), *feet[shape], (0.0, low)], material, sides=24, crease=35.0)


def desk(draw: Draw) -> Model:
    """To work at, with drawers."""
    assembly = Assembly("Desk")
    width, depth, height, thick = (draw.size(name) for name in ("width", "depth", "height", "thick"))
    top, body = draw.timber(), draw.timber(0.5)
    assembly.box((width, depth, thick), (0.0, 0.0, height - thick / 2), top, rounding=0.006, segments=1)
    table = _Table(width, depth, height, thick, 0.04, 0.0)
    shape = draw.shape("build")
    back = DESKS[shape](draw, assembly, table, body)
    reach = width / 2 - _EDGE
    assembly.surface(-reach, _EDGE - depth / 2, reach, depth / 2 - back - _EDGE, height)
    return assembly.model(30.0)


def _pedestal(draw: Draw, assembly: Assembly, table: _Table, x: float, body: Material) -> None:
    """A column of drawers down to the floor, its middle at x."""
    wide, deep = draw.size("pedestal"), table.depth - 0.05
    assembly.box((wide, deep, table.low), (x, 0.0, table.low / 2), body)
    column = Fronts(x - wide / 2 + 0.01, x + wide / 2 - 0.01, 0.05, table.low - 0.01, -deep / 2)
    drawers(assembly, column, draw.count("drawers"), body, draw.metal(), pull=draw.shape("pull"))


def _pedestal_desk(draw: Draw, assembly: Assembly, table: _Table, body: Material) -> float:
    """A board at one end, drawers at the other."""
    side = -1.0 if draw.rng.random() < 0.5 else 1.0
    _pedestal(draw, assembly, table, side * (table.width / 2 - 0.23), body)
    size = (0.035, table.depth - 0.04, table.low)
    assembly.box(size, (-side * (table.width / 2 - 0.035), 0.0, table.low / 2), body)
    return _back_panel(assembly, table, body)


def _twin_desk(draw: Draw, assembly: Assembly, table: _Table, body: Material) -> float:
    """Drawers at both ends."""
    for side in _SIDES:
        _pedestal(draw, assembly, table, side * (table.width / 2 - 0.23), body)
    return _back_panel(assembly, table, body)


def _back_panel(assembly: Assembly, table: _Table, body: Material) -> float:
    assembly.box((table.width - 0.1, 0.02, 0.3), (0.0, table.depth / 2 - 0.06, table.low - 0.15), body)
    return 0.0


def _sawhorse_desk(draw: Draw, assembly: Assembly, table: _Table, body: Material) -> float:
    """A trestle of slanting legs at one end, a chest of drawers on legs at the other."""
    side = -1.0 if draw.rng.random() < 0.5 else 1.0
    frame = draw.wood()
    x, half = -side * (table.width / 2 - 0.22), table.depth / 2 - 0.06
    assembly.box((0.05, table.depth - 0.1, 0.05), (x, 0.0, table.low - 0.025), frame)
    for sx in _SIDES:
        for sy in _SIDES:
            path = [(x + 0.16 * sx, sy * half, 0.0), (x + 0.012 * sx, sy * half, table.low - 0.02)]
            assembly.tube(path, 0.018, frame, sides=6)
        assembly.tube([(x + 0.12 * sx, -half, 0.2), (x + 0.12 * sx, half, 0.2)], 0.011, frame, sides=6)
    wide, tall = draw.size("pedestal"), 0.5
    low = table.low - tall
    x = side * (table.width / 2 - wide / 2 - 0.04)
    assembly.box((wide, table.depth - 0.08, tall), (x, 0.0, low + tall / 2), body)
    column = Fronts(x - wide / 2 + 0.01, x + wide / 2 - 0.01, low + 0.01, table.low - 0.01, 0.04 - table.depth / 2)
    drawers(assembly, column, draw.count("drawers") + 1, body, draw.metal(), pull=draw.shape("pull"))
    for y in _SIDES:
        for edge in _SIDES:
            centre = (x + edge * (wide / 2 - 0.03), y * (table.depth / 2 - 0.08), low / 2)
            assembly.box((0.03, 0.03, low), centre, frame)
    return 0.0


def _secretary(draw: Draw, assembly: Assembly, table: _Table, body: Material) -> float:
    """Flat drawers under the top, pigeonholes along its back, on slanting legs."""
    deep, tall, board = 0.13, 0.13, 0.014
    wide = table.width - 0.06
    box_low = table.low - 0.12
    assembly.box((wide, table.depth - 0.06, 0.12), (0.0, 0.0, table.low - 0.06), body)
    fronts = Fronts(0.01 - wide / 2, wide / 2 - 0.01, box_low + 0.008, table.low - 0.006, 0.03 - table.depth / 2)
    columns = 1 + draw.count("drawers")
    drawers(assembly, fronts, 1, body, draw.metal(), columns=columns, pull=draw.shape("pull"))
    legs(assembly, "splayed", (wide - 0.14, table.depth - 0.24), box_low, 0.05, draw.wood())
    y = table.depth / 2 - deep / 2 - 0.005
    for level in (0.0, tall):
        assembly.box((wide, deep, board), (0.0, y, table.height + level + board / 2), body)
    assembly.box((wide, 0.01, tall), (0.0, y + deep / 2 - 0.005, table.height + tall / 2), body)
    for i in range(5):
        x = (i / 4.0 - 0.5) * (wide - board)
        assembly.box((board, deep, tall - board), (x, y, table.height + board + (tall - board) / 2), body)
    return deep + 0.01


ON_LEGS = ("square", "tapered", "turned", "splayed", "hairpin")
"""Shapes of legs that tables have at their corners."""

Support = Callable[[Assembly, _Table, Material], None]
SUPPORTS: Mapping[str, Support] = MappingProxyType(
    {"trestle": _trestle, "slab": _slab, "waterfall": _waterfall, "nook": _nook}
)
"""What carries a rectangular top other than four legs."""

DESKS: Mapping[str, Callable[[Draw, Assembly, _Table, Material], float]] = MappingProxyType(
    {"pedestal": _pedestal_desk, "twin": _twin_desk, "sawhorse": _sawhorse_desk, "secretary": _secretary}
)
"""What carries a desk's top; gives the depth that it takes of the top's back, metres."""
