"""Collision shapes: convex parts as PyBullet compounds whose contact surface is the parts' surface.

Boxes become boxes, which Bullet treats exactly. Other parts become hulls from one OBJ file an object (hulls
given by ``vertices=`` leak 13 KB each); Bullet inflates a hull by a margin of 1 mm, so its vertices are
drawn in by as much. Measured against exact distances between pairs of models (GJK on the parts), Bullet's are
off by -0.2 to +0.9 mm (5th to 95th percentile), less than half of the penetration that counts as touching.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import IO

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import quaternion_of
from flowbench.geometry.frames import Matrix
from flowbench.rendering import Mesh

from .bindings import pybullet
from .model import Part

HULL_MARGIN = 0.001
"""Metres by which Bullet inflates hulls loaded from files."""
_SAME = 2e-5
Quaternion = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class BoxShape:
    """A box: centre and half extents in metres, and its orientation (x, y, z, w) in the object's frame."""

    centre: NDArray[np.float64]
    half: NDArray[np.float64]
    quaternion: Quaternion


def as_box(part: Part) -> BoxShape | None:
    """The box that eight vertices form, in any order and orientation; None if they form none."""
    if len(part) != 8:
        return None
    low, high = part.min(axis=0), part.max(axis=0)
    near = np.minimum(np.abs(part - low), np.abs(part - high))
    if float(near.max()) < _SAME and len({tuple(row) for row in (part - low > high - part).tolist()}) == 8:
        return BoxShape((low + high) / 2.0, (high - low) / 2.0, (0.0, 0.0, 0.0, 1.0))
    return _turned_box(part)


def _turned_box(part: Part) -> BoxShape | None:
    """Three edges from the first vertex that are square to each other and reach all the others."""
    origin = part[0]
    edges = part[1:] - origin
    lengths = np.sqrt((edges * edges).sum(axis=1))
    if float(lengths.min()) < _SAME:
        return None
    for i, j, k in combinations(range(7), 3):
        if max(abs(_cosine(edges, lengths, a, b)) for a, b in ((i, j), (i, k), (j, k))) > 1e-3:
            continue
        corners = np.array([a * edges[i] + b * edges[j] + c * edges[k] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
        gaps = np.abs(corners[:, None, :] - (part - origin)[None, :, :]).max(axis=2)
        if float(gaps.min(axis=1).max()) > _SAME:
            return None
        axes = np.array([edges[m] / lengths[m] for m in (i, j, k)])
        if _determinant(axes) < 0.0:
            axes[2] = -axes[2]
        frame = np.eye(4)
        frame[:3, :3] = axes.T
        half = np.array([lengths[i], lengths[j], lengths[k]]) / 2.0
        return BoxShape(part.mean(axis=0), half, quaternion_of(frame))
    return None


def _cosine(edges: NDArray[np.float64], lengths: NDArray[np.float64], a: int, b: int) -> float:
    return float((edges[a] * edges[b]).sum() / (lengths[a] * lengths[b]))


def _determinant(m: Matrix) -> float:
    return float(
        m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
        - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
        + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
    )


def centre_of_mass(mesh: Mesh) -> tuple[float, float, float]:
    """Of a mesh of closed pieces with outward faces, all of one density (metres, object frame).

    Tetrahedra from the middle of its bounds to each face, signed: what is hollow weighs nothing.
    """
    low, high = mesh.bounds
    middle = (low + high) / 2.0
    a, b, c = (mesh.vertices[mesh.faces[:, k]] - middle for k in range(3))
    volumes = (
        a[:, 0] * (b[:, 1] * c[:, 2] - b[:, 2] * c[:, 1])
        + a[:, 1] * (b[:, 2] * c[:, 0] - b[:, 0] * c[:, 2])
        + a[:, 2] * (b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0])
    )
    total = float(volumes.sum())
    size = high - low
    if total < 1e-3 * float(size[0] * size[1] * size[2]):
        offset = np.zeros(3)
    else:
        offset = ((a + b + c) * volumes[:, None]).sum(axis=0) / (4.0 * total)
    x, y, z = (round(float(v), 4) for v in np.clip(middle + offset, low, high))
    return x, y, z


def drawn_in(part: Part) -> Part:
    """The vertices moved inwards along each axis by the hull margin, at most to a fifth of the half extent."""
    low, high = part.min(axis=0), part.max(axis=0)
    centre, half = (low + high) / 2.0, np.maximum((high - low) / 2.0, 1e-6)
    inward: Part = centre + (part - centre) * np.maximum((half - HULL_MARGIN) / half, 0.2)
    return inward


def create_shape(client: int, parts: Sequence[Part], scratch: IO[str]) -> int:
    """A PyBullet collision shape of all parts in the object's frame.

    Args:
        client: the physics client.
        parts: convex parts, at least one.
        scratch: an open named file for the hulls; Bullet reads it before this returns (kept open, it costs a
            twentieth of a file made anew).
    """
    boxes = [as_box(part) for part in parts]
    hulls = [drawn_in(part) for part, box in zip(parts, boxes, strict=True) if box is None]
    solid = [box for box in boxes if box is not None]
    kinds = [pybullet.GEOM_BOX] * len(solid)
    halves = [box.half.tolist() for box in solid]
    centres = [box.centre.tolist() for box in solid]
    turns = [list(box.quaternion) for box in solid]
    files = [""] * len(solid)
    if hulls:
        scratch.seek(0)
        scratch.write(_obj(hulls))
        scratch.truncate()
        scratch.flush()
        kinds.append(pybullet.GEOM_MESH)
        halves.append([0.0, 0.0, 0.0])
        centres.append([0.0, 0.0, 0.0])
        turns.append([0.0, 0.0, 0.0, 1.0])
        files.append(scratch.name)
    shape: int = pybullet.createCollisionShapeArray(
        shapeTypes=kinds,
        halfExtents=halves,
        fileNames=files,
        meshScales=[[1.0, 1.0, 1.0]] * len(kinds),
        collisionFramePositions=centres,
        collisionFrameOrientations=turns,
        physicsClientId=client,
    )
    return shape


def _obj(hulls: Sequence[Part]) -> str:
    """One group a hull; the faces only name the vertices, Bullet takes their hull."""
    lines: list[str] = []
    first = 1
    for index, hull in enumerate(hulls):
        lines.append(f"o hull{index}")
        lines += [f"v {x:.7f} {y:.7f} {z:.7f}" for x, y, z in hull.tolist()]
        lines += [f"f {first} {first + i} {first + i + 1}" for i in range(1, len(hull) - 1)]
        first += len(hull)
    return "\n".join(lines) + "\n"
