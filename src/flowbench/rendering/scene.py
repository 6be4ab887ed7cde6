"""A scene as flat arrays, in the order the kernels read them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._jit import kernel
from ..geometry.frames import Matrix, rotate, transform
from .colour import linear_from_srgb
from .mesh import Instance, Material

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int = NDArray[np.int32]
Scalar = TypeVar("Scalar", bound=np.generic)

# Columns of ``materials``.
TINT_R, TINT_G, TINT_B, ROUGHNESS, METALLIC, EMISSION, TEXTURE, SCALE = range(8)


@dataclass(frozen=True, eq=False)
class Scene:
    """All instances one after another; a face's index is also its rank when depths are equal.

    Attributes:
        local_points, local_normals: (V, 3) float64, each in its own object's frame.
        points: (V, 3) float64, world frame, metres.
        normals: (V, 3) float32, world frame, unit.
        uvs: (V, 2) float32, metres along the surface.
        faces: (F, 3) int32 vertex indices.
        face_material: (F,) int32 rows of ``materials``.
        face_instance: (F,) int32 positions in the list of instances.
        face_patch: (F,) int32; faces with one number share vertices (directly or through others) and material.
        face_density: (F,) float32 square root of uv area over area: uv units a metre.
        materials: (M, 8) float64, columns above; colours linear.
        vertex_start, face_start: (I + 1,) int64 ranges of each instance.
        spheres: (I, 4) float64 bounding spheres (centre, radius), world frame.
        local_spheres: the same in the object's frame.
        bounds: (I, 2, 3) float64 least and greatest coordinates, world frame.
        ids: (I,) uint16 instance ids.
        casts_shadow: (I,) bool.
    """

    local_points: Float
    local_normals: Float
    points: Float
    normals: Float32
    uvs: Float32
    faces: Int
    face_material: Int
    face_instance: Int
    face_patch: Int
    face_density: Float32
    materials: Float
    vertex_start: NDArray[np.int64]
    face_start: NDArray[np.int64]
    spheres: Float
    local_spheres: Float
    bounds: Float
    ids: NDArray[np.uint16]
    casts_shadow: NDArray[np.bool_]

    def place(self, index: int, world_from_object: Matrix) -> None:
        """Put the instance at ``index`` at a pose; only its own vertices are touched."""
        part = slice(int(self.vertex_start[index]), int(self.vertex_start[index + 1]))
        points = transform(world_from_object, self.local_points[part])
        self.points[part] = points
        self.bounds[index] = points.min(axis=0), points.max(axis=0)
        self.normals[part] = rotate(world_from_object, self.local_normals[part])
        self.spheres[index, :3] = transform(world_from_object, self.local_spheres[index, :3])
        self.spheres[index, 3] = self.local_spheres[index, 3]


def pack(instances: Sequence[Instance], textures: Mapping[str, int]) -> Scene:
    """Flatten instances.

    Args:
        instances: what to draw; the order breaks ties.
        textures: row of each texture name.

    Raises:
        ValueError: an instance id out of 1..65535, or a material with an unknown texture.
    """
    rows: dict[Material, int] = {}
    faces: list[NDArray[Any]] = []
    materials: list[Int] = []
    uvs, points, normals = [], [], []
    vertex_start, face_start = [0], [0]
    for instance in instances:
        mesh = instance.mesh
        if not 1 <= instance.instance_id <= 65535:
            raise ValueError(f"instance id {instance.instance_id} is not in 1..65535.")
        lookup = np.array([rows.setdefault(material, len(rows)) for material in mesh.materials], dtype=np.int32)
        faces.append(mesh.faces + vertex_start[-1])
        materials.append(lookup[mesh.face_materials])
        points.append(mesh.vertices)
        normals.append(mesh.normals)
        uvs.append(mesh.uvs)
        vertex_start.append(vertex_start[-1] + len(mesh.vertices))
        face_start.append(face_start[-1] + len(mesh.faces))
    face_array = _stacked(faces, 3, np.int32)
    face_material = _stacked(materials, 0, np.int32)
    local_points = _stacked(points, 3, np.float64)
    scene = Scene(
        local_points=local_points,
        local_normals=_stacked(normals, 3, np.float64),
        points=np.empty_like(local_points),
        normals=np.empty(local_points.shape, dtype=np.float32),
        uvs=_stacked(uvs, 2, np.float32),
        faces=face_array,
        face_material=face_material,
        face_instance=np.repeat(np.arange(len(instances), dtype=np.int32), np.diff(face_start)),
        face_patch=np.empty(len(face_array), dtype=np.int32),
        face_density=np.empty(len(face_array), dtype=np.float32),
        materials=_material_rows(list(rows), textures),
        vertex_start=np.array(vertex_start, dtype=np.int64),
        face_start=np.array(face_start, dtype=np.int64),
        spheres=np.empty((len(instances), 4)),
        local_spheres=np.array([_sphere(instance.mesh.vertices) for instance in instances]).reshape(-1, 4),
        bounds=np.empty((len(instances), 2, 3)),
        ids=np.array([instance.instance_id for instance in instances], dtype=np.uint16),
        casts_shadow=np.array([instance.casts_shadow for instance in instances], dtype=np.bool_),
    )
    for index, instance in enumerate(instances):
        scene.place(index, instance.world_from_object)
    find_patches(face_array, face_material, np.arange(len(local_points), dtype=np.int32), scene.face_patch)
    find_densities(face_array, local_points, scene.uvs, scene.face_density)
    return scene


def _stacked(parts: Sequence[NDArray[Any]], width: int, dtype: type[Scalar]) -> NDArray[Scalar]:
    """Parts one after another, C-contiguous; no parts give an empty array of the right shape."""
    shape = (0, width) if width else (0,)
    return np.ascontiguousarray(np.concatenate([np.empty(shape, dtype=dtype), *parts]), dtype=dtype)


def _material_rows(materials: Sequence[Material], textures: Mapping[str, int]) -> Float:
    """The table ``Scene.materials``."""
    for material in materials:
        if material.texture not in textures:
            raise ValueError(f"a material names the texture {material.texture!r}, which is not in the texture set.")
    rows = np.empty((len(materials), 8))
    rows[:, :3] = linear_from_srgb(np.array([material.colour for material in materials]).reshape(-1, 3))
    for row, m in zip(rows, materials, strict=True):
        row[3:] = m.roughness, m.metallic, m.emission, float(textures[m.texture]), m.scale
    return rows


def _sphere(points: Float) -> list[float]:
    """A bounding sphere about the middle of the bounding box."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    offsets = points - middle
    squares = offsets[:, 0] * offsets[:, 0] + offsets[:, 1] * offsets[:, 1] + offsets[:, 2] * offsets[:, 2]
    return [*(float(value) for value in middle), float(np.sqrt(squares.max()))]


