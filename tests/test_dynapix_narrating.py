"""Rationales: true predicates, valid texts, varied language."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.plays import Actor, Play, at_random

from flowbench.builders.dynapix.happenings import LAST
from flowbench.builders.dynapix.narrating import Terciles, narrate, observe, refuse, terciles_of
from flowbench.builders.dynapix.narrating.phrases import FREE, LATER, NO_COURSE
from flowbench.builders.dynapix.narrating.predicates import HEADINGS, REGIONS, course, heading_of, region_of
from flowbench.builders.dynapix.narrating.validator import PARTS

CRASH = Play(
    [
        Actor([(0, 40, 100), (60, 280, 100), (127, 300, 100)], 0),
        Actor([(60, 306, 100), (127, 440, 60)]),
        Actor([(0, 240, 280)]),
        Actor([(0, 400, 250), (127, 200, 250)], 0, hidden=[(0, 127)]),
    ],
    [(59, 0, 1)],
)


NOTHING = re.compile("|".join(re.escape(each) for each in NO_COURSE))
UNTIL = re.compile("|".join(re.escape(each) for each in (*FREE, *LATER)))


@pytest.mark.parametrize("sector", range(8))
def test_headings_are_eight_sectors(sector: int) -> None:
    for turn in (-22.0, 0.0, 22.0):
        angle = math.radians(45.0 * sector + turn)
        assert heading_of(10.0 * math.cos(angle), 10.0 * math.sin(angle)) == HEADINGS[sector]
    assert heading_of(0.3, 0.3) is None


def test_regions_are_nine_and_what_lies_outside_belongs_to_the_nearest() -> None:
    found = [[region_of(u, v) for u in (10.0, 240.0, 470.0)] for v in (10.0, 160.0, 310.0)]
    assert found == [list(row) for row in REGIONS]
    assert region_of(159.0, 106.0) == "top-left"
    assert region_of(160.0, 107.0) == "centre"
    assert region_of(-50.0, 500.0) == "bottom-left"


def test_predicates_of_a_crash() -> None:
    found = observe(CRASH.oracle(), 50, 62)
    mover, struck, rests = found.states
    assert (mover.name, mover.heading, mover.region, mover.later) == ("the blue metal cube", "right", "top", "top")
    assert struck.pace is None
    assert struck.moves
    assert (rests.pace, rests.moves, rests.later) == (None, False, "bottom")
    assert [(each.pair, each.when) for each in found.courses] == [((mover.name, struck.name), "imminent")]
    assert found.meetings == ((mover.name, struck.name),)
    assert found.close == ((mover.name, struck.name),)
    assert "the gray rubber cube" not in [state.name for state in found.states], "hidden at the cut"


@pytest.mark.parametrize(
    ("cut", "when"),
    [(55, "imminent"), (45, "imminent"), (44, "soon"), (20, "soon"), (19, None), (60, None), (64, None)],
)
def test_courses_are_imminent_soon_or_too_far_ahead(cut: int, when: str | None) -> None:
    """They meet in frame 60, and just have up to frame 66."""
    assert course(CRASH.oracle(), cut, 0, 1) == when


def test_bodies_that_miss_or_part_are_on_no_course() -> None:
    miss = Play([Actor([(0, 40, 100), (127, 440, 100)], 0), Actor([(0, 300, 200)])]).oracle()
    assert course(miss, 50, 0, 1) is None
    assert observe(miss, 50, 90).calm
    part = Play([Actor([(0, 300, 100), (127, 40, 100)], 0), Actor([(0, 320, 100)])]).oracle()
    assert course(part, 50, 0, 1) is None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(10, 90), st.integers(1, 50))
def test_courses_meetings_and_calm_are_true_of_the_record(seed: int, cut: int, ahead: int) -> None:
    play = at_random(np.random.default_rng(seed), hits=6)
    oracle = play.oracle()
    names = [body.name for body in oracle.bodies]
    coming = [(frame + 1, {names[one], names[other]}) for frame, one, other in sorted(play.hits) if frame + 1 > cut]
    target = min(cut + ahead, LAST)
    found = observe(oracle, cut, target)
    for each in found.courses:
        first = next(when for when, pair in coming if pair & set(each.pair))
        assert (first, set(each.pair)) in coming, "nothing else happens to either before"
        assert first - cut <= (15 if each.when == "imminent" else 40)
        assert each.pair not in found.met
    sighted = {state.name for state in found.states}
    assert found.calm == all(when > cut + 40 or not pair & sighted for when, pair in coming)
    assert found.free == all(when > target for when, _ in coming)
    text = narrate(found, np.random.default_rng(seed))
    assert (NOTHING.search(text) is not None) == (found.calm and not found.courses)
    assert (UNTIL.search(text) is not None) == found.free
    assert ("has just" in text or "have just" in text or "only just" in text) == bool(found.met)


def test_a_pair_that_has_just_collided_is_told_as_such_and_on_no_course() -> None:
    hits = [(59, 0, 1), (75, 0, 1)]
    again = Play(CRASH.actors, hits).oracle()
    found = observe(again, 60, 70)
    assert (found.courses, found.calm, len(found.met)) == ((), False, 1)
    assert course(again, 66, 0, 1) is None
    assert course(again, 67, 0, 1) == "imminent"


def test_whoever_is_struck_before_is_on_no_course() -> None:
    third = Actor([(0, 240, 280), (127, 246, 100)], 0)
    struck = Play([*CRASH.actors[:2], third], [(55, 0, 2), (59, 0, 1)]).oracle()
    assert course(struck, 50, 0, 1) is None
    assert course(struck, 50, 0, 2) == "imminent"
    assert course(struck, 56, 0, 1) == "imminent"


def test_speeds_are_told_by_terciles_and_rest_is_below_them() -> None:
    parts = Terciles(1.0, 2.0)
    assert [parts.pace(speed) for speed in (0.06, 1.0, 1.5, 2.0, 2.1)] == ["slow", "slow", "medium", "medium", "fast"]
    paces = [state.pace for state in observe(CRASH.oracle(), 50, 62, Terciles(2.0, 3.0)).states]
    assert paces == ["slow", None, None]
    assert terciles_of(Play([Actor([(0, 100, 100)])]).oracle()) == Terciles(math.inf, math.inf)


def test_terciles_part_what_moves_in_sight_into_thirds() -> None:
    speeds = [Actor([(0, 40, 50 + 80 * k), (127, 40 + (k + 1) * 100, 50 + 80 * k)], 0) for k in range(3)]
    parts = terciles_of(Play(speeds).oracle())
    assert [parts.pace(v) for v in (100 / 127 / 4, 200 / 127 / 4, 300 / 127 / 4)] == ["slow", "medium", "fast"]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(20, 90), st.integers(5, 37))
def test_texts_are_valid_or_missing_for_want_of_anything_in_sight(seed: int, cut: int, ahead: int) -> None:
    predicates = observe(at_random(np.random.default_rng(seed)).oracle(), cut, cut + ahead)
    text = narrate(predicates, np.random.default_rng(seed))
    assert refuse(text) is None, text
    assert 80 <= len(text.split()) <= 250
    assert ".." not in text
    assert " ." not in text
    assert all(text.count(part) == 1 for part in PARTS)


def test_a_single_body_is_told_at_length() -> None:
    play = Play([Actor([(0, 40, 100), (127, 440, 200)], 0)])
    assert refuse(narrate(observe(play.oracle(), 40, 60), np.random.default_rng(0))) is None


def test_what_leaves_and_what_is_covered_is_told_as_such() -> None:
    play = Play([Actor([(0, 100, 100), (100, 600, 100)], 0), Actor([(0, 200, 250)], hidden=[(90, 127)])])
    gone, covered = observe(play.oracle(), 60, 100).states
    assert (gone.left, gone.later) == (True, None)
    assert (covered.left, covered.later) == (False, None)


def test_language_varies() -> None:
    predicates = observe(CRASH.oracle(), 50, 62)
    texts = {narrate(predicates, np.random.default_rng(seed)) for seed in range(20)}
    assert len(texts) == 20
    openings = {text.split(",")[0] for text in texts}
    assert len(openings) >= 4


def test_narrating_is_deterministic() -> None:
    predicates = observe(CRASH.oracle(), 50, 62)
    assert narrate(predicates, np.random.default_rng(3)) == narrate(predicates, np.random.default_rng(3))


BODY = " ".join(["the cube moves on toward the right"] * 14)
GOOD = f"Scene parse. {BODY}. Motion analysis. It moves. Prediction. It goes on. Outcome. It is near the right side."


def test_the_validator_takes_a_plain_text() -> None:
    assert refuse(GOOD) is None


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("It moves 3 units.", "digits"),
        ("It covers twelve steps.", "digits"),
        ("It is there at (left, top).", "coordinates"),
        ("Its x = zero.", "coordinates"),
        ("Its coordinates grow.", "coordinates"),
        ("It takes a second.", "time or length"),
        ("It takes two seconds.", "time or length"),
        ("It is there in the last frame.", "timestamp"),
        ("It moves half a metre.", "time or length"),
        ("So it is option B.", "letter"),
        ("The answer is C.", "letter"),
        ("It hits {other}.", "hole"),
    ],
)
def test_the_validator_refuses(bad: str, why: str) -> None:
    reason = refuse(GOOD.replace("It moves.", f"It moves. {bad}"))
    assert reason is not None
    assert why in reason


def test_the_validator_wants_the_parts_and_the_length() -> None:
    assert refuse(GOOD.replace("Prediction. ", "")) == "rationale without the four parts in order"
    swapped = GOOD.replace("Outcome.", "X").replace("Prediction.", "Outcome.").replace("X", "Prediction.")
    assert refuse(swapped) == "rationale without the four parts in order"
    assert refuse(GOOD.replace(BODY, "It moves")) == "rationale too short"
    assert refuse(GOOD.replace(BODY, " ".join([BODY] * 4))) == "rationale too long"
    assert refuse("") == "rationale without the four parts in order"
