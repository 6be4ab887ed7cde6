"""The building of a planned house: its pieces as meshes and collision boxes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from flowbench.rendering import Material, join
from flowbench.seeding import generator

from ..bullet.finishes import Finish
from ..bullet.joinery import Outlook, door, window
from ..bullet.openings import Hole, HousePlan, Opening
from ..bullet.pieces import Board, Piece, board, box_corners
from ..bullet.plan import OUTER_THICKNESS, Wall
from ..bullet.rects import Rect
from ..bullet.structure import slab, wall_piece
from .assets import assets
from .materials import Painter
from .plans import Planned
from .rooms import HALF_WALL

_FRAME = 0.04
"""Width of the boards round a doorway, metres."""
_DEPTHS = (0.04, 0.18)
_LEAF = 0.036
_POST = 0.02
_THRESHOLD = 0.03


def pieces_of(planned: Planned, painter: Painter) -> list[Piece]:
    """All pieces: floors, ceilings, walls in the plan's order, posts beside gaps, doors, windows."""
    plan, finishes = planned.plan, painter.style.finishes
    rng = generator(painter.seed, painter.pool, painter.scene, "structure")

    def drawn(among: tuple[Finish, ...]) -> Material:
        return among[int(rng.integers(len(among)))].draw(rng)

    trim, ceiling, leaf = (drawn(row) for row in (finishes.trims, finishes.ceilings, finishes.doors))
    look = painter.style.woodwork.draw(rng)
    outlook = Outlook.draw(rng, painter.style.light)
    types = [room.room_type for room in plan.rooms]
    floors = [
        slab("Floor", k, room, 0.0, painter.floor(planned.floors[k], types[k])) for k, room in enumerate(plan.rooms)
    ]
    ceilings = [slab("Ceiling", k, room, plan.height, ceiling) for k, room in enumerate(plan.rooms)]
    walls = [
        wall_piece(plan, wall, painter.wall(surface, types[wall.room]), trim, look)
        for wall, surface in zip(plan.walls, planned.walls, strict=True)
    ]
    posts = [_posts(rect, plan.height, trim) for _, rect in plan.gaps]
    doors, windows = [], []
    for opening, asset in zip(plan.openings, planned.frames, strict=True):
        if opening.kind == "window":
            windows.append(window(plan, opening, look, trim, outlook))
        elif opening.kind == "entrance":
            doors.append(_with_threshold(door(plan, opening, look, trim, leaf, outlook), plan, opening, trim))
        else:
            doors.append(_doorway(plan.walls[opening.cuts[0][0]], opening, asset, trim, leaf))
    return [*floors, *ceilings, *walls, *posts, *doors, *windows]


def _with_threshold(piece: Piece, plan: HousePlan, opening: Opening, trim: Material) -> Piece:
    """A front door with a board below it: the floor ends at the wall."""
    index, hole = opening.cuts[0]
    rect = plan.walls[index].strip(hole.t0, hole.t1, -OUTER_THICKNESS, 0.0)
    return dataclasses.replace(piece, mesh=join([piece.mesh, board(rect, -_THRESHOLD, 0.0, trim)]))


def _doorway(wall: Wall, opening: Opening, asset_id: str, trim: Material, leaf: Material) -> Piece:
    """A frame as deep as the asset's; its leaf if it is closed. Open leaves are not drawn."""
    hole = opening.cuts[0][1]
    known = assets().get(asset_id)
    deep = min(max(known.size[1] if known else _DEPTHS[0], _DEPTHS[0]), _DEPTHS[1])
    boards = list(_frame(wall, hole, deep))
    meshes = [board(rect, low, high, trim) for rect, low, high in boards]
    parts = [box_corners(rect, low, high) for rect, low, high in boards]
    if opening.kind == "closed":
        rect = _across(wall, hole.t0, hole.t1, _LEAF)
        meshes.append(board(rect, 0.0, hole.z1, leaf))
        parts.append(box_corners(rect, 0.0, hole.z1))
    return Piece("Door", None, join(meshes), tuple(parts))


def _frame(wall: Wall, hole: Hole, deep: float) -> Iterator[Board]:
    """Two jambs and a head inside the hole."""
    yield _across(wall, hole.t0, hole.t0 + _FRAME, deep), 0.0, hole.z1
    yield _across(wall, hole.t1 - _FRAME, hole.t1, deep), 0.0, hole.z1
    yield _across(wall, hole.t0 + _FRAME, hole.t1 - _FRAME, deep), hole.z1 - _FRAME, hole.z1


def _across(wall: Wall, t0: float, t1: float, deep: float) -> Rect:
    """A stretch of wall, ``deep`` metres about its middle."""
    return wall.strip(t0, t1, -HALF_WALL - deep / 2.0, deep / 2.0 - HALF_WALL)


def _posts(gap: Rect, height: float, trim: Material) -> Piece:
    """Slender posts at the ends of a gap, where the walls on both sides of it end."""
    along = 1 if gap.x0 == gap.x1 else 0
    rects = []
    for end in (0, 2):
        middle = list(gap[:2])
        middle[along] = gap[along + end]
        rects.append(Rect(*middle, *middle).grown(_POST / 2.0))
    parts = tuple(box_corners(rect, 0.0, height) for rect in rects)
    return Piece("Wall", None, join([board(rect, 0.0, height, trim) for rect in rects]), parts)
