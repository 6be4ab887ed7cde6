"""What happens in filmed scenes, as planning finds it and as the checks find it again."""

from __future__ import annotations

import numpy as np
import pytest
from support.filmed import Ball, Show

from flowbench.builders.dynapix.transfer.happenings import EVENTS, moves_by_itself, oracle_of
from flowbench.builders.dynapix.transfer.meta import scene_as_json
from flowbench.builders.sources.filmed import FilmedScene, spells
from flowbench.schema import to_json
from flowbench.validation.dynapix.transfer.happening import MOMENTS, surprise
from flowbench.validation.dynapix.transfer.meta import FilmedMeta, transfer_meta


def acted(show: Show) -> FilmedScene:
    frames, count = range(show.frames), len(show.balls)
    places = np.stack([show.places(frame) for frame in frames])
    touching = [
        *((frame, tuple(sorted(pair))) for first, last, *pair in show.touches for frame in range(first, last + 1)),
        *((frame, (ball,)) for first, last, ball in show.grounded for frame in range(first, last + 1)),
    ]
    return FilmedScene(
        name="a/0",
        scenario="a",
        fps=30,
        size=(show.side, show.side),
        bodies=tuple("abc"[:count]),
        poses=np.concatenate([places, np.tile([0.0, 0.0, 0.0, 1.0], (show.frames, count, 1))], axis=-1),
        velocities=np.stack([show.velocities(frame, 30.0) for frame in frames]),
        spins=np.zeros((show.frames, count, 3)),
        visible=np.full((show.frames, count), 100),
        pixels=np.stack([show.pixels(frame) for frame in frames]),
        touches=spells(touching),
        picture=show.painted,
    )


def published(scene: FilmedScene) -> FilmedMeta:
    """The scene as the checks see it."""
    frame = {"variant": "factual", "frame": 0, "name": None}
    shown = frame | {"poses": scene.poses[0].tolist(), "visible": scene.visible[0].tolist()}
    return transfer_meta(to_json({"scene": scene_as_json(scene), "frames": [shown] * 4})).scene


def found(scene: FilmedScene, kind: str) -> list[int]:
    """Moments, which both sides agree on."""
    events = EVENTS[kind](scene)
    assert MOMENTS[kind](published(scene)) == {(each.moment, each.bodies) for each in events}
    return [each.moment for each in events]


@pytest.mark.parametrize(
    ("touches", "moments"),
    [
        ([(0, 3, 0, 1)], []),  # from the start
        ([(20, 22, 0, 1)], [20]),
        ([(20, 22, 0, 1), (25, 26, 0, 1)], [20]),  # a bounce
        ([(20, 22, 0, 1), (40, 41, 1, 0)], [20, 40]),
    ],
)
def test_bodies_meet_that_were_apart(touches: list[tuple[int, int, int, int]], moments: list[int]) -> None:
    still = [Ball([(0, -1.0, 0.0)]), Ball([(0, 1.0, 0.0)])]
    scene = acted(Show(50, still, touches, side=64))
    assert found(scene, "contact") == moments


@pytest.mark.parametrize(
    ("way", "moments"),
    [
        ([(0, -1.0, 0.0), (20, -1.0, 0.0), (40, 1.0, 0.0)], [21]),
        ([(0, -1.0, 0.0), (40, 1.0, 0.0)], []),  # it never rested
        ([(0, -1.0, 0.0), (20, -1.0, 0.0), (22, -0.9, 0.0)], []),  # it does not keep moving
    ],
)
def test_a_body_starts_to_move_that_rested(way: list[tuple[int, float, float]], moments: list[int]) -> None:
    scene = acted(Show(50, [Ball(way)]))
    assert found(scene, "motion") == moments
    oracle = oracle_of(scene, 0)
    for moment in moments:
        for last, target, by_itself in ((moment - 5, moment, True), (moment, moment + 5, False)):
            assert moves_by_itself(scene, oracle, last, target) == by_itself
            assert (surprise(published(scene), last, target) is not None) == by_itself


def test_who_is_pushed_does_not_move_by_itself() -> None:
    pushed = Ball([(0, 0.0, 0.0), (20, 0.0, 0.0), (40, 2.0, 0.0)])
    show = Show(50, [Ball([(0, -2.0, 0.0), (20, -0.6, 0.0)]), pushed], [(20, 20, 0, 1)])
    scene = acted(show)
    assert found(scene, "motion") == [21]
    assert not moves_by_itself(scene, oracle_of(scene, 0), 15, 25)
    assert surprise(published(scene), 15, 25) is None


@pytest.mark.parametrize(
    ("way", "grounded", "moments"),
    [
        ([(0, 0.0, 3.0), (30, 0.0, 0.0)], [(30, 49, 0)], [30]),
        ([(0, 0.0, 3.0), (30, 0.0, 0.0)], [(0, 0, 0), (30, 49, 0)], []),  # it was there before
        ([(0, 0.0, 0.0)], [(30, 49, 0)], []),  # it does not come down
        ([(0, 0.0, 3.0), (5, 0.0, 0.0)], [(5, 49, 0)], []),  # too soon to be told
    ],
)
def test_a_body_lands_that_came_down(
    way: list[tuple[int, float, float]], grounded: list[tuple[int, int, int]], moments: list[int]
) -> None:
    scene = acted(Show(50, [Ball(way)], (), grounded, side=64))
    assert found(scene, "landing") == moments
