"""Caps on what a blind reader could bet on (paper, B.6): the test split keeps to them in either preset."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .categories import NEAREST

Row = Mapping[str, Any]

MOST_ANSWER, MOST_UNCHANGED, MOST_TOWARD, MOST_YES_NO = 0.55, 0.55, 0.65, 0.55


def allowed(share: float, samples: int) -> int:
    """How many of so many samples a share allows; of few samples the larger half."""
    return max(math.floor(share * samples + 1e-9), math.ceil(samples / 2))


def cap(rows: Sequence[Row], ties: Sequence[int]) -> list[int]:
    """Drop what is over a cap, category by category, then yes or no over all; again, while the one undoes the other.

    Args:
        rows: chosen ones.
        ties: a row's place among equals; the last go first.

    Returns:
        positions of the rows that stay, ascending.
    """
    kept = list(range(len(rows)))
    categories = sorted({row["category"] for row in rows})
    while True:
        count = len(kept)
        for category in categories:
            kept = _within(kept, rows, ties, lambda k, name=category: rows[k]["category"] == name, _worst)  # type: ignore[misc]
        kept = _within(kept, rows, ties, lambda k: rows[k]["label"] in ("yes", "no"), _lopsided)
        if len(kept) == count:
            return kept


Judge = Callable[[Sequence[int], Sequence[Row]], Callable[[int], bool] | None]


def _within(
    kept: list[int], rows: Sequence[Row], ties: Sequence[int], concerns: Callable[[int], bool], judge: Judge
) -> list[int]:
    """Drop one after the other of what a judge finds too many of among the rows that it concerns."""
    kept = list(kept)
    while True:
        own = [k for k in kept if concerns(k)]
        surplus = judge(own, rows)
        if surplus is None:
            return kept
        kept.remove(max((k for k in own if surplus(k)), key=lambda k: (ties[k], k)))


def _worst(own: Sequence[int], rows: Sequence[Row]) -> Callable[[int], bool] | None:
    """What is over its cap by the most, as a test of rows; None where nothing is."""
    answers = Counter(rows[k]["label"] for k in own if _is_word(rows[k]))
    found: list[tuple[int, str, Callable[[int], bool]]] = []
    for label, count in sorted(answers.items()):
        over = count - allowed(MOST_ANSWER, len(own))
        found.append((over, f"answer {label}", lambda k, label=label: rows[k]["label"] == label))  # type: ignore[misc]
    unchanged = sum(1 for k in own if not rows[k]["flipped"])
    found.append((unchanged - allowed(MOST_UNCHANGED, len(own)), "unchanged", lambda k: not rows[k]["flipped"]))
    toward = sum(1 for k in own if rows[k]["toward"])
    found.append((toward - allowed(MOST_TOWARD, len(own)), "toward", lambda k: bool(rows[k]["toward"])))
    over, _, test = max(found, key=lambda each: each[:2])
    return test if over > 0 else None


def _lopsided(own: Sequence[int], rows: Sequence[Row]) -> Callable[[int], bool] | None:
    """The more frequent of yes and no, if it is too frequent."""
    counts = Counter(rows[k]["label"] for k in own)
    if not counts:
        return None
    label, count = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
    return (lambda k: rows[k]["label"] == label) if count > allowed(MOST_YES_NO, len(own)) else None


def _is_word(row: Row) -> bool:
    """Whether the answer is the same words in every item, not letters of objects."""
    return row["category"] not in NEAREST
