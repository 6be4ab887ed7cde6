"""The runner: receipts, resume, lock, refusals, full disks; with a producer that costs nothing."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from support.building import build, counting, published
from support.counting import CountingProducer

from flowbench.builders import shards, units
from flowbench.errors import UsageError
from flowbench.release import iter_samples, read_manifest, shard_files

__all__ = ["counting"]

DRIVER = """
import sys
from pathlib import Path
from flowbench.builders import producer, runner
from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
producer.PRODUCERS = {"sim_train": "support.counting:CountingProducer"}
runner.PRODUCERS = producer.PRODUCERS
"""


def test_a_build_is_a_release_with_true_counts(tmp_path: Path) -> None:
    report = build(tmp_path / "r")
    keys = [sample.key for path in shard_files(tmp_path / "r", "sim_train") for sample in iter_samples(path)]
    # 15 candidates; 6 and 13 are not selected; 4, 9 and 14 are dropped when written
    assert sorted(int(key[-4:]) for key in keys) == [0, 1, 2, 3, 5, 7, 8, 10, 11, 12]
    assert read_manifest(tmp_path / "r").samples("sim_train") == {"train": 8, "validation": 2}
    config = report.configs["sim_train"]
    assert {split: sum(counts.values()) for split, counts in config.samples.items()} == {"train": 8, "validation": 2}
    assert config.rejects == {
        "propose": {"propose: odd": 3},
        "select": {"select: seventh": 2},
        "write": {"write: fifth": 3},
    }
    assert report.changed


def test_running_a_finished_build_again_changes_nothing(tmp_path: Path) -> None:
    build(tmp_path / "r")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "r").rglob("*") if path.is_file()}
    report = build(tmp_path / "r")
    assert not report.changed
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "r").rglob("*") if path.is_file()} == before


def test_more_scenes_extend_to_what_one_build_gives(tmp_path: Path) -> None:
    build(tmp_path / "grown", scenes=2)
    build(tmp_path / "grown", scenes=3)
    build(tmp_path / "grown", scenes=6)
    build(tmp_path / "once", scenes=6)
    assert published(tmp_path / "grown") == published(tmp_path / "once")


def test_adding_a_config_keeps_the_other(tmp_path: Path) -> None:
    build(tmp_path / "r")
    first = published(tmp_path / "r")
    build(tmp_path / "r", configs=("sim_test",))
    both = published(tmp_path / "r")
    shared = [name for name in first if name.startswith("data/")]
    assert shared
    assert all(both[name] == first[name] for name in shared)
    assert set(read_manifest(tmp_path / "r").configs) == {"sim_train", "sim_test"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seed": 1}, "seed 0"),
        ({"width": 160}, "width 800"),
        ({"scenes": 4}, "holds 5 scenes"),
        ({"shard_bytes": 20_000}, "shard bytes 10000"),
    ],
)
def test_another_build_is_refused_and_nothing_touched(tmp_path: Path, changes: dict[str, object], told: str) -> None:
    build(tmp_path / "r")
    before = {path: path.read_bytes() for path in (tmp_path / "r").rglob("*") if path.is_file()}
    with pytest.raises(UsageError, match=told):
        build(tmp_path / "r", **changes)
    assert {path: path.read_bytes() for path in (tmp_path / "r").rglob("*") if path.is_file()} == before


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path / "r")
    monkeypatch.setattr("flowbench.builders.state.__version__", "99.0")
    with pytest.raises(UsageError, match="builder version"):
        build(tmp_path / "r")


def test_a_directory_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="holds files that no build"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_as_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file"):
        build(tmp_path / "file")


def test_unknown_config_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sim_train"):
        build(tmp_path / "r", configs=("sim_trian",))
    assert not (tmp_path / "r").exists()


def test_too_small_a_disk_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("usage", (), {"free": 1_000})())
    with pytest.raises(UsageError, match=r"1\.0 kB free"):
        build(tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_two_builds_on_one_directory_the_second_refuses(tmp_path: Path) -> None:
    build(tmp_path / "r")
    with (tmp_path / "r" / ".build" / "lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="another build is at work"):
            build(tmp_path / "r", scenes=6)
    assert build(tmp_path / "r", scenes=6).changed


def test_left_over_temporary_files_are_swept_and_nothing_else(tmp_path: Path) -> None:
    build(tmp_path / "r", scenes=2)
    data = tmp_path / "r" / "data" / "sim_train"
    (data / ".flowbench-0123456789abcdef.tmp").write_bytes(b"half a shard")
    (data / "notes.txt").write_text("mine")
    build(tmp_path / "r")
    assert not (data / ".flowbench-0123456789abcdef.tmp").exists()
    assert (data / "notes.txt").read_text() == "mine"


def test_temporary_files_of_ended_workers_go_with_a_failed_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Mapping[str, Any]) -> dict[str, int]:
        folder = tmp_path / "r" / "data" / "sim_train"
        folder.mkdir(parents=True)
        (folder / ".flowbench-0123456789abcdef.tmp").write_bytes(b"half a shard")
        raise UsageError("the disk is full")

    monkeypatch.setattr(units, "make_shard", fail)
    with pytest.raises(UsageError, match="the disk is full"):
        build(tmp_path / "r")
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize(
    "damage", ["truncated", "removed", "receipt lost", "receipt garbled", "receipt of something else"]
)
def test_a_damaged_shard_is_made_again(tmp_path: Path, damage: str) -> None:
    build(tmp_path / "r")
    whole = published(tmp_path / "r")
    shard = shard_files(tmp_path / "r", "sim_train")[0]
    receipt = tmp_path / "r" / ".build" / "sim_train" / "write" / f"{shard.name}.json"
    if damage == "truncated":
        os.truncate(shard, 1000)
    elif damage == "removed":
        shard.unlink()
    elif damage == "receipt lost":
        receipt.unlink()
    else:
        receipt.write_text("{" if damage == "receipt garbled" else '{"digest": 3, "shard": {}}')
    assert build(tmp_path / "r").changed
    assert published(tmp_path / "r") == whole


def fill_the_disk_after(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """The system has no more room for shards once so many bytes of them have been written."""
    left = [room]
    honest: Callable[[shards._Hashing, bytes], None] = shards._Hashing.write

    def write(self: shards._Hashing, data: bytes) -> None:
        left[0] -= len(data)
        if left[0] < 0:
            full = os.open("/dev/full", os.O_WRONLY)
            os.dup2(full, self._file.fileno())
            os.close(full)
        honest(self, data)

    monkeypatch.setattr(shards._Hashing, "write", write)


@pytest.mark.parametrize("room", [0, 700, 15_000])
def test_a_full_disk_is_one_sentence_and_leaves_no_half_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    build(tmp_path / "undisturbed")
    with monkeypatch.context() as patch:
        fill_the_disk_after(patch, room)
        with pytest.raises(UsageError, match="disk is full"):
            build(tmp_path / "r")
    assert not list((tmp_path / "r").rglob("*.tmp"))
    assert not (tmp_path / "r" / "manifest.json").exists()
    for path in shard_files(tmp_path / "r", "sim_train"):
        assert list(iter_samples(path))
    build(tmp_path / "r")
    assert published(tmp_path / "r") == published(tmp_path / "undisturbed")


def test_an_interrupted_extension_is_no_release_until_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path / "r", scenes=2)
    honest = units.make_shard
    done: list[object] = []

    def interrupted(shard: Mapping[str, Any]) -> dict[str, int]:
        if done:
            raise KeyboardInterrupt
        done.append(shard)
        return honest(shard)

    monkeypatch.setattr(units, "make_shard", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "r")
    # plain datasets goes by the card: without one it cannot mix old and new shards
    assert not (tmp_path / "r" / "manifest.json").exists()
    assert not (tmp_path / "r" / "README.md").exists()
    assert len(shard_files(tmp_path / "r", "sim_train")) == 1
    monkeypatch.setattr(units, "make_shard", honest)
    build(tmp_path / "r")
    build(tmp_path / "undisturbed")
    assert published(tmp_path / "r") == published(tmp_path / "undisturbed")


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A directory that may not be written to."""
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_one_sentence(read_only: Path) -> None:
    with pytest.raises(UsageError, match="permission denied"):
        build(read_only / "r")


