"""Reading AI2-THOR: units and frames, rooms, parts, pictures, pools, settings; no client is needed for these."""

from __future__ import annotations

import math
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowbench.builders.simulators.base import Room, SceneError, SceneObject
from flowbench.builders.simulators.thor.pictures import depth_scale, floor_ratio, read_frame
from flowbench.builders.simulators.thor.pools import choose, rooms_of_pool
from flowbench.builders.simulators.thor.rooms import height_of, largest_loop, outline, room_of_positions, triangulated
from flowbench.builders.simulators.thor.scene import called, entries_of, keyed, label_of
from flowbench.builders.simulators.thor.settings import Settings
from flowbench.builders.simulators.thor.shapes import MOST_VERTICES, extreme, parts_of
from flowbench.builders.simulators.thor.structure import Building, Face, faces_of, slab_of
from flowbench.builders.simulators.thor.supporting import Footing
from flowbench.builders.simulators.thor.units import (
    agent_view,
    pose_of,
    rotation_matrix,
    to_unity,
    to_world,
    vertical_view,
)
from flowbench.builders.simulators.thor.walls import on_faces
from flowbench.errors import UsageError
from flowbench.geometry import Camera, ConvexParts, OrientedBox, Pose, polygon_area, rotate, transform

L = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 3.0], [0.0, 3.0]])
ROOM = Room("room-1", "kitchen", L, 2.5)


def euler(x: float, y: float, z: float) -> dict[str, float]:
    return {"x": x, "y": y, "z": z}


@pytest.mark.parametrize(
    ("turn", "source", "expected"),
    [
        (euler(0, 0, 0), (0, 1, 0), (0, 1, 0)),
        (euler(0, 90, 0), (0, 1, 0), (1, 0, 0)),  # an agent turned by 90 looks along Unity's x
        (euler(30, 0, 0), (0, 1, 0), (0, math.cos(math.pi / 6), -0.5)),  # a positive horizon looks down
        (euler(0, 0, 90), (1, 0, 0), (0, 0, 1)),
        (euler(90, 90, 0), (0, 1, 0), (0, 0, -1)),
    ],
)
def test_turns_are_unitys(turn: dict[str, float], source: tuple[float, ...], expected: tuple[float, ...]) -> None:
    assert rotate(rotation_matrix(turn), np.array(source, dtype=float)) == pytest.approx(expected, abs=1e-12)


ANGLES = st.floats(-180.0, 180.0)


@given(x=ANGLES, y=ANGLES, z=ANGLES)
def test_turns_are_proper_rotations(x: float, y: float, z: float) -> None:
    matrix = rotation_matrix(euler(x, y, z))[:3, :3]
    assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-9)
    assert np.linalg.det(matrix) == pytest.approx(1.0)


@given(yaw=st.floats(-7.0, 7.0), pitch=st.floats(-1.0, 1.4))
def test_an_agent_looks_as_the_camera_does(yaw: float, pitch: float) -> None:
    camera = Camera.standing((1.0, 2.0, 1.5), yaw, pitch)
    rotation, horizon = agent_view(camera)
    forward = rotate(rotation_matrix(euler(horizon, rotation, 0.0)), np.array([0.0, 1.0, 0.0]))
    assert forward == pytest.approx(rotate(camera.world_from_camera, np.array([0.0, 0.0, 1.0])), abs=1e-7)
    assert 0.0 <= rotation < 360.0


def test_the_lens_is_stated_by_its_height() -> None:
    assert vertical_view(Camera.standing((0, 0, 0), 0.0)) == pytest.approx(73.7398, abs=1e-4)
    rolled = Camera.standing((0, 0, 0), 0.0)
    turned = rolled.camera_from_world.copy()
    turned[[0, 1]] = turned[[1, 0]]
    with pytest.raises(UsageError, match="rolled"):
        agent_view(Camera(800, 600, 400.0, turned))


def test_points_change_axes() -> None:
    assert to_world({"x": 1.0, "y": 2.0, "z": 3.0}) == (1.0, 3.0, 2.0)
    assert to_unity((1.0, 3.0, 2.0)) == {"x": 1.0, "y": 2.0, "z": 3.0}
    for wrong in ({}, {"x": 1.0, "y": float("nan"), "z": 0.0}, {"x": "a", "y": 0, "z": 0}, [1, 2], [1, 2, 1e9]):
        with pytest.raises(SceneError):
            to_world(wrong)


