"""Choosing one candidate a slot so that, within every group of rows, all outcomes are about equally frequent.

A group is what a blind reader could tell apart: a value of one variable, or of two together. Its unevenness is the
sum over the outcomes of (count - even share)^2 / (members + SMOOTHING), near to what Pearson's chi-square measures:
a rare type of mover whose answer is always yes tells as much as a lean of a large group.
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
    groups = np.empty((len(order), len(groupings)), dtype=np.int64)
    total = 0
    for column, names in enumerate(groupings):
        of_rows = codes(listed, names)
        groups[:, column] = of_rows + total
        total += int(of_rows.max()) + 1
    counts = np.zeros((total, int(outcome.max()) + 1), dtype=np.int64)
    picked = np.full(len(slots), -1, dtype=np.int64)
    _settle(ends, outcome, groups, counts, picked, WORTH, SMOOTHING, SWEEPS)
    return [order[index] for index in picked.tolist() if index >= 0]


@kernel
def _settle(
    ends: NDArray[np.int64],
    outcome: NDArray[np.int64],
    groups: NDArray[np.int64],
    counts: NDArray[np.int64],
    picked: NDArray[np.int64],
    worth: float,
    smoothing: float,
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
                for group in groups[row]:
                    n, q = members[group], squares[group]
                    more = q + 2 * counts[group, kind] + 1
                    cost += (more - (n + 1) * (n + 1) / kinds) / (n + 1 + smoothing)
                    cost -= (q - n * n / kinds) / (n + smoothing)
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
