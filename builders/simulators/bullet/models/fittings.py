"""What furniture shares: drawer fronts and doors with their pulls."""

from __future__ import annotations

import math
from dataclasses import dataclass

from flowbench.rendering import Material
from flowbench.rendering.placing import rotation

from .assembly import Assembly

_THICK = 0.014
_GAP = 0.004
_SHADE = 0.3
"""How bright a gap between fronts is against them."""
_RAISED = 0.004


@dataclass(frozen=True)
class Fronts:
    """The front of a carcass, facing -y, metres: from (x0, z0) to (x1, z1) at depth y."""

    x0: float
    x1: float
    z0: float
    z1: float
    y: float


def drawers(
    assembly: Assembly,
    fronts: Fronts,
    count: int,
    face: Material,
    grip: Material,
    *,
    columns: int = 1,
    pull: str = "bar",
    front: str = "flat",
) -> None:
    """Drawer fronts in even rows and columns, each with a pull; they collide as one slab without pulls."""
    slab(assembly, fronts, face)
    wide = (fronts.x1 - fronts.x0) / columns
    high = (fronts.z1 - fronts.z0) / count
    for column in range(columns):
        for row in range(count):
            x, z = fronts.x0 + wide * (column + 0.5), fronts.z0 + high * (row + 0.5)
            panel(assembly, (wide, high), (x, fronts.y, z), face, front=front)
            add_pull(assembly, pull, (x, fronts.y - _outer(front), z + 0.1 * high), grip, room=wide, lying=True)


def doors(
    assembly: Assembly,
    fronts: Fronts,
    count: int,
    face: Material,
    grip: Material,
    *,
    pull: str = "bar",
    front: str = "flat",
) -> None:
    """Doors side by side, in pairs that open from the middle; they collide as one slab without pulls."""
    slab(assembly, fronts, face)
    wide, high = (fronts.x1 - fronts.x0) / count, fronts.z1 - fronts.z0
    for i in range(count):
        x, z = fronts.x0 + wide * (i + 0.5), (fronts.z0 + fronts.z1) / 2
        panel(assembly, (wide, high), (x, fronts.y, z), face, front=front)
        hand = 1.0 if i % 2 == 0 else -1.0
        at = (x + hand * (wide / 2 - 0.035), fronts.y - _outer(front), z + 0.12 * high)
        add_pull(assembly, pull, at, grip, room=high, lying=False)


def _outer(front: str) -> float:
    """How far a front of a shape stands before its plane where its pull sits, metres."""
    return _THICK + _RAISED if front == "raised" else 0.6 * _THICK if front == "framed" else _THICK


def slab(assembly: Assembly, fronts: Fronts, face: Material) -> None:
    """What a whole front collides as, and the shade that shows between its pieces."""
    wide, high = fronts.x1 - fronts.x0, fronts.z1 - fronts.z0
    x, z = (fronts.x0 + fronts.x1) / 2, (fronts.z0 + fronts.z1) / 2
    assembly.block((wide, _THICK, high), (x, fronts.y - _THICK / 2, z))
    red, green, blue = (_SHADE * channel for channel in face.colour)
    shade = Material(face.texture, (red, green, blue), 0.9, 0.0, face.scale)
    assembly.box((wide, 0.006, high), (x, fronts.y, z), shade, solid=False)


def panel(
    assembly: Assembly,
    size: tuple[float, float],
    at: tuple[float, float, float],
    face: Material,
    *,
    front: str = "flat",
) -> None:
    """One front of ``size`` (x, z) before ``at``, metres, a little smaller than its place; it does not collide.

    ``front`` is ``flat``, ``framed`` (a frame round a field), ``raised`` (a field that stands out) or ``grooved``
    (upright boards).
    """
    wide, high = size[0] - 2 * _GAP, size[1] - 2 * _GAP
    x, y, z = at
    thick = 0.6 * _THICK if front in ("framed", "grooved") else _THICK
    assembly.box((wide, thick, high), (x, y - thick / 2, z), face, solid=False)
    rim = min(0.055, 0.22 * wide, 0.22 * high)
    if front == "framed":
        for side in (-1.0, 1.0):
            centre = (x + side * (wide - rim) / 2, y - _THICK / 2, z)
            assembly.box((rim, _THICK, high), centre, face, solid=False)
            centre = (x, y - _THICK / 2, z + side * (high - rim) / 2)
            assembly.box((wide - 2 * rim, _THICK, rim), centre, face, solid=False)
    elif front == "raised":
        assembly.box((wide - 2 * rim, 2 * _RAISED, high - 2 * rim), (x, y - _THICK, z), face, solid=False)
    elif front == "grooved":
        count = max(2, int(wide / 0.075))
        for i in range(count):
            centre = (x + ((i + 0.5) / count - 0.5) * wide, y - _THICK / 2, z)
            assembly.box((wide / count - 0.008, _THICK, high), centre, face, solid=False)


def add_pull(
    assembly: Assembly,
    shape: str,
    at: tuple[float, float, float],
    material: Material,
    *,
    room: float,
    lying: bool,
) -> None:
    """A ``bar``, ``knob``, ``cup``, ``ring`` or ``rail`` on a front at ``at``, metres; it does not collide.

    ``room`` is the length of the front that a bar may take a share of, metres.
    """
    x, y, z = at
    if shape == "bar":
        long = min(0.2, 0.42 * room)
        size = (long, 0.01, 0.014) if lying else (0.014, 0.01, long)
        assembly.box(size, (x, y - 0.004, z), material, solid=False)
    elif shape == "rail":
        long = 0.7 * room
        size = (long, 0.01, 0.02) if lying else (0.02, 0.01, long)
        assembly.box(size, (x, y - 0.005, z), material, solid=False)
    elif shape == "cup":
        assembly.box((0.1, 0.01, 0.032), (x, y - 0.005, z), material, rounding=0.004, segments=1, solid=False)
    else:
        knob = [(0.0, -0.001), (0.012, -0.001), (0.022, 0.006), (0.019, 0.012), (0.0, 0.014)]
        ring = [(0.0, -0.001), (0.03, -0.001), (0.03, 0.004), (0.023, 0.004), (0.021, 0.001), (0.0, 0.001)]
        outline = knob if shape == "knob" else ring
        assembly.lathe(outline, material, sides=10, at=rotation("x", math.pi / 2, (x, y, z)), solid=False)
