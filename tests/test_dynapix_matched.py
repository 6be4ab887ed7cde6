"""Matched anchors: pairs that differ in what the query names alone, and their controls."""

from __future__ import annotations

import numpy as np
import pytest
from support.plays import Play, at_random, item_facts

from flowbench.builders.dynapix.presets import BALANCED, PAPER
from flowbench.builders.dynapix.selection import matched_items, plan_selection
from flowbench.builders.dynapix.selection.matched import ANCHORS, CONTROLS, GAPS, shuffled_frames
from flowbench.errors import UsageError
from flowbench.validation.dynapix import events, times


def scenes() -> list[Play]:
    return [at_random(np.random.default_rng(seed), seed) for seed in range(6)]


def test_pairs_share_everything_but_the_anchor() -> None:
    horizons = set()
    for play in scenes():
        for draft in plan_selection(play.films(), BALANCED, seed=0, families=["matched"])[0]:
            items = matched_items(draft, 2, BALANCED, seed=0)
            assert [(item.anchor, item.control) for item in items] == [(a, c) for a in ANCHORS for c in CONTROLS]
            shared = {(i.first, i.cut, i.target, i.horizon, i.candidates, i.letter, i.rank, i.pair) for i in items}
            assert len(shared) == 1
            event, elapsed = items[0], items[3]
            assert "next collision" in event.query
            assert not any(sign.isdigit() for sign in event.query)
            assert "collision" not in elapsed.query
            for item in items:
                facts = item_facts(item, "balanced")
                assert [*times.check_times(facts), *events.check_events(facts, play.facts())] == []
            horizons.add(draft.horizon)
    assert len(horizons) >= 4


def test_controls_take_the_prefix_away_or_its_order() -> None:
    play = scenes()[0]
    draft = plan_selection(play.films(), BALANCED, seed=0, families=["matched"])[0][0]
    full, alone, shuffled = matched_items(draft, 0, BALANCED, seed=0)[:3]
    assert full.shown == tuple(range(draft.first, draft.cut + 1))
    assert full.rationale
    assert alone.shown == ()
    assert sorted(shuffled.shown) == list(full.shown)
    assert shuffled.shown != full.shown
    assert shuffled.shown[-1] != draft.cut
    assert alone.rationale == shuffled.rationale == ""


def test_shuffles_never_end_with_the_last_frame() -> None:
    for seed in range(50):
        order = shuffled_frames(3, 6, np.random.default_rng(seed))
        assert order[-1] != 6
        assert sorted(order) == [3, 4, 5, 6]


def test_every_rank_is_offered_and_gaps_leave_room() -> None:
    drafts = [d for play in scenes() for d in plan_selection(play.films(), BALANCED, seed=0, families=["matched"])[0]]
    assert {draft.rank for draft in drafts} == {1, 2, 3, 4}
    assert all(BALANCED.step(gap) >= BALANCED.nearest_step for gap in GAPS)


def test_the_papers_queries_cannot_be_matched() -> None:
    with pytest.raises(UsageError, match="names no anchor"):
        plan_selection(scenes()[0].films(), PAPER, seed=0, families=["matched"])
