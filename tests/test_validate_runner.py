"""The runner of the suites: what it calls, in which order, what it keeps, and how it ends."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.validating import (
    Dying,
    Failing,
    FailingWhole,
    Reading,
    Refusing,
    Telling,
    Whole,
    broken,
    change_shard,
    make_valid_release,
    rules,
    with_integrity,
)

from flowbench.errors import ReleaseError, UsageError
from flowbench.progress import Silent
from flowbench.release import read_manifest
from flowbench.validation.corruption import Draft, Rewriting
from flowbench.validation.results import ConfigResult
from flowbench.validation.runner import MOST_KEPT, NO_INDEX, NO_SAMPLE, validate
from flowbench.workers import WorkerDiedError


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Read only: two configs, three splits of 6 samples in two shards each."""
    return make_valid_release(tmp_path_factory.mktemp("clean") / "flowbench", 6)


@pytest.fixture
def root(clean: Path, tmp_path: Path) -> Path:
    """A copy to break."""
    return Path(shutil.copytree(clean, tmp_path / "flowbench"))


def test_a_good_release_passes(clean: Path) -> None:
    found = validate(clean, [], 1, Silent(), with_integrity(Reading()))
    assert found.passed
    assert {name: rules(result) for name, result in found.results.items()} == {"sim_test": {}, "sim_train": {}}
    assert found.samples == 18
    counts = {"closer_to": 2, "left_right": 2, "near_object": 2}
    assert found.results["sim_train"].samples == {"train": counts, "validation": counts}


@pytest.mark.slow
def test_findings_do_not_depend_on_workers(clean: Path) -> None:
    suites = with_integrity(Telling(), Failing(), Whole())
    one, two = (validate(clean, [], workers, Silent(), suites) for workers in (1, 2))
    assert not one.passed
    for name, result in one.results.items():
        assert two.results[name].to_bytes() == result.to_bytes()
        assert two.configs[name].facts.equals(one.configs[name].facts)


def test_violations_are_placed_and_counted_by_category(clean: Path) -> None:
    result = validate(clean, ["sim_train"], 1, Silent(), with_integrity(Telling())).results["sim_train"]
    suite = next(each for each in result.suites if each.name == "telling")
    assert suite.rules == {"told so": 4}
    assert suite.by_category == {"left_right": 4}
    assert [(each.key, each.split) for each in suite.kept] == [
        ("train-00000", "train"),
        ("train-00003", "train"),
        ("validation-00006", "validation"),
        ("validation-00009", "validation"),
    ]
    shards = {shard.path for files in read_manifest(clean).configs["sim_train"].values() for shard in files.shards}
    assert {each.file for each in suite.kept} <= shards
    assert not result.passed


def test_many_violations_are_counted_and_few_are_kept(tmp_path: Path) -> None:
    root = make_valid_release(tmp_path / "flowbench", 2 * MOST_KEPT, ("sim_test",))
    every = frozenset({"left_right", "near_object", "closer_to"})
    result = validate(root, [], 1, Silent(), with_integrity(Telling(every))).results["sim_test"]
    suite = next(each for each in result.suites if each.name == "telling")
    assert suite.violations == 2 * MOST_KEPT
    assert [each.key for each in suite.kept] == [f"test-{number:05d}" for number in range(MOST_KEPT)]


def test_a_suite_that_fails_passes_nothing(clean: Path) -> None:
    assert broken(clean, Failing(), Telling(), FailingWhole()) == {
        "failing": {"found before": 12, "check broke off": 13},
        "telling": {"told so": 4},
    }


def test_what_a_suite_cannot_read_is_told(clean: Path) -> None:
    assert broken(clean, Refusing(), Reading()) == {"refusing": {"sample cannot be read": 12}}


def test_what_integrity_told_is_not_told_again(root: Path) -> None:
    def garble(drafts: list[Draft]) -> list[Draft]:
        drafts[0].members["flow.png16"] = b"no picture"
        return drafts

    change_shard(root, garble, number=len(read_manifest(root).configs["sim_test"]["test"].shards))
    assert broken(root, Reading(), Refusing()) == {
        "integrity": {"member cannot be read": 1},
        "refusing": {"sample cannot be read": 11},
    }


def test_suites_over_configs_see_all_of_them(clean: Path) -> None:
    found = validate(clean, [], 1, Silent(), with_integrity(Whole()))
    assert [each.found for each in found.results["sim_test"].suites[-1].kept] == [
        "6 rows, 6 facts beside sim_test, sim_train"
    ]
    assert rules(found.results["sim_train"]) == {}
    assert {result.compared_with for result in found.results.values()} == {("sim_test", "sim_train")}


