"""Kitchen counters: base units with a worktop, a sink, or a cooker."""

from __future__ import annotations

import math
from dataclasses import dataclass

from flowbench.rendering import Material
from flowbench.rendering.placing import Vector

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .fittings import Fronts, doors, drawers
from .tints import pane, tinted

_PLINTH = 0.1


@dataclass(frozen=True)
class _Unit:
    """A base unit: its extents, its worktop's thickness and its materials."""

    width: float
    depth: float
    height: float
    thick: float
    body: Material
    grip: Material
    top: Material
    pull: str

    @property
    def front(self) -> float:
        """Where fronts lie, y."""
        return -self.depth / 2 + 0.03

    @property
    def under(self) -> float:
        """Lower side of the worktop, z."""
        return self.height - self.thick


def counter_top(draw: Draw) -> Model:
    """A base unit with a worktop: plain, with a sink, or with a cooker; in each style's fronts and fittings."""
    assembly = Assembly("CounterTop")
    stone = draw.wood() if draw.chance("wooden_top") else draw.stone()
    sizes = (draw.size("width"), draw.size("depth"), draw.size("height"), draw.size("thick"))
    unit = _Unit(*sizes, draw.timber(0.7), draw.metal(), stone, draw.shape("pull"))
    inner = unit.under - _PLINTH
    dark = Material("plain", draw.palette.dark, 0.7)
    assembly.box((unit.width, unit.depth - 0.08, _PLINTH), (0.0, 0.03, _PLINTH / 2), dark)
    assembly.block((unit.width, unit.depth - 0.03, inner), (0.0, 0.015, _PLINTH + inner / 2))
    kind, special = draw.shape("kind"), draw.size("special")
    waterfall = draw.chance("waterfall")
    if kind in ("plain", "island"):
        _carcass(assembly, unit, (-unit.width / 2, unit.width / 2))
        _fronts(assembly, draw, unit, (-unit.width / 2, unit.width / 2))
        _worktop(assembly, unit, waterfall=kind == "island" or waterfall)
        _splash(assembly, draw, unit)
        _surface(assembly, unit, (-unit.width / 2, unit.width / 2))
        return assembly.model(80.0)
    left = draw.chance("left")
    start = -unit.width / 2 if left else unit.width / 2 - special
    rest = (start + special, unit.width / 2) if left else (-unit.width / 2, start)
    _carcass(assembly, unit, rest)
    _fronts(assembly, draw, unit, rest)
    _surface(assembly, unit, rest)
    bay = (start, start + special)
    _carcass(assembly, unit, bay, _BASINS.get(kind, 0.0))
    _KINDS[kind](assembly, draw, unit, bay)
    return assembly.model(90.0)


def _carcass(assembly: Assembly, unit: _Unit, across: tuple[float, float], deep: float = 0.0) -> None:
    """What is seen between fronts and worktop, cut off ``deep`` below the worktop's upper side for a basin."""
    high = min(unit.under, unit.height - deep) - _PLINTH
    size = (across[1] - across[0], unit.depth - 0.03, high)
    assembly.box(size, ((across[0] + across[1]) / 2, 0.015, _PLINTH + high / 2), unit.body, solid=False)
    if deep > 0.0:
        for y, thick in ((-unit.depth / 2 + 0.034, 0.008), (unit.depth / 2 - 0.004, 0.008)):
            board = (size[0], thick, unit.under - _PLINTH - high)
            assembly.box(board, ((across[0] + across[1]) / 2, y, unit.under - board[2] / 2), unit.body, solid=False)
        for x in (across[0] + 0.004, across[1] - 0.004):
            board = (0.008, size[1], unit.under - _PLINTH - high)
            assembly.box(board, (x, 0.015, unit.under - board[2] / 2), unit.body, solid=False)


def _surface(assembly: Assembly, unit: _Unit, across: tuple[float, float]) -> None:
    half = unit.depth / 2 - 0.03
    assembly.surface(across[0] + 0.03, -half, across[1] - 0.03, half, unit.height)


def _worktop(assembly: Assembly, unit: _Unit, *, waterfall: bool = False) -> None:
    """A slab over everything; as a waterfall it runs down both ends to the floor."""
    size = (unit.width, unit.depth, unit.thick)
    assembly.box(size, (0.0, 0.0, unit.height - unit.thick / 2), unit.top, rounding=0.005, segments=1)
    if waterfall:
        for side in (-1.0, 1.0):
            end = (unit.thick, unit.depth, unit.under + 0.005)
            centre = (side * (unit.width + unit.thick - 0.01) / 2, 0.0, end[2] / 2)
            assembly.box(end, centre, unit.top)
            over = (unit.thick, unit.depth, unit.thick)
            assembly.box(over, (centre[0], 0.0, unit.height - unit.thick / 2), unit.top)


def _splash(assembly: Assembly, draw: Draw, unit: _Unit) -> None:
    """A tiled strip along the back, by which one knows a plain unit for a kitchen's."""
    high = draw.size("splash_height")
    tiles = Material(draw.shape("splash"), draw.palette.porcelain, 0.25, 0.0, 2.5)
    size = (unit.width, 0.014, high)
    assembly.box(size, (0.0, unit.depth / 2 - 0.007, unit.height + high / 2 - 0.002), tiles)


