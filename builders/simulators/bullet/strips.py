"""Rows of rooms: which depths and widths make every room of a row what its shape allows, and drawing among them.

A home is some rows of the same length, one behind the other. Sizes here are between wall centre lines, metres.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .plan import INNER_HALF
from .proportions import Shape
from .rects import Rect
from .tables import Range

WALL = 2 * INNER_HALF
"""From a room's size between its faces to that between centre lines, metres."""
_DEPTHS: NDArray[np.float64] = 2.0 + 0.05 * np.arange(140, dtype=np.float64)
_STEP = 0.25
_LONGEST = 80
"""Lengths of rows tried: multiples of the step, up to this many."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Row:
    """Ways to lay rooms side by side.

    Attributes:
        depth: (k,) float64, of each way.
        widths: (k, rooms, 2) float64, least and greatest width of each room.
    """

    depth: Numbers
    widths: Numbers

    @property
    def lengths(self) -> Numbers:
        """(k, 2) float64, least and greatest length of each way."""
        total = self.widths[:, 0].copy()
        for room in range(1, self.widths.shape[1]):
            total += self.widths[:, room]
        return total

    def of_length(self, length: float) -> Row:
        """The ways that reach a length."""
        least, most = self.lengths.T
        fits = (least <= length) & (length <= most)
        return Row(self.depth[fits], self.widths[fits])

    def last_within(self, width: Range) -> Row:
        """The ways whose last room may be that wide, narrowed to it."""
        widths = self.widths.copy()
        widths[:, -1, 0] = np.maximum(widths[:, -1, 0], width[0])
        widths[:, -1, 1] = np.minimum(widths[:, -1, 1], width[1])
        fits = widths[:, -1, 0] < widths[:, -1, 1]
        return Row(self.depth[fits], widths[fits])


def row_of(shapes: list[Shape], reach: float = 0.0) -> Row:
    """Every way to lay rooms side by side, on a grid of depths; the last is deeper than the row by ``reach``."""
    choices = [_spans(shape, _DEPTHS - WALL) for shape in shapes[:-1]] + [_spans(shapes[-1], _DEPTHS + reach - WALL)]
    depths: list[Numbers] = []
    widths: list[Numbers] = []
    for spans in itertools.product(*choices):
        together = np.stack(spans, axis=1)  # (depths, rooms, 2)
        fits = (together[:, :, 0] < together[:, :, 1]).all(axis=1)
        depths.append(_DEPTHS[fits])
        widths.append(together[fits] + WALL)
    return Row(np.concatenate(depths), np.concatenate(widths))


def common_length(rng: np.random.Generator, rows: list[Row], within: Range) -> float | None:
    """A length that all rows can have, or None."""
    lengths = (np.arange(_LONGEST) + float(rng.random())) * _STEP
    possible = (within[0] <= lengths) & (lengths <= within[1])
    for row in rows:
        least, most = row.lengths.T
        possible &= ((least[:, None] <= lengths) & (lengths <= most[:, None])).any(axis=0)
    chosen = np.flatnonzero(possible)
    return round(float(lengths[chosen[int(rng.integers(len(chosen)))]]), 2) if len(chosen) else None


def draw_row(rng: np.random.Generator, row: Row, length: float, y: float) -> list[Rect] | None:
    """Rooms side by side from x = 0 to ``length`` and from ``y`` on, or None if no way reaches it."""
    ways = row.of_length(length)
    if not len(ways.depth):
        return None
    way = int(rng.integers(len(ways.depth)))
    edges = [0.0]
    for width in _divided(rng, ways.widths[way].tolist(), length)[:-1]:
        edges.append(round(edges[-1] + width, 2))
    edges.append(length)
    top = round(y + float(ways.depth[way]), 2)
    return [Rect(a, y, b, top) for a, b in itertools.pairwise(edges)]


def turned(rng: np.random.Generator, cells: list[Rect]) -> list[Rect]:
    """A home mirrored or turned in one of eight ways, its corner still at the origin."""
    for axis in (0, 1):
        if rng.random() < 0.5:
            end = max(cell[axis + 2] for cell in cells)
            cells = [_mirrored(cell, axis, end) for cell in cells]
    if rng.random() < 0.5:
        cells = [Rect(cell.y0, cell.x0, cell.y1, cell.x1) for cell in cells]
    return cells


def _mirrored(cell: Rect, axis: int, end: float) -> Rect:
    low, high = round(end - cell[axis + 2], 2), round(end - cell[axis], 2)
    return cell._replace(x0=low, x1=high) if axis == 0 else cell._replace(y0=low, y1=high)


def _spans(shape: Shape, depth: Numbers) -> list[Numbers]:
    """One or two (depths, 2) arrays of least and greatest width between faces; least is over greatest where none."""
    low, high = shape.aspect
    ratios = [(1.0 / high, high)] if low <= 1.0 else [(1.0 / high, 1.0 / low), (low, high)]
    least, most = np.maximum(shape.area[0] / depth, shape.side), shape.area[1] / depth
    most = np.where(depth < shape.side, 0.0, most)
    spans = [np.stack([np.maximum(a * depth, least), np.minimum(b * depth, most)], axis=1) for a, b in ratios]
    return [span for span in spans if bool((span[:, 0] < span[:, 1]).any())] or spans[:1]


def _divided(rng: np.random.Generator, spans: list[list[float]], length: float) -> list[float]:
    """Widths within their ranges that add up to a length."""
    spare = length - math.fsum(low for low, _ in spans)
    widths: list[float] = []
    for i, (low, high) in enumerate(spans):
        later = math.fsum(b - a for a, b in spans[i + 1 :])
        least, most = max(0.0, spare - later), min(high - low, spare)
        extra = least + (most - least) * float(rng.random())
        widths.append(low + extra)
        spare -= extra
    return widths
