"""Doors and windows: where walls are cut, and the floor that stays free before doors.

Every room can be walked to: doors follow a spanning tree over rooms that share enough wall (architecture.md:
without keep-out zones before doors rooms get cut off).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .plan import INNER_HALF, RoomPlan, Rooms, Wall
from .proportions import Proportions
from .rects import Rect

FRAME = 0.025
"""Thickness of the lining inside an opening, metres; the hole is wider than the clear opening by two of it."""
KEEP_OUT = 0.95
"""Depth of the free floor before a door, metres."""
_END_MARGIN = 0.14
"""Least wall left between a door's hole and a corner: room for its casing."""
_PRIVATE = ("bathroom",)
_SILLS = {"bathroom": 1.35, "kitchen": 1.05}
"""Least height of window sills where people wash or work, metres."""
_SHARED = ("hallway", "living_room")


@dataclass(frozen=True)
class Hole:
    """A rectangular cut through a wall: ``t0``..``t1`` along its face, ``z0``..``z1`` above the floor, metres."""

    t0: float
    t1: float
    z0: float
    z1: float


@dataclass(frozen=True)
class Opening:
    """A door or window.

    Attributes:
        kind: ``"doorway"`` (open, between two rooms), ``"entrance"`` (closed leaf, outside) or ``"window"``.
        cuts: (wall index, hole) of every wall it cuts: two for a doorway, the first being the drawn one.
        keep_out: (room index, floor rectangle that stays free).
    """

    kind: str
    cuts: tuple[tuple[int, Hole], ...]
    keep_out: tuple[tuple[int, Rect], ...] = ()


@dataclass(frozen=True)
class HousePlan:
    """Rooms, walls and openings of a home; walls' tops and ceilings are at ``height`` metres."""

    rooms: tuple[RoomPlan, ...]
    walls: tuple[Wall, ...]
    openings: tuple[Opening, ...]
    height: float

    def holes(self, wall: int) -> list[Hole]:
        """What is cut out of a wall, from its start to its end."""
        cuts = [hole for opening in self.openings for index, hole in opening.cuts if index == wall]
        return sorted(cuts, key=lambda hole: hole.t0)

    def keep_out(self, room: int) -> list[Rect]:
        """Floor rectangles of a room that stay free for its doors."""
        return [rect for opening in self.openings for index, rect in opening.keep_out if index == room]


@dataclass(frozen=True)
class _Shared:
    """Wall that two rooms share: ``lo``..``hi`` along the first wall's face."""

    first: Wall
    second: Wall
    lo: float
    hi: float


def draw_openings(rng: np.random.Generator, style: Proportions, rooms: Rooms) -> HousePlan | None:
    """Cut doors and windows; None when some room shares too little wall with the others for a door."""
    clear = round(float(rng.uniform(*style.door_width)), 2)
    doorways = _doorways(rng, rooms, clear + 2 * FRAME, style.door_height + FRAME)
    if doorways is None:
        return None
    openings = list(doorways)
    entrance = _entrance(rng, rooms, openings, clear + 2 * FRAME, style.door_height + FRAME)
    openings.extend(entrance)
    openings.extend(_windows(rng, style, rooms, openings))
    return HousePlan(rooms.rooms, rooms.walls, tuple(openings), rooms.height)


def _doorways(rng: np.random.Generator, rooms: Rooms, width: float, head: float) -> list[Opening] | None:
    """A spanning tree of doorways and some loops; private rooms get one door only."""
    edges = _shared_walls(rooms, width + 2 * _END_MARGIN)
    edges = [edges[i] for i in rng.permutation(len(edges))]
    edges.sort(key=lambda edge: _preference(rooms, edge))
    group = list(range(len(rooms.rooms)))
    doors: list[Opening] = []
    spare: list[_Shared] = []
    degree = [0] * len(group)
    for edge in edges:
        a, b = edge.first.room, edge.second.room
        closed = any(rooms.rooms[k].room_type in _PRIVATE and degree[k] for k in (a, b))
        if group[a] == group[b] or closed:
            spare.append(edge)
            continue
        group = [group[a] if g == group[b] else g for g in group]
        degree[a] += 1
        degree[b] += 1
        doors.append(_doorway(rng, edge, width, head))
    if len(set(group)) > 1:
        return None
    joined = {frozenset((d.keep_out[0][0], d.keep_out[1][0])) for d in doors}
    for edge in spare:
        pair = frozenset((edge.first.room, edge.second.room))
        private = any(rooms.rooms[k].room_type in _PRIVATE for k in sorted(pair))
        if pair not in joined and not private and rng.random() < 0.35:
            doors.append(_doorway(rng, edge, width, head))
            joined.add(pair)
    return doors


def _preference(rooms: Rooms, edge: _Shared) -> int:
    """Doors lead to shared rooms first, and from a bathroom to a kitchen last."""
    kinds = sorted(rooms.rooms[wall.room].room_type for wall in (edge.first, edge.second))
    if kinds == ["bathroom", "kitchen"]:
        return 2
    return 0 if any(kind in _SHARED for kind in kinds) else 1


