"""The floor a person can walk on: a grid of 0.25 m (AI2-THOR's), kept in one piece while furniture comes in."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .openings import FRAME, HousePlan
from .plan import RoomPlan
from .rects import Rect, spanning

GRID = 0.25
"""Distance of neighbouring standing points, metres."""
PERSON_RADIUS = 0.25
"""Half the width a person needs, metres."""

Mask = NDArray[np.bool_]


class FreeSpace:
    """Standing points of a home, at multiples of :data:`GRID` in x and y.

    A point is free when a square of twice :data:`PERSON_RADIUS` round it touches no wall and no furniture.
    """

    def __init__(self, plan: HousePlan) -> None:
        """Everything inside the walls and doorways is free."""
        low = [min(0, *(math.floor(room.bounds[k] / GRID) for room in plan.rooms)) for k in (0, 1)]
        high = [max(room.bounds[k] for room in plan.rooms) for k in (2, 3)]
        self._xs = np.arange(low[0], int(high[0] / GRID) + 2) * GRID
        self._ys = np.arange(low[1], int(high[1] / GRID) + 2) * GRID
        self._rooms = [self._room_mask(room) for room in plan.rooms]
        free = np.zeros((len(self._xs), len(self._ys)), dtype=bool)
        for mask in self._rooms:
            free |= mask
        for opening in plan.openings:
            if opening.kind == "doorway":
                free |= self._mask(_passage([rect for _, rect in opening.keep_out]))
        for _, rect in plan.gaps:
            free |= self._mask(_across(rect))
        self._free = free
        self._doors = [self._mask(rect.grown(-0.1)) for o in plan.openings for _, rect in o.keep_out]

    def block(self, rect: Rect) -> None:
        """Put furniture on a floor rectangle."""
        self._free &= ~self._mask(rect.grown(PERSON_RADIUS), strictly=True)

    def admits(self, rects: Iterable[Rect]) -> bool:
        """Whether all rooms and doors stay connected when these rectangles are blocked too.

        Not only a way between the doors counts: at most a tenth of the free points may be cut off.
        """
        free = self._free.copy()
        for rect in rects:
            free &= ~self._mask(rect.grown(PERSON_RADIUS), strictly=True)
        main = self._main(free)
        if int(main.sum()) < 0.9 * int(free.sum()):
            return False
        return all((mask & main).any() for mask in self._doors) and self._rooms_reached(main)

    def reachable(self, room: int) -> NDArray[np.float64]:
        """(n, 2) free points in a room that are connected with the rest of the home, by x then y, metres."""
        chosen = np.argwhere(self._main(self._free) & self._rooms[room])
        return np.column_stack([self._xs[chosen[:, 0]], self._ys[chosen[:, 1]]])

    def connected(self) -> bool:
        """Whether every room has free floor that can be walked to."""
        return self._rooms_reached(self._main(self._free))

    def _rooms_reached(self, main: Mask) -> bool:
        return all(int((mask & main).sum()) >= 4 for mask in self._rooms)

    def _main(self, free: Mask) -> Mask:
        """The largest connected set of free points (4 neighbours); ties go to the first."""
        rest = free.copy()
        best = np.zeros_like(free)
        while int(rest.sum()) > int(best.sum()):
            seed = np.zeros_like(free)
            seed[np.unravel_index(int(np.argmax(rest)), rest.shape)] = True
            found = _flood(seed, rest)
            if int(found.sum()) > int(best.sum()):
                best = found
            rest &= ~found
        return best

    def _room_mask(self, room: RoomPlan) -> Mask:
        """Where a person's middle can be: inside, and clear of all sides."""
        mask = np.zeros((len(self._xs), len(self._ys)), dtype=bool)
        for leg in room.legs:
            mask |= self._mask(leg)
        corners = room.polygon.tolist()
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            mask &= ~self._mask(spanning(ax, ay, bx, by).grown(PERSON_RADIUS), strictly=True)
        return mask

    def _mask(self, rect: Rect, strictly: bool = False) -> Mask:
        """Grid points in a rectangle, its edges excluded if ``strictly``."""
        slack = -1e-6 if strictly else 1e-6
        x = (self._xs >= rect.x0 - slack) & (self._xs <= rect.x1 + slack)
        y = (self._ys >= rect.y0 - slack) & (self._ys <= rect.y1 + slack)
        return np.asarray(x[:, None] & y[None, :])


def _flood(seed: Mask, free: Mask) -> Mask:
    """Everything in ``free`` that 4-neighbour steps reach from the seed."""
    found = seed
    while True:
        grown = found.copy()
        grown[1:] |= found[:-1]
        grown[:-1] |= found[1:]
        grown[:, 1:] |= found[:, :-1]
        grown[:, :-1] |= found[:, 1:]
        grown &= free
        if int(grown.sum()) == int(found.sum()):
            return found
        found = grown


def _passage(zones: list[Rect]) -> Rect:
    """Where a person's middle can be in a doorway: from one keep-out zone through to the other."""
    whole = Rect(min(z.x0 for z in zones), min(z.y0 for z in zones), max(z.x1 for z in zones), max(z.y1 for z in zones))
    margin = FRAME + PERSON_RADIUS
    first, last = zones[0], zones[-1]
    if abs(first.y0 - last.y0) > abs(first.x0 - last.x0):
        return Rect(whole.x0 + margin, whole.y0, whole.x1 - margin, whole.y1)
    return Rect(whole.x0, whole.y0 + margin, whole.x1, whole.y1 - margin)


def _across(gap: Rect) -> Rect:
    """Where a person's middle can be on the way through a gap."""
    width, depth = gap.size
    if width < depth:
        return Rect(gap.x0 - PERSON_RADIUS, gap.y0 + PERSON_RADIUS, gap.x1 + PERSON_RADIUS, gap.y1 - PERSON_RADIUS)
    return Rect(gap.x0 + PERSON_RADIUS, gap.y0 - PERSON_RADIUS, gap.x1 - PERSON_RADIUS, gap.y1 + PERSON_RADIUS)
