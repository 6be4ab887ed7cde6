"""Occlusion: after the move, will a landmark be fully visible, or partly blocked? (paper, B.4.7; real.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import final

import numpy as np

from flowbench.builders.real.facts import Facts
from flowbench.builders.sim.items import Because

from .base import Category, Draft, Terms

VISIBLE, BLOCKED = "fully visible", "partly blocked"
COVERED, REVEALED = 0.74, 1.35
"""a1 / a0 at most, and at least."""
LEAST_COVER, LEAST_COVER_NAMED = 0.20, 0.10
"""Share of the landmark's before mask under the mover's after mask."""
OVERLAP_BEFORE, OVERLAP_AFTER = 0.10, 0.05
"""Of the landmark's box that the mover's box shares, at least before a reveal and at most after it."""


@final
class Occlusion(Category):
    """At most one a pair: the landmark that is covered, or uncovered, the most."""

    name = "occlusion"
    profile_name = "occlusion"
    unit = "share"
    keeps_marks = True
    questions = (
        "After the move, will {l} be fully visible, or partly blocked by {a}?",
        "Once {a} has moved, will {l} be fully visible, or will {a} partly block it?",
    )
    static_questions = (
        "Is {l} fully visible, or partly blocked by {a}?",
        "Is {l} fully visible, or does {a} partly block it?",
    )

    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """Covers and reveals; of those the clearest."""
        if facts.measured.optics.plane_from_pixel is not None:
            return
        found = [*_covers(facts, LEAST_COVER), *_reveals(facts)]
        if found:
            yield max(found, key=lambda draft: (draft.margin, -draft.landmarks[0]))

    def named(self, facts: Facts) -> Iterator[Draft]:
        """Covers that only named objects count: from a tenth of overlap."""
        if facts.measured.optics.plane_from_pixel is None:
            found = list(_covers(facts, LEAST_COVER_NAMED))
            if found:
                yield replace(max(found, key=lambda draft: (draft.margin, -draft.landmarks[0])), named=True)

    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """What stands before what."""
        thing = facts.thing(draft.landmarks[0])
        (landmark,) = terms.landmarks
        covered = draft.answer == BLOCKED
        return Because(
            f"{landmark} is in plain view" if covered else f"{terms.mover} stands before part of {landmark}",
            "the move ends in front of it" if covered else "the move takes it out of the way",
            f"{landmark} is {draft.answer}",
            f"{landmark} shows {thing.before.area} pixels before and {thing.after.area} after",
        )


def _covers(facts: Facts, least: float) -> Iterator[Draft]:
    """z_A < z_L - m after, a1 <= 0.74 a0, and the mover's mask covers enough of the landmark's."""
    for k in facts.landmarks:
        thing = facts.thing(k)
        share = thing.after.area / thing.before.area
        in_front = facts.mover.after.depth < thing.before.depth - facts.profile.margin
        if in_front and share <= COVERED and facts.measured.covered[k] >= least:
            yield _draft(k, VISIBLE, BLOCKED, COVERED - share)


def _reveals(facts: Facts) -> Iterator[Draft]:
    """a1 >= 1.35 a0, with boxes that overlapped and no longer do."""
    for k in facts.landmarks:
        thing = facts.thing(k)
        share = thing.after.area / thing.before.area
        before, after = (overlap(thing.before.bbox, each.bbox) for each in (facts.mover.before, facts.mover.after))
        if share >= REVEALED and before >= OVERLAP_BEFORE and after <= OVERLAP_AFTER:
            yield _draft(k, BLOCKED, VISIBLE, share - REVEALED)


def overlap(box: Sequence[float], other: Sequence[float]) -> float:
    """Share of a box (x, y, width, height) that another covers."""
    width = min(box[0] + box[2], other[0] + other[2]) - max(box[0], other[0])
    height = min(box[1] + box[3], other[1] + other[3]) - max(box[1], other[1])
    return max(0.0, width) * max(0.0, height) / (box[2] * box[3])


def _draft(k: int, before: str, after: str, margin: float) -> Draft:
    return Draft("occlusion", (k,), None, None, before, after, round(margin, 6), (VISIBLE, BLOCKED), clear=True)