def _shared_walls(rooms: Rooms, least: float) -> list[_Shared]:
    """Stretches of at least ``least`` metres where the walls of two rooms stand back to back."""
    found: list[_Shared] = []
    for i, a in enumerate(rooms.walls):
        for b in rooms.walls[i + 1 :]:
            if a.room == b.room or a.inward != (-b.inward[0], -b.inward[1]):
                continue
            nx, ny = a.inward
            gap = (a.start[0] - b.start[0]) * nx + (a.start[1] - b.start[1]) * ny
            if abs(gap - 2 * INNER_HALF) > 1e-6:
                continue
            ends = sorted(_position(a, point) for point in (b.start, b.end))
            lo, hi = max(0.0, ends[0]), min(a.length, ends[1])
            if hi - lo >= least:
                found.append(_Shared(a, b, round(lo, 2), round(hi, 2)))
    return found


def _position(wall: Wall, point: tuple[float, float]) -> float:
    """Metres along a wall's face of the point's foot."""
    ax, ay = wall.along
    return (point[0] - wall.start[0]) * ax + (point[1] - wall.start[1]) * ay


def _doorway(rng: np.random.Generator, edge: _Shared, width: float, head: float) -> Opening:
    """A door in a shared stretch, mostly near one of its ends, where it leaves the most wall to furniture."""
    room = edge.hi - edge.lo - width - 2 * _END_MARGIN
    offset = min(room, float(rng.uniform(0.0, 0.3))) if rng.random() < 0.6 else room * float(rng.random())
    if rng.random() < 0.5:
        offset = room - offset
    t0 = round(edge.lo + _END_MARGIN + offset, 2)
    hole = Hole(t0, round(t0 + width, 2), 0.0, head)
    mirrored = sorted(round(_position(edge.second, edge.first.point(t)), 2) for t in (hole.t0, hole.t1))
    other = Hole(mirrored[0], mirrored[1], 0.0, head)
    return Opening(
        "doorway",
        ((edge.first.index, hole), (edge.second.index, other)),
        (
            (edge.first.room, edge.first.strip(hole.t0, hole.t1, 0.0, KEEP_OUT)),
            (edge.second.room, edge.second.strip(other.t0, other.t1, 0.0, KEEP_OUT)),
        ),
    )


def _entrance(
    rng: np.random.Generator, rooms: Rooms, openings: list[Opening], width: float, head: float
) -> list[Opening]:
    """The closed front door, in an outer wall of a shared room (else of any), clear of doorways' floor."""
    order = [rooms.walls[i] for i in rng.permutation(len(rooms.walls))]
    order.sort(key=lambda wall: rooms.rooms[wall.room].room_type not in _SHARED)
    for wall in order:
        if not wall.outer or wall.length < width + 2 * _END_MARGIN or rooms.rooms[wall.room].room_type == "bathroom":
            continue
        room = wall.length - width - 2 * _END_MARGIN
        offset = min(room, float(rng.uniform(0.0, 0.5)))
        t0 = round(_END_MARGIN + (offset if rng.random() < 0.5 else room - offset), 2)
        hole = Hole(t0, round(t0 + width, 2), 0.0, head)
        free = wall.strip(hole.t0, hole.t1, 0.0, KEEP_OUT)
        return [Opening("entrance", ((wall.index, hole),), ((wall.room, free),))]
    return []


def _windows(rng: np.random.Generator, style: Proportions, rooms: Rooms, openings: list[Opening]) -> list[Opening]:
    """One or two windows in every room with outer walls; high and small ones in bathrooms."""
    sill = round(float(rng.uniform(*style.window_sill)), 2)
    head = round(float(rng.uniform(*style.window_head)), 2)
    found: list[Opening] = []
    for index, room in enumerate(rooms.rooms):
        walls = [wall for wall in rooms.walls if wall.room == index and wall.outer and wall.length > 1.9]
        chance = 1.0
        for wall in (walls[i] for i in rng.permutation(len(walls))):
            if rng.random() >= chance:
                continue
            small = room.room_type == "bathroom"
            width = 0.7 if small else min(round(float(rng.uniform(*style.window_width)), 2), wall.length - 0.9)
            taken = [hole for o in openings for k, hole in o.cuts if k == wall.index]
            t0 = _clear_start(rng, wall.length, width, taken)
            if t0 is not None:
                hole = Hole(t0, round(t0 + width, 2), max(sill, _SILLS.get(room.room_type, 0.0)), head)
                found.append(Opening("window", ((wall.index, hole),)))
                chance *= 0.45
    return found


def _clear_start(rng: np.random.Generator, length: float, width: float, taken: list[Hole]) -> float | None:
    """Where a window of this width starts, near the wall's middle, 0.3 m clear of corners and doors."""
    for spread in (0.2, 0.5, 1.0):
        t0 = round((length - width) * (0.5 + float(rng.uniform(-0.5, 0.5)) * spread), 2)
        inside = t0 >= 0.3 and t0 + width <= length - 0.3
        if inside and all(t0 + width + 0.3 <= hole.t0 or hole.t1 + 0.3 <= t0 for hole in taken):
            return t0
    return None
