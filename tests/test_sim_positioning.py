"""Positioning (paper A.1): the rules of the global choice on made-up proposals, and views of a real home."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from flowbench.builders.sim.positioning import (
    LARGEST_NEAR_SHARE,
    NEAR,
    SCOUT,
    SEPARATIONS,
    Scored,
    _apart,
    _distance,
    _farthest_points,
    _select,
    _yaw_between,
    choose_views,
)
from flowbench.builders.sim.presets import preset_named
from flowbench.builders.sim.scene import Shapes
from flowbench.builders.sim.view import Sight, ViewPose
from flowbench.builders.simulators import make_simulator
from flowbench.geometry import point_in_polygon
from flowbench.seeding import generator


def view(x: float, score: float, room: str = "a", yaw: float = 0.0) -> Scored:
    return Scored(ViewPose((x, 0.0, 1.6), math.radians(yaw), 0.0, room), score)


def test_rooms_are_covered_before_scores_count() -> None:
    proposals = [view(0, 90), view(2, 80), view(4, 70), view(6, 5, "b"), view(8, 1, "c")]
    assert {pose.room_id for pose in _select(proposals, 3)} == {"a", "b", "c"}


def test_the_next_view_comes_from_the_room_with_fewest() -> None:
    proposals = [view(0, 90), view(2, 80), view(6, 5, "b"), view(8, 1, "b")]
    assert [pose.position[0] for pose in _select(proposals, 3)] == [0, 6, 2]
    # a and b have one each now; among equals the score decides, then b, which then has fewer, is served
    assert [pose.position[0] for pose in _select(proposals, 4)] == [0, 6, 2, 8]


def test_a_similar_yaw_in_the_same_room_costs_more_than_any_score() -> None:
    proposals = [view(0, 90, yaw=0), view(2, 80, yaw=20), view(4, 10, yaw=120)]
    assert [pose.position[0] for pose in _select(proposals, 2)] == [0, 4]


def test_the_separation_is_relaxed_but_not_below_its_floor() -> None:
    proposals = [view(0, 90), view(0.5, 80), view(0.7, 70), view(0.1, 60)]
    # 0.7 fits at 0.64 m; then nothing is 0.35 m from both
    assert [pose.position[0] for pose in _select(proposals, 4)] == [0, 0.7]


def test_proposals_of_a_room_keep_apart_and_the_best_come_first() -> None:
    scored = [view(0, 3), view(0.2, 9), view(3, 1), view(3.1, 2)]
    assert [each.pose.position[0] for each in _apart(scored, 3, 10)] == [0.2, 3.1]


@pytest.mark.parametrize(("a", "b", "between"), [(0, 30, 30), (350, 10, 20), (180, -180, 0), (90, 270, 180)])
def test_yaws_wrap_around(a: float, b: float, between: float) -> None:
    assert _yaw_between(math.radians(a), math.radians(b)) == pytest.approx(between, abs=1e-9)


def test_farthest_points_spread_over_a_room() -> None:
    grid = np.array([[x * 0.25, y * 0.25, 1.6] for x in range(17) for y in range(13)])
    points = _farthest_points(grid, 10, np.random.default_rng(0))
    nearest = min(math.dist(a, b) for a, b in itertools.combinations(points.tolist(), 2))
    assert len(points) == 10
    assert nearest > 0.9
    assert len(_farthest_points(grid[:4], 10, np.random.default_rng(0))) == 4


def test_views_of_a_home_look_into_its_rooms() -> None:
    simulator = make_simulator("bullet", width=160, height=120)
    simulator.load(0, "homes_train", 0)
    shapes, preset = Shapes(simulator.objects), preset_named("balanced")
    views = choose_views(simulator, shapes, preset, generator(0, "homes_train", 0, "views"))
    assert views == choose_views(simulator, shapes, preset, generator(0, "homes_train", 0, "views"))
    assert 5 <= len(views) <= preset.views
    assert all(_distance(a, b) >= SEPARATIONS[-1] for a, b in itertools.combinations(views, 2))
    polygons = {room.room_id: room.polygon for room in simulator.rooms}
    for pose in views:
        assert point_in_polygon(pose.position[:2], polygons[pose.room_id])
        sight = Sight.take(simulator, pose.camera(*SCOUT), shapes)
        depth = simulator.observe(depth=True).depth
        assert depth is not None
        assert (depth < NEAR).mean() <= LARGEST_NEAR_SHARE
        distances = [
            sight.camera_distance(item.object_id) for item in sight.visible if item.moveable or item.pickupable
        ]
        assert any(preset.nearest < distance < preset.farthest for distance in distances)
    simulator.close()
