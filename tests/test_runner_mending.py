"""What a rerun mends: lost and damaged files of a finished build, and of an unfinished one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.building import build, counting, options, published
from support.counting import CountingProducer

from flowbench.builders import runner
from flowbench.builders.options import BuildOptions
from flowbench.builders.producer import Job
from flowbench.builders.units import shard_digest
from flowbench.errors import UsageError
from flowbench.release import iter_samples, shard_files

__all__ = ["counting"]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def scribble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [Path.unlink, cut, scribble])
@pytest.mark.parametrize("name", ["index/sim_train/train.parquet", "README.md", "manifest.json"])
def test_a_damaged_file_of_a_finished_build_is_written_again(
    tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    build(tmp_path / "r")
    whole = published(tmp_path / "r")
    damage(tmp_path / "r" / name)
    assert published(tmp_path / "r") != whole
    assert build(tmp_path / "r").changed
    assert published(tmp_path / "r") == whole
    assert not build(tmp_path / "r").changed


def test_the_index_of_another_config_is_mended_as_well(tmp_path: Path) -> None:
    build(tmp_path / "r", configs=("sim_train", "sim_test"))
    whole = published(tmp_path / "r")
    (tmp_path / "r" / "index" / "sim_train" / "validation.parquet").unlink()
    assert build(tmp_path / "r", configs=("sim_test",)).changed
    assert published(tmp_path / "r") == whole


def test_a_lost_shard_of_another_config_is_told(tmp_path: Path) -> None:
    build(tmp_path / "r", configs=("sim_train", "sim_test"))
    whole = published(tmp_path / "r")
    shard_files(tmp_path / "r", "sim_train")[0].unlink()
    with pytest.raises(UsageError, match="is lost or cut short: build sim_train as well"):
        build(tmp_path / "r", configs=("sim_test",))
    build(tmp_path / "r", configs=("sim_train", "sim_test"))
    assert published(tmp_path / "r") == whole


@pytest.mark.parametrize("damage", [Path.unlink, cut, scribble])
@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_a_block_with_damaged_candidates_is_proposed_again(
    tmp_path: Path, suffix: str, damage: Callable[[Path], None]
) -> None:
    build(tmp_path / "r", scenes=2)
    damage((tmp_path / "r" / ".build" / "sim_train" / "propose" / "000000").with_suffix(suffix))
    build(tmp_path / "r")
    build(tmp_path / "undisturbed")
    assert published(tmp_path / "r") == published(tmp_path / "undisturbed")


def test_candidates_that_another_receipt_would_hide_are_seen(tmp_path: Path) -> None:
    """The receipt names the scenes and the very bytes of its table."""
    build(tmp_path / "r", scenes=4)
    propose = tmp_path / "r" / ".build" / "sim_train" / "propose"
    (propose / "000000.parquet").write_bytes((propose / "000001.parquet").read_bytes())
    whole = published(tmp_path / "r")
    assert build(tmp_path / "r", scenes=4).changed
    assert published(tmp_path / "r") == whole
    assert json.loads((propose / "000000.json").read_text())["scenes"] == [0, 1]


def test_splits_are_cut_evenly(tmp_path: Path) -> None:
    """Six samples of 5 kB fit a shard; ten are selected for train: five a shard, not six and four."""
    build(tmp_path / "r", scenes=5, shard_bytes=30_000)
    counts = [len(list(iter_samples(path))) for path in shard_files(tmp_path / "r", "sim_train", "train")]
    assert counts == [4, 4], "4 and 14 are dropped when written"


def test_a_shard_s_digest_covers_whatever_the_producer_selected() -> None:
    job = Job("sim_train", "homes_train", 0, "balanced", "bullet", 800, 600)
    row = {"key": "a", "payload": "b", "anything": 1}
    digest = shard_digest(job, "x.tar", (row,))
    assert digest == shard_digest(job, "x.tar", (dict(reversed(row.items())),))
    assert digest != shard_digest(job, "x.tar", ({**row, "anything": 2},))
    assert digest != shard_digest(job, "y.tar", (row,))


class Told:
    """Progress that is written down."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int, int]] = []
        self.done: list[int] = []

    def start(self, stage: str, total: int, done: int = 0) -> None:
        self.stages.append((stage, total, done))
        self.done.append(done)

    def advance(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        self.done[-1] += done

    def finish(self) -> None:
        assert self.done[-1] == self.stages[-1][1]


def told(out: Path, **changes: object) -> Told:
    progress = Told()
    asked: BuildOptions = options(out, **changes)
    runner.build(asked, progress)
    return progress


def test_progress_counts_scenes_and_says_what_was_done_before(tmp_path: Path) -> None:
    assert told(tmp_path / "r", scenes=3).stages == [
        ("prepare", 1, 0),
        ("propose sim_train", 3, 0),
        ("write sim_train", 4, 0),
    ]
    # the last block held one scene and is proposed again
    assert told(tmp_path / "r", scenes=5).stages[1] == ("propose sim_train", 5, 2)
    shard_files(tmp_path / "r", "sim_train")[0].unlink()
    shards = len(shard_files(tmp_path / "r", "sim_train")) + 1
    assert told(tmp_path / "r", scenes=5).stages[1:] == [
        ("propose sim_train", 5, 5),
        ("write sim_train", shards, shards - 1),
    ]


def test_progress_leaves_out_scenes_that_the_config_does_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CountingProducer, "takes", lambda self, scene: scene == 4)
    assert told(tmp_path / "r", scenes=4).stages[1] == ("propose sim_train", 0, 0)
    assert told(tmp_path / "r", scenes=5).stages[1] == ("propose sim_train", 1, 0)
    assert told(tmp_path / "r", scenes=5).stages[1] == ("propose sim_train", 1, 1)