def test_outlines_come_from_triangles_of_any_size() -> None:
    small = [[(0.0, 0.0), (2.0, 0.0), (2.0, 3.0)], [(0.0, 0.0), (2.0, 3.0), (0.0, 3.0)]]
    beside = [[(2.0, 0.0), (4.0, 2.0), (4.0, 0.0)], [(2.0, 0.0), (2.0, 2.0), (4.0, 2.0)]]
    loop = outline(largest_loop([*small, *beside]))
    assert {tuple(corner) for corner in loop.tolist()} == {tuple(corner) for corner in L.tolist()}
    assert polygon_area(loop) == pytest.approx(10.0)
    assert sum(polygon_area(t) for t in triangulated(L)) == pytest.approx(10.0)
    assert polygon_area(outline(reversed(L.tolist()))) == pytest.approx(10.0)  # type: ignore[arg-type]
    with pytest.raises(SceneError, match="no area"):
        outline([(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])


def test_rooms_without_floors_lie_round_where_one_can_stand() -> None:
    standing = np.array([(x, y, 1.576) for x in (0.0, 0.25, 3.0) for y in (-1.0, 2.0)])
    (room,) = room_of_positions("FloorPlan312_physics", standing, 2.6)
    assert room.room_type == "bedroom"
    assert room.polygon.tolist() == [[-0.25, -1.25], [3.25, -1.25], [3.25, 2.25], [-0.25, 2.25]]
    bounds = {"center": euler(0, 1.25, 0), "size": euler(9, 2.7, 9)}
    assert height_of({"sceneBounds": bounds}) == pytest.approx(2.6)
    assert height_of({}) == 2.5


def seen_walls(offset: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Points of walls that stand so far inside L's edges."""
    rng = np.random.default_rng(0)
    points = []
    for face in faces_of([ROOM]):
        along = rng.uniform(0.2, face.length - 0.2, 400)
        nx, ny = face.normal
        x = face.start[0] + along * ny + offset * nx
        y = face.start[1] - along * nx + offset * ny
        points.append(np.column_stack([x, y, rng.uniform(0.0, 2.5, 400)]))
    return np.concatenate(points)


def test_walls_are_where_they_are_seen() -> None:
    inner = on_faces(ROOM, seen_walls(0.06)).polygon
    expected = [[0.06, 0.06], [3.94, 0.06], [3.94, 1.94], [1.94, 1.94], [1.94, 2.94], [0.06, 2.94]]
    assert inner == pytest.approx(np.array(expected), abs=0.002)
    assert np.array_equal(on_faces(ROOM, np.empty((0, 3))).polygon, L)


def building() -> Building:
    faces = faces_of([ROOM])
    return Building((ROOM,), (1,), (2,), tuple((face, 3 + k) for k, face in enumerate(faces)))


def test_what_nothing_claims_belongs_to_the_nearest_surface() -> None:
    points = np.array([(1.0, 1.0, 0.01), (1.0, 1.0, 2.49), (1.0, 0.02, 1.0), (3.0, 2.01, 1.0), (3.98, 1.0, 1.2)])
    assert building().nearest(points).tolist() == [1, 2, 3, 5, 4]


def test_a_listed_wall_stands_behind_its_face() -> None:
    face = Face(0, (0.0, 0.0), (4.0, 0.0))
    assert face.carries(np.array([0.0, -0.1, 0.0]), np.array([4.0, 0.0, 2.5]))
    assert not face.carries(np.array([0.0, 0.9, 0.0]), np.array([4.0, 1.0, 2.5]))
    assert not face.carries(np.array([3.9, -0.1, 0.0]), np.array([8.0, 0.0, 2.5]))
    assert face.slab(2.5)[:, 1].max() == 0.0
    assert len(slab_of(L, -0.1, 0.0)) == 4


def event(camera: Camera, **changed: Any) -> Any:
    """A frame of a floor alone, half of it a mug, with a corner that nothing is in."""
    rows, columns = np.mgrid[: camera.height, : camera.width]
    pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(float)
    ahead = camera.unproject(pixels, np.ones(len(pixels))) - camera.eye
    depth = np.where(ahead[:, 2] < -1e-3, camera.eye[2] / -ahead[:, 2], 20.0).reshape(camera.height, camera.width)
    colours = np.zeros((camera.height, camera.width, 3), np.uint8)
    colours[:, : camera.width // 2] = (126, 16, 134)
    depth[:4, :4] = 20.0
    found = {
        "frame": np.full((camera.height, camera.width, 3), 9, np.uint8),
        "depth_frame": np.minimum(depth, 20.0).astype(np.float32),
        "instance_segmentation_frame": colours,
        "metadata": {"colors": [{"color": [126, 16, 134], "name": "Mug|-00.67|+00.77|-00.84"}]},
    }
    for value in found.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return SimpleNamespace(**{**found, **changed})


DOWN = Camera.standing((1.0, 1.0, 1.5), 0.4, 1.0, width=80, height=60)
NAMES = {"Mug|-00.67|+00.77|-00.84": 9}


def test_pictures_are_numbered_by_colours_and_by_place() -> None:
    frame = read_frame(event(DOWN), DOWN, NAMES, building(), 1.0, 20.0)
    assert frame.ids is not None
    assert frame.depth is not None
    assert frame.rgb is not None
    assert ((frame.ids > 0) == (frame.depth > 0)).all()
    assert (frame.ids[:4, :4] == 0).all()
    assert (frame.ids[10:, :40] == 9).all()
    assert (frame.ids[30:, 40:] == 1).all()
    assert frame.rgb.flags.writeable
    assert (frame.ids.dtype, frame.depth.dtype) == (np.uint16, np.float32)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"frame": None}, "no picture"),
        ({"depth_frame": np.ones((30, 80), np.float32)}, "80x30 pixels, expected 80x60"),
        ({"depth_frame": np.full((60, 80), np.nan, np.float32)}, "no distance"),
        ({"depth_frame": np.full((60, 80), -1.0, np.float32)}, "no distance"),
        ({"metadata": {}}, "no 'colors'"),
        ({"metadata": {"colors": [{"name": "Mug|-00.67|+00.77|-00.84", "color": [1, 2, 300]}]}}, "the colour"),
    ],
)
def test_frames_that_are_none_are_told(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(SceneError, match=re.escape(said)):
        read_frame(event(DOWN, **changed), DOWN, NAMES, building(), 1.0, 20.0)


@pytest.mark.parametrize(("factor", "scale"), [(1.0, 1.0), (19.9 / 20.0, 20.0 / 19.9), (20.0 / 19.9, 19.9 / 20.0)])
def test_the_floor_tells_what_a_unit_of_depth_is(factor: float, scale: float) -> None:
    ratio = floor_ratio(event(DOWN).depth_frame * np.float32(factor), DOWN)
    assert ratio == pytest.approx(factor, rel=1e-4)
    assert depth_scale(ratio, 0.1, 20.0) == pytest.approx(scale)


def test_depth_in_other_units_is_told() -> None:
    for wrong in (1000.0, 0.05, 0.98):
        with pytest.raises(SceneError, match="times what it must be"):
            depth_scale(wrong, 0.1, 20.0)
    assert floor_ratio(event(DOWN).depth_frame, Camera.standing((0, 0, 1.5), 0.0, -0.6, width=80, height=60)) is None


BOX: dict[str, Any] = {
    "position": {"x": 1.0, "y": 0.5, "z": 2.0},
    "rotation": {"x": 0.0, "y": 30.0, "z": 0.0},
    "axisAlignedBoundingBox": {"center": {"x": 1.0, "y": 0.5, "z": 2.0}, "size": {"x": 2.0, "y": 1.0, "z": 2.0}},
}


def test_parts_are_hulls_or_boxes_in_the_objects_frame() -> None:
    pose = pose_of(BOX)
    mesh = np.array([(0.5, 1.5, 0.0), (1.5, 1.5, 0.0), (1.0, 2.5, 0.0), (1.0, 2.0, 1.0)])
    (part,) = parts_of(BOX, [mesh], pose)
    assert transform(pose.matrix, part) == pytest.approx(mesh, abs=2e-5)
    stray = mesh + np.array([5.0, 0.0, 0.0])
    for meshes in ([], [stray], [mesh[:2]]):
        (box,) = parts_of(BOX, meshes, pose)
        low, high = (f(transform(pose.matrix, box), axis=0) for f in (np.min, np.max))
        assert (low.tolist(), high.tolist()) == (
            pytest.approx([0.0, 1.0, 0.0], abs=1e-4),
            pytest.approx([2.0, 3.0, 1.0], abs=1e-4),
        )


def test_many_vertices_are_thinned_to_nearly_the_same_hull() -> None:
    rng = np.random.default_rng(1)
    ball = rng.standard_normal((5000, 3))
    ball /= np.sqrt((ball * ball).sum(axis=1))[:, None]
    few = extreme(ball)
    assert len(few) <= MOST_VERTICES
    apart = ConvexParts.of([few]).distance(ConvexParts.of([ball[:1] * 1.5]))
    assert 0.5 <= apart + 1e-9 < 0.62


def test_names_last_when_ids_are_given_anew() -> None:
    entries = [
        {"name": "Mug_1", "objectId": "Mug|1|2|3", "objectType": "Mug", "pickupable": True},
        {"name": "Wall", "objectId": "wall|2", "objectType": "Wall"},
        {"name": "Wall", "objectId": "wall|3", "objectType": "Wall"},
    ]
    assert keyed(entries).keys() == {"Mug_1", "wall|2", "wall|3"}
    assert [called(entry) for entry in entries] == ["Mug|1|2|3", "Wall|wall|2", "Wall|wall|3"]
    with pytest.raises(SceneError, match="called 'Mug_1'"):
        keyed([*entries, {**entries[0], "objectId": "Mug|9"}])
    labels = [label_of(kind) for kind in ("DiningTable", "TVStand", "CD", "HousePlant", "Mug")]
    assert labels == ["dining table", "TV stand", "CD", "house plant", "mug"]


def cube(name: str, *, receptacle: bool = False) -> SceneObject:
    corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)])
    box = OrientedBox.around(corners)
    return SceneObject(1, name, name, name, None, True, True, receptacle, False, (corners,), box)


