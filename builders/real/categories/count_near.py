"""Count Near: how many of the listed landmarks will end up within T of the mover? (paper, B.4.5)."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import final

import numpy as np

from flowbench.builders.real.facts import MOST_LISTED, Facts
from flowbench.builders.sim.items import Because

from .base import TEST_MARGIN, TEST_SHARE, Category, Draft, Terms, cm

LEAST_LANDMARKS = 4
MOST_OPTIONS = 4
REACH = 3
"""How far the counts offered lie from the right one, but for the one before."""
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
        """At every threshold; in the paper's preset at the one whose count is nearest to half of the listed."""
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
        (t, n0, n1)
        for t, n0, n1 in found
        if (n0 != n1) == flipped and 0 < n1 < len(listed) and _clears(facts, listed, t)
    ]
    if facts.paper:
        fitting = sorted(fitting, key=lambda each: (abs(2 * each[2] - len(listed)), each[0]))[:1]
    for t, n0, n1 in fitting:
        margin = round(_apart(facts, listed, t), 6)
        clear = margin >= max(TEST_MARGIN, TEST_SHARE * t)
        for counts in [_above(n0, n1, len(listed))] if facts.paper else offers(n0, n1, len(listed), rng):
            options = tuple(str(n) for n in counts)
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


def _above(n0: int, n1: int, most: int) -> list[int]:
    """n1, n0, and values above n1, as the paper offers them."""
    fixed = list(dict.fromkeys((n1, n0)))
    rest = [n for n in (n1 + 1, n1 + 2) if n <= most and n != n0]
    return sorted((*fixed, *rest[: MOST_OPTIONS - len(fixed)]))


def offers(n0: int, n1: int, most: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Choices of counts, ascending: one draw for each place that the right one can have among four.

    All of them are candidates, so that the select pass can keep the places even; else the middle would mostly be right.
    They lie within 3 of the right one, and offer none and all, which are never right, only where nothing else is left.

    Args:
        n0, n1: counts before and after; both are offered.
        most: number of landmarks.
        rng: draws among choices of one place.
    """
    near = {n0, *range(max(0, n1 - REACH), min(most, n1 + REACH) + 1)}
    by_place: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for counts in itertools.combinations(sorted(near), MOST_OPTIONS):
        if {n0, n1} <= set(counts):
            by_place[counts.index(n1)].append(counts)
    made = []
    for place in sorted(by_place):
        idle = [len({0, most} & (set(counts) - {n0})) for counts in by_place[place]]
        best = [counts for counts, each in zip(by_place[place], idle, strict=True) if each == min(idle)]
        made.append(best[int(rng.integers(len(best)))])
    return made
