"""Upholstered seats: sofas and armchairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from flowbench.geometry import sin_cos
from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from ..model import Model
from .assembly import Assembly
from .draw import Draw
from .legs import legs, upright

_SIDES = (-1.0, 1.0)
_CHANNELS = 9
"""Upright pads of a barrel chair's back."""


@dataclass(frozen=True)
class _Seat:
    """What every build of a sofa or armchair is made to; metres, lean in radians."""

    kind: str
    width: float
    depth: float
    leg: float
    seat: float
    plump: float
    soft: float
    arm: float
    arm_top: float
    back: float
    back_top: float
    lean: float
    loose: bool
    feet: str
    cover: Material
    wood: Material

    @property
    def inner(self) -> float:
        """Width between the arms."""
        return self.width - 2 * self.arm

    @property
    def places(self) -> int:
        """How many sit there."""
        return 1 if self.inner < 0.9 else 2 if self.inner < 1.45 else 3


def sofa(draw: Draw) -> Model:
    """Two or three seats, upholstered or a wooden frame with loose cushions; perhaps one place to lie on."""
    return _made(draw, "Sofa")


def arm_chair(draw: Draw) -> Model:
    """A seat for one with arms."""
    return _made(draw, "ArmChair")


def _made(draw: Draw, kind: str) -> Model:
    names = ("width", "depth", "leg", "seat", "plump", "soft", "arm", "arm_top", "back", "back_top", "lean")
    sizes = {name: draw.size(name) for name in names}
    seat = _Seat(
        kind, **sizes, loose=draw.chance("loose"), feet=draw.shape("feet"), cover=draw.cloth(), wood=draw.wood()
    )
    return BUILDS[draw.shape("build")](seat, draw)


def _base(assembly: Assembly, seat: _Seat, thick: float = 0.05) -> None:
    """The box under the cushions, on its feet."""
    height = seat.seat - seat.plump - seat.leg
    size = (seat.width - 0.01, seat.depth - 0.01, height)
    assembly.box(size, (0.0, 0.0, seat.leg + height / 2), seat.cover, rounding=0.02, segments=1)
    span = (seat.width - 0.13, seat.depth - 0.13)
    legs(assembly, seat.feet, span, seat.leg + 0.004, thick, seat.wood)


def _cushions(assembly: Assembly, seat: _Seat, y0: float, y1: float, cover: Material) -> None:
    """The seat's cushions from y0 to y1, side by side, each with room on it; and those along the back."""
    wide, deep = seat.inner / seat.places, y1 - y0
    middle = (y0 + y1) / 2
    z = seat.seat - seat.plump / 2
    assembly.block((seat.inner, deep, seat.plump), (0.0, middle, z), rounding=seat.soft)
    front = _back_cushions(assembly, seat, y1, cover) if seat.loose else y1
    for i in range(seat.places):
        x = (i + 0.5) * wide - seat.inner / 2
        size = (wide - 0.006, deep, seat.plump)
        assembly.box(size, (x, middle, z), cover, rounding=seat.soft, segments=1, solid=False)
        half = wide / 2 - seat.soft - 0.005
        assembly.surface(x - half, y0 + seat.soft + 0.002, x + half, front - seat.soft - 0.005, seat.seat)


def _back_cushions(assembly: Assembly, seat: _Seat, y: float, cover: Material) -> float:
    """Cushions that lean at the back's face ``y``; gives how far forward they reach."""
    wide, thick = seat.inner / seat.places, 0.13
    height = seat.back_top - seat.seat - 0.02
    s, c = sin_cos(seat.lean)
    reach = thick / 2 * c + height / 2 * s
    middle = y - thick / 2 * c + 0.5 * height * s - 0.01
    z = seat.seat + height / 2 * c + thick / 2 * s - 0.02
    for i in range(seat.places):
        at = rotation("x", -seat.lean, ((i + 0.5) * wide - seat.inner / 2, middle, z))
        size = (wide - 0.02, thick, height)
        assembly.box(size, (0.0, 0.0, 0.0), cover, rounding=0.05, segments=2, at=at, solid=False)
    at = rotation("x", -seat.lean, (0.0, middle, z))
    assembly.block((seat.inner - 0.02, thick, height), (0.0, 0.0, 0.0), rounding=0.05, at=at)
    return middle - reach


def _upholstered(seat: _Seat, draw: Draw, arms: Callable[[Assembly, _Seat], None]) -> Assembly:
    """Base, back, arms and cushions."""
    assembly = Assembly(seat.kind)
    _base(assembly, seat)
    arms(assembly, seat)
    height = seat.back_top - seat.leg - 0.03
    centre = (0.0, (seat.depth - seat.back) / 2, seat.leg + 0.03 + height / 2)
    assembly.box((seat.inner + 0.02, seat.back, height), centre, seat.cover, rounding=0.05, segments=1)
    _cushions(assembly, seat, -seat.depth / 2 - 0.005, seat.depth / 2 - seat.back, seat.cover)
    return assembly


