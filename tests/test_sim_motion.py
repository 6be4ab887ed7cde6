"""Motions: whole centimetres, directions, bands, words; and what execution refuses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowbench.builders.sim.executing import execute, execute_as_far_as_it_goes
from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.language import path_text, sentence
from flowbench.builders.sim.move import Move, length_band
from flowbench.builders.sim.naming import alike_limit, marked_name
from flowbench.builders.sim.presets import preset_named
from flowbench.builders.simulators.base import MoveResult, ObjectState, SceneObject, Simulator, Snapshot
from flowbench.errors import UsageError
from flowbench.geometry import Camera, OrientedBox, Pose

CAMERA = Camera.standing((0.0, 0.0, 1.6), math.radians(90.0))


@pytest.mark.parametrize(
    ("right", "away", "direction", "words"),
    [
        (0.4, 0.0, "right", "0.40 m to the right, as seen from the camera"),
        (-0.25, 0.0, "left", "0.25 m to the left, as seen from the camera"),
        (0.0, 0.6, "away", "0.60 m away from the camera"),
        (0.0, -0.5, "toward", "0.50 m toward the camera"),
        (0.4, 0.25, "right+away", "0.40 m to the right and 0.25 m away from the camera"),
        (-0.312, -0.118, "left+toward", "0.31 m to the left and 0.12 m toward the camera"),
        (0.04, 0.5, "away", "0.50 m away from the camera"),
    ],
)
def test_a_motion_is_told_by_its_components(right: float, away: float, direction: str, words: str) -> None:
    move = Move.of(right, away)
    assert (move.direction, path_text(move)) == (direction, words)


@given(st.integers(-150, 150), st.integers(-150, 150), st.floats(-3.0, 3.0))
def test_the_world_displacement_has_the_told_length_and_the_camera_s_axes(right: int, away: int, yaw: float) -> None:
    camera = Camera.standing((1.0, 2.0, 1.6), yaw)
    move = Move(right, away)
    dx, dy = move.world(camera)
    assert math.hypot(dx, dy) == pytest.approx(move.length, abs=1e-9)
    x, _, z = (camera.camera_from_world[:3, :3] @ np.array([dx, dy, 0.0])).tolist()
    assert (x, z) == pytest.approx((right / 100, away / 100), abs=1e-7)


def test_bands_have_no_gaps_between_whole_centimetres() -> None:
    bands = preset_named("balanced").length_bands
    names = [length_band(cm / 100.0, bands) for cm in range(10, 111)]
    assert names[:10] == ["under 0.20"] * 10
    assert names[-10:] == ["over 1.00"] * 10
    assert {name for name in names if name[0].isdigit()} == {f"{a:.2f}-{b:.2f}" for a, b in bands}


def test_unknown_preset_is_told() -> None:
    with pytest.raises(UsageError, match="balanced"):
        preset_named("balnced")


def test_names() -> None:
    assert marked_name("red", "dining table", True) == "the dining table marked red"
    assert marked_name("red", "dining table", False) == "the object marked red"
    assert sentence("the box") == "The box"
    assert alike_limit(["ShelvingUnit", "Dresser", "Mug"])
    assert not alike_limit(["ShelvingUnit", "Shelf"])
    assert not alike_limit(["Dresser", "Dresser"])


@dataclass
class Track:
    """A simulator of one thing on a floor: free up to a wall, with what settling does to it given."""

    wall: float = math.inf
    drop: float = 0.0
    slip: float = 0.0
    turn: float = 0.0
    pickupable: bool = True
    at: Pose = field(default_factory=lambda: Pose((0.0, 0.0, 0.0)))
    settles: int = 0

    @property
    def objects(self) -> list[SceneObject]:
        part = np.eye(3)
        thing = ("Box|1", "Box", "box", "room-1", self.pickupable, True, False, False, (part,))
        return [SceneObject(1, *thing, OrientedBox.around(part))]

    def state(self, _: str) -> ObjectState:
        return ObjectState(self.at, "Floor|1")

    def snapshot(self) -> Snapshot:
        return Snapshot((self.state(""),))

    def restore(self, snapshot: Snapshot) -> None:
        self.at = snapshot.states[0].pose

    def teleport(self, _: str, position: tuple[float, float, float], *, settle: bool) -> MoveResult:
        if position[0] > self.wall:
            return MoveResult(False, "collision")
        start = self.at.position
        x, y, z = position
        if settle:
            self.settles += 1
            x, z = x + self.slip, z - self.drop
        self.at = Pose((x, y, z))
        moved = tuple(b - a for a, b in zip(start, (x, y, z), strict=True))
        return MoveResult(True, None, cast(Any, moved), self.turn if settle else 0.0)


def run(track: Track, move: Move, halvings: int = 4) -> Move | Reject:
    return execute_as_far_as_it_goes(cast(Simulator, track), "Box|1", move, CAMERA, halvings, lambda _: None)


def test_a_free_motion_is_made_as_planned_and_settled_once() -> None:
    track = Track()
    assert run(track, Move(60, 0)) == Move(60, 0)
    assert track.at.position == pytest.approx((0.6, 0.0, 0.0))
    assert track.settles == 1


@pytest.mark.parametrize(("wall", "made"), [(0.5, 50), (0.31, 31), (0.999, 94), (0.4, 38)])
def test_a_blocked_motion_goes_as_far_as_four_halvings_find(wall: float, made: int) -> None:
    track = Track(wall=wall)
    assert run(track, Move(100, 0)) == Move(made, 0)
    assert wall - 0.07 <= track.at.position[0] <= wall


def test_a_motion_without_room_is_refused_and_undone() -> None:
    track = Track(wall=0.1)
    assert run(track, Move(100, 0)) == Reject("move: collision")
    assert track.at.position == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("effects", "reason"),
    [({"drop": 0.03}, "falls"), ({"slip": 0.02}, "slips"), ({"turn": 0.05}, "turns")],
)
def test_what_the_text_would_not_tell_is_refused_and_undone(effects: dict[str, float], reason: str) -> None:
    track = Track(**cast(Any, effects))
    assert execute(cast(Simulator, track), "Box|1", Move(40, 0), CAMERA) == Reject(f"move: {reason}")
    assert track.at.position == (0.0, 0.0, 0.0)


def test_furniture_keeps_its_height() -> None:
    track = Track(drop=0.5, pickupable=False)
    assert run(track, Move(40, 0)) == Move(40, 0)
    assert track.settles == 0
