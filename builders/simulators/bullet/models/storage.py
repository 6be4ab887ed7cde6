"""Furniture that encloses things: dressers, cabinets, television stands, safes."""

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
from .fittings import Fronts, add_pull, doors, drawers, panel, slab
from .legs import legs

_SIDES = (-1.0, 1.0)
_BOARD = 0.022
_EDGE = 0.02
"""What stands on a top keeps this far from its edge, metres."""


@dataclass(frozen=True)
class _Case:
    """A carcass on feet and the looks of its fronts; metres."""

    width: float
    depth: float
    height: float
    foot: float
    body: Material
    face: Material
    grip: Material
    front: str
    pull: str

    @property
    def low(self) -> float:
        """The underside."""
        return self.foot

    @property
    def top(self) -> float:
        """Where the lid begins."""
        return self.height - _BOARD

    def fronts(self, x0: float, x1: float, z0: float, z1: float) -> Fronts:
        """A part of the front, a little within the edges given."""
        return Fronts(x0 + 0.006, x1 - 0.006, z0 + 0.006, z1 - 0.006, 0.016 - self.depth / 2)


def _case(draw: Draw, assembly: Assembly, *, painted: float = 0.45, overhang: float = 0.0) -> _Case:
    """The lid and the feet of a carcass, its sizes drawn; ``overhang`` is how far the lid stands out."""
    width, depth, height = draw.size("width"), draw.size("depth"), draw.size("height")
    body = draw.timber(painted)
    face = body if draw.rng.random() < 0.6 else draw.timber(0.6)
    case = _Case(
        width, depth, height, draw.size("foot"), body, face, draw.metal(), draw.shape("front"), draw.shape("pull")
    )
    lid = (width + 2 * overhang, depth, _BOARD)
    assembly.box(lid, (0.0, 0.0, height - _BOARD / 2), body, rounding=0.005, segments=1)
    assembly.surface(_EDGE - width / 2, _EDGE - depth / 2, width / 2 - _EDGE, depth / 2 - _EDGE, height)
    feet = draw.shape("feet")
    inset = {"plinth": 0.05, "splayed": 0.16, "hairpin": 0.1}.get(feet, 0.09)
    metal = feet == "hairpin" or (feet == "sled" and draw.rng.random() < 0.6)
    material = case.grip if metal else draw.wood() if feet == "splayed" else body
    legs(assembly, feet, (width - inset, depth - inset), case.foot + 0.004, 0.045, material)
    return case


def _carcass(assembly: Assembly, case: _Case, x0: float, x1: float, z0: float, z1: float) -> None:
    """A closed box behind a part of the front."""
    size = (x1 - x0, case.depth - 0.02, z1 - z0)
    assembly.box(size, ((x0 + x1) / 2, 0.006, (z0 + z1) / 2), case.body)


def dresser(draw: Draw) -> Model:
    """A chest of drawers."""
    assembly = Assembly("Dresser")
    case = _case(draw, assembly, overhang=draw.size("overhang"))
    half = case.width / 2
    _carcass(assembly, case, -half, half, case.low, case.top)
    columns = max(1, int(case.width / draw.size("column")))
    fronts = case.fronts(-half, half, case.low, case.top)
    rows = draw.count("rows")
    drawers(assembly, fronts, rows, case.face, case.grip, columns=columns, pull=case.pull, front=case.front)
    return assembly.model(20.0 + 20.0 * case.width)


def cabinet(draw: Draw) -> Model:
    """A cupboard with doors."""
    assembly = Assembly("Cabinet")
    case = _case(draw, assembly, overhang=draw.size("overhang"))
    CABINETS[draw.shape("build")](assembly, case)
    return assembly.model(20.0 + 20.0 * case.width)


def _doors(assembly: Assembly, case: _Case) -> None:
    """Doors over the whole front."""
    half = case.width / 2
    _carcass(assembly, case, -half, half, case.low, case.top)
    fronts = case.fronts(-half, half, case.low, case.top)
    count = 2 if case.width < 0.92 else 3
    doors(assembly, fronts, count, case.face, case.grip, pull=case.pull, front=case.front)


