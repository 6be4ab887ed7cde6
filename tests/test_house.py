"""Floor plans, without physics: real rooms, free doors, one connected home, and no two alike."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from flowbench.builders.simulators.bullet.free_space import GRID, PERSON_RADIUS, FreeSpace
from flowbench.builders.simulators.bullet.house import draw_plan
from flowbench.builders.simulators.bullet.openings import FRAME, KEEP_OUT, Hole, HousePlan
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
POOLS = ("homes_train", "homes_test")
STYLES = {pool: style_of_pool(pool) for pool in POOLS}


def plan_of(scene: int, seed: int = 0, pool: str = "homes_train", rooms: int | None = None) -> HousePlan:
    return draw_plan(seed, pool, scene, STYLES[pool], rooms)


@pytest.fixture(scope="module", params=POOLS)
def pool(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def plans(pool: str) -> list[HousePlan]:
    return [plan_of(scene, pool=pool) for scene in SCENES]


def windows_of(plan: HousePlan) -> list[tuple[int, Hole]]:
    """(wall, hole) of every window."""
    return [o.cuts[0] for o in plan.openings if o.kind == "window"]


def test_rooms_keep_the_proportions_of_their_style(pool: str) -> None:
    style = STYLES[pool].proportions
    for count in range(1, 9):
        for scene in range(12):
            plan = plan_of(scene, 5, pool, count)
            assert style.height[0] <= plan.height <= style.height[1]
            for room in plan.rooms:
                short, long = sorted(room.bounds.size)
                hallway = room.room_type == "hallway"
                low, high = style.hallway_aspect if hallway else style.aspect
                assert low - 1e-6 <= long / short <= high + 1e-6, room
                assert room.area == pytest.approx(polygon_area(room.polygon))
                if hallway:
                    assert style.hallway_width[0] - 1e-6 <= short <= style.hallway_width[1] + 1e-6
                    continue
                shape = style.shapes["+".join(room.uses)]
                assert short >= shape.side - 1e-6
                carved = 1.0 if room.notch else 0.0  # the corner's walls count to neither room
                assert shape.area[0] - carved <= room.area <= shape.area[1] + carved


def test_a_home_of_one_room_is_a_studio_of_several_uses(pool: str) -> None:
    for scene in SCENES:
        (room,) = plan_of(scene, 2, pool, 1).rooms
        assert 28.0 <= room.area <= 40.0
        assert len(set(room.uses)) == len(room.uses) in (2, 3)
        assert room.room_type == room.uses[0] == "living_room"


def test_homes_have_one_to_eight_rooms_mostly_two_to_five(pool: str) -> None:
    counts = [len(plan_of(scene, 1, pool).rooms) for scene in range(300)]
    assert set(counts) == set(range(1, 9))
    assert sum(2 <= count <= 5 for count in counts) > 0.6 * len(counts)
    for scene in range(20):
        plan = plan_of(scene, 1, pool)
        assert all(room.uses == (room.room_type,) for room in plan.rooms if room.room_type != "living_room")


def test_large_homes_mostly_have_a_hallway_that_leads_to_their_rooms(pool: str) -> None:
    drawn = [plan_of(scene, 4, pool, rooms) for rooms in (5, 6, 7, 8) for scene in range(8)]
    found = [plan for plan in drawn if any(room.room_type == "hallway" for room in plan.rooms)]
    assert 0.6 * len(drawn) < len(found) < len(drawn)
    for plan in found:
        hallway = next(k for k, room in enumerate(plan.rooms) if room.room_type == "hallway")
        pairs = [{k for k, _ in o.keep_out} for o in plan.openings if o.kind == "doorway"]
        assert sum(hallway in pair for pair in pairs) >= 3


def test_rooms_do_not_overlap_and_walls_stand_between_them(plans: list[HousePlan]) -> None:
    for plan in plans:
        for a, b in combinations(plan.rooms, 2):
            points = np.random.default_rng(1).uniform(a.bounds[:2], a.bounds[2:], size=(40, 2))
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
            for x, y in rng.uniform(room.bounds[:2], room.bounds[2:], size=(40, 2)):
                assert room.has(x, y) == point_in_polygon((x, y), room.polygon)
    assert carved > 0, "no L-shaped room among all plans"


def test_every_wall_bounds_its_room(plans: list[HousePlan]) -> None:
    for plan in plans:
        for wall in plan.walls:
            room = plan.rooms[wall.room]
            assert room.has(*wall.point(wall.length / 2.0, 0.01))
            assert not room.has(*wall.point(wall.length / 2.0, -0.01))


def test_doorways_cut_both_walls_at_the_same_place(pool: str, plans: list[HousePlan]) -> None:
    style = STYLES[pool].proportions
    for plan in plans:
        for opening in plan.openings:
            if opening.kind != "doorway":
                continue
            (first, hole), (second, other) = opening.cuts
            a, b = plan.walls[first], plan.walls[second]
            assert a.room != b.room
            assert style.door_width[0] - 1e-6 <= hole.t1 - hole.t0 - 2 * FRAME <= style.door_width[1] + 1e-6
            assert hole.z1 == pytest.approx(style.door_height + FRAME)
            through = np.array(a.point(hole.t0, -2 * INNER_HALF))
            assert np.abs(through - b.point(other.t1)).max() < 1e-6
            for index, cut in opening.cuts:
                wall = plan.walls[index]
                assert cut.t0 >= 0.1
                assert cut.t1 <= wall.length - 0.1


def test_openings_of_a_wall_are_apart_and_off_its_corners(plans: list[HousePlan]) -> None:
    for plan in plans:
        for wall in plan.walls:
            holes = plan.holes(wall.index)
            assert all(a.t1 + 0.24 <= b.t0 for a, b in pairwise(holes))
            assert all(hole.t0 >= 0.14 - 1e-6 and hole.t1 <= wall.length - 0.14 + 1e-6 for hole in holes)


def test_windows_lie_in_outer_walls_and_measure_what_their_style_says(pool: str, plans: list[HousePlan]) -> None:
    style = STYLES[pool].proportions
    pairs = 0
    for plan in plans:
        widths = {round(hole.t1 - hole.t0, 2) for _, hole in windows_of(plan)}
        assert len(widths) <= 2  # one size for rooms, one for bathrooms and short walls
        for index, hole in windows_of(plan):
            kind = plan.rooms[plan.walls[index].room].room_type
            assert plan.walls[index].outer
            small = hole.t1 - hole.t0 < style.window_width[0] - 1e-6
            low, high = style.small_window_width if small else style.window_width
            assert low - 1e-6 <= hole.t1 - hole.t0 <= high + 1e-6
            assert style.window_head[0] <= hole.z1 <= style.window_head[1] < plan.height
            assert hole.z0 == style.sills.get(kind, hole.z0)
            assert hole.z0 in style.sills.values() or style.window_sill[0] <= hole.z0 <= style.window_sill[1]
        pairs += len(windows_of(plan)) > len({index for index, _ in windows_of(plan)})
    assert pairs > 0


def test_the_entrance_is_one_and_leads_outside_from_hallway_or_living_room(plans: list[HousePlan]) -> None:
    for plan in plans:
        (entrance,) = (opening for opening in plan.openings if opening.kind == "entrance")
        wall = plan.walls[entrance.cuts[0][0]]
        assert wall.outer
        assert plan.rooms[wall.room].room_type in ("hallway", "living_room")


def test_bathrooms_have_one_door(plans: list[HousePlan]) -> None:
    doors = [[k for o in plan.openings for k, _ in o.keep_out] for plan in plans]
    numbers = [
        reached.count(k)
        for plan, reached in zip(plans, doors, strict=True)
        for k, room in enumerate(plan.rooms)
        if room.room_type == "bathroom"
    ]
    assert set(numbers) == {1}


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
    plan = next(plan for plan in plans if len(plan.rooms) > 1)
    door = next(opening for opening in plan.openings if opening.kind == "doorway")
    floor = FreeSpace(plan)
    assert not floor.admits([door.keep_out[0][1]])
    assert floor.admits([])
    for _, rect in (cut for opening in plan.openings for cut in opening.keep_out):
        floor.block(rect)
    assert not floor.connected()


def test_a_corridor_stays_walkable_beside_shallow_furniture(pool: str) -> None:
    plan = next(plan for s in range(30) if (plan := plan_of(s, 4, pool, 7)).rooms[-1].room_type == "hallway")
    wall = max((w for w in plan.walls if w.room == len(plan.rooms) - 1), key=lambda w: w.length)
    doors = plan.holes(wall.index)
    ends = [0.0, *(t for hole in doors for t in (hole.t0 - 0.1, hole.t1 + 0.1)), wall.length]
    free = [(t0, t1) for t0, t1 in zip(ends[::2], ends[1::2], strict=True) if t1 - t0 > 0.3]
    assert free
    assert FreeSpace(plan).admits([wall.strip(t0, t1, 0.0, 0.4) for t0, t1 in free])
    assert not FreeSpace(plan).admits([wall.strip(t0, t1, 0.0, 1.4) for t0, t1 in free])


def test_nearly_every_room_has_a_window(plans: list[HousePlan]) -> None:
    rooms = sum(len(plan.rooms) for plan in plans)
    lit = sum(len({plan.walls[o.cuts[0][0]].room for o in plan.openings if o.kind == "window"}) for plan in plans)
    assert lit > 0.85 * rooms


def test_same_seed_same_plan_other_seed_other_plan(pool: str, plans: list[HousePlan]) -> None:
    assert [w for s in SCENES for w in plan_of(s, pool=pool).walls] == [w for plan in plans for w in plan.walls]
    drawn = {(p.height, p.walls, p.openings) for p in (*plans, *(plan_of(s, 1, pool) for s in SCENES))}
    assert len(drawn) == 2 * len(SCENES)


@pytest.mark.slow
@pytest.mark.parametrize("over", ["seeds", "scenes"])
def test_ten_thousand_homes_differ(pool: str, over: str) -> None:
    homes, rough = set(), set()
    for k in range(10_000):
        plan = plan_of(0, k, pool) if over == "seeds" else plan_of(k, 0, pool)
        homes.add((plan.height, plan.walls, plan.openings))
        rough.add(tuple((r.uses, *(round(5 * v) for v in r.bounds)) for r in plan.rooms))
        assert FreeSpace(plan).connected()
    assert len(homes) == 10_000
    assert len(rough) > 8_000  # even with every wall moved to the nearest 20 cm, where small homes are few


@pytest.mark.parametrize("rooms", range(1, 9))
def test_the_number_of_rooms_can_be_asked_for(pool: str, rooms: int) -> None:
    for scene in range(5):
        plan = plan_of(scene, 3, pool, rooms)
        assert len(plan.rooms) == rooms
        assert [room.room_id for room in plan.rooms] == [f"room-{i + 1}" for i in range(rooms)]
        assert FreeSpace(plan).connected()


def test_room_types_mix(pool: str) -> None:
    kinds = {use for scene in range(60) for room in plan_of(scene, pool=pool).rooms for use in room.uses}
    assert kinds == {"living_room", "kitchen", "bedroom", "office", "bathroom", "hallway"}


def test_structure_follows_the_plan(pool: str, plans: list[HousePlan]) -> None:
    for scene in (0, 1, 2):
        plan = plans[scene]
        pieces = build_structure(generator(0, pool, scene, "structure"), STYLES[pool], plan)
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


def l_shaped() -> list[tuple[str, int]]:
    """(pool, scene) of homes with a room that has a notch, one for each corner it may lie at."""
    found: dict[tuple[bool, bool], tuple[str, int]] = {}
    for scene in range(60):
        pool = POOLS[scene % 2]
        for room in plan_of(scene, 11, pool).rooms:
            if room.notch is not None:
                corner = (room.notch.x0 > room.bounds.x0, room.notch.y0 > room.bounds.y0)
                found.setdefault(corner, (pool, scene))
    return sorted(set(found.values()))


def test_a_notch_may_lie_at_any_corner() -> None:
    assert len(l_shaped()) == 4


@pytest.mark.parametrize(("pool_drawn", "scene"), l_shaped())
def test_an_l_shaped_room_is_closed(pool_drawn: str, scene: int) -> None:
    """Wherever one looks from inside, every pixel shows the building: no slit between floor, ceiling and walls."""
    plan = plan_of(scene, 11, pool_drawn)
    pieces = build_structure(generator(11, pool_drawn, scene, "structure"), STYLES[pool_drawn], plan)
    renderer = Renderer(make_textures())
    renderer.load([Instance(k + 1, piece.mesh) for k, piece in enumerate(pieces)], Lighting())
    floor = FreeSpace(plan)
    index = next(k for k, room in enumerate(plan.rooms) if room.notch is not None)
    points = floor.reachable(index)
    for x, y in points[:: max(1, len(points) // 3)]:
        for yaw in np.linspace(-np.pi, np.pi, 6, endpoint=False).tolist():
            for pitch in (-0.5, 0.5):
                camera = Camera.standing((float(x), float(y), 1.5), yaw, pitch, width=320, height=240)
                ids = renderer.render(camera, ids=True).ids
                assert ids is not None
                assert ids.min() > 0, f"a hole seen from {(x, y)} at yaw {yaw:.2f}"