@pytest.mark.parametrize(
    ("height", "parents", "carrier"),
    [
        (1.0, (), "Table"),
        (1.0, ("Shelf", "Table"), "Table"),  # the nearer of what the metadata names
        (1.3, ("Table",), "Table"),
        (1.3, (), None),
        (1.005, (), "Table"),
    ],
)
def test_what_carries_an_object(height: float, parents: tuple[str, ...], carrier: str | None) -> None:
    footing = Footing([cube("Mug"), cube("Table"), cube("Shelf")])
    poses = {"Mug": Pose((0.2, 0.1, height)), "Table": Pose((0.0, 0.0, 0.0)), "Shelf": Pose((5.0, 0.0, 0.0))}
    assert footing.carrier("Mug", poses, parents) == carrier


@pytest.mark.parametrize("objects", [None, [], [{"objectId": "Mug|1", "name": ""}], [{"name": "Mug"}]])
def test_metadata_without_objects_are_told(objects: object) -> None:
    with pytest.raises(SceneError):
        entries_of({"objects": objects})


def test_pools_do_not_share_rooms() -> None:
    train, test, whole = rooms_of_pool("homes_train", False), rooms_of_pool("homes_test", False), "homes_test"
    assert (len(train), len(test), len(rooms_of_pool(whole, True))) == (80, 40, 120)
    assert not set(train) & set(test)
    assert train[:4] == ["FloorPlan1", "FloorPlan201", "FloorPlan301", "FloorPlan401"]
    assert choose("homes_test", 5, None).request == "FloorPlan222"
    with pytest.raises(UsageError, match="at most 40 --scenes"):
        choose("homes_test", 40, None)
    with pytest.raises(UsageError, match="did you mean 'homes_train'"):
        choose("homes_trian", 0, None)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("FLOWBENCH_THOR_EXECUTABLE", "/nothing/here", "no executable file"),
        ("FLOWBENCH_THOR_EXECUTABLE", "/", "no executable file"),
        ("FLOWBENCH_THOR_PORT", "many", "from 1 to 65535"),
        ("FLOWBENCH_THOR_PORT", "0", "from 1 to 65535"),
        ("FLOWBENCH_THOR_PLATFORM", "Atari", "CloudRendering, Linux64"),
        ("FLOWBENCH_THOR_STEP_SECONDS", "nan", "expected a number"),
    ],
)
def test_settings_that_mean_nothing_are_told(name: str, value: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Settings.of({name: value})
    assert Settings.of({name: ""}) == Settings(platform="CloudRendering")
    assert Settings.of({"DISPLAY": ":1"}).platform is None
    assert Pose((0.0, 0.0, 0.0)) == pose_of({"position": euler(0, 0, 0), "rotation": euler(0, 0, 0)})
