"""A classifier over everything that can be read without the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowbench.errors import UsageError

from .blind import BlindItem


def classifier_hits(items: Sequence[BlindItem], folds: Sequence[int]) -> int:
    """How many outcomes a linear classifier gets right that learnt on the other folds.

    It sees every fact, the before-answer, and every pair of them, as indicator variables.

    Raises:
        UsageError: scikit-learn is not installed.
    """
    try:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise UsageError("the text-only classifier needs scikit-learn: run pip install '.[dev]' in a clone.") from error
    outcomes = np.array([item.outcome for item in items])
    fold = np.array(folds)
    features = [_features(item) for item in items]
    hits = 0
    for number in sorted(set(folds)):
        learn, judge = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        if len(set(outcomes[learn].tolist())) < 2:
            continue
        table = DictVectorizer()
        known = table.fit_transform([features[index] for index in learn])
        model = LogisticRegression(C=0.1, max_iter=500).fit(known, outcomes[learn])
        hits += int((model.predict(table.transform([features[index] for index in judge])) == outcomes[judge]).sum())
    return hits


def _features(item: BlindItem) -> dict[str, float]:
    """Indicators of single facts and of pairs."""
    facts = sorted({**item.facts, "before": item.before}.items())
    named = {f"{name}={value}": 1.0 for name, value in facts if value}
    pairs = {f"{a}={x} {b}={y}": 1.0 for i, (a, x) in enumerate(facts) for b, y in facts[i + 1 :] if x and y}
    return {**named, **pairs}
