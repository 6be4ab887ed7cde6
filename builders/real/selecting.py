"""The global select pass: which questions are asked, one a pair to test on (paper, B.6; real.md).

Deterministic: depends on the candidates and the seed alone.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowbench.builders.sim.evenness import choose
from flowbench.builders.sim.thinning import thin
from flowbench.seeding import rank

from .answerer import Answerer
from .capping import cap
from .presets import Preset

Row = Mapping[str, Any]

VARIABLES = ("direction", "band", "relation", "threshold", "before")
"""What a blind reader sees of an item, or reads off the before picture."""
TYPES = ("mover_type", "landmark_type")
PAIRS = tuple(itertools.combinations(VARIABLES, 2))
GROUPS: tuple[tuple[str, ...], ...] = ((), *((name,) for name in (*VARIABLES, *TYPES)), *PAIRS, VARIABLES)
"""Within each value of each of these all outcomes are kept even."""
THINNED: tuple[tuple[str, ...], ...] = ((), *((name,) for name in VARIABLES), *PAIRS)
"""Of these no large group stays uneven, whatever it costs."""


@dataclass(frozen=True)
class Choice:
    """A selected candidate: its row in the table, and which letters the right choices get."""

    row: int
    right_position: int


def select(
    rows: Sequence[Row], seed: int, preset: Preset, testing: bool, answerer: Answerer
) -> tuple[list[Choice], Counter[str]]:
    """Choose questions and settle their letters.

    Args:
        rows: the candidate table without payloads.
        seed: release seed, breaks ties.
        preset: whether outcomes are kept even.
        testing: one question a pair, wide margins, caps; else one a pair and category.
        answerer: what it answers from the text alone is chosen last, to test on.

    Returns:
        choices in the table's order, and what was left out by reason.
    """
    dropped: Counter[str] = Counter()
    usable = [k for k, row in enumerate(rows) if row["clear"] or not testing]
    dropped["margin: too thin to test on"] += len(rows) - len(usable)
    known = [False] * len(rows)
    if testing:
        for k, right in zip(usable, answerer.answered([rows[k] for k in usable]), strict=True):
            known[k] = right
    ties = [_tie(row, seed) + (known[k] << 64) for k, row in enumerate(rows)]
    if testing:
        chosen = _one_a_pair(rows, usable, ties, preset, seed)
        kept = cap([rows[k] for k in chosen], [ties[k] for k in chosen])
        dropped["over a cap"] += len(chosen) - len(kept)
        chosen = [chosen[position] for position in kept]
    else:
        chosen = []
        for category in sorted({rows[k]["category"] for k in usable}):
            own = [k for k in usable if rows[k]["category"] == category]
            chosen += _of_category(rows, _slots(rows, own, ties), ties, preset)
    dropped["another question of the pair was chosen"] += len(usable) - len(chosen)
    positions = _even_letters(rows, chosen, seed)
    return [Choice(k, positions[k]) for k in sorted(chosen)], +dropped


def _tie(row: Row, seed: int) -> int:
    """A row's place among equals."""
    return rank(seed, "real", row["scene"], row["category"], row["ordinal"])


def _one_a_pair(
    rows: Sequence[Row], usable: Sequence[int], ties: Sequence[int], preset: Preset, seed: int
) -> list[int]:
    """At most one question of each pair, categories as even as can be: the rarest takes its share first."""
    by_category: dict[str, list[int]] = defaultdict(list)
    for k in usable:
        by_category[rows[k]["category"]].append(k)
    pairs = {rows[k]["scene"] for k in usable}
    order = sorted(by_category, key=lambda name: (len({rows[k]["scene"] for k in by_category[name]}), name))
    chosen: list[int] = []
    for place, category in enumerate(order):
        used = {rows[k]["scene"] for k in chosen}
        own = [k for k in by_category[category] if rows[k]["scene"] not in used]
        quota = -(-(len(pairs) - len(used)) // (len(order) - place))
        slots = sorted(
            _slots(rows, own, ties), key=lambda slot: (ties[slot[0]] >> 64, rank(seed, "slot", *_pair(rows, slot)))
        )
        chosen += _of_category(rows, slots[:quota], ties, preset)
    return chosen


def _pair(rows: Sequence[Row], slot: Sequence[int]) -> tuple[int, str]:
    row = rows[slot[0]]
    return int(row["scene"]), str(row["category"])


def _of_category(rows: Sequence[Row], slots: Sequence[Sequence[int]], ties: Sequence[int], preset: Preset) -> list[int]:
    """At most one row of each slot: kept even within all a blind reader sees, or by their answers alone."""
    if not preset.independent:
        return _evenly_answered(rows, slots, ties)
    picked = choose(rows, slots, GROUPS)
    kept = thin([rows[k] for k in picked], THINNED, [ties[k] for k in picked])
    return [picked[position] for position in kept]


def _evenly_answered(rows: Sequence[Row], slots: Sequence[Sequence[int]], ties: Sequence[int]) -> list[int]:
    """One row of each slot: of those that the text does not tell the one whose answer is the rarest so far."""
    seen: Counter[str] = Counter()
    chosen = []
    for slot in slots:
        best = min(slot, key=lambda k: (ties[k] >> 64, seen[rows[k]["label"]], ties[k]))
        seen[rows[best]["label"]] += 1
        chosen.append(best)
    return chosen


def _slots(rows: Sequence[Row], own: Sequence[int], ties: Sequence[int]) -> list[list[int]]:
    """Rows of one category by pair, each in order of preference, pairs in a random order."""
    slots: dict[int, list[int]] = defaultdict(list)
    for k in own:
        slots[rows[k]["scene"]].append(k)
    found = [sorted(slot, key=lambda k: ties[k]) for slot in slots.values()]
    return sorted(found, key=lambda slot: ties[slot[0]])


def _even_letters(rows: Sequence[Row], chosen: Sequence[int], seed: int) -> dict[int, int]:
    """Letter positions of the right choices: even in each category and answer, and over all.

    All categories with as many letterings take their turns from one shuffled round, so that a split with a question or
    two of each does not begin every one of them with A.
    """
    positions: dict[int, int] = {}
    rounds: dict[int, Iterator[int]] = {}

    def order(k: int) -> tuple[str, str, int]:
        row = rows[k]
        return row["category"], row["answer"], rank(seed, "letter", row["scene"], row["category"], row["ordinal"])

    for k in sorted(chosen, key=order):
        count = rows[k]["letterings"]
        if count not in rounds:
            rounds[count] = itertools.cycle(sorted(range(count), key=lambda each: rank(seed, "round", count, each)))
        positions[k] = next(rounds[count])
    return positions
