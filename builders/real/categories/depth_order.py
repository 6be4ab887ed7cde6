"""Depth Order: will the mover end up closer to the camera than a landmark? (paper, B.4.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

import numpy as np

from flowbench.builders.real.facts import Facts
from flowbench.builders.real.measuring.roles import Thing, aspect
from flowbench.builders.sim.items import YES_NO, Because

from .base import TEST_MARGIN, Category, Draft, Terms, cm, yes_no

MOST_ASPECT = 3.0
MOST_SHARE = 0.02
"""Of the frame."""
BORDER = 20.0
"""Pixels."""
RELATIONS = ("closer", "farther")


@final
class DepthOrder(Category):
    """yes iff z_A < z_L, 2 m apart on either moment; only where the mover rests on the table before and after."""

    name = "depth_order"
    profile_name = "depth_order"
    questions = (
        "Will {a} end up {relation} {to} the camera than {l}?",
        "After the move, will {a} be {relation} {to} the camera than {l}?",
    )
    static_questions = (
        "Is {a} {relation} {to} the camera than {l}?",
        "Seen from the camera, is {a} {relation} {away} than {l}?",
    )

    def changed(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """For each compact landmark that the mover passes in depth."""
        yield from _drafts(facts, rng, flipped=True)

    def unchanged(self, facts: Facts, rng: np.random.Generator) -> Iterator[Draft]:
        """At most one: a landmark that it stays before, or behind."""
        found = list(_drafts(facts, rng, flipped=False))
        if found:
            yield found[int(rng.integers(len(found)))]

    def fill(self, phrasing: str, draft: Draft, terms: Terms) -> str:
        """``closer to the camera``, ``farther from the camera``."""
        closer = draft.relation == "closer"
        text = phrasing.replace("{to}", "to" if closer else "from").replace(
            "{relation} {away}", f"{'nearer' if closer else 'farther away'}"
        )
        return super().fill(text, draft, terms)

    def because(self, facts: Facts, draft: Draft, terms: Terms) -> Because:
        """Who is nearer before and after."""
        z = facts.thing(draft.landmarks[0]).before.depth
        was, now = (
            "closer to" if d < z else "farther from" for d in (facts.mover.before.depth, facts.mover.after.depth)
        )
        (landmark,) = terms.landmarks
        return Because(
            f"{terms.mover} is {was} the camera than {landmark}",
            "the move takes it past that object" if was != now else "the move does not change their order",
            f"{terms.mover} is {now} the camera than {landmark}",
            f"{terms.mover} is {cm(facts.mover.before.depth)} from the camera before and {cm(facts.mover.after.depth)} "
            f"after, {landmark} is {cm(z)} from it",
        )


def _drafts(facts: Facts, rng: np.random.Generator, flipped: bool) -> Iterator[Draft]:
    if facts.measured.optics.plane_from_pixel is not None or not facts.on_table:
        return
    need = 2.0 * facts.profile.margin
    for k in facts.landmarks:
        before, after = (each.depth - facts.thing(k).before.depth for each in (facts.mover.before, facts.mover.after))
        relation = RELATIONS[int(rng.integers(2))]
        if (
            min(abs(before), abs(after)) >= need
            and ((before < 0.0) != (after < 0.0)) == flipped
            and _compact(facts, facts.thing(k))
        ):
            was, now = (yes_no((z < 0.0) == (relation == "closer")) for z in (before, after))
            margin = round(abs(after), 6)
            yield Draft("depth_order", (k,), relation, None, was, now, margin, YES_NO, margin >= TEST_MARGIN)


def _compact(facts: Facts, thing: Thing) -> bool:
    """Whether one depth says enough of a landmark."""
    height, width = facts.measured.pair.shape
    left, top, w, h = thing.before.bbox
    inside = min(left, top, width - left - w, height - top - h) >= BORDER
    return aspect(thing.before) <= MOST_ASPECT and thing.before.area <= MOST_SHARE * width * height and inside