def _box_arms(assembly: Assembly, seat: _Seat, rounding: float = 0.03, segments: int = 1) -> None:
    height = seat.arm_top - seat.leg - 0.01
    for side in _SIDES:
        centre = (side * (seat.width - seat.arm) / 2, 0.0, seat.arm_top - height / 2)
        assembly.box((seat.arm, seat.depth, height), centre, seat.cover, rounding=rounding, segments=segments)


def _round_arms(assembly: Assembly, seat: _Seat) -> None:
    """As round as they are thick."""
    _box_arms(assembly, seat, 0.48 * seat.arm, 2)


def _sloped_arms(assembly: Assembly, seat: _Seat) -> None:
    """Falling towards the front, wood on top."""
    half, low, board = seat.depth / 2, seat.leg + 0.01, 0.03
    fall = 0.11
    top = seat.arm_top - board
    side_view = [(-half, low), (half - 0.02, low), (half - 0.02, top), (-half, top - fall)]
    rail = [
        (-half - 0.02, top - fall),
        (half - 0.02, top),
        (half - 0.02, top + board),
        (-half - 0.02, top + board - fall),
    ]
    for side in _SIDES:
        at = upright((side * (seat.width - seat.arm) / 2, 0.0, 0.0))
        assembly.loft(side_view, side_view, -seat.arm / 2, seat.arm / 2, seat.cover, at=at)
        assembly.loft(rail, rail, -seat.arm / 2 - 0.005, seat.arm / 2 + 0.005, seat.wood, at=at)


def _rolled_arms(assembly: Assembly, seat: _Seat) -> None:
    """A roll along the top that stands out at the outside."""
    r = seat.arm / 2
    panel = 1.35 * r
    height = seat.arm_top - r - seat.leg - 0.01
    for side in _SIDES:
        x = side * (seat.width / 2 - 2 * r + panel / 2)
        size = (panel, seat.depth - 0.02, height)
        assembly.box(size, (x, 0.0, seat.leg + 0.01 + height / 2), seat.cover, rounding=0.02, segments=1)
        roll = [(0.0, 0.0), (r, 0.0), (r, seat.depth), (0.0, seat.depth)]
        at = rotation("x", math.pi / 2, (side * (seat.width / 2 - r), seat.depth / 2, seat.arm_top - r))
        assembly.lathe(roll, seat.cover, sides=18, at=at)
        knob = rotation("x", math.pi / 2, (side * (seat.width / 2 - r), 0.01 - seat.depth / 2, seat.arm_top - r))
        assembly.lathe([(0.45 * r, 0.0), (0.3 * r, 0.016), (0.0, 0.02)], seat.wood, sides=12, at=knob, solid=False)


def _plain(arms: Callable[[Assembly, _Seat], None]) -> Build:
    def build(seat: _Seat, draw: Draw) -> Model:
        return _upholstered(seat, draw, arms).model(18.0 + 20.0 * seat.width)

    return build


def _chaise(seat: _Seat, draw: Draw) -> Model:
    """Box arms, and one place that is long enough to lie on."""
    assembly = _upholstered(seat, draw, _box_arms)
    side = -1.0 if draw.rng.random() < 0.5 else 1.0
    wide, reach = seat.inner / seat.places, draw.between(0.5, 0.62)
    x, low = side * (seat.inner - wide) / 2, seat.seat - seat.plump
    front = -seat.depth / 2 - 0.005
    centre = (x, front - reach / 2 + 0.01, (low + seat.leg) / 2)
    assembly.box((wide, reach + 0.02, low - seat.leg), centre, seat.cover, rounding=0.02, segments=1)
    centre = (x, front - reach / 2, seat.seat - seat.plump / 2)
    assembly.box((wide - 0.006, reach, seat.plump), centre, seat.cover, rounding=seat.soft, segments=2)
    inset = seat.soft + 0.005
    assembly.surface(x - wide / 2 + inset, front - reach + inset, x + wide / 2 - inset, front - inset, seat.seat)
    for edge in (-wide / 2 + 0.06, wide / 2 - 0.06):
        foot = (x + edge, front - reach + 0.06, (seat.leg + 0.01) / 2)
        assembly.box((0.05, 0.05, seat.leg + 0.01), foot, seat.wood)
    return assembly.model(75.0)


