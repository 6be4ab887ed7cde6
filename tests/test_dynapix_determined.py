"""A target follows only from what was seen long enough; event queries have one right answer."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.plays import Actor, Play, at_random, twin_of

from flowbench.builders.dynapix.happenings import between, moment
from flowbench.builders.dynapix.presets import BALANCED, PAPER
from flowbench.builders.dynapix.retrieval.builders import BUILDERS
from flowbench.builders.dynapix.retrieval.counterfactual import interventions
from flowbench.builders.dynapix.retrieval.planning import event_query
from flowbench.builders.dynapix.scenes import Removal
from flowbench.builders.dynapix.selection import event, plan_selection, time, window
from flowbench.builders.dynapix.selection.determined import BRIEFLY, HIDDEN, undetermined
from flowbench.builders.dynapix.selection.phrasing import DELAYED, EVENT
from flowbench.builders.dynapix.selection.slots import Slot
from flowbench.builders.dynapix.selection.subtypes import EVENT as SUBTYPES
from flowbench.builders.dynapix.selection.subtypes import TIME, WINDOW

RUNNER = Actor([(0, 60, 100), (60, 240, 100), (127, 260, 100)], 0)
STRUCK = Actor([(60, 266, 100), (127, 430, 130)])
BYSTANDER = Actor([(0, 60, 280), (127, 200, 280)], 0)


def play(seen: int, cut: int = 50, who: int = 0) -> Play:
    """One of three bodies is seen in the last so many frames up to a cut, and from there on."""
    actors = [RUNNER, STRUCK, BYSTANDER]
    actors[who] = dataclasses.replace(actors[who], hidden=[(0, cut - seen)])
    return Play(actors, [(59, 0, 1)])


@pytest.mark.parametrize(("seen", "why"), [(0, HIDDEN), (1, BRIEFLY), (3, BRIEFLY), (4, None)])
def test_a_body_that_comes_and_strikes_is_seen_in_four_frames(seen: int, why: str | None) -> None:
    assert undetermined(play(seen).oracle(), (31, 50), 62, ()) == why


def test_a_body_at_rest_need_not_be_seen_long() -> None:
    assert undetermined(play(1, who=1).oracle(), (31, 50), 62, (0, 1)) is None
    assert undetermined(play(0, who=1).oracle(), (31, 50), 62, (0, 1)) == HIDDEN


@pytest.mark.parametrize(("seen", "about", "why"), [(3, (2,), BRIEFLY), (4, (2,), None), (3, (0, 1), None)])
def test_a_body_that_touches_nothing_counts_where_it_is_asked_about(
    seen: int, about: tuple[int, ...], why: str | None
) -> None:
    assert undetermined(play(seen, who=2).oracle(), (31, 50), 62, about) == why


def test_every_kind_of_item_and_query_wants_it() -> None:
    oracle, rng = play(3).oracle(), np.random.default_rng(0)
    collision = oracle.collisions[0]
    future = next(each for each in SUBTYPES if each.name == "future-offset-10")
    cell = next(each for each in WINDOW if each.name == "G2-B-16-easy")
    (timed,) = (each for each in TIME if each.seconds == 1)
    assert event.judge(oracle, BALANCED, future, collision, 50, 61) == BRIEFLY
    assert isinstance(event.judge(oracle, PAPER, future, collision, 50, 60), Slot)
    assert time.slot_at(oracle, BALANCED, timed, 26, rng) == BRIEFLY
    assert window.slot_at(oracle, BALANCED, cell, 34, 50, rng) == BRIEFLY
    assert event_query(oracle, BUILDERS[2], 0, BALANCED) == BRIEFLY
    aside = play(3, who=2).oracle()
    assert isinstance(event.judge(aside, BALANCED, future, aside.collisions[0], 50, 61), Slot)
    assert time.slot_at(aside, BALANCED, timed, 26, rng) == BRIEFLY, "the whole scene is asked about"


def test_a_counterfactual_target_follows_from_the_true_video() -> None:
    """The second mover is hidden by the first one in the true run, and plainly seen in the run without it."""
    true = Play([RUNNER, STRUCK, dataclasses.replace(BYSTANDER, hidden=[(0, 53)])], [(59, 0, 1)])
    alone = Play([RUNNER, Actor([(0, 266, 100)]), BYSTANDER], (), erased=(0,))
    assert undetermined(alone.oracle(), (5, 55), 72, (2,)) is None
    for shown, why in ((true, BRIEFLY), (Play([RUNNER, STRUCK, BYSTANDER], true.hits), None)):
        # A draw by which the observation ends five frames before the collision.
        seed = next(each for each in range(99) if np.random.default_rng(each).integers(3) == 0)
        rng = np.random.default_rng(seed)
        removal = Removal(0, alone.take(), alone.take().film)
        found = list(interventions(shown.oracle(), removal, BALANCED, rng))
        assert any(each == BRIEFLY for each in found) == (why is not None)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000))
def test_no_wrong_candidate_comes_right_after_the_collision_unless_the_delay_is_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = at_random(rng, seed)
    films = scene.films(twin_of(scene, rng))
    for draft in plan_selection(films, BALANCED, 0, ["event", "matched"])[0]:
        if draft.family == "event" and not draft.subtype.startswith("future"):
            continue
        after, *_ = (moment(each) for each in between(films.factual.oracle, draft.cut, draft.target))
        right_after = range(after, after + 3)
        assert draft.target in right_after
        wrong = [p.frame for p in draft.places if p.variant == "factual" and p.frame != draft.target]
        if "seconds" in draft.query:
            delay = f"{(draft.target - after) / 25:.2f}"
            assert draft.query in [text.format(seconds=delay) for text in DELAYED]
        else:
            assert draft.query in EVENT or draft.family == "matched"
            assert not set(wrong) & set(right_after)


def test_the_short_gap_names_its_delay_and_the_long_ones_do_not() -> None:
    oracle = Play([RUNNER, STRUCK, BYSTANDER], [(59, 0, 1)]).oracle()
    rng = np.random.default_rng(0)
    for subtype in SUBTYPES:
        if subtype.framing == "future":
            slots = [event.slot_of(oracle, BALANCED, subtype, oracle.collisions[0], rng) for _ in range(6)]
            found = [slot for slot in slots if isinstance(slot, Slot)]
            assert found
            assert {slot.phrasing for slot in found} == {"delayed" if subtype.gap == 5 else "future"}
            assert all(slot.seconds == (slot.target - 60) / 25 for slot in found if subtype.gap == 5)
