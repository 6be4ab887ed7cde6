"""Mesh primitives: boxes with rounded edges, lofts and extrusions of convex polygons, lathed solids, spheres.

All give outward counter-clockwise faces, unit normals, and uvs in metres along the surface, with v upwards
where a face stands (so that pictures, bricks and books are upright). Angles go through
:mod:`flowbench.geometry.trig`: the same bits on every CPU.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..geometry import cos, sin_cos
from .mesh import Float, Material, Mesh, join
from .placing import Vector, placed, stretched, translation

Index = NDArray[np.int32]

_PLAIN = Material()
_AXIS_CREASE = 1e-9
_LEAST_ROUNDING = 1e-5
"""Below this, metres, an edge is sharp: facets would have no area left."""
_FLAT = 0.99
"""Turned bands whose normals are steeper than this are textured from above, not round the axis."""


def solid(vertices: Float, normals: Float, uvs: Float, faces: Index, material: Material) -> Mesh:
    """A mesh of one material."""
    return Mesh(vertices, normals, uvs, faces.astype(np.int32), np.zeros(len(faces), dtype=np.int32), (material,))


@lru_cache(maxsize=16)
def _box_template(segments: int) -> tuple[Float, Float, Index, Index]:
    """Corner signs (V, 3), normals (V, 3), faces (F, 3) and the axis each vertex's face looks along (V,)."""
    if segments == 0:
        steps = [(-1.0, 0.0), (1.0, 0.0)]
    else:
        quarter = [sin_cos(0.25 * math.pi * i / segments) for i in range(segments + 1)]
        spread = [s / c for s, c in quarter]
        steps = [(-1.0, -x) for x in reversed(spread)] + [(1.0, x) for x in spread]
    count = len(steps)
    signs: list[list[float]] = []
    normals: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1.0, 1.0):
            base = len(signs)
            for sign_u, offset_u in steps:
                for sign_w, offset_w in steps:
                    sign, normal = [0.0] * 3, [0.0] * 3
                    sign[axis], sign[first], sign[second] = side, sign_u, sign_w
                    length = math.sqrt(1.0 + offset_u * offset_u + offset_w * offset_w)
                    normal[axis], normal[first], normal[second] = side / length, offset_u / length, offset_w / length
                    signs.append(sign)
                    normals.append(normal)
            for i in range(count - 1):
                for j in range(count - 1):
                    a = base + i * count + j
                    b, c, d = a + count, a + count + 1, a + 1
                    faces += [(a, b, c), (a, c, d)] if side > 0 else [(a, c, b), (a, d, c)]
    axes = np.repeat(np.arange(3), 2 * count * count)
    return np.array(signs), np.array(normals), np.array(faces, dtype=np.int32), axes.astype(np.int32)


def box(
    size: Vector,
    centre: Vector = (0.0, 0.0, 0.0),
    material: Material = _PLAIN,
    *,
    rounding: float = 0.0,
    segments: int = 2,
    along: int = 2,
) -> Mesh:
    """A box with edges along the axes.

    Args:
        size: (x, y, z) extents, metres, all positive.
        centre: its middle, metres.
        material: its surface.
        rounding: radius of edges and corners, metres; cut to half the least extent.
        segments: facets across a rounded edge's half.
        along: the axis that the texture's v runs along on faces that contain it (wood: its grain).
    """
    half = np.array(size, dtype=np.float64) / 2.0
    radius = min(rounding, 0.98 * float(half.min()))
    if radius < _LEAST_ROUNDING:
        radius, segments = 0.0, 0
    signs, normals, faces, axes = _box_template(segments)
    vertices = np.array(centre, dtype=np.float64) + (signs * (half - radius) + normals * radius)
    across = [{0: (1, 2), 1: (0, 2), 2: (0, 1)}[axis] for axis in range(3)]
    pairs = [pair if along not in pair else (pair[0] + pair[1] - along, along) for pair in across]
    uvs = np.empty((len(vertices), 2))
    for axis, (u, v) in enumerate(pairs):
        chosen = axes == axis
        uvs[chosen, 0] = vertices[chosen, u]
        uvs[chosen, 1] = vertices[chosen, v]
    return solid(vertices, normals.copy(), uvs, faces, material)


