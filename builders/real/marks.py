"""Where dots and badges go: deep inside an object's mask, at its place of either picture (paper, B.4, "Marks")."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.marks import (
    LARGEST_RADIUS,
    PALETTE,
    SMALLEST_RADIUS,
    Place,
    choose_marks,
    fitting_radius,
    overlap,
)
from flowbench.builders.sim.measuring import MaskFacts, Spot, innermost
from flowbench.marking import badge_reach, lab_distance, to_lab
from flowbench.schema import Mark
from flowbench.schema.real import Badge

from .facts import Facts
from .measuring.measure import Measured

AT_WIDTH = 800.0
"""Radii are those of pictures so wide."""
BADGE_RADIUS = 11.0
LEAST_DEPTH = 4.0
"""Pixels from a dot's centre to the rim of its object at least."""

_LAB = to_lab(np.array([rgb for _, rgb in PALETTE], dtype=np.uint8))


@functools.lru_cache(maxsize=32)
def spots(measured: Measured, k: int, kept: bool) -> tuple[Spot, Spot] | None:
    """The places of a thing's mark in both pictures; None where there is no room.

    Args:
        measured: the pair.
        k: index of the thing.
        kept: whether a still thing's mark stays where it was deepest before, whatever hides it afterwards; else it is
            where the thing is seen in both.
    """
    masks = [layer.mask(index) for layer, index in zip(measured.layers, measured.things[k].masks, strict=True)]
    if not measured.things[k].is_still:
        found = _deepest(masks[0]), _deepest(masks[1])
    else:
        spot = _deepest(masks[0] if kept else masks[0] & masks[1])
        found = spot, spot
    return None if found[0] is None or found[1] is None else (found[0], found[1])


def choose_dots(facts: Facts, things: Sequence[int], kept: bool, rng: np.random.Generator) -> list[Mark] | Reject:
    """A dot of its own colour for each of some things, the mover first.

    Args:
        facts: of the pair.
        things: indices.
        kept: see :func:`spots`.
        rng: draws colours.
    """
    places = place_dots(facts, things, kept)
    if isinstance(places, Reject):
        return places
    measured = facts.measured
    refused = [_near_colours(measured, k) for k in things]
    return choose_marks(places, measured.pair.before, measured.pair.after, rng, refused)


def place_dots(facts: Facts, things: Sequence[int], kept: bool) -> list[Place] | Reject:
    """Where the dots of :func:`choose_dots` go, or why they cannot."""
    measured = facts.measured
    scale = measured.pair.shape[1] / AT_WIDTH
    places = []
    for k in things:
        found = spots(measured, k, kept)
        if found is None:
            return Reject("mark: no room for a dot")
        depth = min(spot.depth for spot in found)
        radius = max(SMALLEST_RADIUS * scale, min(LARGEST_RADIUS * scale, fitting_radius(depth)))
        places.append(Place(thing_name(measured, k), measured.thing_id(k), *found, radius))
    clash = [(i, j) for i, j in itertools.combinations(range(len(places)), 2) if overlap(places[i], places[j])]
    if any(not (kept and i == 0) for i, _ in clash):
        return Reject("mark: dots would overlap")
    return places


def choose_badges(facts: Facts, kept: bool) -> list[Badge] | Reject:
    """A badge for every marked thing, in order of their numbers."""
    measured = facts.measured
    radius = BADGE_RADIUS * measured.pair.shape[1] / AT_WIDTH
    made = []
    for k, number in sorted(facts.numbers.items(), key=lambda pair: pair[1]):
        found = spots(measured, k, kept)
        if found is None:
            return Reject("mark: no room for a badge")
        before, after = ([float(spot.u), float(spot.v)] for spot in found)
        made.append(
            Badge(
                number=number,
                id=measured.thing_id(k),
                object=thing_name(measured, k),
                radius=radius,
                before=before,
                after=after,
            )
        )
    reach = 2.0 * badge_reach(radius)
    for one, other in itertools.combinations(made, 2):
        moments = ((one.before, other.before),) if kept else ((one.before, other.before), (one.after, other.after))
        if any((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) < reach * reach for p, q in moments):
            return Reject("mark: badges would overlap")
    return made


def thing_name(measured: Measured, k: int) -> str:
    """``mug|3``: unique in the pair."""
    return f"{measured.things[k].label}|{measured.thing_id(k)}"


def _deepest(mask: NDArray[np.bool_]) -> Spot | None:
    rows, columns = np.nonzero(mask)
    if rows.size == 0:
        return None
    box = int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())
    area = int(rows.size)
    spot = innermost(mask, MaskFacts(area, int(columns.sum()) / area, int(rows.sum()) / area, *box))
    return None if spot.depth < LEAST_DEPTH else spot


def _near_colours(measured: Measured, k: int) -> frozenset[int]:
    """The palette's two colours that are nearest to a thing's own: its dot takes neither."""
    thing = measured.things[k]
    colour = np.median(measured.pair.before[measured.layers[0].mask(thing.masks[0])], axis=0)
    distances = lab_distance(to_lab(np.rint(colour).astype(np.uint8)[None]), _LAB)
    order = sorted(range(len(PALETTE)), key=lambda c: (float(distances[c]), c))
    return frozenset(order[:2])
