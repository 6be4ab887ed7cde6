"""Doors and windows of a home: linings, casings, leaves, sashes and panes."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from flowbench.rendering import Material, Mesh, Pane, join

from .light_setups import LightSetUp
from .openings import FRAME, Hole, HousePlan, Opening
from .pieces import Board, Glass, Piece, board, box_corners, upright
from .plan import INNER_HALF, OUTER_THICKNESS, Wall
from .tables import Colour
from .woodwork import WindowKind, Woodwork

PANE_DEPTH = 0.13
"""How far behind the wall's face panes lie, metres."""
_LEAF = (-0.07, -0.028)
_SASH_DEPTH = 0.04
_BAR_DEPTH = 0.025
Area = tuple[float, float, float, float]
"""An upright rectangle along a wall: from and to along it, from and to above the floor, metres."""
_STEEL = Material("metal", (0.80, 0.78, 0.74), 0.3, 0.9)


@dataclass(frozen=True)
class Outlook:
    """What a home's panes show: the material of the far view, how far round it begins (0..1), and its light."""

    view: Material
    turn: float
    colour: Colour

    @classmethod
    def draw(cls, rng: np.random.Generator, light: LightSetUp) -> Outlook:
        """One home's."""
        sky = light.skies[int(rng.integers(len(light.skies)))]
        glow, turn = float(rng.uniform(*light.glow)), round(float(rng.random()), 3)
        return cls(Material(sky.view, roughness=0.05, scale=0.0, emission=glow), turn, sky.colour)

    def pane(self, wall: Wall, area: Area, into: float) -> Mesh:
        """A rectangle of glass along a wall."""
        mesh = upright(wall, *area, into, self.view)
        return dataclasses.replace(mesh, uvs=np.tile([self.turn, 0.0], (len(mesh.vertices), 1)))


def door(plan: HousePlan, opening: Opening, look: Woodwork, trim: Material, leaf: Material, outlook: Outlook) -> Piece:
    """A lined doorway with casings on every face it cuts; an entrance also has its leaf, closed."""
    (first, hole), *_ = opening.cuts
    wall = plan.walls[first]
    open_way = opening.kind == "doorway"
    boards = _lining(wall, hole, 2 * INNER_HALF if open_way else OUTER_THICKNESS, sill=False)
    for index, cut in opening.cuts:
        boards += _casings(plan.walls[index], cut, look, below=False)
    meshes = [board(rect, z0, z1, trim) for rect, z0, z1 in boards]
    parts = [box_corners(rect, z0, z1) for rect, z0, z1 in boards]
    if open_way:
        meshes.append(board(wall.strip(hole.t0, hole.t1, -2 * INNER_HALF, 0.0), 0.0, 0.004, trim))
        return Piece("Door", None, join(meshes), tuple(parts))
    meshes += _leaf(wall, hole, look, leaf, outlook)
    parts.append(box_corners(wall.strip(hole.t0, hole.t1, _LEAF[0], -0.02), 0.0, hole.z1))
    return Piece("Door", wall.room, join(meshes), tuple(parts))


def _lining(wall: Wall, hole: Hole, deep: float, sill: bool) -> list[Board]:
    """Boards inside an opening, ``deep`` metres into the wall: two jambs, a head, and a sill."""
    boards = [
        (wall.strip(hole.t0, hole.t0 + FRAME, -deep, 0.0), hole.z0, hole.z1),
        (wall.strip(hole.t1 - FRAME, hole.t1, -deep, 0.0), hole.z0, hole.z1),
        (wall.strip(hole.t0 + FRAME, hole.t1 - FRAME, -deep, 0.0), hole.z1 - FRAME, hole.z1),
    ]
    if sill:
        boards.append((wall.strip(hole.t0 + FRAME, hole.t1 - FRAME, -deep, 0.0), hole.z0, hole.z0 + FRAME))
    return boards


def _casings(wall: Wall, hole: Hole, look: Woodwork, below: bool) -> list[Board]:
    """Boards on the wall's face round an opening."""
    width, depth = look.casing
    inner, outer = FRAME, width - FRAME
    low = hole.z0 - outer if below else hole.z0
    boards = [
        (wall.strip(hole.t0 - outer, hole.t0 + inner, 0.0, depth), low, hole.z1 + outer),
        (wall.strip(hole.t1 - inner, hole.t1 + outer, 0.0, depth), low, hole.z1 + outer),
        (wall.strip(hole.t0 + inner, hole.t1 - inner, 0.0, depth), hole.z1 - inner, hole.z1 + outer),
    ]
    if below:
        boards.append((wall.strip(hole.t0 + inner, hole.t1 - inner, 0.0, depth), low, hole.z0 + inner))
    return boards


def _leaf(wall: Wall, hole: Hole, look: Woodwork, material: Material, outlook: Outlook) -> Iterator[Mesh]:
    """A closed door with its panels, panes and handle, 2 cm behind the wall's face."""
    t0, t1, top = hole.t0 + FRAME, hole.t1 - FRAME, hole.z1 - FRAME
    yield board(wall.strip(t0, t1, *_LEAF), 0.0, top, material)
    for a, b, low, high in look.leaf.panels:
        strip = wall.strip(t0 + a * (t1 - t0), t0 + b * (t1 - t0), -0.03, -0.02)
        yield board(strip, low * top, high * top, material, rounding=0.006)
    for a, b, low, high in look.leaf.glass:
        u0, u1, z0, z1 = t0 + a * (t1 - t0), t0 + b * (t1 - t0), low * top, high * top
        yield from _framed(wall, (u0, u1, z0, z1), (0.018, 0.018), (_LEAF[1], -0.02), material)
        yield outlook.pane(wall, (u0, u1, z0, z1), _LEAF[1] + 0.002)
    yield from _HANDLES[look.handle](wall, t1)


