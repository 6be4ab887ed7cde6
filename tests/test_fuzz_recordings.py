"""Recorded datasets with hostile tables and damaged files: pairs, rejects, or one sentence, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from support.fuzzing import LONGEST_SENTENCE, MEGABYTE, changed_bytes, changed_json, examine, memory_limited
from support.recordings import CAMERA, LENGTHS, small_profile, write_recordings

from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.mining import FramePair, Reject, mine
from flowbench.errors import UsageError

PROFILE = small_profile(changed_high=1.0)
JSON = ["meta/info.json", "meta/episodes.jsonl", "meta/tasks.jsonl", "meta/cameras.jsonl"]
BYTES: list[tuple[str, Literal["h264", "av1"], str]] = [
    ("v3.0", "h264", f"videos/{CAMERA}/chunk-000/file-000.mp4"),
    ("v3.0", "av1", f"videos/{CAMERA}/chunk-000/file-000.mp4"),
    ("v3.0", "h264", "data/chunk-000/file-000.parquet"),
    ("v3.0", "h264", "meta/episodes/chunk-000/file-000.parquet"),
    ("v3.0", "h264", "meta/tasks.parquet"),
]


def mined(root: Path) -> Callable[[str, bytes], None]:
    """A reader of a dataset of which one file has other bytes."""

    def read(name: str, data: bytes) -> None:
        (root / name).write_bytes(data)
        results = list(mine(open_dataset(root, PROFILE), PROFILE))
        for result in results:
            if isinstance(result, Reject):
                assert result.why.isprintable(), result.why
                assert 0 < len(result.why) <= LONGEST_SENTENCE

    return read


@pytest.mark.parametrize("name", JSON)
def test_hostile_tables(name: str, tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d", "v2.1")
    text = (root / name).read_text()
    whole = json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]

    def change(rng: Random) -> bytes:
        if name.endswith(".json"):
            return changed_json(rng, whole)
        lines = [json.dumps(line).encode() for line in whole]
        at = rng.randrange(len(lines))
        lines[at] = changed_json(rng, whole[at]).replace(b"\n", b" ")
        return b"\n".join(lines)

    read = mined(root)
    judge = examine(change, lambda data: read(name, data), 20, UsageError)
    assert judge.accepted > 1
    assert judge.refused > 1


@pytest.mark.parametrize(("version", "codec", "name"), BYTES)
def test_damaged_files(version: Literal["v3.0"], codec: Literal["h264", "av1"], name: str, tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d", version, codec)
    sound = (root / name).read_bytes()
    read = mined(root)
    with memory_limited(600 * MEGABYTE):
        examine(lambda rng: changed_bytes(rng, sound), lambda data: read(name, data), 15, UsageError)


def test_what_is_not_damaged_is_mined(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")
    video = root / BYTES[0][2]
    video.write_bytes(changed_bytes(Random(4), video.read_bytes()[:200]))
    found = list(mine(open_dataset(root, PROFILE), PROFILE))
    assert [isinstance(result, FramePair) for result in found] == [False] * 3 + [True]
    assert len(found) == len(LENGTHS)
