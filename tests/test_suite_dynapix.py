"""Checks of collision scenes on hand-made content: reruns, pictures, videos, metadata, texts."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.collisions import drawn, head_on

from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.collisions.oracle import HEIGHT, WIDTH
from flowbench.collisions.run import Run
from flowbench.collisions.setup import Setup, as_json, from_json
from flowbench.encoding.video import decode_video, encode_video
from flowbench.errors import ReleaseError
from flowbench.schema import to_json
from flowbench.validation.dynapix.filming import compare_picture, compare_video
from flowbench.validation.dynapix.meta import corpus_meta, query_meta, selection_meta
from flowbench.validation.dynapix.opened import FrameName, frame_name, is_test
from flowbench.validation.dynapix.paper import counted, paper_count
from flowbench.validation.dynapix.resimulate import resimulate
from flowbench.validation.dynapix.scenes import check_bodies, check_run
from flowbench.validation.dynapix.texts import HEADS, check_rationale

Plain = dict[str, Any]


def same(setup: Setup, without: int | None = None) -> None:
    """A run and its rerun, the set-up having gone through JSON, agree to the bit."""
    run, again = simulate(setup, without), resimulate(from_json(json.loads(json.dumps(as_json(setup)))), without)
    for ours, theirs in (
        (again.poses, run.poses),
        (again.velocities, run.velocities),
        (again.spins, run.spins),
    ):
        assert np.array_equal(ours, theirs, equal_nan=True)
    assert [tuple(vars(each).values()) for each in again.bumps] == [
        tuple(vars(each).values()) for each in run.collisions
    ]


@pytest.mark.parametrize("shape", ["cube", "cylinder", "sphere"])
def test_a_head_on_collision_comes_out_the_same(shape: str) -> None:
    same(head_on(shape, "metal", "rubber"))
    assert len(resimulate(head_on(shape)).bumps) == 1


@pytest.mark.parametrize("scene", [1, 5])
def test_a_scene_comes_out_the_same_with_and_without_each_body(scene: int) -> None:
    setup = drawn(scene).setup
    for without in (None, *range(len(setup.bodies))):
        same(setup, without)


def test_no_such_body_is_refused() -> None:
    with pytest.raises(IndexError, match="no body 2"):
        resimulate(head_on(), 2)


def test_a_moved_start_shows() -> None:
    setup = drawn(1).setup
    plain = as_json(setup)
    plain["starts"][0]["place"][0] += 1e-9
    assert not np.array_equal(resimulate(setup).poses, resimulate(from_json(plain)).poses)


def painted(seed: int, shift: int = 0) -> NDArray[np.uint8]:
    """A smooth ground with a bright square that lies ``shift`` pixels further right."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    picture = np.repeat((90 + 30 * np.sin(rows / 40.0 + seed) + columns / 16.0)[..., None], 3, axis=-1)
    picture[100:140, 100 + shift : 140 + shift] = (220, 60, 40)
    return picture.astype(np.uint8)


SHOWN = list(range(20, 28))
PICTURES = {frame: painted(0, 2 * frame) for frame in range(18, 30)}


def video(frames: list[int]) -> NDArray[np.uint8]:
    return decode_video(encode_video(np.stack([PICTURES[frame] for frame in frames]), 25))


def video_rules(frames: list[int]) -> list[str]:
    return [each.rule for each in compare_video(video(frames), SHOWN, PICTURES)]


def test_a_video_shows_its_frames() -> None:
    assert video_rules(SHOWN) == []


@pytest.mark.parametrize("frames", [[f + 1 for f in SHOWN], [f - 1 for f in SHOWN], SHOWN[::-1], [*SHOWN[:-1], 26]])
def test_other_frames_are_found(frames: list[int]) -> None:
    assert video_rules(frames) == ["frame of the video"]


def test_another_number_of_frames_is_found() -> None:
    assert video_rules(SHOWN[1:]) == ["frames of the video"]


def test_a_level_of_a_pixel_is_found() -> None:
    picture = painted(1)
    other = picture.copy()
    other[5, 7, 2] ^= 1
    assert list(compare_picture("a.png", picture, picture)) == []
    (found,) = compare_picture("a.png", other, picture)
    assert (found.rule, found.found) == ("picture filmed again", "a.png differs in 1 pixels")
    assert [each.rule for each in compare_picture("a.png", picture[:4], picture)] == ["picture filmed again"]


@given(st.integers(0, 999_999), st.sampled_from(["factual", "without-3", "erased-0"]), st.integers(0, 127))
def test_names_of_frames_are_read_back(scene: int, variant: str, frame: int) -> None:
    name = frame_name(f"{scene:06d}-{variant}-{frame:03d}")
    assert name == FrameName(scene, variant, frame)
    assert name is not None
    assert name.body == (None if variant == "factual" else int(variant[-1]))


@pytest.mark.parametrize("text", ["", "000001-factual", "1-factual-001", "000001-twin-0-001", "000001-factual-001.png"])
def test_what_is_no_name_of_a_frame_is_none(text: str) -> None:
    assert frame_name(text) is None


def test_every_fifth_scene_is_for_testing() -> None:
    assert [scene for scene in range(12) if is_test(scene)] == [4, 9]


