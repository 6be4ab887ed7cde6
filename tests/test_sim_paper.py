"""The paper's preset: its targets and constants, and what its lists and cells are (paper A.2)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import Case
from support.listed import items_of, trial_of

from flowbench.builders.sim.categories import CATEGORIES, closer_to, near_object
from flowbench.builders.sim.generic import generic_moves
from flowbench.builders.sim.items import Item, Reject
from flowbench.builders.sim.presets import PRESETS, Preset, preset_named
from flowbench.builders.sim.trial import Trial
from flowbench.errors import FlowbenchError

PAPER, BALANCED = preset_named("paper"), preset_named("balanced")
CUBE = [{"half": [0.1, 0.1, 0.1], "centre": [0.0, 0.0, 0.1]}]


# --- targets and constants


def test_the_targets_are_the_paper_s() -> None:
    assert PAPER.rates is not None
    assert set(PAPER.rates) == set(CATEGORIES)
    no = {name: rates.no for name, rates in PAPER.rates.items() if rates.no is not None}
    assert no == {"occlusion": 0.2, "contact_wall": 0.08, "feasibility": 0.55, "left_right": 0.5, "near_object": 0.5}
    flips = {name for name, rates in PAPER.rates.items() if rates.flip == 0.8}
    assert flips == {"left_right", "near_object", "closer_to", "closest_three", "count_near"}


def test_the_measures_are_the_paper_s_and_balanced_has_one() -> None:
    between = {name: PAPER.measure_of(name) for name, category in CATEGORIES.items() if category.measures_gaps}
    assert between == dict.fromkeys(("closest_three", "count_near", "near_object"), "centres") | {"closer_to": "boxes"}
    assert {BALANCED.measure_of(name) for name in CATEGORIES} == {"nearest"}


@pytest.mark.parametrize("wrong", ["Paper", "papr", ""])
def test_an_unknown_preset_is_refused(wrong: str) -> None:
    with pytest.raises(FlowbenchError, match="preset"):
        preset_named(wrong)
    assert list(PRESETS) == ["balanced", "paper"]


def lengths(preset: Preset) -> Counter[float]:
    moves = list(generic_moves(preset, np.random.default_rng(0), 400))
    assert set(Counter(move.direction for move in moves)) == {"left", "right", "away", "toward"}
    return Counter(move.length for move in moves)


def test_generic_motions_have_the_paper_s_four_lengths() -> None:
    found = lengths(PAPER)
    assert sorted(found) == [0.25, 0.4, 0.5, 0.6]
    assert min(found.values()) > 70
    assert len(lengths(BALANCED)) > 40


# --- lists


def cubes(places: Sequence[tuple[float, float]]) -> list[Case]:
    return [{"parts": CUBE, "position": [x, y, 0.0], "yaw": 0.0} for x, y in places]


def trial(category: str, places: Sequence[tuple[float, float]], preset: Preset = PAPER) -> Trial:
    """A cube that goes from (0, 0) to (0.6, 0) between cubes."""
    poses = {w: {"position": [x, 0.0, 0.0], "yaw": 0.0} for w, x in (("before", 0.0), ("after", 0.6))}
    return trial_of(category, {"input": {"mover": {"parts": CUBE}, **poses, "landmarks": cubes(places)}}, preset)


def read(category: str, made: Trial) -> list[Item]:
    return items_of(list(CATEGORIES[category].items(made, np.random.default_rng(0))))


def ranked(found: Mapping[str, tuple[float, float]], moment: int) -> list[str]:
    return sorted(found, key=lambda name: found[name][moment])


spots = st.tuples(st.integers(-120, 180), st.integers(-120, 120)).map(lambda spot: (spot[0] / 50.0, spot[1] / 50.0))
around = st.lists(spots, min_size=6, max_size=10, unique=True)


@settings(max_examples=60, deadline=None)
@given(around)
def test_closest_three_lists_both_triples_and_what_is_next_nearest(places: list[tuple[float, float]]) -> None:
    made = trial("closest_three", places)
    apart = made.distances("centres")
    first, last = (ranked(apart, moment) for moment in (0, 1))
    for item in read("closest_three", made):
        listed = set(item.landmarks)
        assert len(listed) == 6
        assert listed >= {*first[:3], *last[:3]}
        others = listed - {*first[:3], *last[:3]}
        assert others == set([name for name in last if name not in {*first[:3], *last[:3]}][: len(others)])
        assert {item.landmarks[int(pick)] for pick in item.answer.split("+")} == set(last[:3])
        assert item.measure == "centres"


def test_closest_three_has_one_list_a_motion_whatever_the_seed() -> None:
    places = [(0.9, 0.0), (1.1, 0.6), (-0.7, 0.0), (-0.9, 0.6), (0.3, -1.9), (2.4, 0.0), (2.9, 0.0), (-2.5, 0.0)]
    made = trial("closest_three", places)
    category = CATEGORIES["closest_three"]
    (item,), *others = (list(category.items(made, np.random.default_rng(seed))) for seed in range(4))
    assert isinstance(item, Item)
    assert others == [[item]] * 3


@settings(max_examples=60, deadline=None)
@given(around)
def test_count_near_lists_the_six_nearest_afterwards(places: list[tuple[float, float]]) -> None:
    made = trial("count_near", places)
    apart = made.distances("centres")
    found = read("count_near", made)
    assert len({item.threshold for item in found}) == len(found)
    for item in found:
        assert item.threshold is not None
        assert sorted(apart[name][1] for name in item.landmarks) == sorted(pair[1] for pair in apart.values())[:6]
        assert int(item.answer) == sum(apart[name][1] < item.threshold for name in item.landmarks)


def test_look_alikes_give_way_to_the_next_nearest() -> None:
    """Two shelving units are nearest; the second one is passed over."""
    places = [(0.3, 0.4), (0.3, -0.4), (1.2, 0.0), (-0.8, 0.0), (0.3, 1.1), (0.3, -1.1), (1.9, 0.0), (-1.9, 0.4)]
    made = trial("count_near", places)
    objects = made.before.arrangement.objects
    units = {each.object_id for each in objects if each.object_id in ranked(made.distances("centres"), 1)[:2]}
    for each in objects:
        if each.object_id in units:
            object.__setattr__(each, "object_type", "ShelvingUnit")
    found = read("count_near", made)
    assert found
    assert all(len(units & set(item.landmarks)) == 1 for item in found)


@pytest.mark.parametrize("category", ["closest_three", "count_near"])
def test_five_are_too_few(category: str) -> None:
    made = trial(category, [(0.3 * i, 1.0) for i in range(5)])
    found = list(CATEGORIES[category].items(made, np.random.default_rng(0)))
    assert found == [Reject(f"{category}: fewer than six landmarks")]


# --- cells


@settings(max_examples=60, deadline=None)
@given(around)
def test_near_object_asks_what_was_or_is_near(places: list[tuple[float, float]]) -> None:
    """The paper's near sets: a thing that is near at neither moment is not asked about."""
    made = trial("near_object", places)
    apart = made.distances("centres")
    found = {(item.landmarks[0], item.threshold): item for item in read("near_object", made)}
    for name, threshold in itertools.product(apart, PAPER.thresholds):
        clear = all(abs(each - threshold) > near_object.BAND + 0.001 for each in apart[name])
        if (name, threshold) in found:
            item = found[name, threshold]
            assert item.cell in ("yes>no", "no>yes", "yes>yes")
            assert item.cell == ">".join("yes" if each < threshold else "no" for each in apart[name])
        else:
            assert not clear or min(apart[name]) > threshold


