"""Which rooms a home has and where they lie: a programme drawn from the style, laid out in rows or along a corridor.

A smaller room may take the corner of a larger one, which becomes an L.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate

import numpy as np

from flowbench.errors import FlowbenchError

from .corridor import draw_corridor
from .plan import INNER_HALF, RoomPlan, Rooms, walls_of
from .proportions import HALLWAY, Proportions, Shape
from .rects import Rect
from .strips import WALL, common_length, draw_row, row_of, turned

LEAST_LEG = 2.0
"""Least width of what a carved corner leaves of a room, metres."""
_CARVED = "bathroom"
_CARVING = 0.4
_LONGEST = 2.5
"""Greatest length of a home over its depth."""
_PROGRAMMES = 50
_TRIES = 20
_ROWS: Mapping[int, tuple[tuple[int, ...], ...]] = {
    2: ((2,),),
    3: ((1, 2), (3,)),
    4: ((2, 2), (1, 3), (1, 2, 1)),
    5: ((2, 3), (1, 2, 2), (2, 1, 2)),
    6: ((3, 3), (2, 2, 2), (2, 1, 3)),
}
"""Number of rooms -> how many stand in each row."""

Cells = list[tuple[Rect, Rect | None]]
"""A rectangle between wall centre lines, and the corner that another room takes of it."""


def draw_rooms(rng: np.random.Generator, style: Proportions, count: int) -> Rooms:
    """Divide a footprint into rooms.

    Args:
        rng: the layout's generator.
        style: proportions and programmes.
        count: number of rooms.
    """
    programmes = style.programmes[count]
    for _ in range(_PROGRAMMES):
        words = sorted(programmes[int(rng.integers(len(programmes)))], key=lambda word: _rank(style, word))
        carve = _CARVED in words and (count == 2 or bool(rng.random() < _CARVING))
        drawn = (_cells(rng, style, words, carve) for _ in range(_TRIES))
        cells = next((cells for cells in drawn if cells is not None), None)
        if cells is not None:
            rooms = tuple(_room(i, word, *cell) for i, (word, cell) in enumerate(zip(words, cells, strict=True)))
            return Rooms(rooms, walls_of(rooms), round(float(rng.uniform(*style.height)), 2))
    raise FlowbenchError(f"no floor plan of {count} rooms was found in this style; widen its areas.")


def _rank(style: Proportions, word: str) -> tuple[bool, float]:
    """Larger rooms first, hallways last."""
    return word == HALLWAY, 0.0 if word == HALLWAY else -style.shapes[word].area[1]


def _cells(rng: np.random.Generator, style: Proportions, words: list[str], carve: bool) -> Cells | None:
    """Cells in the order of ``words``, or None when the draw does not fit."""
    shapes = [style.shapes[word] for word in words if word != HALLWAY]
    if carve:
        return _carved(rng, style, shapes, words)
    cells = _laid_out(rng, style, shapes, HALLWAY in words)
    return None if cells is None else [(cell, None) for cell in cells]


def _laid_out(rng: np.random.Generator, style: Proportions, shapes: list[Shape], hallway: bool) -> list[Rect] | None:
    """Cells in the order of ``shapes``, the hallway's last; all of them what their shapes allow."""
    cells = draw_corridor(rng, style, shapes) if hallway else _draw_rows(rng, shapes)
    if cells is None:
        return None
    size = sorted(max(cell[k] for cell in cells) for k in (2, 3))
    inner = [cell.grown(-INNER_HALF).size for cell in cells[: len(shapes)]]
    if size[1] > _LONGEST * size[0] or not all(s.admits(*sides) for s, sides in zip(shapes, inner, strict=True)):
        return None
    return turned(rng, cells)


