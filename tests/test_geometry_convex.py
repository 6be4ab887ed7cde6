"""Distances between convex sets, each proved from both sides: by closest points and by a separating plane."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize, nnls
from support.hulls import KINDS, any_rotation, box_vertices, hulls, make_hull, offsets
from support.plain import plain_module

from flowbench.geometry import ConvexParts, OrientedBox, convex_distance, gjk, surface_distance, transform

Float = NDArray[np.float64]
ACCURACY = 1e-7
thorough = settings(max_examples=300, deadline=None, derandomize=True, database=None)
brief = settings(max_examples=60, deadline=None, derandomize=True, database=None)
seeds = st.integers(0, 2**32 - 1)


def norm(v: Float) -> float:
    return math.sqrt(float((v * v).sum()))


def outside_hull(point: Float, vertices: Float) -> float:
    """How far a point is from being a convex combination of vertices (non-negative least squares)."""
    system = np.vstack([(vertices - point).T, np.ones(len(vertices))])
    return float(nnls(system, np.array([0.0, 0.0, 0.0, 1.0]))[1])


def hulls_meet(a: Float, b: Float) -> bool:
    """Whether some convex combinations of both are the same point (non-negative least squares)."""
    one_each = np.zeros((2, len(a) + len(b)))
    one_each[0, : len(a)] = 1.0
    one_each[1, len(a) :] = 1.0
    system = np.vstack([np.hstack([a.T, -b.T]), one_each])
    return bool(nnls(system, np.array([0.0, 0.0, 0.0, 1.0, 1.0]))[1] < 1e-9)


@settings(thorough, max_examples=200)
@given(hulls(), hulls(), offsets())
def test_distance_is_proved_from_both_sides(a: Float, b: Float, offset: Float) -> None:
    b = b + offset
    distance = convex_distance(a, b)
    points = ConvexParts.of([a]).closest_points(ConvexParts.of([b]))
    if points is None:
        assert distance == 0.0
        assert hulls_meet(a, b)
        return
    p, q = points
    assert norm(p - q) == pytest.approx(distance, abs=1e-12)
    assert outside_hull(p, a) < 1e-9
    assert outside_hull(q, b) < 1e-9
    normal = (p - q) / norm(p - q)
    # Along the normal all of A lies beyond all of B by this much, so the distance cannot be less.
    least = float((a @ normal).min() - (b @ normal).max())
    assert distance - max(least, 0.0) < ACCURACY


@thorough
@given(hulls(), hulls(), offsets())
def test_exchanging_the_sets_changes_no_bit(a: Float, b: Float, offset: Float) -> None:
    assert convex_distance(a, b + offset) == convex_distance(b + offset, a)


@thorough
@given(seeds)
def test_axis_aligned_boxes_have_the_analytic_gap(seed: int) -> None:
    rng = np.random.default_rng(seed)
    low_a, low_b = rng.uniform(-2.0, 2.0, 3), rng.uniform(-2.0, 2.0, 3)
    high_a, high_b = low_a + rng.uniform(0.0, 2.0, 3), low_b + rng.uniform(0.0, 2.0, 3)
    gaps = np.maximum(np.maximum(low_a - high_b, low_b - high_a), 0.0)
    assert convex_distance(box_vertices(low_a, high_a), box_vertices(low_b, high_b)) == pytest.approx(
        norm(gaps), abs=ACCURACY
    )


@brief
@given(seeds)
def test_quadratic_programming_finds_nothing_nearer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(-1.0, 1.0, (6, 3)), rng.uniform(-1.0, 1.0, (6, 3)) + rng.uniform(-3.0, 3.0, 3)

    def squared(weights: Float) -> float:
        v = weights[:6] @ a - weights[6:] @ b
        return float(v @ v)

    result = minimize(
        squared,
        np.full(12, 1.0 / 6.0),
        method="SLSQP",
        bounds=[(0.0, 1.0)] * 12,
        constraints=[
            {"type": "eq", "fun": lambda w: w[:6].sum() - 1.0},
            {"type": "eq", "fun": lambda w: w[6:].sum() - 1.0},
        ],
        options={"ftol": 1e-14, "maxiter": 300},
    )
    assert convex_distance(a, b) == pytest.approx(math.sqrt(max(result.fun, 0.0)), abs=2e-5)


@brief
@given(st.floats(0.05, 2.0), st.floats(0.05, 2.0), st.floats(0.01, 5.0), seeds)
def test_balls_are_their_radii_apart(radius_a: float, radius_b: float, gap: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ball = rng.normal(size=(400, 3))
    ball /= np.sqrt((ball * ball).sum(axis=1, keepdims=True))
    direction = ball[0]
    a, b = radius_a * ball, radius_b * ball + (radius_a + gap + radius_b) * direction
    sagging = 0.05 * (radius_a + radius_b)  # the hull of 400 points dips below its sphere
    assert gap - 1e-9 <= convex_distance(a, b) <= gap + sagging


@thorough
@given(hulls(), hulls(), seeds, st.floats(1e-8, 10.0))
def test_moving_apart_adds_the_way(a: Float, b: Float, seed: int, way: float) -> None:
    direction = transform(any_rotation(np.random.default_rng(seed)), np.array([1.0, 0.0, 0.0]))
    apart = float((a @ direction).max() - (b @ direction).min()) + 1.0
    near, far = convex_distance(a, b + apart * direction), convex_distance(a, b + (apart + way) * direction)
    assert near - ACCURACY <= far <= near + way + ACCURACY
    assert far >= 1.0 + way - ACCURACY


@thorough
@given(hulls(), hulls(), seeds)
def test_sets_that_share_a_point_are_at_distance_0(a: Float, b: Float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shares_a, shares_b = rng.uniform(0.1, 1.0, len(a)), rng.uniform(0.1, 1.0, len(b))
    shift = (shares_a @ a) / shares_a.sum() - (shares_b @ b) / shares_b.sum()
    assert convex_distance(a, b + shift) == 0.0


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-3, 50.0])
@pytest.mark.parametrize(("width_a", "width_b"), [(1.0, 1.0), (10.0, 0.01), (0.01, 10.0)])
def test_faces_a_hair_apart(gap: float, width_a: float, width_b: float) -> None:
    turn = any_rotation(np.random.default_rng(5))
    a = transform(turn, box_vertices(np.array([-width_a, -width_a, -0.1]), np.array([width_a, width_a, 0.0])))
    b = transform(turn, box_vertices(np.array([-width_b, -width_b, gap]), np.array([width_b, width_b, gap + 0.1])))
    assert convex_distance(a, b) == pytest.approx(gap, abs=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([[0, 0, 0]], [[0, 0, 0]], 0.0),
        ([[0, 0, 0]], [[3, 4, 0]], 5.0),
        ([[0, 0, 0]], [[1, -1, 2], [1, 1, 2]], math.sqrt(5.0)),
        ([[-1, 0, 0], [1, 0, 0]], [[0, -1, 1], [0, 1, 1]], 1.0),
        ([[-1, 0, 0], [1, 0, 0]], [[-1, 1, 0], [1, 1, 0]], 1.0),
        ([[-1, 0, 0], [1, 0, 0]], [[0, -1, 0], [0, 1, 0]], 0.0),
        ([[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [3, 0, 0]], 1.0),
        ([[0, 0, 1]], [[-1, -1, 0], [3, -1, 0], [-1, 3, 0]], 1.0),
        ([[0, 0, 1]], [[-1, -1, 0], [3, -1, 0], [-1, 3, 0], [1, 1, 0]], 1.0),
        ([[5, 5, 5]] * 4, [[5, 5, 6]] * 7, 1.0),
    ],
)
def test_degenerate_sets(a: list[list[float]], b: list[list[float]], expected: float) -> None:
    assert convex_distance(np.array(a, dtype=np.float64), np.array(b, dtype=np.float64)) == pytest.approx(expected)


def test_plain_python_gives_the_same_bits_as_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    plain = plain_module("flowbench.geometry.gjk", monkeypatch)
    assert not hasattr(plain.hull_distance, "py_func")
    rng = np.random.default_rng(3)
    for _ in range(150):
        a, b, c, d = (make_hull(str(kind), rng) for kind in rng.choice(KINDS, 4))
        left, right = ConvexParts.of([a, b]), ConvexParts.of([c + 0.5, d - rng.uniform(-1.0, 1.0, 3)])
        found = []
        for module in (gjk, plain):
            points = np.zeros((2, 3))
            arguments = (left.vertices, left.offsets, *left.boxes, right.vertices, right.offsets, *right.boxes)
            found.append(np.append(points, module.union_distance(*arguments, math.inf, points)).tobytes())
        assert found[0] == found[1]


@settings(thorough, max_examples=100)
@given(seeds)
def test_surface_distance_is_the_least_over_the_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts_a, parts_b = (
        [make_hull(str(kind), rng) * scale + rng.uniform(-2.0, 2.0, 3) for kind in rng.choice(KINDS, count)]
        for scale, count in zip(rng.uniform(0.05, 1.0, 2), rng.integers(1, 16, 2), strict=True)
    )
    least = min(convex_distance(a, b) for a in parts_a for b in parts_b)
    a, b = ConvexParts.of(parts_a), ConvexParts.of(parts_b)
    assert surface_distance(parts_a, parts_b) == surface_distance(a, b) == pytest.approx(least, abs=1e-10)
    assert b.distance(a) == pytest.approx(least, abs=1e-10)
    for limit in (least * 0.5, least * 2.0 + 1e-3):
        assert a.distance(b, limit) == pytest.approx(min(least, limit), abs=1e-10)
        assert (a.distance(b, limit) < limit) == (least < limit)


@brief
@given(seeds, st.floats(0.0, 1.0))
def test_a_sweep_comes_as_near_as_any_place_on_the_way(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    mover = ConvexParts.of([make_hull("box", rng), make_hull("cloud", rng)])
    obstacle = ConvexParts.of([make_hull("box", rng) + rng.uniform(-3.0, 3.0, 3)])
    way = rng.uniform(-2.0, 2.0, 3)
    swept = mover.swept(way).distance(obstacle)
    on_the_way = [mover.moved(way * t).distance(obstacle) for t in (*np.linspace(0.0, 1.0, 201), share)]
    assert swept <= min(on_the_way) + ACCURACY
    assert min(on_the_way) <= swept + norm(way) / 400.0 + ACCURACY


def test_placing_parts_moves_vertices_and_boxes() -> None:
    rng = np.random.default_rng(0)
    parts = ConvexParts.of([make_hull("box", rng), make_hull("point", rng)])
    matrix = any_rotation(rng)
    matrix[:3, 3] = (1.0, 2.0, 3.0)
    placed = parts.placed(matrix)
    assert len(placed) == 2
    for before, after, low, high in zip(parts.parts, placed.parts, *placed.boxes, strict=True):
        np.testing.assert_array_equal(after, transform(matrix, before))
        np.testing.assert_array_equal(low, after.min(axis=0))
        np.testing.assert_array_equal(high, after.max(axis=0))
    assert placed.distance(parts) == pytest.approx(surface_distance(list(parts.parts), list(placed.parts)))


def test_vertices_of_any_layout_are_taken() -> None:
    a = box_vertices(np.zeros(3), np.ones(3))
    readonly = a.copy()
    readonly.setflags(write=False)
    b = a + np.array([2.0, 0.0, 0.0])
    for same in (readonly, np.asfortranarray(a), a.astype(np.float32), a[::-1], a.tolist()):
        assert convex_distance(same, b) == 1.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros((0, 3)), "expected \\(n, 3\\) vertices"),
        (np.zeros((4, 2)), "expected \\(n, 3\\) vertices"),
        (np.zeros(3), "expected \\(n, 3\\) vertices"),
        (np.array([[0.0, np.nan, 0.0]]), "not finite"),
        (np.array([[np.inf, 0.0, 0.0]]), "not finite"),
    ],
)
def test_sets_that_are_none_are_refused(bad: Float, message: str) -> None:
    good = np.zeros((1, 3))
    for a, b in ((bad, good), (good, bad)):
        with pytest.raises(ValueError, match=message):
            convex_distance(a, b)
        with pytest.raises(ValueError, match=message):
            surface_distance([a], [b])
    with pytest.raises(ValueError, match="at least one convex part"):
        surface_distance([], [good])


def test_oriented_boxes_measure_their_gap() -> None:
    unit = OrientedBox.around(box_vertices(-np.ones(3), np.ones(3)))
    turned = unit.placed(any_rotation(np.random.default_rng(1)))
    assert unit.distance(turned) == 0.0
    away = np.eye(4)
    away[:3, 3] = (5.0, 0.0, 6.0)
    assert unit.distance(unit.placed(away)) == pytest.approx(5.0)  # 3-4-5
    np.testing.assert_array_equal(unit.placed(away).centre, [5.0, 0.0, 6.0])
