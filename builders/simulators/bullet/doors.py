"""Doors: every room can be walked to, as they follow a spanning tree over rooms that share enough wall.

Without keep-out zones before doors rooms get cut off by furniture (architecture.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .openings import KEEP_OUT, Hole, Opening
from .plan import INNER_HALF, Rooms, Wall
from .proportions import HALLWAY

END_MARGIN = 0.14
"""Least wall left between a door's hole and a corner: room for its casing, metres."""
_ENTERED = (HALLWAY, "living_room")
"""Where the front door is, the likeliest first."""
_LOOPS = 0.35


@dataclass(frozen=True)
class _Shared:
    """Wall that two rooms share: ``lo``..``hi`` along the first wall's face."""

    first: Wall
    second: Wall
    lo: float
    hi: float


def draw_doorways(rng: np.random.Generator, rooms: Rooms, width: float, head: float) -> list[Opening] | None:
    """A spanning tree of doorways and some loops.

    Bathrooms get one door, bedrooms are not among the loops.

    Args:
        rng: the layout's generator.
        rooms: what to connect.
        width, head: of the holes, metres.

    Returns:
        The doorways; None when some room shares too little wall with the others.
    """
    edges = _shared_walls(rooms, width + 2 * END_MARGIN)
    edges = [edges[i] for i in rng.permutation(len(edges))]
    edges.sort(key=lambda edge: _reluctance(*_kinds(rooms, edge)))
    group = list(range(len(rooms.rooms)))
    doors: list[Opening] = []
    spare: list[_Shared] = []
    for edge in edges:
        a, b = edge.first.room, edge.second.room
        if group[a] != group[b] and not any(_closed(rooms, doors, room) for room in (a, b)):
            group = [group[a] if g == group[b] else g for g in group]
            doors.append(_doorway(rng, edge, width, head))
        else:
            spare.append(edge)
    if len(set(group)) > 1:
        return None
    for edge in spare:
        private = {"bathroom", "bedroom"} & set(_kinds(rooms, edge))
        if not private and not _joined(doors, edge) and rng.random() < _LOOPS:
            doors.append(_doorway(rng, edge, width, head))
    return doors


def draw_entrance(rng: np.random.Generator, rooms: Rooms, width: float, head: float) -> Opening | None:
    """The closed front door, in an outer wall of the hallway or else the living room; None where neither has one."""
    walls = [rooms.walls[i] for i in rng.permutation(len(rooms.walls))]
    for kind in _ENTERED:
        for wall in walls:
            spare = wall.length - width - 2 * END_MARGIN
            if not wall.outer or spare < 0.0 or rooms.rooms[wall.room].room_type != kind:
                continue
            offset = min(spare, float(rng.uniform(0.0, 0.5)))
            t0 = round(END_MARGIN + (offset if rng.random() < 0.5 else spare - offset), 2)
            hole = Hole(t0, round(t0 + width, 2), 0.0, head)
            free = wall.strip(hole.t0, hole.t1, 0.0, KEEP_OUT)
            return Opening("entrance", ((wall.index, hole),), ((wall.room, free),))
    return None


def _kinds(rooms: Rooms, edge: _Shared) -> tuple[str, str]:
    return rooms.rooms[edge.first.room].room_type, rooms.rooms[edge.second.room].room_type


def _reluctance(a: str, b: str) -> int:
    """How gladly two rooms are joined: from a hallway or living room first, a bathroom with a kitchen last."""
    kinds = {a, b}
    if kinds == {"bathroom", "kitchen"}:
        return 5
    if HALLWAY in kinds:
        return 0
    if "living_room" in kinds:
        return 1
    if kinds == {"bathroom", "bedroom"}:
        return 2
    return 4 if "bedroom" in kinds or "bathroom" in kinds else 3


def _closed(rooms: Rooms, doors: list[Opening], room: int) -> bool:
    """Whether a room has all the doors it may have."""
    return rooms.rooms[room].room_type == "bathroom" and any(room == k for door in doors for k, _ in door.keep_out)


def _joined(doors: list[Opening], edge: _Shared) -> bool:
    pair = {edge.first.room, edge.second.room}
    return any({room for room, _ in door.keep_out} == pair for door in doors)


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
    room = edge.hi - edge.lo - width - 2 * END_MARGIN
    offset = min(room, float(rng.uniform(0.0, 0.3))) if rng.random() < 0.6 else room * float(rng.random())
    if rng.random() < 0.5:
        offset = room - offset
    t0 = round(edge.lo + END_MARGIN + offset, 2)
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
