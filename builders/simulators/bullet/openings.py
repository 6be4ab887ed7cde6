"""What walls are cut for, and the floor that stays free before doors: a home's plan with doors and windows."""

from __future__ import annotations

from dataclasses import dataclass

from .plan import RoomPlan, Wall
from .rects import Rect

FRAME = 0.025
"""Thickness of the lining inside an opening, metres; the hole is wider than the clear opening by two of it."""
KEEP_OUT = 0.95
"""Depth of the free floor before a door, metres."""


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
    """Rooms, walls and openings of a home; walls' tops and ceilings are at ``height`` metres.

    ``gaps`` are (two rooms' indexes, flat rectangle): where the two meet without a wall.
    """

    rooms: tuple[RoomPlan, ...]
    walls: tuple[Wall, ...]
    openings: tuple[Opening, ...]
    height: float
    gaps: tuple[tuple[tuple[int, int], Rect], ...] = ()

    def holes(self, wall: int) -> list[Hole]:
        """What is cut out of a wall, from its start to its end."""
        cuts = [hole for opening in self.openings for index, hole in opening.cuts if index == wall]
        return sorted(cuts, key=lambda hole: hole.t0)

    def keep_out(self, room: int) -> list[Rect]:
        """Floor rectangles of a room that stay free for its doors."""
        return [rect for opening in self.openings for index, rect in opening.keep_out if index == room]
