"""Loose sheets of cloth and paper: torn off a roll, hung over a rail, drawn into a tuft."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from flowbench.geometry import sin_cos
from flowbench.rendering import Material, Mesh
from flowbench.rendering.placing import Vector
from flowbench.rendering.shapes import cross, solid, sphere
from flowbench.rendering.sweeps import grid_surface, two_sided

from .draw import Draw
from .shells import Grid


def ribbon(path: Sequence[Vector], across: Vector, material: Material) -> Mesh:
    """A thin sheet swept along a path by the vector ``across``, seen from both sides; texture in metres."""
    points = np.array(path, dtype=np.float64)
    steps = points[1:] - points[:-1]
    dx, dy, dz = steps.T
    along = np.concatenate([[0.0], np.cumsum(np.sqrt(dx * dx + dy * dy + dz * dz))])
    wide = np.array(across)
    grid = np.stack([points, points + wide], axis=1)
    width = math.sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2])
    uvs = np.stack(np.broadcast_arrays(along[:, None], np.array([0.0, width])), axis=-1)
    return two_sided(grid_surface(grid, uvs, material))


def drape(span: tuple[float, float], reach: float, folds: tuple[float, float], gather: float, columns: int) -> Grid:
    """A cloth over a rail along x at the origin, as a grid whose rows run up the front (-y) and down the back.

    Args:
        span: how far its front and its back hang down, metres.
        reach: the rail's radius and the cloth's thickness, metres.
        folds: how many waves run down the cloth, and how far they swing at its lower edge, metres.
        gather: its width at the rail over its width of 1 m at its lower edge.
        columns: points across.
    """
    turns = [sin_cos(math.pi * k / 4) for k in range(5)]
    rows = [(-reach, -share * span[0], share * span[0]) for share in (1.0, 0.8, 0.6, 0.4, 0.25, 0.12)]
    rows += [(-reach * c, reach * s, 0.0) for s, c in turns]
    rows += [(reach, -share * span[1], share * span[1]) for share in (0.15, 0.4, 0.7, 1.0)]
    grid = np.empty((len(rows), columns, 3))
    for i, (y, z, hang) in enumerate(rows):
        free = min(hang / 0.3, 1.0)
        wide = gather + (1.0 - gather) * free
        for j in range(columns):
            t = j / (columns - 1) - 0.5
            wave = sin_cos(2.0 * math.pi * folds[0] * t + 0.7)[0]
            depth = folds[1] * (free if gather == 1.0 else 1.0 - 0.5 * free)
            grid[i, j] = (wide * t, y + depth * y / reach * (0.5 + 0.5 * wave), z)
    return grid


def tuft(high: float, half: float, turn: float, material: Material) -> Mesh:
    """One leaf of a tissue that stands out of a slot at the origin: it widens upwards, waved and bent over at its tip.

    Args:
        high: its height, metres.
        half: half its width at its broadest, metres.
        turn: where its waves begin, radians.
        material: its paper.
    """
    rows, columns = 7, 9
    grid = np.empty((rows, columns, 3))
    for i in range(rows):
        up = i / (rows - 1)
        for j in range(columns):
            t = 2.0 * j / (columns - 1) - 1.0
            wave = sin_cos(3.2 * t + turn)[0]
            y = 0.3 * half * up * wave + 0.45 * half * up * up * up
            z = high * up * (1.0 - 0.3 * t * t) * (1.0 - 0.1 * up * up)
            grid[i, j] = (half * t * (0.3 + 0.7 * up), y, z)
    return two_sided(grid_surface(grid, grid[..., ::2].copy(), material))


def crumpled(draw: Draw, radius: float, scale: Vector, material: Material) -> Mesh:
    """A ball of crumpled paper about the origin: an ellipsoid with dents and sharp creases."""
    ball = sphere(radius, material, scale=scale, sides=9, rings=6)
    # Vertices at the same place are dented alike.
    dents: dict[tuple[float, ...], float] = {}
    for point in np.round(ball.vertices, 6).tolist():
        dents.setdefault(tuple(abs(v) if v == 0.0 else v for v in point), draw.between(0.78, 1.06))
    shares = [dents[tuple(abs(v) if v == 0.0 else v for v in p)] for p in np.round(ball.vertices, 6).tolist()]
    corners = (ball.vertices * np.array(shares)[:, None])[ball.faces]
    normals = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.sqrt(normals[:, 0] * normals[:, 0] + normals[:, 1] * normals[:, 1] + normals[:, 2] * normals[:, 2])
    flat = np.repeat(normals / length[:, None], 3, axis=0)
    faces = np.arange(3 * len(corners), dtype=np.int32).reshape(-1, 3)
    return solid(corners.reshape(-1, 3), flat, ball.uvs[ball.faces].reshape(-1, 2), faces, material)
