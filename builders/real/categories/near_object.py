"""Threshold: is the mover within T of a landmark after the move? (paper, B.4.1 and B.4.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, final

import numpy as np

from flowbench.builders.real.facts import UNCHANGED_THRESHOLDS, Facts
from flowbench.builders.real.measuring.landmarks import Distances
from flowbench.builders.sim.items import YES_NO, Because

from .base import TEST_MARGIN, TEST_SHARE, Category, Draft, Terms, cm, yes_no


@final
class NearObject(Category):
    """yes iff d1(L) < T; ``beyond`` asks for the opposite."""

    name = "near_object"
    profile_name = "threshold"
    measures = True
    questions = ()
    static_questions = ()
    ASKED: ClassVar[Mapping[str, Sequence[str]]] = {
        "within": (
            "After the move, will {a} be within {t} of {l}, measured between their nearest points?",
            "Once it has moved, will {a} be less than {t} away from {l}, measured between their nearest points?",
        ),
        "beyond": (
            "After the move, will {a} be more than {t} away from {l}, measured between their nearest points?",
            "Once it has moved, will there be more than {t} between the nearest points of {a} and {l}?",
        ),
    }
    ASKED_STATIC: ClassVar[Mapping[str, Sequence[str]]] = {
        "within": (
            "Is {a} within {t} of {l}, measured between their nearest points?",
            "Is {a} less than {t} away from {l}, measured between their nearest points?",
        ),
        "beyond": (
            "Is {a} more than {t} away from {l}, measured between their nearest points?",
            "Is there more than {t} between the nearest points of {a} and {l}?",
        ),
    }

    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """For each landmark one of the thresholds that the distance crosses clearly."""
        profile = facts.profile
        for k in facts.landmarks:
            gap = facts.gaps[k]
            crossed = [
                t
                for t in profile.thresholds
                if (gap.before < t) != (gap.after < t)
                and abs(gap.after - t) >= profile.threshold_margin.of(t)
                and abs(gap.before - t) >= profile.before_margin
                and facts.fits(t)
            ]
            if crossed:
                yield _draft(
                    k, gap, crossed[int(rng.integers(len(crossed)))], ("within", "beyond")[int(rng.integers(2))]
                )

    def unchanged(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """For each landmark the threshold drawn before looking, if both distances lie clearly on one side of it."""
        for k in facts.landmarks:
            t = UNCHANGED_THRESHOLDS[int(rng.integers(len(UNCHANGED_THRESHOLDS)))]
            false = bool(rng.integers(2))
            gap = facts.gaps[k]
            same = (gap.before < t) == (gap.after < t)
            margin = max(facts.profile.margin, facts.profile.threshold_margin.of(t))
            clear = abs(gap.before - t) >= facts.profile.margin and abs(gap.after - t) >= margin
            if same and clear and facts.fits(t):
                yield _draft(k, gap, t, "within" if (gap.after < t) != false else "beyond")

    def phrasings(self, draft: Draft, static: bool) -> Sequence[str]:
        """Of the draft's relation."""
        return (self.ASKED_STATIC if static else self.ASKED)[draft.relation or "within"]

    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """Which side of the threshold."""
        gap, (landmark,) = facts.gaps[draft.landmarks[0]], terms.landmarks
        t = draft.threshold or 0.0
        was, now = ("nearer to" if d < t else "farther from" for d in (gap.before, gap.after))
        side = f"{terms.mover} is {{}} {landmark} than the distance asked about"
        told = f"the gap between {terms.mover} and {landmark} is {cm(gap.before)} before"
        return Because(
            start=side.format(was),
            change=f"the move {'brings it nearer' if gap.after < gap.before else 'takes it farther away'}",
            result=side.format(now),
            measured=f"{told} and {cm(gap.after)} after",
        )


def _draft(k: int, gap: Distances, t: float, relation: str) -> Draft:
    before, after = (yes_no((d < t) == (relation == "within")) for d in (gap.before, gap.after))
    margin = round(abs(gap.after - t), 6)
    clear = margin >= max(TEST_MARGIN, TEST_SHARE * t)
    return Draft("near_object", (k,), relation, t, before, after, margin, YES_NO, clear)
