"""Profiles of recorded datasets: the paper's constants, which tasks they drop, and rows of one's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.recordings import CAMERA, recorded

from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.lerobot.writing import write_dataset
from flowbench.builders.sources.mining import FramePair, Reject, mine, unfit_task
from flowbench.builders.sources.profiles import Margin, profile_named, profiles, read_profiles
from flowbench.builders.sources.recorded import Episode
from flowbench.errors import UsageError

NAMES = ("bridge_v2", "droid", "language_table", "rt1", "berkeley_ur5", "tabletop", "tabletop_down")


def test_the_constants_are_the_papers() -> None:
    assert tuple(profiles()) == NAMES
    scales = {name: profile_named(name).scale for name in ("bridge_v2", "droid", "rt1", "berkeley_ur5")}
    assert scales == {"bridge_v2": 1.95, "droid": 1.15, "rt1": 0.61, "berkeley_ur5": 0.84}
    for name, profile in profiles().items():
        droid, bridge = name == "droid", name == "bridge_v2"
        assert (profile.width, profile.height) == ((912, 512) if droid else (640, 480))
        assert droid or (profile.fx, profile.fy, profile.cx, profile.cy) == (610, 610, 320, 240)
        assert (profile.changed_low, profile.changed_high) == ((0.005, 0.30) if bridge else (0.004, 0.5))
        assert profile.margin == (0.06 if droid else 0.03)
        assert profile.travel_limit == (0.90 if droid else 0.30)
        assert profile.before_margin == (0.05 if droid else 0.02)
        assert profile.outcome == ("after_release" if droid else "last")
        assert profile.least_landmark_px == (500 if name in NAMES[2:5] or name == NAMES[6] else 1000)
        assert ("depth_order" in profile.categories) == (name in ("bridge_v2", "droid", "tabletop"))
        assert profile.named_objects == (name in ("bridge_v2", "droid", "tabletop"))
    assert (profile_named("bridge_v2").most_per_task, profile_named("droid").most_per_task) == (40, 3)
    assert profile_named("droid").thresholds == (0.15, 0.20, 0.30, 0.50, 0.75, 1.00)
    assert profile_named("droid").hold_steps == 8
    assert not profile_named("language_table").uses_task


@pytest.mark.parametrize(
    ("margin", "threshold", "expected"),
    [((0.03, 0.15), 0.10, 0.03), ((0.03, 0.15), 0.30, 0.045), ((0.08, 0.15), 1.0, 0.15), ((0.03, 0.0), 0.4, 0.03)],
)
def test_a_margin_grows_with_its_threshold(margin: tuple[float, float], threshold: float, expected: float) -> None:
    assert Margin(floor=margin[0], share=margin[1]).of(threshold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("profile", "task", "reason"),
    [
        ("bridge_v2", "put the spoon on the towel", None),
        ("bridge_v2", "move the can close to the pot", None),
        ("bridge_v2", "Put the pot to the left of the bowl", None),
        ("bridge_v2", "pick up the blue cup and place it on the table", None),
        ("bridge_v2", "put carrot on plate", None),
        ("bridge_v2", "fold the cloth from left to right", "fold"),
        ("bridge_v2", "Unfold the towel", "fold"),
        ("bridge_v2", "wipe the plate with the sponge", "wipe"),
        ("bridge_v2", "open the microwave", "open or close"),
        ("bridge_v2", "close the box flap", "open or close"),
        ("bridge_v2", "put the fork next to the drawer", "drawer"),
        ("bridge_v2", "put the corn in the silver pot", "into a container"),
        ("bridge_v2", "put sushi inside a small yellow bowl", "into a container"),
        ("bridge_v2", "put cup into pot", "into a container"),
        ("bridge_v2", "put the spoon in front of the pot", None),
        ("bridge_v2", "put the knife in the sink next to the bowl", None),
        ("bridge_v2", "move the pan close to the stove", None),
        ("bridge_v2", "sweep the beans into a pile", "wipe"),
        ("bridge_v2", "lift the bowl", "pick only"),
        ("bridge_v2", "Pick up the carrot", "pick only"),
        ("bridge_v2", "grasp the lid", "pick only"),
        ("rt1", "pick coke can", "pick only"),
        ("rt1", "pick apple from top drawer and place on counter", None),
        ("rt1", "move coke can near apple", None),
        ("droid", "Put the marker to the left of the cup", None),
        ("droid", "Pick up the towel and put it on the chair", None),
        ("droid", "Put the pen on the table and the cup on the shelf", "several steps"),
        ("droid", "Move the cup then the bottle", "several steps"),
        ("droid", "Put all the blocks on the plate", "several movers"),
        ("droid", "Open the door", "articulated"),
        ("droid", "Put the cup inside the cabinet", "articulated"),
        ("droid", " ", "no task"),
        ("language_table", "", None),
        ("language_table", "fold the cloth", None),
        ("berkeley_ur5", "put the ranch bottle into the pot", None),
    ],
)
def test_tasks_are_dropped_by_what_they_ask(profile: str, task: str, reason: str | None) -> None:
    unfit = unfit_task(Episode(0, task, 10, 10.0, "c"), profile_named(profile))
    assert (unfit and unfit.reason.removeprefix("task: ")) == reason


def test_failed_episodes_are_left_out() -> None:
    for success, reason in ((True, None), (None, None), (False, "not successful")):
        unfit = unfit_task(Episode(0, "push", 10, 10.0, "c", success=success), profile_named("tabletop"))
        assert (unfit and unfit.reason) == reason


OWN = """
[tasks]
pour = '\\bpour'

