"""Recorded datasets that are broken or mean harm: one sentence with the file's name, and the episode is left out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pyarrow.parquet as pq
import pytest
from support.recordings import (
    CAMERA,
    FPS,
    LENGTHS,
    change_info,
    change_table,
    picture,
    put_columns,
    small_profile,
    write_recordings,
)

from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.inside import PathError, fill_template, inside
from flowbench.builders.sources.lerobot.writing import write_dataset
from flowbench.builders.sources.mining import FramePair, Reject, mine
from flowbench.errors import UsageError

VIDEO, DATA = f"videos/{CAMERA}/chunk-000/file-000.mp4", "data/chunk-000/file-000.parquet"
META, TASKS = "meta/episodes/chunk-000/file-000.parquet", "meta/tasks.parquet"
OLD_VIDEO = f"videos/chunk-000/{CAMERA}/episode_000001.mp4"
Break = Callable[[Path], object]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A dataset of each version; not to be changed."""
    folder = tmp_path_factory.mktemp("recordings")
    return {version: write_recordings(folder / version, version) for version in ("v3.0", "v2.1")}


def copied(sound: dict[str, Path], version: str, to: Path) -> Path:
    return Path(shutil.copytree(sound[version], to))


def video_of(path: Path, codec: str, frames: int, pixels: str = "yuv420p", rate: int = FPS) -> None:
    """Another video in place of one."""
    with av.open(str(path), "w", format="mp4") as out:
        stream: Any = out.add_stream(codec, rate=rate)
        stream.width, stream.height, stream.pix_fmt = 96, 64, pixels
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(picture(0, number % 10), format="rgb24").reformat(format=pixels)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))


def scribble(path: Path) -> None:
    """Damage the middle of a file."""
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 4, len(data) // 2):
        data[at] ^= 0x5A
    path.write_bytes(bytes(data))


def put_link(path: Path) -> None:
    """Move a file out of the dataset and leave a link to it."""
    root = next(parent for parent in path.parents if (parent / "meta").is_dir())
    shutil.move(path, root.parent / "outside")
    path.symlink_to(root.parent / "outside")


def put_folder_link(root: Path, name: str) -> None:
    shutil.move(root / name, root.parent / "outside")
    (root / name).symlink_to(root.parent / "outside")


def put_time(path: Path, at: int, value: float) -> None:
    times = pq.read_table(path)["timestamp"].to_pylist()
    times[at] = value
    put_columns(path, {"timestamp": times})


def put_numbers(path: Path) -> None:
    effector = pq.read_table(path)["observation.effector"].to_pylist()
    effector[1] = [float("nan")] * 3
    put_columns(path, {"observation.effector": effector})


def update(**fields: Any) -> Callable[[list[dict[str, Any]]], object]:
    """Set fields of the second row."""
    return lambda rows: rows[1].update(fields)


