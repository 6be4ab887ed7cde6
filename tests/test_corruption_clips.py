"""The suites find every corruption of collision scenes, and nothing in the release that was corrupted."""

from __future__ import annotations

import fcntl
import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
import pytest

from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent as SilentBuild
from flowbench.builders.runner import build
from flowbench.progress import Silent
from flowbench.validation.corruption import CLIP_CORRUPTIONS, CORRUPTIONS, CROWDED, Corruption
from flowbench.validation.corruption.cutting import crowd_clips, thin_clips
from flowbench.validation.registry import SUITES, Suites
from flowbench.validation.runner import Validation, validate
from flowbench.validation.shards import UNFINISHED
from flowbench.validation.suites.members import INTEGRITY

CONFIGS = ("retrieval_corpus", "retrieval_test", "selection_matched", "selection_test", "selection_train")
SEED = 3
SHARED = frozenset({"balance", "shortcuts"})
"""Suites that need more samples than these."""
Rules = Mapping[str, Mapping[str, int]]


@pytest.fixture(scope="session")
def clips(shared_folder: Path) -> Path:
    """A release of five scenes, one of them for testing; read only."""
    out = shared_folder / "clips"
    with (shared_folder / "clips.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (out / "manifest.json").exists():
            build(BuildOptions(CONFIGS, out, 5, SEED, workers=1), SilentBuild())
    return out


@pytest.fixture(scope="session")
def good(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few samples a config."""
    out = tmp_path_factory.mktemp("clips") / "flowbench"
    thin_clips(clips, out)
    return out


def checked(root: Path, named: Collection[str], *, samples: bool = True) -> Validation:
    """What these suites find, beside integrity, which the runner needs."""
    wanted = {*named, INTEGRITY}
    suites = {
        config: Suites(
            tuple(each for each in own.samples if samples and each.name in wanted),
            tuple(each for each in own.configs if each.name in wanted),
            own.opener,
        )
        for config, own in SUITES.items()
    }
    return validate(root, [], 1, Silent(), suites)


def rules(found: Validation) -> Rules:
    return {
        f"{result.config} {suite.name}": suite.rules
        for result in found.results.values()
        for suite in result.suites
        if suite.rules
    }


def named(found: Rules) -> set[str]:
    return {each.partition(" ")[2] for each in found}


def broken(corruption: Corruption, good: Path, tmp_path: Path) -> Path:
    root = tmp_path / "flowbench"
    shutil.copytree(good, root)
    corruption.apply(root, np.random.default_rng(1))
    return root


@pytest.mark.slow
def test_the_whole_release_passes_every_suite(clips: Path) -> None:
    found = checked(clips, {suite.name for own in SUITES.values() for suite in (*own.samples, *own.configs)})
    assert rules(found) == {}
    assert found.passed
    assert all(suite.skipped is None for result in found.results.values() for suite in result.suites)


@pytest.mark.slow
def test_what_is_cut_out_of_it_passes_too(good: Path) -> None:
    found = checked(good, {"labels", "geometry", "simulation", "ambiguity", "text", "leakage"})
    assert rules(found) == {}
    assert {config: result.samples for config, result in found.results.items()}.keys() == set(CONFIGS)


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIP_CORRUPTIONS)
def test_a_corruption_is_found(name: str, good: Path, tmp_path: Path) -> None:
    corruption = CLIP_CORRUPTIONS[name]
    found = rules(checked(broken(corruption, good, tmp_path), corruption.suites))
    assert corruption.suites <= named(found)
    assert corruption.suites == {INTEGRITY} or INTEGRITY not in named(found)
    assert not any(UNFINISHED in of_suite for of_suite in found.values())


@pytest.mark.slow
@pytest.mark.parametrize("corruption", CROWDED, ids=lambda each: each.name)
def test_what_no_single_sample_shows_is_found(corruption: Corruption, clips: Path, tmp_path: Path) -> None:
    crowded = tmp_path / "crowded"
    crowd_clips(clips, crowded)
    usual = rules(checked(crowded, SHARED, samples=False))
    found = rules(checked(broken(corruption, crowded, tmp_path), corruption.suites, samples=False))
    for suite in corruption.suites:
        where = f"selection_test {suite}"
        assert sum(found[where].values()) > sum(usual.get(where, {}).values())


def test_the_kit_knows_every_suite() -> None:
    every = [*CLIP_CORRUPTIONS.values(), *CROWDED]
    ours = {suite.name for config in CONFIGS for suite in (*SUITES[config].samples, *SUITES[config].configs)}
    assert frozenset().union(*(each.suites for each in every)) == ours
    assert len(every) >= 60
    assert all(each.about and each.suites for each in every)
    assert not set(CLIP_CORRUPTIONS) & set(CORRUPTIONS)


def test_the_page_has_a_row_for_every_way() -> None:
    page = (Path(__file__).parents[1] / "docs" / "validation.md").read_text("utf-8")
    told = re.findall(r"^\| (.+?) \| .+ \| .+ \| .+ \|$", page, re.MULTILINE)
    every = [*CORRUPTIONS, *CLIP_CORRUPTIONS, *(each.name for each in CROWDED)]
    assert [name for name in told if name in every] == every


def test_what_suits_nothing_is_said(release: Path, tmp_path: Path) -> None:
    for name in ("target not in the corpus", "test scene in training"):
        with pytest.raises(ValueError, match="build it too"):
            CLIP_CORRUPTIONS[name].apply(release, np.random.default_rng(1))
