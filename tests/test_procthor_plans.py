"""Plans of ProcTHOR houses: known geometry, and rooms, walls and doors that make no house."""

from __future__ import annotations

import contextlib
import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.thor_houses import HEIGHT, Drawing, three_rooms

from flowbench.builders.simulators.bullet.free_space import FreeSpace
from flowbench.builders.simulators.bullet.openings import HousePlan
from flowbench.builders.simulators.procthor.frames import turn_of
from flowbench.builders.simulators.procthor.plans import plan_of
from flowbench.builders.simulators.procthor.rooms import HALF_WALL, corners_of, largest_of, signed_area, tiles_of
from flowbench.builders.simulators.procthor.schema import Angles, HouseError, parse_house
from flowbench.geometry import Pose, rotate

WRONG: tuple[Any, ...] = (None, 0, -1.0, 1e9, 1e308, float("inf"), "x", "", [], {}, True, [1, 2], "room|1", 5.0, 2.7)


def planned(raw: Any) -> HousePlan:
    """The plan of a house's JSON."""
    return plan_of(parse_house(raw)).plan


def two_rooms(**door: Any) -> Any:
    """A room of 4 x 3 m, one of 3 x 3 m beside it, and a door of the asset's width in the middle of their wall."""
    drawing = Drawing({1: ("Kitchen", (0.0, 0.0, 4.0, 3.0)), 2: ("Bedroom", (4.0, 0.0, 7.0, 3.0))})
    drawing.door("Doorway_10", 1, 2, (4.0, 1.5), **door)
    drawing.door("Doorway_4", 1, None, (0.0, 1.5), openness=0.0)
    drawing.window("Window_Slider_60x48", 2, (5.5, 3.0), 1.0)
    return drawing.house()


def test_rooms_are_where_the_file_says_a_wall_thinner() -> None:
    plan = planned(two_rooms())
    first, second = (room.polygon for room in plan.rooms)
    assert np.allclose([first.min(0), first.max(0)], [[HALF_WALL] * 2, [4.0 - HALF_WALL, 3.0 - HALF_WALL]])
    assert np.allclose([second.min(0), second.max(0)], [[4.0 + HALF_WALL, HALF_WALL], [7 - HALF_WALL, 3 - HALF_WALL]])
    assert signed_area([tuple(p) for p in first.tolist()]) > 0.0
    assert [room.room_type for room in plan.rooms] == ["kitchen", "bedroom"]
    assert plan.height == HEIGHT


def test_doors_and_windows_are_cut_where_the_file_says() -> None:
    plan = planned(two_rooms())
    assert [opening.kind for opening in plan.openings] == ["doorway", "entrance", "window"]
    inner, outer, window = plan.openings
    for index, hole in inner.cuts:
        ends = sorted(plan.walls[index].point(t)[1] for t in (hole.t0, hole.t1))
        assert np.allclose(ends, [1.5 - 1.0438 / 2, 1.5 + 1.0438 / 2], atol=0.01)  # Doorway_10 is 1.0438 m wide
        assert (hole.z0, hole.z1) == pytest.approx((0.0, 2.1), abs=0.01)
    assert {plan.walls[index].room for index, _ in inner.cuts} == {0, 1}
    assert plan.walls[outer.cuts[0][0]].outer
    assert window.cuts[0][1].z0 == pytest.approx(1.0)
    without = [w.index for w in plan.walls if w.index not in {i for o in plan.openings for i, _ in o.cuts}]
    assert len(without) == 4
    assert all(plan.holes(index) == [] for index in without)


@pytest.mark.parametrize(("openness", "kind"), [(1.0, "doorway"), (None, "doorway"), (0.0, "closed")])
def test_only_open_doors_let_people_through(openness: float | None, kind: str) -> None:
    plan = planned(two_rooms(openness=openness))
    assert plan.openings[0].kind == kind
    floor = FreeSpace(plan)
    assert floor.connected() == (kind == "doorway")


def test_rooms_without_a_wall_between_them_are_one_space() -> None:
    drawing = Drawing({1: ("Kitchen", (-2.0, -1.0, 2.0, 2.0)), 2: ("LivingRoom", (2.0, -1.0, 5.0, 2.0))})
    drawing.open_between.add(frozenset((1, 2)))
    plan = planned(drawing.house())
    assert [(pair, tuple(rect)) for pair, rect in plan.gaps] == [((0, 1), (2.0, -1.0, 2.0, 2.0))]
    assert len(plan.walls) == 6
    assert max(plan.rooms[0].bounds[2::2]) == 2.0 == plan.rooms[1].bounds[0]
    assert FreeSpace(plan).connected()


def _at(house: Any, kind: str, k: int, **values: Any) -> None:
    house[kind][k].update(values)


