"""Keeping outcomes even within groups of rows: running counts to choose by, and thinning of what stays uneven."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

Row = Mapping[str, Any]
Grouping = tuple[str, ...]

OUTCOME = "answer"
LEAST_GROUP = 100
TOLERANCE = 0.05
"""Groups of at least so many samples have every outcome within so much of its even share (quality.md, "Balance")."""
MOST_VARIABLES = 2
"""Thinned are groups of at most so many variables: single values and pairs (quality.md)."""


def _codes(rows: Sequence[Row], names: Grouping) -> NDArray[np.int64]:
    """Each row's group by the values of some columns, numbered in order of the values' texts."""
    keys = [tuple(str(row[name]) for name in names) for row in rows]
    number = {key: code for code, key in enumerate(sorted(set(keys)))}
    return np.array([number[key] for key in keys], dtype=np.int64)


@final
class Groups:
    """Running counts of outcomes within the groups that rows belong to."""

    def __init__(self, rows: Sequence[Row], groupings: Sequence[Grouping]) -> None:
        """Count nothing yet; rows are known by their positions."""
        self._outcome = _codes(rows, (OUTCOME,)).tolist()
        count = max(self._outcome, default=-1) + 1
        codes = [_codes(rows, names).tolist() for names in groupings]
        self._counts = [[[0] * count for _ in range(max(of, default=-1) + 1)] for of in codes]
        self._groups = [list(of_row) for of_row in zip(*codes, strict=True)]

    def cost(self, row: int) -> int:
        """How far the row's outcome is ahead of the rarest one in all of its groups."""
        outcome = self._outcome[row]
        groups = (counts[code] for counts, code in zip(self._counts, self._groups[row], strict=True))
        return sum(int(group[outcome] - min(group)) for group in groups)

    def add(self, row: int) -> None:
        """Count a chosen row."""
        for counts, code in zip(self._counts, self._groups[row], strict=True):
            counts[code][self._outcome[row]] += 1


def thin(rows: Sequence[Row], groupings: Sequence[Grouping], ties: Sequence[int]) -> list[int]:
    """Drop rows of too frequent outcomes until every large group of at most two variables is even enough.

    Args:
        rows: what was picked.
        groupings: sets of columns; those of more than two are passed over.
        ties: a row's place among equals; the last go first.

    Returns:
        positions of the rows that stay, ascending.
    """
    if not rows:
        return []
    outcome = _codes(rows, (OUTCOME,))
    outcomes = int(outcome.max()) + 1
    groups = [_codes(rows, names) for names in groupings if len(names) <= MOST_VARIABLES]
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
    for number, codes in enumerate(groups):
        size = int(codes.max()) + 1
        counts = np.bincount(codes[kept] * outcomes + outcome[kept], minlength=size * outcomes).reshape(size, outcomes)
        for code in np.flatnonzero(counts.sum(axis=1) >= LEAST_GROUP).tolist():
            of_group = counts[code].tolist()
            total, most, least = sum(int(count) for count in of_group), max(of_group), min(of_group)
            off = max(most / total - even, even - least / total)
            if off > TOLERANCE and most > least and (worst is None or off > worst[0]):
                frequent = len(of_group) - 1 - of_group[::-1].index(most)
                worst = off, number, code, frequent, _surplus(most, least, total, even)
    return None if worst is None else worst[1:]


def _surplus(frequent: int, rare: int, total: int, even: float) -> int:
    """How many of the most frequent outcome must go until it, or else the rarest, is within the tolerance."""
    limit = even + TOLERANCE
    if frequent > limit * total:
        # dropping d leaves (frequent - d) / (total - d)
        return min(frequent, int((frequent - limit * total) / (1.0 - limit)) + 1)
    # the rarest rises to rare / (total - d)
    return max(1, min(frequent - rare, math.ceil(total - rare / (even - TOLERANCE))))