def _lever(wall: Wall, t1: float) -> Iterator[Mesh]:
    """A plate and a lever."""
    yield board(wall.strip(t1 - 0.085, t1 - 0.05, -0.028, -0.02), 0.92, 1.10, _STEEL)
    yield board(wall.strip(t1 - 0.075, t1 - 0.06, -0.02, 0.02), 1.02, 1.035, _STEEL)
    yield board(wall.strip(t1 - 0.17, t1 - 0.06, 0.012, 0.024), 1.018, 1.038, _STEEL, rounding=0.005)


def _pull(wall: Wall, t1: float) -> Iterator[Mesh]:
    """A long upright bar on two pegs, and a lock."""
    for z in (0.90, 1.26):
        yield board(wall.strip(t1 - 0.076, t1 - 0.062, -0.028, 0.016), z, z + 0.014, _STEEL)
    yield board(wall.strip(t1 - 0.08, t1 - 0.058, 0.006, 0.024), 0.84, 1.34, _STEEL, rounding=0.008)
    yield board(wall.strip(t1 - 0.09, t1 - 0.048, -0.028, -0.022), 0.70, 0.742, _STEEL)


_HANDLES = {"lever": _lever, "pull": _pull}


def _framed(
    wall: Wall,
    area: Area,
    width: tuple[float, float],
    depth: tuple[float, float],
    m: Material,
) -> Iterator[Mesh]:
    """Four boards along the inner edge of an upright rectangle, ``width`` metres (along, up) wide."""
    t0, t1, z0, z1 = area
    for a, b in ((t0, t0 + width[0]), (t1 - width[0], t1)):
        yield board(wall.strip(a, b, *depth), z0, z1, m)
    for a, b in ((z0, z0 + width[1]), (z1 - width[1], z1)):
        yield board(wall.strip(t0 + width[0], t1 - width[0], *depth), a, b, m)


def window(plan: HousePlan, opening: Opening, look: Woodwork, trim: Material, outlook: Outlook) -> Piece:
    """A lined window with a sill board, sashes, bars and panes; it is solid from the front of its sashes outward."""
    ((index, hole),) = opening.cuts
    wall = plan.walls[index]
    boards = _lining(wall, hole, PANE_DEPTH + 0.03, sill=True) + _casings(wall, hole, look, below=True)
    margin = look.casing[0] - FRAME + 0.015
    sill = wall.strip(hole.t0 - margin, hole.t1 + margin, -0.02, 0.05)
    boards.append((sill, hole.z0 - 0.01, hole.z0 + FRAME + 0.006))
    meshes = [board(rect, a, b, trim) for rect, a, b in boards]
    glass = []
    for area in _lights(hole, look.window):
        pane = _pane(wall, area, look.window)
        meshes += _sash(wall, area, pane, look.window, trim)
        meshes.append(outlook.pane(wall, area, -PANE_DEPTH))
        glass.append(Glass(pane, wall.inward, outlook.colour))
    parts = [box_corners(rect, a, b) for rect, a, b in boards]
    front = _SASH_DEPTH - PANE_DEPTH
    parts.append(box_corners(wall.strip(hole.t0, hole.t1, -OUTER_THICKNESS, front), hole.z0, hole.z1))
    return Piece("Window", wall.room, join(meshes), tuple(parts), tuple(glass))


def _lights(hole: Hole, kind: WindowKind) -> Iterable[Area]:
    """What lies inside the lining, one rectangle (t0, t1, z0, z1), or two with a transom."""
    t0, t1, z0, z1 = hole.t0 + FRAME, hole.t1 - FRAME, hole.z0 + FRAME, hole.z1 - FRAME
    cut = z1 - kind.transom * (z1 - z0)
    yield t0, t1, z0, cut
    if kind.transom > 0.0:
        yield t0, t1, cut, z1


def _pane(wall: Wall, area: Area, kind: WindowKind) -> Pane:
    """The glass of a rectangle inside its frame, in as few equal panes as the kind allows."""
    t0, t1, z0, z1 = area
    edge = kind.sash - kind.bar / 2.0
    width, height = t1 - t0 - 2.0 * edge, z1 - z0 - 2.0 * edge
    (ax, ay), low = wall.along, wall.point(t0 + edge, -PANE_DEPTH)
    columns, rows = (max(1, math.ceil(side / most)) for side, most in zip((width, height), kind.largest, strict=True))
    return Pane((*low, z0 + edge), (ax * width, ay * width, 0.0), (0.0, 0.0, height), columns, rows, kind.bar)


def _sash(wall: Wall, area: Area, pane: Pane, kind: WindowKind, trim: Material) -> Iterator[Mesh]:
    """A frame, and bars between the panes."""
    yield from _framed(wall, area, (kind.sash, kind.sash), (-PANE_DEPTH, _SASH_DEPTH - PANE_DEPTH), trim)
    t0, t1, z0, z1 = area
    edge, half = kind.sash - kind.bar / 2.0, kind.bar / 2.0
    wide, high = (t1 - t0 - 2.0 * edge) / pane.columns, (z1 - z0 - 2.0 * edge) / pane.rows
    for k in range(1, pane.columns):
        t = t0 + edge + k * wide
        strip = wall.strip(t - half, t + half, -PANE_DEPTH, _SASH_DEPTH - PANE_DEPTH - 0.004)
        yield board(strip, z0 + kind.sash, z1 - kind.sash, trim)
    for k in range(1, pane.rows):
        z = z0 + edge + k * high
        strip = wall.strip(t0 + kind.sash, t1 - kind.sash, -PANE_DEPTH, _BAR_DEPTH - PANE_DEPTH)
        yield board(strip, z - half, z + half, trim)
