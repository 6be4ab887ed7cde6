"""Planning selection items: what is kept is what was promised, and what is dropped has its reason."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.plays import Actor, Play, at_random, item_facts, twin_of

from flowbench.builders.dynapix.album import Album, compare
from flowbench.builders.dynapix.items import SelectionDraft, SelectionItem
from flowbench.builders.dynapix.narrating import refuse
from flowbench.builders.dynapix.presets import BALANCED, PAPER, Preset, preset_named
from flowbench.builders.dynapix.scenes import SceneFilms, split_of
from flowbench.builders.dynapix.selection import finish, plan_selection
from flowbench.builders.dynapix.selection.candidates import ALIKE, STILL
from flowbench.builders.dynapix.selection.subtypes import EVENT, GROUP_COUNTS, TIME, WINDOW, shares
from flowbench.errors import UsageError
from flowbench.validation.dynapix import events, times


def lively(seed: int) -> tuple[dict[str, Play], SceneFilms]:
    """A random scene with two twins and another scene: its plays by variant, and its films."""
    rng = np.random.default_rng(seed)
    play = at_random(rng, seed)
    twins = [twin_of(play, rng), twin_of(play, rng)]
    others = [at_random(rng, 1000 + seed)]
    plays = {"factual": play, **{f"twin-{number}": twin for number, twin in enumerate(twins)}}
    return plays, play.films(*twins, others=others)


def slots(drafts: list[SelectionDraft]) -> dict[str, list[SelectionDraft]]:
    found: dict[str, list[SelectionDraft]] = {}
    for draft in drafts:
        found.setdefault(draft.slot, []).append(draft)
    return found


def findings(item: SelectionItem, preset: str, plays: dict[str, Play]) -> list[str]:
    facts = item_facts(item, preset)
    run = plays["factual"].facts()
    return [str(each) for each in (*times.check_times(facts), *events.check_events(facts, run))]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_every_balanced_item_passes_the_recheck(seed: int) -> None:
    plays, films = lively(seed)
    drafts, _ = plan_selection(films, BALANCED, seed=3)
    runs = {name: play.facts() for name, play in plays.items()}
    for position, draft in enumerate(drafts):
        item = finish(draft, position % 4, seed=3)
        assert findings(item, "balanced", plays) == []
        objects = events.focus(item_facts(item, "balanced"), runs["factual"])
        if objects is not None:
            margin = events.nearest_distractor(item_facts(item, "balanced"), runs, objects)
            assert margin == pytest.approx(item.margin, abs=1e-6)
        assert item.margin >= BALANCED.margin_px
        if item.family == "window":
            assert (item.margin >= BALANCED.easy_px) == item.subtype.endswith("easy")
        assert refuse(item.rationale) is None


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10_000))
def test_every_slot_offers_every_rank_over_the_same_steps(seed: int) -> None:
    _, films = lively(seed)
    drafts, _ = plan_selection(films, BALANCED, seed=0)
    for slot in slots(drafts).values():
        assert {draft.rank for draft in slot} == {1, 2, 3, 4}
        assert len({(draft.target, draft.cut, draft.query, draft.rationale) for draft in slot}) == 1
        steps = {b.frame - a.frame for draft in slot for a, b in pairwise(draft.places)}
        assert len(steps) == 1
        assert [draft.ordinal for draft in slot] == list(range(len(slot)))


def test_candidates_differ_clearly_in_the_pictures() -> None:
    _, films = lively(5)
    album = Album(films)
    for preset in (BALANCED, PAPER):
        for draft in plan_selection(films, preset, seed=0)[0]:
            changed = [album.changed(one, other) for one, other in combinations(draft.places, 2)]
            assert min(changed) >= preset.changed_px


def test_cross_items_have_one_twin_frame_and_never_a_target_of_it() -> None:
    kinds: Counter[tuple[str, ...]] = Counter()
    for seed in range(4):
        for draft in plan_selection(lively(seed)[1], BALANCED, seed=0, families=["event"])[0]:
            assert draft.kinds[draft.rank - 1] == "target"
            assert ("twin" in draft.kinds) == ("cross" in draft.subtype)
            kinds[tuple(sorted(draft.kinds))] += 1
    assert set(kinds) == {
        ("same_scene", "same_scene", "same_scene", "target"),
        ("same_scene", "same_scene", "target", "twin"),
    }


def test_without_twins_there_are_no_cross_items() -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        drafts, dropped = plan_selection(at_random(rng, seed).films(), BALANCED, seed=0, families=["event"])
        assert not any("cross" in draft.subtype for draft in drafts)
        assert dropped["event: no twin scene"] + dropped["event: no room for the observation"] > 0


def test_a_scene_at_rest_gives_nothing_and_says_why() -> None:
    play = Play([Actor([(0, 100, 100)]), Actor([(0, 300, 200)])])
    drafts, dropped = plan_selection(play.films(), BALANCED, seed=0)
    assert drafts == []
    assert dropped[f"time: {STILL}"] > 0
    assert dropped[f"window: {STILL}"] > 0
    assert plan_selection(play.films(), PAPER, seed=0)[0] == []


def test_what_moves_in_the_record_but_not_in_the_picture_is_refused() -> None:
    play = Play([Actor([(0, 60, 100), (127, 420, 100)], 0), Actor([(0, 300, 200)])])
    films = Play(play.actors).films()
    grey = np.full((320, 480, 3), 100, dtype=np.uint8)

    class Still:
        def picture(self, frame: int) -> NDArray[np.uint8]:
            return grey

    still = SceneFilms(0, dataclasses.replace(films.factual, film=Still()))
    drafts, dropped = plan_selection(still, BALANCED, seed=0, families=["time"])
    assert drafts == []
    assert dropped[f"time: {ALIKE}"] > 0


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10_000))
def test_paper_items_keep_the_papers_times_and_words(seed: int) -> None:
    plays, films = lively(seed)
    drafts, _ = plan_selection(films, PAPER, seed=0)
    queries = {draft.family: draft.query for draft in drafts}
    assert queries.get("event", "").startswith("Which image is closest") or "event" not in queries
    for draft in drafts:
        assert findings(finish(draft, 0, seed=0), "paper", plays) == []
        if draft.family == "time":
            assert (draft.first, draft.cut) == (0, 25)
            assert draft.target in (52, 78)
            assert draft.query.startswith("Watch the 1-second observation video.")
        if draft.family == "event":
            assert draft.target <= 117
        if "offset" in draft.subtype:
            assert {abs(place.frame - draft.target) for place in draft.places} <= {0, 16, 32, 48}
        if "cross" in draft.subtype:
            assert draft.kinds.count("other_scene") == 3
    assert [len(each) for each in slots(drafts).values()] == [1] * len(slots(drafts))


def test_planning_depends_on_scene_and_seed_alone() -> None:
    first, again = (plan_selection(lively(7)[1], BALANCED, seed=1) for _ in range(2))
    assert first == again
    assert plan_selection(lively(7)[1], BALANCED, seed=2)[0] != first[0]
    alone = [draft for draft in first[0] if draft.family == "time"]
    assert plan_selection(lively(7)[1], BALANCED, seed=1, families=["time"])[0] == alone


def test_a_draft_survives_its_payload() -> None:
    for draft in plan_selection(lively(7)[1], BALANCED, seed=1)[0]:
        assert SelectionDraft.from_payload(draft.payload()) == draft


def test_one_scene_of_five_is_for_testing() -> None:
    splits = Counter(split_of(scene) for scene in range(1000))
    assert splits == {"train": 800, "test": 200}


def test_the_tables_sum_to_the_papers_counts() -> None:
    assert (sum(each.train for each in EVENT), sum(each.test for each in EVENT)) == (1151, 249)
    both = [sum(counts[split] for counts in GROUP_COUNTS.values()) for split in (0, 1)]
    assert both == [6598, 1585]
    assert 1151 + 6598 + sum(each.train for each in TIME) == 9368
    assert 249 + 1585 + sum(each.test for each in TIME) == 2208
    assert len(WINDOW) == len({each.name for each in WINDOW}) == 54
    for split in ("train", "test"):
        assert sum(shares(split).values()) == pytest.approx(1.0)


@pytest.mark.parametrize(("horizon", "step"), [(7, 2), (8, 2), (10, 3), (16, 5), (24, 6), (25, 6), (50, 6)])
def test_the_least_step_leaves_room_for_a_target_that_comes_last(horizon: int, step: int) -> None:
    assert BALANCED.step(horizon) == times.least_step(horizon) == step
    assert 3 * step < horizon


def test_an_unknown_preset_gets_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="did you mean 'balanced'"):
        preset_named("balance")


def test_twins_of_other_bodies_and_pictures_of_another_size_are_refused() -> None:
    rng = np.random.default_rng(0)
    play = at_random(rng)
    with pytest.raises(UsageError, match="other bodies"):
        play.films(Play(play.actors[:-1]))

    class Small:
        def picture(self, frame: int) -> NDArray[np.uint8]:
            return np.zeros((10, 10, 3), dtype=np.uint8)

    films = SceneFilms(0, dataclasses.replace(play.take(), film=Small()))
    with pytest.raises(UsageError, match=r"expected \(320, 480, 3\)"):
        plan_selection(films, BALANCED, seed=0)


def test_pictures_are_compared_pixel_by_pixel() -> None:
    one = np.zeros((320, 480, 3), dtype=np.uint8)
    other = one.copy()
    other[0, 0], other[1, 1, 2], other[2, 2] = 24, 25, (255, 0, 25)
    assert compare(one, one) == (0, 0)
    assert compare(one, other) == compare(other, one) == (2, 3 * 24 + 25 + 280)


def test_presets_are_data() -> None:
    assert isinstance(BALANCED, Preset)
    assert BALANCED.second == 25
    assert PAPER.second == 26
