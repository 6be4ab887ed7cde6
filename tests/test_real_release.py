"""Releases of recorded pairs as a whole: splits, shares, the report."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from support.plain_release import make_real_release

from flowbench.progress import Silent
from flowbench.release import MANIFEST, read_manifest
from flowbench.validation.corruption.base import Corruption
from flowbench.validation.corruption.real import REAL_CORRUPTIONS, REAL_SHARES
from flowbench.validation.corruption.real_pairs import REAL_PAIRS
from flowbench.validation.corruption.real_words import REAL_SPLITS
from flowbench.validation.registry import SUITES, Suites
from flowbench.validation.report.page import report_page
from flowbench.validation.runner import Validation, validate
from flowbench.validation.suites.members import INTEGRITY

pytestmark = pytest.mark.slow
TEST_PAIRS = 8


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few pairs to test on and a few to train on; read only."""
    root = tmp_path_factory.mktemp("real") / "flowbench"
    make_real_release(root, 1, TEST_PAIRS)
    return root


def rules(found: Validation) -> dict[str, dict[str, int]]:
    """Config and suite -> rules broken."""
    return {
        f"{config} {suite.name}": dict(suite.rules)
        for config, result in found.results.items()
        for suite in result.suites
        if suite.rules
    }


def checked(root: Path, named: frozenset[str]) -> Validation:
    """What these suites find, beside integrity."""
    suites = {
        config: Suites(
            tuple(each for each in own.samples if each.name in named | {INTEGRITY}),
            tuple(each for each in own.configs if each.name in named | {INTEGRITY}),
            own.opener,
        )
        for config, own in SUITES.items()
    }
    return validate(root, [], 1, Silent(), suites)


def broken(corruption: Corruption, good: Path, tmp_path: Path) -> Validation:
    root = tmp_path / "flowbench"
    shutil.copytree(good, root)
    corruption.apply(root, np.random.default_rng(1))
    return checked(root, corruption.suites)


def test_a_release_passes_every_suite(good: Path) -> None:
    found = validate(good, [], 1, Silent())
    assert rules(found) == {}
    assert found.passed
    assert all(suite.skipped is None for result in found.results.values() for suite in result.suites)
    assert sum(found.results["real_test"].samples["test"].values()) == TEST_PAIRS
    page = report_page(found)
    for text in ("Capped shares", "Negating the before-answer", "definition and perception", "Without looking"):
        assert text in page
    assert page.count("<img") >= 6


@pytest.mark.parametrize("corruption", REAL_SPLITS, ids=lambda each: each.name)
def test_what_lies_in_two_splits_is_found(corruption: Corruption, good: Path, tmp_path: Path) -> None:
    found = rules(broken(corruption, good, tmp_path))
    assert any(name.endswith(" leakage") for name in found)


@pytest.mark.parametrize("corruption", REAL_PAIRS, ids=lambda each: each.name)
def test_a_question_unlike_the_others_of_its_pair_is_found(corruption: Corruption, good: Path, tmp_path: Path) -> None:
    assert "questions of one pair" in rules(broken(corruption, good, tmp_path))["real_train labels"]


@pytest.mark.parametrize("corruption", REAL_SHARES, ids=lambda each: each.name)
def test_what_no_sample_shows_is_found(corruption: Corruption, good: Path, tmp_path: Path) -> None:
    assert rules(broken(corruption, good, tmp_path))["real_test caps"]


@pytest.mark.parametrize("name", ["answer flipped", "mask shifted", "badge moved", "not a number"])
def test_a_sample_of_a_release_is_broken(name: str, good: Path, tmp_path: Path) -> None:
    corruption = REAL_CORRUPTIONS[name]
    validation = broken(corruption, good, tmp_path)
    found = {each.partition(" ")[2] for each in rules(validation)}
    assert corruption.suites <= found
    assert corruption.suites == {"integrity"} or "integrity" not in found
    page = report_page(validation)
    assert "cannot be shown" not in page
    assert 'alt="before marked"' in page


def test_given_recordings_are_no_simulation(good: Path, tmp_path: Path) -> None:
    root = tmp_path / "flowbench"
    shutil.copytree(good, root)
    manifest = read_manifest(root).model_copy(update={"sources": {"real_train": {"rt1": "0" * 64}}})
    (root / MANIFEST).write_bytes(manifest.to_bytes())
    found = rules(checked(root, frozenset()))
    assert "simulator of the provenance" in found["real_train integrity"]
    assert "simulator of the provenance" not in found.get("real_test integrity", {})
