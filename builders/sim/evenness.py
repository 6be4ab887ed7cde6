"""Choosing one candidate a slot so that, within every group of rows, all outcomes are about equally frequent.

A group is what a blind reader could tell apart: a value of one variable, or of two together. Its spread is the sum over
the outcomes of (count - even share)^2; by chance alone that is members * (1 - 1 / outcomes). The group's unevenness is
what exceeds its leeway, a multiple of chance, divided by its members, as in Pearson's chi-square: a rare type of mover
whose answer is always yes tells as much as the lean of a large group. Small groups have leeway, for they must not be
evener than chance would have them, either: whoever knows all answers of such groups but one would know that one.
Groups by types alone have less: sizes decide much of what can happen, also among two chairs and a mug.

Where objects are the choices, those of a type must be right as often as choices are on average: beds lie near things,
paintings do not, and whoever reads the list would know.
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
OPTIONS, WINNERS = "options", "winners"
"""Columns of rows whose choices are objects: the choices' types, and the positions of the right ones."""
SMOOTHING = 4.0
"""Members that every group is imagined to have beside its own: groups of one or two tell little."""
LEEWAY = 2.0
"""Spread that costs nothing in a grouping into small groups, as a multiple of what chance makes."""
OF_THINGS = 1.5
"""The same of groups by types alone."""
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
    groups, weights, leeway, gentle = _numbered(listed, groupings, len(slots))
    counts = np.zeros((int(groups.max()) + 1, int(outcome.max()) + 1), dtype=np.int64)
    picked = np.full(len(slots), -1, dtype=np.int64)
    options, right = _options(listed)
    _settle(ends, outcome, groups, weights, leeway, gentle, options, right, counts, picked, WORTH, SWEEPS)
    return [order[index] for index in picked.tolist() if index >= 0]


def _numbered(
    rows: Sequence[Row], groupings: Sequence[Grouping], slots: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """(rows, kept groupings) with all groups numbered through; each grouping's weight, leeway and gentle weight.

    A grouping that parts the rows just as one of fewer variables does is left out.
    """
    columns: dict[bytes, NDArray[np.int64]] = {}
    weights: list[float] = []
    leeways: list[float] = []
    gentle: list[float] = []
    total = 0
    for names in sorted(groupings, key=len):
        _, first, group = np.unique(codes(rows, names), return_index=True, return_inverse=True)
        parting = first[group].tobytes()
        if parting not in columns:
            columns[parting] = group.astype(np.int64) + total
            of_things = bool(names) and all(name.endswith("_type") for name in names)
            weights.append(THINGS if of_things else WEIGHTS[min(len(names), len(WEIGHTS) - 1)])
            large = slots >= LARGE * len(first)
            leeways.append(1.0 if large else OF_THINGS if of_things else LEEWAY)
            gentle.append(GENTLE if large else 0.0)
            total += len(first)
    numbered = np.ascontiguousarray(np.stack(list(columns.values()), axis=1))
    return numbered, np.array(weights), np.array(leeways), np.array(gentle)


def _options(rows: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(rows, choices) the number of each choice's type, and whether it is right; none where choices are no objects."""
    types = [tuple(row.get(OPTIONS) or ()) for row in rows]
    number = {name: code for code, name in enumerate(sorted({name for each in types for name in each}))}
    kinds = np.array([[number[name] for name in each] for each in types], dtype=np.int64).reshape(len(rows), -1)
    right = np.zeros(kinds.shape, dtype=np.bool_)
    for position, row in enumerate(rows):
        for winner in row.get(WINNERS) or ():
            right[position, winner] = True
    return kinds, right


@kernel
def _partiality(listed: int, won: int, share: float) -> float:
    """Of a type that was listed so often and right so often, where choices are right with such a share on average."""
    off = won - share * listed
    spread = 2.0 * off * off
    by_chance = 2.0 * listed * share * (1.0 - share)
    return (max(0.0, spread - by_chance) + GENTLE * spread) / (listed + SMOOTHING)


@kernel
def _listing(
    kinds: NDArray[np.int64],
    right: NDArray[np.bool_],
    share: float,
    step: int,
    listed: NDArray[np.int64],
    won: NDArray[np.int64],
) -> float:
    """Count a row's choices in (``step`` 1) or out (-1); by how much that changes the partiality of their types."""
    change = 0.0
    for choice in range(len(kinds)):
        kind = kinds[choice]
        change -= _partiality(listed[kind], won[kind], share)
        listed[kind] += step
        won[kind] += step * right[choice]
        change += _partiality(listed[kind], won[kind], share)
    return change


@kernel
def _unevenness(members: int, squares: int, kinds: int, leeway: float, gentle: float) -> float:
    """Of a group with so many members, whose counts of ``kinds`` outcomes have such a sum of squares."""
    spread = squares - members * members / kinds
    by_chance = members * (1.0 - 1.0 / kinds)
    return (max(0.0, spread - leeway * by_chance) + gentle * spread) / (members + SMOOTHING)


@kernel
def _settle(
    ends: NDArray[np.int64],
    outcome: NDArray[np.int64],
    groups: NDArray[np.int64],
    weights: NDArray[np.float64],
    leeway: NDArray[np.float64],
    gentle: NDArray[np.float64],
    options: NDArray[np.int64],
    right: NDArray[np.bool_],
    counts: NDArray[np.int64],
    picked: NDArray[np.int64],
    worth: float,
    sweeps: int,
) -> None:
    """Fill ``picked``: a row a slot, or -1; ``counts`` (groups, outcomes) starts at zero.

    ``options`` and ``right`` are those of :func:`_options`. A group's sum over the outcomes of (count - n / K)^2 is its
    sum of squares less n^2 / K; both are kept in step.
    """
    kinds = counts.shape[1]
    members = np.zeros(counts.shape[0], dtype=np.int64)
    squares = np.zeros(counts.shape[0], dtype=np.int64)
    listed = np.zeros(options.max() + 1 if options.size else 1, dtype=np.int64)
    won = np.zeros_like(listed)
    share = right.sum() / right.size if right.size else 0.0
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
                _listing(options[former], right[former], share, -1, listed, won)
            best = -1
            least = worth if sweep > 0 else np.inf
            for row in range(ends[slot], ends[slot + 1]):
                kind = outcome[row]
                cost = THINGS * _listing(options[row], right[row], share, 1, listed, won)
                _listing(options[row], right[row], share, -1, listed, won)
                for column in range(len(weights)):
                    group = groups[row, column]
                    n, q = members[group], squares[group]
                    more = q + 2 * counts[group, kind] + 1
                    added = _unevenness(n + 1, more, kinds, leeway[column], gentle[column])
                    added -= _unevenness(n, q, kinds, leeway[column], gentle[column])
                    cost += weights[column] * added
                if cost < least:
                    least = cost
                    best = row
            if best >= 0:
                kind = outcome[best]
                _listing(options[best], right[best], share, 1, listed, won)
                for group in groups[best]:
                    squares[group] += 2 * counts[group, kind] + 1
                    counts[group, kind] += 1
                    members[group] += 1
            changed += best != former
            picked[slot] = best
        if changed == 0:
            return
