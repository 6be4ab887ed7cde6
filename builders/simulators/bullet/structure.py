"""The building itself: walls, floors, ceilings, doors and windows as meshes and collision boxes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.rendering import Material, Mesh, join
from flowbench.rendering.shapes import box, solid

from .finishes import Finish
from .model import Part
from .openings import FRAME, Hole, HousePlan, Opening
from .plan import INNER_HALF, OUTER_THICKNESS, RoomPlan, Wall
from .rects import Rect
from .styles import Style

_CASING = 0.06
_CASING_DEPTH = 0.014
_BASEBOARD = (0.07, 0.009)
_SASH = 0.05
_PANE_DEPTH = 0.13
_SKY_STRIPS = 12
_SKY_GLOW = 1.15
_SLAB = 0.2
_BOARD_STRETCH = 4.0
"""How much longer floor boards are than the texture's."""


@dataclass(frozen=True, eq=False)
class Piece:
    """One piece of structure, in world coordinates (its pose is the identity).

    Attributes:
        object_type: ``Floor``, ``Ceiling``, ``Wall``, ``Door`` or ``Window``.
        room: index of its room; None where it belongs to two.
        mesh: what is seen.
        parts: convex collision parts.
    """

    object_type: str
    room: int | None
    mesh: Mesh
    parts: tuple[Part, ...]


def build_structure(rng: np.random.Generator, style: Style, plan: HousePlan) -> list[Piece]:
    """All pieces of a home: floors, ceilings, walls (in the plan's order), doors, windows."""
    trim = _draw(rng, style.finishes.trims)
    ceiling = _draw(rng, style.finishes.ceilings)
    leaf = _draw(rng, style.finishes.doors)
    horizon, zenith = style.light.skies[int(rng.integers(len(style.light.skies)))]
    floors, ceilings, walls = [], [], []
    for index, room in enumerate(plan.rooms):
        floors.append(_slab("Floor", index, room, 0.0, _draw(rng, style.finishes.floors[room.room_type])))
        ceilings.append(_slab("Ceiling", index, room, plan.height, ceiling))
        paint = _draw(rng, style.finishes.walls[room.room_type])
        accent = _draw(rng, style.finishes.accents[room.room_type])
        accented = int(rng.integers(10))
        sides = [wall for wall in plan.walls if wall.room == index]
        walls += [_wall(plan, wall, accent if k == accented else paint, trim) for k, wall in enumerate(sides)]
    doors = [_door(plan, o, trim, leaf) for o in plan.openings if o.kind != "window"]
    windows = [_window(plan, o, trim, horizon, zenith) for o in plan.openings if o.kind == "window"]
    return floors + ceilings + walls + doors + windows


def _draw(rng: np.random.Generator, finishes: tuple[Finish, ...]) -> Material:
    return finishes[int(rng.integers(len(finishes)))].draw(rng)


def box_corners(rect: Rect, z0: float, z1: float) -> Part:
    """The eight corners of a box over a floor rectangle."""
    return np.array([(x, y, z) for x in (rect.x0, rect.x1) for y in (rect.y0, rect.y1) for z in (z0, z1)])


def _box(rect: Rect, z0: float, z1: float, material: Material, rounding: float = 0.0) -> Mesh:
    size = (*rect.size, z1 - z0)
    grained = material.texture in ("wood", "planks")
    along = int(np.argmax(size)) if grained else 2
    return box(size, (*rect.centre, (z0 + z1) / 2.0), material, rounding=rounding, along=along)


def _slab(kind: str, index: int, room: RoomPlan, z: float, material: Material) -> Piece:
    """A floor (z = 0) or ceiling, reaching under the walls to their middle; textures run on in world metres."""
    whole = room.bounds.grown(INNER_HALF)
    normal = 1.0 if kind == "Floor" else -1.0
    low, high = (z - _SLAB, z) if kind == "Floor" else (z, z + _SLAB)
    rects = _without(whole, room.notch.grown(-INNER_HALF)) if room.notch else [whole]
    meshes = []
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


def _without(whole: Rect, notch: Rect) -> list[Rect]:
    """A rectangle less a corner of it, as two rectangles."""
    a = Rect(max(whole.x0, notch.x0), max(whole.y0, notch.y0), min(whole.x1, notch.x1), min(whole.y1, notch.y1))
    left = a.x0 - whole.x0 < whole.x1 - a.x1
    side = whole._replace(x0=a.x1) if left else whole._replace(x1=a.x0)
    x0, x1 = (whole.x0, a.x1) if left else (a.x0, whole.x1)  # up to the edge: the notch may stop short of it
    low = a.y0 - whole.y0 < whole.y1 - a.y1
    rest = Rect(x0, a.y1, x1, whole.y1) if low else Rect(x0, whole.y0, x1, a.y0)
    return [side, rest]


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