EPISODES: list[tuple[str, Break, str, str]] = [
    ("v2.1", lambda r: (r / OLD_VIDEO).unlink(), "video missing", "episode_000001.mp4: no such video"),
    ("v2.1", lambda r: (r / OLD_VIDEO).write_bytes(b""), "not a video", "episode_000001.mp4: not an MP4"),
    ("v2.1", lambda r: (r / OLD_VIDEO).write_text("#EXTM3U\nfile:///etc/passwd\n"), "not a video", "not an MP4"),
    ("v2.1", lambda r: (r / OLD_VIDEO).write_text("ffconcat version 1.0\n"), "not a video", "not an MP4"),
    ("v2.1", lambda r: video_of(r / OLD_VIDEO, "mpeg2video", 12), "codec not decoded", "its codec mpeg2video is not"),
    ("v2.1", lambda r: video_of(r / OLD_VIDEO, "mpeg4", 11), "video of another length", "11 frames, expected 12"),
    ("v2.1", lambda r: video_of(r / OLD_VIDEO, "libx264", 11), "video of another length", "11 frames, expected 12"),
    ("v2.1", lambda r: video_of(r / OLD_VIDEO, "libx264", 13), "video of another length", "13 frames, expected 12"),
    ("v2.1", lambda r: video_of(r / OLD_VIDEO, "libx264", 12, rate=30), "info disagrees: frame rate", "30 frames a"),
    ("v2.1", lambda r: video_of(r / OLD_VIDEO, "libx264", 12, "yuv422p10le"), "pixel format not read", "yuv422p10le"),
    ("v2.1", lambda r: put_link(r / OLD_VIDEO), "path not allowed", "is a link out of the dataset"),
    (
        "v2.1",
        lambda r: (r / "data/chunk-000/episode_000001.parquet").unlink(),
        "data missing or broken",
        "episode_000001.parquet: not readable",
    ),
    (
        "v2.1",
        lambda r: (r / "data/chunk-000/episode_000001.parquet").write_bytes(b"PAR1 nothing PAR1"),
        "data missing or broken",
        "episode_000001.parquet: not readable",
    ),
    ("v3.0", lambda r: put_time(r / DATA, 9, -0.1), "times not ascending", "are negative or do not ascend"),
    ("v3.0", lambda r: put_time(r / DATA, 12, 0.05), "times not ascending", "are negative or do not ascend"),
    ("v3.0", lambda r: put_time(r / DATA, 20, 9.9), "times of another rate", "do not go with 10 frames a second"),
    ("v3.0", lambda r: put_time(r / DATA, 12, float("nan")), "recorded numbers not finite", "not finite"),
    ("v3.0", lambda r: change_table(r / META, update(length=13)), "data of another length", "expected 13 by the table"),
    ("v3.0", lambda r: change_table(r / META, update(length=0)), "no frames", "episode 1 has no frames"),
    (
        "v3.0",
        lambda r: change_table(r / META, update(**{f"videos/{CAMERA}/to_timestamp": 9.0})),
        "times of another length",
        "episode 1 lasts 8.100 s, expected 1.200 s",
    ),
    (
        "v3.0",
        lambda r: change_table(r / META, update(**{f"videos/{CAMERA}/from_timestamp": -1.0})),
        "video times missing",
        "no sound times of observation.images.front",
    ),
    (
        "v3.0",
        lambda r: change_table(
            r / META,
            update(**{f"videos/{CAMERA}/from_timestamp": 99.0, f"videos/{CAMERA}/to_timestamp": 100.2}),
        ),
        "video of another length",
        "expected 12 from frame 990 on",
    ),
    (
        "v3.0",
        lambda r: change_table(r / META, update(**{"data/file_index": 7})),
        "data missing or broken",
        "file-007.parquet: not readable",
    ),
    (
        "v3.0",
        lambda r: change_table(r / META, update(**{"data/file_index": 1})),
        "frames missing from the data",
        "holds no run of frames of episode 1",
    ),
    ("v3.0", lambda r: put_columns(r / DATA, {"frame_index": [0] * 28}), "frames not in order", "not numbered 0 to"),
    ("v3.0", lambda r: put_numbers(r / DATA), "recorded numbers not finite", "observation.effector holds numbers"),
    ("v3.0", lambda r: scribble(r / VIDEO), "video", "file-000.mp4: cannot be decoded"),
]


@pytest.mark.parametrize(("version", "harm", "reason", "sentence"), EPISODES)
def test_a_broken_episode_is_left_out_and_counted(
    version: str, harm: Break, reason: str, sentence: str, sound: dict[str, Path], tmp_path: Path
) -> None:
    root = copied(sound, version, tmp_path / "d")
    harm(root)
    profile = small_profile(changed_high=1.0)
    results = list(mine(open_dataset(root, profile), profile))
    rejects = [result for result in results if isinstance(result, Reject)]
    assert len(results) == len(LENGTHS)
    assert any(isinstance(result, FramePair) for result in results)
    assert rejects
    for reject in rejects:
        assert reject.reason.startswith(f"not readable: {reason}")
        assert str(root) in reject.why
        assert "\n" not in reject.why
    assert any(sentence in reject.why for reject in rejects)


