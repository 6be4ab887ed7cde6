"""Furniture that shows what it holds: shelving units and carts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flowbench.geometry import compose
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .legs import CORNERS, upright

_SIDES = (-1.0, 1.0)
_LOW = 0.05
"""Height of the lowest board's middle, metres."""


@dataclass(frozen=True)
class _Unit:
    """What every build of a shelving unit is made to; metres."""

    width: float
    depth: float
    levels: int
    pitch: float
    board: float
    body: Material

    @property
    def height(self) -> float:
        """Of the topmost board's upper side."""
        return _LOW + self.levels * self.pitch + self.board / 2


def shelving_unit(draw: Draw) -> Model:
    """Open shelves, partly filled with books; each board keeps a free end."""
    unit = _Unit(
        draw.size("width"),
        draw.size("depth"),
        draw.count("levels"),
        draw.size("pitch"),
        draw.size("board"),
        draw.timber(0.4),
    )
    assembly = Assembly("ShelvingUnit")
    SHELVES[draw.shape("build")](draw, assembly, unit)
    return assembly.model(22.0 + 4.0 * unit.levels)


def _boards(draw: Draw, assembly: Assembly, unit: _Unit) -> None:
    """Boards between the sides, books on them, the top free."""
    inner = unit.width - 2 * unit.board
    for level in range(unit.levels + 1):
        z = _LOW + level * unit.pitch
        assembly.box((inner, unit.depth - 0.012, unit.board), (0.0, -0.004, z), unit.body)
        floor = z + unit.board / 2
        if level == unit.levels:
            x, y = unit.width / 2 - 0.03, unit.depth / 2 - 0.02
            assembly.surface(-x, -y, x, y - 0.01, floor)
        else:
            space = (inner, unit.depth, unit.pitch - unit.board)
            _books(draw, assembly, space, (0.0, -unit.depth / 2, floor))


def _bookcase(draw: Draw, assembly: Assembly, unit: _Unit) -> None:
    """Closed sides and a back."""
    for side in _SIDES:
        centre = (side * (unit.width - unit.board) / 2, 0.0, unit.height / 2)
        assembly.box((unit.board, unit.depth, unit.height), centre, unit.body)
    size = (unit.width - 2 * unit.board, 0.01, unit.height - _LOW)
    assembly.box(size, (0.0, unit.depth / 2 - 0.006, (unit.height + _LOW) / 2), unit.body)
    _boards(draw, assembly, unit)


def _posts(draw: Draw, assembly: Assembly, unit: _Unit) -> None:
    """Four metal posts, open all round."""
    metal = draw.metal()
    for x, y in CORNERS:
        centre = (x * (unit.width - unit.board) / 2, y * (unit.depth - unit.board) / 2, unit.height / 2)
        assembly.box((unit.board, unit.board, unit.height), centre, metal)
    _boards(draw, assembly, unit)


def _ladder(draw: Draw, assembly: Assembly, unit: _Unit) -> None:
    """Boards that get shallower upwards, between rails that lean back."""
    half, rail, height = unit.depth / 2, 0.035, unit.height + 0.06
    shallow = 0.45 * unit.depth
    for side in _SIDES:
        at = upright((side * (unit.width - 0.028) / 2, 0.0, 0.0))
        lean = [(-half, 0.0), (rail - half, 0.0), (half - shallow + rail, height), (half - shallow, height)]
        assembly.loft(lean, lean, -0.014, 0.014, unit.body, at=at)
        post = [(half - rail, 0.0), (half, 0.0), (half, height), (half - rail, height)]
        assembly.loft(post, post, -0.014, 0.014, unit.body, at=at)
    inner = unit.width - 0.056
    for level in range(unit.levels + 1):
        z = _LOW + 0.1 + level * (unit.pitch - 0.03)
        front = -half + (unit.depth - shallow) * z / height
        deep = half - front
        assembly.box((inner, deep - 0.004, unit.board), (0.0, (front + half) / 2, z), unit.body)
        floor = z + unit.board / 2
        if level == unit.levels:
            x = inner / 2 - 0.02
            assembly.surface(-x, front + 0.03, x, half - 0.02, floor)
        else:
            _books(draw, assembly, (inner, deep, unit.pitch - 0.03 - unit.board), (0.0, front, floor))


