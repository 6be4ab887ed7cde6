"""CLEVRER's annotations and videos: written, read, and refused in one sentence."""

from __future__ import annotations

import copy
import functools
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.collisions import drawn

from flowbench.builders.simulators.collisions.judging import in_picture
from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.builders.sources import clevrer
from flowbench.builders.sources.clevrer import (
    NOMINAL_PIXELS,
    annotation_of,
    quaternion_from_turns,
    read_annotation,
    read_video,
    turns_from_quaternion,
    write_annotation,
)
from flowbench.collisions.oracle import FRAMES, HEIGHT, WIDTH, Oracle
from flowbench.errors import UsageError
from flowbench.geometry import Pose


@functools.cache
def oracle(without: int | None = None) -> Oracle:
    """What is known of a scene, its pixels told by where the centres are."""
    setup = drawn(1).setup
    run = simulate(setup, without)
    count = len(setup.bodies)
    seen = np.array(
        [
            [k != without and in_picture(setup.view, tuple(run.poses[f, k, :3].tolist())) for k in range(count)]
            for f in range(FRAMES)
        ]
    ).astype(np.int64)
    pixels = np.zeros((FRAMES, count, 2))
    motion = (run.poses, run.velocities, run.spins)
    return Oracle(1, setup.bodies, *motion, seen * 900, seen * 900, pixels, run.collisions)


def rotation(quaternion: Any) -> np.ndarray:
    x, y, z, w = (float(part) for part in quaternion)
    return Pose((0.0, 0.0, 0.0), (x, y, z, w)).matrix[:3, :3]


def test_the_layout_is_clevrers() -> None:
    plain = json.loads(json.dumps(annotation_of(oracle(), "video_00001.mp4")))
    assert set(plain) == {"scene_index", "object_property", "motion_trajectory", "collision", "video_filename"}
    assert set(plain["object_property"][0]) == {"object_id", "shape", "material", "color"}
    assert len(plain["motion_trajectory"]) == FRAMES
    moment = plain["motion_trajectory"][5]
    assert moment["frame_id"] == 5
    assert set(moment["objects"][0]) == {
        "object_id",
        "location",
        "orientation",
        "velocity",
        "angular_velocity",
        "inside_camera_view",
    }
    assert all(len(moment["objects"][0][key]) == 3 for key in ("location", "orientation", "velocity"))
    assert set(plain["collision"][0]) == {"object_ids", "frame_id", "location"}


def test_what_was_written_is_read(tmp_path: Path) -> None:
    truth = oracle()
    write_annotation(tmp_path / "annotation_00001.json", truth, "video_00001.mp4")
    recording = read_annotation(tmp_path / "annotation_00001.json")
    read = recording.oracle
    assert recording.video == "video_00001.mp4"
    assert read.scene == truth.scene
    assert [body.name for body in read.bodies] == [body.name for body in truth.bodies]
    assert (read.poses[..., :3] == truth.poses[..., :3]).all()
    assert (read.velocities == truth.velocities).all()
    assert (read.spins == truth.spins).all()
    assert [(c.frame, c.pair, c.position) for c in read.collisions] == [
        (c.frame, c.pair, c.position) for c in truth.collisions
    ]
    assert ((read.visible > 0) == (truth.visible > 0)).all()
    for f in range(0, FRAMES, 9):
        for k in range(len(truth.bodies)):
            assert rotation(read.poses[f, k, 3:]) == pytest.approx(rotation(truth.poses[f, k, 3:]), abs=1e-6)


def test_what_clevrer_does_not_tell(tmp_path: Path) -> None:
    truth = oracle()
    write_annotation(tmp_path / "a.json", truth)
    recording = read_annotation(tmp_path / "a.json")
    read = recording.oracle
    assert recording.video is None
    assert set(np.unique(read.visible).tolist()) <= {0, NOMINAL_PIXELS}
    assert (read.visible == read.whole).all()
    assert np.isnan(read.pixels).all()
    assert all(math.isnan(c.impulse) and c.substep == 0 and c.speed >= 0.0 for c in read.collisions)
    entrances = [body.enters for body in read.bodies]
    for wanted, found in zip(truth.bodies, entrances, strict=True):
        assert (wanted.enters is None) == (found is None)
        assert wanted.enters is None or wanted.enters <= found < wanted.enters + 40


