"""Floor plans as people judge them: rooms of a style's shapes, corridors, doors that lead where they should."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from flowbench.builders.simulators.bullet.corridor import draw_corridor
from flowbench.builders.simulators.bullet.doors import draw_doorways, draw_entrance
from flowbench.builders.simulators.bullet.floor_plan import draw_count, draw_floor_plan, flaws
from flowbench.builders.simulators.bullet.layout import draw_rooms
from flowbench.builders.simulators.bullet.openings import HousePlan, Opening
from flowbench.builders.simulators.bullet.plan import INNER_HALF, RoomPlan, Rooms, walls_of
from flowbench.builders.simulators.bullet.proportions import HALLWAY, Shape
from flowbench.builders.simulators.bullet.rects import Rect
from flowbench.builders.simulators.bullet.strips import WALL, common_length, draw_row, row_of, turned
from flowbench.builders.simulators.bullet.styles import style_of_pool
from flowbench.builders.simulators.bullet.windows import draw_windows

POOLS = ("homes_train", "homes_test")
PROPORTIONS = {pool: style_of_pool(pool).proportions for pool in POOLS}
SQUARE = Shape(area=(9.0, 16.0), aspect=(1.0, 1.5), side=3.0)
LONG = Shape(area=(12.0, 24.0), aspect=(2.0, 3.0), side=2.0)
HUGE = Shape(area=(400.0, 900.0), aspect=(1.0, 1.5), side=20.0)


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def home(*rooms: tuple[str, tuple[float, float, float, float]]) -> Rooms:
    """Rooms given by their type and the rectangle between their walls' centre lines."""
    plans = tuple(
        RoomPlan(f"room-{i + 1}", (kind,), Rect(*(round(v, 2) for v in Rect(*cell).grown(-INNER_HALF))), None)
        for i, (kind, cell) in enumerate(rooms)
    )
    return Rooms(plans, walls_of(plans), 2.6)


def joined(doors: list[Opening], rooms: Rooms) -> set[tuple[str, ...]]:
    return {tuple(sorted(rooms.rooms[k].room_type for k, _ in door.keep_out)) for door in doors}


def plan_with_doors(rooms: Rooms, seed: int = 0) -> HousePlan:
    doors = draw_doorways(rng_of(seed), rooms, 1.0, 2.1)
    assert doors is not None
    entrance = draw_entrance(rng_of(seed), rooms, 1.0, 2.1)
    openings = [*doors, *([entrance] if entrance else [])]
    windows = draw_windows(rng_of(seed), PROPORTIONS["homes_train"], rooms, openings)
    return HousePlan(rooms.rooms, rooms.walls, (*openings, *windows), 2.6)


@pytest.mark.parametrize(
    ("width", "depth", "fits"),
    [(3.0, 3.0, True), (4.0, 4.0, True), (3.0, 4.4, True), (2.9, 4.0, False), (3.0, 4.6, False), (4.1, 4.0, False)],
)
def test_a_shape_admits_what_has_its_area_aspect_and_side(width: float, depth: float, fits: bool) -> None:
    assert SQUARE.admits(width, depth) == SQUARE.admits(depth, width) == fits


def test_two_square_rooms_make_a_row_of_known_lengths() -> None:
    row = row_of([SQUARE, SQUARE])
    inner = row.depth - WALL
    assert inner.min() >= 3.0
    assert inner.max() <= math.sqrt(16.0 * 1.5)  # the deepest is 4.9 m by 3.27 m
    at = int(np.argmin(np.abs(inner - 3.13)))
    least, most = max(3.0, 9.0 / inner[at]), min(1.5 * inner[at], 16.0 / inner[at])
    assert np.abs(row.lengths[at] - 2 * np.array([least + WALL, most + WALL])).max() < 1e-9


def test_a_long_room_lies_along_or_across_but_never_between() -> None:
    row = row_of([LONG])
    along = [row.widths[k, 0] - WALL for k in range(len(row.depth)) if row.depth[k] - WALL < 3.4]
    across = [row.widths[k, 0] - WALL for k in range(len(row.depth)) if row.depth[k] - WALL > 4.9]
    assert along
    assert across
    assert all(low / 3.4 > 1.2 for low, _ in along)
    assert all(high / 4.9 < 0.8 for _, high in across)


