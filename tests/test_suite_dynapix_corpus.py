"""The corpus and what its structure tells; movers that were seen; negatives in order; framings held apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

from flowbench.release import Manifest
from flowbench.schema import CONFIGS
from flowbench.validation.dynapix.blind import asked_of
from flowbench.validation.dynapix.facts import FRAMES, TRUE_RUN, RunFacts
from flowbench.validation.dynapix.meta import RunMeta
from flowbench.validation.dynapix.movers import check_movers, hardly_seen
from flowbench.validation.dynapix.retrieval import QueryFacts, check_query
from flowbench.validation.dynapix.searching import runs_in, scores, searched_of
from flowbench.validation.suites.base import ConfigSuite, OpenedConfig
from flowbench.validation.suites.dynapix.corpus import InCorpus, Spaced
from flowbench.validation.suites.dynapix.shortcuts import BlindSearch

Row = dict[str, Any]


class _Held:
    def __init__(self, *names: str) -> None:
        self.configs = dict.fromkeys(names)


def config(name: str, index: Sequence[Row], facts: Sequence[Row] = ()) -> OpenedConfig:
    manifest = cast(Manifest, _Held(name))
    frames = [pl.DataFrame(rows, infer_schema_length=None) for rows in (index, facts)]
    return OpenedConfig(Path("unused"), manifest, CONFIGS[name], *frames)


def rules(suite: ConfigSuite, *configs: OpenedConfig) -> list[str]:
    return [each.rule for each in suite.check(configs[0], {each.spec.name: each for each in configs}).violations]


def corpus(*names: str, picture: str = "") -> OpenedConfig:
    facts = [{"key": name, "state_sha256": "s", "frame_sha256": picture or name} for name in names]
    return config("retrieval_corpus", [{"frame_id": name} for name in names], facts)


def test_frames_of_a_run_are_apart_and_pictures_are_there_once() -> None:
    apart = ("000004-factual-010", "000004-factual-017", "000004-without-1-012", "000009-factual-012")
    assert rules(Spaced(), corpus(*apart)) == []
    assert rules(Spaced(), corpus(*apart, "000004-factual-023")) == ["corpus frames near each other"]
    assert rules(Spaced(), corpus(*apart[2:], picture="same")) == ["corpus picture twice"]


def query(number: int, target: str, last: int, *negatives: str, category: str = "time", builder: int = 2) -> Row:
    return {
        "id": f"q-{number}",
        "split": "test",
        "category": category,
        "builder": builder,
        "target_frame_id": target,
        "negatives": list(negatives),
        "prefix": {"first": 0, "last": last},
    }


@pytest.mark.parametrize(("more", "found"), [((), []), (("000004-factual-080",), ["negatives that were seen"])])
def test_a_negative_that_was_seen_comes_last(more: tuple[str, ...], found: list[str]) -> None:
    target, seen = "000004-factual-060", "000004-factual-020"
    asked = config("retrieval_test", [query(0, target, 30, seen)], [{"key": "q-0", "split": "test"}])
    assert rules(InCorpus(), asked, corpus(target, seen, *more)) == found


def test_a_corpus_that_tells_its_targets_is_found() -> None:
    rng = np.random.default_rng(2)
    names, asked, even = [], [], []
    for number in range(60):
        frames = [20 + 8 * place for place in range(8)]
        names += [f"{number:06d}-factual-{frame:03d}" for frame in frames] + [f"{number:06d}-factual-120"]
        asked.append(query(number, f"{number:06d}-factual-120", 10))
        even.append(query(number, f"{number:06d}-factual-{frames[int(rng.integers(8))]:03d}", 10))
    held = corpus(*names)
    alone = BlindSearch().check(config("retrieval_test", asked), {"retrieval_corpus": held})
    assert {each.found.partition(" is right")[0] for each in alone.violations} == {
        "time, builder 2: most alone in its run",
        "time, builder 2: last of its run",
    }
    assert rules(BlindSearch(), config("retrieval_test", even), held) == []
    assert rules(BlindSearch(), config("retrieval_test", asked)) == []  # without the corpus nothing can be told


def test_the_last_frame_of_builder_1_is_told_and_no_shortcut() -> None:
    names, asked = [], []
    for number in range(60):
        names += [f"{number:06d}-factual-{frame:03d}" for frame in (20, 30, 60, 127)]
        asked.append(query(number, f"{number:06d}-factual-127", 24, builder=1))
        asked.append(query(number, f"{number:06d}-factual-{(30, 60, 127)[number % 3]:03d}", 24))
    found = BlindSearch().check(config("retrieval_test", asked), {"retrieval_corpus": corpus(*names)})
    assert found.violations == []
    rows = {row[:2]: row[2:4] for row in found.tables[0].rows}
    assert rows["time, builder 1", "last of its run, by definition"] == ("60", "100.0%")
    assert rows["time, builder 2", "last of its run"] == ("60", "33.3%")
    assert {rule for category, rule in rows if category == "time, builder 1"} == {"last of its run, by definition"}


def test_rules_share_what_they_cannot_tell_apart() -> None:
    runs = runs_in(["000004-without-1-020", "000004-without-1-040", "000004-without-1-060", "000004-erased-1-040"])
    asked = searched_of("counterfactual", 0, "000004-without-1-040", 10, runs)
    assert asked is not None
    found = {each.rule: each.hits for each in scores([asked] * 30)}
    assert (found["most alone in its run"], found["middle of its run"], found["beside an erased frame"]) == (10, 30, 30)
    assert searched_of("counterfactual", 0, "000004-without-1-041", 10, runs) is None


def test_framings_are_held_apart() -> None:
    row = {"scene_id": "s", "answer": "A", "rank": 1, "horizon": 10, "query": "?", "anchor": None, "control": None}
    row |= {"candidates": [{"frame": frame, "variant": "factual"} for frame in (1, 2, 3, 4)]}
    kinds = (("event", "future-match-5"), ("event", "contact-match-10"), ("time", "time-1"))
    index = [row | {"id": str(n), "category": kind, "subtype": name} for n, (kind, name) in enumerate(kinds)]
    asked = asked_of(pl.DataFrame(index), pl.DataFrame({"key": ["0"]}))
    assert sorted(each.category for each in asked) == ["event", "event", "event, contact", "event, future", "time"]


def run(seen: Sequence[int]) -> RunMeta:
    """Two bodies that move along x; the second is seen in these frames alone."""
    shape = (FRAMES, 2)
    velocities = np.zeros((*shape, 3))
    velocities[..., 0] = 1.0
    visible = np.full(shape, 90)
    visible[:, 1] = 49
    visible[list(seen), 1] = 50
    poses = np.zeros((*shape, 7))
    return RunMeta(poses, velocities, np.zeros((*shape, 3)), visible, visible, np.zeros((*shape, 2)), ())


@pytest.mark.parametrize(
    ("seen", "found"), [([17, 18, 19, 20], []), ([18, 19, 20], [1]), ([15, 16, 17, 18], [1]), ([3, 4, 5, 20], [1])]
)
def test_a_mover_is_seen_in_four_frames_and_at_the_cut(seen: list[int], found: list[int]) -> None:
    assert hardly_seen(run(seen), 10, 20, [0, 1]) == found
    assert [each.rule for each in check_movers(run(seen), 10, 20, {1})] == ["movers seen"] * len(found)
    assert [*check_movers(run(seen), 10, 20, {0})] == []


def asked(builder: int, removed: int | None, *negatives: tuple[str, int]) -> set[str]:
    full = np.full((FRAMES, 2), 100)
    pixels = np.zeros((FRAMES, 2, 2))
    moved = pixels.copy()
    moved[:, 0] = 40.0
    runs = {TRUE_RUN: RunFacts([None, None], full, full, pixels, [])}
    runs["without-1"] = RunFacts([None, None], full, full, moved, [])
    name = TRUE_RUN if removed is None else "without-1"
    facts = QueryFacts("balanced", "In 1.0 seconds.", builder, 0, 49, (name, 74), negatives, removed)
    return {each.rule for each in check_query(facts, runs)}


W, E = "without-1", "erased-1"


@pytest.mark.parametrize(
    ("builder", "negatives", "found"),
    [
        (2, [(TRUE_RUN, 90), (TRUE_RUN, 60), (TRUE_RUN, 20), (TRUE_RUN, 30)], set()),
        (2, [(TRUE_RUN, 90), (TRUE_RUN, 20), (TRUE_RUN, 60), (TRUE_RUN, 30)], {"order of negatives"}),
        (2, [(TRUE_RUN, 90), (TRUE_RUN, 96), (TRUE_RUN, 60), (TRUE_RUN, 30)], {"near target"}),
        (2, [(TRUE_RUN, 90), (TRUE_RUN, 60), (TRUE_RUN, 20), (W, 30)], {"order of negatives"}),
        (0, [(W, 90), (W, 60), (W, 100), (E, 74), (W, 110), (E, 60)], set()),
        (0, [(W, 90), (W, 60), (E, 74), (W, 100), (W, 110)], {"order of negatives"}),
        (0, [(W, 90), (W, 60), (W, 100), (E, 74), (E, 60), (E, 90)], {"order of negatives"}),
        (0, [(W, 90), (W, 60), (W, 100), (E, 74), (E, 61)], {"order of negatives"}),
    ],
)
def test_negatives_come_in_their_order(builder: int, negatives: list[tuple[str, int]], found: set[str]) -> None:
    assert asked(builder, 1 if builder == 0 else None, *negatives) == found
