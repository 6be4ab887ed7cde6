"""What furniture shares: drawer fronts, doors, feet."""

from __future__ import annotations

from dataclasses import dataclass

from flowbench.rendering import Material

from .assembly import Assembly

_THICK = 0.014
_GAP = 0.004


@dataclass(frozen=True)
class Fronts:
    """The front of a carcass, facing -y, metres: from (x0, z0) to (x1, z1) at depth y."""

    x0: float
    x1: float
    z0: float
    z1: float
    y: float


def drawers(
    assembly: Assembly, fronts: Fronts, count: int, face: Material, grip: Material, *, columns: int = 1
) -> None:
    """Drawer fronts in even rows and columns, each with a bar grip; they collide as one slab without grips."""
    _slab(assembly, fronts)
    wide = (fronts.x1 - fronts.x0) / columns
    high = (fronts.z1 - fronts.z0) / count
    for column in range(columns):
        for row in range(count):
            x, z = fronts.x0 + wide * (column + 0.5), fronts.z0 + high * (row + 0.5)
            _front(assembly, (wide, high), (x, fronts.y, z), face)
            size = (min(0.16, 0.4 * wide), 0.01, 0.014)
            centre = (x, fronts.y - _THICK - 0.004, z + 0.1 * high)
            assembly.box(size, centre, grip, rounding=0.003, segments=1, solid=False)


def doors(assembly: Assembly, fronts: Fronts, count: int, face: Material, grip: Material) -> None:
    """Doors side by side with upright grips, in pairs that open from the middle; they collide as one slab."""
    _slab(assembly, fronts)
    wide = (fronts.x1 - fronts.x0) / count
    for i in range(count):
        x, z = fronts.x0 + wide * (i + 0.5), (fronts.z0 + fronts.z1) / 2
        _front(assembly, (wide, fronts.z1 - fronts.z0), (x, fronts.y, z), face)
        hand = 1.0 if i % 2 == 0 else -1.0
        long = min(0.18, 0.4 * (fronts.z1 - fronts.z0))
        centre = (x + hand * (wide / 2 - 0.035), fronts.y - _THICK - 0.004, z + 0.12 * (fronts.z1 - fronts.z0))
        assembly.box((0.014, 0.01, long), centre, grip, rounding=0.003, segments=1, solid=False)


def _slab(assembly: Assembly, fronts: Fronts) -> None:
    size = (fronts.x1 - fronts.x0, _THICK, fronts.z1 - fronts.z0)
    centre = ((fronts.x0 + fronts.x1) / 2, fronts.y - _THICK / 2, (fronts.z0 + fronts.z1) / 2)
    assembly.block(size, centre)


def _front(assembly: Assembly, size: tuple[float, float], at: tuple[float, float, float], face: Material) -> None:
    wide, high = size
    x, y, z = at
    panel = (wide - 2 * _GAP, _THICK, high - 2 * _GAP)
    assembly.box(panel, (x, y - _THICK / 2, z), face, rounding=0.003, segments=1, solid=False)


def feet(assembly: Assembly, span: tuple[float, float], height: float, thick: float, material: Material) -> None:
    """Four square feet, ``span`` (x, y) apart between their middles, up to ``height`` metres."""
    for x in (-0.5, 0.5):
        for y in (-0.5, 0.5):
            centre = (x * span[0], y * span[1], height / 2)
            assembly.box((thick, thick, height), centre, material, rounding=0.005, segments=1)
