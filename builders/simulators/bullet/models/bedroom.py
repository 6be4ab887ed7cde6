"""Beds and pillows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from flowbench.rendering import Material, Mesh
from flowbench.rendering.placing import Vector, rotation
from flowbench.rendering.sweeps import cushion

from ..model import Model, Part
from .assembly import Assembly
from .draw import Draw

_SIDES = (-1.0, 1.0)


@dataclass(frozen=True)
class _Bed:
    """What every build of a bed is made to; metres."""

    width: float
    length: float
    head: float
    leg: float
    rail: float
    mattress: float
    foot: bool
    frame: Material

    @property
    def deck(self) -> float:
        """The upper side of the frame."""
        return self.leg + self.rail

    @property
    def top(self) -> float:
        """The upper side of the mattress."""
        return self.deck + self.mattress - 0.03


def bed(draw: Draw) -> Model:
    """A single or double bed, its head to the wall."""
    assembly = Assembly("Bed")
    build = draw.shape("build")
    width = draw.size("wide") if draw.chance("double") else draw.size("narrow")
    frame = draw.cloth(patterned=False) if build in ("padded", "wings") else draw.timber()
    sizes = {name: draw.size(name) for name in ("length", "head", "leg", "rail", "mattress")}
    frame = draw.metal() if build == "metal" else frame
    plan = _Bed(width, **sizes, foot=draw.chance("footboard"), frame=frame)
    BEDS[build](assembly, plan)
    _bedding(draw, assembly, plan)
    return assembly.model(45.0)


def _linen(draw: Draw, shade: float = 1.0) -> Material:
    red, green, blue = draw.palette.white
    return Material(draw.palette.plain_fabric, (red * shade, green * shade, blue * shade), 0.95, 0.0, 4.0)


def _bedding(draw: Draw, assembly: Assembly, plan: _Bed) -> None:
    """Mattress, cover with its fold, pillows, perhaps a blanket; what lies on the bed lies on the cover."""
    width, length, thick = plan.width, plan.length, plan.mattress
    size = (width - 0.03, length - 0.04, thick)
    assembly.box(size, (0.0, 0.0, plan.top - thick / 2), _linen(draw), rounding=0.04, segments=1)
    front = 0.01 - length / 2 if plan.foot else -0.01 - length / 2
    rear = draw.size("reach") * length - length / 2
    high = plan.top + 0.022
    tall = thick + 0.02
    size = (width + 0.04, rear - front, tall)
    assembly.box(size, (0.0, (front + rear) / 2, high - tall / 2), draw.cloth(), rounding=0.04, segments=2)
    fold, tall = 0.22, thick + 0.03
    size = (width + 0.046, fold, tall)
    place = (0.0, rear - 0.06, high + 0.007 - tall / 2)
    assembly.box(size, place, _linen(draw, 0.94), rounding=0.04, segments=1)
    free = front + 0.06
    if draw.chance("throw"):
        size, centre = (width + 0.052, 0.42, tall), front + 0.29
        assembly.box(size, (0.0, centre, high + 0.007 - tall / 2), draw.cloth(), rounding=0.04, segments=1)
        free = centre + 0.23
    assembly.surface(0.05 - width / 2, free, width / 2 - 0.05, rear - 0.06 - fold / 2 - 0.01, high)
    pillows = Material(draw.palette.plain_fabric, draw.colour((0.05, 0.3), (0.85, 0.97)), 0.95, 0.0, 4.0)
    places = _SIDES if width > 1.3 else (0.0,)
    wide = min(0.66, 0.46 * width if len(places) == 2 else 0.68 * width)
    for place_x in places:
        mesh = cushion((wide, 0.42, 0.17), pillows)
        at = rotation("x", 0.3, (place_x * width / 4, length / 2 - 0.25, plan.top + 0.11))
        assembly.add(mesh, [_cushion_part(mesh)], at=at)


def _legs(assembly: Assembly, plan: _Bed, thick: float = 0.06) -> None:
    for x in _SIDES:
        for y in _SIDES:
            centre = (x * (plan.width / 2 - 0.05), y * (plan.length / 2 - 0.06), (plan.leg + 0.01) / 2)
            assembly.box((thick, thick, plan.leg + 0.01), centre, plan.frame)


def _frame(assembly: Assembly, plan: _Bed) -> float:
    """The box of the bed on its legs, perhaps a board at the foot; gives where the headboard begins, y."""
    size = (plan.width, plan.length, plan.rail)
    assembly.box(size, (0.0, 0.0, plan.leg + plan.rail / 2), plan.frame, rounding=0.01, segments=1)
    _legs(assembly, plan)
    if plan.foot:
        tall = plan.top + 0.06
        centre = (0.0, -plan.length / 2 - 0.02, tall / 2 + 0.05)
        assembly.box((plan.width, 0.04, tall - 0.1), centre, plan.frame, rounding=0.012, segments=1)
    return plan.length / 2


def _panel(assembly: Assembly, plan: _Bed) -> None:
    """One board at the head, a rail along its top."""
    y = _frame(assembly, plan)
    assembly.box((plan.width, 0.04, plan.head - 0.05), (0.0, y + 0.02, (plan.head - 0.05) / 2), plan.frame)
    size = (plan.width + 0.05, 0.07, 0.06)
    assembly.box(size, (0.0, y + 0.03, plan.head - 0.03), plan.frame, rounding=0.015, segments=1)


def _planks(assembly: Assembly, plan: _Bed) -> None:
    """Boards across two posts."""
    y = _frame(assembly, plan)
    for side in _SIDES:
        centre = (side * (plan.width / 2 - 0.03), y + 0.03, plan.head / 2)
        assembly.box((0.06, 0.06, plan.head), centre, plan.frame)
    low, pitch = plan.deck, (plan.head - plan.deck) / 3
    assembly.block((plan.width - 0.02, 0.03, 3 * pitch - 0.03), (0.0, y + 0.03, low + 1.45 * pitch))
    for i in range(3):
        size = (plan.width - 0.02, 0.03, pitch - 0.03)
        assembly.box(size, (0.0, y + 0.03, low + (i + 0.45) * pitch), plan.frame, solid=False)


def _padded(assembly: Assembly, plan: _Bed) -> None:
    """A thick upholstered headboard of upright pads."""
    y = _frame(assembly, plan)
    _pads(assembly, plan, y, 3 if plan.width < 1.3 else 4)


def _pads(assembly: Assembly, plan: _Bed, y: float, count: int) -> None:
    assembly.block((plan.width, 0.09, plan.head), (0.0, y + 0.045, plan.head / 2), rounding=0.03)
    wide = plan.width / count
    for i in range(count):
        centre = ((i + 0.5) * wide - plan.width / 2, y + 0.045, plan.head / 2)
        assembly.box((wide, 0.09, plan.head), centre, plan.frame, rounding=0.03, segments=1, solid=False)


def _wings(assembly: Assembly, plan: _Bed) -> None:
    """A tall upholstered headboard whose sides come forward."""
    y = _frame(assembly, plan)
    _pads(assembly, plan, y, 6 if plan.width < 1.3 else 8)
    for side in _SIDES:
        centre = (side * (plan.width / 2 + 0.045), y - 0.06, plan.head / 2 + 0.02)
        assembly.box((0.08, 0.3, plan.head - 0.04), centre, plan.frame, rounding=0.03, segments=1)


def _slatted(assembly: Assembly, plan: _Bed) -> None:
    """Upright slats between a rail and the frame; the same lower at the foot."""
    end = plan.length / 2
    size = (plan.width, plan.length, plan.rail)
    assembly.box(size, (0.0, 0.0, plan.leg + plan.rail / 2), plan.frame)
    ends = [(end + 0.025, plan.head), (-end - 0.025, plan.top + 0.1 if plan.foot else plan.deck)]
    for y, tall in ends:
        for side in _SIDES:
            assembly.box((0.055, 0.055, tall), (side * (plan.width / 2 - 0.02), y, tall / 2), plan.frame)
        if tall <= plan.deck:
            continue
        high = tall - 0.03
        assembly.box((plan.width - 0.06, 0.035, 0.09), (0.0, y, high - 0.045), plan.frame, rounding=0.01, segments=1)
        _upright(assembly, plan, y, (plan.leg, high - 0.09), (0.045, 0.018))


def _upright(assembly: Assembly, plan: _Bed, y: float, span: tuple[float, float], slat: tuple[float, float]) -> None:
    """Slats of ``slat`` (x, y) over the heights ``span``; they collide as one board."""
    low, high = span
    wide, thick = slat
    count = int((plan.width - 0.1) / 0.13)
    pitch = (plan.width - 0.1) / count
    for i in range(count):
        x = (i + 0.5) * pitch - (plan.width - 0.1) / 2
        assembly.box((wide, thick, high - low), (x, y, (low + high) / 2), plan.frame, solid=False)
    assembly.block((plan.width - 0.1, thick, high - low), (0.0, y, (low + high) / 2))


def _metal(assembly: Assembly, plan: _Bed) -> None:
    """Thin bars within tubes at head and foot, knobs on the posts."""
    end, r = plan.length / 2, 0.017
    size = (plan.width - 0.02, plan.length, 0.05)
    assembly.box(size, (0.0, 0.0, plan.deck - 0.025), plan.frame)
    for y, tall in ((end + r, plan.head), (-end - r, plan.top + 0.22)):
        x = plan.width / 2 - r
        for side in _SIDES:
            assembly.tube([(side * x, y, 0.0), (side * x, y, tall + 0.04)], r, plan.frame, sides=8)
            assembly.ball(0.03, (side * x, y, tall + 0.02), plan.frame, sides=10, rings=6, solid=False)
        for z in (tall - 0.05, plan.deck - 0.02):
            assembly.tube([(-x, y, z), (x, y, z)], 0.8 * r, plan.frame, sides=6, spans=0)
        _upright(assembly, plan, y, (plan.deck - 0.02, tall - 0.05), (0.014, 0.014))


def pillow(draw: Draw) -> Model:
    """A throw pillow, lying flat."""
    assembly = Assembly("Pillow", tolerance=0.004)
    size = (draw.size("x"), draw.size("y"), draw.size("z"))
    PILLOWS[draw.shape("build")](draw, assembly, size)
    return assembly.model(0.6)


def _plain_pillow(draw: Draw, assembly: Assembly, size: Vector) -> None:
    mesh = cushion(size, draw.cloth())
    assembly.add(mesh, [_cushion_part(mesh)])


def _banded_pillow(draw: Draw, assembly: Assembly, size: Vector) -> None:
    """One cloth above, another below."""
    mesh = cushion(size, draw.cloth())
    other = draw.cloth(patterned=False)
    half = len(mesh.faces) // 2
    materials = np.repeat(np.array([0, 1], dtype=np.int32), half)
    two = Mesh(mesh.vertices, mesh.normals, mesh.uvs, mesh.faces, materials, (mesh.materials[0], other))
    assembly.add(two, [_cushion_part(mesh)])


def _tasselled_pillow(draw: Draw, assembly: Assembly, size: Vector) -> None:
    """Tassels at the corners."""
    cover, thread = draw.cloth(), draw.cloth(patterned=False)
    mesh = cushion(size, cover)
    assembly.add(mesh, [_cushion_part(mesh)])
    for x in _SIDES:
        for y in _SIDES:
            corner = (x * (size[0] / 2 - 0.006), y * (size[1] / 2 - 0.006), 0.0)
            tip = (corner[0] + x * 0.03, corner[1] + y * 0.03, 0.0)
            assembly.tube([corner, tip], [0.004, 0.009], thread, sides=6)


def _round_pillow(draw: Draw, assembly: Assembly, size: Vector) -> None:
    """A gathered disc with a button on either side."""
    cover, r, h = draw.cloth(), size[0] / 2, size[2]
    side = [(0.55 * r, 0.0), (0.86 * r, 0.12 * h), (r, 0.38 * h), (r, 0.62 * h), (0.86 * r, 0.88 * h), (0.55 * r, h)]
    assembly.lathe([(0.0, 0.06 * h), *side, (0.0, 0.9 * h)], cover, sides=24, crease=80.0)
    button = draw.cloth(patterned=False)
    assembly.ball(0.022, (0.0, 0.0, 0.92 * h), button, scale=(1.0, 1.0, 0.5), sides=10, rings=6, solid=False)


def _cushion_part(mesh: Mesh) -> Part:
    """The rim, the middles and a ring between them, of the 9 x 9 points of each side: 30 vertices."""
    upper, lower = mesh.vertices.reshape(2, 9, 9, 3)
    rim = [upper[i, j] for i in (0, 2, 6, 8) for j in (0, 2, 6, 8) if i in (0, 8) or j in (0, 8)]
    ring = [side[i, j] for side in (upper, lower) for i in (2, 4, 6) for j in (2, 4, 6)]
    return np.stack(rim + ring)


BEDS: Mapping[str, Callable[[Assembly, _Bed], None]] = MappingProxyType(
    {
        "panel": _panel,
        "planks": _planks,
        "padded": _padded,
        "slatted": _slatted,
        "wings": _wings,
        "metal": _metal,
    }
)
PILLOWS: Mapping[str, Callable[[Draw, Assembly, Vector], None]] = MappingProxyType(
    {
        "plain": _plain_pillow,
        "banded": _banded_pillow,
        "round": _round_pillow,
        "tasselled": _tasselled_pillow,
    }
)