def _draw_rows(rng: np.random.Generator, shapes: list[Shape]) -> list[Rect] | None:
    """Rows of rooms one behind the other."""
    if len(shapes) == 1:
        width, depth = _draw_sides(rng, shapes[0])
        return [Rect(0.0, 0.0, round(width + WALL, 2), round(depth + WALL, 2))]
    patterns = _ROWS[len(shapes)]
    counts = patterns[int(rng.integers(len(patterns)))]
    order = [int(i) for i in rng.permutation(len(shapes))]
    ends = list(accumulate(counts))
    rows = [row_of([shapes[i] for i in order[end - n : end]]) for end, n in zip(ends, counts, strict=True)]
    length = common_length(rng, rows, (0.0, math.inf))
    found: list[Rect] = []
    for row in rows:
        drawn = draw_row(rng, row, length, found[-1].y1 if found else 0.0) if length is not None else None
        if drawn is None:
            return None
        found += drawn
    cells = dict(zip(order, found, strict=True))
    return [cells[i] for i in range(len(shapes))]


def _draw_sides(rng: np.random.Generator, shape: Shape) -> tuple[float, float]:
    """Sides of a room between its faces, either of them the longer, metres."""
    square = shape.side * shape.side
    aspect = float(rng.uniform(shape.aspect[0], min(shape.aspect[1], shape.area[1] / square)))
    area = float(rng.uniform(max(shape.area[0], square * aspect), shape.area[1]))
    short = math.sqrt(area / aspect)
    return (short, short * aspect) if rng.random() < 0.5 else (short * aspect, short)


def _carved(rng: np.random.Generator, style: Proportions, shapes: list[Shape], words: list[str]) -> Cells | None:
    """Cells of which one room's gives a corner to the first bathroom, long side along long side."""
    taken = words.index(_CARVED)
    sides = [round(length + WALL, 2) for length in sorted(_draw_sides(rng, shapes[taken]))]
    if not shapes[taken].admits(sides[0] - WALL, sides[1] - WALL):
        return None  # rounded out of its shape
    host = int(rng.integers(min(2, taken)))
    low, high = (area + sides[0] * sides[1] for area in shapes[host].area)
    hosted = replace(shapes[host], area=(low, high), side=max(shapes[host].side, sides[0] + LEAST_LEG - WALL))
    cells = _laid_out(
        rng, style, [hosted if i == host else s for i, s in enumerate(shapes) if i != taken], HALLWAY in words
    )
    if cells is None:
        return None
    width, depth = cells[host].size
    if max(width, depth) < sides[1] + LEAST_LEG:
        return None
    corner = _corner(cells[host], sides if width < depth else sides[::-1], int(rng.integers(4)))
    found: Cells = [(cell, corner if i == host else None) for i, cell in enumerate(cells)]
    return [*found[:taken], (corner, None), *found[taken:]]


def _corner(rect: Rect, side: list[float], corner: int) -> Rect:
    """A rectangle of the given sides at corner 0..3 (counter-clockwise from the lower left)."""
    x0 = rect.x0 if corner in (0, 3) else round(rect.x1 - side[0], 2)
    y0 = rect.y0 if corner in (0, 1) else round(rect.y1 - side[1], 2)
    x1 = rect.x1 if corner in (1, 2) else round(x0 + side[0], 2)
    y1 = rect.y1 if corner in (2, 3) else round(y0 + side[1], 2)
    return Rect(x0, y0, x1, y1)


def _room(index: int, word: str, cell: Rect, notch: Rect | None) -> RoomPlan:
    """The floor between a cell's walls."""
    bounds = _cm(cell.grown(-INNER_HALF))
    return RoomPlan(f"room-{index + 1}", tuple(word.split("+")), bounds, _clipped(notch, bounds))


def _clipped(notch: Rect | None, bounds: Rect) -> Rect | None:
    """A notch as seen from inside: with its walls, and reaching exactly to the room's faces."""
    if notch is None:
        return None
    x0, y0, x1, y1 = notch.grown(INNER_HALF)
    return _cm(Rect(max(x0, bounds.x0), max(y0, bounds.y0), min(x1, bounds.x1), min(y1, bounds.y1)))


def _cm(rect: Rect) -> Rect:
    return Rect(*(round(v, 2) for v in rect))
