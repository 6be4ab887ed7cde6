"""From a measured pair to what may be asked about it (paper, B.4: flips, no-change and named-object questions)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flowbench.builders.sim.items import Reject

from .categories import CATEGORIES, NEAREST, Draft
from .categories.occlusion import Occlusion
from .facts import Facts, gather
from .measuring.measure import Measured
from .presets import Preset
from .wording import called, mentioned

NAMED_THRESHOLD = 0.04
"""Metres from a threshold where objects are called by name (B.4.9)."""
NAMED_THREE = 0.03
"""Metres between the third and the fourth there."""


def ask(measured: Measured, preset: Preset) -> tuple[Facts, list[Draft]] | Reject:
    """Every question about a pair, in an order that depends on nothing but the pair; or why it is not asked about."""
    stream = measured.pair.stream
    facts = gather(measured, preset.paper_options, stream("numbers"))
    if isinstance(facts, Reject):
        return facts
    asked = [category for category in CATEGORIES.values() if category.profile_name in facts.profile.categories]
    drafts = [draft for category in asked for draft in category.changed(facts, stream("changed", category.name))]
    if preset.always_unchanged or not drafts:
        names = PAPER_UNCHANGED if preset.paper_options else tuple(CATEGORIES)
        drafts += [
            draft
            for category in asked
            if category.name in names
            for draft in category.unchanged(facts, stream("unchanged", category.name))
        ]
    return facts, list(_named(facts, [_doubted(facts, draft) for draft in drafts], preset))


PAPER_UNCHANGED = ("near_object", "left_right", "depth_order")
"""Categories that the paper asks about although nothing changes (B.4.6, B.4.8)."""


def _doubted(facts: Facts, draft: Draft) -> Draft:
    """The draft, not clear enough to test on where the seen surfaces put others nearest than the radii do."""
    if draft.category not in NEAREST or not draft.clear:
        return draft
    seen = facts.seen
    if not all(k in seen for k in draft.landmarks):
        return draft
    order = sorted(range(len(draft.landmarks)), key=lambda place: (seen[draft.landmarks[place]], place))
    agreed = "+".join(str(place) for place in sorted(order[: NEAREST[draft.category]])) == draft.answer
    return replace(draft, clear=agreed)


def _named(facts: Facts, drafts: list[Draft], preset: Preset) -> Iterator[Draft]:
    """The drafts, some of them by name; occlusions that count by name alone are added."""
    rng = facts.measured.pair.stream("named")
    draws = rng.random(len(drafts) + 1).tolist()
    by_name = facts.profile.named_objects
    for draft, drawn in zip(drafts, draws, strict=False):
        wanted = by_name and drawn < preset.named_share and _clears(draft)
        can = wanted and called(facts, mentioned(facts, draft)) is not None
        yield replace(draft, named=can, may_be_named=wanted and not can)
    may = by_name and Occlusion.profile_name in facts.profile.categories
    if may and not any(draft.category == Occlusion.name for draft in drafts):
        extra = Occlusion().named(facts)
        yield from (draft for draft in extra if called(facts, mentioned(facts, draft)) is not None)


def _clears(draft: Draft) -> bool:
    """Whether a draft clears the margins of named objects."""
    if draft.category == "near_object":
        return draft.margin >= NAMED_THRESHOLD
    return draft.category != "closest_three" or draft.margin >= NAMED_THREE