def _moved(house: Any, room: int, by: float) -> None:
    name = house["rooms"][room]["id"]
    for corner in house["rooms"][room]["floorPolygon"]:
        corner["x"] += by
    for wall in house["walls"]:
        if wall["roomId"] == name:
            for corner in wall["polygon"]:
                corner["x"] += by


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda h: _moved(h, 1, -1.0), r"has rooms that overlap, room\|1 and room\|2"),
        (lambda h: _moved(h, 1, -0.004), r"has rooms that overlap, room\|1 and room\|2"),
        (lambda h: _moved(h, 1, 0.01), r"has room\|1 and room\|2 1\.0 cm apart, where rooms side by side meet in"),
        (lambda h: _moved(h, 1, 0.0015), None),
        (lambda h: _moved(h, 1, 400.0), "absurdly large"),
        (lambda h: h["doors"][0]["holePolygon"][1].update(x=9.0), r"has door\|1\|2\|0 outside its wall"),
        (lambda h: h["doors"][0]["holePolygon"][0].update(x=-2.0), "outside its wall"),
        (lambda h: h["doors"][0]["holePolygon"][1].update(y=9.0), "outside its wall"),
        (lambda h: _at(h, "doors", 0, wall0="wall|9|0", wall1=None), "which is no wall of a room"),
        (lambda h: h["doors"].append(h["doors"][0]), "in the same place"),
        (lambda h: h["walls"].pop(0), r"has no wall along room\|1"),
        (lambda h: h["rooms"][0]["floorPolygon"][0].update(x=1.0), r"slanted sides in room\|1"),
        (lambda h: h["rooms"][0]["floorPolygon"].reverse(), None),
        (lambda h: [c.update(y=c["y"] + 3.0) for w in h["walls"][:1] for c in w["polygon"]], "at several heights"),
        (lambda h: [c.update(y=c["y"] * 9) for w in h["walls"] for c in w["polygon"]], r"walls 24\.30 m high"),
    ],
)
def test_what_makes_no_house_is_said(change: Callable[[Any], Any], said: str | None) -> None:
    house = copy.deepcopy(two_rooms())
    change(house)
    if said is None:
        assert [opening.kind for opening in planned(house).openings] == ["doorway", "entrance", "window"]
        return
    with pytest.raises(HouseError, match=said):
        planned(house)


def test_windows_between_rooms_are_left_out_and_counted() -> None:
    house = two_rooms()
    house["windows"][0].update(wall0=house["doors"][0]["wall0"], wall1=house["doors"][0]["wall1"])
    house["doors"].pop(0)
    result = plan_of(parse_house(house))
    assert [opening.kind for opening in result.plan.openings] == ["entrance"]
    assert dict(result.left_out) == {"window in a wall between rooms": 1}


def test_the_house_of_three_rooms_can_be_walked_through() -> None:
    plan = planned(three_rooms())
    assert [opening.kind for opening in plan.openings] == ["doorway", "doorway", "entrance", *["window"] * 3]
    assert FreeSpace(plan).connected()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=6), st.booleans())
def test_stairs_of_any_steps_are_tiled(steps: list[int], clockwise: bool) -> None:
    heights = [0.5 * step for step in steps]
    points = [(float(len(heights)), 0.0), (0.0, 0.0)]
    for k, height in enumerate(heights):
        points += [(float(k), height), (float(k + 1), height)]
    given_points = points if clockwise else points[::-1]
    corners = corners_of("stairs", given_points)
    tiles, largest = tiles_of(corners), largest_of(corners)
    assert math.fsum(t.area for t in tiles) == pytest.approx(math.fsum(heights))
    assert not any(a.overlaps(b) for i, a in enumerate(tiles) for b in tiles[i + 1 :])
    assert all(any(leg.contains(tile) for leg in largest) for tile in tiles)
    assert not any(a is not b and a.contains(b) for a in largest for b in largest)
    assert signed_area(corners) > 0.0


@pytest.mark.parametrize(
    ("angles", "front"),
    [((0, 0, 0), (0, 1, 0)), ((0, 90, 0), (1, 0, 0)), ((0, 180, 0), (0, -1, 0)), ((0, 270, 0), (-1, 0, 0)),
     ((90, 0, 0), (0, 0, -1)), ((0, 45, 0), (0.70711, 0.70711, 0)), ((0, 89.9999, 0.2), (1, 0, 0))],
)  # fmt: skip
def test_turns_are_unitys(angles: tuple[float, float, float], front: tuple[float, float, float]) -> None:
    x, y, z = angles
    pose = Pose((0.0, 0.0, 0.0), turn_of(Angles(x=x, y=y, z=z)))
    # A model's front faces -y; Unity turns its +z (our +y) clockwise seen from above, and about x downwards.
    assert np.allclose(rotate(pose.matrix, np.array([0.0, -1.0, 0.0])), front, atol=1e-4)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_in_a_file_breaks_more_than_its_house(seed: int) -> None:
    rng = np.random.default_rng(seed)
    house = copy.deepcopy(two_rooms())
    for _ in range(3):
        place: Any = house
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = keys[int(rng.integers(len(keys)))]
            if isinstance(place[key], dict | list) and rng.random() < 0.8:
                place = place[key]
                continue
            place[key] = WRONG[int(rng.integers(len(WRONG)))]
            break
    with contextlib.suppress(HouseError):
        plan_of(parse_house(house))


def test_a_comb_of_a_floor_is_read_in_no_time() -> None:
    teeth = [(0.5 * k + dx, y) for k in range(11) for dx, y in ((0.0, 0.1 * (k + 2)), (0.5, 0.1 * (k + 2)))]
    corners = corners_of("comb", [(5.5, 0.0), (0.0, 0.0), *teeth])
    assert math.fsum(t.area for t in tiles_of(corners)) == pytest.approx(signed_area(corners))
    assert len(largest_of(corners)) == 11
