"""Whether a named translation at constant height is free of collisions: swept exactly, with its margin (sim.md).

An outcome counts only if it survives 3 cm: what is free stays so for a mover grown by as much; what is blocked is so by
one part that also blocks a way 3 cm shorter, and ways 3 cm to either side, higher and lower.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
STEPS = 16
"""Halvings of the search for the first contact."""


@dataclass(frozen=True)
class ProbeOutcome:
    """What a probe meets.

    Attributes:
        label: ``yes`` (free) or ``no``, with its margin in metres.
        blocker: object id of the first thing in the way, or None.
        reach: metres that can be travelled before it.
        firm: whether that very thing, not only another behind it, blocks firmly.
    """

    label: Label
    blocker: str | None
    reach: float
    firm: bool = True


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
    whole = body.swept((dx, dy, 0.0))
    things = _things_about(arrangement, mover, whole)
    if not things:
        return ProbeOutcome(Label("yes", FARTHEST - TOLERANCE), None, length)
    everything = ConvexParts.of([part for thing in things.values() for part in thing.parts])
    gap = whole.distance(everything, limit=FARTHEST)
    if gap > 0.0:
        clearance = gap if gap >= FARTHEST else min(_clearances(body, whole, things), default=FARTHEST)
        margin = clearance - TOLERANCE
        if margin <= LEAST_MARGIN:
            return Reject("feasibility: a close shave")
        return ProbeOutcome(Label("yes", margin), None, length)
    if body.distance(everything, limit=APPROACH) == 0.0:
        return Reject("feasibility: touches something already")
    reach, blocker = _first_contact(body, along, length, things)
    margin = length - reach - TOLERANCE
    if margin <= LEAST_MARGIN:
        return Reject("feasibility: only just too far")
    if not _is_firmly_blocked(body, along, length, everything):
        return Reject("feasibility: grazes what blocks it")
    firm = _is_firmly_blocked(body, along, length, things[blocker])
    return ProbeOutcome(Label("no", margin), blocker, reach, firm)


def _things_about(arrangement: Arrangement, mover: str, whole: ConvexParts) -> dict[str, ConvexParts]:
    """Everything near a swept volume that reaches above its base: object id -> its near parts, world frame."""
    low, high = whole.vertices.min(axis=0), whole.vertices.max(axis=0)
    base = float(low[2]) - LIFT
    parts: dict[str, list[NDArray[np.float64]]] = {}
    for name, part in arrangement.parts_within(low - FARTHEST, high + FARTHEST, mover):
        if float(part[:, 2].max()) > base + BELOW:
            parts.setdefault(name, []).append(part)
    return {name: ConvexParts.of(of_name) for name, of_name in parts.items()}


def _clearances(body: ConvexParts, whole: ConvexParts, things: Mapping[str, ConvexParts]) -> Iterator[float]:
    """Metres between the swept volume and everything that it comes nearer to than the mover stands to it anyway."""
    for thing in things.values():
        gap = whole.distance(thing, limit=FARTHEST)
        if gap < FARTHEST and body.distance(thing, limit=FARTHEST) > gap + APPROACH:
            yield gap


def _is_firmly_blocked(body: ConvexParts, along: tuple[float, float], length: float, things: ConvexParts) -> bool:
    """Whether one part blocks the way and all those a little off it: a gap a little too narrow has no such part."""
    aside, up = np.array([-along[1], along[0], 0.0]) * TOLERANCE, np.array([0.0, 0.0, TOLERANCE])
    ways = [body.moved(shift).swept((length * along[0], length * along[1], 0.0)) for shift in (aside, -aside, up, -up)]
    shorter = length - TOLERANCE
    ways.append(body.swept((shorter * along[0], shorter * along[1], 0.0)))
    if any(way.distance(things, limit=APPROACH) > 0.0 for way in ways):
        return False
    parts = (ConvexParts.of([part]) for part in things.parts)
    return any(all(way.distance(part, limit=APPROACH) == 0.0 for way in ways) for part in parts)


def _first_contact(
    body: ConvexParts, along: tuple[float, float], length: float, things: Mapping[str, ConvexParts]
) -> tuple[float, str]:
    """Metres up to the first contact, to a sixty-thousandth of the length, and what is touched."""
    way = (length * along[0], length * along[1], 0.0)
    whole = body.swept(way)
    met = [(name, thing) for name, thing in things.items() if whole.distance(thing, limit=APPROACH) == 0.0]
    return min((_reach(body, along, length, thing), name) for name, thing in met)


def _reach(body: ConvexParts, along: tuple[float, float], length: float, parts: ConvexParts) -> float:
    """Metres along the way up to the first contact, to a sixty-thousandth of the length."""
    free, blocked = 0.0, length
    for _ in range(STEPS):
        middle = (free + blocked) / 2.0
        if body.swept((middle * along[0], middle * along[1], 0.0)).distance(parts, limit=APPROACH) > 0.0:
            free = middle
        else:
            blocked = middle
    return free