def _drawer_over(assembly: Assembly, case: _Case) -> None:
    """A row of drawers above two doors."""
    half, split = case.width / 2, case.top - 0.17
    _carcass(assembly, case, -half, half, case.low, case.top)
    upper, lower = case.fronts(-half, half, split, case.top), case.fronts(-half, half, case.low, split)
    drawers(assembly, upper, 1, case.face, case.grip, columns=2, pull=case.pull)
    doors(assembly, lower, 2, case.face, case.grip, pull=case.pull, front=case.front)


def _sliding(assembly: Assembly, case: _Case) -> None:
    """Two doors, one running before the other, with sunk rings at their outer edges."""
    half = case.width / 2
    _carcass(assembly, case, -half, half, case.low, case.top)
    fronts = case.fronts(-half, half, case.low, case.top)
    wide, high = (fronts.x1 - fronts.x0) * 0.52, fronts.z1 - fronts.z0
    z = (fronts.z0 + fronts.z1) / 2
    for side, y in zip(_SIDES, (fronts.y, fronts.y - 0.016), strict=True):
        x = side * ((fronts.x1 - fronts.x0) / 2 - wide / 2)
        slab(assembly, Fronts(x - wide / 2, x + wide / 2, fronts.z0, fronts.z1, y), case.face)
        panel(assembly, (wide, high), (x, y, z), case.face, front=case.front)
        at = (x + side * (wide / 2 - 0.03), y - 0.014, z)
        add_pull(assembly, "ring", at, case.grip, room=high, lying=False)


def _niche(assembly: Assembly, case: _Case) -> None:
    """An open shelf above doors."""
    half, split = case.width / 2, case.top - 0.28
    _carcass(assembly, case, -half, half, case.low, split)
    _open(assembly, case, -half, half, split, case.top)
    doors(
        assembly,
        case.fronts(-half, half, case.low, split),
        4,
        case.face,
        case.grip,
        pull=case.pull,
        front=case.front,
    )


def _open(
    assembly: Assembly,
    case: _Case,
    x0: float,
    x1: float,
    z0: float,
    z1: float,
    *,
    boards: tuple[bool, bool] = (True, True),
) -> None:
    """An open compartment with a back and, where ``boards`` say so, boards at its left and right; free inside."""
    middle, deep, tall = (x0 + x1) / 2, case.depth - 0.02, z1 - z0
    z = (z0 + z1) / 2
    assembly.box((x1 - x0, 0.012, tall), (middle, case.depth / 2 - 0.012, z), case.body)
    for x, wanted in zip((x0 + _BOARD / 2, x1 - _BOARD / 2), boards, strict=True):
        if wanted:
            assembly.box((_BOARD, deep, tall), (x, 0.006, z), case.body)
    inset = _BOARD + _EDGE
    assembly.surface(x0 + inset, 0.03 - case.depth / 2, x1 - inset, case.depth / 2 - 0.04, z0, tall)


def tv_stand(draw: Draw) -> Model:
    """Low and long, partly open."""
    assembly = Assembly("TVStand")
    case = _case(draw, assembly)
    TV_STANDS[draw.shape("build")](draw, assembly, case)
    return assembly.model(26.0)


def _floor(assembly: Assembly, case: _Case, x0: float, x1: float, z: float) -> float:
    """A board whose underside is at z; gives its upper side."""
    assembly.box((x1 - x0, case.depth - 0.02, _BOARD), ((x0 + x1) / 2, 0.006, z + _BOARD / 2), case.body)
    return z + _BOARD


def _player(draw: Draw, assembly: Assembly, case: _Case, x: float, z: float) -> None:
    """Perhaps a flat machine under the television."""
    if draw.chance("player"):
        size = (0.34, 0.22, 0.05)
        y = 0.02
        assembly.box(size, (x, y, z + 0.025), draw.dark, rounding=0.004, segments=1)
        light = Material("plain", draw.palette.steel, 0.3, emission=0.3)
        assembly.box((0.06, 0.004, 0.014), (x + 0.1, y - 0.11, z + 0.028), light, solid=False)


