"""The building itself: walls, floors, ceilings, doors and windows as meshes and collision boxes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from flowbench.rendering import Material, join
from flowbench.rendering.shapes import solid

from .finishes import Finish
from .joinery import Outlook, door, window
from .openings import FRAME, Hole, HousePlan
from .pieces import Board, Piece, board, box_corners, upright
from .plan import RoomPlan, Wall
from .styles import Style
from .woodwork import Woodwork

_SLAB = 0.2
_BOARD_STRETCH = 4.0
"""How much longer floor boards are than the texture's."""


def build_structure(rng: np.random.Generator, style: Style, plan: HousePlan) -> list[Piece]:
    """All pieces of a home: floors, ceilings, walls (in the plan's order), doors, windows."""
    trim = _draw(rng, style.finishes.trims)
    ceiling = _draw(rng, style.finishes.ceilings)
    leaf = _draw(rng, style.finishes.doors)
    look = style.woodwork.draw(rng)
    outlook = Outlook.draw(rng, style.light)
    floors, ceilings, walls = [], [], []
    for index, room in enumerate(plan.rooms):
        floors.append(slab("Floor", index, room, 0.0, _draw(rng, style.finishes.floors[room.room_type])))
        ceilings.append(slab("Ceiling", index, room, plan.height, ceiling))
        paint = _draw(rng, style.finishes.walls[room.room_type])
        accent = _draw(rng, style.finishes.accents[room.room_type])
        accented = int(rng.integers(10))
        sides = [wall for wall in plan.walls if wall.room == index]
        walls += [
            wall_piece(plan, wall, accent if k == accented else paint, trim, look) for k, wall in enumerate(sides)
        ]
    doors = [door(plan, o, look, trim, leaf, outlook) for o in plan.openings if o.kind != "window"]
    windows = [window(plan, o, look, trim, outlook) for o in plan.openings if o.kind == "window"]
    return floors + ceilings + walls + doors + windows


def _draw(rng: np.random.Generator, finishes: tuple[Finish, ...]) -> Material:
    return finishes[int(rng.integers(len(finishes)))].draw(rng)


def slab(kind: str, index: int, room: RoomPlan, z: float, material: Material) -> Piece:
    """A floor (z = 0) or ceiling, reaching under the walls to their middle; textures run on in world metres."""
    normal = 1.0 if kind == "Floor" else -1.0
    low, high = (z - _SLAB, z) if kind == "Floor" else (z, z + _SLAB)
    rects, meshes = room.tiles, []
    for rect in rects:
        corners = np.array([(rect.x0, rect.y0), (rect.x1, rect.y0), (rect.x1, rect.y1), (rect.x0, rect.y1)])
        vertices = np.column_stack([corners, np.full(4, z)])
        order = [(0, 1, 2), (0, 2, 3)] if normal > 0 else [(0, 2, 1), (0, 3, 2)]
        normals = np.tile([0.0, 0.0, normal], (4, 1))
        uvs = _board_uvs(corners, room) if material.texture == "planks" else corners.copy()
        meshes.append(solid(vertices, normals, uvs, np.array(order, dtype=np.int32), material))
    return Piece(kind, index, join(meshes), tuple(box_corners(rect, low, high) for rect in rects))


def _board_uvs(corners: NDArray[np.float64], room: RoomPlan) -> NDArray[np.float64]:
    """Boards along the room's longer side, stretched to a floor board's length."""
    width, depth = room.bounds.size
    across, along = (1, 0) if width > depth else (0, 1)
    return np.column_stack([corners[:, across], corners[:, along] / _BOARD_STRETCH])


def _solid_panels(wall: Wall, holes: list[Hole], height: float) -> list[Hole]:
    """What is left of a wall's face: rectangles between, below and above its holes."""
    panels = []
    t = 0.0
    for hole in holes:
        panels.append(Hole(t, hole.t0, 0.0, height))
        panels.append(Hole(hole.t0, hole.t1, 0.0, hole.z0))
        panels.append(Hole(hole.t0, hole.t1, hole.z1, height))
        t = hole.t1
    panels.append(Hole(t, wall.length, 0.0, height))
    return [p for p in panels if p.t1 - p.t0 > 1e-6 and p.z1 - p.z0 > 1e-6]


def wall_piece(plan: HousePlan, wall: Wall, paint: Material, trim: Material, look: Woodwork) -> Piece:
    """One side of a room: its face with holes, boards along it (not solid), and slabs behind the face."""
    holes = plan.holes(wall.index)
    panels = _solid_panels(wall, holes, plan.height)
    meshes = [upright(wall, p.t0, p.t1, p.z0, p.z1, 0.0, paint) for p in panels]
    meshes += [board(rect, low, high, trim) for rect, low, high in _boards(plan, wall, look)]
    parts = tuple(box_corners(wall.strip(p.t0, p.t1, -wall.thickness, 0.0), p.z0, p.z1) for p in panels)
    return Piece("Wall", wall.room, join(meshes), parts)


def _boards(plan: HousePlan, wall: Wall, look: Woodwork) -> Iterator[Board]:
    """The baseboard and the cornice along a wall; they meet round a corner that juts into the room."""
    juts = any(w.room == wall.room and w.start == wall.end and w.inward == wall.along for w in plan.walls)
    height, depth = look.baseboard
    steps = [(depth, 0.0, height)]
    if look.lip:
        steps.append((depth + 0.002, height - look.lip, height))
    for t0, t1 in _board_runs(wall, plan.holes(wall.index), look.casing[0]):
        for deep, low, high in steps:
            yield wall.strip(t0, t1 + (deep if juts and t1 == wall.length else 0.0), 0.0, deep), low, high
    for tall, deep in look.cornice:
        yield wall.strip(0.0, wall.length + (deep if juts else 0.0), 0.0, deep), plan.height - tall, plan.height


def _board_runs(wall: Wall, holes: list[Hole], casing: float) -> list[tuple[float, float]]:
    """Stretches of wall with a baseboard: all but doors and their casings."""
    runs = []
    t = 0.0
    for hole in (h for h in holes if h.z0 == 0.0):
        runs.append((t, hole.t0 - casing + FRAME))
        t = hole.t1 + casing - FRAME
    runs.append((t, wall.length))
    return [(a, b) for a, b in runs if b - a > 0.01]
