"""The second way to measure a gap: proven bounds, the same numbers as the first way, known values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.hulls import KINDS, hulls, make_hull
from support.published import box

from flowbench.geometry import convex_distance, surface_distance
from flowbench.validation.recompute.distance import PROVEN, first_contact, hull_bounds, union_gap

Float = NDArray[np.float64]


def cube(x: float, y: float = 0.0, z: float = 0.0, half: float = 0.5) -> Float:
    return np.array(box((half, half, half), (x, y, z)))


@settings(max_examples=300, deadline=None)
@given(hulls(), hulls(), st.tuples(*[st.floats(-3.0, 3.0)] * 3))
def test_bounds_meet_and_agree_with_the_first_way(a: Float, b: Float, shift: tuple[float, float, float]) -> None:
    b = b + np.array(shift)
    bounds = hull_bounds(a, b)
    assert bounds.upper - bounds.lower <= PROVEN
    assert bounds.upper == pytest.approx(convex_distance(a, b), abs=1e-6)


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        (cube(3.0), 2.0),
        (cube(3.0, 3.0), math.hypot(2.0, 2.0)),
        (cube(3.0, 3.0, 3.0), math.sqrt(12.0)),
        (cube(1.0), 0.0),
        (cube(0.5, 0.2), 0.0),
        (cube(0.0, half=0.1), 0.0),
        (np.array([[0.0, 0.0, 2.0]]), 1.5),
        (np.array([[-9.0, 0.0, 2.0], [9.0, 0.0, 2.0]]), 1.5),
        (np.array([[2.0, -9.0, -9.0], [2.0, 9.0, -9.0], [2.0, 0.0, 9.0]]), 1.5),
    ],
)
def test_known_distances(b: Float, expected: float) -> None:
    assert union_gap([cube(0.0)], [b]) == pytest.approx(expected, abs=1e-9)
    assert union_gap([b], [cube(0.0)]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_union_is_the_least_over_all_pairs(seed: int) -> None:
    """Skipping pairs by their boxes loses nothing; the first way finds the same."""
    rng = np.random.default_rng(seed)
    a, b = (
        [make_hull(KINDS[int(rng.integers(len(KINDS)))], rng) + rng.uniform(-3.0, 3.0, 3) for _ in range(5)]
        for _ in range(2)
    )
    found = union_gap(a, b)
    assert found == pytest.approx(min(hull_bounds(p, q).upper for p in a for q in b), abs=1e-12)
    assert found == pytest.approx(surface_distance(a, b), abs=1e-6)


def test_union_without_parts_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one convex part"):
        union_gap([], [cube(0.0)])


@pytest.mark.parametrize(
    ("obstacle", "step", "expected"),
    [
        (cube(3.0), (4.0, 0.0, 0.0), 0.5),
        (cube(3.0), (-4.0, 0.0, 0.0), 1.0),
        (cube(3.0), (1.9, 0.0, 0.0), 1.0),
        (cube(3.0, 0.9), (4.0, 0.0, 0.0), 0.5),
        (cube(3.0, 1.1), (4.0, 0.0, 0.0), 1.0),
        (cube(3.0, 3.0), (4.0, 4.0, 0.0), 0.5),
        (cube(0.5), (4.0, 0.0, 0.0), 0.0),
        (np.array([[2.5, -9.0, 0.0], [4.5, 9.0, 0.0]]), (8.0, 0.0, 0.0), 3.0 / 8.0 - (0.5 / 9.0) / 8.0),
    ],
)
def test_known_contacts(obstacle: Float, step: tuple[float, float, float], expected: float) -> None:
    assert first_contact([cube(0.0)], [obstacle], np.array(step)) == pytest.approx(expected, abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(hulls(), hulls(), st.tuples(*[st.floats(-3.0, 3.0)] * 3), st.tuples(*[st.floats(-2.0, 2.0)] * 3))
def test_contact_is_where_the_gap_closes(
    a: Float, b: Float, shift: tuple[float, float, float], step: tuple[float, float, float]
) -> None:
    """All of the way up to it is free; a free way keeps a gap at its end."""
    b, way = b + np.array(shift), np.array(step)
    free = first_contact([a], [b], way)
    assert 0.0 <= free <= 1.0
    for part in (0.25, 0.5, 0.75, 0.99):
        assert free == 0.0 or convex_distance(a + part * free * way, b) > 0.0
    if free < 1.0:
        assert convex_distance(a + free * way, b) <= 1e-5


@pytest.mark.parametrize(("limit", "expected"), [(math.inf, 2.0), (3.0, 2.0), (2.0, 2.0), (0.5, 0.5)])
def test_a_gap_is_told_up_to_its_limit(limit: float, expected: float) -> None:
    assert union_gap([cube(0.0), cube(-5.0)], [cube(3.0)], limit) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("a", "b"), [([], [cube(0.0)]), ([cube(0.0)], [])])
def test_a_contact_needs_parts(a: list[Float], b: list[Float]) -> None:
    with pytest.raises(ValueError, match="at least one convex part"):
        first_contact(a, b, np.ones(3))
