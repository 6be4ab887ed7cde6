"""A plain folder of clips: videos and a manifest that says what they show.

``clips.jsonl`` has one object a clip; ``manifest.json`` has the same objects in a list called ``clips``:

- ``file``: path of a video below the folder; MP4, Matroska, WebM or AVI with a constant frame rate;
- ``task``: what the robot was told; may be missing or empty;
- ``start``, ``end``: seconds of the video that the episode spans; the whole video without them;
- ``group``: lab or whatever else tasks are counted within; optional;
- ``intrinsics``: optional object with ``width``, ``height`` (pixels that it refers to), ``fx``, ``fy``, ``cx``, ``cy``.

Nothing is recorded of the robot, so profiles that need a gripper take no pair from clips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import UsageError

from .calibration import Calibration, calibration_of, number_of
from .inside import LINES, MANIFEST, PathError, inside, read_json, read_json_lines
from .layout import Entry, LayoutError
from .recorded import Episode, EpisodeError, Picture, RecordedDataset
from .video import VideoFacts, count_frames, read_frames, video_facts

CAMERA: Final = "clip"
"""What the only camera of a clip is called."""
MOST_CLIPS: Final = 1_000_000


@dataclass(frozen=True, eq=False)
class Clip:
    """A clip of the manifest; see the module for its fields."""

    file: str
    task: str
    start: float | None
    end: float | None
    group: str
    calibration: Calibration | None


@dataclass(frozen=True)
class _Stretch:
    """Where an episode lies in its video: file, frames a second, second at which it begins, frames, and facts."""

    path: Path
    fps: float
    start: float
    frames: int
    facts: VideoFacts


class ClipFolder(RecordedDataset):
    """The folder; clips are numbered from 0 in the order of the manifest.

    Raises:
        UsageError: the manifest is missing or of another form; one sentence that names it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._manifest = root / (LINES if (root / LINES).exists() else MANIFEST)
        self._clips = _read_clips(self._manifest)
        if not self._clips:
            raise UsageError(f"{self._manifest}: no clips, expected at least one; list what is to be read.")

    @property
    def episodes(self) -> Sequence[int]:
        """Numbers of the clips."""
        return range(len(self._clips))

    def episode(self, index: int) -> Episode:
        """A clip."""
        clip, stretch = self._clip(index), self._stretch(index)
        size = stretch.facts.width, stretch.facts.height
        return Episode(
            index=index,
            task=clip.task,
            length=stretch.frames,
            fps=stretch.fps,
            camera=CAMERA,
            intrinsics=self._intrinsics(clip, size),
            group=clip.group,
            size=size,
        )

    def frames(self, episode: Episode, indices: Sequence[int]) -> list[Picture]:
        """Its frames of these indices."""
        stretch = self._stretch(episode.index)
        if any(not 0 <= index < stretch.frames for index in indices):
            raise EpisodeError(
                f"{stretch.path}: the clip has {stretch.frames} frames, asked for {min(indices)} to {max(indices)}.",
                "frame out of the episode",
            )
        return read_frames(stretch.path, indices, stretch.fps, stretch.start)

    def _clip(self, index: int) -> Clip:
        if not 0 <= index < len(self._clips):
            raise EpisodeError(f"{self._manifest}: no clip {index}, it has {len(self._clips)}.", "no such episode")
        return self._clips[index]

    def _stretch(self, index: int) -> _Stretch:
        """Where a clip lies, checked against its video."""
        clip = self._clip(index)
        try:
            path = inside(self.root, clip.file)
        except PathError as error:
            raise EpisodeError(f"{self._manifest}: {error}; keep videos in the folder.", "path not allowed") from None
        facts = video_facts(path)
        if not 0.0 < facts.fps <= 1000.0:
            raise EpisodeError(
                f"{path}: it does not say its frames a second, expected a constant rate; convert it.", "no frame rate"
            )
        frames = facts.frames or count_frames(path)
        first = 0 if clip.start is None else round(clip.start * facts.fps)
        end = frames if clip.end is None else round(clip.end * facts.fps)
        if not first < end <= frames:
            raise EpisodeError(
                f"{path}: {frames} frames of {frames / facts.fps:.2f} s, expected some from {clip.start or 0:g} s to "
                f"{'its end' if clip.end is None else f'{clip.end:g} s'} by {self._manifest.name}; mend the manifest.",
                "video shorter than stated",
            )
        return _Stretch(path, facts.fps, facts.start + first / facts.fps, end - first, facts)

    @staticmethod
    def _intrinsics(clip: Clip, size: tuple[int, int]) -> NDArray[np.float64] | None:
        return None if clip.calibration is None else clip.calibration.at(*size)


def _read_clips(manifest: Path) -> list[Clip]:
    """The clips that a manifest lists."""
    clips = []
    for number, plain in _objects(manifest):
        try:
            clips.append(_clip_of(Entry(plain, f"clip {number}")))
        except LayoutError as error:
            raise UsageError(f"{manifest}: {error}; write it as docs/sources.md says.") from None
        if len(clips) > MOST_CLIPS:
            raise UsageError(f"{manifest}: over {MOST_CLIPS:,} clips; split the folder.")
    return clips


def _objects(manifest: Path) -> Iterator[tuple[int, Any]]:
    if manifest.name == LINES:
        yield from read_json_lines(manifest)
        return
    plain = read_json(manifest)
    clips = plain.get("clips") if isinstance(plain, Mapping) else None
    if not isinstance(clips, list):
        raise UsageError(f"{manifest}: no list 'clips', expected one; write it as docs/sources.md says.")
    yield from enumerate(clips, 1)


def _clip_of(entry: Entry) -> Clip:
    start, end = (_seconds(entry, key) for key in ("start", "end"))
    if start is not None and end is not None and end <= start:
        raise LayoutError(f"a clip ends at {end:g} s, before it starts at {start:g} s")
    calibration = None
    if entry.has("intrinsics"):
        calibration = calibration_of(Entry(entry.get("intrinsics"), "'intrinsics'"))
    return Clip(_text(entry, "file"), _text(entry, "task", ""), start, end, _text(entry, "group", ""), calibration)


def _text(entry: Entry, key: str, default: str | None = None) -> str:
    value = default if default is not None and not entry.has(key) else entry.get(key)
    if not isinstance(value, str):
        raise LayoutError(f"{key!r} of a clip is not a text")
    return value


def _seconds(entry: Entry, key: str) -> float | None:
    if not entry.has(key):
        return None
    value = number_of(entry, key)
    if not 0.0 <= value <= 1e6:
        raise LayoutError(f"{key!r} of a clip is {value:g}, not seconds from 0 on")
    return value
