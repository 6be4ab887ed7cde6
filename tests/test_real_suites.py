"""Suites over single samples of recorded pairs: nothing in good ones, and every break of the kit in broken ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from support.plain_pairs import LAYOUT, Disc, samples

from flowbench.errors import ReleaseError
from flowbench.release import Sample
from flowbench.schema import CONFIGS
from flowbench.validation.corruption import Draft
from flowbench.validation.corruption.editing import record_of
from flowbench.validation.corruption.real import REAL_CORRUPTIONS, REAL_SHARES, SAMPLE_BREAKS
from flowbench.validation.corruption.real_editing import SampleBreak
from flowbench.validation.real.opened import OpenedReal
from flowbench.validation.real.words.drawn import check_sides
from flowbench.validation.registry import SUITES
from flowbench.validation.suites.members import INTEGRITY

TRAIN = SUITES["real_train"]
BACK = (Disc("mug", (0.11, 0.92), (-0.16, 1.0)), *LAYOUT[1:])
"""The mug goes back to where it came from, and uncovers the bowl."""


@cache
def pair(layout: tuple[Disc, ...] = LAYOUT, preset: str = "balanced") -> Mapping[str, Sample]:
    return samples(layout, 0, preset)


def found(members: Mapping[str, bytes], key: str, suites: frozenset[str] | None = None) -> dict[str, set[str]]:
    """Suite -> rules that it finds broken; of those named, and integrity."""
    opened = OpenedReal(key, members)
    broken: dict[str, set[str]] = {}
    for suite in TRAIN.samples:
        if suites is None or suite.name in suites | {INTEGRITY}:
            try:
                rules = {each.rule for each in suite.check(opened)}
            except ReleaseError as error:
                rules = {str(error)}
            if rules:
                broken[suite.name] = rules
    return broken


@pytest.mark.parametrize("layout", [LAYOUT, BACK], ids=["goes", "comes back"])
def test_good_samples_pass(layout: tuple[Disc, ...]) -> None:
    made = pair(layout)
    assert len(made) >= 8
    assert {key: broken for key, sample in made.items() if (broken := found(sample.members, sample.key))} == {}


def test_the_pairs_hold_every_category_and_both_kinds_of_name() -> None:
    records = [record_of(Draft(s.key, dict(s.members))) for made in (pair(), pair(BACK)) for s in made.values()]
    assert {each["category"] for each in records} == {
        *("near_object", "left_right", "closer_to", "closest_three", "count_near", "depth_order", "occlusion")
    }
    assert {each["named"] for each in records} == {False, True}
    assert {each["flipped"] for each in records} == {False, True}
    assert {each["answer_text"] for each in records if each["category"] == "occlusion"} == {
        "partly blocked",
        "fully visible",
    }


def test_a_pair_measured_on_a_table_plane_passes() -> None:
    layout = (Disc("mug", (-0.16, 1.0), (0.08, 0.98)), *LAYOUT[1:])
    made = samples(layout, 0, "balanced", "tabletop_down")
    assert {each.rpartition("-")[0] for each in made} >= {"near_object", "left_right", "closest_three"}
    assert {key: broken for key, sample in made.items() if (broken := found(sample.members, sample.key))} == {}


def test_the_papers_preset_asks_no_more_than_the_paper() -> None:
    made = pair(LAYOUT, "paper")
    assert {key: broken for key, sample in made.items() if (broken := found(sample.members, sample.key))} == {}


@pytest.mark.parametrize("way", SAMPLE_BREAKS, ids=lambda way: way.name)
def test_a_break_is_found(way: SampleBreak) -> None:
    sample = next(s for s in pair().values() if way.where(record_of(Draft(s.key, dict(s.members)))))
    draft = Draft(sample.key, dict(sample.members))
    way.change(draft, np.random.default_rng(1))
    broken = found(draft.members, draft.key, way.suites)
    assert way.suites <= broken.keys()
    assert way.suites == {INTEGRITY} or INTEGRITY not in broken


def test_marks_that_stand_the_other_way_round_are_told() -> None:
    sample = pair()["left_right-4"]
    record = OpenedReal(sample.key, sample.members).record
    assert list(check_sides(record)) == []
    ids = (record.mover.id, record.landmarks[0].id)
    ends = {each.id: each.after for each in record.marks}
    turned = [
        each.model_copy(update={"after": ends[ids[1 - ids.index(each.id)]]}) if each.id in ids else each
        for each in record.marks
    ]
    told = list(check_sides(record.model_copy(update={"marks": turned})))
    assert [each.rule for each in told] == ["marks stand as the answer says"]


def test_a_pair_to_test_on_is_no_training_pair() -> None:
    sample = pair()["left_right-4"]
    suite = next(each for each in SUITES["real_test"].samples if each.name == "labels")
    rules = {each.rule for each in suite.check(OpenedReal(sample.key, sample.members))}
    assert rules == {"split of the scene"}


def test_the_kit_is_large_and_names_suites_that_there_are() -> None:
    every = [*REAL_CORRUPTIONS.values(), *REAL_SHARES]
    assert len(every) == len({each.name for each in every}) >= 80
    known = {suite.name for suite in (*TRAIN.samples, *TRAIN.configs)}
    named = frozenset().union(*(each.suites for each in every))
    assert named == known - {"balance", "shortcuts"}
    assert CONFIGS["real_train"].family == "real"
