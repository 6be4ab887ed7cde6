"""Bent sheets: moulded seats, curved tops."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flowbench.rendering import Material, Mesh, join
from flowbench.rendering.sweeps import grid_surface

from ..model import Part
from .hulls import coarse_hull

Grid = NDArray[np.float64]
"""(n, m, 3) points of a sheet's upper side, metres; rows run to the back (+y), columns to the right (+x)."""


def shell(grid: Grid, thick: float, material: Material) -> Mesh:
    """A sheet of some thickness (metres) below a grid, closed all round."""
    uvs = grid[..., :2].copy()
    uvs[..., 1] += grid[..., 2]
    upper = grid_surface(grid.transpose(1, 0, 2), uvs.transpose(1, 0, 2), material)
    normals = upper.normals.reshape(grid.shape[1], grid.shape[0], 3).transpose(1, 0, 2)
    under = grid - thick * normals
    lower = grid_surface(under, uvs, material)
    edges = []
    for top, bottom in (
        (grid[0], under[0]),
        (grid[::-1, 0], under[::-1, 0]),
        (grid[-1, ::-1], under[-1, ::-1]),
        (grid[:, -1], under[:, -1]),
    ):
        strip = np.stack([top, bottom])
        edges.append(grid_surface(strip[::-1].transpose(1, 0, 2), strip[::-1, :, :2].transpose(1, 0, 2), material))
    return join([upper, lower, *edges])


def shell_parts(grid: Grid, thick: float, rows: Sequence[int], columns: Sequence[int]) -> list[Part]:
    """What a sheet collides as: one hull for every patch between neighbouring ``rows`` and ``columns`` of the grid."""
    normals = grid_surface(grid.transpose(1, 0, 2), grid[..., :2].transpose(1, 0, 2)).normals
    under = grid - thick * normals.reshape(grid.shape[1], grid.shape[0], 3).transpose(1, 0, 2)
    parts = []
    for r0, r1 in pairwise(rows):
        for c0, c1 in pairwise(columns):
            patch = [side[r0 : r1 + 1, c0 : c1 + 1].reshape(-1, 3) for side in (grid, under)]
            parts.append(coarse_hull(np.concatenate(patch)))
    return parts
