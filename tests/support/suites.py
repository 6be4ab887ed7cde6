"""A small building without any simulator: rooms on a grid, seen from within, with holes in the walls between them."""

from __future__ import annotations

import numpy as np

from flowbench.rendering import Cells, Instance, Material, Mesh, join
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import box

from .shots import mesh_of

SIDE, GAP, HEIGHT = 3.0, 0.2, 2.5
"""Inner sides of a room, thickness of the walls between two, height, metres."""
HOLE = (0.9, 2.0)
"""Width and height of a hole, metres."""

Quad = list[tuple[float, float, float]]


def corner(room: int, columns: int) -> tuple[float, float]:
    """The lower left corner of a room."""
    return (room % columns) * (SIDE + GAP), (room // columns) * (SIDE + GAP)


def building(columns: int, rows: int, holes: dict[tuple[int, int], float]) -> tuple[list[Instance], Cells]:
    """Rooms (ids 1, 2, ...) and linings of holes (ids from 101).

    Args:
        columns, rows: how many rooms stand beside and behind each other.
        holes: (room, next room to the right or above) -> where the hole begins along their wall, metres.
    """
    cut: dict[tuple[int, int], float] = {}
    linings, gates = [], []
    for (a, b), start in holes.items():
        axis = 0 if b == a + 1 else 1
        cut[a, 1 if axis == 0 else 2] = cut[b, 3 if axis == 0 else 0] = start
        x, y = corner(a, columns)
        low = [x, y, 0.0]
        low[axis] += SIDE
        low[1 - axis] += start
        high = [low[0] + HOLE[0], low[1] + HOLE[0], HOLE[1]]
        high[axis] = low[axis] + GAP
        gates.append((a, b, ((low[0], low[1], low[2]), (high[0], high[1], high[2]))))
        linings.append(Instance(101 + len(linings), _inside(low, high, axis)))
    shells = []
    for room in range(columns * rows):
        x, y = corner(room, columns)
        shells.append(Instance(1 + room, _shell(x, y, [cut.get((room, side)) for side in range(4)])))
    zones = [(corner(room, columns), tuple(v + SIDE for v in corner(room, columns))) for room in range(columns * rows)]
    boxes = tuple((((low[0], low[1], 0.0), (high[0], high[1], HEIGHT)),) for low, high in zones)
    return [*shells, *linings], Cells(boxes, tuple(gates))


def crate(instance_id: int, centre: tuple[float, float, float], size: tuple[float, float, float]) -> Instance:
    """A box of its own colour."""
    shade = (instance_id * 37 % 100) / 100.0
    return Instance(instance_id, box(size, material=Material(colour=(shade, 0.5, 1.0 - shade))), translation(*centre))


def _quads(quads: list[Quad]) -> Mesh:
    """Quads that are seen from the side where their corners run counter-clockwise."""
    return join([mesh_of([list(point) for point in quad], [[0, 1, 2], [0, 2, 3]]) for quad in quads])


def _shell(x: float, y: float, cuts: list[float | None]) -> Mesh:
    """Floor, ceiling and walls (lower, right, upper, left) of a room, seen from inside."""
    ends = np.array([(x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE)])
    quads: list[Quad] = [
        [(px, py, 0.0) for px, py in ends.tolist()],
        [(px, py, HEIGHT) for px, py in ends[::-1].tolist()],
    ]
    for side, start in enumerate(cuts):
        a, b = ends[side], ends[(side + 1) % 4]
        if side > 1 and start is not None:
            start = SIDE - start - HOLE[0]
        panels = [(0.0, SIDE, 0.0, HEIGHT)]
        if start is not None:
            stop = start + HOLE[0]
            panels = [(0.0, start, 0.0, HEIGHT), (stop, SIDE, 0.0, HEIGHT), (start, stop, HOLE[1], HEIGHT)]
        for t0, t1, z0, z1 in panels:
            (px, py), (qx, qy) = (a + (b - a) * (t / SIDE) for t in (t0, t1))
            quads.append([(qx, qy, z0), (px, py, z0), (px, py, z1), (qx, qy, z1)])
    return _quads(quads)


def _inside(low: list[float], high: list[float], axis: int) -> Mesh:
    """The lining of a hole that runs along an axis: a box seen from inside without its two ends."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    sides: list[Quad] = [
        [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)],
        [(x0, y0, z1), (x0, y1, z1), (x1, y1, z1), (x1, y0, z1)],
    ]
    if axis == 0:
        sides.append([(x1, y0, z0), (x0, y0, z0), (x0, y0, z1), (x1, y0, z1)])
        sides.append([(x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)])
    else:
        sides.append([(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)])
        sides.append([(x1, y1, z0), (x1, y0, z0), (x1, y0, z1), (x1, y1, z1)])
    return _quads(sides)
