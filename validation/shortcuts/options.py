"""Blind rules where the choices are objects: they pick as many options as are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from .blind import BlindItem, Options
from .folds import FOLDS, folds

Liking = Callable[[Options, int], float]
"""How much an option is liked; the most liked ones are picked, the first of equals."""


def _nearest(options: Options, place: int) -> float:
    return -options.ranks[place]


def _longest(options: Options, place: int) -> float:
    return options.lengths[place]


FIXED: Mapping[str, Liking] = {"nearest before": _nearest, "longest option": _longest}
"""Rules that learn nothing."""
FREQUENT = "most frequent object"


def picked(options: Options, liking: Sequence[float]) -> frozenset[int]:
    """The positions of the most liked options, as many as are right."""
    order = sorted(range(len(liking)), key=lambda place: -liking[place])
    return frozenset(order[: len(options.right)])


def fixed_hits(listing: Sequence[Options], liking: Liking) -> int:
    """How often the options that a fixed rule likes are the right ones."""
    return sum(
        picked(each, [liking(each, place) for place in range(len(each.types))]) == each.right for each in listing
    )


def frequent_hits(items: Sequence[BlindItem], listing: Sequence[Options]) -> int:
    """How often the options of those types are right that were right the most often in other scenes.

    A type's worth is the share of its listings in which it was right, drawn towards the even share as if it had been
    listed twice more.
    """
    fold = folds(items)
    listed: list[Counter[str]] = [Counter() for _ in range(FOLDS)]
    right: list[Counter[str]] = [Counter() for _ in range(FOLDS)]
    for each, number in zip(listing, fold, strict=True):
        listed[number].update(each.types)
        right[number].update(each.types[place] for place in each.right)
    hits = 0
    for number in range(FOLDS):
        shown: Counter[str] = Counter()
        good: Counter[str] = Counter()
        for other in range(FOLDS):
            if other != number:
                shown.update(listed[other])
                good.update(right[other])
        even = good.total() / shown.total() if shown else 0.0
        for each, own in zip(listing, fold, strict=True):
            if own == number:
                worth = [(good[kind] + 2.0 * even) / (shown[kind] + 2.0) for kind in each.types]
                hits += picked(each, worth) == each.right
    return hits
