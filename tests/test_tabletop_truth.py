"""The truth agrees with itself and with the pictures; a broken file is told in a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.tabletop import EPISODES, episode

from flowbench.builders.simulators.tabletop.pairs import pair_of
from flowbench.builders.simulators.tabletop.scene import POOL, is_for_testing
from flowbench.builders.simulators.tabletop.truth import (
    ARM_ID,
    Truth,
    as_text,
    episodes_of,
    from_text,
    has_truth,
    read_truth,
    truth_path,
    write_truth,
)
from flowbench.errors import UsageError
from flowbench.geometry import ConvexParts, invert, transform
from flowbench.geometry.convex import convex_distance


@pytest.fixture(params=(EPISODES[0], EPISODES[3]), ids=["bridge", "topdown"])
def truth(request: pytest.FixtureRequest) -> Truth:
    return episode(*request.param)


def middle(truth: Truth) -> int:
    contact = np.flatnonzero(truth.contact)
    return int(contact[len(contact) // 2])


def test_depth_at_a_things_pixels_lies_on_its_surface(truth: Truth) -> None:
    for frame in (0, middle(truth)):
        ids, depth = truth.instance_ids(frame), truth.depth(frame)
        for k in range(len(truth.objects)):
            rows, columns = np.nonzero(ids == k + 1)
            chosen = slice(None, None, max(1, len(rows) // 25))
            pixels = np.stack([columns[chosen], rows[chosen]], axis=-1).astype(np.float64)
            points = truth.camera.unproject(pixels, depth[rows[chosen], columns[chosen]].astype(np.float64))
            parts = truth.parts(k, frame)
            apart = [parts.distance(ConvexParts.of([point[None]])) for point in points]
            # Leaves are thin and belong to no part.
            assert np.quantile(apart, 0.85) < 0.002 if apart else True
            local = transform(invert(truth.pose(k, frame).matrix), points)
            size = np.array(truth.objects[k].size)
            assert (np.abs(local[:, :2]) <= size[:2] / 2.0 + 1e-3).all()
            assert (local[:, 2] >= -1e-3).all()
            assert (local[:, 2] <= size[2] + 1e-3).all()


def test_depth_of_the_table_is_that_of_its_plane(truth: Truth) -> None:
    depth, ids = truth.depth(0), truth.instance_ids(0)
    pixels, planar = truth.camera.project(np.array([[0.5, 0.0, 0.0]]))
    u, v = (round(float(value)) for value in pixels[0])
    assert ids.shape == depth.shape == (480, 640)
    near = (slice(v - 3, v + 4), slice(u - 3, u + 4))
    if (ids[near] == 0).all():
        assert float(depth[v, u]) == pytest.approx(float(planar[0]), abs=0.01)


def test_ids_agree_with_the_picture(truth: Truth) -> None:
    """Pixels of the mover have its colour where it was, and others when it has left."""
    k, last = truth.mover, len(truth) - 1
    before, after = truth.rgb(0).astype(int), truth.rgb(last).astype(int)
    left = (truth.instance_ids(0) == k + 1) & (truth.instance_ids(last) == 0)
    still = (truth.instance_ids(0) == 0) & (truth.instance_ids(last) == 0)
    assert np.count_nonzero(left) > 150
    changed = np.abs(before - after).max(axis=-1)
    assert np.median(changed[left]) > 30
    assert np.median(changed[still]) <= 1


def test_the_whole_of_a_thing_holds_what_is_seen_of_it(truth: Truth) -> None:
    frame = middle(truth)
    ids = truth.instance_ids(frame)
    for k in range(len(truth.objects)):
        whole = truth.whole(k, frame)
        assert not np.any((ids == k + 1) & ~whole)
    assert np.count_nonzero(ids == ARM_ID) > 3000


def test_tracks_are_what_poses_say(truth: Truth) -> None:
    start, end = 0, middle(truth)
    positions, visible = truth.tracks(start, end)
    ids, depth, ids_then = truth.instance_ids(start), truth.depth(start), truth.instance_ids(end)
    k = truth.mover
    rows, columns = np.nonzero(ids == k + 1)
    pixels = np.stack([columns, rows], axis=-1).astype(np.float64)
    points = truth.camera.unproject(pixels, depth[rows, columns].astype(np.float64))
    motion = truth.pose(k, start).relative(truth.pose(k, end))
    there, _ = truth.camera.project(transform(motion, points))
    assert np.abs(positions[rows, columns] - there).max() < 0.02
    still = (ids == 0) & (ids_then == 0)
    grid = np.stack(np.meshgrid(np.arange(640), np.arange(480)), axis=-1)
    assert (positions[still] == grid[still]).all()
    assert visible[still].mean() > 0.99
    assert not visible[(ids == 0) & (ids_then != 0)].any()
    shown = visible & (ids == k + 1)
    u, v = np.floor(positions[shown] + 0.5).astype(int).T
    assert (ids_then[v, u] == k + 1).mean() > 0.999  # half pixels may be rounded either way


def test_tracks_from_a_frame_to_itself_stay(truth: Truth) -> None:
    positions, visible = truth.tracks(5, 5)
    grid = np.stack(np.meshgrid(np.arange(640), np.arange(480)), axis=-1)
    assert np.abs(positions - grid).max() < 1e-3
    assert visible.all()


def test_distances_are_between_surfaces(truth: Truth) -> None:
    a, b = truth.parts(0, 0), truth.parts(1, 0)
    by_parts = min(convex_distance(p, q) for p in a.parts for q in b.parts)
    assert truth.surface_distance(0, 1, 0) == pytest.approx(by_parts, abs=1e-9)
    assert truth.surface_distance(1, 0, 0) == truth.surface_distance(0, 1, 0)
    assert truth.surface_distance(0, 0, 0) == 0.0
    pixels, _ = truth.camera.project(truth.centre(0, 0)[None])
    assert 0.0 < float(pixels[0, 0]) < 640.0


def test_a_frame_that_is_not_there_is_refused(truth: Truth) -> None:
    with pytest.raises(IndexError, match=f"of {len(truth)}"):
        truth.rgb(len(truth))


def test_an_episode_survives_its_file(tmp_path: Path, truth: Truth) -> None:
    write_truth(tmp_path, 3, truth)
    again = read_truth(tmp_path, 3)
    assert as_text(again) == as_text(truth)
    assert again.scene == truth.scene
    assert (again.rgb(4) == truth.rgb(4)).all()
    assert episodes_of(tmp_path) == [3]
    assert has_truth(tmp_path)
    assert not has_truth(tmp_path / "truth")


def _without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda plain: plain.pop(key)


def _set(value: Any, *path: Any) -> Callable[[dict[str, Any]], None]:
    def change(plain: Any) -> None:
        for step in path[:-1]:
            plain = plain[step]
        plain[path[-1]] = value

    return change


BROKEN: dict[str, Callable[[dict[str, Any]], None]] = {
    "poses": _without("poses"),
    "format": _set("flowbench-tabletop-0", "format"),
    "scene.mover": _set(-1, "scene", "mover"),
    "the mover is object 99": _set(99, "scene", "mover"),
    "joints": _set([1.0, 2.0], "joints", 3),
    "columns of": _set([0.01], "opening"),
    "poses are not": _set([], "poses"),
    "poses are not 7 in": _set([], "poses", 0),
    "surprise": _set(1, "surprise"),
    "parts": _set([[]], "scene", "objects", 0, "parts"),
    "quaternion": _set(9.0, "links", 2, 4, 5),
    "camera": _set(2.0, "camera_from_world", 0, 0),
    "finite": _set(float("nan"), "poses", 0, 0, 0),
    "setup": _set("sideways", "scene", "setup"),
}


@pytest.mark.parametrize("match", BROKEN)
def test_a_file_that_is_none_is_told_in_a_sentence(tmp_path: Path, match: str) -> None:
    plain = json.loads(as_text(episode(*EPISODES[3])))
    BROKEN[match](plain)
    path = truth_path(tmp_path, 0)
    path.parent.mkdir()
    path.write_text(json.dumps(plain))
    with pytest.raises(UsageError, match=match) as error:
        read_truth(tmp_path, 0)
    assert str(path) in str(error.value)
    assert "record the dataset again" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (_set("mugg", "scene", "objects", 0, "recipe", "kind"), "mugg"),
        (_set({"radius": 0.03}, "scene", "objects", 0, "recipe", "sizes"), "of the sizes"),
        (_set("velvet", "scene", "surroundings", "table", "texture"), "velvet"),
    ],
)
def test_what_cannot_be_drawn_is_told_when_it_is_drawn(change: Callable[[dict[str, Any]], None], match: str) -> None:
    plain = json.loads(as_text(episode(*EPISODES[3])))
    change(plain)
    truth = from_text(json.dumps(plain), "it")
    with pytest.raises(UsageError, match=match):
        truth.rgb(0)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_file_that_was_cut_short_is_told(share: float) -> None:
    text = as_text(episode(*EPISODES[3]))
    with pytest.raises(UsageError, match="no truth file"):
        from_text(text[: int(share * len(text))], "it")


def test_a_missing_or_huge_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"episode_000007\.json is missing"):
        read_truth(tmp_path, 7)
    write_truth(tmp_path, 0, episode(*EPISODES[3]))
    monkeypatch.setattr("flowbench.builders.simulators.tabletop.truth.MOST_BYTES", 1000)
    with pytest.raises(UsageError, match="over 1,000 bytes"):
        read_truth(tmp_path, 0)


def test_a_pair_is_the_first_and_the_last_picture() -> None:
    index, setup = EPISODES[0]
    pair = pair_of(0, POOL, index, setup)
    truth = episode(index, setup)
    assert (pair.before == truth.rgb(0)).all()
    assert (pair.after == truth.rgb(len(truth) - 1)).all()
    assert as_text(pair.truth) == as_text(truth)


def test_one_scene_of_five_is_for_testing() -> None:
    assert [index for index in range(12) if is_for_testing(index)] == [4, 9]
