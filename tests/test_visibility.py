"""Depth and instance ids against exact arithmetic."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.shots import AHEAD, SIZE, checks, eye, mesh_of, ray_box, rays, room, square

from flowbench.geometry import Camera, Pose, compose, transform
from flowbench.rendering import Instance, Lighting, Renderer
from flowbench.rendering.placing import translation
from flowbench.rendering.rasterizing import NEAR
from flowbench.rendering.shapes import box

coordinate = st.floats(-2.0, 2.0)
angle = st.floats(-3.1, 3.1)


def ids_and_depth(instances: list[Instance], camera: Camera) -> tuple[NDArray[np.uint16], NDArray[np.float32]]:
    renderer = Renderer(checks())
    renderer.load(instances, Lighting())
    frame = renderer.render(camera, depth=True, ids=True)
    assert frame.rgb is None
    assert frame.ids is not None
    assert frame.depth is not None
    return frame.ids, frame.depth


def test_one_triangle_at_a_known_depth() -> None:
    mesh = mesh_of([[-1.0, 2.0, -1.0], [1.01, 2.0, -1.0], [-1.0, 2.0, 1.01]], [[0, 1, 2]])
    ids, depth = ids_and_depth([Instance(7, mesh)], AHEAD)
    v, u = np.indices(ids.shape).astype(np.float64)
    x, z = (u - 79.5) / 80.0 * 2.0, -(v - 59.5) / 80.0 * 2.0
    inside = (x >= -1.0) & (z >= -1.0) & (x + z <= 0.01)
    assert (ids == np.where(inside, 7, 0)).all()
    assert (depth[inside] == 2.0).all()
    assert (depth[~inside] == 0.0).all()


def test_a_face_is_not_seen_from_behind() -> None:
    mesh = square(2.0)
    turned = dataclasses.replace(mesh, faces=np.ascontiguousarray(mesh.faces[:, ::-1]))
    assert not ids_and_depth([Instance(1, turned)], AHEAD)[0].any()


@settings(max_examples=60, deadline=None)
@given(
    where=st.tuples(coordinate, coordinate, coordinate),
    half=st.tuples(*[st.floats(0.05, 0.8)] * 3),
    eye_at=st.tuples(*[st.floats(-3.0, 3.0)] * 3),
    yaw=angle,
    pitch=st.floats(-0.9, 0.9),
    turn=angle,
    size=st.sampled_from([(160, 120), (64, 48), (101, 75)]),
)
def test_a_box_agrees_with_ray_casting(where, half, eye_at, yaw, pitch, turn, size) -> None:  # type: ignore[no-untyped-def]
    camera = Camera.standing(eye_at, yaw, pitch, width=size[0], height=size[1])
    tilted = compose(Pose.upright(*where, turn).matrix, Pose((0.0, 0.0, 0.0), (0.6, 0.0, 0.0, 0.8)).matrix)
    extents = np.array(half)
    assume(math.dist(eye_at, where) > float(np.sqrt((extents * extents).sum())) + 0.1)
    ids, depth = ids_and_depth([Instance(9, box(tuple(2.0 * extents)), tilted)], camera)
    exact = ray_box(camera, tilted, extents)
    larger, smaller = (np.isfinite(ray_box(camera, tilted, extents * k)) for k in (1.0 + 1e-6, 1.0 - 1e-6))
    sure = larger == smaller
    assert (ids[sure] == np.where(np.isfinite(exact), 9, 0)[sure]).all()
    hit = sure & (ids > 0)
    assert (np.abs(depth[hit] - exact[hit]) <= 2e-7 * exact[hit]).all()
    assert ((depth > 0.0) == (ids > 0)).all()


@settings(max_examples=40, deadline=None)
@given(yaw=angle, pitch=st.floats(0.0, 1.5), height=st.floats(0.03, 3.0))
def test_a_floor_that_reaches_behind_the_camera(yaw: float, pitch: float, height: float) -> None:
    floor = box((40.0, 40.0, 1.0), (0.0, 0.0, -0.5))
    camera = Camera.standing((0.3, -0.2, height), yaw, pitch, **SIZE)
    ids, depth = ids_and_depth([Instance(4, floor)], camera)
    descent = rays(camera)[..., 2]
    exact = np.where(descent < 0.0, -camera.eye[2] / np.minimum(descent, -1e-9), np.inf)
    points = camera.eye + rays(camera) * np.where(np.isfinite(exact), exact, 0.0)[..., None]
    reached = (descent < 0.0) & (np.abs(points[..., :2]) < 20.0 - 1e-6).all(axis=-1) & (exact > NEAR * (1.0 + 1e-9))
    assert (ids[reached] == 4).all()
    # the pose is rounded to 1e-9, which near the horizon moves the point where a ray meets the floor
    tolerance = 2e-7 + 4e-9 / -descent[reached]
    assert (np.abs(depth[reached] - exact[reached]) <= tolerance * exact[reached]).all()
    assert not ids[(descent >= 0.0) | (exact < NEAR * (1.0 - 1e-9))].any()


def test_nothing_behind_the_camera_is_drawn() -> None:
    behind = [Instance(1, box((1.0, 1.0, 1.0)), translation(0.0, -2.0, 0.0)), Instance(2, square(-3.0))]
    ids, depth = ids_and_depth(behind, AHEAD)
    assert not ids.any()
    assert not depth.any()


def test_what_is_nearer_than_the_near_plane_is_not_drawn() -> None:
    assert not ids_and_depth([Instance(1, square(0.99 * NEAR))], AHEAD)[0].any()
    assert ids_and_depth([Instance(1, square(1.01 * NEAR))], AHEAD)[0].all()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_nearest_hides_the_rest_whatever_the_order(order: tuple[int, ...]) -> None:
    squares = [Instance(11, square(1.0, 0.3)), Instance(12, square(2.0, 1.2)), Instance(13, square(4.0, 9.0))]
    ids, depth = ids_and_depth([squares[k] for k in order], AHEAD)
    v, u = np.indices(ids.shape).astype(np.float64)
    reach = np.maximum(np.abs(u - 79.5), np.abs(v - 59.5)) / 80.0
    expected = np.where(reach <= 0.3, 11, np.where(reach <= 0.6, 12, 13))
    assert (ids == expected).all()
    assert (depth == np.select([expected == 11, expected == 12], [1.0, 2.0], 4.0)).all()


@pytest.mark.parametrize("order", [(5, 6), (6, 5)])
def test_equal_depth_goes_to_the_instance_that_comes_first(order: tuple[int, int]) -> None:
    ids, _ = ids_and_depth([Instance(k, square(2.0, 3.0)) for k in order], AHEAD)
    assert (ids == order[0]).all()


@settings(max_examples=30, deadline=None)
@given(data=st.data(), yaw=st.floats(-0.3, 0.3), pitch=st.floats(-0.3, 0.3))
def test_faces_that_share_edges_leave_no_crack(data: st.DataObject, yaw: float, pitch: float) -> None:
    rng = np.random.Generator(np.random.PCG64(data.draw(st.integers(0, 2**32 - 1))))
    count = 14
    regular = data.draw(st.booleans())
    grid = np.linspace(-12.0, 12.0, count)
    x, z = np.meshgrid(grid, grid, indexing="ij")
    y = np.full_like(x, 2.0)
    if not regular:
        x, z = x + rng.uniform(-0.5, 0.5, x.shape), z + rng.uniform(-0.5, 0.5, z.shape)
    faces = []
    for i in range(count - 1):
        for j in range(count - 1):
            a, b, c, d = i * count + j, (i + 1) * count + j, (i + 1) * count + j + 1, i * count + j + 1
            faces += [[a, b, c], [a, c, d]] if rng.random() < 0.5 else [[a, b, d], [b, c, d]]
    mesh = mesh_of(np.stack([x, y, z], axis=-1).reshape(-1, 3).tolist(), faces)
    straight = data.draw(st.booleans())
    turns = (0.0, 0.0) if straight else (yaw, pitch)
    camera = Camera.standing((0.0, 0.0, 0.0), math.pi / 2 + turns[0], turns[1], **SIZE)
    assert (ids_and_depth([Instance(1, mesh)], camera)[0] == 1).all()


def test_ids_use_all_sixteen_bits() -> None:
    ids, _ = ids_and_depth(room()[0], eye())
    assert {1, 2, 3, 300, 301, 65535} <= set(np.unique(ids).tolist())


def test_transform_of_a_placed_point_is_where_the_picture_shows_it() -> None:
    """A small box shows at the pixel where the camera projects its centre."""
    pose = Pose.upright(2.0, 0.7, 0.4, 1.1).matrix
    camera = Camera.standing((0.0, 0.0, 1.2), 0.2, 0.3, **SIZE)
    ids, _ = ids_and_depth([Instance(1, box((0.1, 0.1, 0.1)), pose)], camera)
    v, u = np.nonzero(ids)
    (expected_u, expected_v), _ = camera.project(transform(pose, np.zeros(3)))
    assert u.mean() == pytest.approx(expected_u, abs=0.5)
    assert v.mean() == pytest.approx(expected_v, abs=0.5)
