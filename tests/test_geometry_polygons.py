"""Floor polygons."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from flowbench.geometry import distance_to_edges, point_in_polygon, points_in_polygon, polygon_area

Float = NDArray[np.float64]
exact = settings(max_examples=150, deadline=None, derandomize=True, database=None)
L_SHAPE = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 3.0], [0.0, 3.0]])


@st.composite
def stars(draw: st.DrawFn) -> Float:
    """Star-shaped polygons around the origin, counter-clockwise, corners on rays at even angles."""
    radii = draw(st.lists(st.floats(0.2, 5.0), min_size=3, max_size=12))
    angles = 2.0 * np.pi * np.arange(len(radii)) / len(radii)
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1) * np.array(radii)[:, None]


def winding(point: Float, polygon: Float) -> float:
    """Turns that the polygon makes around a point: the sum of the angles its edges are seen under."""
    spokes = polygon - point
    nexts = np.roll(spokes, -1, axis=0)
    cross = spokes[:, 0] * nexts[:, 1] - spokes[:, 1] * nexts[:, 0]
    return float(np.arctan2(cross, (spokes * nexts).sum(axis=1)).sum() / (2.0 * np.pi))


@exact
@given(stars(), st.integers(0, 2**32 - 1))
def test_inside_is_what_the_polygon_winds_around(polygon: Float, seed: int) -> None:
    points = np.random.default_rng(seed).uniform(-5.0, 5.0, (40, 2))
    expected = np.array([abs(winding(point, polygon)) > 0.5 for point in points])
    clear = distance_to_edges(points, polygon) > 1e-6
    np.testing.assert_array_equal(points_in_polygon(points, polygon)[clear], expected[clear])
    np.testing.assert_array_equal(points_in_polygon(points, polygon[::-1])[clear], expected[clear])


@exact
@given(stars(), st.floats(0.0, 1.0))
def test_the_boundary_belongs_to_the_polygon(polygon: Float, share: float) -> None:
    along = polygon + share * (np.roll(polygon, -1, axis=0) - polygon)
    np.testing.assert_allclose(distance_to_edges(along, polygon), 0.0, atol=1e-12)
    assert points_in_polygon(along, polygon).all()


@exact
@given(stars(), st.integers(0, 2**32 - 1))
def test_distance_to_edges_is_that_to_points_sampled_on_them(polygon: Float, seed: int) -> None:
    point = np.random.default_rng(seed).uniform(-6.0, 6.0, 2)
    shares = np.linspace(0.0, 1.0, 2001)[:, None, None]
    samples = polygon + shares * (np.roll(polygon, -1, axis=0) - polygon)
    offsets = samples - point
    expected = math.sqrt(float((offsets * offsets).sum(axis=-1).min()))
    found = float(distance_to_edges(point, polygon))
    assert found <= expected + 1e-12
    assert expected - found < 0.005  # edges are up to 10 m long, sampled every 5 mm


@exact
@given(stars(), st.floats(-20.0, 20.0), st.floats(-20.0, 20.0))
def test_area_keeps_its_size_and_turns_its_sign(polygon: Float, x: float, y: float) -> None:
    area = polygon_area(polygon)
    nexts = np.roll(polygon, -1, axis=0)
    triangles = 0.5 * (polygon[:, 0] * nexts[:, 1] - polygon[:, 1] * nexts[:, 0])
    assert area == pytest.approx(float(triangles.sum()))
    assert area > 0.0
    assert polygon_area(polygon[::-1]) == pytest.approx(-area)
    assert polygon_area(polygon + np.array([x, y])) == pytest.approx(area)


def test_an_l_shaped_room() -> None:
    assert polygon_area(L_SHAPE) == 10.0
    assert point_in_polygon((1.0, 2.9), L_SHAPE)
    assert not point_in_polygon((3.0, 2.5), L_SHAPE)
    assert point_in_polygon((2.0, 2.0), L_SHAPE)
    assert not point_in_polygon((2.001, 2.001), L_SHAPE)
    assert not point_in_polygon((-1.0, 2.0), L_SHAPE)  # its ray runs along an edge
    points = np.array([[1.0, 1.0], [3.0, 2.5], [5.0, 3.0]])
    np.testing.assert_allclose(distance_to_edges(points, L_SHAPE), [1.0, 0.5, math.sqrt(2.0)])
    assert points_in_polygon(points.reshape(1, 3, 2), L_SHAPE).tolist() == [[True, False, False]]


def test_repeated_corners_change_nothing() -> None:
    doubled = np.repeat(L_SHAPE, 2, axis=0)
    points = np.random.default_rng(0).uniform(-1.0, 5.0, (200, 2))
    assert polygon_area(doubled) == 10.0
    np.testing.assert_array_equal(distance_to_edges(points, doubled), distance_to_edges(points, L_SHAPE))
    np.testing.assert_array_equal(points_in_polygon(points, doubled), points_in_polygon(points, L_SHAPE))
