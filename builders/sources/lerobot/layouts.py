"""What a written dataset's files hold, in both versions of LeRobot's format."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from numpy.typing import NDArray

from flowbench.encoding.video import Coding
from flowbench.files import write_bytes, write_text

from ..inside import INFO
from .stats import Stats
from .tables import EPISODES_21, TASKS_21, TASKS_30

CHUNK: Final = 1000
"""Files a folder."""
DATA: Final = {
    "v3.0": "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
    "v2.1": "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
}
VIDEO: Final = {
    "v3.0": "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4",
    "v2.1": "videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4",
}
_EPISODES: Final = "meta/episodes/chunk-000/file-000.parquet"
_STANDARD: Final = {
    "timestamp": "float32",
    "frame_index": "int64",
    "episode_index": "int64",
    "index": "int64",
    "task_index": "int64",
}
"""Features that every dataset has."""
_CODEC_NAMES: Final = {"libx264": "h264", "libsvtav1": "av1"}


@dataclass(frozen=True, eq=False)
class Written:
    """An episode that was written.

    Attributes:
        index: of the episode.
        file: number of its file among all.
        length: frames.
        first: index of its first frame among all frames.
        task, task_index: its text and number.
        starts: camera key -> second of the video at which it begins.
        vectors: feature -> (n, k) numbers.
        stats: feature -> statistics.
    """

    index: int
    file: int
    length: int
    first: int
    task: str
    task_index: int
    starts: Mapping[str, float]
    vectors: Mapping[str, NDArray[np.float64]]
    stats: Mapping[str, Stats]

    def numbers(self, version: str) -> dict[str, int]:
        """The integer fields of path templates."""
        if version == "v3.0":
            return {"chunk_index": self.file // CHUNK, "file_index": self.file % CHUNK}
        return {"episode_chunk": self.index // CHUNK, "episode_index": self.index}


def vector_feature(width: int) -> dict[str, Any]:
    """A feature of so many numbers."""
    return {"dtype": "float32", "shape": [width], "names": None}


def camera_feature(width: int, height: int, fps: int, coding: Coding) -> dict[str, Any]:
    """A feature of a camera's pictures."""
    about = {
        "video.height": height,
        "video.width": width,
        "video.codec": _CODEC_NAMES[coding.codec],
        "video.pix_fmt": "yuv420p",
        "video.is_depth_map": False,
        "video.fps": fps,
        "video.channels": 3,
        "has_audio": False,
    }
    return {
        "dtype": "video",
        "shape": [height, width, 3],
        "names": ["height", "width", "channels"],
        "info": about,
    }