def test_a_body_that_was_left_out_is_not_written(tmp_path: Path) -> None:
    write_annotation(tmp_path / "a.json", oracle(0))
    plain = json.loads((tmp_path / "a.json").read_text("utf-8"))
    ids = [entry["object_id"] for entry in plain["object_property"]]
    assert ids == list(range(1, len(oracle().bodies)))
    read = read_annotation(tmp_path / "a.json").oracle
    assert [body.name for body in read.bodies] == [body.name for body in oracle().bodies[1:]]
    assert [c.pair for c in read.collisions] == [(c.pair[0] - 1, c.pair[1] - 1) for c in oracle(0).collisions]


def annotation() -> dict[str, Any]:
    return json.loads(json.dumps(annotation_of(oracle(), "video.mp4")))


def changed(way: str, value: Any) -> dict[str, Any]:
    """The annotation with one value another, or gone (None)."""
    plain = copy.deepcopy(annotation())
    *steps, last = (int(step) if step.lstrip("-").isdigit() else step for step in way.split("."))
    part: Any = plain
    for step in steps:
        part = part[step]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return plain


BROKEN = [
    ("object_property.0.shape", "cone", "'shape' of object_property 0 is 'cone', not one of cube, cylinder, sphere"),
    ("object_property.1.color", "pink", "'color' of object_property 1 is 'pink', not one of blue"),
    ("object_property.0.material", ["metal"], "'material' of object_property 0"),
    ("object_property.1.object_id", 0, "'object_property' has the object 0 twice"),
    ("object_property.0.material", None, "object_property 0 has no 'material'"),
    ("object_property", {}, "'object_property' of the annotation is {}, not a list"),
    ("object_property", [], "'object_property' is empty"),
    ("motion_trajectory", None, "the annotation has no 'motion_trajectory'"),
    ("motion_trajectory.127", None, "'motion_trajectory' has 127 frames, not 128"),
    ("motion_trajectory.7.frame_id", 8, "'frame_id' of frame 7 is 8, not 7"),
    ("motion_trajectory.7.objects.0.object_id", 77, "frame 7 names object 77"),
    ("motion_trajectory.7.objects.0.velocity", None, "frame 7, object 0 has no 'velocity'"),
    ("motion_trajectory.7.objects.0.location", [1.0, "2", 3.0], "'location' of frame 7, object 0 is [1.0, '2', 3.0]"),
    ("motion_trajectory.7.objects.0.location", [1.0, float("nan"), 3.0], "not 3 finite numbers"),
    ("motion_trajectory.7.objects.0.location", [1.0, 10**400, 3.0], "not 3 finite numbers"),
    ("motion_trajectory.7.objects.0.orientation", [1.0, 2.0], "not 3 or 4 finite numbers"),
    ("motion_trajectory.7.objects.0.orientation", [0.0, 0.0, 0.0, 0.0], "has the length 0.0, not 1"),
    ("motion_trajectory.7.objects.0.orientation", [0.0, 0.0, 1e9], "angle of 500000000.0 radians"),
    ("motion_trajectory.7.objects.0.inside_camera_view", 1, "'inside_camera_view' in frame 7 is 1"),
    ("motion_trajectory.7.objects", 3, "'objects' of frame 7 is 3, not a list"),
    ("collision", None, "the annotation has no 'collision'"),
    ("collision.0.object_ids", [1], "'object_ids' of collision 0 is [1], not two objects"),
    ("collision.0.object_ids", [1, 1], "not two objects"),
    ("collision.0.object_ids", [1, 99], "collision 0 names object 99"),
    ("collision.0.object_ids", [1, "0"], "collision 0 names object '0'"),
    ("collision.0.frame_id", 500, "'frame_id' of collision 0 is 500, not one of 0 to 127"),
    ("collision.0.frame_id", 5.5, "not a whole number"),
    ("scene_index", None, "the annotation has no 'scene_index'"),
]


