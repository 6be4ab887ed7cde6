"""Move, turn and stretch meshes."""

from __future__ import annotations

import numpy as np

from ..geometry import rotate, sin_cos, transform
from ..geometry.frames import Matrix
from .mesh import Mesh

Vector = tuple[float, float, float]


def translation(x: float, y: float, z: float) -> Matrix:
    """``target_from_source`` (4, 4) that shifts by (x, y, z) metres."""
    matrix = np.eye(4)
    matrix[:3, 3] = (x, y, z)
    return matrix


def rotation(axis: str, angle: float, shift: Vector = (0.0, 0.0, 0.0)) -> Matrix:
    """``target_from_source`` (4, 4): a turn about a coordinate axis, then a shift.

    Args:
        axis: ``"x"``, ``"y"`` or ``"z"``.
        angle: radians, right-handed about the axis.
        shift: metres, applied after the turn.
    """
    s, c = sin_cos(angle)
    first = ("xyz".index(axis) + 1) % 3
    second = (first + 1) % 3
    matrix = translation(*shift)
    matrix[first, first] = matrix[second, second] = c
    matrix[first, second] = -s
    matrix[second, first] = s
    return matrix


def placed(mesh: Mesh, target_from_mesh: Matrix) -> Mesh:
    """The mesh under a rigid transform (4, 4)."""
    return Mesh(
        transform(target_from_mesh, mesh.vertices),
        rotate(target_from_mesh, mesh.normals),
        mesh.uvs,
        mesh.faces,
        mesh.face_materials,
        mesh.materials,
    )


def stretched(mesh: Mesh, factors: Vector) -> Mesh:
    """The mesh scaled along x, y, z by positive factors, about its origin; uvs stay."""
    scale = np.array(factors, dtype=np.float64)
    normals = mesh.normals / scale
    length = np.sqrt(normals[:, 0] * normals[:, 0] + normals[:, 1] * normals[:, 1] + normals[:, 2] * normals[:, 2])
    return Mesh(
        mesh.vertices * scale,
        normals / length[:, None],
        mesh.uvs,
        mesh.faces,
        mesh.face_materials,
        mesh.materials,
    )
