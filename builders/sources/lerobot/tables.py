"""The tables beside the frames: episodes and tasks, and columns of foreign parquet files with limits before reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeGuard

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from flowbench.errors import UsageError

from ..inside import PathError, inside, printable, read_json_lines
from .info import Info

MOST_BYTES: Final = 1 << 32
"""Bytes that the columns read of one file may take."""
MOST_EPISODES: Final = 10_000_000
EPISODES_21, TASKS_21 = "meta/episodes.jsonl", "meta/tasks.jsonl"
EPISODES_30, TASKS_30 = "meta/episodes", "meta/tasks.parquet"


@dataclass(frozen=True)
class Span:
    """Where an episode's video lies (3.0): numbers of the file, and seconds in it."""

    chunk: int
    file: int
    start: float
    end: float


@dataclass(frozen=True)
class Entry:
    """A row of the table of episodes.

    Attributes:
        index: of the episode.
        length: frames, as stated.
        task: "" where the table does not tell.
        chunk, file: numbers of the file with its frames (3.0).
        spans: camera key -> where its video lies (3.0).
    """

    index: int
    length: int
    task: str
    chunk: int = 0
    file: int = 0
    spans: Mapping[str, Span] | None = None


def read_columns(path: Path, names: Sequence[str]) -> pa.Table:
    """Those of the columns that a parquet file has.

    Raises:
        UsageError: missing, too large, or not a parquet file; one sentence that names it.
    """
    try:
        with pq.ParquetFile(path) as file:
            have = [name for name in names if name in file.schema_arrow.names]
            size = _size(file.metadata, set(have))
            if size > MOST_BYTES:
                raise UsageError(f"{path}: {size:,} bytes unpacked, expected at most {MOST_BYTES:,}; split the file.")
            return file.read(columns=have, use_threads=False)
    except (OSError, pa.ArrowException, ValueError) as error:
        why = printable(error) or type(error).__name__
        raise UsageError(f"{path}: not readable as a parquet file ({why}); fetch it again.") from None


def _size(metadata: Any, columns: set[str]) -> int:
    """Bytes of the columns, unpacked."""
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    chunks = (group.column(number) for group in groups for number in range(group.num_columns))
    return sum(int(c.total_uncompressed_size) for c in chunks if c.path_in_schema.split(".")[0] in columns)


def read_tasks(root: Path, info: Info) -> Mapping[int, str]:
    """Task texts by number; raises UsageError like :func:`read_columns`, and where the file is of another form."""
    if not info.chunked:
        path = root / TASKS_21
        found: dict[int, str] = {}
        for number, line in read_json_lines(_within(root, TASKS_21)):
            index, task = (line.get(key) for key in ("task_index", "task")) if isinstance(line, Mapping) else (0, 0)
            if not _whole(index) or not isinstance(task, str):
                raise UsageError(f"{path}: line {number} is not a task_index and a task; fetch it again.")
            found[index] = task
        return found
    path = _within(root, TASKS_30)
    # pandas writes the texts as the index, under its name or, where it has none, under one of its own.
    table = read_columns(path, ("task_index", "task", "__index_level_0__"))
    texts = next((name for name in ("task", "__index_level_0__") if name in table.column_names), None)
    if texts is None or "task_index" not in table.column_names:
        raise UsageError(f"{path}: no column 'task' beside 'task_index', expected LeRobot's tasks; fetch it again.")
    rows = zip(table["task_index"].to_pylist(), table[texts].to_pylist(), strict=True)
    return {index: text for index, text in rows if _whole(index) and isinstance(text, str)}


def read_episodes(root: Path, info: Info) -> Mapping[int, Entry]:
    """The table of episodes, by index.

    Raises:
        UsageError: missing, not readable, of another form, or with another number of episodes than the info says.
    """
    name = EPISODES_30 if info.chunked else EPISODES_21
    entries = _chunked_entries(root, info) if info.chunked else _line_entries(root)
    found = {entry.index: entry for entry in entries}
    if len(found) != len(entries):
        raise UsageError(f"{root / name}: an episode stands there twice, expected each once; fetch it again.")
    if len(found) != info.total_episodes:
        raise UsageError(
            f"{root / name}: {len(found):,} episodes, expected the {info.total_episodes:,} of meta/info.json; fetch "
            "both again."
        )
    return dict(sorted(found.items()))


def _line_entries(root: Path) -> list[Entry]:
    """Of ``meta/episodes.jsonl`` (2.x)."""
    path, entries = _within(root, EPISODES_21), []
    for number, line in read_json_lines(path):
        plain = line if isinstance(line, Mapping) else {}
        index, length = plain.get("episode_index"), plain.get("length")
        if not _whole(index) or not _whole(length):
            raise UsageError(f"{path}: line {number} has no whole episode_index and length; fetch it again.")
        entries.append(Entry(index, length, _first_text(plain.get("tasks"))))
        if len(entries) > MOST_EPISODES:
            raise UsageError(f"{path}: over {MOST_EPISODES:,} episodes; split the dataset.")
    return entries


def _chunked_entries(root: Path, info: Info) -> list[Entry]:
    """Of ``meta/episodes/chunk-NNN/file-NNN.parquet`` (3.0)."""
    folder = _within(root, EPISODES_30)
    videos = [key for key in info.cameras if info.features[key].dtype == "video"]
    marks = ("chunk_index", "file_index", "from_timestamp", "to_timestamp")
    wanted = ["episode_index", "length", "tasks", "data/chunk_index", "data/file_index"]
    wanted += [f"videos/{key}/{mark}" for key in videos for mark in marks]
    entries = []
    for path in sorted(folder.glob("*/*.parquet")):
        table = read_columns(_within(root, path.relative_to(root).as_posix()), wanted)
        missing = [name for name in wanted if name not in table.column_names and name != "tasks"]
        if missing:
            raise UsageError(f"{path}: no column {missing[0]!r}, expected LeRobot's episodes; fetch it again.")
        for row in table.to_pylist():
            entries.append(_entry(path, row, videos))
            if len(entries) > MOST_EPISODES:
                raise UsageError(f"{path}: over {MOST_EPISODES:,} episodes; split the dataset.")
    return entries


def _entry(path: Path, row: Mapping[str, Any], videos: Sequence[str]) -> Entry:
    numbers = [row[name] for name in ("episode_index", "length", "data/chunk_index", "data/file_index")]
    if not all(map(_whole, numbers)):
        raise UsageError(f"{path}: a row has no whole episode_index, length and file numbers; fetch it again.")
    spans = {}
    for key in videos:
        chunk, file, start, end = (
            row[f"videos/{key}/{mark}"] for mark in ("chunk_index", "file_index", "from_timestamp", "to_timestamp")
        )
        if _whole(chunk) and _whole(file) and _second(start) and _second(end) and start <= end:
            spans[key] = Span(chunk, file, float(start), float(end))
    return Entry(numbers[0], numbers[1], _first_text(row.get("tasks")), numbers[2], numbers[3], spans)


def _within(root: Path, relative: str) -> Path:
    """:func:`inside`, as a sentence."""
    try:
        return inside(root, relative)
    except PathError as error:
        raise UsageError(f"{root}: {error}; expected files inside the dataset.") from None


def _first_text(tasks: Any) -> str:
    """The first of an episode's tasks that says something."""
    texts = [tasks] if isinstance(tasks, str) else tasks if isinstance(tasks, list) else []
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40


def _second(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e8
