"""Builds of which nothing comes: what is said, and that their directory binds nobody to what came to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl
import pytest
from support.building import build, counting, options, published
from support.counting import CountingProducer

from flowbench.builders.sources.given import HOUSES
from flowbench.builders.state import State
from flowbench.errors import UsageError
from flowbench.release import Sample

__all__ = ["counting"]


@pytest.fixture
def barren(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of configs of which nothing comes; a test may add some, and take them away."""
    chosen_as_ever, names = CountingProducer.select, {"sim_train"}

    def select(self: CountingProducer, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Counter[str]]:
        chosen, rejects = chosen_as_ever(self, candidates)
        return (chosen.clear() if self.job.config in names else chosen), rejects

    monkeypatch.setattr(CountingProducer, "select", select)
    return names


@pytest.fixture
def proposed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The scenes that were proposed, in order."""
    proposes_as_ever, found = CountingProducer.propose, list[int]()

    def propose(self: CountingProducer, scenes: Sequence[int]) -> tuple[pl.DataFrame, Counter[str]]:
        found.extend(scenes)
        return proposes_as_ever(self, scenes)

    monkeypatch.setattr(CountingProducer, "propose", propose)
    return found


def houses(path: Path) -> Path:
    path.write_text(f'["{path.name}"]')
    return path


def came_to_nothing(out: Path, **changes: object) -> None:
    with pytest.raises(UsageError, match="gave nothing to ask"):
        build(out, **changes)


def test_other_options_are_taken_after_nothing_came(tmp_path: Path, barren: set[str], proposed: list[int]) -> None:
    first, second = houses(tmp_path / "a.json"), houses(tmp_path / "b.json")
    other = {"scenes": 4, "seed": 1, "width": 320, "sources": {HOUSES: second}}
    came_to_nothing(tmp_path / "r", sources={HOUSES: first})
    barren.clear()
    proposed.clear()
    build(tmp_path / "r", **other)
    assert proposed == [0, 1, 2, 3], "what was proposed from the first file is of no use"
    build(tmp_path / "new", **other)
    assert published(tmp_path / "r") == published(tmp_path / "new")
    with pytest.raises(UsageError, match="holds a build with seed 1, but 0 was asked for"):
        build(tmp_path / "r")


def test_asked_for_in_the_same_way_the_proposals_are_still_good(
    tmp_path: Path, barren: set[str], proposed: list[int]
) -> None:
    came_to_nothing(tmp_path / "r")
    came_to_nothing(tmp_path / "r", scenes=6)
    assert proposed == [0, 1, 2, 3, 4, 4, 5], "the last block held one scene, and now holds two"


def test_a_config_of_which_there_are_samples_binds_for_the_other_too(tmp_path: Path, barren: set[str]) -> None:
    first, second = houses(tmp_path / "a.json"), houses(tmp_path / "b.json")
    both = {"configs": ("sim_train", "sim_test")}
    barren ^= {*both["configs"]}  # sim_test alone
    came_to_nothing(tmp_path / "r", **both, sources={HOUSES: first})
    with pytest.raises(UsageError, match="holds a build with seed 0, but 1 was asked for"):
        build(tmp_path / "r", seed=1)
    with pytest.raises(UsageError, match="holds sim_train from houses"):
        build(tmp_path / "r", **both, sources={HOUSES: second})
    came_to_nothing(tmp_path / "r", configs=("sim_test",), sources={HOUSES: second})
    came_to_nothing(tmp_path / "r", **both, sources={HOUSES: first})


def test_what_was_begun_again_binds_again(tmp_path: Path, barren: set[str]) -> None:
    came_to_nothing(tmp_path / "r")
    state = State(tmp_path / "r")
    begun = options(tmp_path / "r", seed=1)
    with state.locked():
        state.record(begun, state.check(begun))
    with pytest.raises(UsageError, match="holds a build with seed 1, but 0 was asked for"):
        build(tmp_path / "r")


def test_samples_that_are_all_dropped_are_nothing_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes_as_ever = CountingProducer.samples

    def samples(self: CountingProducer, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        return iter(["write: shy" for _ in rows]) if self.job.seed == 0 else writes_as_ever(self, rows)

    monkeypatch.setattr(CountingProducer, "samples", samples)
    for _ in range(2):
        with pytest.raises(UsageError, match=r"5 scenes gave nothing to ask \(most often because of write: shy\): a"):
            build(tmp_path / "r")
        assert published(tmp_path / "r") == {}
    build(tmp_path / "r", seed=1)
    build(tmp_path / "new", seed=1)
    assert published(tmp_path / "r") == published(tmp_path / "new")


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (1, None, "ask for more --scenes.$"),
        (1, 6, "ask for more --scenes.$"),
        (1, 5, "and what it is built from has no more: build it from something else.$"),
    ],
)
def test_more_scenes_are_advised_where_there_are_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, barren: set[str], least: int, most: int | None, said: str
) -> None:
    monkeypatch.setattr(CountingProducer, "least_scenes", lambda self: least)
    monkeypatch.setattr(CountingProducer, "most_scenes", lambda self: most)
    with pytest.raises(UsageError, match=said):
        build(tmp_path / "r")


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (None, "ask for more --scenes, 7 at least.$"),
        (6, "and what it is built from has 6 of 7 at least: build it from something larger.$"),
    ],
)
def test_so_it_is_where_too_few_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int | None, said: str
) -> None:
    monkeypatch.setattr(CountingProducer, "least_scenes", lambda self: 7)
    monkeypatch.setattr(CountingProducer, "most_scenes", lambda self: most)
    with pytest.raises(UsageError, match=said):
        build(tmp_path / "r")