@settings(max_examples=60, deadline=None)
@given(around)
def test_closer_to_flips_from_a_clear_lead_or_stays(places: list[tuple[float, float]]) -> None:
    made = trial("closer_to", places)
    apart = made.distances("boxes")
    for item in read("closer_to", made):
        first, last = (sorted(item.landmarks, key=lambda name: apart[name][moment])[0] for moment in (0, 1))
        assert item.landmarks[int(item.answer)] == last
        assert item.cell == ("rank 1" if first == last else "rank 2")
        if first != last:
            assert apart[last][0] - apart[first][0] > PAPER.lead
            between = made.before.arrangement.distance(first, last, "centres")
            assert between > closer_to.LEAST_CENTRE_GAP


def test_closer_to_needs_the_lead() -> None:
    """A later winner that lies 0.13 m farther at first: too little for the paper, enough for balanced."""
    places = [(-0.5, 0.0), (0.6, 0.55), (-1.6, 0.0), (-1.9, 0.5)]
    gaps = trial("closer_to", places).distances("boxes")
    assert sorted(round(before, 3) for before, _ in gaps.values())[:2] == [0.3, 0.532]
    assert [item.cell for item in read("closer_to", trial("closer_to", places))] == ["rank 2"]
    nearer = [(-0.6, 0.0), *places[1:]]
    assert read("closer_to", trial("closer_to", nearer)) == []
    assert [item.cell for item in read("closer_to", trial("closer_to", nearer, BALANCED))] == ["rank 2"]