def info_of(
    version: str, robot: str, fps: int, features: Mapping[str, Any], episodes: int, frames: int, tasks: int
) -> dict[str, Any]:
    """``meta/info.json``."""
    standard = {key: {"dtype": dtype, "shape": [1], "names": None} for key, dtype in _STANDARD.items()}
    common: dict[str, Any] = {
        "codebase_version": version,
        "robot_type": robot,
        "total_episodes": episodes,
        "total_frames": frames,
        "total_tasks": tasks,
        "chunks_size": CHUNK,
        "fps": fps,
        "splits": {"train": f"0:{episodes}"},
        "data_path": DATA[version],
        "video_path": VIDEO[version],
        "features": {**features, **standard},
    }
    if version == "v3.0":
        return {**common, "data_files_size_in_mb": 100, "video_files_size_in_mb": 200}
    cameras = sum(feature["dtype"] == "video" for feature in features.values())
    return {**common, "total_videos": cameras * episodes, "total_chunks": -(-episodes // CHUNK)}


def write_data(path: Path, episodes: Sequence[Written], fps: int) -> None:
    """The rows of the frames of a file; one row group an episode."""
    columns: dict[str, Any] = {}
    for key in episodes[0].vectors:
        values = np.concatenate([episode.vectors[key] for episode in episodes]).astype(np.float32)
        flat = pa.array(values.ravel(), type=pa.float32())
        width = values.shape[1]
        columns[key] = flat if width == 1 else pa.FixedSizeListArray.from_arrays(flat, width)
    counts = [np.arange(episode.length) for episode in episodes]
    columns["timestamp"] = pa.array(np.concatenate(counts).astype(np.float64) / fps, type=pa.float64()).cast("float32")
    columns["frame_index"] = np.concatenate(counts)
    columns["episode_index"] = _spread(episodes, [episode.index for episode in episodes])
    columns["index"] = np.concatenate([np.arange(e.first, e.first + e.length) for e in episodes])
    columns["task_index"] = _spread(episodes, [episode.task_index for episode in episodes])
    table = pa.table(columns)
    file = io.BytesIO()
    with pq.ParquetWriter(file, table.schema, compression="snappy") as writer:
        at = 0
        for episode in episodes:
            writer.write_table(table.slice(at, episode.length))
            at += episode.length
    write_bytes(path, file.getvalue())


def write_meta(
    folder: Path,
    version: str,
    info: Mapping[str, Any],
    episodes: Sequence[Written],
    tasks: Mapping[str, int],
    stats: Mapping[str, Stats],
    fps: int,
) -> None:
    """Everything below ``meta``."""
    write_text(folder / INFO, json.dumps(info, indent=4) + "\n")
    if version == "v3.0":
        write_text(folder / "meta/stats.json", json.dumps(stats, indent=4) + "\n")
        _write_table(folder / TASKS_30, _tasks_table(tasks))
        if episodes:
            rows = [_episode_row(episode, fps) for episode in episodes]
            _write_table(folder / _EPISODES, pa.Table.from_pylist(rows))
        return
    lines = [{"task_index": number, "task": task} for task, number in tasks.items()]
    write_text(folder / TASKS_21, _lines(lines))
    rows = [{"episode_index": e.index, "tasks": [e.task], "length": e.length} for e in episodes]
    write_text(folder / EPISODES_21, _lines(rows))
    write_text(
        folder / "meta/episodes_stats.jsonl", _lines([{"episode_index": e.index, "stats": e.stats} for e in episodes])
    )


def _episode_row(episode: Written, fps: int) -> dict[str, Any]:
    """A row of ``meta/episodes`` (3.0)."""
    numbers = episode.numbers("v3.0")
    row: dict[str, Any] = {
        "episode_index": episode.index,
        "tasks": [episode.task],
        "length": episode.length,
        "data/chunk_index": numbers["chunk_index"],
        "data/file_index": numbers["file_index"],
        "dataset_from_index": episode.first,
        "dataset_to_index": episode.first + episode.length,
        "meta/episodes/chunk_index": 0,
        "meta/episodes/file_index": 0,
    }
    for camera, start in episode.starts.items():
        row[f"videos/{camera}/chunk_index"] = numbers["chunk_index"]
        row[f"videos/{camera}/file_index"] = numbers["file_index"]
        row[f"videos/{camera}/from_timestamp"] = start
        row[f"videos/{camera}/to_timestamp"] = start + episode.length / fps
    for key, stats in episode.stats.items():
        row |= {f"stats/{key}/{name}": value for name, value in stats.items()}
    return row


def _tasks_table(tasks: Mapping[str, int]) -> pa.Table:
    """Task texts as the index of a data frame, which is where LeRobot looks for them."""
    columns = [
        {"name": "task_index", "field_name": "task_index", "pandas_type": "int64", "numpy_type": "int64"},
        {"name": "task", "field_name": "task", "pandas_type": "unicode", "numpy_type": "object"},
    ]
    about = {
        "index_columns": ["task"],
        "column_indexes": [
            {"name": None, "field_name": None, "pandas_type": "unicode", "numpy_type": "object", "metadata": None}
        ],
        "columns": [{**column, "metadata": None} for column in columns],
        "creator": {"library": "flowbench", "version": "1"},
        "pandas_version": "2.0.0",
    }
    table = pa.table({"task_index": pa.array(tasks.values(), pa.int64()), "task": pa.array(tasks, pa.string())})
    return table.replace_schema_metadata({"pandas": json.dumps(about)})


def _spread(episodes: Sequence[Written], values: Sequence[int]) -> NDArray[np.int64]:
    """A value of each episode at each of its frames."""
    return np.repeat(np.array(values, dtype=np.int64), [episode.length for episode in episodes])


def _write_table(path: Path, table: pa.Table) -> None:
    file = io.BytesIO()
    pq.write_table(table, file, compression="snappy")
    write_bytes(path, file.getvalue())


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)