def _cubes(draw: Draw, assembly: Assembly, unit: _Unit) -> None:
    """Two columns of square cells, some with books, some with baskets."""
    cell = (unit.width - 3 * unit.board) / 2
    pitch = cell + unit.board
    height = unit.levels * pitch + unit.board
    for x in (-pitch, 0.0, pitch):
        assembly.box((unit.board, unit.depth, height), (x, 0.0, height / 2), unit.body)
    for level in range(unit.levels + 1):
        size = (unit.width, unit.depth, unit.board)
        assembly.box(size, (0.0, 0.0, unit.board / 2 + level * pitch), unit.body)
    x, y = unit.width / 2 - 0.02, unit.depth / 2 - 0.02
    assembly.surface(-x, -y, x, y, height)
    cloth = draw.cloth(patterned=False)
    for level in range(unit.levels):
        floor = unit.board + level * pitch
        for side in _SIDES:
            middle = side * pitch / 2
            kind = draw.rng.random()
            if kind < 0.3:
                tall, deep = 0.86 * cell, unit.depth - 0.03
                size = (cell - 0.02, deep, tall)
                assembly.box(size, (middle, 0.0, floor + tall / 2), cloth, rounding=0.012, segments=1)
                grip = (0.09, 0.006, 0.03)
                assembly.box(grip, (middle, -deep / 2 - 0.002, floor + 0.7 * tall), draw.dark, solid=False)
            elif kind < 0.6 or (level == 0 and side > 0.0):
                x, y = middle + cell / 2 - 0.02, unit.depth / 2 - 0.02
                assembly.surface(middle - cell / 2 + 0.02, -y, x, y, floor, cell)
            else:
                _books(draw, assembly, (cell, unit.depth, cell), (middle, -unit.depth / 2, floor))


def _books(
    draw: Draw, assembly: Assembly, space: tuple[float, float, float], corner: tuple[float, float, float]
) -> None:
    """A row of books from one end of a board; what is left of it is a surface.

    ``space`` is (x, y, z) of what is free, metres; ``corner`` the middle of its lower front edge.
    """
    (inner, depth, gap), (middle, front, floor) = space, corner
    filled = inner * draw.between(0.35, 0.75) if draw.chance("books") else 0.0
    sign = 1.0 if draw.rng.random() < 0.5 else -1.0
    x, tallest, deepest = 0.0, 0.0, 0.0
    while filled - x > 0.045:
        thick, tall = draw.between(0.022, 0.05), gap * draw.between(0.6, 0.88)
        deep = min(draw.between(0.17, 0.22), depth - 0.03)
        cover = Material(draw.shape("spine"), draw.colour((0.25, 0.6), (0.45, 0.9)), 0.7, 0.0, 1.0 / tall)
        place = (middle + (x + thick / 2 - inner / 2) * sign, front + 0.02 + deep / 2, floor + tall / 2)
        assembly.box((thick - 0.002, deep, tall), place, cover, solid=False)
        x, tallest, deepest = x + thick, max(tallest, tall), max(deepest, deep)
    if x > 0.0:
        place = (middle + (x / 2 - inner / 2) * sign, front + 0.02 + deepest / 2, floor + tallest / 2)
        assembly.block((x, deepest, tallest), place)
    low, high = x - inner / 2 + 0.02, inner / 2 - 0.02
    if high - low > 0.08:
        x0, x1 = sorted((middle + low * sign, middle + high * sign))
        assembly.surface(x0, front + 0.02, x1, front + depth - 0.03, floor, gap)


def cart(draw: Draw) -> Model:
    """Trays on wheels with a handle to push."""
    assembly = Assembly("Cart")
    size = (draw.size("width"), draw.size("depth"), draw.size("height"))
    CARTS[draw.shape("build")](draw, assembly, size, draw.size("wheel"))
    return assembly.model(9.0)


def _tray(assembly: Assembly, size: tuple[float, float], z: float, gap: float, tray: Material, rim: Material) -> None:
    """A board with a low rim, its upper side at z; free above up to ``gap`` metres."""
    width, depth = size
    lip = 0.013
    assembly.box((width, depth, 0.016), (0.0, 0.0, z - 0.008), tray)
    for side in _SIDES:
        assembly.box((width, lip, 0.03), (0.0, side * (depth - lip) / 2, z - 0.002), rim, solid=False)
        assembly.box((lip, depth, 0.03), (side * (width - lip) / 2, 0.0, z - 0.002), rim, solid=False)
    assembly.surface(0.04 - width / 2, 0.04 - depth / 2, width / 2 - 0.04, depth / 2 - 0.04, z, gap)


