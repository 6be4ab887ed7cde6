"""Pieces of a building, and the boards and panes that they are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flowbench.rendering import Material, Mesh, Pane
from flowbench.rendering.shapes import box, solid

from .model import Part
from .plan import Wall
from .rects import Rect
from .tables import Colour

Board = tuple[Rect, float, float]
"""A box over a floor rectangle, from one height to another."""


@dataclass(frozen=True)
class Glass:
    """Panes that show the sky and let its light in, and the sun.

    Attributes:
        pane: where they are.
        inward: unit normal (x, y) into the room.
        colour: of the sky's light, linear RGB.
    """

    pane: Pane
    inward: tuple[int, int]
    colour: Colour


@dataclass(frozen=True, eq=False)
class Piece:
    """One piece of structure, in world coordinates (its pose is the identity).

    Attributes:
        object_type: ``Floor``, ``Ceiling``, ``Wall``, ``Door`` or ``Window``.
        room: index of its room; None where it belongs to two.
        mesh: what is seen.
        parts: convex collision parts.
        glass: what lets light into its room.
    """

    object_type: str
    room: int | None
    mesh: Mesh
    parts: tuple[Part, ...]
    glass: tuple[Glass, ...] = ()


def box_corners(rect: Rect, z0: float, z1: float) -> Part:
    """The eight corners of a box over a floor rectangle."""
    return np.array([(x, y, z) for x in (rect.x0, rect.x1) for y in (rect.y0, rect.y1) for z in (z0, z1)])


def board(rect: Rect, z0: float, z1: float, material: Material, rounding: float = 0.0) -> Mesh:
    """A box over a floor rectangle; boards of a grained material have their grain along the longest side."""
    size = (*rect.size, z1 - z0)
    along = int(np.argmax(size)) if material.texture != "plain" else 2
    return box(size, (*rect.centre, (z0 + z1) / 2.0), material, rounding=rounding, along=along)


def upright(wall: Wall, t0: float, t1: float, z0: float, z1: float, into: float, material: Material) -> Mesh:
    """A rectangle along a wall that faces the room; ``into`` metres into it from the wall's face."""
    corners = ((t0, z0), (t1, z0), (t1, z1), (t0, z1))
    vertices = np.array([(*wall.point(t, into), z) for t, z in corners])
    normals = np.tile([*wall.inward, 0.0], (4, 1)).astype(np.float64)
    faces = np.array([(0, 2, 1), (0, 3, 2)], dtype=np.int32)
    return solid(vertices, normals, np.array(corners, dtype=np.float64), faces, material)
