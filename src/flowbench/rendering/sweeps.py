"""Mesh primitives along curves and over sheets: tubes, pictures, grids of points, pillows, leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..geometry import sin_cos
from .mesh import Float, Material, Mesh, join
from .placing import Vector
from .shapes import circle, cross, solid

_PLAIN = Material()


def _dot(a: Float, b: Float) -> Float:
    """Dot products over the last axis, (..., 3) -> (...,), without BLAS."""
    product: Float = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]
    return product


def _unit(v: Float) -> Float:
    """(..., 3) vectors scaled to length one."""
    unit: Float = v / np.sqrt(_dot(v, v))[..., None]
    return unit


def _frames(path: Float) -> tuple[Float, Float, Float]:
    """Tangents and two cross directions (n, 3) that turn least along the path (double reflection)."""
    steps = path[1:] - path[:-1]
    joints = _unit(steps[1:]) + _unit(steps[:-1]) if len(path) > 2 else np.empty((0, 3))
    tangents = _unit(np.concatenate([steps[:1], joints, steps[-1:]]))
    least = int(np.argmin(np.abs(tangents[0])))
    helper = np.zeros(3)
    helper[least] = 1.0
    side = _unit(cross(tangents[0], helper))
    sides = [side]
    for i, step in enumerate(steps):
        square = _dot(step, step)
        mirrored = side - step * (2.0 / square * _dot(step, side))
        tangent = tangents[i] - step * (2.0 / square * _dot(step, tangents[i]))
        change = tangents[i + 1] - tangent
        square = _dot(change, change)
        side = mirrored if square < 1e-18 else mirrored - change * (2.0 / square * _dot(change, mirrored))
        sides.append(side)
    stacked = np.stack(sides)
    return tangents, stacked, cross(tangents, stacked)


def tube(
    path: Sequence[Vector], radius: float | Sequence[float], material: Material = _PLAIN, *, sides: int = 8
) -> Mesh:
    """A round tube along a path, closed by flat ends.

    Args:
        path: at least two points, metres, no two neighbours alike, no reversals.
        radius: one for all, or one a point; metres, positive.
        material: its surface; u runs round, v along.
        sides: facets round it.
    """
    points = np.array(path, dtype=np.float64)
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(points),))
    tangents, first, second = _frames(points)
    ring = [*circle(sides), circle(sides)[0]]
    turn_cos, turn_sin = np.array(ring).T
    normals = first[:, None] * turn_cos[:, None] + second[:, None] * turn_sin[:, None]
    vertices = points[:, None] + normals * radii[:, None, None]
    steps = points[1:] - points[:-1]
    arc = np.concatenate([[0.0], np.cumsum(np.sqrt(_dot(steps, steps)))])
    round_it = np.arange(sides + 1) * (2.0 * math.pi / sides * float(radii.max()))
    uvs = np.stack(np.broadcast_arrays(round_it, arc[:, None]), axis=-1).reshape(-1, 2).copy()
    i, j = np.meshgrid(np.arange(len(points) - 1), np.arange(sides), indexing="ij")
    a = (i * (sides + 1) + j).ravel()
    b = a + sides + 1
    faces = np.concatenate([np.stack([a, a + 1, b + 1], axis=1), np.stack([a, b + 1, b], axis=1)])
    pieces = [solid(vertices.reshape(-1, 3), normals.reshape(-1, 3), uvs, faces.astype(np.int32), material)]
    fan = np.array([(0, k, k + 1) for k in range(1, sides - 1)], dtype=np.int32)
    flat = np.array(ring[:-1])
    for end, outward in ((0, -1.0), (-1, 1.0)):
        turned = fan if outward > 0.0 else fan[:, ::-1]
        facing = np.tile(outward * tangents[end], (sides, 1))
        pieces.append(solid(vertices[end, :-1], facing, flat * radii[end], turned, material))
    return join(pieces)


def two_sided(mesh: Mesh) -> Mesh:
    """The mesh seen from both sides."""
    back = Mesh(mesh.vertices, -mesh.normals, mesh.uvs, mesh.faces[:, ::-1].copy(), mesh.face_materials, mesh.materials)
    return join([mesh, back])


def grid_surface(grid: Float, uvs: Float, material: Material = _PLAIN) -> Mesh:
    """A smooth one-sided surface through a grid of points.

    Args:
        grid: (n, m, 3) float64, metres; it is seen from where rows x columns point by the right hand.
        uvs: (n, m, 2) float64, metres.
        material: its surface.
    """
    rows, columns = grid.shape[:2]
    down = np.concatenate([grid[1:2] - grid[:1], grid[2:] - grid[:-2], grid[-1:] - grid[-2:-1]])
    across = np.concatenate([grid[:, 1:2] - grid[:, :1], grid[:, 2:] - grid[:, :-2], grid[:, -1:] - grid[:, -2:-1]], 1)
    normals = _unit(cross(down, across))
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (i * columns + j).ravel()
    b = a + columns
    faces = np.concatenate([np.stack([a, b, b + 1], axis=1), np.stack([a, b + 1, a + 1], axis=1)]).astype(np.int32)
    return solid(grid.reshape(-1, 3).copy(), normals.reshape(-1, 3), uvs.reshape(-1, 2).copy(), faces, material)


def picture(width: float, height: float, material: Material = _PLAIN) -> Mesh:
    """A one-sided rectangle in the xz plane about the origin, facing -y, metres; its uvs run over 0..1.

    At scale 1 it shows one repeat of its texture, upright.
    """
    x, z = width / 2.0, height / 2.0
    vertices = np.array([(-x, 0.0, -z), (x, 0.0, -z), (x, 0.0, z), (-x, 0.0, z)])
    uvs = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    faces = np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)
    return solid(vertices, np.tile([0.0, -1.0, 0.0], (4, 1)), uvs, faces, material)


def cushion(size: Vector, material: Material = _PLAIN, *, cells: int = 8) -> Mesh:
    """A pillow lying flat about the origin: two bulging sides sewn together along a drawn-in rim.

    Args:
        size: (x, y, z) extents, metres.
        material: its cloth.
        cells: facets along each edge; even.
    """
    t = np.arange(cells + 1) * (2.0 / cells) - 1.0
    u, v = np.meshgrid(t, t, indexing="ij")
    draw_u, draw_v = 1.0 - 0.07 * (1.0 - v * v), 1.0 - 0.07 * (1.0 - u * u)
    x, y = 0.5 * size[0] * u * draw_u, 0.5 * size[1] * v * draw_v
    z = 0.5 * size[2] * (1.0 - u * u * u * u) * (1.0 - v * v * v * v)
    upper = np.stack([x, y, z], axis=-1)
    lower = np.stack([x, y, -z], axis=-1).transpose(1, 0, 2)
    return join([grid_surface(side, side[..., :2].copy(), material) for side in (upper, lower)])


def leaf(length: float, width: float, bend: float, material: Material = _PLAIN, *, rows: int = 6) -> Mesh:
    """A leaf from the origin along +x, its upper side up, folded a little along its vein.

    Args:
        length: along the vein, metres.
        width: at its widest, metres.
        bend: radians that the vein turns down from base to tip.
        material: its surface; u in 0..1 runs from base to tip, v in 0..1 across, one texture repeat for
            ``scale`` 1.
        rows: pieces along the vein.
    """
    points = np.empty((rows + 1, 3, 3))
    x = z = 0.0
    for i in range(rows + 1):
        t = i / rows
        s, c = sin_cos(bend * t)
        # A quartic that is a point at the tip, a stalk's width at the base, and widest before the middle.
        half = 0.5 * width * (0.06 * (1.0 - t) + 3.6 * t * (1.0 - t) * (1.0 - 0.45 * t * t))
        for k, side in enumerate((1.0, 0.0, -1.0)):
            lift = 0.25 * half * abs(side)
            points[i, k] = (x + lift * s, side * half, z + lift * c)
        x += c * length / rows
        z -= s * length / rows
    # The tip has a width of a thousandth so that no triangle is degenerate.
    points[-1, 0, 1], points[-1, 2, 1] = 0.001 * width, -0.001 * width
    along, across = np.meshgrid(np.arange(rows + 1) / rows, [1.0, 0.5, 0.0], indexing="ij")
    return two_sided(grid_surface(points, np.stack([along, across], axis=-1), material))
