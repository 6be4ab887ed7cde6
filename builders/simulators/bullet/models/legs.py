"""Four legs or feet under something, in the shapes that furniture has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from flowbench.geometry.frames import Matrix
from flowbench.rendering import Material
from flowbench.rendering.placing import Vector, translation
from flowbench.rendering.shapes import box, lathe

from .assembly import Assembly
from .hulls import coarse_hull

CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
"""Signs of the corners of a rectangle, counter-clockwise from above."""

SPLAY = 0.13
"""How far splayed legs reach outwards in x and in y, of their height."""

Foot = tuple[float, float, float, float]
"""Where a leg stands under its corner, (x, y), and the signs of the corner."""


def upright(shift: Vector) -> Matrix:
    """``target_from_source`` that stands a side view up: its (x, y) become (y, z), its thickness z becomes x."""
    matrix = translation(*shift)
    matrix[:3, :3] = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return matrix


def legs(
    assembly: Assembly,
    shape: str,
    span: tuple[float, float],
    height: float,
    thick: float,
    material: Material,
    *,
    y: float = 0.0,
) -> None:
    """Four legs of a shape (``LEGS``).

    Args:
        assembly: gets one part a leg; two runners for ``sled``, a block for ``plinth``.
        shape: a key of ``LEGS``, ``"sled"`` or ``"plinth"``.
        span: (x, y) between the legs' middles where they are fixed, metres.
        height: metres.
        thick: of a leg where it is fixed, metres.
        material: of all.
        y: the middle of the four, metres.
    """
    half_x, half_y = span[0] / 2.0, span[1] / 2.0
    if shape == "plinth":
        assembly.box((span[0], span[1], height), (0.0, y, height / 2), material)
    elif shape == "sled":
        for side in (-half_x, half_x):
            for end in (-half_y + thick / 2, half_y - thick / 2):
                centre = (side, y + end, (height + thick) / 2)
                assembly.box((thick, thick, height - thick), centre, material)
            assembly.box((thick, span[1], thick), (side, y, thick / 2), material)
    else:
        for sx, sy in CORNERS:
            LEGS[shape](assembly, (sx * half_x, sy * half_y + y, sx, sy), height, thick, material)


def _round(
    assembly: Assembly, outline: Sequence[tuple[float, float]], foot: Foot, material: Material, crease: float
) -> None:
    """A turned leg; it collides as one hull."""
    mesh = lathe(outline, material, sides=10, crease=crease)
    assembly.add(mesh, [coarse_hull(mesh.vertices)], at=(foot[0], foot[1], 0.0))


def _square(assembly: Assembly, foot: Foot, height: float, thick: float, material: Material) -> None:
    assembly.box((thick, thick, height), (foot[0], foot[1], height / 2), material)


def _tapered(assembly: Assembly, foot: Foot, height: float, thick: float, material: Material) -> None:
    """Square, its inner sides drawn in towards the floor."""
    x, y, sx, sy = foot
    half, narrow = thick / 2, thick * 0.3
    middle = (x + sx * (half - narrow), y + sy * (half - narrow))
    lower = [(middle[0] + narrow * a, middle[1] + narrow * b) for a, b in CORNERS]
    upper = [(x + half * a, y + half * b) for a, b in CORNERS]
    assembly.loft(lower, upper, 0.0, height, material)


def _turned(assembly: Assembly, foot: Foot, height: float, thick: float, material: Material) -> None:
    """Round, with a bead below a square block."""
    r, block = thick / 2, min(0.09, height * 0.25)
    top = height - block
    bead, narrow = min(0.025, 0.3 * top), r * 0.62
    outline = [
        (0.0, 0.0),
        (r * 0.6, 0.0),
        (narrow, 0.1 * top),
        (r * 0.95, top - 2.2 * bead),
        (narrow, top - 1.6 * bead),
    ]
    outline += [(r * 1.0, top - 0.8 * bead), (narrow, top), (0.0, top)]
    pin = lathe(outline, material, sides=10, crease=50.0)
    head = box((thick, thick, block), (0.0, 0.0, height - block / 2), material)
    assembly.add_bunch([(pin, (0.0, 0.0, 0.0)), (head, (0.0, 0.0, 0.0))], at=(foot[0], foot[1], 0.0))


def _cone(assembly: Assembly, foot: Foot, height: float, thick: float, material: Material) -> None:
    r = thick / 2
    _round(assembly, [(0.0, 0.0), (r * 0.6, 0.0), (r, height), (0.0, height)], foot, material, 40.0)


def _bun(assembly: Assembly, foot: Foot, height: float, thick: float, material: Material) -> None:
    """A squat ball."""
    r = thick * 0.75
    outline = [(0.0, 0.0), (0.6 * r, 0.0), (r, 0.3 * height), (r, 0.6 * height), (0.65 * r, height), (0.0, height)]
    _round(assembly, outline, foot, material, 80.0)


def _splayed(assembly: Assembly, foot: Foot, height: float, thick: float, material: Material) -> None:
    """Round and slanting outwards to the floor, thinner there."""
    x, y, sx, sy = foot
    out = SPLAY * height
    path = [(x + sx * out, y + sy * out, 0.0), (x, y, height)]
    assembly.tube(path, [thick * 0.3, thick * 0.5], material, sides=8)


def _hairpin(assembly: Assembly, foot: Foot, height: float, thick: float, material: Material) -> None:
    """Two thin rods that meet at the floor."""
    x, y, sx, sy = foot
    rod, spread = 0.006, min(0.14, 0.2 * height) / 2
    for along, across in ((spread, 0.0), (0.0, spread)):
        top = (x - sx * 2 * along, y - sy * 2 * across, height)
        assembly.tube([(x, y, 0.005), top], rod, material, sides=6)


Leg = Callable[[Assembly, Foot, float, float, Material], None]

LEGS: Mapping[str, Leg] = MappingProxyType(
    {
        "square": _square,
        "tapered": _tapered,
        "turned": _turned,
        "cone": _cone,
        "bun": _bun,
        "splayed": _splayed,
        "hairpin": _hairpin,
    }
)
"""What makes one leg, by its shape."""
