"""Shares that B.6 caps in the test split, and what else a blind reader could bet on, over a config's index."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

MOST_ANSWER, MOST_STILL, MOST_TOWARD, MOST_YES_NO = 0.55, 0.55, 0.65, 0.55
LISTING: Final = ("closer_to", "closest_three")
_SIDES: Final = {"left": -1.0, "right": 1.0}


@dataclass(frozen=True)
class Capped:
    """A share that may not be too large.

    Attributes:
        category: of the questions; "all" where it is over several.
        name: what is counted.
        count, samples: how many of how many.
        most: the greatest share.
    """

    category: str
    name: str
    count: int
    samples: int
    most: float

    @property
    def allowed(self) -> int:
        """The greatest count: that of the share, or the larger half, since few samples cannot be divided finer."""
        return max(math.floor(self.most * self.samples + 1e-9), math.ceil(self.samples / 2))

    @property
    def met(self) -> bool:
        """Whether the count is allowed."""
        return self.count <= self.allowed


def capped_shares(index: pl.DataFrame) -> Iterator[Capped]:
    """Every capped share, category by category; then yes and no over all categories.

    Args:
        index: of a config.
    """
    rows = index.select("category", "choices", "answer", "flipped", "relation", "motion").sort("category")
    everything: Counter[str] = Counter()
    for (category,), own in rows.group_by("category", maintain_order=True):
        name, listed = str(category), own.to_dicts()
        answers = Counter(answer_of(row) for row in listed)
        if name not in LISTING:  # letters of listed objects are held to be even instead
            common, count = max(answers.items(), key=lambda pair: (pair[1], pair[0]))
            yield Capped(name, f"answered {common}", count, len(listed), MOST_ANSWER)
        yield Capped(name, "unchanged by the move", sum(not row["flipped"] for row in listed), len(listed), MOST_STILL)
        if name == "left_right":
            toward = sum(goes_its_way(row) for row in listed)
            yield Capped(name, "ends on the side it moved toward", toward, len(listed), MOST_TOWARD)
        everything.update({word: answers[word] for word in ("yes", "no")})
    total = everything["yes"] + everything["no"]
    if total:
        word, count = max(everything.items(), key=lambda pair: (pair[1], pair[0]))
        yield Capped("all", f"answered {word} of yes and no", count, total, MOST_YES_NO)


def answer_of(row: Mapping[str, Any]) -> str:
    """The answer in words where it is words or a count, else its letters."""
    place = ord(row["answer"][:1] or "?") - ord("A")
    if row["category"] in LISTING or not 0 <= place < len(row["choices"]):
        return str(row["answer"])
    return str(row["choices"][place])


def goes_its_way(row: Mapping[str, Any]) -> bool:
    """Whether the mover of a left-right question ends on the side toward which it is said to move.

    A move that states no sideways component goes no way.
    """
    asked, moved = _SIDES.get(row["relation"] or "", 0.0), float(row["motion"]["right"])
    ends = asked if answer_of(row) == "yes" else -asked
    return ends * moved > 0.0


def negated(index: pl.DataFrame) -> Mapping[str, tuple[int, int]]:
    """Category -> of how many two-way questions the answer is the other one than before, and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    two = index.filter(pl.col("choices").list.len() == 2)
    for (category,), own in two.sort("category").group_by("category", maintain_order=True):
        found[str(category)] = int(own["flipped"].fill_null(False).sum()), own.height
    return found


def pairs_twice(index: pl.DataFrame) -> Sequence[tuple[str, int]]:
    """Image pairs with more than one question, and how many they have."""
    counts = index.group_by("view_id").len("count").filter(pl.col("count") > 1).sort("view_id")
    return [(str(pair), int(count)) for pair, count in counts.iter_rows()]
