"""Culling of rooms that cannot be seen: what is found by hand, and the same picture with and without it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.shots import WHITE
from support.suites import GAP, HEIGHT, HOLE, SIDE, building, crate

from flowbench.geometry import Camera, Pose
from flowbench.rendering import Cells, Instance, Lighting, PointLight, Renderer
from flowbench.rendering.portals import Sight
from flowbench.rendering.rasterizing import NEAR

SMALL = {"width": 96, "height": 72}
LIGHTING = Lighting(
    lamps=tuple(
        PointLight((x + 1.5, y + 1.5, 2.2), (1.5, 1.4, 1.2), ((x, y, 0.0), (x + SIDE, y + SIDE, HEIGHT)))
        for x in (0.0, SIDE + GAP)
        for y in (0.0, SIDE + GAP)
    )
)
"""A lamp for each of four rooms."""


def same_pictures(instances: list[Instance], cells: Cells, cameras: list[Camera]) -> list[float]:
    """Assert the same bytes with and without culling; the share of binned triangles that culling leaves, a camera."""
    with_cells, without = Renderer(WHITE), Renderer(WHITE)
    with_cells.load(instances, LIGHTING, cells)
    without.load(instances, LIGHTING)
    shares = []
    for camera in cameras:
        one, other = (renderer.render(camera, rgb=True, depth=True, ids=True) for renderer in (with_cells, without))
        for a, b in ((one.ids, other.ids), (one.depth, other.depth), (one.rgb, other.rgb)):
            assert a is not None
            assert b is not None
            assert a.tobytes() == b.tobytes(), camera
        shares.append(len(with_cells._triangles.binned[2]) / max(len(without._triangles.binned[2]), 1))
    return shares


def test_a_gate_shows_where_it_projects() -> None:
    _, cells = building(2, 1, {(0, 1): 1.0})
    camera = Camera.standing((1.0, 1.45, 1.5), 0.0, **SMALL)
    windows = Sight(cells).windows(camera)
    assert windows[0] == (-1.0, 96.0, -1.0, 72.0)
    # The hole begins 2 m ahead: 0.45 m to each side, 0.5 m above the eye, and down beyond the picture's edge.
    half, up = 48.0 * 0.45 / 2.0, 48.0 * 0.5 / 2.0
    assert windows[1] == pytest.approx((47.5 - half - 2, 47.5 + half + 2, 35.5 - up - 2, 72.0))


def test_nothing_is_seen_through_a_gate_behind_the_eye() -> None:
    _, cells = building(2, 1, {(0, 1): 1.0})
    assert set(Sight(cells).windows(Camera.standing((1.0, 1.45, 1.5), math.pi, **SMALL))) == {0}


def test_gates_in_line_narrow_and_gates_out_of_line_hide() -> None:
    camera = Camera.standing((0.2, 0.45, 1.5), 0.0, **SMALL)
    straight = Sight(building(3, 1, {(0, 1): 0.0, (1, 2): 0.0})[1]).windows(camera)
    assert straight[1][0] < straight[2][0] < 47.5 < straight[2][1] < straight[1][1]
    shifted = Sight(building(3, 1, {(0, 1): 0.0, (1, 2): 2.05})[1]).windows(camera)
    assert set(shifted) == {0, 1}


def test_two_ways_into_a_zone_make_one_window_around_both() -> None:
    _, cells = building(2, 2, {(0, 1): 1.0, (0, 2): 1.0, (1, 3): 1.0, (2, 3): 1.0})
    camera = Camera.standing((0.3, 0.3, 1.5), math.pi / 4, **SMALL)
    windows = Sight(cells).windows(camera)
    assert set(windows) == {0, 1, 2, 3}
    lower = Sight(Cells(cells.zones, cells.gates[:1] + cells.gates[2:3])).windows(camera)[3]
    upper = Sight(Cells(cells.zones, cells.gates[1:2] + cells.gates[3:])).windows(camera)[3]
    assert lower[1] > upper[1]
    assert windows[3] == (upper[0], lower[1], min(lower[2], upper[2]), max(lower[3], upper[3]))


@pytest.mark.parametrize(
    "eye",
    [
        (SIDE + GAP / 2, 1.45, 1.5),  # in the doorway
        (SIDE + GAP / 2, 0.4, 1.5),  # in a wall
        (1.5, 1.5, HEIGHT + 1.0),  # above the ceiling
        (NEAR, 1.5, 1.5),  # so near to a wall that the near plane cuts it open
        (-5.0, 1.5, 1.5),  # outside
    ],
)
def test_an_eye_in_no_zone_sees_everything(eye: tuple[float, float, float]) -> None:
    instances, cells = building(2, 1, {(0, 1): 1.0})
    camera = Camera.standing(eye, 0.4, 0.3, **SMALL)
    assert Sight(cells).windows(camera) == {}
    assert Sight(cells).visible(camera, np.zeros((3, 2, 3))).all()
    same_pictures([*instances, crate(200, (4.5, 1.0, 0.4), (0.5, 0.5, 0.5))], cells, [camera])


def test_what_is_drawn() -> None:
    _, cells = building(2, 1, {(0, 1): 1.0})
    camera = Camera.standing((1.0, 1.45, 1.5), 0.0, **SMALL)
    places = {
        "beside the eye's window": ((2.0, 1.0, 1.0), True),
        "in line with the gate": ((5.0, 1.45, 1.0), True),
        "hidden by the wall": ((4.0, 0.4, 1.0), False),
        "in the gate": ((SIDE + GAP / 2, 1.45, 0.5), True),
        "in no zone": ((4.0, -2.0, 1.0), True),
    }
    bounds = np.array([[[v - 0.08 for v in centre], [v + 0.08 for v in centre]] for centre, _ in places.values()])
    visible = dict(zip(places, Sight(cells).visible(camera, bounds).tolist(), strict=True))
    assert visible == {name: drawn for name, (_, drawn) in places.items()}
    reaching = np.array([[[2.9, 0.2, 0.5], [4.0, 0.6, 1.0]]])  # through the wall, into both rooms
    assert Sight(cells).visible(camera, reaching).all()
    away = Camera.standing((1.0, 1.45, 1.5), math.pi, **SMALL)
    assert not Sight(cells).visible(away, bounds[1:3]).any()


def test_no_zones_and_no_instances() -> None:
    camera = Camera.standing((1.0, 1.45, 1.5), 0.0, **SMALL)
    assert Sight(Cells((), ())).visible(camera, np.zeros((2, 2, 3))).all()
    instances, cells = building(1, 1, {})
    assert Sight(cells).visible(camera, np.zeros((0, 2, 3))).shape == (0,)
    same_pictures(instances, cells, [camera])


place = st.tuples(st.floats(-0.2, 2 * SIDE + 0.6), st.floats(-0.2, 2 * SIDE + 0.6), st.floats(0.0, HEIGHT))
extent = st.tuples(*[st.floats(0.05, 1.5)] * 3)
start = st.floats(0.0, SIDE - HOLE[0])


@settings(max_examples=60, deadline=None)
@given(
    holes=st.dictionaries(st.sampled_from([(0, 1), (0, 2), (1, 3), (2, 3)]), start),
    crates=st.lists(st.tuples(place, extent), max_size=8),
    room=st.integers(0, 3),
    stand=st.tuples(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.floats(0.1, 0.9)),
    yaw=st.floats(-3.1, 3.1),
    pitch=st.floats(-0.6, 0.9),
)
def test_the_same_bytes_in_any_building(holes, crates, room, stand, yaw, pitch) -> None:  # type: ignore[no-untyped-def]
    instances, cells = building(2, 2, holes)
    things = [crate(200 + k, centre, size) for k, (centre, size) in enumerate(crates)]
    (low, high), *_ = cells.zones[room]
    eye = tuple(a + (b - a) * t for a, b, t in zip(low, high, stand, strict=True))
    same_pictures([*instances, *things], cells, [Camera.standing(eye, yaw, pitch, **SMALL)])


def test_culling_saves_something_and_follows_what_moves() -> None:
    instances, cells = building(2, 2, {(0, 1): 1.0, (1, 3): 1.0})
    things = [crate(200 + k, (4.0 + 0.2 * k, 4.2 + 0.3 * k, 0.3), (0.15, 0.15, 0.6)) for k in range(6)]
    camera = Camera.standing((1.0, 1.45, 1.5), 0.0, **SMALL)
    assert same_pictures([*instances, *things], cells, [camera])[0] < 0.7
    renderer = Renderer(WHITE)
    renderer.load([*instances, *things], LIGHTING, cells)
    assert 200 not in renderer.render(camera, ids=True).ids
    renderer.move(200, Pose((SIDE + GAP / 2, 1.45, 0.5)).matrix)  # straddles the doorway
    assert 200 in renderer.render(camera, ids=True).ids
    renderer.move(200, Pose((5.0, 1.45, 0.5)).matrix)
    assert 200 in renderer.render(camera, ids=True).ids
    renderer.move(200, Pose((5.0, 5.0, 0.5)).matrix)
    assert 200 not in renderer.render(camera, ids=True).ids


def test_cells_that_describe_no_space_are_refused() -> None:
    unit = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    with pytest.raises(ValueError, match="zones 0 and 2"):
        Cells(((unit,), (unit,)), ((0, 2, unit),))
    with pytest.raises(ValueError, match="lower corner first"):
        Cells(((((1.0, 0.0, 0.0), (0.0, 1.0, 1.0)),),), ())