@lru_cache(maxsize=64)
def circle(sides: int) -> tuple[tuple[float, float], ...]:
    """(cos, sin) of ``sides`` equal steps round the circle, counter-clockwise from +x."""
    return tuple((c, s) for s, c in (sin_cos(2.0 * math.pi * i / sides) for i in range(sides)))


def loft(
    lower: Sequence[tuple[float, float]],
    upper: Sequence[tuple[float, float]],
    low: float,
    high: float,
    material: Material = _PLAIN,
) -> Mesh:
    """A solid between two convex polygons of as many corners, flat-shaded.

    Args:
        lower, upper: (x, y) corners, counter-clockwise seen from above, at ``low`` and ``high``; sides should
            stay planar (parallel edges).
        low, high: heights, metres, low < high.
        material: its surface.
    """
    count = len(lower)
    bottom = np.array([(x, y, low) for x, y in lower])
    top = np.array([(x, y, high) for x, y in upper])
    fan = np.array([(0, i, i + 1) for i in range(1, count - 1)], dtype=np.int32)
    down, up = np.tile([0.0, 0.0, -1.0], (count, 1)), np.tile([0.0, 0.0, 1.0], (count, 1))
    pieces = [
        solid(bottom, down, bottom[:, :2].copy(), fan[:, ::-1], material),
        solid(top, up, top[:, :2].copy(), fan, material),
    ]
    run = 0.0
    for i in range(count):
        a, b, c, d = bottom[i], bottom[(i + 1) % count], top[(i + 1) % count], top[i]
        normal = cross(b - a + c - d, d - a + c - b)
        length = _norm(b - a)
        height = _norm((d + c) / 2.0 - (a + b) / 2.0)
        uvs = np.array([(run, 0.0), (run + length, 0.0), (run + length, height), (run, height)])
        run += length
        quad = np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)
        pieces.append(solid(np.stack([a, b, c, d]), np.tile(normal / _norm(normal), (4, 1)), uvs, quad, material))
    return join(pieces)


def extrude(polygon: Sequence[tuple[float, float]], low: float, high: float, material: Material = _PLAIN) -> Mesh:
    """A convex polygon (x, y), counter-clockwise from above, extruded from height ``low`` to ``high``."""
    return loft(polygon, polygon, low, high, material)


def cross(a: Float, b: Float) -> Float:
    """Cross products over the last axis, (..., 3)."""
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.stack([x, y, z], axis=-1)


def _length(x: float, y: float) -> float:
    """Length of a plane vector; ``math.hypot`` promises no particular rounding."""
    return math.sqrt(x * x + y * y)


def _norm(v: Float) -> float:
    return math.sqrt(float(v[0]) * float(v[0]) + float(v[1]) * float(v[1]) + float(v[2]) * float(v[2]))