def _trays(draw: Draw, assembly: Assembly, size: tuple[float, float, float], wheel: float) -> None:
    """Three trays between posts on four castors, a bar at one end."""
    (width, depth, height), post = size, 0.011
    frame = draw.metal() if draw.rng.random() < 0.6 else draw.lacquer()
    tray = frame if draw.rng.random() < 0.5 else draw.timber(0.5)
    x, y = width / 2 - post, depth / 2 - post
    for sx, sy in CORNERS:
        _castor(assembly, (sx * x, sy * y), wheel, draw.dark, frame)
        top = height if sx > 0.0 else height - 0.1
        assembly.tube([(sx * x, sy * y, 2 * wheel), (sx * x, sy * y, top)], post, frame)
    assembly.tube([(x, -y, height - post), (x, y, height - post)], post, frame)
    levels = draw.count("levels")
    low = 2 * wheel + 0.06
    pitch = (height - 0.12 - low) / (levels - 1)
    for level in range(levels):
        gap = pitch - 0.02 if level < levels - 1 else 10.0
        _tray(assembly, (width - post, depth - post), low + level * pitch, gap, tray, frame)


_ON_FLAT = rotation("z", math.pi / 16)
"""Turns the parts of a wheel so that it stands on a flat side of them."""


def _castor(assembly: Assembly, at: tuple[float, float], radius: float, tyre: Material, fork: Material) -> None:
    x, y = at
    profile = [(0.0, 0.0), (radius, 0.0), (radius, 0.022), (0.0, 0.022)]
    assembly.lathe(profile, tyre, sides=20, at=compose(rotation("x", math.pi / 2, (x, y + 0.011, radius)), _ON_FLAT))
    assembly.box((0.03, 0.03, radius), (x, y, 1.6 * radius), fork, solid=False)


def _wheeled(draw: Draw, assembly: Assembly, size: tuple[float, float, float], wheel: float) -> None:
    """Two trays on two large wheels and two legs, a bow to push at one end."""
    (width, depth, height), rod = size, 0.012
    metal, tray = draw.metal(), draw.timber(0.3)
    x, y = width / 2 - 0.07, depth / 2 - 0.02
    levels = draw.count("levels")
    low, top = 2 * wheel + 0.03, height - 0.1
    for sy in _SIDES:
        assembly.tube([(-x, sy * y, 0.0), (-x, sy * y, top + 0.03)], rod, metal)
        assembly.tube([(x, sy * y, wheel), (x, sy * y, top), (x + 0.1, sy * y, height)], rod, metal, spans=2)
        _wheel(assembly, (x, sy * (y + 0.028)), wheel, draw.dark, metal)
    assembly.tube([(x + 0.1, -y, height), (x + 0.1, y, height)], 1.15 * rod, tray)
    assembly.tube([(x, -y, wheel), (x, y, wheel)], 0.7 * rod, metal, sides=6)
    for level in range(levels):
        z = low + (top - low) * level / (levels - 1)
        gap = top - low - 0.02 if level < levels - 1 else 10.0
        _tray(assembly, (2 * x, 2 * y), z, gap, tray, metal)


def _wheel(assembly: Assembly, at: tuple[float, float], radius: float, tyre: Material, hub: Material) -> None:
    """A tyre round a bright disc."""
    x, y = at
    disc = compose(rotation("x", math.pi / 2, (x, y + 0.011, radius)), _ON_FLAT)
    assembly.lathe([(0.0, 0.0), (radius, 0.0), (radius, 0.022), (0.0, 0.022)], tyre, sides=20, at=disc)
    for side in _SIDES:
        face = [(0.72 * radius, 0.0), (0.15 * radius, 0.003), (0.0, 0.008)]
        at_side = rotation("x", side * math.pi / 2, (x, y - side * 0.0115, radius))
        assembly.lathe(face, hub, sides=16, at=at_side, solid=False)


SHELVES: Mapping[str, Callable[[Draw, Assembly, _Unit], None]] = MappingProxyType(
    {"bookcase": _bookcase, "open": _posts, "ladder": _ladder, "cubes": _cubes}
)
CARTS: Mapping[str, Callable[[Draw, Assembly, tuple[float, float, float], float], None]] = MappingProxyType(
    {"trays": _trays, "wheeled": _wheeled}
)