def _flanked(draw: Draw, assembly: Assembly, case: _Case) -> None:
    """An open middle between two doors."""
    half, side = case.width / 2, case.width * draw.size("share")
    for sign in _SIDES:
        x0, x1 = sorted((sign * half, sign * (half - side)))
        _carcass(assembly, case, x0, x1, case.low, case.top)
        fronts = case.fronts(x0, x1, case.low, case.top)
        doors(assembly, fronts, 1, case.face, case.grip, pull=case.pull, front=case.front)
    x = half - side
    level = _floor(assembly, case, -x, x, case.low)
    _middle(draw, assembly, case, x, level)


def _middle(draw: Draw, assembly: Assembly, case: _Case, x: float, level: float) -> None:
    """The open compartment from -x to x above ``level``, split by a shelf if it is high."""
    _player(draw, assembly, case, -x / 2, level)
    assembly.box((2 * x, 0.012, case.top - level), (0.0, case.depth / 2 - 0.012, (case.top + level) / 2), case.body)
    x0 = -x / 2 + 0.19
    assembly.surface(x0, 0.03 - case.depth / 2, x - 0.03, case.depth / 2 - 0.04, level, case.top - level)


def _lowboard(draw: Draw, assembly: Assembly, case: _Case) -> None:
    """An open shelf along the top, drawers below."""
    half = case.width / 2
    split = case.low + 0.5 * (case.top - case.low)
    _carcass(assembly, case, -half, half, case.low, split)
    fronts = case.fronts(-half, half, case.low, split)
    columns = 2 if case.width < 1.3 else 3
    drawers(assembly, fronts, 1, case.face, case.grip, columns=columns, pull=case.pull, front=case.front)
    for x in (-half, 0.0, half):
        centre = (x - math.copysign(_BOARD / 2, x) if x else 0.0, 0.006, (split + case.top) / 2)
        assembly.box((_BOARD, case.depth - 0.02, case.top - split), centre, case.body)
    _player(draw, assembly, case, -half / 2, split)
    gap = case.top - split
    assembly.box((case.width, 0.012, gap), (0.0, case.depth / 2 - 0.012, split + gap / 2), case.body)
    assembly.surface(0.04, 0.03 - case.depth / 2, half - 0.05, case.depth / 2 - 0.04, split, gap)


def _bridge(draw: Draw, assembly: Assembly, case: _Case) -> None:
    """Drawers at one end only, the rest open over a floor board."""
    half, side = case.width / 2, case.width * draw.size("share")
    _carcass(assembly, case, half - side, half, case.low, case.top)
    fronts = case.fronts(half - side, half, case.low, case.top)
    drawers(assembly, fronts, 2, case.face, case.grip, pull=case.pull, front=case.front)
    level = _floor(assembly, case, -half, half - side, case.low)
    x1 = half - side
    for x in (-half + _BOARD / 2, (x1 - half) / 2):
        size = (_BOARD, case.depth - 0.02, case.top - level)
        assembly.box(size, (x, 0.006, (case.top + level) / 2), case.body)
    back = (x1 + half, 0.012, case.top - level)
    assembly.box(back, ((x1 - half) / 2, case.depth / 2 - 0.012, (case.top + level) / 2), case.body)
    middle = (x1 - half) / 2
    _player(draw, assembly, case, (middle - half) / 2, level)
    assembly.surface(middle + 0.04, 0.03 - case.depth / 2, x1 - 0.03, case.depth / 2 - 0.04, level, case.top - level)