DATASETS: list[tuple[str, Break, str]] = [
    ("v3.0", lambda r: (r / "meta/info.json").unlink(), "no meta/info.json"),
    ("v3.0", lambda r: (r / "meta/info.json").write_text("{"), "info.json: not readable as JSON"),
    ("v3.0", lambda r: (r / "meta/info.json").write_text("[" * 100_000), "info.json: not readable as JSON"),
    ("v3.0", lambda r: (r / "meta/info.json").write_text("[]"), "info.json: not a JSON object"),
    ("v3.0", lambda r: (r / "meta/info.json").write_text('{"fps": NaN}'), "NaN is not a number"),
    ("v3.0", lambda r: change_info(r, lambda i: i.update(codebase_version="v4.0")), "'v4.0', expected v2.0"),
    ("v3.0", lambda r: change_info(r, lambda i: i.update(fps=0)), "info.json: fps:"),
    ("v3.0", lambda r: change_info(r, lambda i: i.pop("features")), "info.json: features:"),
    ("v3.0", lambda r: change_info(r, lambda i: i.update(total_episodes=5)), "4 episodes, expected the 5"),
    ("v2.1", lambda r: change_info(r, lambda i: i.update(total_episodes=3)), "4 episodes, expected the 3"),
    ("v3.0", lambda r: change_info(r, lambda i: i["features"].pop(CAMERA)), "its cameras are none"),
    (
        "v3.0",
        lambda r: change_info(r, lambda i: i["features"].update({"../x": i["features"].pop(CAMERA)})),
        "a camera is called '../x'",
    ),
    ("v3.0", lambda r: (r / TASKS).unlink(), "tasks.parquet: not readable"),
    ("v3.0", lambda r: shutil.rmtree(r / "meta/episodes"), "0 episodes, expected the 4"),
    ("v3.0", lambda r: change_table(r / META, lambda rows: rows.append(dict(rows[0]))), "stands there twice"),
    ("v3.0", lambda r: put_link(r / META), "is a link out of the dataset"),
    ("v3.0", lambda r: put_folder_link(r, "meta"), "is a link out of the dataset"),
    ("v3.0", lambda r: put_link(r / "meta/info.json"), "is a link out of the dataset"),
    ("v2.1", lambda r: (r / "meta/episodes.jsonl").write_text("{}\n"), "line 1 has no whole episode_index"),
    ("v2.1", lambda r: (r / "meta/episodes.jsonl").write_text("nothing\n"), "line 1 is not JSON"),
    (
        "v2.1",
        lambda r: (r / "meta/tasks.jsonl").write_text('{"task_index": -1, "task": "x"}\n'),
        "line 1 is not a task",
    ),
    ("v2.1", lambda r: (r / "meta/cameras.jsonl").write_text('{"camera": "c"}\n'), "line 1 has no 'width'"),
    ("v2.1", lambda r: (r / "meta/cameras.jsonl").write_text('{"camera": "c", "width": 1e999}\n'), "cameras.jsonl"),
]


@pytest.mark.parametrize(("version", "harm", "sentence"), DATASETS)
def test_a_broken_dataset_is_refused_in_one_sentence(
    version: str, harm: Break, sentence: str, sound: dict[str, Path], tmp_path: Path
) -> None:
    root = copied(sound, version, tmp_path / "d")
    harm(root)
    with pytest.raises(UsageError) as caught:
        open_dataset(root, small_profile())
    assert sentence in str(caught.value)
    assert str(root) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_dataset_is_refused(tmp_path: Path) -> None:
    write_dataset(tmp_path / "d", [], FPS)
    with pytest.raises(UsageError, match="its cameras are none"):
        open_dataset(tmp_path / "d", small_profile())
    change_info(tmp_path / "d", lambda i: i["features"].update({CAMERA: {"dtype": "video", "shape": [64, 96, 3]}}))
    with pytest.raises(UsageError, match="no episodes"):
        open_dataset(tmp_path / "d", small_profile())
    with pytest.raises(UsageError, match="no such folder"):
        open_dataset(tmp_path / "nothing", small_profile())


