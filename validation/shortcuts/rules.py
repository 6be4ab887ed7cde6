"""Blind rules: tables from what a reader knows to the likeliest outcome, and a classifier over all of it.

Every rule is fitted on some scenes and judged on the others, five times over, so that none profits from chance.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .blind import BlindItem

FOLDS = 5
ALLOWED = 0.03
"""By how much a rule's lower 95% bound may exceed chance (quality.md, 5)."""
Z = 1.959964
MAJORITY, BEFORE, CLASSIFIER = "majority answer", "table from the before-answer", "classifier on all of it"

Key = Callable[[BlindItem], tuple[str, ...]]


def _facts(*names: str) -> Key:
    return lambda item: tuple(item.facts[name] for name in names)


TABLES: Mapping[str, Key] = {
    MAJORITY: lambda item: (),
    BEFORE: lambda item: (item.before,),
    "ends where it moved": _facts("direction", "relation"),
    "length of the motion": _facts("band"),
    "length and before-answer": lambda item: (item.facts["band"], item.before),
    "distance or probe asked about": _facts("threshold", "probe"),
    "type of the mover": _facts("mover"),
    "types of mover and landmark": _facts("mover", "landmark"),
}
"""Name -> what of an item the table looks at."""
RULES = (*TABLES, CLASSIFIER)


@dataclass(frozen=True)
class Score:
    """A rule's result in one category.

    Attributes:
        category, rule: which.
        samples: how many were guessed.
        accuracy: share guessed right.
        low, high: its 95% interval (Wilson).
        chance: what guessing evenly gives.
    """

    category: str
    rule: str
    samples: int
    accuracy: float
    low: float
    high: float
    chance: float

    @property
    def pays(self) -> bool:
        """Whether the rule is certainly better than chance by more than is allowed."""
        return self.low > self.chance + ALLOWED


def blind_scores(items: Sequence[BlindItem], *, classify: bool = True) -> list[Score]:
    """Every rule in every category; the classifier needs scikit-learn and is left out with ``classify=False``."""
    by_category: dict[str, list[BlindItem]] = defaultdict(list)
    for item in items:
        by_category[item.category].append(item)
    scores = []
    for category in sorted(by_category):
        own = by_category[category]
        for rule, key in TABLES.items():
            scores.append(_score(category, rule, own, _table_hits(own, key)))
        if classify:
            from .classifier import classifier_hits

            scores.append(_score(category, CLASSIFIER, own, classifier_hits(own, folds(own))))
    return scores


def folds(items: Sequence[BlindItem]) -> list[int]:
    """Each item's fold: all of a scene in one, scenes in turn by name."""
    number = {scene: index % FOLDS for index, scene in enumerate(sorted({item.scene for item in items}))}
    return [number[item.scene] for item in items]


def wilson(hits: int, samples: int) -> tuple[float, float]:
    """95% interval of a share (E. B. Wilson, 1927); (0, 1) of nothing."""
    if samples == 0:
        return 0.0, 1.0
    share, zz = hits / samples, Z * Z / samples
    middle = (share + zz / 2.0) / (1.0 + zz)
    half = math.sqrt(share * (1.0 - share) * zz + zz * zz / 4.0) / (1.0 + zz)
    return middle - half, middle + half


def _score(category: str, rule: str, items: Sequence[BlindItem], hits: int) -> Score:
    low, high = wilson(hits, len(items))
    chance = math.fsum(item.chance for item in items) / len(items)
    return Score(category, rule, len(items), hits / len(items), low, high, chance)


def _table_hits(items: Sequence[BlindItem], key: Key) -> int:
    """How often the likeliest outcome of an item's key, learnt on other folds, is right."""
    fold = folds(items)
    total: Counter[tuple[str, ...]] = Counter()
    seen: dict[int, Counter[tuple[tuple[str, ...], str]]] = {number: Counter() for number in range(FOLDS)}
    for item, number in zip(items, fold, strict=True):
        seen[number][key(item), item.outcome] += 1
        total[key(item)] += 1
    hits = 0
    for number in range(FOLDS):
        others = _added(counts for other, counts in seen.items() if other != number)
        best: dict[tuple[str, ...], str] = {}
        for (of_key, outcome), _ in sorted(others.items(), key=lambda pair: (pair[1], pair[0]), reverse=True):
            best.setdefault(of_key, outcome)
        fallback = _likeliest(others)
        for item, own in zip(items, fold, strict=True):
            hits += own == number and best.get(key(item), fallback) == item.outcome
    return hits


def _added(counters: Iterable[Counter[tuple[tuple[str, ...], str]]]) -> Counter[tuple[tuple[str, ...], str]]:
    result: Counter[tuple[tuple[str, ...], str]] = Counter()
    for counter in counters:
        result.update(counter)
    return result


def _likeliest(counts: Counter[tuple[tuple[str, ...], str]]) -> str | None:
    """The most frequent outcome of all keys."""
    outcomes: Counter[str] = Counter()
    for (_, outcome), count in counts.items():
        outcomes[outcome] += count
    return max(sorted(outcomes), key=lambda outcome: outcomes[outcome], default=None)
