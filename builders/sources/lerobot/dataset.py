"""Datasets in LeRobot's format, read without its package: 3.0 with several episodes a file, 2.0 and 2.1 with one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from flowbench.errors import UsageError

from ..inside import INFO, PathError, fill_template, inside, printable
from ..profiles import Profile
from ..recorded import Episode, EpisodeError, Picture, RecordedDataset, View
from ..video import VideoFacts, read_frames, video_facts
from .cameras import camera_from_pose, read_cameras, view_of
from .images import pictures_of
from .info import Info, read_info
from .rows import Rows, columns_of, effector_of, opening_of
from .tables import Entry, Span, read_columns, read_episodes, read_tasks

_KEPT: Final = 64
"""Video files whose facts are remembered."""
_RATE: Final = 0.02
"""Share by which a video may play faster or slower than stated."""
_SPAN: Final = 1.5
"""Frames that a span may be off its length: some writers end it at the last frame instead of behind it."""


@dataclass(frozen=True)
class _Clip:
    """The file of an episode's video, and the second at which the episode begins."""

    path: Path
    start: float


class LeRobotDataset(RecordedDataset):
    """A dataset in a folder.

    Raises:
        UsageError: not such a dataset, or none of its cameras is among the profile's; one sentence.
    """

    def __init__(self, root: Path, profile: Profile) -> None:
        self.root = root
        self.profile = profile
        self.info: Info = read_info(root)
        self._entries = read_episodes(root, self.info)
        self._tasks = read_tasks(root, self.info)
        self._cameras = self._chosen(profile)
        self._known = read_cameras(root)
        self._columns = columns_of(profile, self._cameras, tuple(self.info.features))
        self._table: tuple[Path, pa.Table] | None = None
        self._facts: dict[Path, VideoFacts] = {}

    @property
    def episodes(self) -> Sequence[int]:
        """Numbers of the episodes, ascending."""
        return tuple(self._entries)

    def episode(self, index: int) -> Episode:
        """An episode, its tables and the head of its video checked against each other."""
        entry = self._entry(index)
        rows = self._rows(entry)
        views = self._views(entry, rows)
        groups = (rows.first(key) for key in self.profile.group_keys)
        marks = (rows.first(key) for key in self.profile.success_keys)
        success = next((bool(mark) for mark in marks if mark is not None), None)
        return Episode(
            index=index,
            task=entry.task or self._task(rows),
            length=entry.length,
            fps=self.info.fps,
            camera=views[0].camera,
            effector=effector_of(rows, self.profile),
            opening=opening_of(rows, self.profile),
            group=next((str(group) for group in groups if group), ""),
            success=success,
            other_views=tuple(views[1:]),
        ).seen_by(views[0])

    def frames(self, episode: Episode, indices: Sequence[int]) -> list[Picture]:
        """Its frames of these indices."""
        entry = self._entry(episode.index)
        if any(not 0 <= index < entry.length for index in indices):
            raise EpisodeError(
                f"{self.root}: episode {entry.index} has {entry.length} frames, asked for {min(indices)} to "
                f"{max(indices)}.",
                "frame out of the episode",
            )
        if self.info.features[episode.camera].dtype == "image":
            return self._images(entry, episode.camera, indices)
        clip = self._clip(entry, episode.camera)
        pictures = read_frames(clip.path, indices, self.info.fps, clip.start)
        size = self.info.features[episode.camera].size
        if size is not None and any(picture.shape[1::-1] != size for picture in pictures):
            raise self._disagrees(clip.path, "pictures of another size than", "picture size")
        return pictures

    def _chosen(self, profile: Profile) -> tuple[str, ...]:
        """The cameras that may be read, by preference: one, or all where the outcome is after a release."""
        have = self.info.cameras
        known = [key for key in profile.camera_keys if key in have]
        if not known and len(have) == 1:
            known = list(have)
        if not known:
            names = printable(", ".join(have), 300) or "none"
            raise UsageError(
                f"{self.root / INFO}: its cameras are {names}, profile {profile.name} expects one of "
                f"{', '.join(profile.camera_keys)}; choose another profile or write one."
            )
        return tuple(known if profile.outcome == "after_release" else known[:1])

    def _entry(self, index: int) -> Entry:
        if index not in self._entries:
            raise EpisodeError(
                f"{self.root}: no episode {index}, expected one of its {len(self._entries):,}.", "no such episode"
            )
        entry = self._entries[index]
        if not entry.length:
            raise EpisodeError(f"{self.root}: episode {index} has no frames, expected some.", "no frames")
        return entry

    def _file(self, template: str, entry: Entry, camera: str, chunk: int, file: int) -> Path:
        """A file of an episode by the info's template."""
        numbers = {"chunk_index": chunk, "file_index": file}
        if not self.info.chunked:
            numbers = {"episode_chunk": entry.index // self.info.chunks_size, "episode_index": entry.index}
        try:
            return inside(self.root, fill_template(template, numbers, {"video_key": camera} if camera else {}))
        except PathError as error:
            raise EpisodeError(f"{self.root / INFO}: {error}; leave the dataset out.", "path not allowed") from None

    def _rows(self, entry: Entry) -> Rows:
        path, table = self._data(entry)
        return Rows(path, table, entry.index, entry.length, self.info.fps)

    def _data(self, entry: Entry) -> tuple[Path, pa.Table]:
        """The file of an episode's frames; the last one is kept, since neighbours share it."""
        path = self._file(self.info.data_path, entry, "", entry.chunk, entry.file)
        if self._table is None or self._table[0] != path:
            try:
                self._table = path, read_columns(path, self._columns)
            except UsageError as error:
                raise EpisodeError(str(error), "data missing or broken") from None
        return self._table

    def _images(self, entry: Entry, camera: str, indices: Sequence[int]) -> list[Picture]:
        path = self._file(self.info.data_path, entry, "", entry.chunk, entry.file)
        try:
            table = read_columns(path, ["episode_index", camera])
        except UsageError as error:
            raise EpisodeError(str(error), "data missing or broken") from None
        if "episode_index" in table.column_names:
            table = table.filter(pc.equal(table["episode_index"], entry.index))
        if camera not in table.column_names or table.num_rows != entry.length:
            raise self._disagrees(path, "other frames than", "data of another length")
        return pictures_of(path, table, camera, indices)

    def _task(self, rows: Rows) -> str:
        number = rows.first("task_index")
        return self._tasks.get(number, "") if isinstance(number, int) else ""

    def _views(self, entry: Entry, rows: Rows) -> list[View]:
        """The cameras that can be read; where none can, the first one's fault is raised."""
        views, faults = [], []
        for camera in self._cameras:
            view = self._view(entry, rows, camera)
            try:
                self._check_video(entry, view)
            except EpisodeError as fault:
                faults.append(fault)
            else:
                views.append(view)
        if not views:
            raise faults[0]
        return views

    def _view(self, entry: Entry, rows: Rows, camera: str) -> View:
        view = view_of(camera, self.info.features[camera].size, entry.index, self._known)
        pose = rows.first(self.profile.extrinsics_prefix + camera.rpartition(".")[2])
        if view.camera_from_robot is None and self.profile.extrinsics_prefix and isinstance(pose, list):
            return View(camera, view.intrinsics, camera_from_pose(pose), view.size)
        return view

    def _span(self, entry: Entry, camera: str) -> Span | None:
        if not self.info.chunked:
            return None
        span = (entry.spans or {}).get(camera)
        if span is None:
            raise EpisodeError(
                f"{self.root / 'meta/episodes'}: episode {entry.index} has no sound times of {camera}, expected "
                "from_timestamp and to_timestamp; fetch it again.",
                "video times missing",
            )
        return span

    def _clip(self, entry: Entry, camera: str) -> _Clip:
        span = self._span(entry, camera)
        if self.info.video_path is None:
            raise EpisodeError(f"{self.root / INFO}: no video_path, expected a path template.", "path not allowed")
        path = self._file(self.info.video_path, entry, camera, span.chunk if span else 0, span.file if span else 0)
        return _Clip(path, span.start if span else self._video(path).start)

    def _video(self, path: Path) -> VideoFacts:
        if path not in self._facts:
            if len(self._facts) >= _KEPT:
                self._facts.clear()
            self._facts[path] = video_facts(path)
        return self._facts[path]

    def _check_video(self, entry: Entry, view: View) -> None:
        """That the video is there and is what the tables say, as far as it tells without being decoded."""
        if self.info.features[view.camera].dtype == "image":
            return
        fps, path = self.info.fps, self._clip(entry, view.camera).path
        facts, span = self._video(path), self._span(entry, view.camera)
        size = self.info.features[view.camera].size
        if size is not None and size != (facts.width, facts.height):
            raise self._disagrees(path, f"{facts.width}x{facts.height} pixels, not the {size[0]}x{size[1]} of", "size")
        if facts.fps and abs(facts.fps - fps) > _RATE * fps:
            raise self._disagrees(path, f"{facts.fps:g} frames a second, not the {fps:g} of", "frame rate")
        if span is not None and abs((span.end - span.start) * fps - entry.length) > _SPAN:
            raise EpisodeError(
                f"{self.root / 'meta/episodes'}: episode {entry.index} lasts {span.end - span.start:.3f} s, expected "
                f"{entry.length / fps:.3f} s of its {entry.length} frames; fetch it again.",
                "times of another length",
            )
        first = round((span.start - facts.start) * fps) if span else 0
        short = facts.frames < first + entry.length if span else facts.frames != entry.length
        if facts.frames and short:
            raise EpisodeError(
                f"{path}: {facts.frames} frames, expected {entry.length} from frame {first} on by the table of "
                "episodes; fetch it again, or leave the episode out.",
                "video of another length",
            )

    def _disagrees(self, path: Path, what: str, reason: str) -> EpisodeError:
        return EpisodeError(f"{path}: {what} meta/info.json; fetch both again.", f"info disagrees: {reason}")