[profiles.kitchen]
title = "A kitchen of our own"
licence = "CC-BY-4.0"
width = 96
height = 64
camera_keys = ["observation.images.front"]
effector = [{ key = "observation.effector", at = [0, 1, 2] }]
changed_high = 0.9
drop_tasks = ["fold", "pour"]
most_per_task = 1
scale = 1.3
"""


def test_another_dataset_is_a_row_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(OWN)
    profile = read_profiles(tmp_path / "own.toml")["kitchen"]
    assert (profile.scale, profile.margin, profile.thresholds) == (1.3, 0.03, (0.10, 0.15, 0.20, 0.30))
    tasks = ("push the cup", "pour the tea", "fold the towel", "push the plate", "Push  the cup.")
    write_dataset(tmp_path / "d", [recorded(number, 9, task) for number, task in enumerate(tasks)], 10)
    results = list(mine(open_dataset(tmp_path / "d", profile), profile))
    assert [None if isinstance(result, FramePair) else result.reason for result in results] == [
        *(None, "task: pour", "task: fold", None, "enough of this task")
    ]
    pair = results[0]
    assert isinstance(pair, FramePair)
    assert (pair.profile.name, pair.episode.camera, pair.before.shape) == ("kitchen", CAMERA, (64, 96, 3))
    assert np.array_equal(pair.k[:2, 2], [47.5, 31.5])
    assert isinstance(results[1], Reject)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no profile, expected at least one"),
        ("nonsense", "not readable as TOML"),
        ("[profile.x]\ntitle = 'x'", "[profile] is not one of"),
        ("[profiles.x]\ntitle = 'x'", "profile 'x': licence"),
        ("[profiles.x]\ntitle = 'x'\nlicence = 'y'\nscale = 0", "profile 'x': scale"),
        ("[profiles.x]\ntitle = 'x'\nlicence = 'y'\nscale = nan", "profile 'x': scale"),
        ("[profiles.x]\ntitle = 'x'\nlicence = 'y'\ncolour = 1", "profile 'x': colour"),
        ("[profiles.x]\ntitle = 'x'\nlicence = 'y'\nchanged_low = 0.6", "'changed_low' is not less"),
        ("[profiles.x]\ntitle = 'x'\nlicence = 'y'\ndrop_tasks = ['dance']", "'dance', which is not in [tasks]"),
        ("tasks.bad = '('\n[profiles.x]\ntitle='x'\nlicence='y'\ndrop_tasks=['bad']", "not a regular expression"),
        ("[profiles.x]\ntitle='x'\nlicence='y'\nopening=[{key='a', at=0, shut=1, open=1}]", "profile 'x': opening"),
        ("profiles = 3", "profiles"),
        ("[profiles]\nx = 3", "profile 'x'"),
    ],
)
def test_a_row_that_is_none_is_told_in_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_profiles(path)
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_profile_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'bridge_v2'"):
        profile_named("bridge")
