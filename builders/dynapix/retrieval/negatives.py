"""Hard negatives: the target's own run at wrong times, first at wide offsets, then on a denser grid (appendix D)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flowbench.builders.dynapix.happenings import LAST
from flowbench.builders.dynapix.items import Place

from .ledger import Ledger

OFFSETS = (12, 24, 36)
DENSER = tuple(range(7, 64, 4))
"""Frames before or after the target."""


def negatives(ledger: Ledger, target: Place, cut: int, count: int, rng: np.random.Generator) -> tuple[Place, ...]:
    """Up to so many frames of the target's run, all unlike it, each other and every target; in the order of finding.

    Frames that the observation showed come last: they are told from the target by having been seen.

    Args:
        ledger: with all targets of the scene.
        target: of the query.
        cut: last observed frame.
        count: wanted.
        rng: draws the order, so that the target is not always the middle one.
    """
    chosen: list[Place] = []
    for seen_already in (False, True):
        for place in _grids(target, rng):
            if len(chosen) == count:
                break
            if (place.frame <= cut) != seen_already or not ledger.allows(place):
                continue
            if all(ledger.unlike(place, other) for other in (target, *chosen)):
                chosen.append(place)
    return tuple(chosen)


def _grids(target: Place, rng: np.random.Generator) -> Iterator[Place]:
    """The run's frames at the wide offsets in a random order, then those of the denser grid in another."""
    for grid in (OFFSETS, DENSER):
        frames = [target.frame + sign * offset for offset in grid for sign in (1, -1)]
        listed = [frame for frame in frames if 0 <= frame <= LAST]
        for index in rng.permutation(len(listed)).tolist():
            yield Place(target.variant, listed[index])