@kernel
def find_patches(faces: Int, face_material: Int, parent: Int, face_patch: Int) -> None:
    """Number the smooth patches: union-find over shared vertices, split by material.

    Edge antialiasing shades a patch once a pixel, however many of its small triangles meet there.
    """
    for f in range(len(faces)):
        root = faces[f, 0]
        while parent[root] != root:
            parent[root] = parent[parent[root]]
            root = parent[root]
        for k in range(1, 3):
            other = faces[f, k]
            while parent[other] != other:
                parent[other] = parent[parent[other]]
                other = parent[other]
            if other < root:
                parent[root] = other
                root = other
            else:
                parent[other] = root
    count = len(parent)
    for f in range(len(faces)):
        root = faces[f, 0]
        while parent[root] != root:
            root = parent[root]
        face_patch[f] = root + count * face_material[f]


@kernel
def find_densities(faces: Int, points: Float, uvs: Float32, density: Float32) -> None:
    """uv units a metre along each face, for the choice of the mip level."""
    for f in range(len(faces)):
        i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
        ax, ay, az = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
        bx, by, bz = points[k, 0] - points[i, 0], points[k, 1] - points[i, 1], points[k, 2] - points[i, 2]
        nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        area = math.sqrt(nx * nx + ny * ny + nz * nz)
        au, av = uvs[j, 0] - uvs[i, 0], uvs[j, 1] - uvs[i, 1]
        bu, bv = uvs[k, 0] - uvs[i, 0], uvs[k, 1] - uvs[i, 1]
        density[f] = math.sqrt(abs(au * bv - av * bu) / max(area, 1e-12))
