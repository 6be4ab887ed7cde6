"""Plain shapes for things that our catalogue has no model of, made to the size of the asset's bounding box."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flowbench.rendering import Material

from ..bullet.model import Model
from ..bullet.models.assembly import Assembly
from ..bullet.tables import Colour

Size = tuple[float, float, float]


def make_form(form: str, object_type: str, size: Size, colour: Colour) -> Model:
    """A shape of (width, depth, height) metres; it fills its box from side to side."""
    material = Material("plain", colour, 0.45)
    assembly = Assembly(object_type, tolerance=0.003)
    _FORMS[form](assembly, size, material)
    width, depth, height = size
    return assembly.model(max(0.02, min(20.0, 300.0 * width * depth * height)))


def _slab(assembly: Assembly, size: Size, material: Material) -> None:
    """A block with soft edges."""
    assembly.box(size, (0.0, 0.0, size[2] / 2), material, rounding=0.2 * min(size))


def _rod(assembly: Assembly, size: Size, material: Material) -> None:
    """Six-sided, along the longest edge."""
    along = size.index(max(size))
    ring = [(0.5, 0.0), (0.25, 0.5), (-0.25, 0.5), (-0.5, 0.0), (-0.25, -0.5), (0.25, -0.5)]
    width, depth, height = size
    if along == 2:
        outline = [(x * width, y * depth) for x, y in ring]
        assembly.loft(outline, outline, 0.0, height, material)
        return
    # Lofts stand upright: a lying one is made of two halves that meet at its widest.
    half = height / 2
    narrow = (1.0, 0.5) if along == 0 else (0.5, 1.0)
    wide = [(x * width / 2, y * depth / 2) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    edge = [(x * narrow[0], y * narrow[1]) for x, y in wide]
    assembly.loft(edge, wide, 0.0, half, material)
    assembly.loft(wide, edge, half, height, material)


def _roll(assembly: Assembly, size: Size, material: Material) -> None:
    """Like a rod, rounder."""
    _rod(assembly, size, material)


def _disc(assembly: Assembly, size: Size, material: Material) -> None:
    """Eight-sided, flat along the least edge."""
    width, depth, height = size
    ring = [(0.5, 0.2), (0.2, 0.5), (-0.2, 0.5), (-0.5, 0.2), (-0.5, -0.2), (-0.2, -0.5), (0.2, -0.5), (0.5, -0.2)]
    outline = [(x * width, y * depth) for x, y in ring]
    assembly.loft(outline, outline, 0.0, height, material)


def _cutlery(assembly: Assembly, size: Size, material: Material) -> None:
    """A handle, and a wider head over two fifths of its length."""
    along = size.index(max(size[:2]))
    length, wide, height = size[along], size[1 - along], size[2]
    for start, stop, width in ((-0.5, 0.1, 0.45), (0.1, 0.5, 1.0)):
        extent = (length * (stop - start), wide * width)
        middle = (length * (start + stop) / 2, 0.0)
        x, y = (0, 1) if along == 0 else (1, 0)
        piece = (extent[x], extent[y], height)
        assembly.box(piece, (middle[x], middle[y], height / 2), material, rounding=0.25 * min(piece))


def _faucet(assembly: Assembly, size: Size, material: Material) -> None:
    """A column at the back, and a spout to the front."""
    width, depth, height = size
    base = 0.22 * height
    assembly.box((width, 0.4 * depth, base), (0.0, 0.3 * depth, base / 2), material, rounding=0.1 * base)
    column = (0.35 * width, 0.3 * depth, height - base)
    assembly.box(column, (0.0, 0.3 * depth, (height + base) / 2), material, rounding=0.2 * min(column))
    spout = (0.3 * width, 0.65 * depth, 0.2 * height)
    assembly.box(spout, (0.0, -0.175 * depth, 0.9 * height), material, rounding=0.3 * min(spout))


def _basin(assembly: Assembly, size: Size, material: Material) -> None:
    """An open tray with a wide rim."""
    width, depth, height = size
    rim, thick = 0.12 * min(width, depth), 0.25 * height
    assembly.box((width, depth, thick), (0.0, 0.0, thick / 2), material, rounding=0.2 * thick)
    wall = height - thick
    for side in (-1.0, 1.0):
        assembly.box((width, rim, wall), (0.0, side * (depth - rim) / 2, thick + wall / 2), material, rounding=0.01)
        inner = (rim, depth - 2 * rim, wall)
        assembly.box(inner, (side * (width - rim) / 2, 0.0, thick + wall / 2), material, rounding=0.01)


_FORMS: Mapping[str, Callable[[Assembly, Size, Material], None]] = {
    "slab": _slab,
    "rod": _rod,
    "roll": _roll,
    "disc": _disc,
    "cutlery": _cutlery,
    "faucet": _faucet,
    "basin": _basin,
}