def _wall(plan: HousePlan, wall: Wall, paint: Material, trim: Material) -> Piece:
    """One side of a room: its face with holes, its baseboard (not solid), and slabs behind the face."""
    panels = _solid_panels(wall, plan.holes(wall.index), plan.height)
    nx, ny = wall.inward
    meshes = []
    for panel in panels:
        ends = [wall.point(panel.t0), wall.point(panel.t1)]
        vertices = np.array([(*ends[k], z) for k, z in ((0, panel.z0), (1, panel.z0), (1, panel.z1), (0, panel.z1))])
        uvs = np.array(
            [
                (t, z)
                for t, z in ((panel.t0, panel.z0), (panel.t1, panel.z0), (panel.t1, panel.z1), (panel.t0, panel.z1))
            ]
        )
        quad = np.array([(0, 2, 1), (0, 3, 2)], dtype=np.int32)
        meshes.append(solid(vertices, np.tile([float(nx), float(ny), 0.0], (4, 1)), uvs, quad, paint))
    board, depth = _BASEBOARD
    for t0, t1 in _board_runs(wall, plan.holes(wall.index)):
        meshes.append(_box(wall.strip(t0, t1, 0.0, depth), 0.0, board, trim))
    parts = tuple(box_corners(wall.strip(p.t0, p.t1, -wall.thickness, 0.0), p.z0, p.z1) for p in panels)
    return Piece("Wall", wall.room, join(meshes), parts)


def _board_runs(wall: Wall, holes: list[Hole]) -> list[tuple[float, float]]:
    """Stretches of wall with a baseboard: all but doors and their casings."""
    runs = []
    t = 0.0
    for hole in (h for h in holes if h.z0 == 0.0):
        runs.append((t, hole.t0 - _CASING + FRAME))
        t = hole.t1 + _CASING - FRAME
    runs.append((t, wall.length))
    return [(a, b) for a, b in runs if b - a > 0.01]


def _lining(wall: Wall, hole: Hole, deep: float, sill: bool) -> list[tuple[Rect, float, float]]:
    """Boards inside an opening, ``deep`` metres into the wall: two jambs, a head, and a sill."""
    boards = [
        (wall.strip(hole.t0, hole.t0 + FRAME, -deep, 0.0), hole.z0, hole.z1),
        (wall.strip(hole.t1 - FRAME, hole.t1, -deep, 0.0), hole.z0, hole.z1),
        (wall.strip(hole.t0 + FRAME, hole.t1 - FRAME, -deep, 0.0), hole.z1 - FRAME, hole.z1),
    ]
    if sill:
        boards.append((wall.strip(hole.t0 + FRAME, hole.t1 - FRAME, -deep, 0.0), hole.z0, hole.z0 + FRAME))
    return boards


def _casings(wall: Wall, hole: Hole, below: bool) -> list[tuple[Rect, float, float]]:
    """Boards on the wall's face round an opening."""
    inner, outer = FRAME, _CASING - FRAME
    low = hole.z0 - outer if below else hole.z0
    boards = [
        (wall.strip(hole.t0 - outer, hole.t0 + inner, 0.0, _CASING_DEPTH), low, hole.z1 + outer),
        (wall.strip(hole.t1 - inner, hole.t1 + outer, 0.0, _CASING_DEPTH), low, hole.z1 + outer),
        (wall.strip(hole.t0 + inner, hole.t1 - inner, 0.0, _CASING_DEPTH), hole.z1 - inner, hole.z1 + outer),
    ]
    if below:
        boards.append((wall.strip(hole.t0 + inner, hole.t1 - inner, 0.0, _CASING_DEPTH), low, hole.z0 + inner))
    return boards


