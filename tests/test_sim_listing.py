"""Questions that list several objects: what decides does not depend on their order; a free list realises a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import Case, load
from support.listed import items_of, trial_of
from support.still import arrangement, block, carried, sight_of

from flowbench.builders.sim.categories import closer_to, closest_three, count_near
from flowbench.builders.sim.categories.closest_three import ClosestThree
from flowbench.builders.sim.categories.count_near import CountNear
from flowbench.builders.sim.items import Label, Reject
from flowbench.builders.sim.listing import refuse_list
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.presets import preset_named
from flowbench.builders.sim.trial import Trial
from flowbench.geometry import Camera
from flowbench.schema import LETTERS

PRESET = preset_named("balanced")
CAMERA = Camera.standing((0.0, 0.0, 1.0), 0.0, width=1, height=1)
gaps_of_six = st.lists(st.integers(0, 300).map(lambda cm: cm / 100.0), min_size=6, max_size=6)


# --- order


@given(gaps_of_six, st.permutations(range(6)))
def test_the_nearest_three_do_not_depend_on_the_order(gaps: list[float], order: list[int]) -> None:
    one, other = closest_three.label(gaps), closest_three.label([gaps[i] for i in order])
    if isinstance(one, Reject):
        assert other == one
        return
    assert isinstance(other, Label)
    assert other.margin == one.margin
    assert {order[int(i)] for i in other.answer.split("+")} == {int(i) for i in one.answer.split("+")}
    assert {int(i) for i in one.answer.split("+")} == set(np.argsort(gaps)[:3].tolist())


@given(gaps_of_six, st.permutations(range(6)), st.sampled_from(PRESET.thresholds))
def test_the_count_does_not_depend_on_the_order(gaps: list[float], order: list[int], threshold: float) -> None:
    one = count_near.label(gaps, threshold)
    assert count_near.label([gaps[i] for i in order], threshold) == one
    if isinstance(one, Label):
        assert int(one.answer) == sum(gap < threshold for gap in gaps)


@given(gaps_of_six, st.permutations(range(6)))
def test_the_nearest_does_not_depend_on_the_order(gaps: list[float], order: list[int]) -> None:
    one, other = closer_to.label(gaps), closer_to.label([gaps[i] for i in order])
    if isinstance(one, Reject):
        assert other == one
    else:
        assert isinstance(other, Label)
        assert (order[int(other.answer)], other.margin) == (int(one.answer), one.margin)


# --- cells


TRIPLES = [case for case in load("closest_three") if case["name"].startswith("ranks")]
COUNTS = [case for case in load("count_near") if " to " in case["name"]]


@pytest.mark.parametrize("case", TRIPLES, ids=lambda case: case["name"])
def test_the_cell_of_closest_three_is_what_the_winners_were_before(case: Case) -> None:
    found = items_of(list(ClosestThree().items(trial_of("closest_three", case, PRESET), np.random.default_rng(0))))
    assert [item.cell for item in found] == [case["name"]]
    answer = [LETTERS[int(index)] for index in found[0].answer.split("+")]
    assert "".join(answer) == case["expect"]["answer"]
    assert ClosestThree().outcome(found[0]) == case["name"]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case["name"])
def test_the_cell_of_count_near_is_both_counts(case: Case) -> None:
    found = items_of(list(CountNear().items(trial_of("count_near", case, PRESET), np.random.default_rng(0))))
    ours = [item for item in found if item.threshold == case["input"]["threshold"]]
    before, after = case["name"].split(" to ")
    assert [(item.cell, item.answer) for item in ours] == [(f"{before}>{after}", after)]
    assert CountNear().outcome(ours[0]) == after


def test_there_are_twenty_cells_and_sixteen() -> None:
    assert [len({case["name"] for case in cases}) for cases in (TRIPLES, COUNTS)] == [20, 16]


AROUND = [side * gap for gap in (0.9, 1.0, 1.5, 1.6, 2.4, 2.5) for side in (1.0, -1.0)]
"""Places along x, ahead and behind, at three distances."""


def many(count: int) -> tuple[Trial, dict[str, tuple[float, float]]]:
    """A board between cubes at so many places, with their gaps before and after."""
    trial = trial_of("closest_three", {"input": {**TRIPLES[0]["input"], "landmarks": boards(AROUND[:count])}}, PRESET)
    return trial, trial.distances("nearest")


def boards(places: Sequence[float]) -> list[Case]:
    cube = [{"half": [0.1, 0.1, 0.1], "centre": [0.0, 0.0, 0.1]}]
    return [{"parts": cube, "position": [x, -1.8 + 0.3 * i, 0.0], "yaw": 0.0} for i, x in enumerate(places)]


def test_a_free_list_realises_many_cells_of_one_motion() -> None:
    trial, gaps = many(12)
    found = items_of(list(ClosestThree().items(trial, np.random.default_rng(1))))
    cells = [item.cell for item in found]
    assert len(set(cells)) == len(cells) >= 5
    for item in found:
        for moment in (0, 1):
            _, _, third, fourth, *_ = sorted(gaps[name][moment] for name in item.landmarks)
            assert fourth - third >= max(closest_three.CLEAR, closest_three.CLEAR_SHARE * third)
        assert item.landmarks == tuple(sorted(item.landmarks))


def test_counts_are_realised_with_all_listed_clear_of_the_threshold() -> None:
    trial, gaps = many(12)
    found = items_of(list(CountNear().items(trial, np.random.default_rng(1))))
    assert len({(item.threshold, item.cell) for item in found}) == len(found) >= 8
    for item in found:
        threshold = cast(float, item.threshold)
        for moment, count in enumerate(item.cell.split(">")):
            listed = [gaps[name][moment] for name in item.landmarks]
            assert sum(gap < threshold for gap in listed) == int(count)
            assert all(
                abs(gap - threshold) >= max(count_near.CLEAR, count_near.CLEAR_SHARE * threshold) for gap in listed
            )


@pytest.mark.parametrize(("category", "reason"), [(ClosestThree(), "closest_three"), (CountNear(), "count_near")])
def test_five_landmarks_are_too_few(category: ClosestThree | CountNear, reason: str) -> None:
    trial, _ = many(5)
    assert list(category.items(trial, np.random.default_rng(0))) == [Reject(f"{reason}: fewer than six landmarks")]


# --- what is not listed together


def listing(standing: Sequence[str], hung: Sequence[str]) -> Trial:
    """Things by type, standing on the first of them or hanging on a wall."""
    scene = arrangement(**{name: [block(i, 0, 0, (0.2, 0.2, 0.2))] for i, name in enumerate((*standing, *hung))})
    scene = carried(scene, **dict.fromkeys(standing, standing[0]))
    sight = sight_of(scene, CAMERA, np.zeros((1, 1), dtype=np.uint16), np.zeros((1, 1), dtype=np.float32))
    return Trial(sight, sight, scene.objects[0], Move(60, 0), PRESET)


@pytest.mark.parametrize(
    ("standing", "hung", "reason"),
    [
        (["Mug", "Chair", "Bookshelf", "Dresser"], ["Painting"], None),
        (["Mug", "Bookshelf", "ShelvingUnit"], [], "look-alike furniture listed"),
        (["Mug", "Dresser", "Drawer"], [], "look-alike furniture listed"),
        (["Mug", "Chair"], ["Painting", "WallClock"], "several things on walls listed"),
    ],
)
def test_lists_leave_out_what_cannot_be_told_apart(standing: list[str], hung: list[str], reason: str | None) -> None:
    assert refuse_list(listing(standing, hung), [*standing, *hung]) == reason
