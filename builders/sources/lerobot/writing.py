"""Writing datasets in LeRobot's format: 3.0 with several episodes a file, or 2.1 with one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding.video import SEEKABLE, Coding, VideoEncoder
from flowbench.errors import UsageError
from flowbench.files import temporary_name, write_bytes, write_text

from ..inside import fill_template
from ..recorded import Picture
from .cameras import CAMERAS
from .layouts import DATA, VIDEO, Written, camera_feature, info_of, vector_feature, write_data, write_meta
from .stats import PictureStats, vector_stats

Codec = Literal["h264", "av1"]
Version = Literal["v3.0", "v2.1"]
EFFECTOR, OPENING, STATE, ACTION = "observation.effector", "observation.opening", "observation.state", "action"
_CODINGS: Final[Mapping[str, Coding]] = {
    "h264": SEEKABLE,
    "av1": Coding("libsvtav1", {"preset": "10", "g": "2", "crf": "24"}),
}


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
        camera_from_robot: camera key -> (3, 4) pose of a camera that has intrinsics, metres; written there too.
    """

    task: str
    frames: Mapping[str, Iterable[Picture]]
    effector: NDArray[np.float64]
    opening: NDArray[np.float64]
    state: NDArray[np.float64] | None = None
    action: NDArray[np.float64] | None = None
    intrinsics: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    camera_from_robot: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


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

    The folder appears under its name when it is whole, and not at all if anything fails.

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
        ValueError: episodes that differ in kind, are without frames, or whose arrays are not as long as their videos.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise UsageError(f"{root}: is there and not an empty folder, expected a new one; choose another name.")
    folder = root.parent / temporary_name()
    writer = _Writer(folder, fps, robot, _CODINGS[codec], version, episodes_per_file if version == "v3.0" else 1)
    try:
        for episode in episodes:
            writer.add(episode)
        writer.finish()
        os.replace(folder, root)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return len(writer.written)


class _Writer:
    """A dataset on its way into a folder."""

    def __init__(self, folder: Path, fps: int, robot: str, coding: Coding, version: Version, per_file: int) -> None:
        self._folder, self._fps, self._robot, self._coding = folder, fps, robot, coding
        self._version, self._per_file = version, per_file
        self._features: dict[str, Any] = {}
        self._encoders: dict[str, VideoEncoder] = {}
        self._tasks: dict[str, int] = {}
        self._calibrations: list[str] = []
        self._all: dict[str, list[NDArray[np.float64]]] = {}
        self._seen: dict[str, PictureStats] = {}
        self._frames = 0
        self._open: list[Written] = []
        self.written: list[Written] = []

    def add(self, episode: RecordedEpisode) -> None:
        """Write one episode's pictures; its rows follow when its file is full."""
        vectors = _vectors(episode)
        length = len(vectors[EFFECTOR])
        offsets = {camera: encoder.frames for camera, encoder in self._encoders.items()}
        shown = {camera: self._film(camera, pictures, length) for camera, pictures in episode.frames.items()}
        features = {key: vector_feature(values.shape[1]) for key, values in vectors.items()}
        features |= {camera: camera_feature(*size, self._fps, self._coding) for camera, (size, _) in shown.items()}
        if self._features and features != self._features:
            raise ValueError(f"episode {len(self.written)} has other cameras, sizes or numbers than the first")
        self._features = features
        starts = {camera: offsets.get(camera, 0) / self._fps for camera in shown}
        stats = {key: vector_stats(values) for key, values in vectors.items()}
        stats |= {camera: seen.stats() for camera, (_, seen) in shown.items()}
        for key, values in vectors.items():
            self._all.setdefault(key, []).append(values)
        for camera, (_, seen) in shown.items():
            self._seen.setdefault(camera, PictureStats()).merge(seen)
        task = self._tasks.setdefault(episode.task, len(self._tasks))
        number = len(self.written)
        one = Written(
            number, number // self._per_file, length, self._frames, episode.task, task, starts, vectors, stats
        )
        self._calibrations += _calibrations(episode, number, {camera: size for camera, (size, _) in shown.items()})
        self._frames += length
        self._open.append(one)
        self.written.append(one)
        if len(self._open) == self._per_file:
            self._close_file()

    def finish(self) -> None:
        """Write what is still open and the tables."""
        self._close_file()
        stats: dict[str, Any] = {key: vector_stats(np.concatenate(parts)) for key, parts in self._all.items()}
        stats |= {camera: seen.stats() for camera, seen in self._seen.items()}
        info = info_of(
            self._version, self._robot, self._fps, self._features, len(self.written), self._frames, len(self._tasks)
        )
        write_meta(self._folder, self._version, info, self.written, self._tasks, stats, self._fps)
        if self._calibrations:
            write_text(self._folder / CAMERAS, "".join(self._calibrations))

    def _film(self, camera: str, pictures: Iterable[Picture], length: int) -> tuple[tuple[int, int], PictureStats]:
        """Append an episode's pictures to its camera's video; returns (width, height) and their statistics."""
        seen = PictureStats()
        for picture in pictures:
            if camera not in self._encoders:
                height, width = picture.shape[:2]
                self._encoders[camera] = VideoEncoder(width, height, self._fps, self._coding)
            self._encoders[camera].add(picture, key=not seen.pictures)
            seen.add(picture)
            shape = picture.shape
        if seen.pictures != length or not length:
            raise ValueError(f"{camera} has {seen.pictures} pictures, expected the {length} of the episode's effector")
        return (shape[1], shape[0]), seen

    def _close_file(self) -> None:
        """Write the videos and rows of the open episodes."""
        if not self._open:
            return
        numbers = self._open[0].numbers(self._version)
        for camera, encoder in self._encoders.items():
            path = fill_template(VIDEO[self._version], numbers, {"video_key": camera})
            write_bytes(self._folder / path, encoder.finish())
        write_data(self._folder / fill_template(DATA[self._version], numbers, {}), self._open, self._fps)
        self._encoders.clear()
        self._open.clear()


def _vectors(episode: RecordedEpisode) -> dict[str, NDArray[np.float64]]:
    """Feature -> (n, k) numbers, as they are written: float32."""
    given = {EFFECTOR: episode.effector, OPENING: episode.opening, STATE: episode.state, ACTION: episode.action}
    found = {}
    for key, values in given.items():
        if values is None:
            continue
        plain = np.asarray(values, dtype=np.float32).astype(np.float64)
        found[key] = plain[:, None] if plain.ndim == 1 else plain
    n = len(found[EFFECTOR])
    if any(len(values) != n or values.ndim != 2 or not np.isfinite(values).all() for values in found.values()):
        raise ValueError("an episode's arrays are finite and (n,) or (n, k) with the same n")
    return found


def _calibrations(episode: RecordedEpisode, number: int, sizes: Mapping[str, tuple[int, int]]) -> list[str]:
    """Lines of ``meta/cameras.jsonl``."""
    lines = []
    for camera, k in episode.intrinsics.items():
        (width, height), numbers = sizes[camera], [float(k[at]) for at in ((0, 0), (1, 1), (0, 2), (1, 2))]
        line = {"episode_index": number, "camera": camera, "width": width, "height": height}
        line |= dict(zip(("fx", "fy", "cx", "cy"), numbers, strict=True))
        if camera in episode.camera_from_robot:
            line["camera_from_robot"] = episode.camera_from_robot[camera].tolist()
        lines.append(json.dumps(line) + "\n")
    return lines