def test_under_paper_balance_is_reported_and_not_enforced(root: Path) -> None:
    release = Rewriting(root)
    release.manifest = release.manifest.model_copy(update={"preset": "paper"})
    release.publish()
    found = validate(root, ["sim_test"], 1, Silent(), with_integrity(Whole())).results["sim_test"]
    balance = next(suite for suite in found.suites if suite.name == "balance")
    assert (balance.violations, balance.enforced, balance.passed) == (1, False, True)
    assert rules(found)["integrity"] == {"preset of the provenance": 1}


def test_without_an_index_nothing_is_said_of_the_whole(root: Path) -> None:
    (root / "index" / "sim_test" / "test.parquet").write_bytes(b"PAR1")
    result = validate(root, ["sim_test"], 1, Silent(), with_integrity(Whole())).results["sim_test"]
    assert rules(result) == {"integrity": {"index cannot be read": 1}}
    balance = next(suite for suite in result.suites if suite.name == "balance")
    assert balance.skipped == NO_INDEX
    assert not balance.passed
    assert ConfigResult.model_validate(result.model_dump()) == result


def test_without_shards_suites_of_samples_have_not_run(root: Path) -> None:
    for each in (root / "data" / "sim_test").iterdir():
        each.unlink()
    result = validate(root, [], 1, Silent(), with_integrity(Reading())).results
    suites = {suite.name: suite.skipped for suite in result["sim_test"].suites}
    assert suites["integrity"] is None
    assert suites["reading"] == NO_SAMPLE
    assert all(suite.skipped is None for suite in result["sim_train"].suites)


def test_a_worker_that_dies_is_told(clean: Path) -> None:
    with pytest.raises(WorkerDiedError, match="a worker process died"):
        validate(clean, [], 2, Silent(), with_integrity(Dying()))


class Recorder:
    def __init__(self) -> None:
        self.stages: list[tuple[str, int]] = []
        self.done = self.samples = 0
        self.rejects: dict[str, int] = {}

    def start(self, stage: str, total: int, done: int = 0) -> None:
        self.stages.append((stage, total))

    def advance(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        self.done += done
        self.samples += samples
        for name, count in rejects.items():
            self.rejects[name] = self.rejects.get(name, 0) + count

    def finish(self) -> None:
        pass


def test_progress_is_told(clean: Path) -> None:
    told = Recorder()
    validate(clean, [], 1, told, with_integrity(Telling()))
    assert told.stages == [("check sim_test", 2), ("check sim_train", 4), ("judge sim_test", 1), ("judge sim_train", 1)]
    assert (told.done, told.samples, told.rejects) == (8, 18, {"telling": 6})


@pytest.mark.parametrize(
    ("prepare", "configs", "error", "sentence"),
    [
        (shutil.rmtree, [], UsageError, "does not exist"),
        (lambda root: (root / "manifest.json").unlink(), [], UsageError, "is not a release: it has no manifest.json"),
        (lambda root: None, ["sim_tets"], UsageError, "unknown config 'sim_tets': did you mean 'sim_test'"),
        (lambda root: (root / "manifest.json").write_bytes(b"{"), [], ReleaseError, "a valid Manifest: Invalid"),
        (lambda root: (root / "manifest.json").write_bytes(b'{"seed": NaN}'), [], ReleaseError, "not a valid Manifest"),
    ],
)
def test_what_is_no_release_is_told(root: Path, prepare, configs, error, sentence) -> None:  # type: ignore[no-untyped-def]
    prepare(root)
    with pytest.raises(error, match=sentence):
        validate(root, configs, 1, Silent())


def test_an_unfinished_build_is_told(tmp_path: Path) -> None:
    (tmp_path / ".build").mkdir()
    with pytest.raises(UsageError, match="unfinished build"):
        validate(tmp_path, [], 1, Silent())


def test_a_config_that_is_not_there_is_told(tmp_path: Path) -> None:
    root = make_valid_release(tmp_path / "flowbench", 2, ("sim_test",))
    with pytest.raises(UsageError, match="has no config 'sim_train'; it holds sim_test"):
        validate(root, ["sim_train"], 1, Silent())


def test_a_config_of_a_later_version_is_told(root: Path) -> None:
    release = Rewriting(root)
    configs = {**release.manifest.configs, "dream_test": release.manifest.configs["sim_test"]}
    (root / "manifest.json").write_bytes(release.manifest.model_copy(update={"configs": configs}).to_bytes())
    with pytest.raises(ReleaseError, match="'dream_test', which this version of flowbench does not know"):
        validate(root, [], 1, Silent())