def run_json(setup: Setup, run: Run) -> Plain:
    """As a release has it; every body shows ten pixels."""
    pixels, _ = setup.view.camera.project(run.poses[..., :3])
    shape = run.poses.shape[:2]
    return {
        "poses": run.poses.tolist(),
        "velocities": run.velocities.tolist(),
        "spins": run.spins.tolist(),
        "visible": np.full(shape, 10).tolist(),
        "whole": np.full(shape, 10).tolist(),
        "pixels": pixels.tolist(),
        "collisions": [
            {"frame": c.frame, "substep": c.substep, "pair": c.pair, "speed": c.speed, "impulse": c.impulse}
            | {"position": c.position}
            for c in run.collisions
        ],
    }


SETUP = head_on("cube", "metal")
RUN = simulate(SETUP)
QUERY: Plain = {"setup": as_json(SETUP), "factual": run_json(SETUP, RUN), "removed": None, "without": None}


def test_metadata_are_read_back() -> None:
    meta = query_meta(to_json(QUERY))
    assert meta.setup == SETUP
    assert np.array_equal(meta.factual.poses, RUN.poses)
    assert list(meta.factual.collisions) == list(RUN.collisions)
    assert meta.factual.facts(SETUP).hits[0].objects == (0, 1)


def at(*path: Any, value: Any) -> Callable[[Plain], None]:
    def change(plain: Plain) -> None:
        *way, last = path
        for step in way:
            plain = plain[step]
        plain[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        at("factual", value=None),
        at("factual", "poses", value=[]),
        at("factual", "poses", 3, 0, value=[0.0] * 6),
        at("factual", "poses", 3, 0, 2, value="high"),
        at("factual", "visible", 3, 0, value=-1),
        at("factual", "visible", 3, 0, value=1.5),
        at("factual", "visible", 3, 0, value=True),
        at("factual", "collisions", 0, "pair", value=[1, 0]),
        at("factual", "collisions", 0, "frame", value=128),
        at("factual", "collisions", 0, "position", value=[0.0, 0.0]),
        at("setup", "starts", value=5),
        at("setup", "bodies", 0, "shape", value="cone"),
        at("removed", value=1),
        at("removed", value=True),
        at("more", value=1),
        lambda plain: plain.pop("without"),
    ],
)
def test_metadata_of_another_shape_are_refused(change: Callable[[Plain], None]) -> None:
    plain = copy.deepcopy(QUERY)
    change(plain)
    with pytest.raises(ReleaseError, match=r"meta\.txt is not what a collision scene has .*: build the shard again"):
        query_meta(to_json(plain))


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b'{"setup": NaN}', b"[" * 5000])
def test_what_is_no_metadata_is_refused(data: bytes) -> None:
    for read in (selection_meta, query_meta, corpus_meta):
        with pytest.raises(ReleaseError):
            read(data)


def run_rules(change: Callable[[Plain], None], without: int | None = None) -> set[str]:
    plain = copy.deepcopy(QUERY)
    change(plain)
    return {each.rule for each in check_run(SETUP, query_meta(to_json(plain)).factual, without)}


def test_tables_of_a_run_agree() -> None:
    assert run_rules(lambda plain: None) == set()
    assert run_rules(lambda plain: None, without=1) == {"bodies of a run"}
    assert run_rules(at("factual", "pixels", 9, 1, 0, value=3.0)) == {"centre in the picture"}
    assert run_rules(at("factual", "poses", 9, 1, value=None)) == {"bodies of a run"}
    assert run_rules(at("factual", "visible", 9, 1, value=11)) == {"visible pixels"}
    twice = [QUERY["factual"]["collisions"][0]] * 2
    assert run_rules(at("factual", "collisions", value=twice)) == {"order of collisions"}


def test_bodies_are_three_to_six_and_unlike() -> None:
    assert [each.rule for each in check_bodies(SETUP)] == ["bodies"]  # two of them
    assert list(check_bodies(drawn(1).setup)) == []
    alike = as_json(drawn(1).setup)
    alike["bodies"][1] |= {name: alike["bodies"][0][name] for name in ("shape", "material", "colour")}
    assert [each.expected for each in check_bodies(from_json(alike))] == ["no two alike"]


RATIONALE = " ".join(
    f"{head} {'The red cube drifts slowly on.' * 1} {'It keeps its way. ' * 5}".strip() for head in HEADS
)


def rationale_rules(text: str) -> set[str]:
    return {each.rule for each in check_rationale(text)}


def test_a_sound_rationale_passes() -> None:
    assert 80 <= len(RATIONALE.split()) <= 250
    assert rationale_rules(RATIONALE) == set()


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ("It takes 3 steps.", "digits in a rationale"),
        ("There are seven of them.", "digits in a rationale"),
        ("A few frames later it stops.", "times in a rationale"),
        ("It lies at (left, low).", "coordinates in a rationale"),
        ("Its coordinates grow.", "coordinates in a rationale"),
        ("So the answer is B.", "letter in a rationale"),
        ("It is {name}.", "text with braces"),
        ("It goes on. " * 70, "length of a rationale"),
        ("Outcome. It stops.", "parts of a rationale"),
    ],
)
def test_what_a_rationale_may_not_say_is_found(more: str, rule: str) -> None:
    assert rule in rationale_rules(f"{RATIONALE} {more}".strip())


def test_a_short_rationale_is_found() -> None:
    assert rationale_rules(" ".join(f"{head} It moves." for head in HEADS)) == {"length of a rationale"}


def test_the_papers_counts() -> None:
    assert paper_count(counted("event", "future-match-5"), "test") == 38
    assert paper_count(counted("time", "time-2"), "train") == 1619
    assert paper_count(counted("window", "G2-B-16-easy"), "train") == 2300
    assert paper_count(counted("matched", "matched-10"), "test") is None
