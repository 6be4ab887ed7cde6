"""Count Near: how many of the listed landmarks will end up within T of the mover? (paper, B.4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

import numpy as np

from flowbench.builders.real.facts import MOST_LISTED, Facts
from flowbench.builders.sim.items import Because

from .base import TEST_MARGIN, TEST_SHARE, Category, Draft, Terms, cm

LEAST_LANDMARKS = 4
MOST_OPTIONS = 4
NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


@final
class CountNear(Category):
    """The answer is the number of listed landmarks with d1 < T."""

    name = "count_near"
    profile_name = "count_near"
    measures = True
    questions = (
        "How many of these objects will end up within {t} of {a}, measured between nearest points: {listed}?",
        "After the move, how many of these objects will lie within {t} of {a}, measured between nearest points: "
        "{listed}?",
    )
    static_questions = (
        "How many of these objects are within {t} of {a}, measured between nearest points: {listed}?",
        "How many of these objects lie within {t} of {a}, measured between nearest points: {listed}?",
    )

    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """At the threshold whose count is nearest to half of the listed."""
        yield from _drafts(facts, rng, flipped=True)

    def unchanged(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """The same where the count stays."""
        yield from _drafts(facts, rng, flipped=False)

    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """How many were near and how many are."""
        told = "; ".join(
            f"{name} is {cm(facts.gaps[k].before)} away before and {cm(facts.gaps[k].after)} after"
            for name, k in zip(terms.landmarks, draft.landmarks, strict=True)
        )
        more = int(draft.answer) - int(draft.before)
        change = (
            "brings it that near to more" if more > 0 else "leaves fewer that near" if more < 0 else "leaves as many"
        )
        was, now = (
            f"{NUMBERS[int(n)]} of the listed objects {'is' if n == '1' else 'are'} that near to {terms.mover}"
            for n in (draft.before, draft.answer)
        )
        return Because(was, f"the move {change}", now, told)


def _drafts(facts: Facts, rng: np.random.Generator, flipped: bool) -> Iterator[Draft]:
    listed = facts.landmarks[:MOST_LISTED]
    if len(listed) < LEAST_LANDMARKS:
        return
    found = [(t, *_counts(facts, listed, t)) for t in facts.profile.count_thresholds if facts.fits(t)]
    fitting = [
        (abs(2 * n1 - len(listed)), t, n0, n1)
        for t, n0, n1 in found
        if (n0 != n1) == flipped and 0 < n1 < len(listed) and _clears(facts, listed, t)
    ]
    if not fitting:
        return
    _, t, n0, n1 = min(fitting)
    margin = round(_apart(facts, listed, t), 6)
    clear = margin >= max(TEST_MARGIN, TEST_SHARE * t)
    options = tuple(str(n) for n in _options(n0, n1, len(listed), facts.paper, rng))
    yield Draft("count_near", listed, "within", t, str(n0), str(n1), margin, options, clear)


def need(facts: Facts, t: float) -> float:
    """How far every listed landmark must be from a threshold: the profile's margin, and a quarter of it (B.5)."""
    return max(facts.profile.count_margin.of(t), TEST_SHARE * t)


def _clears(facts: Facts, listed: tuple[int, ...], t: float) -> bool:
    """Whether every listed landmark keeps away from a threshold, after the move and before it."""
    earlier = min(abs(facts.gaps[k].before - t) for k in listed)
    return _apart(facts, listed, t) >= need(facts, t) and earlier >= facts.profile.before_margin


def _counts(facts: Facts, listed: tuple[int, ...], t: float) -> tuple[int, int]:
    gaps = [facts.gaps[k] for k in listed]
    return sum(gap.before < t for gap in gaps), sum(gap.after < t for gap in gaps)


def _apart(facts: Facts, listed: tuple[int, ...], t: float) -> float:
    return min(abs(facts.gaps[k].after - t) for k in listed)


def _options(n0: int, n1: int, most: int, paper: bool, rng: np.random.Generator) -> list[int]:
    """n1, n0, and values beside them: above n1 in the paper; else on drawn sides, or the least would be right."""
    beside = (n1 + 1, n1 + 2) if paper else (n1 + 1, n1 + 2, n1 - 1, n1 - 2)
    wanted = [n for n in beside if 0 <= n <= most and n != n0]
    rest = wanted if paper else [wanted[k] for k in rng.permutation(len(wanted)).tolist()]
    fixed = list(dict.fromkeys((n1, n0)))
    return sorted((*fixed, *rest[: MOST_OPTIONS - len(fixed)]))