@pytest.mark.parametrize("shapes", [[SQUARE], [SQUARE, LONG], [LONG, SQUARE, LONG], [SQUARE] * 4])
def test_rows_fill_their_length_with_rooms_of_their_shapes(shapes: list[Shape]) -> None:
    row = row_of(shapes)
    for seed in range(20):
        length = common_length(rng_of(seed), [row], (0.0, 99.0))
        assert length is not None
        cells = draw_row(rng_of(seed), row, length, 2.0)
        assert cells is not None
        assert cells[0].x0 == 0.0
        assert cells[-1].x1 == length
        assert {(cell.y0, cell.y1) for cell in cells} == {(2.0, cells[0].y1)}
        assert all(a.x1 == b.x0 for a, b in pairwise(cells))
        for shape, cell in zip(shapes, cells, strict=True):
            width, depth = cell.grown(-INNER_HALF).size
            near = ((width + dx, depth + dy) for dx in (-0.02, 0.0, 0.02) for dy in (-0.02, 0.0, 0.02))
            assert any(shape.admits(*sides) for sides in near)


def test_rows_that_cannot_be_as_long_as_each_other_have_no_common_length() -> None:
    assert common_length(rng_of(0), [row_of([SQUARE]), row_of([SQUARE] * 4)], (0.0, 99.0)) is None
    assert common_length(rng_of(0), [row_of([SQUARE])], (6.0, 99.0)) is None
    assert common_length(rng_of(0), [row_of([HUGE])], (0.0, 99.0)) is None
    assert draw_row(rng_of(0), row_of([SQUARE]), 9.0, 0.0) is None


def test_turning_a_home_keeps_sizes_and_the_corner_at_the_origin() -> None:
    cells = [Rect(0.0, 0.0, 3.0, 4.0), Rect(3.0, 0.0, 8.0, 4.0)]
    drawn = {tuple(turned(rng_of(seed), cells)) for seed in range(80)}
    assert len(drawn) == 4  # two halves of one rectangle: mirroring across their common middle changes nothing
    for plan in drawn:
        assert min(cell.x0 for cell in plan) == min(cell.y0 for cell in plan) == 0.0
        assert [sorted(cell.size) for cell in plan] == [[3.0, 4.0], [4.0, 5.0]]
        assert not plan[0].overlaps(plan[1])


@pytest.mark.parametrize("pool", POOLS)
def test_corridors_have_rooms_on_both_sides_that_open_onto_them(pool: str) -> None:
    style = PROPORTIONS[pool]
    shapes = [style.shapes[word] for word in ("living_room", "bedroom", "bedroom", "kitchen", "office")]
    found = [cells for seed in range(60) if (cells := draw_corridor(rng_of(seed), style, shapes)) is not None]
    assert len(found) > 5
    for *rooms, hallway in found:
        width, length = sorted(hallway.grown(-INNER_HALF).size)
        assert style.hallway_width[0] - 0.006 <= width <= style.hallway_width[1] + 0.006
        assert style.hallway_aspect[0] - 0.02 <= length / width <= style.hallway_aspect[1] + 0.02
        below = [room for room in rooms if room.y1 == hallway.y0 and room.x0 < hallway.x1]
        above = [room for room in rooms if room.y0 == hallway.y1 and room.x0 < hallway.x1]
        assert len(below) >= 2
        assert above
        assert sum(room.area for room in rooms) + hallway.area == pytest.approx(
            max(room.x1 for room in rooms) * max(room.y1 for room in rooms)
        )


def test_bedrooms_and_bathrooms_open_onto_the_hallway_when_they_can() -> None:
    rooms = home(
        ("living_room", (0, 0, 5, 4)),
        ("kitchen", (5, 0, 9, 4)),
        ("bedroom", (0, 5.8, 5, 9)),
        ("bathroom", (5, 5.8, 9, 9)),
        (HALLWAY, (0, 4, 9, 5.8)),
    )
    for seed in range(10):
        plan = plan_with_doors(rooms, seed)
        doors = joined([o for o in plan.openings if o.kind == "doorway"], rooms)
        assert {("bedroom", "hallway"), ("bathroom", "hallway")} <= doors
        assert not {("bathroom", "bedroom"), ("bathroom", "kitchen")} & doors
        (entrance,) = (o for o in plan.openings if o.kind == "entrance")
        assert plan.walls[entrance.cuts[0][0]].room == 4
        assert flaws(plan) == 0