def _door(plan: HousePlan, opening: Opening, trim: Material, leaf: Material) -> Piece:
    """A lined doorway with casings on every face it cuts; an entrance also has its leaf, closed."""
    (first, hole), *_ = opening.cuts
    wall = plan.walls[first]
    open_way = opening.kind == "doorway"
    boards = _lining(wall, hole, 2 * INNER_HALF if open_way else OUTER_THICKNESS, sill=False)
    for index, cut in opening.cuts:
        boards += _casings(plan.walls[index], cut, below=False)
    meshes = [_box(rect, z0, z1, trim) for rect, z0, z1 in boards]
    parts = [box_corners(rect, z0, z1) for rect, z0, z1 in boards]
    if open_way:
        meshes.append(_box(wall.strip(hole.t0, hole.t1, -2 * INNER_HALF, 0.0), 0.0, 0.004, trim))
        return Piece("Door", None, join(meshes), tuple(parts))
    meshes += _leaf(wall, hole, leaf)
    parts.append(box_corners(wall.strip(hole.t0, hole.t1, -0.07, -0.02), 0.0, hole.z1))
    return Piece("Door", wall.room, join(meshes), tuple(parts))


def _leaf(wall: Wall, hole: Hole, material: Material) -> Iterable[Mesh]:
    """A closed panelled door with a handle, 2 cm behind the wall's face."""
    t0, t1, top = hole.t0 + FRAME, hole.t1 - FRAME, hole.z1 - FRAME
    yield _box(wall.strip(t0, t1, -0.07, -0.028), 0.0, top, material)
    for z0, z1 in ((0.18, 0.92), (1.06, top - 0.14)):
        yield _box(wall.strip(t0 + 0.13, t1 - 0.13, -0.03, -0.02), z0, z1, material, rounding=0.006)
    steel = Material("metal", (0.80, 0.78, 0.74), 0.3, 0.9)
    yield _box(wall.strip(t1 - 0.085, t1 - 0.05, -0.028, -0.02), 0.92, 1.10, steel)
    yield _box(wall.strip(t1 - 0.075, t1 - 0.06, -0.02, 0.02), 1.02, 1.035, steel)
    yield _box(wall.strip(t1 - 0.17, t1 - 0.06, 0.012, 0.024), 1.018, 1.038, steel, rounding=0.005)


def _window(
    plan: HousePlan,
    opening: Opening,
    trim: Material,
    horizon: tuple[float, float, float],
    zenith: tuple[float, float, float],
) -> Piece:
    """A lined window with sashes, a sill board and panes that show the sky as a glowing gradient."""
    ((index, hole),) = opening.cuts
    wall = plan.walls[index]
    boards = _lining(wall, hole, _PANE_DEPTH + 0.03, sill=True) + _casings(wall, hole, below=True)
    boards.append((wall.strip(hole.t0 - 0.05, hole.t1 + 0.05, -0.02, 0.05), hole.z0 - 0.01, hole.z0 + FRAME + 0.006))
    t0, t1, z0, z1 = hole.t0 + FRAME, hole.t1 - FRAME, hole.z0 + FRAME, hole.z1 - FRAME
    posts = [(t0, t0 + _SASH), (t1 - _SASH, t1)]
    if t1 - t0 > 0.8:
        posts.append(((t0 + t1 - _SASH) / 2.0, (t0 + t1 + _SASH) / 2.0))
    boards += [(wall.strip(a, b, -_PANE_DEPTH, -_PANE_DEPTH + 0.04), z0, z1) for a, b in posts]
    boards += [
        (wall.strip(t0, t1, -_PANE_DEPTH, -_PANE_DEPTH + 0.035), a, b) for a, b in ((z0, z0 + _SASH), (z1 - _SASH, z1))
    ]
    meshes = [_box(rect, a, b, trim) for rect, a, b in boards]
    nx, ny = wall.inward
    for k in range(_SKY_STRIPS):
        low, high = (z0 + (z1 - z0) * (k + j) / _SKY_STRIPS for j in (0, 1))
        share = (k + 0.5) / _SKY_STRIPS
        colour = tuple(a + (b - a) * share for a, b in zip(horizon, zenith, strict=True))
        ends = [wall.point(t0, -_PANE_DEPTH), wall.point(t1, -_PANE_DEPTH)]
        vertices = np.array([(*ends[0], low), (*ends[1], low), (*ends[1], high), (*ends[0], high)])
        glow = Material("plain", (colour[0], colour[1], colour[2]), 0.5, emission=_SKY_GLOW)
        quad = np.array([(0, 2, 1), (0, 3, 2)], dtype=np.int32)
        meshes.append(solid(vertices, np.tile([float(nx), float(ny), 0.0], (4, 1)), vertices[:, :2].copy(), quad, glow))
    parts = [box_corners(rect, a, b) for rect, a, b in boards]
    parts.append(box_corners(wall.strip(hole.t0, hole.t1, -OUTER_THICKNESS, -_PANE_DEPTH), hole.z0, hole.z1))
    return Piece("Window", wall.room, join(meshes), tuple(parts))
