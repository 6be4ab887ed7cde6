"""A plain folder of clips and its manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from support.recordings import FPS, HEIGHT, WIDTH, nearest, picture, small_profile

from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.inside import holds_recordings
from flowbench.builders.sources.mining import FramePair, Reject, mine
from flowbench.errors import UsageError

K = {"width": 192, "height": 128, "fx": 180.0, "fy": 180.0, "cx": 95.5, "cy": 63.5}


def film(path: Path, codec: str = "libx264", frames: int = 12, kind: str | None = None) -> None:
    with av.open(str(path), "w", format=kind) as out:
        stream: Any = out.add_stream(codec, rate=FPS)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuvj420p" if codec == "mjpeg" else "yuv420p"
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(picture(0, number), format="rgb24")
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))


def put_clips(root: Path, *clips: Any) -> Path:
    root.mkdir(exist_ok=True)
    (root / "clips.jsonl").write_text("".join(json.dumps(clip) + "\n" for clip in clips))
    return root


@pytest.mark.parametrize("name", ["clips.jsonl", "manifest.json"])
@pytest.mark.parametrize(
    ("file", "codec"),
    [
        ("a.mp4", "libx264"),
        ("a.mkv", "libx264"),
        ("a.webm", "libvpx-vp9"),
        ("a.mp4", "mpeg4"),
        ("a.avi", "mpeg4"),
        ("a.avi", "mjpeg"),
    ],
)
def test_clips_are_episodes(file: str, codec: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    film(tmp_path / "sub" / file, codec)
    clips = [
        {"file": f"sub/{file}", "task": "push the block"},
        {"file": f"sub/{file}", "task": "on", "start": 0.3, "end": 0.9, "group": "lab", "intrinsics": K},
        {"file": f"sub/{file}", "start": 0.5},
    ]
    if name == "clips.jsonl":
        put_clips(tmp_path, *clips)
    else:
        (tmp_path / name).write_text(json.dumps({"clips": clips}))
    assert holds_recordings(tmp_path)
    profile = small_profile(changed_high=1.0)
    dataset = open_dataset(tmp_path, profile)
    assert list(dataset.episodes) == [0, 1, 2]
    whole, part, rest = (dataset.episode(index) for index in dataset.episodes)
    assert (whole.task, whole.length, whole.fps, whole.size) == ("push the block", 12, FPS, (WIDTH, HEIGHT))
    assert (part.task, part.length, part.group) == ("on", 6, "lab")
    assert (rest.task, rest.length) == ("", 7)
    assert part.intrinsics is not None
    assert part.intrinsics.tolist() == [[90.0, 0.0, 47.5], [0.0, 90.0, 31.5], [0.0, 0.0, 1.0]]
    assert [nearest(0, found) for found in dataset.frames(part, [5, 0])] == [8, 3]
    pairs = list(mine(dataset, profile))
    assert [pair.after_index for pair in pairs if isinstance(pair, FramePair)] == [11, 5, 6]
    second = pairs[1]
    assert isinstance(second, FramePair)
    assert np.array_equal(second.k, part.intrinsics)


@pytest.mark.parametrize(
    ("clip", "sentence"),
    [
        ({"file": "b.mp4"}, "b.mp4: no such video"),
        ({"file": "../a.mp4"}, "leads out of the dataset"),
        ({"file": "/etc/passwd"}, "leads out of the dataset"),
        ({"file": "link.mp4"}, "is a link out of the dataset"),
        ({"file": "list.mp4"}, "not an MP4, Matroska, WebM or AVI"),
        ({"file": "a.mp4", "start": 2.0}, "12 frames of 1.20 s, expected some from 2 s to its end"),
        ({"file": "a.mp4", "end": 9.0}, "expected some from 0 s to 9 s"),
    ],
)
def test_a_clip_that_cannot_be_read_is_left_out(clip: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    root = put_clips(tmp_path / "d", {"file": "a.mp4"}, clip)
    film(root / "a.mp4")
    (tmp_path / "outside.mp4").write_bytes((root / "a.mp4").read_bytes())
    (root / "link.mp4").symlink_to(tmp_path / "outside.mp4")
    (root / "list.mp4").write_text("#EXTM3U\n#EXTINF:1,\na.mp4\n")
    profile = small_profile(changed_high=1.0)
    first, second = mine(open_dataset(root, profile), profile)
    assert isinstance(first, FramePair)
    assert isinstance(second, Reject)
    assert sentence in second.why
    assert second.reason.startswith("not readable: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no clips"),
        ("[]", "clip 1 is [], not an object"),
        ("{}", "clip 1 has no 'file'"),
        ('{"file": 3}', "'file' of a clip is not a text"),
        ('{"file": "a.mp4", "start": "1"}', "not 1 finite numbers"),
        ('{"file": "a.mp4", "start": -1}', "not seconds from 0 on"),
        ('{"file": "a.mp4", "start": 2, "end": 1}', "before it starts"),
        ('{"file": "a.mp4", "start": NaN}', "NaN is not a number"),
        ('{"file": "a.mp4", "intrinsics": {"width": 1}}', "'intrinsics' has no 'height'"),
        ('{"file": "a.mp4", "intrinsics": {"width": 4, "height": 4, "fx": 0, "fy": 1, "cx": 0, "cy": 0}}', "focal"),
        ("nothing", "line 1 is not JSON"),
        ("{" * 2_000_000, "line 1 is not JSON"),
    ],
)
def test_a_manifest_that_is_none_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "clips.jsonl").write_text(text)
    with pytest.raises(UsageError) as caught:
        open_dataset(tmp_path, small_profile())
    assert sentence in str(caught.value)
    assert "clips.jsonl" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_profiles_that_need_a_gripper_take_no_clip(tmp_path: Path) -> None:
    film(put_clips(tmp_path / "d", {"file": "a.mp4", "task": "push"}) / "a.mp4")
    profile = small_profile(outcome="after_release")
    (only,) = mine(open_dataset(tmp_path / "d", profile), profile)
    assert isinstance(only, Reject)
    assert only.reason == "no gripper recorded"


def test_a_release_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"configs": {"clips": {}}}))
    assert not holds_recordings(tmp_path)
    assert not holds_recordings(tmp_path / "nothing")
