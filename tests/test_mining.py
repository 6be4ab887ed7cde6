"""Mining pairs from recordings: which frames, through which camera, how much changed, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cpu_variation import output_under
from support.recordings import (
    CAMERA,
    FPS,
    HEIGHT,
    WIDTH,
    K,
    change_info,
    nearest,
    put_columns,
    recorded,
    small_profile,
    write_recordings,
)

from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.lerobot.cameras import camera_from_pose
from flowbench.builders.sources.lerobot.writing import write_dataset
from flowbench.builders.sources.mining import FramePair, Reject, intrinsics_of, mine, removed_by, task_key
from flowbench.builders.sources.moments import MomentError, grasps, last_release, seen_at, with_outcome
from flowbench.builders.sources.recorded import Episode, View
from flowbench.builders.sources.resizing import changed_share, fitted, gray, scaled_intrinsics

POSE = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
SHRINK = """
import hashlib
import numpy as np
from flowbench.builders.sources.resizing import changed_share, fitted
a, b = np.random.default_rng(1).integers(0, 256, (2, 90, 161, 3), dtype=np.uint8)
for size in ((64, 48), (320, 200), (100, 150)):
    x, y = fitted(a, *size), fitted(b, *size)
    print(hashlib.sha256(x.tobytes() + y.tobytes()).hexdigest(), changed_share(x, y))
