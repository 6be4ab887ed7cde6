"""Whether a named translation at constant height is free of collisions: swept exactly, with its margin (sim.md).

An outcome counts only if it survives 3 cm: what is free stays so for a mover grown by as much, what is blocked is
blocked as well on a way that is 3 cm shorter, or runs 3 cm to either side or higher.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flowbench.geometry import ConvexParts

from .items import LEAST_MARGIN, Label, Reject
from .scene import Arrangement
from .sliding import LIFT

TOLERANCE = 0.03
"""Metres by which the mover may be grown or shrunk without another answer."""
BELOW = 0.005
"""Parts whose top lies at most so much above the mover's base carry it or lie below its way, metres."""
APPROACH = 0.001
"""Metres by which the way must come nearer to a thing for the thing to be in question."""
FARTHEST = 0.25
"""Clearances are told apart up to here, metres."""
STEPS = 20
"""Halvings of the search for the first contact."""


@dataclass(frozen=True)
class ProbeOutcome:
    """What a probe meets.

    Attributes:
        label: ``yes`` (free) or ``no``, with its margin in metres.
        blocker: object id of the first thing in the way, or None.
        reach: metres that can be travelled before it.
    """

    label: Label
    blocker: str | None
    reach: float


def probe_way(arrangement: Arrangement, mover: str, displacement: tuple[float, float]) -> ProbeOutcome | Reject:
    """Sweep the mover from where it stands.

    Args:
        arrangement: how everything stands.
        mover: its object id.
        displacement: (dx, dy), world frame, metres.
    """
    dx, dy = displacement
    length = math.sqrt(dx * dx + dy * dy)
    along = (dx / length, dy / length)
    body = arrangement.placed(mover).moved((0.0, 0.0, LIFT))
    obstacles = list(_obstacles(arrangement, mover, body, displacement))
    whole = body.swept((dx, dy, 0.0))
    gaps = [(whole.distance(parts, limit=FARTHEST), name, parts) for name, parts in obstacles]
    blocked = [(name, parts) for gap, name, parts in gaps if gap == 0.0]
    if not blocked:
        clearance = min((gap for gap, _, parts in gaps if _comes_nearer(body, parts, gap)), default=FARTHEST)
        margin = clearance - TOLERANCE
        if margin <= LEAST_MARGIN:
            return Reject("feasibility: a close shave")
        return ProbeOutcome(Label("yes", margin), None, length)
    reach, blocker = min((_reach(body, along, length, parts), name) for name, parts in blocked)
    margin = length - reach - TOLERANCE
    if margin <= LEAST_MARGIN:
        return Reject("feasibility: only just too far")
    aside = (-along[1] * TOLERANCE, along[0] * TOLERANCE)
    for shift in ((*aside, 0.0), (-aside[0], -aside[1], 0.0), (0.0, 0.0, TOLERANCE)):
        way = body.moved(shift).swept((dx, dy, 0.0))
        if all(way.distance(parts, limit=APPROACH) > 0.0 for _, parts in obstacles):
            return Reject("feasibility: grazes what blocks it")
    return ProbeOutcome(Label("no", margin), blocker, reach)


def _obstacles(
    arrangement: Arrangement, mover: str, body: ConvexParts, displacement: tuple[float, float]
) -> Iterator[tuple[str, ConvexParts]]:
    """Everything near the way that reaches above the mover's base: object id, parts."""
    low, high = body.vertices.min(axis=0), body.vertices.max(axis=0)
    base = float(low[2]) - LIFT
    reach = np.array([*displacement, 0.0])
    low, high = np.minimum(low, low + reach) - FARTHEST, np.maximum(high, high + reach) + FARTHEST
    for item in arrangement.objects:
        if item.object_id == mover or not item.parts:
            continue
        placed = arrangement.placed(item.object_id)
        lower, upper = placed.boxes
        near = ((lower <= high) & (upper >= low)).all(axis=1) & (upper[:, 2] > base + BELOW)
        if near.any():
            yield item.object_id, ConvexParts.of([placed.parts[index] for index in np.flatnonzero(near).tolist()])


def _comes_nearer(body: ConvexParts, parts: ConvexParts, gap: float) -> bool:
    """Whether the way comes nearer to a thing than the mover stands to it anyway."""
    return gap < FARTHEST and body.distance(parts, limit=FARTHEST) > gap + APPROACH


def _reach(body: ConvexParts, along: tuple[float, float], length: float, parts: ConvexParts) -> float:
    """Metres along the way up to the first contact, to a millionth of the length."""
    free, blocked = 0.0, length
    for _ in range(STEPS):
        middle = (free + blocked) / 2.0
        if body.swept((middle * along[0], middle * along[1], 0.0)).distance(parts, limit=APPROACH) > 0.0:
            free = middle
        else:
            blocked = middle
    return free