def test_a_closed_directory_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UsageError, match="permission denied"):
        build(tmp_path / "r")


def test_killed_at_any_moment_a_rerun_gives_the_undisturbed_release(tmp_path: Path) -> None:
    build(tmp_path / "undisturbed", scenes=40)
    script = DRIVER + f"runner.build(BuildOptions(('sim_train',), Path({str(tmp_path / 'r')!r}), scenes=40, "
    script += "shard_bytes=10_000), Silent())\n"
    for delay in (0.05, 0.15, 0.3):
        child = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parent)
        deadline = time.monotonic() + 60
        while not (tmp_path / "r" / ".build" / "lock").exists() and child.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.wait()
    build(tmp_path / "r", scenes=40)
    assert published(tmp_path / "r") == published(tmp_path / "undisturbed")
    assert not list((tmp_path / "r").rglob("*.tmp"))


def test_a_config_that_gives_nothing_does_not_hold_up_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def select(self: CountingProducer, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Counter[str]]:
        chosen, rejects = chosen_as_ever(self, candidates)
        return (chosen.clear() if self.job.config == "sim_test" else chosen), rejects

    chosen_as_ever = CountingProducer.select
    monkeypatch.setattr(CountingProducer, "select", select)
    with pytest.raises(UsageError, match=r"sim_test: 5 scenes gave nothing to ask .*ask for more --scenes"):
        build(tmp_path / "r", configs=("sim_train", "sim_test"))
    assert list(read_manifest(tmp_path / "r").configs) == ["sim_train"]
