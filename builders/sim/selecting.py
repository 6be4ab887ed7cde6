"""The global select pass: one candidate a slot, so chosen that nothing a blind reader sees tells the answer.

Deterministic: depends on the candidates and the seed alone (cli.md, "Three passes"; sim.md, "What balanced promises").
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowbench.seeding import rank

from .evenness import choose
from .presets import Preset
from .rates import pick_by_rates
from .thinning import thin

Row = Mapping[str, Any]

VARIABLES = ("direction", "band", "relation", "threshold", "probe", "probe_band", "before")
"""What a blind reader sees of an item, or reads off the before picture."""
TYPES = ("mover_type", "landmark_type")
PAIRS = tuple(itertools.combinations(VARIABLES, 2))
GROUPS: tuple[tuple[str, ...], ...] = (
    (),
    *((name,) for name in (*VARIABLES, *TYPES)),
    *PAIRS,
    TYPES,
    *itertools.product(VARIABLES, TYPES),
    VARIABLES,
)
"""Within each value of each of these all outcomes are kept even: the answers, whatever the before-answer."""
THINNED: tuple[tuple[str, ...], ...] = ((), *((name,) for name in (*VARIABLES, *TYPES)), *PAIRS)
"""Of these no large group stays uneven, whatever it costs."""


@dataclass(frozen=True)
class Choice:
    """A selected candidate.

    Attributes:
        row: index into the candidate table.
        right_position: which letter, or set of letters, the right choices get.
    """

    row: int
    right_position: int


def select(
    rows: Sequence[Row], letters: Mapping[str, int], seed: int, preset: Preset
) -> tuple[list[Choice], Counter[str]]:
    """Choose at most one candidate a slot and settle the letters.

    Args:
        rows: the candidate table (:mod:`.candidates`) without payloads.
        letters: category -> number of letters, or of sets of letters, that the right choices can have.
        seed: release seed, breaks ties.
        preset: whether outcomes are kept even, or come at the paper's rates.

    Returns:
        choices in the table's order, and what was left out by reason.
    """
    dropped: Counter[str] = Counter()
    chosen: list[int] = []
    for category in sorted({row["category"] for row in rows}):
        slots = _slots(rows, category, seed)
        tie = _tie(rows, seed)
        if preset.rates is not None:
            chosen.extend(pick_by_rates(rows, slots, preset.rates[category], tie))
            continue
        picked = choose(rows, [sorted(slot, key=tie) for slot in slots], GROUPS)
        kept = thin([rows[index] for index in picked], THINNED, [tie(index) for index in picked])
        dropped[f"{category}: would unbalance"] += len(slots) - len(kept)
        chosen.extend(picked[position] for position in kept)
    positions = _even_letters(rows, chosen, letters, seed)
    return [Choice(index, positions[index]) for index in sorted(chosen)], +dropped


def _slots(rows: Sequence[Row], category: str, seed: int) -> list[list[int]]:
    """The candidates of each view for a category, views in a random order."""
    slots: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        if row["category"] == category:
            slots[row["scene"], row["view"]].append(index)
    return [slots[slot] for slot in sorted(slots, key=lambda slot: rank(seed, "slot", *slot))]


def _tie(rows: Sequence[Row], seed: int) -> Callable[[int], int]:
    """A row's place among equals."""

    def tie(index: int) -> int:
        row = rows[index]
        return rank(seed, "candidate", row["scene"], row["view"], row["category"], row["ordinal"])

    return tie


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
