"""Walls as an object sees them, and the motions to, along and off them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.cases import evidence, load
from support.published import MOVER
from support.still import sights_of

from flowbench.builders.sim.categories.contact_wall import AIM, CLEAR, FARTHEST, FREE, LEAST_APPROACH, ContactWall
from flowbench.builders.sim.items import Item, Reject
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.presets import preset_named
from flowbench.builders.sim.trial import Trial
from flowbench.builders.sim.view import Sight
from flowbench.builders.sim.walls import wall_gap, wall_sides
from flowbench.builders.simulators.base import SceneObject

PRESET = preset_named("balanced")
CASES = load("contact_wall")
(ROOM,) = (case["input"]["things"] for case in CASES if case["name"] == "slides to a wall")
"""Walls at x = 2, y = 3 and x = -2; camera right is x, away is y."""
EAST, NORTH = "Wall|31", "Wall|32"


def moments(*places: tuple[float, float], things: Any = ROOM) -> tuple[SceneObject, Sight, Sight]:
    """A cube of 0.2 m at one place and then another."""
    before, after = ({"position": [x, y, 0.0], "yaw": 0.0} for x, y in (places * 2)[:2])
    cube = {"parts": [{"half": [0.1, 0.1, 0.1], "centre": [0.0, 0.0, 0.1]}]}
    case = {"input": {"mover": cube, "before": before, "after": after, "things": things}}
    sights = sights_of(evidence("contact_wall", case))
    (mover,) = (o for o in sights[0].arrangement.objects if o.instance_id == MOVER)
    return mover, *sights


def moves_at(x: float, y: float, seed: int = 0) -> list[Move]:
    mover, sight, _ = moments((x, y))
    return list(ContactWall().moves(sight, mover, PRESET, np.random.default_rng(seed)))


def items_of(start: tuple[float, float], end: tuple[float, float]) -> list[Item | Reject]:
    mover, before, after = moments(start, end)
    return list(ContactWall().items(Trial(before, after, mover, Move(60, 0), PRESET), np.random.default_rng(0)))


def test_the_sides_are_those_straight_ahead_nearest_first() -> None:
    mover, sight, _ = moments((1.5, 2.0))
    found = wall_sides(sight.arrangement, mover)
    assert [(side.object_id, side.normal) for side in found[:2]] == [(EAST, (-1.0, 0.0)), (NORTH, (0.0, -1.0))]
    assert [side.gap for side in found] == pytest.approx([0.4, 0.9, 3.4])
    assert wall_gap(sight.arrangement, mover) == pytest.approx(0.4)


def test_a_wall_across_a_corner_is_near_but_not_beside() -> None:
    """A short wall ahead to the right: 0.3 m and 0.4 m make 0.5 m."""
    stub = {"type": "Wall", "parts": [{"half": [0.05, 0.2, 1.3], "centre": [0.45, 0.7, 1.3]}], "position": [0, 0, 0]}
    mover, sight, _ = moments((0.0, 0.0), things=[stub])
    assert wall_sides(sight.arrangement, mover) == []
    assert wall_gap(sight.arrangement, mover) == pytest.approx(0.5)


def test_what_it_touches_has_no_side_to_slide_to() -> None:
    mover, sight, _ = moments((1.9, 0.0))
    assert EAST not in [side.object_id for side in wall_sides(sight.arrangement, mover)]
    assert wall_gap(sight.arrangement, mover) == 0.0


def test_the_first_motion_ends_at_the_nearest_wall_and_the_next_short_of_it() -> None:
    reached, short, *_ = moves_at(1.385, 0.0)  # 0.515 m from the wall
    assert reached == Move(round((0.515 - AIM) * 100), 0)
    for seed in range(20):
        short = moves_at(1.385, 0.0, seed)[1]
        assert short.away_cm == 0
        assert 0 < short.right_cm <= round((0.515 - FREE) * 100)


def test_from_a_wall_it_slides_off_and_along() -> None:
    for seed in range(20):
        off, along, other, *_ = (move for move in moves_at(1.88, 0.0, seed))
        assert off.away_cm == 0
        assert off.right_cm <= -round((FREE - 0.02) * 100)
        for move in (along, other):
            assert move.right_cm == 0
            assert PRESET.length_bands[0][0] <= move.length <= PRESET.length_bands[-1][1]


def test_motions_in_the_middle_of_a_room_are_generic() -> None:
    assert len(moves_at(0.0, 0.0)) == 2


@pytest.mark.parametrize(
    ("start", "end", "cell"),
    [
        ((1.0, 0.0), (1.885, 0.0), "no>yes"),
        ((1.885, 0.0), (1.0, 0.0), "yes>no"),
        ((1.88, -1.0), (1.88, 0.5), "yes>yes"),
        ((1.0, 0.0), (1.65, 0.0), "no>no"),
    ],
)
def test_all_four_cells_are_asked_about(start: tuple[float, float], end: tuple[float, float], cell: str) -> None:
    (item,) = items_of(start, end)
    assert isinstance(item, Item)
    assert (item.cell, f"{item.before}>{item.answer}") == (cell, cell)


@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [
        ((1.0, 0.0), (1.9 - CLEAR + 0.01, 0.0), "hard to see"),
        ((1.82, 0.0), (1.0, 0.0), "hard to see"),
        ((1.0, 0.0), (1.0 + LEAST_APPROACH - 0.02, 0.0), "no wall near the motion's end"),  # hardly nearer
        ((1.2, 0.0), (1.0, 0.0), "no wall near the motion's end"),  # farther off
        ((1.9 - FARTHEST - 0.01, 0.0), (1.3, 0.0), "no wall near the motion's end"),  # from far away
    ],
)
def test_what_asks_for_no_imagination_is_not_asked(
    start: tuple[float, float], end: tuple[float, float], reason: str
) -> None:
    assert items_of(start, end) == [Reject(f"contact_wall: {reason}")]