def _frame(seat: _Seat, draw: Draw) -> Model:
    """A wooden frame with flat arms and a slatted back; loose cushions on it."""
    assembly = Assembly(seat.kind)
    wood, arm = draw.wood(), 0.085
    framed = replace(seat, arm=arm, loose=True, wood=wood)
    post, half = 0.045, seat.depth / 2
    deck = seat.seat - seat.plump
    for side in _SIDES:
        x = side * (seat.width - arm) / 2
        for y in (-half + 0.1, half - 0.16):
            assembly.box((post, post, seat.arm_top - 0.028), (x, y, (seat.arm_top - 0.028) / 2), wood)
        assembly.box((arm, seat.depth - 0.08, 0.028), (x, -0.03, seat.arm_top - 0.014), wood, rounding=0.01, segments=1)
    for y in (-half + 0.03, half - 0.16):
        assembly.box((framed.inner + 0.06, 0.03, 0.085), (0.0, y, deck - 0.03), wood)
    assembly.box((framed.inner + 0.04, seat.depth - 0.2, 0.02), (0.0, -0.06, deck - 0.01), wood)
    at = rotation("x", -seat.lean, (0.0, half - 0.2, deck - 0.02))
    tall = seat.back_top - deck - 0.04
    wide = framed.inner + 0.05
    assembly.block((wide, 0.03, tall), (0.0, 0.0, tall / 2), at=at)
    for z in (0.04, tall - 0.03):
        assembly.box((wide, 0.03, 0.06), (0.0, 0.0, z), wood, at=at, solid=False)
    slats = 4 * framed.places + 1
    for i in range(slats):
        x = (i + 0.5) * wide / slats - wide / 2
        assembly.box((0.045, 0.018, tall - 0.08), (x, 0.0, tall / 2), wood, at=at, solid=False)
    _cushions(assembly, framed, -half, half - 0.22, seat.cover)
    return assembly.model(12.0 + 12.0 * seat.width)


def _wing(seat: _Seat, draw: Draw) -> Model:
    """A tall back with wings at its sides."""
    assembly = _upholstered(seat, draw, _rolled_arms)
    half, low = seat.depth / 2, seat.arm_top - 0.05
    side_view = [
        (half - seat.back - 0.16, low),
        (half - 0.02, low),
        (half - 0.02, seat.back_top - 0.02),
        (half - seat.back - 0.1, seat.back_top - 0.07),
        (half - seat.back - 0.19, seat.back_top - 0.2),
    ]
    for side in _SIDES:
        at = upright((side * (seat.inner / 2 + 0.02), 0.0, 0.0))
        assembly.loft(side_view, side_view, -0.035, 0.035, seat.cover, at=at)
    return assembly.model(26.0)


def _barrel(seat: _Seat, draw: Draw) -> Model:
    """A round seat within a low round back of upright pads."""
    assembly = Assembly(seat.kind)
    thick = 0.1
    radius = seat.width / 2 - thick / 2
    low, top = seat.leg, seat.arm_top + 0.1
    inside = radius - 0.01
    deck = seat.seat - seat.plump
    assembly.lathe([(0.0, low), (inside, low), (inside, deck), (0.0, deck)], seat.cover, sides=28)
    r, edge = radius - thick / 2, seat.soft
    rim = [(r - 0.4 * edge, deck), (r, deck + edge), (r, seat.seat - 0.7 * edge), (r - 0.7 * edge, seat.seat)]
    assembly.lathe([(0.0, deck), *rim, (0.0, seat.seat)], seat.cover, sides=28)
    reach = 0.64 * r
    assembly.surface(-reach, -reach, reach, reach, seat.seat)
    sweep = 1.22 * math.pi
    wide = sweep * (radius + thick / 2) / _CHANNELS
    for i in range(_CHANNELS):
        t = (i + 0.5) / _CHANNELS - 0.5
        height = top - (top - seat.arm_top) * 4.0 * t * t - low
        s, c = sin_cos(t * sweep)
        at = rotation("z", -t * sweep, (radius * s, radius * c, low + height / 2))
        assembly.box((wide, thick, height), (0.0, 0.0, 0.0), seat.cover, rounding=0.04, segments=1, at=at)
    legs(assembly, "cone", (1.25 * radius, 1.25 * radius), low + 0.01, 0.035, seat.wood)
    return assembly.model(22.0)


Build = Callable[[_Seat, Draw], Model]

BUILDS: Mapping[str, Build] = MappingProxyType(
    {
        "box": _plain(_box_arms),
        "round": _plain(_round_arms),
        "slope": _plain(_sloped_arms),
        "rolled": _plain(_rolled_arms),
        "chaise": _chaise,
        "frame": _frame,
        "wing": _wing,
        "barrel": _barrel,
    }
)
"""What makes a seat, by the word of its table."""