def _fronts(assembly: Assembly, draw: Draw, unit: _Unit, across: tuple[float, float]) -> None:
    """What closes the unit below its worktop, in the style's way."""
    x0, x1 = across[0] + 0.01, across[1] - 0.01
    z0, z1 = _PLINTH + 0.005, unit.under - 0.005
    count = max(1, math.floor((x1 - x0) / draw.size("door") + 0.5))
    way = draw.shape("fronts")
    if way == "drawers and doors":
        split = z1 - 0.155
        top, low = Fronts(x0, x1, split, z1, unit.front), Fronts(x0, x1, z0, split, unit.front)
        drawers(assembly, top, 1, unit.body, unit.grip, columns=count, pull=unit.pull)
        doors(assembly, low, count, unit.body, unit.grip, pull=unit.pull)
    elif way == "doors":
        doors(assembly, Fronts(x0, x1, z0, z1, unit.front), count, unit.body, unit.grip, pull=unit.pull)
    elif way == "deep drawers":
        columns = max(1, count // 2)
        whole = Fronts(x0, x1, z0, z1, unit.front)
        drawers(assembly, whole, draw.count("rows"), unit.body, unit.grip, columns=columns, pull=unit.pull)
    else:
        split = x0 + (x1 - x0) * 0.5
        drawers(assembly, Fronts(x0, split, z0, z1, unit.front), 4, unit.body, unit.grip, pull=unit.pull)
        doors(assembly, Fronts(split, x1, z0, z1, unit.front), max(1, count // 2), unit.body, unit.grip, pull=unit.pull)


def _below(assembly: Assembly, unit: _Unit, bay: tuple[float, float], high: float) -> None:
    """Two doors under a sink, up to ``high``."""
    fronts = Fronts(bay[0] + 0.01, bay[1] - 0.01, _PLINTH + 0.005, high, unit.front)
    doors(assembly, fronts, 2, unit.body, unit.grip, pull=unit.pull)


def _strips(assembly: Assembly, unit: _Unit, hole: tuple[float, float, float, float]) -> None:
    """The worktop round a hole (west, east, south, north); it collides as if it had none."""
    west, east, south, north = hole
    half_x, half_y, z = unit.width / 2, unit.depth / 2, unit.height - unit.thick / 2
    pieces = [(-half_x, west, -half_y, half_y), (east, half_x, -half_y, half_y)]
    pieces += [(west, east, -half_y, south), (west, east, north, half_y)]
    for x0, x1, y0, y1 in pieces:
        if x1 - x0 > 0.002 and y1 - y0 > 0.002:
            size = (x1 - x0, y1 - y0, unit.thick)
            assembly.box(size, ((x0 + x1) / 2, (y0 + y1) / 2, z), unit.top, solid=False)
    assembly.block((unit.width, unit.depth, unit.thick), (0.0, 0.0, z))


def _basin(
    assembly: Assembly,
    hole: tuple[float, float, float, float],
    rim: float,
    span: tuple[float, float],
    material: Material,
) -> None:
    """Four walls and a floor from z span[0] to span[1], metres; does not collide."""
    west, east, south, north = hole
    low, high = span
    x, y, z = (west + east) / 2, (south + north) / 2, (low + high) / 2
    for side in (-1.0, 1.0):
        wall = (rim, north - south, high - low)
        assembly.box(wall, (x + side * (east - west - rim) / 2, y, z), material, solid=False)
        wall = (east - west, rim, high - low)
        assembly.box(wall, (x, y + side * (north - south - rim) / 2, z), material, solid=False)
    assembly.box((east - west, north - south, 0.01), (x, y, low + 0.005), material, solid=False)


def _sink(assembly: Assembly, draw: Draw, unit: _Unit, bay: tuple[float, float]) -> None:
    """A steel basin let into the worktop."""
    _below(assembly, unit, bay, unit.under - 0.005)
    middle = (bay[0] + bay[1]) / 2
    wide, deep = 0.22, 0.18
    hole = (middle - wide, middle + wide, -0.03 - deep, -0.03 + deep)
    _strips(assembly, unit, hole)
    _basin(assembly, hole, 0.012, (unit.height - 0.15, unit.height + 0.004), draw.steel)
    _spout(assembly, draw.steel, (middle, hole[3] + 0.05, unit.height), 0.265)


def _farmhouse(assembly: Assembly, draw: Draw, unit: _Unit, bay: tuple[float, float]) -> None:
    """A white trough whose front stands before the doors, with a bridge tap."""
    china, low = draw.porcelain, unit.height - 0.24
    _below(assembly, unit, bay, low - 0.01)
    hole = (bay[0] + 0.02, bay[1] - 0.02, -unit.depth / 2 - 0.02, unit.depth / 2 - 0.13)
    _strips(assembly, unit, (hole[0], hole[1], -unit.depth / 2, hole[3]))
    _basin(assembly, hole, 0.035, (low, unit.height + 0.006), china)
    front = (hole[1] - hole[0], 0.05, unit.height + 0.006 - low)
    assembly.block(front, ((hole[0] + hole[1]) / 2, hole[2] + 0.025, low + front[2] / 2))
    metal, x, y = draw.metal(), (bay[0] + bay[1]) / 2, hole[3] + 0.06
    for side in (-0.09, 0.09):
        post = [(0.0, 0.0), (0.02, 0.0), (0.012, 0.01), (0.012, 0.09), (0.0, 0.09)]
        assembly.lathe(post, metal, sides=12, at=(x + side, y, unit.height))
        assembly.box((0.05, 0.012, 0.012), (x + side, y, unit.height + 0.095), metal, rounding=0.004, segments=1)
    assembly.tube([(x - 0.09, y, unit.height + 0.06), (x + 0.09, y, unit.height + 0.06)], 0.009, metal)
    _spout(assembly, metal, (x, y, unit.height + 0.06), 0.22)


def _spout(assembly: Assembly, metal: Material, at: Vector, rise: float) -> None:
    """A swan's neck that reaches forward."""
    x, y, z = at
    foot = [(0.0, 0.0), (0.025, 0.0), (0.018, 0.03), (0.0, 0.03)]
    assembly.lathe(foot, metal, sides=14, at=at, solid=False)
    neck = [(0.0, 0.0), (0.0, 0.75), (-0.03, 0.94), (-0.09, 1.0), (-0.14, 0.9), (-0.15, 0.72)]
    assembly.tube([(x, y + dy, z + up * rise) for dy, up in neck], 0.011, metal, spans=3)


def _stove(assembly: Assembly, draw: Draw, unit: _Unit, bay: tuple[float, float]) -> None:
    """A glass hob over an oven."""
    _worktop(assembly, unit)
    x, y, height = (bay[0] + bay[1]) / 2, unit.front, unit.height
    z0, z1 = _PLINTH, unit.under
    enamel = draw.steel if draw.chance("steel_oven") else draw.white
    assembly.box((0.56, 0.5, 0.008), (x, 0.0, height + 0.003), pane(draw), solid=False)
    glow = tinted(draw, "ring_hue", (0.5, 0.6), (0.55, 0.65), 0.4)
    for dx, dy, r in ((-0.14, -0.12, 0.08), (0.14, -0.12, 0.1), (-0.14, 0.12, 0.1), (0.14, 0.12, 0.08)):
        ring = [(r, 0.0), (r - 0.012, 0.0)]
        assembly.lathe(ring, glow, sides=24, at=(x + dx, dy, height + 0.0085), solid=False)
    door, at = (0.58, 0.02, z1 - z0 - 0.01), (x, y - 0.009, (z0 + z1) / 2)
    assembly.box(door, at, enamel, rounding=0.004, segments=1)
    assembly.box((0.46, 0.004, 0.3), (x, y - 0.02, z0 + 0.27), pane(draw), solid=False)
    assembly.box((0.46, 0.012, 0.018), (x, y - 0.027, z0 + 0.47), draw.steel, rounding=0.005, segments=1, solid=False)
    for i in range(4):
        knob = (0.035, 0.012, 0.035)
        at = (x - 0.18 + 0.12 * i, y - 0.024, z1 - 0.07)
        assembly.box(knob, at, draw.dark, rounding=0.01, solid=False)


def _hob(assembly: Assembly, draw: Draw, unit: _Unit, bay: tuple[float, float]) -> None:
    """A black induction hob with white outlines over deep drawers."""
    _worktop(assembly, unit)
    x, z = (bay[0] + bay[1]) / 2, unit.height
    half = (bay[1] - bay[0]) / 2 - 0.02
    assembly.box((2 * half, 0.52, 0.008), (x, 0.0, z + 0.003), draw.dark, rounding=0.003, segments=1, solid=False)
    line = draw.white
    for dx, dy in ((-0.5, -0.11), (0.5, -0.11), (-0.5, 0.13), (0.5, 0.13)):
        centre, r = (x + dx * half, dy, z + 0.0078), 0.1
        assembly.lathe([(r, 0.0), (r - 0.006, 0.0)], line, sides=24, at=centre, solid=False)
        for size in ((0.06, 0.004, 0.0006), (0.004, 0.06, 0.0006)):
            assembly.box(size, centre, line, solid=False)
    for i in range(5):
        key = (0.018, 0.01, 0.0006)
        assembly.box(key, (x + (i - 2) * 0.06, -0.235, z + 0.0076), line, solid=False)
    fronts = Fronts(bay[0] + 0.01, bay[1] - 0.01, _PLINTH + 0.005, unit.under - 0.005, unit.front)
    drawers(assembly, fronts, 2, unit.body, unit.grip, pull=unit.pull)


_BASINS = {"sink": 0.16, "trough": 0.25}
"""How deep basins reach below the worktop's upper side, metres."""
_KINDS = {"sink": _sink, "stove": _stove, "trough": _farmhouse, "hob": _hob}
