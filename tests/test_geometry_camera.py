"""The pinhole camera against schema.md's conventions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowbench.geometry import Camera, Pose

exact = settings(max_examples=200, deadline=None, derandomize=True, database=None)


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    position = (draw(st.floats(-10, 10)), draw(st.floats(-10, 10)), draw(st.floats(0.5, 2.5)))
    width, height = draw(st.sampled_from([(800, 600), (160, 120), (640, 480), (33, 77)]))
    return Camera.standing(position, draw(st.floats(-7, 7)), draw(st.floats(-1.5, 1.5)), width=width, height=height)


@exact
@given(cameras(), st.floats(-50, 900), st.floats(-50, 900), st.floats(0.05, 40.0))
def test_unprojecting_undoes_projecting(camera: Camera, u: float, v: float, depth: float) -> None:
    world = camera.unproject(np.array([u, v]), np.array(depth))
    pixel, found = camera.project(world)
    # The published pose is rounded to 1e-9; 17 m from the origin and 5 cm from the eye that is 2e-4 px.
    np.testing.assert_allclose(pixel, [u, v], atol=4e-4)
    assert found == pytest.approx(depth, abs=1e-6)


@exact
@given(cameras())
def test_the_view_is_exactly_90_degrees_wide(camera: Camera) -> None:
    middle = camera.centre[1]
    edges = np.array([[-0.5, middle], [camera.width - 0.5, middle]])
    rays = camera.unproject(edges, np.ones(2)) - camera.eye
    assert float(rays[0] @ rays[1]) == pytest.approx(0.0, abs=1e-8)
    assert float(rays[0] @ rays[0]) == pytest.approx(2.0, abs=1e-8)


def test_intrinsics_of_the_specified_camera() -> None:
    camera = Camera.standing((0.0, 0.0, 1.6), 0.0)
    np.testing.assert_array_equal(camera.intrinsics, [[400.0, 0.0, 399.5], [0.0, 400.0, 299.5], [0.0, 0.0, 1.0]])
    vertical = 2.0 * math.degrees(math.atan(camera.height / 2.0 / camera.focal))
    assert vertical == pytest.approx(73.74, abs=0.005)


@exact
@given(cameras())
def test_floor_axes_are_orthonormal_and_level(camera: Camera) -> None:
    right, forward = camera.floor_axes
    assert right[0] * right[0] + right[1] * right[1] == pytest.approx(1.0, abs=1e-15)
    assert right[0] * forward[0] + right[1] * forward[1] == 0.0
    assert right[0] * forward[1] - right[1] * forward[0] == pytest.approx(1.0, abs=1e-15)  # forward is to the left
    ahead = camera.camera_from_world[2, :2] / math.cos(math.asin(float(camera.camera_from_world[2, 2])))
    np.testing.assert_allclose(forward, ahead, atol=1e-7)


@exact
@given(cameras(), st.floats(0.05, 0.5))
def test_moving_right_and_away_does_so_in_the_picture(camera: Camera, step: float) -> None:
    right, forward = camera.floor_axes
    start = camera.unproject(np.array(camera.centre), np.array(3.0))
    ways = np.array([[0.0, 0.0, 0.0], [*right, 0.0], [*forward, 0.0], [0.0, 0.0, 1.0]]) * step
    pixels, depth = camera.project(start + ways)
    assert pixels[1, 0] - pixels[0, 0] == pytest.approx(camera.focal * step / 3.0, abs=1e-4)
    assert abs(pixels[1, 1] - pixels[0, 1]) < 1e-4
    assert depth[2] > depth[0]
    assert pixels[3, 1] < pixels[0, 1]


def test_looking_along_x_from_eye_height() -> None:
    camera = Camera.standing((1.0, 2.0, 1.6), 0.0)
    np.testing.assert_array_equal(camera.camera_from_world[:3, :3], [[0, -1, 0], [0, 0, -1], [1, 0, 0]])
    np.testing.assert_allclose(camera.eye, [1.0, 2.0, 1.6], atol=1e-9)
    pixels, depth = camera.project(np.array([[5.0, 2.0, 1.6], [5.0, 1.0, 1.6], [5.0, 2.0, 0.6], [-3.0, 2.0, 1.6]]))
    np.testing.assert_allclose(pixels[:3], [[399.5, 299.5], [499.5, 299.5], [399.5, 399.5]])
    np.testing.assert_allclose(depth, [4.0, 4.0, 4.0, -4.0])


def test_looking_30_degrees_down_brings_the_floor_up() -> None:
    camera = Camera.standing((0.0, 0.0, 1.6), 0.0, math.radians(30.0))
    pixel, depth = camera.project(np.array([1.6 * math.sqrt(3.0), 0.0, 0.0]))
    np.testing.assert_allclose(pixel, camera.centre, atol=1e-5)
    assert depth == pytest.approx(3.2)


@exact
@given(cameras())
def test_the_pose_is_published_as_it_is_used(camera: Camera) -> None:
    np.testing.assert_array_equal(np.round(camera.camera_from_world, 9), camera.camera_from_world)
    assert not np.signbit(camera.camera_from_world[camera.camera_from_world == 0.0]).any()


def test_points_in_the_eye_do_not_divide_by_zero() -> None:
    camera = Camera.standing((0.0, 0.0, 0.0), 0.0)
    with np.errstate(all="raise"):
        pixels, depth = camera.project(np.zeros((2, 3)))
    assert np.isfinite(pixels).all()
    np.testing.assert_array_equal(depth, 0.0)


def test_what_is_no_camera_is_refused() -> None:
    pose = Pose((0.0, 0.0, 0.0)).matrix
    for width, height, focal in [(0, 600, 400.0), (800, -1, 400.0), (800, 600, 0.0), (800, 600, math.nan)]:
        with pytest.raises(ValueError, match="expected above 0"):
            Camera(width, height, focal, pose)
    with pytest.raises(ValueError, match="finite \\(4, 4\\) matrix"):
        Camera(800, 600, 400.0, pose[:3])
    with pytest.raises(ValueError, match="finite \\(4, 4\\) matrix"):
        Camera(800, 600, 400.0, pose * math.nan)
    on_its_side = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    with pytest.raises(ValueError, match="right is vertical"):
        _ = Camera(800, 600, 400.0, on_its_side).floor_axes
