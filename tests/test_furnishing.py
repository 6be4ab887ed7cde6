"""Furnished homes: how much there is, where it belongs, and that it stays where it belongs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from support.simulators import overlapping

from flowbench.builders.simulators.bullet.amounts import bounds_in, furniture, number_of_objects
from flowbench.builders.simulators.bullet.arrangement import in_rows
from flowbench.builders.simulators.bullet.catalogue import CATALOGUE
from flowbench.builders.simulators.bullet.free_space import FreeSpace
from flowbench.builders.simulators.bullet.house import draw_plan
from flowbench.builders.simulators.bullet.model import Model, Surface
from flowbench.builders.simulators.bullet.plan import RoomPlan
from flowbench.builders.simulators.bullet.rects import Rect
from flowbench.builders.simulators.bullet.settings import set_tables
from flowbench.builders.simulators.bullet.simulator import BulletSimulator
from flowbench.builders.simulators.bullet.space import RoomSpace, Volume, item_at
from flowbench.builders.simulators.bullet.styles import style_of_pool
from flowbench.builders.simulators.bullet.surfaces import Top, put
from flowbench.rendering import Material
from flowbench.rendering.shapes import box
from flowbench.seeding import generator

POOLS = ("homes_train", "homes_test")


def block(size: tuple[float, float, float], surfaces: tuple[Surface, ...] = ()) -> Model:
    """A box standing on z = 0."""
    mesh = box(size, (0.0, 0.0, size[2] / 2.0), Material("plain", (0.5, 0.5, 0.5)))
    return Model("Box", mesh, (mesh.vertices[:8].astype(np.float64),), surfaces)


def empty_room(pool: str = "homes_train", room: int = 0) -> RoomSpace:
    """A room of a real plan before anything stands in it."""
    plan = draw_plan(1, pool, 0, style_of_pool(pool), 3)
    return RoomSpace.of(plan, room, FreeSpace(plan))


def test_larger_homes_are_given_more_objects_within_the_range() -> None:
    rng = generator(0, "amounts", 0)
    drawn = {rooms: [number_of_objects(rng, (60.0, 100.0), rooms) for _ in range(200)] for rooms in range(1, 9)}
    assert all(60 <= n <= 100 for numbers in drawn.values() for n in numbers)
    assert max(drawn[1]) < min(drawn[8])
    assert len(set(drawn[4])) > 10


def test_an_open_plan_room_gets_the_rows_of_all_its_uses() -> None:
    studio = RoomPlan("room-1", ("living_room", "kitchen"), Rect(0.0, 0.0, 7.0, 6.0), None)
    living = replace(studio, uses=("living_room",))
    fridge, sofa = CATALOGUE["Fridge"], CATALOGUE["Sofa"]
    assert bounds_in(fridge, living) == (0, 0)
    assert bounds_in(fridge, studio) == fridge.rooms["kitchen"]
    assert bounds_in(sofa, studio) == sofa.rooms["living_room"]
    plant = CATALOGUE["HousePlant"].rooms
    assert bounds_in(CATALOGUE["HousePlant"], studio) == tuple(
        a + b for a, b in zip(plant["living_room"], plant["kitchen"], strict=True)
    )


def test_rooms_get_the_fewest_of_every_row_and_lamps_by_the_light() -> None:
    studio = RoomPlan("room-1", ("living_room", "kitchen"), Rect(0.0, 0.0, 7.0, 6.0), None)
    closet = RoomPlan("room-2", ("bathroom",), Rect(7.0, 0.0, 8.6, 1.6), None)
    for wanted in (0, 60, 120):
        counts = furniture(generator(0, "amounts", wanted), (studio, closet), CATALOGUE, (3, 3), wanted)
        for room, row in zip((studio, closet), counts, strict=True):
            have = {id(kind): count for kind, count in row}
            for kind in CATALOGUE.values():
                fewest, most = bounds_in(kind, room)
                if kind.placement not in ("surface", "ceiling"):
                    assert fewest <= have.get(id(kind), 0) <= most
        lamps = [sum(n for kind, n in row if kind.placement == "ceiling") for row in counts]
        assert lamps == [3, 1]
    few, many = (
        sum(
            n
            for row in furniture(generator(0, "amounts", 0), (studio, closet), CATALOGUE, (1, 1), wanted)
            for _, n in row
        )
        for wanted in (40, 120)
    )
    assert few < many


def test_a_row_stands_side_by_side_with_the_tallest_at_an_end() -> None:
    space = empty_room()
    counter, fridge = CATALOGUE["CounterTop"], CATALOGUE["Fridge"]
    pieces = [(fridge, block((0.7, 0.65, 1.8))), (counter, block((0.9, 0.6, 0.9))), (counter, block((0.8, 0.6, 0.9)))]
    items = in_rows(generator(0, "row", 0), space, pieces)
    assert len(items) == 3
    assert items[0].kind is fridge or items[-1].kind is fridge
    for left, right in pairwise(items):
        assert left.yaw == right.yaw
        a, b = left.volume.rect, right.volume.rect
        gaps = [max(a.x0, b.x0) - min(a.x1, b.x1), max(a.y0, b.y0) - min(a.y1, b.y1)]
        assert max(gaps) == pytest.approx(0.005, abs=2e-4)
    assert in_rows(generator(0, "row", 0), space, [(counter, block((30.0, 0.6, 0.9)))]) == []


def test_small_objects_stay_on_the_surface_and_apart() -> None:
    space = empty_room()
    top = Surface(-0.4, -0.2, 0.4, 0.2, 0.5, 0.3)
    table = item_at(space, CATALOGUE["Desk"], block((0.8, 0.4, 0.5), (top,)), 3.0, 3.0, 0.0, 1.0)
    surface, rng, mug = Top(table, top), generator(0, "small", 0), CATALOGUE["Mug"]
    surface.fill = 0.9
    while put(rng, space, mug, block((0.12, 0.08, 0.1)), surface):
        pass
    assert len(surface.taken) > 3
    for k, rect in enumerate(surface.taken):
        assert Rect(top.x0, top.y0, top.x1, top.y1).grown(-0.02).contains(rect)
        assert not any(rect.overlaps(other, 0.04) for other in surface.taken[:k])
    assert all(item.volume.z0 == pytest.approx(0.5) for item in space.items)
    bare = Top(table, top)
    assert not put(rng, space, mug, block((0.1, 0.1, 0.3)), bare), "taller than the clearance"
    assert not put(rng, space, mug, block((0.9, 0.1, 0.1)), bare), "wider than the surface"
    assert bare.taken == []


def test_tables_are_laid_before_their_chairs() -> None:
    table, chair = CATALOGUE["DiningTable"], CATALOGUE["Chair"]
    laid = 0
    for seed in range(12):
        space = empty_room()
        top = Surface(-0.7, -0.4, 0.7, 0.4, 0.75)
        item = item_at(space, table, block((1.4, 0.8, 0.75), (top,)), 3.0, 3.0, 0.0, 0.0)
        at_side = item_at(space, chair, block((0.4, 0.4, 0.9)), 3.2, 2.3, 0.0, 0.0)
        far = item_at(space, chair, block((0.4, 0.4, 0.9)), 3.0, 6.0, 0.0, 0.0)
        space.items += [item, at_side, far]
        found = set_tables(generator(seed, "laid", 0), "train", [space], CATALOGUE, [[Top(item, top)]])
        plates = [i for i in space.items if i.kind.name == "Plate"]
        drinks = [i for i in space.items if i.kind.name in ("Cup", "Mug")]
        assert found == len(plates) + len(drinks)
        assert len(plates) == len(drinks) <= 1
        for plate, drink in zip(plates, drinks, strict=True):
            laid += 1
            assert plate.pose.position[0] == pytest.approx(3.2)
            assert 2.6 < plate.pose.position[1] < 2.85
            assert drink.pose.position[0] > plate.pose.position[0], "the drink stands to the right"
    assert 0 < laid < 12


def test_what_must_stay_free_refuses_everything() -> None:
    space = empty_room()
    door = next(volume for volume in space.volumes if volume.use == "way" and volume.z0 == 0.0)
    x, y = door.rect.centre
    small = Rect(x, y, x, y).grown(0.1)
    assert not space.fits(Volume(small, 0.0, 0.5))
    assert not space.fits(Volume(small, 0.0, 0.5), ignoring=("front",))


@pytest.fixture(scope="module", params=POOLS)
def homes(request: pytest.FixtureRequest) -> list[BulletSimulator]:
    """Two homes of a pool."""
    simulators = [BulletSimulator() for _ in range(2)]
    for scene, simulator in enumerate(simulators):
        simulator.load(5, request.param, scene)
    return simulators


def test_homes_hold_sixty_to_a_hundred_and_twenty_objects(homes: list[BulletSimulator]) -> None:
    for home in homes:
        assert 60 <= sum(not item.structural for item in home.objects) <= 120


def test_nothing_reaches_over_the_edge_of_what_carries_it(homes: list[BulletSimulator]) -> None:
    checked = 0
    for home in homes:
        by_name = {item.object_id: item for item in home.objects}
        rows = {body.object_id: body for body in home._house.bodies}
        for item in home.objects:
            supporter = home.state(item.object_id).supporter
            if item.structural or supporter is None or by_name[supporter].structural:
                continue
            low, high = home._world.bounds(rows[item.object_id].index)
            below_low, below_high = home._world.bounds(rows[supporter].index)
            assert (low[:2] > below_low[:2] - 1e-3).all(), item.object_id
            assert (high[:2] < below_high[:2] + 1e-3).all(), item.object_id
            checked += 1
    assert checked > 40


def test_objects_are_where_their_rows_say(homes: list[BulletSimulator]) -> None:
    for home in homes:
        uses = {room.room_id: room.uses for room in home._house.plan.rooms}
        names = {item.object_id: item for item in home.objects}
        for body in home._house.bodies:
            if body.kind is None or body.room is None:
                continue
            item = names[body.object_id]
            assert item.room_id is not None
            laid = body.kind.name in ("Plate", "Cup", "Mug")
            assert laid or any(use in body.kind.rooms for use in uses[item.room_id])
            supporter = home.state(body.object_id).supporter
            if body.kind.placement == "surface":
                assert supporter is not None
                assert laid or names[supporter].object_type in body.kind.on


def test_each_bedroom_has_a_bed_and_each_kitchen_its_fridge(homes: list[BulletSimulator]) -> None:
    for home in homes:
        for room in home._house.plan.rooms:
            inside = Counter(item.object_type for item in home.objects if item.room_id == room.room_id)
            for use, needed in (("bedroom", "Bed"), ("kitchen", "Fridge"), ("bathroom", "Toilet")):
                assert use not in room.uses or inside[needed] >= 1, f"{room.room_id} {room.uses}"
            assert inside["Chair"] == 0 or inside["DiningTable"] + inside["Desk"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("pool", POOLS)
def test_many_homes_stand_without_overlap_and_lose_next_to_nothing(pool: str) -> None:
    simulator = BulletSimulator()
    lost, held = 0, 0
    for scene in range(15):
        simulator.load(9, pool, scene)
        count = sum(not item.structural for item in simulator.objects)
        assert 60 <= count <= 120
        assert overlapping(simulator) == []
        lost += sum(simulator._house.left_out.values())
        held += count
    assert lost < 0.01 * held
