"""Closer To: which of the listed landmarks will the mover end up closest to? (paper, B.4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

import numpy as np

from flowbench.builders.real.facts import Facts
from flowbench.builders.sim.items import Because

from .base import TEST_MARGIN, Category, Draft, Terms, cm, parted, ranked

LEAST_LANDMARKS = 3
MOST_OPTIONS = 4
LEAST_GAP = 0.05
"""Metres from the nearest to the second nearest (B.5); 2 m of B.4.3 besides."""


@final
class CloserTo(Category):
    """The answer is the landmark of least d1."""

    name = "closer_to"
    profile_name = "closer_to"
    measures = True
    questions = (
        "Which of these objects will {a} end up closest to: {listed}?",
        "After the move, which of these objects will be nearest to {a}: {listed}?",
    )
    static_questions = (
        "Which of these objects is {a} closest to: {listed}?",
        "Which of these objects is nearest to {a}: {listed}?",
    )

    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """If another landmark is the nearest now."""
        yield from _drafts(facts, rng, flipped=True)

    def unchanged(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """If the nearest stays the nearest."""
        yield from _drafts(facts, rng, flipped=False)

    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """Who was the nearest and who is."""
        was, now = (terms.landmarks[int(answer)] for answer in (draft.before, draft.answer))
        told = "; ".join(
            f"{name} is {cm(facts.gaps[k].before)} away before and {cm(facts.gaps[k].after)} after"
            for name, k in zip(terms.landmarks, draft.landmarks, strict=True)
        )
        change = "the move takes it to another one" if was != now else "the move leaves it nearest to that one"
        return Because(f"{was} is the nearest to {terms.mover}", change, f"{now} is the nearest to {terms.mover}", told)


def _drafts(facts: Facts, rng: np.random.Generator, flipped: bool) -> Iterator[Draft]:
    if len(facts.landmarks) < LEAST_LANDMARKS:
        return
    first = ranked(facts, 1, facts.landmarks)[0]
    margin = parted(facts, 1, facts.landmarks, 1)
    was = ranked(facts, 0, facts.landmarks)[0]
    if margin <= 2.0 * facts.profile.margin or margin < LEAST_GAP or (was != first) != flipped:
        return
    # the nearest before is listed, so that there is a before-answer
    fixed = list(dict.fromkeys((first, was)))
    rest = [k for k in facts.landmarks if k not in fixed]
    others = [rest[i] for i in rng.permutation(len(rest)).tolist()][: MOST_OPTIONS - len(fixed)]
    listed = tuple(sorted((*fixed, *others), key=lambda k: facts.numbers[k]))
    # a before-answer that depth cannot resolve is none
    if parted(facts, 0, listed, 1) < facts.profile.before_margin:
        return
    margin = parted(facts, 1, listed, 1)
    answers = str(listed.index(was)), str(listed.index(first))
    yield Draft("closer_to", listed, None, None, *answers, margin, (), margin >= TEST_MARGIN)
