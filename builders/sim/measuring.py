"""Reading masks: area, centroid, box and the best place for a mark, for every id of an image at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench._jit import kernel

PIXELS_AT_800 = 400
"""Least visible pixels of a named object in an 800 px wide image. sim.md asks for 150; of those a dot hides much."""
NOTICED_PIXELS_AT_800 = 50
"""Pixels from which an object is noticed."""


@dataclass(frozen=True)
class MaskFacts:
    """One id's visible pixels: count, centroid (u, v), and inclusive bounding box in pixels."""

    area: int
    u: float
    v: float
    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Columns from the first to the last visible pixel."""
        return self.right - self.left + 1

    @property
    def height(self) -> int:
        """Rows from the first to the last visible pixel."""
        return self.bottom - self.top + 1


@kernel
def _tabulate(ids: NDArray[np.uint16], table: NDArray[np.int64]) -> None:
    """Fill table[id] = (area, sum u, sum v, left, top, right, bottom)."""
    height, width = ids.shape
    for v in range(height):
        for u in range(width):
            row = table[ids[v, u]]
            if row[0] == 0:
                row[3] = u
                row[4] = v
                row[5] = u
            row[0] += 1
            row[1] += u
            row[2] += v
            row[3] = min(row[3], u)
            row[5] = max(row[5], u)
            row[6] = v


@kernel
def _chamfer(mask: NDArray[np.bool_], distance: NDArray[np.int32]) -> None:
    """Distance of each mask pixel to the nearest pixel outside, 5 a straight step and 7 a diagonal one."""
    height, width = mask.shape
    for v in range(height):
        for u in range(width):
            best = 0
            if mask[v, u]:
                best = 5
                if v > 0 and u > 0 and u < width - 1:
                    best = min(
                        distance[v - 1, u] + 5,
                        distance[v, u - 1] + 5,
                        distance[v - 1, u - 1] + 7,
                        distance[v - 1, u + 1] + 7,
                    )
            distance[v, u] = best
    for v in range(height - 1, -1, -1):
        for u in range(width - 1, -1, -1):
            if distance[v, u] > 0:
                if v == height - 1 or u == 0 or u == width - 1:
                    distance[v, u] = min(distance[v, u], 5)
                else:
                    distance[v, u] = min(
                        distance[v, u],
                        distance[v + 1, u] + 5,
                        distance[v, u + 1] + 5,
                        distance[v + 1, u + 1] + 7,
                        distance[v + 1, u - 1] + 7,
                    )


def mask_facts(ids: NDArray[np.uint16]) -> dict[int, MaskFacts]:
    """Facts of every non-zero id in an (H, W) image, by ascending id."""
    table = np.zeros((int(ids.max(initial=0)) + 1, 7), dtype=np.int64)
    _tabulate(ids, table)
    found: dict[int, MaskFacts] = {}
    for instance_id in np.flatnonzero(table[:, 0]).tolist():
        if instance_id == 0:
            continue
        area, u, v, left, top, right, bottom = (int(x) for x in table[instance_id])
        found[instance_id] = MaskFacts(area, u / area, v / area, left, top, right, bottom)
    return found


CHAMFER_STEP = 5.0
"""Units of :func:`depths` a pixel."""


def depths(mask: NDArray[np.bool_], facts: MaskFacts) -> NDArray[np.int32]:
    """Chamfer distance of a mask's pixels to the outside, for the mask's own rectangle; 0 outside the mask.

    Args:
        mask: (H, W).
        facts: give the rectangle.
    """
    crop = np.ascontiguousarray(mask[facts.top : facts.bottom + 1, facts.left : facts.right + 1])
    distance = np.zeros(crop.shape, dtype=np.int32)
    _chamfer(crop, distance)
    return distance


@dataclass(frozen=True)
class Spot:
    """The pixel of a mask that is deepest inside it, and its distance to the outside in pixels."""

    u: int
    v: int
    depth: float


def innermost(mask: NDArray[np.bool_], facts: MaskFacts) -> Spot:
    """Where a dot fits best: the deepest pixel, of equally deep ones that nearest to the centroid.

    Args:
        mask: (H, W); must be set somewhere inside the box of ``facts``.
        facts: bounds the search and gives the centroid.
    """
    distance = depths(mask, facts)
    deepest = int(distance.max())
    rows, columns = np.nonzero(distance == deepest)
    du = columns + (facts.left - facts.u)
    dv = rows + (facts.top - facts.v)
    best = int(np.argmin(du * du + dv * dv))
    return Spot(int(columns[best]) + facts.left, int(rows[best]) + facts.top, deepest / CHAMFER_STEP)
