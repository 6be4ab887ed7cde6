"""The global select pass: one candidate a slot, so chosen that nothing a blind reader sees tells the answer.

Deterministic: depends on the candidates and the seed alone (cli.md, "Three passes"; sim.md, "What balanced promises").
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowbench.seeding import rank

Row = Mapping[str, Any]

VARIABLES = ("direction", "band", "relation", "threshold")
"""What a blind reader sees of an item."""
GROUPS: tuple[tuple[str, ...], ...] = (
    (),
    *((name,) for name in VARIABLES),
    *itertools.combinations(VARIABLES, 2),
    VARIABLES,
    ("mover_type",),
)
"""Within each value of each of these both outcomes are kept even."""
OUTCOMES = ("answer", "cell")
"""What is kept even: the answer, and the cell, since a long motion must not mean a changed answer either."""
LEAST_GROUP = 100
TOLERANCE = 0.05
"""Groups of at least so many samples have every outcome within so much of its even share (quality.md)."""


@dataclass(frozen=True)
class Choice:
    """A selected candidate.

    Attributes:
        row: index into the candidate table.
        right_position: which letter, or set of letters, the right choices get.
    """

    row: int
    right_position: int


def select(rows: Sequence[Row], letters: Mapping[str, int], seed: int) -> tuple[list[Choice], Counter[str]]:
    """Choose at most one candidate a slot and settle the letters.

    Args:
        rows: the candidate table (:mod:`.candidates`) without payloads.
        letters: category -> number of letters, or of sets of letters, that the right choices can have.
        seed: release seed, breaks ties.

    Returns:
        choices in the table's order, and what was left out by reason.
    """
    dropped: Counter[str] = Counter()
    chosen: list[int] = []
    for category in sorted({row["category"] for row in rows}):
        indices = [index for index, row in enumerate(rows) if row["category"] == category]
        picked = _pick(rows, indices, seed)
        kept = _thin(rows, picked, seed)
        dropped[f"{category}: would unbalance"] += len(picked) - len(kept)
        chosen.extend(kept)
    positions = _even_letters(rows, chosen, letters, seed)
    return [Choice(index, positions[index]) for index in sorted(chosen)], +dropped


def _pick(rows: Sequence[Row], indices: Sequence[int], seed: int) -> list[int]:
    """Slot by slot in a random order: the candidate whose groups lack its outcomes most."""
    slots: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index in indices:
        slots[rows[index]["scene"], rows[index]["view"]].append(index)
    counts = _Counts([rows[index] for index in indices])
    picked = []
    for slot in sorted(slots, key=lambda slot: rank(seed, "slot", *slot)):
        best = min(slots[slot], key=lambda index: (counts.cost(rows[index]), _tie(rows[index], seed)))
        counts.add(rows[best])
        picked.append(best)
    return picked


class _Counts:
    """Running counts of outcomes within groups."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._values = {outcome: sorted({row[outcome] for row in rows}) for outcome in OUTCOMES}
        self._counts: Counter[tuple[object, ...]] = Counter()

    def cost(self, row: Row) -> int:
        """How far the row's outcomes are ahead of the rarest ones in all of its groups."""
        cost = 0
        for outcome, group in itertools.product(OUTCOMES, _groups(row)):
            rarest = min(self._counts[(outcome, value, *group)] for value in self._values[outcome])
            cost += self._counts[(outcome, row[outcome], *group)] - rarest
        return cost

    def add(self, row: Row) -> None:
        """Count a chosen row."""
        self._counts.update((outcome, row[outcome], *group) for outcome in OUTCOMES for group in _groups(row))


def _groups(row: Row) -> Iterator[tuple[object, ...]]:
    """The groups a row belongs to, each with its values."""
    for names in GROUPS:
        yield (names, *(row[name] for name in names))


def _tie(row: Row, seed: int) -> int:
    """A row's place among equals."""
    return rank(seed, "candidate", row["scene"], row["view"], row["category"], row["ordinal"])


def _thin(rows: Sequence[Row], picked: Sequence[int], seed: int) -> list[int]:
    """Drop samples of too frequent outcomes until every large group of at most two variables is even enough."""
    kept = sorted(picked, key=lambda index: _tie(rows[index], seed))
    values = {outcome: sorted({rows[index][outcome] for index in kept}) for outcome in OUTCOMES}
    while True:
        surplus = _worst_surplus(rows, kept, values)
        if surplus is None:
            return kept
        outcome, value, group, count = surplus
        members = [i for i in kept if rows[i][outcome] == value and group in _groups(rows[i])]
        gone = set(members[-count:])
        kept = [index for index in kept if index not in gone]


def _worst_surplus(
    rows: Sequence[Row], kept: Sequence[int], values: Mapping[str, Sequence[str]]
) -> tuple[str, str, tuple[object, ...], int] | None:
    """The most frequent outcome of the most uneven large group, and how many samples of it to drop.

    A group is uneven when an outcome is too frequent, or another one too rare: dropping from the most frequent one
    mends both.
    """
    counts: Counter[tuple[str, tuple[object, ...], str]] = Counter(
        (outcome, group, rows[i][outcome])
        for i in kept
        for outcome in OUTCOMES
        for group in _groups(rows[i])
        if len(group) <= 3  # the names and at most two values
    )
    worst: tuple[float, str, str, tuple[object, ...], int] | None = None
    for outcome, group in sorted({key[:2] for key in counts}, key=str):
        shares = Counter({value: counts[(outcome, group, value)] for value in values[outcome]})
        total = shares.total()
        even = 1.0 / len(shares)
        frequent = max(shares, key=lambda value: (shares[value], value))
        off = max(shares[frequent] / total - even, even - min(shares.values()) / total)
        if total < LEAST_GROUP or off <= TOLERANCE or shares[frequent] / total - even <= 0.0:
            continue
        if worst is None or off > worst[0]:
            worst = off, outcome, frequent, group, _to_drop(shares[frequent], min(shares.values()), total, even)
    return None if worst is None else worst[1:]


def _to_drop(frequent: int, rare: int, total: int, even: float) -> int:
    """How many of the most frequent outcome must go until it, or else the rarest, is within the tolerance."""
    limit = even + TOLERANCE
    if frequent > limit * total:
        # dropping d leaves (frequent - d) / (total - d)
        return min(frequent, int((frequent - limit * total) / (1.0 - limit)) + 1)
    # the rarest rises to rare / (total - d)
    return max(1, min(frequent - rare, math.ceil(total - rare / (even - TOLERANCE))))


def _even_letters(rows: Sequence[Row], chosen: Sequence[int], letters: Mapping[str, int], seed: int) -> dict[int, int]:
    """Letter positions of the right choice: even in each category and in each of its answers, in no visible order."""
    positions: dict[int, int] = {}
    turn: Counter[str] = Counter()

    def order(index: int) -> tuple[str, str, int]:
        row = rows[index]
        return row["category"], row["answer"], rank(seed, "letter", row["scene"], row["view"], row["category"])

    for index in sorted(chosen, key=order):
        category = rows[index]["category"]
        positions[index] = turn[category] % letters[category]
        turn[category] += 1
    return positions
