"""The suites find every corruption of the kit, and nothing in the release that was corrupted."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from flowbench.errors import ReleaseError
from flowbench.progress import Silent
from flowbench.validation.corruption import CORRUPTIONS, Rewriting
from flowbench.validation.corruption.cutting import CONFIG, crowd, thin
from flowbench.validation.registry import SUITES, Suites
from flowbench.validation.results import ConfigResult
from flowbench.validation.runner import validate
from flowbench.validation.shards import UNFINISHED
from flowbench.validation.suites.members import INTEGRITY

SEED = 1
SHARED = frozenset({"balance", "shortcuts"})
"""Suites that need more samples than one a category."""
QUICK = 8
"""Every so manieth corruption is tried in the quick suite, all of them in the whole one."""


def of(names: Collection[str]) -> list[ParameterSet]:
    return [pytest.param(name, marks=() if i % QUICK == 0 else pytest.mark.slow) for i, name in enumerate(names)]


SINGLE = of([name for name, each in CORRUPTIONS.items() if not each.suites & SHARED])
CROWDED = of([name for name, each in CORRUPTIONS.items() if each.suites & SHARED])


@pytest.fixture(scope="session")
def good(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One sample a category, in two splits."""
    out = tmp_path_factory.mktemp("good") / "flowbench"
    thin(release, out)
    return out


@pytest.fixture(scope="session")
def crowded(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every record of the release three times, without pictures."""
    out = tmp_path_factory.mktemp("crowded") / "flowbench"
    crowd(release, out)
    return out


def checked(root: Path, named: Collection[str], *, samples: bool = True) -> ConfigResult:
    """What these suites find, beside integrity, which the runner needs."""
    every = SUITES[CONFIG]
    wanted = {*named, INTEGRITY}
    of_samples = tuple(each for each in every.samples if each.name in wanted) if samples else ()
    suites = {CONFIG: Suites(of_samples, tuple(each for each in every.configs if each.name in wanted))}
    return validate(root, [CONFIG], 1, Silent(), suites).results[CONFIG]


def rules(result: ConfigResult) -> Mapping[str, Mapping[str, int]]:
    return {suite.name: suite.rules for suite in result.suites if suite.rules}


def broken(name: str, good: Path, tmp_path: Path) -> Path:
    root = tmp_path / "flowbench"
    shutil.copytree(good, root)
    CORRUPTIONS[name].apply(root, np.random.default_rng(SEED))
    return root


def test_the_good_release_passes_every_suite(good: Path) -> None:
    result = checked(good, {suite.name for suite in (*SUITES[CONFIG].samples, *SUITES[CONFIG].configs)})
    assert rules(result) == {}
    assert result.passed
    assert {split: sum(counts.values()) > 1 for split, counts in result.samples.items()} == {
        "train": True,
        "validation": True,
    }


@pytest.mark.parametrize("name", SINGLE)
def test_a_corruption_is_found(name: str, good: Path, tmp_path: Path) -> None:
    result = checked(broken(name, good, tmp_path), CORRUPTIONS[name].suites)
    found = rules(result)
    assert CORRUPTIONS[name].suites <= found.keys()
    assert not any(UNFINISHED in of_suite for of_suite in found.values())
    assert not result.passed


@pytest.fixture(scope="session")
def usual(crowded: Path) -> Mapping[str, Mapping[str, int]]:
    """What is found before anything is broken: records that occur three times look luckier than they are."""
    return rules(checked(crowded, SHARED, samples=False))


@pytest.mark.parametrize("name", CROWDED)
def test_what_no_single_sample_shows_is_found(
    name: str, crowded: Path, usual: Mapping[str, Mapping[str, int]], tmp_path: Path
) -> None:
    found = rules(checked(broken(name, crowded, tmp_path), CORRUPTIONS[name].suites, samples=False))
    for suite in CORRUPTIONS[name].suites:
        assert sum(found[suite].values()) > sum(usual.get(suite, {}).values())


def test_the_kit_knows_every_suite() -> None:
    named = frozenset().union(*(each.suites for each in CORRUPTIONS.values()))
    assert named == {suite.name for suite in (*SUITES[CONFIG].samples, *SUITES[CONFIG].configs)}
    assert len(CORRUPTIONS) > 130
    assert all(each.about and each.suites for each in CORRUPTIONS.values())


def test_most_corruptions_leave_integrity_nothing_to_find(good: Path, tmp_path: Path) -> None:
    """Manifest, index and card agree with what a corruption of labels has left."""
    root = broken("answer flipped, reasoning too", good, tmp_path)
    assert rules(checked(root, {"integrity", "labels", "text"})).keys() == {"labels", "text"}


def test_rewriting_without_a_change_keeps_the_shards(good: Path, tmp_path: Path) -> None:
    root = tmp_path / "flowbench"
    shutil.copytree(good, root)
    copy = Rewriting(root)
    before = copy.manifest
    for place in copy.places():
        copy.write(place, copy.read(place))
    copy.finish()
    assert copy.manifest.configs == before.configs


def test_what_suits_nothing_is_said(crowded: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no config with two splits"):
        broken("scene in two splits", crowded, tmp_path)


def test_a_corruption_is_the_same_for_the_same_seed(good: Path, tmp_path: Path) -> None:
    first, second = (broken("near-duplicate picture", good, tmp_path / each) for each in "ab")
    assert (first / "manifest.json").read_bytes() == (second / "manifest.json").read_bytes()


def test_a_release_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(ReleaseError):
        CORRUPTIONS["answer flipped"].apply(tmp_path, np.random.default_rng(SEED))
