"""Turned pieces that are not quite round: ovals, rounded squares, wavy skins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import sin_cos
from flowbench.rendering import Material, Mesh
from flowbench.rendering.placing import Vector, stretched
from flowbench.rendering.shapes import circle, lathe
from flowbench.rendering.sweeps import grid_surface

from ..model import Part
from .assembly import Assembly, Place
from .hulls import lathe_parts

Profile = Sequence[tuple[float, float]]
"""(radius, z) points, metres, as :func:`flowbench.rendering.shapes.lathe` takes them."""

_AXIS = 1e-6
_POLE = 5e-4
"""Radius in metres at which a wavy skin closes, so that no facet is degenerate."""


_RING = 16
"""Corners of a frustum's ring."""
_BENT = [
    (c, s)
    for quarter in range(4)
    for s, c in (sin_cos(0.5 * math.pi * (quarter + t)) for t in (0.24, 0.42, 0.58, 0.76))
]
"""Directions (cos, sin), of which a rounded square is chosen so that its chords are near it."""


def _to_square(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 3) with every circle about the z axis pressed out to the curve x^4 + y^4 = r^4."""
    x2, y2 = points[:, 0] * points[:, 0], points[:, 1] * points[:, 1]
    quartic = np.sqrt(x2 * x2 + y2 * y2)
    factor = np.sqrt((x2 + y2) / np.maximum(quartic, _AXIS * _AXIS))
    factor = np.where(quartic > _AXIS * _AXIS, factor, 1.0)
    return np.column_stack([points[:, 0] * factor, points[:, 1] * factor, points[:, 2]])


def _square_part(part: Part) -> Part:
    """A frustum of :func:`~.hulls.lathe_parts` as a rounded square, its corners where the curve bends most."""
    points: list[tuple[float, float, float]] = []
    first = 0
    while first < len(part):
        radius, z = float(part[first, 0]), float(part[first, 2])
        points += [(radius * c, radius * s, z) for c, s in _BENT] if radius > _AXIS else [(0.0, 0.0, z)]
        first += _RING if radius > _AXIS else 1
    return _to_square(np.array(points))


def squared(mesh: Mesh) -> Mesh:
    """A turned mesh with a rounded square for its circle; the extents along x and y stay."""
    old, new = mesh.vertices, _to_square(mesh.vertices)
    radius = np.sqrt(old[:, 0] * old[:, 0] + old[:, 1] * old[:, 1])
    safe = np.maximum(radius, _AXIS)
    radial = (mesh.normals[:, 0] * old[:, 0] + mesh.normals[:, 1] * old[:, 1]) / safe
    u, v = new[:, 0] / safe, new[:, 1] / safe
    normals = np.column_stack([radial * u * u * u, radial * v * v * v, mesh.normals[:, 2]])
    length = np.sqrt(normals[:, 0] * normals[:, 0] + normals[:, 1] * normals[:, 1] + normals[:, 2] * normals[:, 2])
    off_axis = (radius > _AXIS) & (length > _AXIS)
    normals = np.where(off_axis[:, None], normals / np.maximum(length, _AXIS)[:, None], mesh.normals)
    return replace(mesh, vertices=new, normals=normals)


def turned(
    assembly: Assembly,
    profile: Profile,
    material: Material,
    *,
    stretch: Vector = (1.0, 1.0, 1.0),
    square: bool = False,
    sides: int = 24,
    crease: float = 40.0,
    tolerance: float = 0.006,
    at: Place = (0.0, 0.0, 0.0),
    solid: bool = True,
) -> None:
    """Add a turned piece, squared and stretched about its axis's foot, then placed; it collides as if it were full."""
    mesh = lathe(profile, material, sides=sides, crease=crease)
    parts = lathe_parts(profile, tolerance) if solid else []
    if square:
        mesh, parts = squared(mesh), [_square_part(part) for part in parts]
    assembly.add(stretched(mesh, stretch), [part * np.array(stretch) for part in parts], at=at)


def wavy(profile: Profile, depth: Sequence[float], waves: int, material: Material, *, sides: int = 36) -> Mesh:
    """A skin whose radius swings about the profile's, smooth all over.

    Args:
        profile: (radius, z) points from the bottom's middle up and out, then in to the top's middle, metres.
        depth: per point, the swing as a share of its radius.
        waves: swings round the axis.
        material: its surface.
        sides: facets round the axis, a multiple of a few times ``waves``.
    """
    ring = [*circle(sides), circle(sides)[0]]
    cosines = np.array([circle(sides)[(i * waves) % sides][0] for i in range(sides + 1)])
    ring_cos, ring_sin = np.array(ring).T
    radii = np.array([max(r, _POLE) for r, _ in profile])[:, None] * (1.0 + np.array(depth)[:, None] * cosines)
    heights = np.broadcast_to(np.array([z for _, z in profile])[:, None], radii.shape)
    grid = np.stack([radii * ring_cos, radii * ring_sin, heights], axis=-1)[::-1]
    around = np.broadcast_to(np.arange(sides + 1) * (6.2832 / sides * float(radii.max())), radii.shape)
    return grid_surface(grid, np.stack([around, heights[::-1]], axis=-1), material)


def crinkled(
    assembly: Assembly,
    points: Sequence[tuple[float, float, float]],
    waves: int,
    material: Material,
    *,
    stretch: Vector = (1.0, 1.0, 1.0),
    sides: int = 36,
    tolerance: float = 0.01,
    at: Place = (0.0, 0.0, 0.0),
    solid: bool = True,
) -> None:
    """Add a wavy piece from (radius, z, swing) points, see :func:`wavy`; it collides as if it were full and smooth."""
    profile = [(r, z) for r, z, _ in points]
    mesh = wavy(profile, [swing for _, _, swing in points], waves, material, sides=sides)
    parts = lathe_parts(profile, tolerance) if solid else []
    assembly.add(stretched(mesh, stretch), [part * np.array(stretch) for part in parts], at=at)