def test_a_bathroom_opens_onto_a_kitchen_only_where_it_touches_nothing_else() -> None:
    corner = ("bathroom", (4, 0, 7, 3))
    choice = home(("kitchen", (0, 0, 4, 3)), corner, ("living_room", (0, 3, 7, 8)))
    forced = home(("living_room", (-6, 0, 0, 3)), ("kitchen", (0, 0, 4, 3)), corner)
    for seed in range(10):
        assert ("bathroom", "living_room") in joined(draw_doorways(rng_of(seed), choice, 1.0, 2.1) or [], choice)
        assert ("bathroom", "kitchen") in joined(draw_doorways(rng_of(seed), forced, 1.0, 2.1) or [], forced)
    assert flaws(plan_with_doors(choice)) == 0
    assert flaws(plan_with_doors(forced)) == 4


@pytest.mark.parametrize(
    "rooms",
    [
        home(("living_room", (0, 0, 4, 4)), ("bathroom", (4, 0, 7, 4)), ("bedroom", (7, 0, 11, 4))),
        home(("living_room", (0, 0, 4, 4)), ("bedroom", (4, 4, 8, 8))),
        home(("living_room", (0, 0, 4, 4)), ("bedroom", (4, 3, 8, 7))),
    ],
    ids=["only through a bathroom", "corner to corner", "less shared wall than a door needs"],
)
def test_homes_that_no_doors_can_connect_are_refused(rooms: Rooms) -> None:
    assert draw_doorways(rng_of(0), rooms, 1.0, 2.1) is None


def test_a_bedroom_that_leads_on_is_a_flaw_as_is_a_room_behind_a_kitchen() -> None:
    beds = home(("living_room", (0, 0, 5, 4)), ("bedroom", (5, 0, 9, 4)), ("office", (9, 0, 13, 4)))
    assert flaws(plan_with_doors(beds)) == 3
    behind = home(("living_room", (0, 0, 5, 4)), ("kitchen", (5, 0, 9, 4)), ("bedroom", (9, 0, 13, 4)))
    assert flaws(plan_with_doors(behind)) == 1
    dark = home(*((kind, (x, 0, x + 4, 4)) for kind, x in (("living_room", 0), ("bedroom", 4))))
    plan = plan_with_doors(dark)
    assert flaws(plan) == 0
    assert flaws(HousePlan(plan.rooms, plan.walls, plan.openings[:1], 2.6)) == 4 + 2


def test_room_counts_follow_their_weights() -> None:
    drawn = [draw_count(rng_of(seed), (0, 3, 1)) for seed in range(400)]
    assert set(drawn) == {2, 3}
    assert 260 < drawn.count(2) < 340
    assert {draw_count(rng_of(seed), (0, 0, 5)) for seed in range(9)} == {3}


@pytest.mark.parametrize("pool", POOLS)
def test_every_programme_finds_its_plan(pool: str) -> None:
    style = PROPORTIONS[pool]
    for count, programmes in style.programmes.items():
        wanted = {tuple(sorted(words)) for words in programmes}
        drawn = set()
        for seed in range(200):
            rooms = draw_rooms(rng_of(seed), style, count).rooms
            drawn.add(tuple(sorted("+".join(room.uses) for room in rooms)))
            if drawn == wanted:
                break
        assert drawn == wanted


def test_styles_share_no_proportions() -> None:
    train, test = PROPORTIONS.values()
    for name in ("hallway_width", "hallway_aspect", "small_window_width", "window_gap"):
        a, b = sorted((getattr(train, name), getattr(test, name)))
        assert a[1] < b[0], name
    assert not set(train.sills.values()) & set(test.sills.values())
    assert all(len(style.room_counts) == 8 and min(style.room_counts) > 0 for style in (train, test))


@pytest.mark.slow
@pytest.mark.parametrize("pool", POOLS)
def test_ten_thousand_draws_of_every_size_never_fail(pool: str) -> None:
    style = PROPORTIONS[pool]
    flawed = 0
    for seed in range(10_000):
        plan = draw_floor_plan(rng_of(seed), style, 1 + seed % 8)
        assert len(plan.rooms) == 1 + seed % 8
        flawed += flaws(plan) > 0
    assert flawed < 100
