"""Datasets in LeRobot's format are written whole, alike every time, and in both versions with the same content."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from support.recordings import (
    CAMERA,
    FPS,
    HEIGHT,
    LENGTHS,
    TASKS,
    WIDTH,
    episodes,
    picture,
    recorded,
    small_profile,
    write_recordings,
)

from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.lerobot.stats import PictureStats, vector_stats
from flowbench.builders.sources.lerobot.writing import RecordedEpisode, write_dataset
from flowbench.builders.sources.mining import FramePair, mine
from flowbench.errors import UsageError


def files_of(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("version", ["v3.0", "v2.1"])
def test_equal_episodes_give_equal_bytes(version: Any, tmp_path: Path) -> None:
    first, second = (files_of(write_recordings(tmp_path / name, version)) for name in "ab")
    assert first == second
    assert not [name for name in first if "tmp" in name]


def test_both_versions_give_the_same_pairs(tmp_path: Path) -> None:
    profile = small_profile(changed_high=1.0)
    new, old = (
        list(mine(open_dataset(write_recordings(tmp_path / version, version), profile), profile))
        for version in ("v3.0", "v2.1")
    )
    assert len(new) == len(old) == len(LENGTHS)
    for a, b in zip(new, old, strict=True):
        assert isinstance(a, FramePair)
        assert isinstance(b, FramePair)
        assert (a.episode.task, a.after_index, a.changed) == (b.episode.task, b.after_index, b.changed)
        assert np.array_equal(a.before, b.before)
        assert np.array_equal(a.after, b.after)
        assert np.array_equal(a.k, b.k)
        assert a.episode.effector is not None
        assert b.episode.effector is not None
        assert np.array_equal(a.episode.effector, b.episode.effector)


def test_what_the_tables_of_3_0_hold(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")
    info = json.loads((root / "meta/info.json").read_text())
    assert info["codebase_version"] == "v3.0"
    assert (info["total_episodes"], info["total_frames"], info["total_tasks"]) == (4, sum(LENGTHS), 3)
    assert info["features"][CAMERA]["shape"] == [HEIGHT, WIDTH, 3]
    rows = pq.read_table(root / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    starts = [row[f"videos/{CAMERA}/from_timestamp"] for row in rows]
    assert starts == pytest.approx([0.0, 0.9, 2.1, 0.0])
    assert [row[f"videos/{CAMERA}/file_index"] for row in rows] == [0, 0, 0, 1]
    assert [row["dataset_to_index"] for row in rows] == [9, 21, 28, 38]
    assert [row["tasks"] for row in rows] == [[task] for task in TASKS]
    tasks = pq.read_table(root / "meta/tasks.parquet")
    assert json.loads(tasks.schema.metadata[b"pandas"])["index_columns"] == ["task"]
    assert tasks["task"].to_pylist() == list(dict.fromkeys(TASKS))
    data = pq.read_table(root / "data/chunk-000/file-000.parquet")
    assert data["index"].to_pylist() == list(range(28))
    assert data["task_index"].to_pylist() == [0] * 9 + [1] * 12 + [0] * 7
    assert pq.ParquetFile(root / "data/chunk-000/file-000.parquet").num_row_groups == 3
    stats = json.loads((root / "meta/stats.json").read_text())
    assert stats["observation.effector"]["max"][0] == pytest.approx(0.11, abs=1e-6)
    assert stats[CAMERA]["count"] == [sum(LENGTHS)]


def test_frames_may_come_one_by_one(tmp_path: Path) -> None:
    def one(number: int) -> Iterator[Any]:
        for frame in range(5):
            yield picture(number, frame)

    def all_of_them() -> Iterator[RecordedEpisode]:
        for number in range(2):
            given = recorded(number, 5, "push")
            yield RecordedEpisode("push", {CAMERA: one(number)}, given.effector, given.opening)

    assert write_dataset(tmp_path / "d", all_of_them(), FPS) == 2
    assert open_dataset(tmp_path / "d", small_profile()).episode(1).length == 5


def with_another_size() -> list[RecordedEpisode]:
    odd = RecordedEpisode("push", {CAMERA: [np.zeros((32, 32, 3), np.uint8)] * 4}, np.zeros((4, 3)), np.ones(4))
    return [recorded(0, 4, "push"), odd]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (with_another_size, "a frame is"),
        (
            lambda: [recorded(0, 4, "a"), recorded(1, 4, "b", action=np.zeros((4, 2)))],
            "other cameras, sizes or numbers",
        ),
        (lambda: [recorded(0, 4, "a", effector=np.zeros((5, 3)))], "the same n"),
        (lambda: [recorded(0, 4, "a", state=np.full((4, 2), np.nan))], "finite"),
        (lambda: [RecordedEpisode("a", {CAMERA: [picture(0, 0)]}, np.zeros((2, 3)), np.ones(2))], "has 1 pictures"),
        (lambda: [RecordedEpisode("a", {CAMERA: []}, np.zeros((0, 3)), np.ones(0))], "has 0 pictures"),
    ],
)
def test_what_cannot_be_written_leaves_nothing(
    make: Callable[[], list[RecordedEpisode]], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=sentence):
        write_dataset(tmp_path / "d", make(), FPS)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UsageError, match="not an empty folder"):
        write_dataset(tmp_path, episodes(), FPS)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    (tmp_path / "empty").mkdir()
    assert write_dataset(tmp_path / "empty", episodes(), FPS) == 4


def test_statistics_are_those_of_the_numbers() -> None:
    rng = np.random.default_rng(3)
    values = rng.uniform(-1, 1, (50, 3))
    stats = vector_stats(values)
    assert stats["mean"] == pytest.approx(values.mean(axis=0).tolist())
    assert stats["std"] == pytest.approx(values.std(axis=0).tolist())
    assert (stats["min"], stats["max"]) == (values.min(axis=0).tolist(), values.max(axis=0).tolist())
    pictures = rng.integers(0, 256, (4, 8, 10, 3), dtype=np.uint8)
    seen, half = PictureStats(), PictureStats()
    for number, one in enumerate(pictures):
        (seen if number < 2 else half).add(one)
    seen.merge(half)
    found = seen.stats()
    for channel in range(3):
        plane = pictures[..., channel] / 255
        assert found["mean"][channel][0][0] == pytest.approx(plane.mean())
        assert found["std"][channel][0][0] == pytest.approx(plane.std())
        assert found["max"][channel][0][0] == plane.max()
    assert found["count"] == [4]
    assert not math.isnan(found["std"][0][0][0])