@pytest.mark.parametrize(
    "template",
    [
        "{chunk_index.__class__}.mp4",
        "{chunk_index!r}.mp4",
        "{chunk_index:>100000000}",
        "{chunk_index:099999999d}",
        "{chunk_index[0]}",
        "{other}/x.mp4",
        "{}",
        "{0}",
        "{{chunk_index}}",
        "a{b",
        "a}b",
        "{video_key:03d}",
        "../{chunk_index}.mp4",
        "a/../../{chunk_index}.mp4",
        "/etc/passwd",
        "//etc/passwd",
        "",
        "a\0b",
        "a\\..\\b",
        "x" * 5000,
    ],
)
def test_path_templates_are_filled_and_stay_inside(template: str, sound: dict[str, Path], tmp_path: Path) -> None:
    numbers, names = {"chunk_index": 1, "file_index": 2}, {"video_key": "front"}
    with pytest.raises(PathError):
        inside(tmp_path, fill_template(template, numbers, names))
    root = copied(sound, "v3.0", tmp_path / "d")
    if len(template) > 512:
        return
    change_info(root, lambda info: info.update(video_path=template))
    profile = small_profile()
    for result in mine(open_dataset(root, profile), profile):
        assert isinstance(result, Reject)
        assert result.reason == "not readable: path not allowed"
        assert "info.json" in result.why


def test_names_are_never_filled_in_twice() -> None:
    assert fill_template("{video_key}/{chunk_index:03d}", {"chunk_index": 7}, {"video_key": "{chunk_index}"}) == (
        "{chunk_index}/007"
    )
    with pytest.raises(PathError, match="negative"):
        fill_template("{chunk_index}", {"chunk_index": -1}, {})


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_links_inside_the_dataset_are_followed(kind: str, sound: dict[str, Path], tmp_path: Path) -> None:
    root = copied(sound, "v3.0", tmp_path / "d")
    place = root / ("videos" if kind == "folder" else VIDEO)
    (root / "kept").mkdir()
    shutil.move(place, root / "kept" / place.name)
    place.symlink_to(root / "kept" / place.name)
    dataset = open_dataset(root, small_profile())
    assert np.array_equal(
        dataset.frames(dataset.episode(0), [2])[0],
        open_dataset(sound["v3.0"], small_profile()).frames(dataset.episode(0), [2])[0],
    )


@pytest.mark.parametrize("name", ["videos", "data"])
def test_folders_that_are_links_out_of_the_dataset_are_not_read(
    name: str, sound: dict[str, Path], tmp_path: Path
) -> None:
    root = copied(sound, "v3.0", tmp_path / "d")
    put_folder_link(root, name)
    profile = small_profile()
    results = list(mine(open_dataset(root, profile), profile))
    assert {result.reason for result in results if isinstance(result, Reject)} == {"not readable: path not allowed"}
    assert not any(isinstance(result, FramePair) for result in results)


def test_what_is_not_the_dataset_s_business_is_no_harm(sound: dict[str, Path], tmp_path: Path) -> None:
    root = copied(sound, "v3.0", tmp_path / "d")
    change_info(root, lambda info: info.update(extra={"a": [1]}, robot_type=None))
    (root / "README.md").write_text("x")
    profile = small_profile()
    assert json.loads((root / "meta/info.json").read_text())["extra"]
    assert any(isinstance(result, FramePair) for result in mine(open_dataset(root, profile), profile))
