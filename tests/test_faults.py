"""Whatever happens to a build, the rest of it goes on, and a rerun gives the undisturbed release byte for byte."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.building import build, published
from support.faulty import FAULTY, FOLDER, plant

from flowbench.builders import runner
from flowbench.builders.crew import BlocksFailedError, Failed, RefusedError
from flowbench.builders.guard import Spec
from flowbench.builders.state import State
from flowbench.errors import FlowbenchError
from flowbench.release import iter_samples, shard_files
from flowbench.schema import CONFIGS

GUARDED = {"engine": "local", "workers": 2}


@pytest.fixture(autouse=True)
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of faults, and the producer that meets with them."""
    fake = dict.fromkeys(CONFIGS, FAULTY)
    monkeypatch.setattr("flowbench.builders.producer.PRODUCERS", fake)
    monkeypatch.setattr(runner, "PRODUCERS", fake)
    monkeypatch.setenv(FOLDER, str(tmp_path / "faults"))
    return tmp_path / "faults"


@pytest.fixture
def undisturbed(tmp_path: Path) -> dict[str, str]:
    """What is published where nothing happens."""
    build(tmp_path / "undisturbed")
    return published(tmp_path / "undisturbed")


@pytest.mark.parametrize("stage", ["propose", "write"])
@pytest.mark.parametrize("faults_of_a_block", [("raise", "abort"), ("kill", "exit")])
def test_a_block_that_fails_at_first_makes_no_difference(
    tmp_path: Path, undisturbed: dict[str, str], faults: Path, stage: str, faults_of_a_block: tuple[str, ...]
) -> None:
    plant(faults, stage, 2, faults_of_a_block)
    build(tmp_path / "r", **GUARDED)
    assert list(faults.iterdir()) == []
    assert published(tmp_path / "r") == undisturbed
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize(
    ("stage", "fault", "named", "reason"),
    [
        ("propose", "raise", "sim_train scenes 2 to 3", "ValueError: the scene is upside down"),
        ("propose", "abort", "sim_train scenes 2 to 3", "the process died of SIGABRT"),
        ("write", "abort", "data/sim_train/train-00003-of-00005.tar", "the process died of SIGABRT"),
        ("write", "kill", "data/sim_train/train-00003-of-00005.tar", "the process died of SIGKILL"),
    ],
)
def test_a_block_that_always_fails_is_told_at_the_end_and_tried_again_by_a_rerun(
    tmp_path: Path, undisturbed: dict[str, str], faults: Path, stage: str, fault: str, named: str, reason: str
) -> None:
    plant(faults, stage, 2, [fault] * 3)
    with pytest.raises(BlocksFailedError) as failure:
        build(tmp_path / "r", **GUARDED)
    state = State(tmp_path / "r")
    assert failure.value.exit_code == 1
    assert f"1 block failed, all else that could be done is: {named} (3 tries: {reason}" in str(failure.value)
    assert state.failed.read_text().startswith(f"{named}\t{reason}")
    assert not (tmp_path / "r" / "manifest.json").exists()
    receipts = len(list((state.root / "sim_train" / stage).glob("*.json")))
    assert receipts == {"propose": 3 - 1, "write": 7 - 1}[stage], "all others are done"
    report = build(tmp_path / "r", **GUARDED)
    assert report.changed
    assert published(tmp_path / "r") == undisturbed
    assert not state.failed.exists()


def test_another_config_goes_on_where_one_fails(tmp_path: Path, faults: Path) -> None:
    both = ("sim_train", "sim_test")
    build(tmp_path / "undisturbed", configs=both)
    plant(faults, "propose", 4, ["raise"] * 3)
    with pytest.raises(BlocksFailedError, match="sim_train scene 4"):
        build(tmp_path / "r", configs=both, engine="local")
    assert State(tmp_path / "r").complete("sim_test").exists()
    build(tmp_path / "r", configs=both, engine="local")
    assert published(tmp_path / "r") == published(tmp_path / "undisturbed")


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["propose", "write"])
def test_a_block_that_hangs_is_ended_and_tried_again(
    tmp_path: Path, undisturbed: dict[str, str], faults: Path, stage: str
) -> None:
    plant(faults, stage, 2, ["hang"])
    build(tmp_path / "r", **GUARDED, engine_options={"block_seconds": 20.0})
    assert list(faults.iterdir()) == []
    assert any("suffer" in log.read_text() for log in State(tmp_path / "r").logs.iterdir()), "where it hung is told"
    assert published(tmp_path / "r") == undisturbed


def test_a_full_disk_ends_the_run_in_one_sentence(tmp_path: Path, undisturbed: dict[str, str], faults: Path) -> None:
    plant(faults, "write", 2, ["full"])
    with pytest.raises(RefusedError, match="the disk is full: free some space") as refusal:
        build(tmp_path / "r", engine="local")
    assert refusal.value.exit_code == 2
    assert not list(tmp_path.rglob("*.tmp"))
    for path in shard_files(tmp_path / "r", "sim_train"):
        assert list(iter_samples(path))
    build(tmp_path / "r", engine="local")
    assert published(tmp_path / "r") == undisturbed


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB, most of it taken by a file ``ballast``."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("only root may mount a small disk")
    (disk / "ballast").write_bytes(bytes(4_000_000))
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.slow
def test_a_small_disk_that_is_really_full(
    small_disk: Path, undisturbed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "SPARE_BYTES", -(10**9))  # it would be refused before
    with pytest.raises(FlowbenchError, match="disk is full"):
        build(small_disk / "r", **GUARDED)
    (small_disk / "ballast").unlink()
    build(small_disk / "r", **GUARDED)
    assert published(small_disk / "r") == undisturbed
    assert not list(small_disk.rglob("*.tmp"))


def test_a_shard_truncated_by_hand_is_made_again(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    build(tmp_path / "r", **GUARDED)
    os.truncate(shard_files(tmp_path / "r", "sim_train")[1], 1000)
    assert build(tmp_path / "r", **GUARDED).changed
    assert published(tmp_path / "r") == undisturbed


def test_many_failures_are_counted_and_a_few_told(tmp_path: Path) -> None:
    failed = [Failed(f"sim_train scene {i}", ("A: b (log: x.log)", "A: b (log: y.log)")) for i in range(1200)]
    text = str(BlocksFailedError.of(failed, State(tmp_path)))
    assert "1,200 blocks failed" in text
    assert "sim_train scene 2 (2 tries: A: b); and 1197 more: run the same command again to try them again" in text
    assert "scene 3" not in text
    assert "\n" not in text


def test_receipts_decide_not_what_an_engine_says(
    tmp_path: Path, undisturbed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that is lost after its work is done loses nothing; one that says it is done has to show it."""
    from flowbench.builders import crew
    from flowbench.builders.guard import Report

    def lost(spec: Spec) -> Report:
        honest(spec)
        return Report(spec.name, None, ("the node was lost",))

    def boastful(spec: Spec) -> Report:
        return Report(spec.name, {"made": 1})

    honest = crew.run_here
    with monkeypatch.context() as patch:
        patch.setattr(crew, "run_here", lost)
        build(tmp_path / "r")
    assert published(tmp_path / "r") == undisturbed
    monkeypatch.setattr(crew, "run_here", boastful)
    monkeypatch.setattr("flowbench.builders.tally.LAG_SECONDS", 0.1)
    with pytest.raises(BlocksFailedError, match="reported done, but left no receipt"):
        build(tmp_path / "r2")
