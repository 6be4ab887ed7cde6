"""Who answers from the text alone: what such a reader gets right is chosen last for the test split (paper, B.6)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, final

from flowbench.seeding import rank

from .categories import NEAREST

Row = Mapping[str, Any]
FOLDS = 5


class Answerer(Protocol):
    """Anything that answers questions without the pictures, e.g. a language model."""

    def answered(self, rows: Sequence[Row]) -> list[bool]:
        """Of each row, whether it is answered correctly in the original and in the reversed order of the choices."""


@final
class CountingAnswerer:
    """Naive Bayes over the words of the text, in exact fractions, never trained on the scene that it answers.

    It has learnt nothing of letters, so both orders of the choices give the same; where choices are objects, whose
    marks are drawn at random, it can only guess, and counts as wrong.
    """

    def __init__(self, seed: int) -> None:
        """``seed`` parts the scenes into folds."""
        self._seed = seed

    def answered(self, rows: Sequence[Row]) -> list[bool]:
        """See the protocol."""
        right = [False] * len(rows)
        folds = [rank(self._seed, "fold", row["scene"]) % FOLDS for row in rows]
        for category in sorted({row["category"] for row in rows}.difference(NEAREST)):
            own = [k for k, row in enumerate(rows) if row["category"] == category]
            for fold in range(FOLDS):
                table = _Table([rows[k] for k in own if folds[k] != fold])
                for k in own:
                    if folds[k] == fold:
                        right[k] = table.guess(rows[k]["words"]) == rows[k]["label"]
        return right


class _Table:
    """Counts of labels, and of words with them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._labels = Counter(str(row["label"]) for row in rows)
        self._words: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows:
            self._words[str(row["label"])].update(set(row["words"]))

    def guess(self, words: Sequence[str]) -> str | None:
        """The most probable label; None where nothing was seen."""
        scores = {label: self._score(label, words) for label in sorted(self._labels)}
        return max(scores, key=lambda label: (scores[label], label)) if scores else None

    def _score(self, label: str, words: Sequence[str]) -> Fraction:
        seen = self._labels[label]
        score = Fraction(seen)
        for word in words:
            score *= Fraction(self._words[label][word] + 1, seen + 2)
        return score
