"""Floor plans, without physics: real rooms, free doors, one connected home, and no two alike."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from flowbench.builders.simulators.bullet.free_space import GRID, PERSON_RADIUS, FreeSpace
from flowbench.builders.simulators.bullet.house import draw_plan
from flowbench.builders.simulators.bullet.openings import KEEP_OUT, HousePlan
from flowbench.builders.simulators.bullet.plan import INNER_HALF
from flowbench.builders.simulators.bullet.rects import Rect
from flowbench.builders.simulators.bullet.structure import build_structure
from flowbench.builders.simulators.bullet.styles import style_of_pool
from flowbench.errors import UsageError
from flowbench.geometry import Camera, point_in_polygon, polygon_area
from flowbench.rendering import Instance, Lighting, Renderer
from flowbench.rendering.textures import make_textures
from flowbench.seeding import generator

SCENES = range(30)
STYLE = style_of_pool("homes_train")


def plan_of(scene: int, seed: int = 0) -> HousePlan:
    return draw_plan(seed, "homes_train", scene, STYLE)


@pytest.fixture(scope="module")
def plans() -> list[HousePlan]:
    return [plan_of(scene) for scene in SCENES]


def test_rooms_have_real_proportions(plans: list[HousePlan]) -> None:
    for plan in plans:
        assert 2 <= len(plan.rooms) <= 4
        assert 2.5 <= plan.height <= 3.0
        for room in plan.rooms:
            short, long = sorted(room.bounds.size)
            assert short > (1.9 if room.room_type == "bathroom" else 2.8)
            assert long < 6.6
            assert room.area == pytest.approx(polygon_area(room.polygon))


def test_rooms_do_not_overlap_and_walls_stand_between_them(plans: list[HousePlan]) -> None:
    for plan in plans:
        for a, b in combinations(plan.rooms, 2):
            points = np.random.default_rng(1).uniform(a.bounds[:2], a.bounds[2:], size=(200, 2))
            both = [p for p in points if a.has(*p) and point_in_polygon(p, b.polygon)]
            assert not both
            near = [corner for corner in b.polygon if a.has(*corner)]
            assert not near


def test_the_polygon_is_where_the_room_is(plans: list[HousePlan]) -> None:
    rng = np.random.default_rng(2)
    carved = 0
    for plan in plans:
        for room in plan.rooms:
            carved += room.notch is not None
            for x, y in rng.uniform(room.bounds[:2], room.bounds[2:], size=(100, 2)):
                assert room.has(x, y) == point_in_polygon((x, y), room.polygon)
    assert carved > 0, "no L-shaped room among all plans"


def test_every_wall_bounds_its_room(plans: list[HousePlan]) -> None:
    for plan in plans:
        for wall in plan.walls:
            room = plan.rooms[wall.room]
            assert room.has(*wall.point(wall.length / 2.0, 0.01))
            assert not room.has(*wall.point(wall.length / 2.0, -0.01))


def test_doorways_cut_both_walls_at_the_same_place(plans: list[HousePlan]) -> None:
    for plan in plans:
        for opening in plan.openings:
            if opening.kind != "doorway":
                continue
            (first, hole), (second, other) = opening.cuts
            a, b = plan.walls[first], plan.walls[second]
            assert a.room != b.room
            assert hole.t1 - hole.t0 - 0.05 > 0.9 - 1e-9
            assert hole.z1 == pytest.approx(2.05, abs=0.03)
            through = np.array(a.point(hole.t0, -2 * INNER_HALF))
            assert np.abs(through - b.point(other.t1)).max() < 1e-6
            for index, cut in opening.cuts:
                wall = plan.walls[index]
                assert cut.t0 >= 0.1
                assert cut.t1 <= wall.length - 0.1


def test_openings_of_a_wall_are_apart(plans: list[HousePlan]) -> None:
    for plan in plans:
        for wall in plan.walls:
            holes = plan.holes(wall.index)
            assert all(a.t1 + 0.1 <= b.t0 for a, b in pairwise(holes))
            assert all(hole.t0 > 0.0 and hole.t1 < wall.length for hole in holes)


def test_floor_before_doors_lies_in_its_room(plans: list[HousePlan]) -> None:
    for plan in plans:
        for opening in plan.openings:
            for room, rect in opening.keep_out:
                assert plan.rooms[room].holds(rect)
                assert min(rect.size) > 0.9 or max(rect.size) > KEEP_OUT - 1e-6


def test_all_rooms_are_connected(plans: list[HousePlan]) -> None:
    for plan in plans:
        floor = FreeSpace(plan)
        assert floor.connected()
        for index, room in enumerate(plan.rooms):
            points = floor.reachable(index)
            assert len(points) >= 9
            assert all(room.holds(Rect(x, y, x, y).grown(PERSON_RADIUS)) for x, y in points)
            assert np.abs(points / GRID - np.round(points / GRID)).max() < 1e-9


def test_a_blocked_door_is_noticed(plans: list[HousePlan]) -> None:
    plan = plans[0]
    door = next(opening for opening in plan.openings if opening.kind == "doorway")
    floor = FreeSpace(plan)
    assert not floor.admits([door.keep_out[0][1]])
    assert floor.admits([])
    for _, rect in (cut for opening in plan.openings for cut in opening.keep_out):
        floor.block(rect)
    assert not floor.connected()


def test_nearly_every_room_has_a_window(plans: list[HousePlan]) -> None:
    rooms = sum(len(plan.rooms) for plan in plans)
    lit = sum(len({plan.walls[o.cuts[0][0]].room for o in plan.openings if o.kind == "window"}) for plan in plans)
    assert lit > 0.8 * rooms


def test_same_seed_same_plan_other_seed_other_plan() -> None:
    assert [w for s in SCENES for w in plan_of(s).walls] == [w for s in SCENES for w in plan_of(s).walls]
    drawn = {(plan.height, plan.walls, plan.openings) for seed in (0, 1) for plan in (plan_of(s, seed) for s in SCENES)}
    assert len(drawn) == 2 * len(SCENES)


@pytest.mark.parametrize("rooms", range(1, 9))
def test_the_number_of_rooms_can_be_asked_for(rooms: int) -> None:
    for scene in range(5):
        plan = draw_plan(3, "homes_train", scene, STYLE, rooms)
        assert len(plan.rooms) == rooms
        assert FreeSpace(plan).connected()


def test_room_types_mix() -> None:
    kinds = {room.room_type for scene in range(60) for room in plan_of(scene).rooms}
    assert kinds == {"living_room", "kitchen", "bedroom", "office", "bathroom", "hallway"}


def test_structure_follows_the_plan(plans: list[HousePlan]) -> None:
    for scene in (0, 1, 2):
        plan = plans[scene]
        pieces = build_structure(generator(0, "homes_train", scene, "structure"), STYLE, plan)
        walls = [piece for piece in pieces if piece.object_type == "Wall"]
        assert len(walls) == len(plan.walls)
        for piece, wall in zip(walls, plan.walls, strict=True):
            assert piece.room == wall.room
            face = sum(
                (corners.max(axis=0) - corners.min(axis=0))[2] * max((corners.max(axis=0) - corners.min(axis=0))[:2])
                for corners in piece.parts
            )
            holes = sum((hole.t1 - hole.t0) * (hole.z1 - hole.z0) for hole in plan.holes(wall.index))
            assert face == pytest.approx(wall.length * plan.height - holes)
        counts = {kind: sum(p.object_type == kind for p in pieces) for kind in ("Floor", "Ceiling", "Door", "Window")}
        assert counts["Floor"] == counts["Ceiling"] == len(plan.rooms)
        assert counts["Door"] >= len(plan.rooms) - 1


def test_an_unknown_pool_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="homes_train"):
        style_of_pool("homes_trian")


def l_shaped() -> list[tuple[int, int]]:
    """(seed, scene) of homes with a room that has a notch, one for each corner it may lie at."""
    found: dict[tuple[bool, bool], tuple[int, int]] = {}
    for scene in range(60):
        for room in plan_of(scene, 11).rooms:
            if room.notch is not None:
                corner = (room.notch.x0 > room.bounds.centre[0], room.notch.y0 > room.bounds.centre[1])
                found.setdefault(corner, (11, scene))
    return sorted(set(found.values()) | {(11, 3)})


@pytest.mark.parametrize(("seed", "scene"), l_shaped())
def test_an_l_shaped_room_is_closed(seed: int, scene: int) -> None:
    """Wherever one looks from inside, every pixel shows the building: no slit between floor, ceiling and walls."""
    plan = plan_of(scene, seed)
    pieces = build_structure(generator(seed, "homes_train", scene, "structure"), STYLE, plan)
    renderer = Renderer(make_textures())
    renderer.load([Instance(k + 1, piece.mesh) for k, piece in enumerate(pieces)], Lighting())
    floor = FreeSpace(plan)
    index = next(k for k, room in enumerate(plan.rooms) if room.notch is not None)
    points = floor.reachable(index)
    for x, y in points[:: max(1, len(points) // 4)]:
        for yaw in np.linspace(-np.pi, np.pi, 6, endpoint=False).tolist():
            for pitch in (-0.5, 0.5):
                camera = Camera.standing((float(x), float(y), 1.5), yaw, pitch, width=320, height=240)
                ids = renderer.render(camera, ids=True).ids
                assert ids is not None
                assert ids.min() > 0, f"a hole seen from {(x, y)} at yaw {yaw:.2f}"
