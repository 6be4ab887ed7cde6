"""Small hand-made recordings: a red square is carried over a patterned table, seen by one camera or two."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from flowbench.builders.sources.lerobot.writing import RecordedEpisode, write_dataset
from flowbench.builders.sources.profiles import Profile, profile_named

WIDTH, HEIGHT, FPS = 96, 64, 10
CAMERA = "observation.images.front"
LENGTHS = (9, 12, 7, 10)
TASKS = ("push the red block", "push the red block to the left", "push the red block", "fold the cloth")
K = np.array([[90.0, 0.0, 47.5], [0.0, 90.0, 31.5], [0.0, 0.0, 1.0]])

os.environ.setdefault("SVT_LOG", "0")  # the encoder of AV1 else prints its settings


def picture(episode: int, frame: int) -> NDArray[np.uint8]:
    """(HEIGHT, WIDTH, 3): a wavy table of its own for each episode, and a square that moves right by the frame."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    table = np.stack([(rows * 2 + columns + 40 * episode) % 80 + part for part in (60, 80, 100)], axis=-1)
    table[20:40, 4 + 5 * frame : 24 + 5 * frame] = (230, 30, 30)
    return table.astype(np.uint8)


def recorded(
    episode: int,
    length: int,
    task: str,
    cameras: Sequence[str] = (CAMERA,),
    opening: Sequence[float] | None = None,
    **more: Any,
) -> RecordedEpisode:
    """An episode; its effector moves by 1 cm a frame."""
    steps = np.arange(length, dtype=np.float64)
    effector = np.stack([0.01 * steps, np.full(length, 0.1 * episode), np.full(length, 0.2)], axis=1)
    return RecordedEpisode(
        task=task,
        frames={camera: [picture(episode, frame) for frame in range(length)] for camera in cameras},
        effector=more.pop("effector", effector),
        opening=np.array(opening if opening is not None else [1.0] * length),
        intrinsics=dict.fromkeys(cameras, K),
        **more,
    )


def episodes() -> Iterator[RecordedEpisode]:
    """Four episodes of different lengths."""
    for number, (length, task) in enumerate(zip(LENGTHS, TASKS, strict=True)):
        yield recorded(number, length, task)


def write_recordings(
    root: Path, version: Literal["v3.0", "v2.1"] = "v3.0", codec: Literal["h264", "av1"] = "h264"
) -> Path:
    """A dataset of :func:`episodes`, three a file; the folder."""
    write_dataset(root, episodes(), FPS, version=version, codec=codec, episodes_per_file=3)
    return root


def small_profile(**changes: Any) -> Profile:
    """The profile ``tabletop`` at the size of the recordings."""
    size = {"width": WIDTH, "height": HEIGHT, "fx": 90.0, "fy": 90.0, "cx": 47.5, "cy": 31.5}
    return Profile(**{**profile_named("tabletop").model_dump(), **size, "camera_keys": (CAMERA,), **changes})


def nearest(episode: int, found: NDArray[np.uint8]) -> int:
    """Which frame of an episode a picture, perhaps lossy, is of."""
    off = [np.abs(found.astype(int) - picture(episode, frame)).mean() for frame in range(max(LENGTHS))]
    return int(np.argmin(off))


def change_info(root: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Edit ``meta/info.json``."""
    path = root / "meta/info.json"
    info = json.loads(path.read_text())
    change(info)
    path.write_text(json.dumps(info))


def change_table(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Edit the rows of a parquet file."""
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema.remove_metadata()), path)


def put_columns(path: Path, columns: Mapping[str, Any]) -> None:
    """Replace or add columns of a parquet file."""
    table = pq.read_table(path)
    for name, values in columns.items():
        if name in table.column_names:
            table = table.drop_columns([name])
        table = table.append_column(name, pa.array(values))
    pq.write_table(table, path)