def _revolve(
    bands: Sequence[tuple[Sequence[tuple[float, float]], Sequence[tuple[float, float]]]], material: Material, sides: int
) -> Mesh:
    """Smooth bands of (radius, z) points with (radial, z) normals, turned about z."""
    ring_cos, ring_sin = np.array([*circle(sides), circle(sides)[0]]).T
    turn = np.arange(sides + 1) * (2.0 * math.pi / sides)
    pieces = []
    run = 0.0
    for points, normals in bands:
        radii, heights = np.array(points).T[:, :, None]
        radial, upward = np.array(normals).T[:, :, None]
        lengths = [_length(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
        arc = run + np.concatenate([[0.0], np.cumsum(lengths)])
        run = float(arc[-1])
        shape = (len(points), sides + 1)
        vertices = np.stack([radii * ring_cos, radii * ring_sin, np.broadcast_to(heights, shape)], axis=-1)
        directions = np.stack([radial * ring_cos, radial * ring_sin, np.broadcast_to(upward, shape)], axis=-1)
        if all(abs(upwards) > _FLAT for _, upwards in normals):
            uvs = vertices[..., :2]
        else:
            uvs = np.stack(np.broadcast_arrays(turn * float(radii.max()), arc[:, None]), axis=-1)
        faces = _band_faces([r > _AXIS_CREASE for r, _ in points], sides)
        pieces.append(
            solid(vertices.reshape(-1, 3), directions.reshape(-1, 3), uvs.reshape(-1, 2).copy(), faces, material)
        )
    return join(pieces)


def _band_faces(open_rings: Sequence[bool], sides: int) -> Index:
    """Two triangles a quad between neighbouring rings; one where a ring is a point on the axis."""
    width = sides + 1
    i = np.arange(sides)
    faces = []
    for row, (lower_open, upper_open) in enumerate(pairwise(open_rings)):
        a = row * width + i
        if lower_open:
            faces.append(np.stack([a, a + 1, a + 1 + width], axis=1))
        if upper_open:
            faces.append(np.stack([a, a + 1 + width, a + width], axis=1))
    return np.concatenate(faces).astype(np.int32)


def lathe(
    profile: Sequence[tuple[float, float]], material: Material = _PLAIN, *, sides: int = 24, crease: float = 40.0
) -> Mesh:
    """A profile turned about the z axis.

    Args:
        profile: (radius, z) points, metres, with the solid on the left when walking along them outside going
            up (from the bottom's middle out, up the outside, then in or down the inside); repeated points are
            dropped. Closed if it starts and ends on the axis.
        material: its surface.
        sides: facets round the axis.
        crease: neighbouring segments that bend by fewer degrees are shaded smoothly.
    """
    points = [profile[0]]
    points += [b for a, b in pairwise(profile) if a != b]
    normals = []
    for (r0, z0), (r1, z1) in pairwise(points):
        length = _length(r1 - r0, z1 - z0)
        normals.append(((z1 - z0) / length, (r0 - r1) / length))
    limit = cos(math.radians(crease))
    bands = []
    start = 0
    for i in range(1, len(normals) + 1):
        if i < len(normals) and normals[i - 1][0] * normals[i][0] + normals[i - 1][1] * normals[i][1] > limit:
            continue
        bands.append((points[start : i + 1], _smoothed(normals[start:i], points[start : i + 1])))
        start = i
    return _revolve(bands, material, sides)


def _smoothed(
    normals: Sequence[tuple[float, float]], points: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Point normals of one smooth band from its segments' normals; straight up or down where it closes on the axis."""
    out = [normals[0]]
    for (a, b), (c, d) in pairwise(normals):
        length = _length(a + c, b + d)
        out.append(((a + c) / length, (b + d) / length))
    out.append(normals[-1])
    if len(normals) > 1:
        for end in (0, -1):
            if points[end][0] <= _AXIS_CREASE:
                out[end] = (0.0, math.copysign(1.0, out[end][1]))
    return out


def cylinder(
    radius: float,
    height: float,
    material: Material = _PLAIN,
    *,
    top_radius: float | None = None,
    at: Vector = (0.0, 0.0, 0.0),
    sides: int = 20,
) -> Mesh:
    """A closed cylinder or truncated cone standing at ``at``, metres."""
    top = radius if top_radius is None else top_radius
    profile = [(0.0, 0.0), (radius, 0.0), (top, height), (0.0, height)]
    return placed(lathe(profile, material, sides=sides), translation(*at))


@lru_cache(maxsize=32)
def _half_circle(steps: int) -> tuple[tuple[float, float], ...]:
    """(cos, sin) from straight down to straight up."""
    between = (sin_cos(math.pi * i / steps - 0.5 * math.pi) for i in range(1, steps))
    return ((0.0, -1.0), *((c, s) for s, c in between), (0.0, 1.0))


def sphere(
    radius: float,
    material: Material = _PLAIN,
    *,
    at: Vector = (0.0, 0.0, 0.0),
    scale: Vector = (1.0, 1.0, 1.0),
    sides: int = 24,
    rings: int = 12,
) -> Mesh:
    """A sphere, or with ``scale`` an ellipsoid, about ``at``, metres."""
    normals = _half_circle(rings)
    points = [(radius * r, radius * z) for r, z in normals]
    return placed(stretched(_revolve([(points, normals)], material, sides), scale), translation(*at))
