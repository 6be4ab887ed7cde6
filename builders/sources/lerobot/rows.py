"""The frames' rows: what is recorded of an episode beside its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from ..profiles import Profile
from ..recorded import EpisodeError

INDICES: Final = ("episode_index", "frame_index", "timestamp", "task_index")
_MOST_NUMBERS: Final = 64
"""Of one feature of one frame."""


def columns_of(profile: Profile, cameras: Sequence[str], features: Sequence[str]) -> list[str]:
    """The columns that are read of the frames' files."""
    readings = [reading.key for reading in profile.effector] + [reading.key for reading in profile.opening]
    wanted = [*INDICES, *readings, *profile.group_keys, *profile.success_keys]
    if profile.extrinsics_prefix:
        wanted += [profile.extrinsics_prefix + camera.rpartition(".")[2] for camera in cameras]
    return [name for name in dict.fromkeys(wanted) if name in features or name in INDICES]


class Rows:
    """The rows of one episode, checked: numbered from 0, with times that go with the frames a second.

    Raises:
        EpisodeError: they are not what the table of episodes says.
    """

    def __init__(self, path: Path, table: pa.Table, index: int, length: int, fps: float) -> None:
        self._path = path
        if "episode_index" in table.column_names:
            mine = np.flatnonzero(_integers(table["episode_index"]) == index)
            whole = mine.size and int(mine[-1]) - int(mine[0]) + 1 == mine.size
            if not whole:
                raise EpisodeError(
                    f"{path}: holds no run of frames of episode {index}, expected {length}; fetch it again.",
                    "frames missing from the data",
                )
            table = table.slice(int(mine[0]), int(mine.size))
        self._table = table
        self.length = table.num_rows
        if self.length != length:
            raise EpisodeError(
                f"{path}: {self.length} frames of episode {index}, expected {length} by the table of episodes; fetch "
                "both again.",
                "data of another length",
            )
        self._check_times(index, fps)

    def _check_times(self, index: int, fps: float) -> None:
        if "frame_index" in self._table.column_names:
            numbers = _integers(self._table["frame_index"])
            if not np.array_equal(numbers, np.arange(self.length)):
                raise EpisodeError(
                    f"{self._path}: frames of episode {index} are not numbered 0 to {self.length - 1}; fetch it again.",
                    "frames not in order",
                )
        times = self.numbers("timestamp")
        if times is None:
            return
        steps = np.diff(times[:, 0])
        if times[0, 0] < 0 or bool((steps <= 0).any()):
            raise EpisodeError(
                f"{self._path}: times of episode {index} are negative or do not ascend; fetch it again.",
                "times not ascending",
            )
        off = np.abs(times[:, 0] - times[0, 0] - np.arange(self.length) / fps)
        if float(off.max()) > 0.5 / fps:
            raise EpisodeError(
                f"{self._path}: times of episode {index} do not go with {fps:g} frames a second of meta/info.json.",
                "times of another rate",
            )

    def numbers(self, key: str) -> NDArray[np.float64] | None:
        """(n, k) float64 of a feature; None where it is missing or not numbers of one length.

        Raises:
            EpisodeError: NaN or infinity among them.
        """
        if key not in self._table.column_names:
            return None
        values = _array(self._table[key])
        if values is None:
            return None
        if not bool(np.isfinite(values).all()):
            raise EpisodeError(
                f"{self._path}: {key} holds numbers that are not finite, expected finite ones; leave the episode out.",
                "recorded numbers not finite",
            )
        return values

    def first(self, key: str) -> Any:
        """The first frame's value of a feature; None where it is missing."""
        if key not in self._table.column_names or not self.length:
            return None
        value = self._table[key][0].as_py()
        return value[0] if isinstance(value, list) and len(value) == 1 else value


def effector_of(rows: Rows, profile: Profile) -> NDArray[np.float64] | None:
    """(n, 3) end effector's positions, metres in the robot's frame; z is 0 where only x and y are recorded."""
    for reading in profile.effector:
        values = rows.numbers(reading.key)
        if values is not None and values.shape[1] > max(reading.at):
            found = np.zeros((len(values), 3))
            found[:, : len(reading.at)] = values[:, list(reading.at)]
            return found
    return None


def opening_of(rows: Rows, profile: Profile) -> NDArray[np.float64] | None:
    """(n,) how far the gripper is open, 0 shut to 1 open."""
    for reading in profile.opening:
        values = rows.numbers(reading.key)
        if values is not None and values.shape[1] > reading.at:
            return np.clip((values[:, reading.at] - reading.shut) / (reading.open - reading.shut), 0.0, 1.0)
    return None


def _integers(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """A column of whole numbers, which may be lists of one; -1 stands for what is none."""
    values = _array(column)
    if values is None or values.shape[1] != 1:
        return np.full(len(column), -1, dtype=np.int64)
    return np.where(np.isfinite(values[:, 0]), values[:, 0], -1.0).astype(np.int64)


def _array(column: pa.ChunkedArray) -> NDArray[np.float64] | None:
    """(n, k) float64; missing numbers are NaN; None where they are no numbers, or of different lengths."""
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], type=array.type)
    kind, width = array.type, 1
    if pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind) or pa.types.is_large_list(kind):
        flat = array.flatten()
        if not len(array) or len(flat) % len(array):
            return None
        width = len(flat) // len(array)
        if array.null_count or not _even(array, width):
            return None
        array = flat
    kind = array.type
    if not (pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        return None
    if not 0 < width <= _MOST_NUMBERS:
        return None
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.float64).reshape(-1, width)


def _even(array: pa.Array, width: int) -> bool:
    """Whether all lists have this length."""
    if pa.types.is_fixed_size_list(array.type):
        return int(array.type.list_size) == width
    return bool((np.diff(array.offsets.to_numpy()) == width).all())
