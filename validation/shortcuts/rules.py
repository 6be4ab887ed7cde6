"""Blind rules: tables from what a reader knows to the likeliest outcome, picks among objects, and classifiers.

Every rule that learns is fitted on some scenes and judged on the others, five times over, so that none profits from
chance.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from .blind import BlindItem
from .classifier import fact_hits, option_hits, text_hits
from .folds import FOLDS, folds, thinned
from .options import FIXED, FREQUENT, fixed_hits, frequent_hits
from .scores import Score

MAJORITY, BEFORE, POSITION = "majority answer", "table from the before-answer", "most frequent letter"
PLACE = "place among the counts"
CLASSIFIER, OPTION_CLASSIFIER, TEXT_CLASSIFIER = (
    "classifier on all of it",
    "classifier of the options",
    "classifier on the texts",
)
MOST_CLASSIFIED = 3000
"""Samples of a category that the classifiers learn from and are judged on; see :func:`.folds.thinned`."""

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
RULES = (*TABLES, POSITION, PLACE, *FIXED, FREQUENT, CLASSIFIER, OPTION_CLASSIFIER, TEXT_CLASSIFIER)


def blind_scores(items: Iterable[BlindItem], *, classify: bool = True) -> list[Score]:
    """Every rule in every category, each where it applies: picks where objects are listed, texts where there are any.

    Args:
        items: of any categories.
        classify: whether to fit the classifiers as well.
    """
    by_category: dict[str, list[BlindItem]] = defaultdict(list)
    for item in items:
        by_category[item.category].append(item)
    scores: list[Score] = []
    for category in sorted(by_category):
        scores.extend(_tables(category, by_category[category]))
        scores.extend(_picks(category, by_category[category]))
        if classify:
            scores.extend(_classifiers(category, by_category[category]))
    return scores


def _tables(category: str, items: Sequence[BlindItem]) -> Iterable[Score]:
    outcomes, fold = [item.outcome for item in items], folds(items)
    for rule, key in TABLES.items():
        yield _score(category, rule, items, table_hits([key(item) for item in items], outcomes, fold))
    letters = [item.letters for item in items]
    places = [item.place for item in items]
    if all(places) and len(set(zip(places, outcomes, strict=True))) > len(set(outcomes)):  # what is offered differs
        yield _score(category, PLACE, items, table_hits([()] * len(items), places, fold))
    if all(letters):
        yield _score(category, POSITION, items, table_hits([()] * len(items), letters, fold))


def _picks(category: str, items: Sequence[BlindItem]) -> Iterable[Score]:
    listing = [item.options for item in items if item.options is not None]
    if len(listing) == len(items):
        for rule, liking in FIXED.items():
            yield _score(category, rule, items, fixed_hits(listing, liking))
        yield _score(category, FREQUENT, items, frequent_hits(items, listing))


def _classifiers(category: str, items: Sequence[BlindItem]) -> Iterable[Score]:
    few = thinned(items, MOST_CLASSIFIED)
    fold = folds(few)
    yield _score(category, CLASSIFIER, few, fact_hits(few, fold))
    listing = [item.options for item in few if item.options is not None]
    if len(listing) == len(few):
        yield _score(category, OPTION_CLASSIFIER, few, option_hits(few, listing, fold))
    elif all(item.text for item in few):
        yield _score(category, TEXT_CLASSIFIER, few, text_hits(few, fold))


def _score(category: str, rule: str, items: Sequence[BlindItem], hits: int) -> Score:
    chance = math.fsum(item.chance for item in items) / len(items)
    return Score(category, rule, len(items), hits, chance)


def table_hits(keys: Sequence[tuple[str, ...]], outcomes: Sequence[str], fold: Sequence[int]) -> int:
    """How often the likeliest outcome of an item's key, learnt on other folds, is right."""
    seen: list[Counter[tuple[tuple[str, ...], str]]] = [Counter() for _ in range(FOLDS)]
    for (of_key, outcome, number), count in Counter(zip(keys, outcomes, fold, strict=True)).items():
        seen[number][of_key, outcome] += count
    hits = 0
    for number in range(FOLDS):
        others = _added(counts for other, counts in enumerate(seen) if other != number)
        best: dict[tuple[str, ...], str] = {}
        for (of_key, outcome), _ in sorted(others.items(), key=lambda pair: (pair[1], pair[0]), reverse=True):
            best.setdefault(of_key, outcome)
        fallback = _likeliest(others)
        hits += sum(count for (of_key, outcome), count in seen[number].items() if best.get(of_key, fallback) == outcome)
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
