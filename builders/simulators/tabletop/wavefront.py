"""Reading the arm's meshes: Wavefront OBJ and MTL files of triangles, as PyBullet's data has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import UsageError
from flowbench.rendering import Material, Mesh

_ROUGHNESS = 0.42
_GREY = (0.9, 0.91, 0.92)

Float = NDArray[np.float64]


def read_mesh(path: Path, fallback: tuple[float, float, float] = _GREY) -> Mesh:
    """A mesh of triangles with normals; its uvs are all 0.

    Args:
        path: the OBJ file; materials are read from the MTL file of the same name, if there is one.
        fallback: sRGB of faces without one.

    Raises:
        UsageError: the file is missing or holds something else.
    """
    try:
        return _mesh(path.read_text(encoding="utf-8", errors="replace"), _colours(path.with_suffix(".mtl")), fallback)
    except (OSError, ValueError, IndexError) as error:
        raise UsageError(f"{path} cannot be read as a mesh ({error}): install pybullet again.") from error


def read_vertices(path: Path) -> Float:
    """(n, 3) float64 vertices of an OBJ file, without its faces; raises like :func:`read_mesh`."""
    try:
        return np.array([line.split()[1:4] for line in path.read_text().splitlines() if line.startswith("v ")], float)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as a mesh ({error}): install pybullet again.") from error


def _mesh(text: str, colours: dict[str, Material], fallback: tuple[float, float, float]) -> Mesh:
    columns: dict[str, list[list[str]]] = {"v": [], "vn": [], "f": []}
    used: list[Material] = []
    numbers: list[int] = []
    current = Material("plain", fallback, _ROUGHNESS)
    for line in text.splitlines():
        key, _, rest = line.partition(" ")
        if key == "usemtl":
            current = colours.get(rest.strip(), current)
        elif key in columns:
            columns[key].append(rest.split())
            if key == "f":
                if current not in used:
                    used.append(current)
                numbers.append(used.index(current))
    corners = np.array([[corner.split("/")[::2] for corner in face] for face in columns["f"]], dtype=np.int64) - 1
    points, normals = np.array(columns["v"], dtype=np.float64), np.array(columns["vn"], dtype=np.float64)
    pairs, index = np.unique(corners.reshape(-1, 2), axis=0, return_inverse=True)
    length = _lengths(normals[pairs[:, 1]])
    return Mesh(
        points[pairs[:, 0]],
        normals[pairs[:, 1]] / np.maximum(length, 1e-9)[:, None],
        np.zeros((len(pairs), 2)),
        index.reshape(-1, 3).astype(np.int32),
        np.array(numbers, dtype=np.int32),
        tuple(used),
    )


def _lengths(vectors: Float) -> Float:
    x, y, z = vectors.T
    lengths: Float = np.sqrt(x * x + y * y + z * z)
    return lengths


def _colours(path: Path) -> dict[str, Material]:
    """Material of each name: its diffuse colour."""
    found: dict[str, Material] = {}
    name = ""
    for line in path.read_text().splitlines() if path.is_file() else ():
        key, _, rest = line.strip().partition(" ")
        if key == "newmtl":
            name = rest.strip()
        elif key == "Kd":
            values: Any = [min(max(float(value), 0.0), 1.0) for value in rest.split()]
            found[name] = Material("plain", (values[0], values[1], values[2]), _ROUGHNESS)
    return found
