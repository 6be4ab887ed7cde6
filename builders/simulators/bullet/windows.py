"""Windows: singles and pairs in outer walls, all of a home alike; small and high ones where people wash."""

from __future__ import annotations

import numpy as np

from .openings import Hole, Opening
from .plan import Rooms, Wall
from .proportions import Proportions
from .tables import Range

_MARGIN = 0.3
"""Wall left between a window and a corner or door, metres."""
_PAIRED = 0.5
_FURTHER = 0.45
"""Chance of windows in a room's second outer wall; in the third it is the square of it."""


def draw_windows(rng: np.random.Generator, style: Proportions, rooms: Rooms, openings: list[Opening]) -> list[Opening]:
    """Windows in every room that has an outer wall with space left beside the doors."""
    sill, head, width, small, gap = (
        round(float(rng.uniform(*values)), 2)
        for values in (
            *(style.window_sill, style.window_head, style.window_width),
            *(style.small_window_width, style.window_gap),
        )
    )
    found: list[Opening] = []
    for index, room in enumerate(rooms.rooms):
        walls = [wall for wall in rooms.walls if wall.room == index and wall.outer]
        chance = float(len(room.uses))  # open-plan rooms are lit from two sides
        for wall in (walls[i] for i in rng.permutation(len(walls))):
            if rng.random() >= chance:
                continue
            pair = [(width, 2)] if rng.random() < _PAIRED else []
            sizes = [(small, 1)] if room.room_type == "bathroom" else [*pair, (width, 1), (small, 1)]
            spans = _spans(rng, wall, sizes, gap, openings)
            low = max(sill, style.sills.get(room.room_type, 0.0))
            found += [Opening("window", ((wall.index, Hole(t0, t1, low, head)),)) for t0, t1 in spans]
            chance *= _FURTHER if spans else 1.0
    return found


def _spans(
    rng: np.random.Generator, wall: Wall, sizes: list[tuple[float, int]], gap: float, openings: list[Opening]
) -> list[Range]:
    """Where along a wall the first (width, number) of windows that fits has them, metres."""
    taken = [hole for opening in openings for index, hole in opening.cuts if index == wall.index]
    for width, number in sizes:
        start = _clear_start(rng, wall.length, number * width + (number - 1) * gap, taken)
        if start is not None:
            starts = [round(start + k * (width + gap), 2) for k in range(number)]
            return [(t0, round(t0 + width, 2)) for t0 in starts]
    return []


def _clear_start(rng: np.random.Generator, length: float, width: float, taken: list[Hole]) -> float | None:
    """Where windows of this width start, near the wall's middle, clear of corners and doors."""
    for spread in (0.0, 0.3, 1.0, 1.0):
        t0 = round((length - width) * (0.5 + float(rng.uniform(-0.5, 0.5)) * spread), 2)
        inside = t0 >= _MARGIN and t0 + width <= length - _MARGIN
        if inside and all(t0 + width + _MARGIN <= hole.t0 or hole.t1 + _MARGIN <= t0 for hole in taken):
            return t0
    return None
