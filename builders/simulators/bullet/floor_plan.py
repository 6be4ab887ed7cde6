"""A home's floor plan: rooms, doors and windows drawn until the home is one that people would live in."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from flowbench.errors import FlowbenchError

from .doors import draw_doorways, draw_entrance
from .layout import draw_rooms
from .openings import FRAME, HousePlan, Opening
from .plan import Rooms
from .proportions import HALLWAY, Proportions
from .windows import draw_windows

_DRAWS = 60
_ENOUGH = 5
"""Connected plans compared when none is without flaws."""


def draw_floor_plan(rng: np.random.Generator, style: Proportions, count: int | None = None) -> HousePlan:
    """Draw a connected plan with few flaws.

    Args:
        rng: the plan's generator.
        style: proportions and programmes.
        count: number of rooms, of those that the style has programmes for; drawn from the style's when None.

    Raises:
        FlowbenchError: no plan was found; the style's table asks for too much.
    """
    count = draw_count(rng, style.room_counts) if count is None else count
    best: tuple[int, HousePlan] | None = None
    connected = 0
    for _ in range(_DRAWS):
        plan = _with_openings(rng, style, draw_rooms(rng, style, count))
        if plan is None:
            continue
        connected += 1
        found = flaws(plan)
        if best is None or found < best[0]:
            best = found, plan
        if best[0] == 0 or connected == _ENOUGH:
            break
    if best is None:
        raise FlowbenchError(f"no connected floor plan of {count} rooms in {_DRAWS} tries; widen the style's areas.")
    return best[1]


def draw_count(rng: np.random.Generator, weights: tuple[int, ...]) -> int:
    """A number of rooms, each as often as its weight says."""
    bounds = list(accumulate(weights))
    lot = int(rng.integers(bounds[-1]))
    return next(n for n, bound in enumerate(bounds, 1) if lot < bound)


def flaws(plan: HousePlan) -> int:
    """How much people would mind about a plan; 0 is best.

    Minded are a home without a front door, a bathroom behind a kitchen or office, a bedroom that leads elsewhere than
    to a bathroom or lies behind a kitchen or office, a room without daylight, the only bathroom behind one of several
    bedrooms, and a hallway that leads to fewer than three rooms.
    """
    kinds = [room.room_type for room in plan.rooms]
    reached = [_reached(plan, room) for room in range(len(kinds))]
    lit = {plan.walls[o.cuts[0][0]].room for o in plan.openings if o.kind == "window"}
    minded = 4 * (not any(o.kind == "entrance" for o in plan.openings))
    for room, kind in enumerate(kinds):
        beyond = [kinds[other] for other in reached[room]]
        if kind == "bathroom":
            minded += 4 * ("kitchen" in beyond) + ("office" in beyond)
            minded += "bedroom" in beyond and kinds.count("bedroom") > 1 and kinds.count("bathroom") == 1
        if kind == "bedroom":
            minded += 3 * (len(beyond) - beyond.count("bathroom") > 1)
            minded += not {HALLWAY, "living_room"} & set(beyond)
        if kind == HALLWAY:
            minded += len(beyond) < 3
        minded += room not in lit and kind not in (HALLWAY, "bathroom")
    return minded


def _reached(plan: HousePlan, room: int) -> list[int]:
    """The rooms behind a room's doors."""
    pairs = [[index for index, _ in opening.keep_out] for opening in plan.openings if opening.kind == "doorway"]
    return [other for pair in pairs if room in pair for other in pair if other != room]


def _with_openings(rng: np.random.Generator, style: Proportions, rooms: Rooms) -> HousePlan | None:
    """Cut doors and windows; None when some room shares too little wall with the others for a door."""
    width = round(float(rng.uniform(*style.door_width)), 2) + 2 * FRAME
    head = style.door_height + FRAME
    doorways = draw_doorways(rng, rooms, width, head)
    if doorways is None:
        return None
    entrance = draw_entrance(rng, rooms, width, head)
    openings: list[Opening] = [*doorways, *([entrance] if entrance else [])]
    openings += draw_windows(rng, style, rooms, openings)
    return HousePlan(rooms.rooms, rooms.walls, tuple(openings), rooms.height)
