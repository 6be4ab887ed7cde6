"""Recorded datasets are read frame by frame as a plain decoder reads their files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import av
import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from av.video.frame import VideoFrame
from support.recordings import (
    CAMERA,
    FPS,
    HEIGHT,
    LENGTHS,
    TASKS,
    WIDTH,
    K,
    change_info,
    change_table,
    episodes,
    nearest,
    picture,
    put_columns,
    recorded,
    small_profile,
    write_recordings,
)

from flowbench.builders.sources.colours import picture_of
from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.lerobot.info import Feature
from flowbench.builders.sources.lerobot.writing import write_dataset
from flowbench.builders.sources.recorded import EpisodeError
from flowbench.builders.sources.video import read_frames, video_facts

DATA, META = "data/chunk-000/file-000.parquet", "meta/episodes/chunk-000/file-000.parquet"


def plain_frames(path: Path) -> list[Any]:
    """All frames of a video, from its beginning on."""
    with av.open(str(path)) as container:
        return list(container.decode(video=0))


@pytest.mark.parametrize("codec", ["h264", "av1"])
@pytest.mark.parametrize("version", ["v3.0", "v2.1"])
def test_frames_are_those_of_a_plain_decoder(
    version: Literal["v3.0", "v2.1"], codec: Literal["h264", "av1"], tmp_path: Path
) -> None:
    dataset = open_dataset(write_recordings(tmp_path / "d", version, codec), small_profile())
    assert list(dataset.episodes) == [0, 1, 2, 3]
    first = 0
    for index in dataset.episodes:
        episode = dataset.episode(index)
        if version == "v3.0":
            path = f"videos/{CAMERA}/chunk-000/file-{index // 3:03d}.mp4"
            first = 0 if index % 3 == 0 else first
        else:
            path, first = f"videos/chunk-000/{CAMERA}/episode_{index:06d}.mp4", 0
        decoded = plain_frames(dataset.root / path)[first : first + episode.length]
        first += episode.length
        # Out of order and one twice: what is asked for is what comes.
        asked = [episode.length - 1, 0, *range(episode.length), 3]
        for frame, found in zip(asked, dataset.frames(episode, asked), strict=True):
            assert np.array_equal(found, picture_of(decoded[frame]))
            assert nearest(index, found) == frame
            theirs = decoded[frame].to_ndarray(format="rgb24").astype(int)
            assert np.abs(found - theirs).max() <= 5


def test_a_span_may_end_at_its_last_frame(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")

    def cut_short(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row[f"videos/{CAMERA}/to_timestamp"] -= 1.02 / FPS

    change_table(root / META, cut_short)
    dataset = open_dataset(root, small_profile())
    assert [dataset.episode(index).length for index in dataset.episodes] == list(LENGTHS)


def test_what_is_recorded_beside_the_frames(tmp_path: Path) -> None:
    dataset = open_dataset(write_recordings(tmp_path / "d"), small_profile())
    written = list(episodes())
    for index in dataset.episodes:
        episode = dataset.episode(index)
        assert (episode.task, episode.length, episode.fps) == (TASKS[index], LENGTHS[index], FPS)
        assert episode.effector is not None
        assert episode.opening is not None
        assert episode.effector == pytest.approx(written[index].effector, abs=1e-6)
        assert episode.opening.tolist() == [1.0] * LENGTHS[index]
        assert episode.intrinsics is not None
        assert episode.intrinsics.tolist() == K.tolist()
        assert (episode.camera, episode.size) == (CAMERA, (WIDTH, HEIGHT))


@pytest.mark.parametrize(
    ("codec", "options", "pixels"),
    [
        ("libx264", {"g": "250", "bf": "3"}, "yuv420p"),
        ("libx264", {"g": "7", "bf": "2", "x264-params": "open-gop=1"}, "yuv420p"),
        ("libx264", {"g": "5"}, "yuv444p"),
        ("libx264", {"g": "5"}, "yuvj420p"),
        ("libx264", {"g": "5"}, "yuv422p"),
        ("mpeg4", {"g": "12"}, "yuv420p"),
        ("mpeg4", {"g": "12", "bf": "2"}, "yuv420p"),
        ("mjpeg", {}, "yuvj420p"),
    ],
)
def test_any_frame_is_found_however_far_key_frames_are(
    codec: str, options: dict[str, str], pixels: str, tmp_path: Path
) -> None:
    path = tmp_path / "v.mp4"
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream(codec, rate=FPS, options=options)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, pixels
        for number in range(80):
            frame = VideoFrame.from_ndarray(picture(number // 10, number % 10), format="rgb24").reformat(format=pixels)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    decoded = [picture_of(frame) for frame in plain_frames(path)]
    for asked in ([79], [41, 40], [0, 78, 33, 34, 79]):
        for frame, found in zip(asked, read_frames(path, asked, FPS), strict=True):
            assert np.array_equal(found, decoded[frame])
            assert nearest(frame // 10, found) == frame % 10
    assert video_facts(path).frames == 80
    with pytest.raises(EpisodeError, match="has no frame 80"):
        read_frames(path, [80], FPS)


@pytest.mark.parametrize(
    ("shape", "names", "size"),
    [
        ((64, 96, 3), ["height", "width", "channels"], (96, 64)),
        ((3, 64, 96), ["channels", "height", "width"], (96, 64)),
        ((3, 64, 96), ["channel", "height", "width"], (96, 64)),
        ((96, 64, 3), {"axes": ["width", "height", "channel"]}, (96, 64)),
        ((64, 96, 3), ["height", "width", "rgb"], (96, 64)),
        ((None, None, None, 3), None, None),
        ((None, 96, 3), ["height", "width", "channels"], None),
        ((64, 96, 3), None, (96, 64)),
        ((3, 64, 96), None, (96, 64)),
        ((64, 96, 3), ["a", "b", "c"], None),
        ((64, 96), ["height", "width"], None),
    ],
)
def test_names_tell_which_number_is_the_width(
    shape: tuple[int | None, ...], names: Any, size: tuple[int, int] | None
) -> None:
    assert Feature(dtype="video", shape=shape, names=names).size == size


@pytest.mark.parametrize("key", ["info", "video_info"])
@pytest.mark.parametrize("mark", ["is_depth_map", "video.is_depth_map"])
def test_depth_maps_are_no_pictures(key: str, mark: str) -> None:
    assert Feature.model_validate({"dtype": "video", key: {mark: False}}).is_picture
    assert not Feature.model_validate({"dtype": "video", key: {mark: True}}).is_picture
    assert not Feature(dtype="float32").is_picture


def test_tasks_come_from_their_own_table_where_episodes_tell_none(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")
    change_table(root / META, lambda rows: [row.update(tasks=[]) for row in rows])
    assert open_dataset(root, small_profile()).episode(1).task == TASKS[1]
    # An index without a name is stored under one of pandas' own.
    tasks = pq.read_table(root / "meta/tasks.parquet").rename_columns(["task_index", "__index_level_0__"])
    pq.write_table(tasks, root / "meta/tasks.parquet")
    assert open_dataset(root, small_profile()).episode(1).task == TASKS[1]


def test_pictures_may_lie_among_the_numbers(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")
    change_info(root, lambda info: info["features"][CAMERA].update(dtype="image"))
    for name, shown in (("000", (0, 1, 2)), ("001", (3,))):
        pictures = [
            {"bytes": cv2.imencode(".png", picture(index, frame)[..., ::-1])[1].tobytes(), "path": None}
            for index in shown
            for frame in range(LENGTHS[index])
        ]
        put_columns(root / f"data/chunk-000/file-{name}.parquet", {CAMERA: pictures})
    dataset = open_dataset(root, small_profile())
    found = dataset.frames(dataset.episode(1), [11, 0])
    assert np.array_equal(found[0], picture(1, 11))
    assert np.array_equal(found[1], picture(1, 0))


def test_positions_of_two_numbers_lie_on_the_table(tmp_path: Path) -> None:
    profile = small_profile(effector=({"key": "observation.state", "at": (1, 0)},))
    state = np.arange(18.0).reshape(9, 2)
    write_dataset(tmp_path / "d", [recorded(0, 9, "push", state=state)], FPS)
    effector = open_dataset(tmp_path / "d", profile).episode(0).effector
    assert effector is not None
    assert effector.tolist() == [[b, a, 0.0] for a, b in state.tolist()]


def test_how_far_a_gripper_is_open_is_scaled(tmp_path: Path) -> None:
    profile = small_profile(opening=({"key": "observation.opening", "at": 0, "shut": 0.8, "open": 0.0},))
    write_dataset(tmp_path / "d", [recorded(0, 4, "push", opening=[0.0, 0.4, 0.8, 1.0])], FPS)
    opening = open_dataset(tmp_path / "d", profile).episode(0).opening
    assert opening is not None
    assert opening == pytest.approx([1.0, 0.5, 0.0, 0.0], abs=1e-6)


def test_lists_of_any_kind_are_read_as_numbers(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")
    values = [[float(n), 2.0, 3.0] for n in range(28)]
    put_columns(root / DATA, {"observation.effector": pa.array(values, pa.list_(pa.float64()))})
    effector = open_dataset(root, small_profile()).episode(0).effector
    assert effector is not None
    assert effector[:, 0].tolist() == list(range(9))


def test_calibration_of_another_size_is_scaled(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d")
    line = {"camera": CAMERA, "width": 192, "height": 64, "fx": 100.0, "fy": 50.0, "cx": 95.5, "cy": 31.5}
    (root / "meta/cameras.jsonl").write_text(json.dumps(line) + "\n")
    k = open_dataset(root, small_profile()).episode(2).intrinsics
    assert k is not None
    assert k.tolist() == [[50.0, 0.0, 47.5], [0.0, 50.0, 31.5], [0.0, 0.0, 1.0]]


def test_what_other_writers_leave_out_or_call_otherwise_is_read(tmp_path: Path) -> None:
    root = write_recordings(tmp_path / "d", "v2.1")

    def change(info: dict[str, Any]) -> None:
        info.update(codebase_version="v2.0", robot_type=None, fps=10.0)
        info["features"][CAMERA].update(names=["height", "width", "rgb"], video_info={"video.fps": 10.0})
        info["features"][CAMERA].pop("info")
        info["features"]["observation.state"] = {"dtype": "float32", "shape": [8], "names": {"motors": ["x", "y"]}}
        info["features"]["observation.images.none"] = {"dtype": "video", "shape": [None, None, None, 3], "names": None}

    change_info(root, change)
    dataset = open_dataset(root, small_profile())
    episode = dataset.episode(3)
    assert (episode.task, episode.size, episode.length) == (TASKS[3], (WIDTH, HEIGHT), LENGTHS[3])
    assert nearest(3, dataset.frames(episode, [6])[0]) == 6
