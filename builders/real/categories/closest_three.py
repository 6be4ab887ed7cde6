"""Closest Three: which three listed landmarks will the mover end up closest to? (paper, B.4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

import numpy as np

from flowbench.builders.real.facts import MOST_LISTED, Facts
from flowbench.builders.sim.items import Because
from flowbench.builders.sim.naming import enumeration

from .base import TEST_MARGIN, Category, Draft, Terms, cm, parted, ranked

LEAST_LANDMARKS = 5
NEAREST = 3
MARGINS = 1.5
"""Of m, by which the fourth must be farther than the third."""
FARTHER = 1.15
"""... and by this factor (B.5)."""


@final
class ClosestThree(Category):
    """The answer is the set of the three landmarks of least d1."""

    name = "closest_three"
    profile_name = "closest_three"
    measures = True
    questions = (
        "Which three of these objects will {a} end up closest to: {listed}?",
        "After the move, which three of these objects will be nearest to {a}: {listed}?",
    )
    static_questions = (
        "Which three of these objects is {a} closest to: {listed}?",
        "Which three of these objects are nearest to {a}: {listed}?",
    )

    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """If the set of the nearest three is another one now."""
        yield from _drafts(facts, flipped=True)

    def unchanged(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """If the set stays."""
        yield from _drafts(facts, flipped=False)

    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """Who were the nearest and who are."""
        was, now = (
            enumeration([terms.landmarks[int(index)] for index in answer.split("+")])
            for answer in (draft.before, draft.answer)
        )
        told = "; ".join(
            f"{name} is {cm(facts.gaps[k].before)} away before and {cm(facts.gaps[k].after)} after"
            for name, k in zip(terms.landmarks, draft.landmarks, strict=True)
        )
        change = "the move takes it to others" if was != now else "the move leaves it nearest to these"
        return Because(
            f"{was} are the nearest to {terms.mover}", change, f"{now} are the nearest to {terms.mover}", told
        )


def _drafts(facts: Facts, flipped: bool) -> Iterator[Draft]:
    if len(facts.landmarks) < LEAST_LANDMARKS:
        return
    listed = facts.landmarks[:MOST_LISTED]
    order = ranked(facts, 1, listed)
    third, fourth = (facts.gaps[order[place]].after for place in (2, 3))
    margin = parted(facts, 1, listed, NEAREST)
    if parted(facts, 0, listed, NEAREST) < facts.profile.before_margin:
        return
    was, now = (
        "+".join(str(place) for place in sorted(listed.index(k) for k in o[:NEAREST]))
        for o in (ranked(facts, 0, listed), order)
    )
    if (was != now) == flipped and margin > MARGINS * facts.profile.margin and fourth >= FARTHER * third:
        yield Draft("closest_three", listed, None, None, was, now, margin, (), margin >= TEST_MARGIN)
