"""Writing datasets in LeRobot's format: 3.0 with several episodes a file, or 2.1 with one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..recorded import Picture

Codec = Literal["h264", "av1"]
Version = Literal["v3.0", "v2.1"]


@dataclass(frozen=True, eq=False)
class RecordedEpisode:
    """What is written of one episode of n frames.

    Attributes:
        task: what the robot is told.
        frames: camera key (``observation.images.NAME``) -> its n pictures, (H, W, 3) uint8 sRGB, H and W even; an
            iterator is read once, so that an episode need not lie in memory.
        effector: (n, 3) end effector's positions in the robot's frame, metres; written as ``observation.effector``.
        opening: (n,) how far the gripper is open, 0 shut to 1 open; written as ``observation.opening``.
        state: (n, k) written as ``observation.state``.
        action: (n, m) written as ``action``.
        intrinsics: camera key -> (3, 3) pixels of its pictures; written to ``meta/cameras.jsonl``.
    """

    task: str
    frames: Mapping[str, Iterable[Picture]]
    effector: NDArray[np.float64]
    opening: NDArray[np.float64]
    state: NDArray[np.float64] | None = None
    action: NDArray[np.float64] | None = None
    intrinsics: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


def write_dataset(
    root: Path,
    episodes: Iterable[RecordedEpisode],
    fps: int,
    *,
    robot: str = "flowbench_tabletop",
    codec: Codec = "h264",
    version: Version = "v3.0",
    episodes_per_file: int = 50,
) -> int:
    """Write a dataset; returns how many episodes it has. Equal episodes give equal bytes with the same libraries.

    Args:
        root: a folder that is empty or not there yet.
        episodes: read one at a time; all with the same cameras, sizes, and numbers in state and action.
        fps: frames a second.
        robot: what ``info.json`` calls the robot.
        codec: of the videos; H.264 near lossless with the same bytes on every CPU, or AV1 (for tests).
        version: of the format.
        episodes_per_file: how many episodes share a video and a parquet file (3.0).

    Raises:
        UsageError: the folder holds something, or it cannot be written.
        ValueError: episodes that differ in kind, without frames, or with as many numbers as frames nowhere.
    """
    raise NotImplementedError
