"""Choosing one candidate a slot so that, within every group of rows, all outcomes are about equally frequent.

A group is what a blind reader could tell apart: a value of one variable, or of two together. Its spread is the sum over
the outcomes of (count - even share)^2; by chance alone that is members * (1 - 1 / outcomes). The group's unevenness is
what exceeds its leeway, a multiple of chance, divided by its members, as in Pearson's chi-square: a rare type of mover
whose answer is always yes tells as much as the lean of a large group. Small groups have leeway, for they must not be
evener than chance would have them, either: whoever knows all answers of such groups but one would know that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench._jit import kernel

Row = Mapping[str, Any]
Grouping = tuple[str, ...]

OUTCOME = "answer"
SMOOTHING = 4.0
"""Members that every group is imagined to have beside its own: groups of one or two tell little."""
LEEWAY = 2.0
"""Spread that costs nothing in a grouping into small groups, as a multiple of what chance makes."""
GENTLE = 0.05
"""Weight of all spread in a grouping into large groups, which have no leeway beyond chance."""
LARGE = 40.0
"""Mean members of a group from which on a grouping is one into large groups."""
WEIGHTS = (12.0, 4.0, 1.0)
"""Of groupings by no variable, by one, and by two or more: what can be told of all rows matters most."""
THINGS = 8.0
"""Of groupings by what the item is about alone, types of mover and landmark: sizes decide much of what can happen."""
WORTH = 1.0
"""Unevenness that a filled slot may cost: one that brings more stays empty."""
SWEEPS = 12
"""How often every slot's choice is thought over; it settles after about five."""


def codes(rows: Sequence[Row], names: Grouping) -> NDArray[np.int64]:
    """Each row's group by the values of some columns, numbered in order of the values' texts; (rows,)."""
    keys = [tuple(str(row[name]) for name in names) for row in rows]
    number = {key: code for code, key in enumerate(sorted(set(keys)))}
    return np.array([number[key] for key in keys], dtype=np.int64)


def choose(rows: Sequence[Row], slots: Sequence[Sequence[int]], groupings: Sequence[Grouping]) -> list[int]:
    """At most one row of every slot; slots whose every candidate would make groups too uneven stay empty.

    Slot by slot the row that adds the least unevenness is taken; then every slot's choice is thought over, given all
    the others, until nothing changes.

    Args:
        rows: candidates.
        slots: positions of the candidates of each slot, each in order of preference among equals.
        groupings: sets of columns whose values make groups.

    Returns:
        positions of the chosen rows, in the slots' order.
    """
    order = [index for slot in slots for index in slot]
    if not order:
        return []
    ends = np.cumsum([0, *(len(slot) for slot in slots)], dtype=np.int64)
    listed = [rows[index] for index in order]
    outcome = codes(listed, (OUTCOME,))
    groups, weights, large = _numbered(listed, groupings, len(slots))
    counts = np.zeros((int(groups.max()) + 1, int(outcome.max()) + 1), dtype=np.int64)
    picked = np.full(len(slots), -1, dtype=np.int64)
    _settle(ends, outcome, groups, weights, large, counts, picked, WORTH, SWEEPS)
    return [order[index] for index in picked.tolist() if index >= 0]


def _numbered(
    rows: Sequence[Row], groupings: Sequence[Grouping], slots: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """(rows, kept groupings) with all groups numbered through; the groupings' weights; which have large groups.

    A grouping that parts the rows just as one of fewer variables does is left out.
    """
    columns: dict[bytes, NDArray[np.int64]] = {}
    weights: list[float] = []
    large: list[bool] = []
    total = 0
    for names in sorted(groupings, key=len):
        _, first, group = np.unique(codes(rows, names), return_index=True, return_inverse=True)
        parting = first[group].tobytes()
        if parting not in columns:
            columns[parting] = group.astype(np.int64) + total
            of_things = names and all(name.endswith("_type") for name in names)
            weights.append(THINGS if of_things else WEIGHTS[min(len(names), len(WEIGHTS) - 1)])
            large.append(slots >= LARGE * len(first))
            total += len(first)
    return np.ascontiguousarray(np.stack(list(columns.values()), axis=1)), np.array(weights), np.array(large)


@kernel
def _unevenness(members: int, squares: int, kinds: int, large: bool) -> float:
    """Of a group with so many members, whose counts of ``kinds`` outcomes have such a sum of squares."""
    spread = squares - members * members / kinds
    by_chance = members * (1.0 - 1.0 / kinds)
    if large:
        return (max(0.0, spread - by_chance) + GENTLE * spread) / (members + SMOOTHING)
    return max(0.0, spread - LEEWAY * by_chance) / (members + SMOOTHING)


@kernel
def _settle(
    ends: NDArray[np.int64],
    outcome: NDArray[np.int64],
    groups: NDArray[np.int64],
    weights: NDArray[np.float64],
    large: NDArray[np.bool_],
    counts: NDArray[np.int64],
    picked: NDArray[np.int64],
    worth: float,
    sweeps: int,
) -> None:
    """Fill ``picked``: a row a slot, or -1; ``counts`` (groups, outcomes) starts at zero.

    A group's sum over the outcomes of (count - n / K)^2 is its sum of squares less n^2 / K; both are kept in step.
    """
    kinds = counts.shape[1]
    members = np.zeros(counts.shape[0], dtype=np.int64)
    squares = np.zeros(counts.shape[0], dtype=np.int64)
    for sweep in range(sweeps + 1):
        changed = 0
        for slot in range(len(picked)):
            former = picked[slot]
            if former >= 0:
                kind = outcome[former]
                for group in groups[former]:
                    counts[group, kind] -= 1
                    members[group] -= 1
                    squares[group] -= 2 * counts[group, kind] + 1
            best = -1
            least = worth if sweep > 0 else np.inf
            for row in range(ends[slot], ends[slot + 1]):
                kind = outcome[row]
                cost = 0.0
                for column in range(len(weights)):
                    group = groups[row, column]
                    n, q = members[group], squares[group]
                    more = q + 2 * counts[group, kind] + 1
                    added = _unevenness(n + 1, more, kinds, large[column]) - _unevenness(n, q, kinds, large[column])
                    cost += weights[column] * added
                if cost < least:
                    least = cost
                    best = row
            if best >= 0:
                kind = outcome[best]
                for group in groups[best]:
                    squares[group] += 2 * counts[group, kind] + 1
                    counts[group, kind] += 1
                    members[group] += 1
            changed += best != former
            picked[slot] = best
        if changed == 0:
            return
