"""The global select pass: one candidate a slot, so chosen that nothing a blind reader sees tells the answer.

Deterministic: depends on the candidates and the seed alone (cli.md, "Three passes"; sim.md, "What balanced promises").
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowbench.seeding import rank

Row = Mapping[str, Any]

VARIABLES = ("direction", "band", "relation", "threshold")
"""What a blind reader sees of an item."""
GROUPS: tuple[tuple[str, ...], ...] = (
    *((name,) for name in VARIABLES),
    *itertools.combinations(VARIABLES, 2),
    VARIABLES,
)
"""Within each value of each of these the answers are kept even."""
CELL_WEIGHT = 3
LEAST_GROUP = 100
TOLERANCE = 0.05
"""Groups of at least so many samples must have every answer within so much of its even share (quality.md)."""


@dataclass(frozen=True)
class Choice:
    """A selected candidate.

    Attributes:
        row: index into the candidate table.
        right_position: letter position of the right choice.
    """

    row: int
    right_position: int


def select(rows: Sequence[Row], letters: Mapping[str, int], seed: int) -> tuple[list[Choice], Counter[str]]:
    """Choose at most one candidate a slot and settle the letters.

    Args:
        rows: the candidate table (:mod:`.candidates`) without payloads.
        letters: category -> number of choices.
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
    """Slot by slot in a random order: the candidate whose groups lack its answer most."""
    slots: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index in indices:
        slots[rows[index]["scene"], rows[index]["view"]].append(index)
    counts = _Counts({rows[index]["answer"] for index in indices}, {rows[index]["cell"] for index in indices})
    picked = []
    for slot in sorted(slots, key=lambda slot: rank(seed, "slot", *slot)):
        best = min(slots[slot], key=lambda index: (counts.cost(rows[index]), _tie(rows[index], seed)))
        counts.add(rows[best])
        picked.append(best)
    return picked


class _Counts:
    """Running counts of answers within groups, and of cells."""

    def __init__(self, answers: set[str], cells: set[str]) -> None:
        self._answers = sorted(answers)
        self._cells = sorted(cells)
        self._groups: Counter[tuple[object, ...]] = Counter()
        self._by_cell: Counter[str] = Counter()

    def cost(self, row: Row) -> int:
        """How far the row's answer is ahead of the rarest in all of its groups, and its cell of the rarest cell."""
        ahead = sum(
            self._groups[(*key, row["answer"])] - min(self._groups[(*key, answer)] for answer in self._answers)
            for key in _keys(row)
        )
        cells = self._by_cell[row["cell"]] - min(self._by_cell[cell] for cell in self._cells)
        return ahead + CELL_WEIGHT * cells

    def add(self, row: Row) -> None:
        """Count a chosen row."""
        self._groups.update((*key, row["answer"]) for key in _keys(row))
        self._by_cell[row["cell"]] += 1


def _keys(row: Row) -> Iterator[tuple[object, ...]]:
    """The groups a row belongs to, each with its values."""
    for names in GROUPS:
        yield (names, *(row[name] for name in names))


def _tie(row: Row, seed: int) -> int:
    """A row's place among equals."""
    return rank(seed, "candidate", row["scene"], row["view"], row["category"], row["ordinal"])


def _thin(rows: Sequence[Row], picked: Sequence[int], seed: int) -> list[int]:
    """Drop samples of over-represented answers until every large group of one or two variables is even enough."""
    kept = sorted(picked, key=lambda index: _tie(rows[index], seed))
    answers = sorted({rows[index]["answer"] for index in kept})
    while True:
        surplus = _worst_surplus(rows, kept, answers)
        if surplus is None:
            return kept
        key, answer, count = surplus
        members = [i for i in kept if rows[i]["answer"] == answer and key in _keys(rows[i])]
        gone = set(members[-count:])
        kept = [index for index in kept if index not in gone]


def _worst_surplus(
    rows: Sequence[Row], kept: Sequence[int], answers: Sequence[str]
) -> tuple[tuple[object, ...], str, int] | None:
    """The large group with the answer farthest over its even share, and how many samples to drop there."""
    counts = Counter((key, rows[i]["answer"]) for i in kept for key in _keys(rows[i]) if len(key) <= 3)
    totals: Counter[tuple[object, ...]] = Counter()
    for (key, _), count in counts.items():
        totals[key] += count
    even = 1.0 / len(answers) if answers else 1.0
    worst = None
    for (key, answer), count in sorted(counts.items(), key=str):
        total = totals[key]
        over = count / total - even
        if total >= LEAST_GROUP and over > TOLERANCE and (worst is None or over > worst[0]):
            # dropping d leaves (count - d) / (total - d); solve for the edge of the tolerance
            limit = even + TOLERANCE
            drop = int((count - limit * total) / (1.0 - limit)) + 1
            worst = (over, key, answer, min(drop, count))
    return None if worst is None else worst[1:]


def _even_letters(rows: Sequence[Row], chosen: Sequence[int], letters: Mapping[str, int], seed: int) -> dict[int, int]:
    """Letter positions of the right choice: even within each category and answer, in no visible order."""
    positions: dict[int, int] = {}
    turn: Counter[tuple[str, str]] = Counter()
    for index in sorted(
        chosen, key=lambda i: rank(seed, "letter", rows[i]["scene"], rows[i]["view"], rows[i]["category"])
    ):
        row = rows[index]
        key = (row["category"], row["answer"])
        positions[index] = turn[key] % letters[row["category"]]
        turn[key] += 1
    return positions
