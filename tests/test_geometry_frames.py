"""Poses, transforms and exact trigonometry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from flowbench.geometry import (
    Pose,
    atan2,
    compose,
    cos,
    invert,
    quaternion_of,
    rotate,
    rotation_angle,
    sin,
    sin_cos,
    transform,
)

Float = NDArray[np.float64]
exact = settings(max_examples=200, deadline=None, derandomize=True, database=None)
lengths = st.floats(-20.0, 20.0)
turns = st.floats(-10.0, 10.0)
angles = st.one_of(st.floats(-999_999.0, 999_999.0), turns, st.floats(-1e-6, 1e-6))


@st.composite
def poses(draw: st.DrawFn) -> Pose:
    q = [draw(st.floats(-1.0, 1.0)) for _ in range(4)]
    norm = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    assume(norm > 0.1)
    return Pose((draw(lengths), draw(lengths), draw(lengths)), (q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm))


@st.composite
def points(draw: st.DrawFn) -> Float:
    return np.array([[draw(lengths), draw(lengths), draw(lengths)] for _ in range(3)])


@exact
@given(poses(), poses(), points())
def test_composing_is_transforming_twice(a: Pose, b: Pose, some: Float) -> None:
    np.testing.assert_allclose(
        transform(compose(a.matrix, b.matrix), some), transform(a.matrix, transform(b.matrix, some)), atol=1e-12
    )
    np.testing.assert_allclose(compose(a.matrix, b.matrix), a.matrix @ b.matrix, atol=1e-13)


@exact
@given(poses(), points())
def test_inverting_goes_back(pose: Pose, some: Float) -> None:
    np.testing.assert_allclose(transform(invert(pose.matrix), transform(pose.matrix, some)), some, atol=1e-12)
    np.testing.assert_allclose(compose(pose.matrix, invert(pose.matrix)), np.eye(4), atol=1e-13)
    np.testing.assert_allclose(invert(invert(pose.matrix)), pose.matrix, atol=1e-13)


@exact
@given(poses(), points())
def test_rotating_keeps_lengths_and_handedness(pose: Pose, some: Float) -> None:
    turned = rotate(pose.matrix, some)
    np.testing.assert_allclose((turned * turned).sum(axis=1), (some * some).sum(axis=1), rtol=1e-13, atol=1e-13)
    assert np.linalg.det(pose.matrix[:3, :3]) == pytest.approx(1.0, abs=1e-13)


@pytest.mark.parametrize("shape", [(3,), (5, 3), (2, 4, 3), (0, 3)])
def test_any_leading_shape_is_transformed(shape: tuple[int, ...]) -> None:
    some = np.arange(math.prod(shape), dtype=np.float64).reshape(shape)
    moved = transform(Pose((1.0, 2.0, 3.0)).matrix, some)
    assert moved.shape == shape
    np.testing.assert_array_equal(moved, some + np.array([1.0, 2.0, 3.0]))


@exact
@given(lengths, lengths, lengths, turns, points())
def test_upright_turns_about_the_vertical(x: float, y: float, z: float, yaw: float, some: Float) -> None:
    moved = transform(Pose.upright(x, y, z, yaw).matrix, some)
    c, s = math.cos(yaw), math.sin(yaw)
    expected = np.stack([c * some[:, 0] - s * some[:, 1] + x, s * some[:, 0] + c * some[:, 1] + y, some[:, 2] + z], -1)
    np.testing.assert_allclose(moved, expected, atol=2e-5)  # positions are rounded to 1e-5, quaternions to 1e-7


def test_upright_by_a_quarter_turns_x_to_y() -> None:
    pose = Pose.upright(0.0, 0.0, 0.0, math.pi / 2)
    np.testing.assert_allclose(transform(pose.matrix, np.array([1.0, 0.0, 0.0])), [0.0, 1.0, 0.0], atol=1e-15)


@exact
@given(poses())
def test_a_pose_is_rounded_once_and_for_all(pose: Pose) -> None:
    again = Pose(pose.position, pose.quaternion)
    assert again == pose
    assert hash(again) == hash(pose)
    assert all(math.copysign(1.0, v) == 1.0 for v in (*pose.position, *pose.quaternion) if v == 0.0)


def test_poses_hold_what_is_published() -> None:
    pose = Pose((1.000004, -0.000001, 2.5), (0.0, 0.0, 0.12345678, 0.9923500))
    assert pose.position == (1.0, 0.0, 2.5)
    assert pose.quaternion == (0.0, 0.0, 0.1234568, 0.99235)
    assert pose.moved(0.1, -0.2, 0.3).position == (1.1, -0.2, 2.8)
    assert pose.moved(0.1, -0.2).quaternion == pose.quaternion


@pytest.mark.parametrize(
    ("position", "quaternion"),
    [
        ((0.0, math.nan, 0.0), (0.0, 0.0, 0.0, 1.0)),
        ((0.0, 0.0, math.inf), (0.0, 0.0, 0.0, 1.0)),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 1.0)),
        ((0.0, 0.0, 0.0), (0.0, 0.0, math.nan, 1.0)),
    ],
)
def test_impossible_poses_are_refused(
    position: tuple[float, float, float], quaternion: tuple[float, float, float, float]
) -> None:
    with pytest.raises(ValueError, match="expected finite numbers, norm 1"):
        Pose(position, quaternion)


@exact
@given(poses(), poses(), points())
def test_relative_carries_points_from_before_to_after(before: Pose, after: Pose, local: Float) -> None:
    carried = transform(before.relative(after), transform(before.matrix, local))
    np.testing.assert_allclose(carried, transform(after.matrix, local), atol=1e-11)


@exact
@given(poses(), lengths, lengths)
def test_a_translation_is_relative_without_rounding(pose: Pose, dx: float, dy: float) -> None:
    np.testing.assert_array_equal(pose.relative(pose), np.eye(4))
    after = pose.moved(dx, dy)
    relative = pose.relative(after)
    np.testing.assert_array_equal(relative[:3, :3], np.eye(3))
    np.testing.assert_array_equal(relative[:3, 3], np.array(after.position) - np.array(pose.position))


@exact
@given(poses())
def test_quaternion_of_goes_back(pose: Pose) -> None:
    x, y, z, w = quaternion_of(pose.matrix)
    assert w >= 0.0
    given_q = np.array(pose.quaternion)
    difference = min(np.abs(np.array([x, y, z, w]) - given_q).max(), np.abs(np.array([x, y, z, w]) + given_q).max())
    assert difference < 2e-7


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_quaternion_of_half_turns(axis: int) -> None:
    matrix = -np.eye(4)
    matrix[axis, axis] = matrix[3, 3] = 1.0
    assert quaternion_of(matrix) == tuple(1.0 if i == axis else 0.0 for i in range(4))


@exact
@given(turns, turns)
def test_rotation_angle_is_the_least_turn(a: float, b: float) -> None:
    expected = abs((a - b + math.pi) % (2.0 * math.pi) - math.pi)
    found = rotation_angle(Pose.upright(1.0, 2.0, 3.0, a).matrix, Pose.upright(0.0, 0.0, 0.0, b).matrix)
    assert found == pytest.approx(expected, abs=1e-6)


@exact
@given(poses(), poses())
def test_rotation_angle_is_that_of_the_relative_quaternion(a: Pose, b: Pose) -> None:
    w = quaternion_of(compose(invert(a.matrix), b.matrix))[3]
    assert rotation_angle(a.matrix, b.matrix) == pytest.approx(2.0 * math.acos(min(w, 1.0)), abs=1e-6)
    assert rotation_angle(a.matrix, a.matrix) == 0.0


@settings(exact, max_examples=2000)
@given(angles)
def test_sine_and_cosine_agree_with_the_c_library(angle: float) -> None:
    s, c = sin_cos(angle)
    assert abs(s - math.sin(angle)) <= 3e-16
    assert abs(c - math.cos(angle)) <= 3e-16
    assert abs(s * s + c * c - 1.0) <= 5e-16
    assert (sin(angle), cos(angle)) == (s, c)
    assert sin_cos(-angle) == (-s, c)


def test_sine_and_cosine_at_quadrants() -> None:
    assert sin_cos(0.0) == (0.0, 1.0)
    for quarter, (s, c) in enumerate([(0, 1), (1, 0), (0, -1), (-1, 0), (0, 1)]):
        assert sin_cos(quarter * math.pi / 2) == pytest.approx((s, c), abs=3e-16)


@pytest.mark.parametrize("angle", [1e6, -1e9, math.inf, math.nan])
def test_angles_beyond_reason_are_refused(angle: float) -> None:
    with pytest.raises(ValueError, match="is it in radians"):
        sin_cos(angle)


@settings(exact, max_examples=2000)
@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_arc_tangent_agrees_with_the_c_library(y: float, x: float) -> None:
    y, x = y + 0.0, x + 0.0  # zeros without a sign
    assert abs(atan2(y, x) - math.atan2(y, x)) <= 9e-16


@exact
@given(st.floats(-3.14, 3.14))
def test_arc_tangent_undoes_sine_and_cosine(angle: float) -> None:
    assert atan2(*sin_cos(angle)) == pytest.approx(angle, abs=1e-15)


def test_arc_tangent_along_the_axes() -> None:
    directions = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 0.0)]
    assert [atan2(y, x) for y, x in directions] == [0.0, math.pi / 2, math.pi, -math.pi / 2, 0.0]
    with pytest.raises(ValueError, match="expected finite components"):
        atan2(math.nan, 1.0)
