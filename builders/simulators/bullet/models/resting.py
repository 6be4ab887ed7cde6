"""Round things that lie still, pressed to a facet where they touch the ground, with hulls that reach just as low."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flowbench.rendering import Mesh
from flowbench.rendering.placing import placed, rotation, translation
from flowbench.rendering.shapes import circle

from ..model import Part
from .assembly import Assembly
from .hulls import coarse_hull

_FOOT = 6
"""Directions in which the facet is measured."""


def standing_hull(vertices: NDArray[np.float64], grown: float = 1.06) -> Part:
    """A coarse hull, grown to make up for its flat faces.

    Its foot has the outermost points of the facet where the skin lies on the ground.
    """
    floor = vertices[:, 2].min()
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2.0
    body = middle + grown * (vertices - middle)
    body[:, 2] = np.maximum(body[:, 2], floor)
    ground = vertices[vertices[:, 2] == floor]
    corners = sorted({int(np.argmax(ground[:, 0] * c + ground[:, 1] * s)) for c, s in circle(_FOOT)})
    return coarse_hull(np.concatenate([ground[corners], body]), keep=len(corners))


def pressed(mesh: Mesh, floor: float = 0.0) -> Mesh:
    """A mesh with what is below the floor pressed up to it."""
    vertices = mesh.vertices.copy()
    vertices[:, 2] = np.maximum(vertices[:, 2], floor)
    return replace(mesh, vertices=vertices)


def seated(part: Part, floor: float = 0.0, within: float = 0.004) -> Part:
    """A part whose corners near the floor, metres, stand on it."""
    heights = part[:, 2]
    return np.column_stack([part[:, :2], np.where(heights < floor + within, floor, heights)])


def lying(assembly: Assembly, mesh: Mesh, flat: float = 0.04, *, pieces: int = 1, grown: float = 1.06) -> None:
    """Add a convex mesh with the lowest share ``flat`` of its height pressed to a facet that it lies on.

    It collides as one hull, or as two that meet at x = 0.
    """
    low, high = float(mesh.vertices[:, 2].min()), float(mesh.vertices[:, 2].max())
    mesh = pressed(mesh, low + flat * (high - low))
    vertices = mesh.vertices
    if pieces == 1:
        parts = [standing_hull(vertices, grown)]
    else:
        step = 0.03 * (float(vertices[:, 0].max()) - float(vertices[:, 0].min()))
        parts = [standing_hull(vertices[side * vertices[:, 0] > -step], grown) for side in (-1.0, 1.0)]
    assembly.add(mesh, parts)


def along_x(mesh: Mesh) -> Mesh:
    """A turned mesh laid along +x, its middle at the origin."""
    low, high = (float(bound[2]) for bound in mesh.bounds)
    return placed(placed(mesh, translation(0.0, 0.0, -(low + high) / 2)), rotation("y", math.pi / 2))