"""


@given(st.integers(0, 30), st.integers(0, 80), st.integers(-60, 60))
def test_changed_pixels_are_counted_inside_the_border(row: int, column: int, step: int) -> None:
    before = np.full((64, 96, 3), 100, np.uint8)
    after = before.copy()
    after[row : row + 9, column : column + 11] = 100 + step
    inside = np.zeros((64, 96), bool)
    inside[3:61, 4:92] = True  # 5% of 64 and 96, rounded down
    moved = np.zeros((64, 96), bool)
    moved[row : row + 9, column : column + 11] = abs(step) > 25
    assert changed_share(before, after) == (inside & moved).sum() / inside.sum()


def test_gray_weighs_colours_as_eyes_do() -> None:
    colours = np.array([[[255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255]]], np.uint8)
    assert gray(colours).tolist() == [[255, 76, 150, 29]]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(1, 40))
def test_shrinking_averages_areas(height: int, width: int, down: int, across: int) -> None:
    down, across = min(down, height), min(across, width)
    picture = np.random.default_rng(height * 41 + width).integers(0, 256, (height, width, 3), dtype=np.uint8)
    found = fitted(picture, across, down)
    weights_down, weights_across = (
        np.array(
            [
                [max(0.0, min((new + 1) * old / n, at + 1) - max(new * old / n, at)) for at in range(old)]
                for new in range(n)
            ]
        )
        * n
        / old
        for old, n in ((height, down), (width, across))
    )
    expected = np.einsum("ij,jkc,lk->ilc", weights_down, picture.astype(float), weights_across)
    assert found.shape == (down, across, 3)
    assert np.abs(found - expected).max() <= 1.01  # each axis is rounded once


def test_enlarging_keeps_edges_where_they_are() -> None:
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:, 32:] = 200
    found = fitted(picture, 640, 480)
    assert found.shape == (480, 640, 3)
    assert (found[:, :310] == 0).all()
    assert (found[:, 330:] == 200).all()


def test_what_the_cpu_offers_changes_no_pixel() -> None:
    plain = output_under(SHRINK, {})
    assert plain.count(b"\n") == 3
    without = {"OPENCV_CPU_DISABLE": "SSE4_2,AVX,AVX2,FP16,AVX512_SKX,AVX512_ICL", "NPY_DISABLE_CPU_FEATURES": "X86_V4"}
    assert output_under(SHRINK, without) == plain


def test_intrinsics_follow_the_picture() -> None:
    k = np.array([[500.0, 0.0, 319.5], [0.0, 500.0, 239.5], [0.0, 0.0, 1.0]])
    scaled = scaled_intrinsics(k, (640, 480), (1280, 240))
    assert scaled.tolist() == [[1000.0, 0.0, 639.5], [0.0, 250.0, 119.5], [0.0, 0.0, 1.0]]
    profile = small_profile(width=192)
    episode = Episode(0, "", 5, FPS, CAMERA, intrinsics=K, size=(WIDTH, HEIGHT))
    assert intrinsics_of(episode, profile, (WIDTH, HEIGHT)).tolist() == [[180, 0, 95.5], [0, 90, 31.5], [0, 0, 1]]
    assumed = intrinsics_of(Episode(0, "", 5, FPS, CAMERA), profile, (WIDTH, HEIGHT))
    assert assumed.tolist() == [[90, 0, 47.5], [0, 90, 31.5], [0, 0, 1]]


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ([1, 1, 0, 0, 1], [(2, 4)]),
        ([0, 1, 0, 0], [(0, 1), (2, 4)]),
        ([1, 1, 1], []),
        ([0.5, 0.55, 0.5], []),
        ([0.9, 0.4, 0.45, 0.9, 0.6, 0.7, 0.9], [(1, 3), (4, 5)]),
    ],
)
def test_a_grasp_is_below_the_middle_of_its_range(opening: list[float], expected: list[tuple[int, int]]) -> None:
    assert grasps(np.array(opening, dtype=np.float64)) == expected


def moving(opening: list[float] | None, effector: list[list[float]] | None = None, **more: Any) -> Episode:
    length = len(opening or effector or [])
    return Episode(
        0,
        "put it there",
        length,
        10.0,
        CAMERA,
        effector=None if effector is None else np.array(effector, dtype=np.float64),
        opening=None if opening is None else np.array(opening, dtype=np.float64),
        size=(WIDTH, HEIGHT),
        **more,
    )


AFTER = {"outcome": "after_release", "hold_steps": 3}


@pytest.mark.parametrize(
    ("opening", "changes", "outcome"),
    [
        ([1, 0, 0, 1, 1], {}, 4),
        ([1, 0, 0, 0, 1, 1, 1], AFTER, 6),
        ([1, 0, 0, 1, 1], AFTER, "grasp too short"),
        ([1, 0, 0, 1, 1], {"hold_steps": 3}, "grasp too short"),
        ([1, 0, 0, 0, 1, 1], {"hold_steps": 3}, 5),
        ([1, 0, 0, 0, 0], AFTER, "no release"),
        ([1, 1, 1, 1, 1], AFTER, "no release"),
        (None, AFTER, "no gripper recorded"),
        ([1], {}, "fewer than two frames"),
        ([1, 0, 1], {"intrinsics": "recorded"}, "no calibration"),
    ],
)
def test_the_outcome_is_the_last_frame_or_after_the_release(
    opening: list[float] | None, changes: dict[str, Any], outcome: int | str
) -> None:
    episode = moving(opening, [[0.0, 0.0, 1.0]] * 5 if opening is None else None)
    profile = small_profile(**changes)
    if isinstance(outcome, int):
        assert with_outcome(episode, profile)[1] == outcome
        return
    with pytest.raises(MomentError, match=outcome):
        with_outcome(episode, profile)


def test_the_outcome_is_preferably_when_the_arm_has_left_the_view() -> None:
    # The camera looks along z; at x = 1 m and z = 1 m the effector is outside the picture.
    opening = [1, 0, 0, 0, 1, 1, 1, 1, 1.0]
    away, here = [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]
    profile = small_profile(**AFTER)
    for path, expected in (
        ([here] * 5 + [away, away, here, here], 6),
        ([here] * 8 + [away], 8),
        ([away] * 3 + [here] * 6, 8),  # gone before the release does not count
        ([here] * 5 + [[0.0, 0.0, -1.0]] + [here] * 3, 5),  # behind the camera
    ):
        episode = moving(opening, path, intrinsics=K, camera_from_robot=POSE)
        assert last_release(episode, profile) == 4
        assert with_outcome(episode, profile)[1] == expected
    assert with_outcome(moving(opening, [away] * 9), profile)[1] == 8


def test_the_camera_is_the_one_that_sees_the_release_nearest_to_its_centre() -> None:
    opening, path = [1, 0, 0, 0, 1, 1.0], [[0.0, 0.0, 1.0]] * 6
    aside = POSE + np.array([[0, 0, 0, 0.3], [0, 0, 0, 0], [0, 0, 0, 0]])
    size = (WIDTH, HEIGHT)
    views = {
        "far": View("far", K, aside, size),
        "near": View("near", K, POSE, size),
        "unknown": View("unknown", None, None, size),
    }
    assert seen_at(moving(opening, path, intrinsics=K, camera_from_robot=POSE), 4) == (0.0, 0.0)
    for first, others, expected in (
        ("far", ("near",), "near"),
        ("near", ("far",), "near"),
        ("unknown", ("far", "near"), "near"),
        ("far", ("unknown",), "far"),
    ):
        episode = moving(opening, path, other_views=tuple(views[name] for name in others)).seen_by(views[first])
        seen, _ = with_outcome(episode, small_profile(**AFTER, intrinsics="recorded"))
        assert seen.camera == expected


def test_poses_are_turns_about_x_then_y_then_z() -> None:
    quarter = 1.5707963267948966
    pose = camera_from_pose([1.0, 2.0, 3.0, quarter, 0.0, quarter])
    assert pose is not None
    # About x, y goes to z; about z, x goes to y: the camera's z axis, first -y of the robot, ends as x.
    robot_point = np.array([1.0 + 0.7, 2.0, 3.0, 1.0])
    assert [float(sum(row * robot_point)) for row in pose] == pytest.approx([0.0, 0.0, 0.7], abs=1e-12)
    bad: list[list[object]] = [
        [0.0] * 6,
        [1.0] * 5,
        [float("nan")] * 6,
        [None] * 6,
        ["1"] * 6,
        [[1.0]] * 6,
        [1e300] * 6,
    ]
    assert [camera_from_pose(each) for each in bad] == [None] * len(bad)


@pytest.mark.parametrize("task", ["push \ud800", "push it " * 400])
def test_a_task_that_cannot_be_written_again_is_left_out(tmp_path: Path, task: str) -> None:
    root = write_recordings(tmp_path / "d", "v2.1")
    path = root / "meta/episodes.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(first), "tasks": [task]}), *rest]))
    profile = small_profile(changed_high=1.0)
    left_out, *others = mine(open_dataset(root, profile), profile)
    assert isinstance(left_out, Reject)
    assert left_out.reason == "not readable: task that is no text"
    assert f"{root}: the task of episode 0, 'push " in left_out.why
    assert left_out.why.isprintable()
    assert all(isinstance(each, FramePair) for each in others)


def test_filters_are_counted_in_their_order(tmp_path: Path) -> None:
    tasks = ["push it", "fold it", "push it", "Push it.", "wipe it", "still", "push it"]
    profile = small_profile(
        drop_tasks={"wipe": "wipe", "fold": "fold"}, most_per_task=2, changed_low=0.02, changed_high=0.2
    )
    made = [recorded(number, 8, task) for number, task in enumerate(tasks)]
    made[5] = recorded(5, 2, "still")
    made[5].frames[CAMERA][1] = made[5].frames[CAMERA][0]
    write_dataset(tmp_path / "d", made, FPS)
    results = list(mine(open_dataset(tmp_path / "d", profile), profile))
    assert [isinstance(result, FramePair) for result in results] == [True, False, True, False, False, False, False]
    total, removed = removed_by(results)
    assert total == 7
    assert [(row.reason, row.episodes, row.left) for row in removed] == [
        ("task: fold", 1, 6),
        ("task: wipe", 1, 5),
        ("too little changed", 1, 4),
        ("enough of this task", 2, 2),
    ]
    pair = results[2]
    assert isinstance(pair, FramePair)
    assert (pair.before_index, pair.after_index) == (0, 7)
    assert (nearest(2, pair.before), nearest(2, pair.after)) == (0, 7)
    assert pair.before.shape == (HEIGHT, WIDTH, 3)
    assert pair.changed == changed_share(pair.before, pair.after)
    still = results[5]
    assert isinstance(still, Reject)
    assert still.why == "Episode 5 is left out: 0.00% changed, under 2.0%."


def test_too_much_change_is_no_pair(tmp_path: Path) -> None:
    profile = small_profile(changed_high=0.05)
    write_dataset(tmp_path / "d", [recorded(0, 9, "push")], FPS)
    (only,) = mine(open_dataset(tmp_path / "d", profile), profile)
    assert isinstance(only, Reject)
    assert only.reason == "too much changed"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [("Push it.", "push  it", True), ("push it", "push them", False), ("Push it!", "push it ", True)],
)
def test_tasks_are_counted_by_what_they_say(a: str, b: str, same: bool) -> None:
    assert (task_key(Episode(0, a, 2, 1.0, "c")) == task_key(Episode(1, b, 2, 1.0, "c"))) == same
    assert task_key(Episode(0, a, 2, 1.0, "c", group="A")) != task_key(Episode(0, a, 2, 1.0, "c", group="B"))


def test_what_droid_records_is_read_from_its_rows(tmp_path: Path) -> None:
    views = ("observation.images.exterior_1_left", "observation.images.exterior_2_left")
    opening = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    write_dataset(tmp_path / "d", [recorded(0, 7, "push", views, opening=opening)], FPS)
    marks = {"building": ["X"] * 7, "is_episode_successful": [True] * 7}
    poses = {f"camera_extrinsics.exterior_{n}_left": [[0.1 * n, 0, -1.0, 0, 0, 0]] * 7 for n in (1, 2)}
    put_columns(tmp_path / "d/data/chunk-000/file-000.parquet", marks)
    for name, values in poses.items():
        column = pa.array(values, pa.list_(pa.float32(), 6))
        put_columns(tmp_path / "d/data/chunk-000/file-000.parquet", {name: column})
    more = {name: {"dtype": "float32", "shape": [6]} for name in (*marks, *poses)}
    change_info(tmp_path / "d", lambda info: info["features"].update(more))
    profile = small_profile(
        **AFTER,
        intrinsics="recorded",
        camera_keys=views,
        group_keys=("lab", "building"),
        success_keys=("is_episode_successful",),
        extrinsics_prefix="camera_extrinsics.",
    )
    dataset = open_dataset(tmp_path / "d", profile)
    episode = dataset.episode(0)
    assert (episode.group, episode.success, episode.camera) == ("X", True, views[0])
    assert [view.camera for view in episode.other_views] == [views[1]]
    # The effector is at x = 5 cm, 20 cm up at the release: the first camera is nearer to above it.
    seen, after = with_outcome(episode, profile)
    assert (seen.camera, after) == (views[0], 6)
    assert seen.camera_from_robot is not None
    assert seen.camera_from_robot[:, 3] == pytest.approx([-0.1, 0.0, 1.0])
    (tmp_path / f"d/videos/{views[0]}/chunk-000/file-000.mp4").unlink()
    left = open_dataset(tmp_path / "d", profile).episode(0)
    assert (left.camera, left.other_views) == (views[1], ())
