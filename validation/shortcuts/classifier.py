"""Linear classifiers that see no picture: over facts, over texts, and over options where these are objects.

scikit-learn takes a second to import; functions import it when they are called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blind import BlindItem, Options
from .options import picked

STRENGTH = 0.1
"""Inverse regularisation: with thousands of indicators for thousands of samples, more would learn by heart."""
WORDS = r"[a-z]+|\d+(?:\.\d+)?"


def fact_hits(items: Sequence[BlindItem], folds: Sequence[int]) -> int:
    """How many outcomes a classifier gets right that learnt on the other folds.

    It sees every fact, the before-answer, and every pair of them, as indicator variables.
    """
    return _outcome_hits(_indicators([_features(item) for item in items]), items, folds)


def text_hits(items: Sequence[BlindItem], folds: Sequence[int]) -> int:
    """The same of one that sees which words and pairs of words, numbers included, motion and question hold."""
    from sklearn.feature_extraction.text import CountVectorizer

    words = CountVectorizer(token_pattern=WORDS, ngram_range=(1, 2), binary=True, dtype=np.float64)
    return _outcome_hits(words.fit_transform([item.text for item in items]), items, folds)


def option_hits(items: Sequence[BlindItem], listing: Sequence[Options], folds: Sequence[int]) -> int:
    """How often the options that a classifier of single options likes best are just the right ones.

    It sees an option's type, rank before the motion, position and length, each also together with the motion.
    """
    rows = [row for item, each in zip(items, listing, strict=True) for row in _option_features(item, each)]
    table = _indicators(rows)
    right = np.array([place in each.right for each in listing for place in range(len(each.types))])
    ends = np.cumsum([0, *(len(each.types) for each in listing)])
    owner = np.repeat(np.arange(len(listing)), np.diff(ends))
    hits = 0
    for learn, judge in _turns(np.array(folds)):
        known = np.isin(owner, learn)
        model = _fitted(table[known], right[known])
        if model is not None:
            liking = model.decision_function(table)
            for index in judge:
                own = liking[ends[index] : ends[index + 1]]
                hits += picked(listing[index], own.tolist()) == listing[index].right
    return hits


def _outcome_hits(table: Any, items: Sequence[BlindItem], folds: Sequence[int]) -> int:
    """``table``: (items, features) sparse. Which features there are is taken from all items, their worth from some."""
    outcomes = np.array([item.outcome for item in items])
    hits = 0
    for learn, judge in _turns(np.array(folds)):
        model = _fitted(table[learn], outcomes[learn])
        if model is not None:
            hits += int((model.predict(table[judge]) == outcomes[judge]).sum())
    return hits


def _turns(fold: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Positions to learn from and to judge, a pair a fold; nothing where all are of one fold."""
    for number in np.unique(fold):
        learn, judge = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        if learn.size:
            yield learn, judge


def _fitted(known: Any, outcomes: NDArray[Any]) -> Any:
    """A fitted model; None where there is but one outcome to learn."""
    from sklearn.linear_model import LogisticRegression

    if len(np.unique(outcomes)) < 2:
        return None
    return LogisticRegression(C=STRENGTH, max_iter=200, tol=1e-3).fit(known, outcomes)


def _indicators(rows: Sequence[dict[str, float]]) -> Any:
    """(rows, features) sparse."""
    from sklearn.feature_extraction import DictVectorizer

    return DictVectorizer().fit_transform(rows)


def _features(item: BlindItem) -> dict[str, float]:
    """Indicators of single facts and of pairs."""
    facts = sorted({**item.facts, "before": item.before}.items())
    named = {f"{name}={value}": 1.0 for name, value in facts if value}
    pairs = {f"{a}={x} {b}={y}": 1.0 for i, (a, x) in enumerate(facts) for b, y in facts[i + 1 :] if x and y}
    return {**named, **pairs}


def _option_features(item: BlindItem, options: Options) -> Iterator[dict[str, float]]:
    by_length = sorted(range(len(options.types)), key=lambda place: options.lengths[place])
    context = [f"{name}={item.facts[name]}" for name in ("direction", "band", "mover")]
    for place, (kind, rank) in enumerate(zip(options.types, options.ranks, strict=True)):
        own = [f"type={kind}", f"rank={rank}", f"place={place}", f"length={by_length.index(place)}"]
        pairs = [f"{one} {other}" for one in own for other in context]
        yield dict.fromkeys([*own, f"type={kind} rank={rank}", *pairs], 1.0)