@pytest.mark.parametrize(("way", "value", "said"), BROKEN)
def test_a_broken_annotation_is_refused_in_one_sentence(tmp_path: Path, way: str, value: Any, said: str) -> None:
    file = tmp_path / "annotation_00042.json"
    file.write_text(json.dumps(changed(way, value)), "utf-8")
    with pytest.raises(UsageError, match=re.escape(said)) as error:
        read_annotation(file)
    assert str(error.value).startswith(str(file))
    assert "expected CLEVRER's annotation layout" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "[1, 2]", "{", "null", "\x00", '"text"'])
def test_what_is_no_annotation_at_all(tmp_path: Path, text: str) -> None:
    file = tmp_path / "it.json"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"it\.json"):
        read_annotation(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.json: not readable"):
        read_annotation(tmp_path / "gone.json")


def test_two_objects_alike_are_refused(tmp_path: Path) -> None:
    plain = annotation()
    plain["object_property"][1] = {**plain["object_property"][0], "object_id": 1}
    (tmp_path / "a.json").write_text(json.dumps(plain), "utf-8")
    with pytest.raises(UsageError, match="twice"):
        read_annotation(tmp_path / "a.json")


angle = st.floats(-3.1, 3.1)


@settings(max_examples=200, deadline=None)
@given(x=angle, y=st.one_of(angle, st.sampled_from([math.pi / 2, -math.pi / 2])), z=angle)
def test_turns_and_quaternions_say_the_same(x: float, y: float, z: float) -> None:
    quaternion = quaternion_from_turns(x, y, z)
    assert math.fsum(part * part for part in quaternion) == pytest.approx(1.0)
    again = quaternion_from_turns(*turns_from_quaternion(*quaternion))
    assert rotation(again) == pytest.approx(rotation(quaternion), abs=1e-4)


def test_turns_are_about_x_then_y_then_z() -> None:
    quarter = math.pi / 2
    # x first: the body's y axis goes to z; then about z: stays.
    assert rotation(quaternion_from_turns(quarter, 0.0, quarter))[:, 1] == pytest.approx([0.0, 0.0, 1.0], abs=1e-6)
    assert rotation(quaternion_from_turns(0.0, quarter, 0.0))[:, 2] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)


def encoded(path: Path, frames: int, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Path:
    """A video whose frames grow lighter."""
    av = pytest.importorskip("av")
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for f in range(frames):
            picture = np.full((size[1], size[0], 3), 20 + f, dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


def test_a_video_is_read_frame_by_frame(tmp_path: Path) -> None:
    pictures = read_video(encoded(tmp_path / "video.mp4", FRAMES + 2))
    assert pictures.shape == (FRAMES, HEIGHT, WIDTH, 3)
    assert pictures.dtype == np.uint8
    levels = pictures.reshape(FRAMES, -1).mean(axis=1)
    assert levels == pytest.approx(20.0 + np.arange(FRAMES), abs=4.0)


def test_a_short_video_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"short\.mp4: 100 frames, expected at least 128"):
        read_video(encoded(tmp_path / "short.mp4", 100))


def test_a_video_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"small\.mp4: 240x160 pixels, expected 480x320"):
        read_video(encoded(tmp_path / "small.mp4", FRAMES, (240, 160)))


@pytest.mark.parametrize("content", [b"", b"this is no video", bytes(5000)])
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("av")
    (tmp_path / "bad.mp4").write_bytes(content)
    with pytest.raises(UsageError, match=r"bad\.mp4: not readable as a video"):
        read_video(tmp_path / "bad.mp4")


def test_a_video_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("av")
    with pytest.raises(UsageError, match=r"gone\.mp4: not readable"):
        read_video(tmp_path / "gone.mp4")


def test_a_cut_video_is_refused(tmp_path: Path) -> None:
    whole = encoded(tmp_path / "whole.mp4", FRAMES).read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UsageError, match=r"cut\.mp4"):
        read_video(tmp_path / "cut.mp4")


def test_without_pyav_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(clevrer, "import_module", missing)
    with pytest.raises(UsageError, match="pip install av"):
        read_video(tmp_path / "it.mp4")