def _deck(draw: Draw, assembly: Assembly, case: _Case) -> None:
    """Two decks, the upper one carried by blocks, a flap in the middle."""
    half, side = case.width / 2, 0.5 * case.width * draw.size("share")
    level = _floor(assembly, case, -half, half, case.low)
    _carcass(assembly, case, -side, side, level, case.top)
    fronts = case.fronts(-side, side, level, case.top)
    drawers(assembly, fronts, 1, case.face, case.grip, pull=case.pull, front=case.front)
    for sign in _SIDES:
        size = (_BOARD, case.depth - 0.02, case.top - level)
        assembly.box(size, (sign * (half - _BOARD / 2), 0.006, (case.top + level) / 2), case.body)
    _player(draw, assembly, case, -(half + side) / 2, level)
    assembly.surface(side + 0.03, 0.03 - case.depth / 2, half - 0.05, case.depth / 2 - 0.02, level, case.top - level)


def safe(draw: Draw) -> Model:
    """A steel box with a thick door, a lock and a handle."""
    assembly = Assembly("Safe")
    width, depth, height = draw.size("width"), draw.size("depth"), draw.size("height")
    red, green, blue = draw.palette.steel
    shade = draw.between(0.42, 0.62)
    shell = Material("plain", (red * shade, green * shade, blue * shade), 0.4, 0.35)
    steel, low = draw.steel, 0.02
    size = (width, depth, height - low)
    assembly.box(size, (0.0, 0.0, low + size[2] / 2), shell, rounding=0.012, segments=2)
    legs(assembly, "square", (width - 0.1, depth - 0.1), low + 0.005, 0.05, draw.dark)
    front = -depth / 2
    door = (width - 0.09, 0.018, height - low - 0.09)
    z = low + size[2] / 2
    assembly.box(door, (0.0, front - 0.006, z), shell, rounding=0.008, segments=1)
    for side in _SIDES:
        hinge = (0.022, 0.02, 0.07)
        assembly.box(hinge, (0.045 - width / 2, front - 0.006, z + side * 0.3 * door[2]), steel, solid=False)
    face = front - 0.015
    if draw.shape("lock") == "dial":
        dial = [(0.0, 0.0), (0.05, 0.0), (0.05, 0.006), (0.03, 0.01), (0.028, 0.026), (0.0, 0.028)]
        assembly.lathe(dial, draw.dark, sides=24, at=rotation("x", math.pi / 2, (0.0, face, z + 0.12 * height)))
    else:
        pad = Material("keypad", draw.palette.white, 0.4)
        assembly.box((0.1, 0.014, 0.13), (0.0, face - 0.005, z + 0.14 * height), draw.dark)
        assembly.picture(0.085, 0.115, pad, at=(0.0, face - 0.0125, z + 0.14 * height))
    _handle(assembly, draw.count("spokes"), steel, (0.12 * width, face, z - 0.14 * height))
    assembly.surface(_EDGE - width / 2, _EDGE - depth / 2, width / 2 - _EDGE, depth / 2 - _EDGE, height)
    return assembly.model(60.0)


def _handle(assembly: Assembly, spokes: int, steel: Material, at: tuple[float, float, float]) -> None:
    """A hub with so many bars through it."""
    x, y, z = at
    hub = [(0.0, 0.0), (0.026, 0.0), (0.02, 0.03), (0.0, 0.03)]
    assembly.lathe(hub, steel, sides=16, at=rotation("x", math.pi / 2, (x, y, z)))
    for i in range(spokes):
        turn = rotation("y", math.pi * i / spokes + 0.2, (x, y - 0.024, z))
        assembly.tube([(-0.075, 0.0, 0.0), (0.075, 0.0, 0.0)], 0.008, steel, sides=8, at=turn)


CABINETS: Mapping[str, Callable[[Assembly, _Case], None]] = MappingProxyType(
    {"doors": _doors, "drawer_over": _drawer_over, "sliding": _sliding, "niche": _niche}
)
TV_STANDS: Mapping[str, Callable[[Draw, Assembly, _Case], None]] = MappingProxyType(
    {"flanked": _flanked, "lowboard": _lowboard, "bridge": _bridge, "deck": _deck}
)
