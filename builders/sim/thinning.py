"""The last word on evenness: what stays uneven in large groups after the choice is thinned out (quality.md, 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .evenness import OUTCOME, Grouping, Row, codes

LEAST_GROUP = 100
TOLERANCE = 0.05
"""Groups of at least so many samples have every outcome within so much of its even share (quality.md, "Balance")."""
TOLERANCE_SHARE = 0.5
"""Where there are many outcomes: at most so much of the even share itself, ..."""
TOLERANCE_CHANCE = 2.5
"""... or so many standard deviations of what chance makes of it: no group is thinned for what is but luck."""


def thin(rows: Sequence[Row], groupings: Sequence[Grouping], ties: Sequence[int]) -> list[int]:
    """Drop rows of too frequent outcomes until every large group is even enough.

    Args:
        rows: what was picked.
        groupings: sets of columns whose values make groups.
        ties: a row's place among equals; the last go first.

    Returns:
        positions of the rows that stay, ascending.
    """
    if not rows:
        return []
    outcome = codes(rows, (OUTCOME,))
    outcomes = int(outcome.max()) + 1
    groups = [codes(rows, names) for names in groupings]
    order = np.array(sorted(range(len(rows)), key=lambda position: ties[position]), dtype=np.int64)
    kept = np.ones(len(rows), dtype=np.bool_)
    while True:
        worst = _worst(groups, outcome, outcomes, kept)
        if worst is None:
            return np.flatnonzero(kept).tolist()
        grouping, code, frequent, surplus = worst
        members = kept[order] & (groups[grouping][order] == code) & (outcome[order] == frequent)
        kept[order[np.flatnonzero(members)[-surplus:]]] = False


def _worst(
    groups: Sequence[NDArray[np.int64]], outcome: NDArray[np.int64], outcomes: int, kept: NDArray[np.bool_]
) -> tuple[int, int, int, int] | None:
    """The most uneven large group: grouping, group, its most frequent outcome, and how many of that to drop.

    A group is uneven when an outcome is too frequent, or another one too rare: dropping from the most frequent one
    mends both.
    """
    worst: tuple[float, int, int, int, int] | None = None
    even = 1.0 / outcomes
    for number, group in enumerate(groups):
        size = int(group.max()) + 1
        counts = np.bincount(group[kept] * outcomes + outcome[kept], minlength=size * outcomes).reshape(size, outcomes)
        for code in np.flatnonzero(counts.sum(axis=1) >= LEAST_GROUP).tolist():
            of_group = counts[code].tolist()
            total, most, least = sum(int(count) for count in of_group), max(of_group), min(of_group)
            tolerance = _tolerance(total, even)
            off = max(most / total - even, even - least / total) - tolerance
            if off > 0.0 and most > least and (worst is None or off > worst[0]):
                frequent = len(of_group) - 1 - of_group[::-1].index(most)
                worst = off, number, code, frequent, _surplus(most, least, total, even, tolerance)
    return None if worst is None else worst[1:]


def _tolerance(members: int, even: float) -> float:
    """By how much a share may be off in a group of so many."""
    by_chance = math.sqrt(even * (1.0 - even) / members)
    return min(TOLERANCE, max(TOLERANCE_SHARE * even, TOLERANCE_CHANCE * by_chance))


def _surplus(frequent: int, rare: int, total: int, even: float, tolerance: float) -> int:
    """How many of the most frequent outcome must go until it, or else the rarest, is within the tolerance."""
    limit = even + tolerance
    if frequent > limit * total:
        # dropping d leaves (frequent - d) / (total - d)
        return min(frequent, int((frequent - limit * total) / (1.0 - limit)) + 1)
    # the rarest rises to rare / (total - d)
    return max(1, min(frequent - rare, math.ceil(total - rare / (even - tolerance))))
