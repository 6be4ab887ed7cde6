"""Turned pieces that are not quite round, and round ones that lie: known points, unit normals, hulls low enough."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from flowbench.builders.simulators.bullet.models.assembly import Assembly
from flowbench.builders.simulators.bullet.models.resting import along_x, lying
from flowbench.builders.simulators.bullet.models.turned import crinkled, squared, turned, wavy
from flowbench.rendering import Material
from flowbench.rendering.shapes import lathe, sphere

PLAIN = Material()
CAN = [(0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)]


def beyond(part: np.ndarray, points: np.ndarray) -> float:
    """How far the farthest of the points lies outside a part, metres."""
    equations = ConvexHull(part).equations
    return float((points @ equations[:, :3].T + equations[:, 3]).max())


def test_squared_keeps_extents_and_pushes_corners_out() -> None:
    mesh = squared(lathe(CAN, PLAIN, sides=32))
    x, y = mesh.vertices[:, 0], mesh.vertices[:, 1]
    assert np.ptp(x) == pytest.approx(1.0)
    assert np.ptp(y) == pytest.approx(1.0)
    rim = np.abs(mesh.normals[:, 2]) < 0.5
    np.testing.assert_allclose(x[rim] ** 4 + y[rim] ** 4, 0.5**4)
    assert np.sqrt(x * x + y * y).max() == pytest.approx(0.5 * 2.0**0.25)


def test_squared_normals_are_the_curve_s() -> None:
    mesh = squared(lathe(CAN, PLAIN, sides=32))
    np.testing.assert_allclose((mesh.normals**2).sum(axis=1), 1.0, atol=1e-12)
    rim = np.abs(mesh.normals[:, 2]) < 0.5
    gradient = mesh.vertices[rim][:, :2] ** 3
    gradient /= np.sqrt((gradient**2).sum(axis=1))[:, None]
    np.testing.assert_allclose(mesh.normals[rim][:, :2], gradient, atol=1e-9)
    assert (mesh.normals[~rim][:, :2] == 0.0).all()


def test_turned_parts_follow_a_stretched_square() -> None:
    assembly = Assembly("Box")
    turned(assembly, CAN, PLAIN, stretch=(2.0, 1.0, 0.5), square=True, sides=64)
    model = assembly.model(1.0)
    assert np.ptp(model.mesh.vertices, axis=0) == pytest.approx([2.0, 1.0, 0.5])
    (part,) = model.parts
    assert beyond(part, model.mesh.vertices) < 0.02
    assert beyond(model.mesh.vertices, part) < 0.02


def test_wavy_swings_about_its_profile() -> None:
    profile = [(0.0, 0.0), (1.0, 0.5), (0.0, 1.0)]
    mesh = wavy(profile, [0.0, 0.25, 0.0], 4, PLAIN, sides=32)
    radius = np.sqrt((mesh.vertices[:, :2] ** 2).sum(axis=1))
    middle = np.abs(mesh.vertices[:, 2] - 0.5) < 1e-9
    assert radius[middle].max() == pytest.approx(1.25)
    assert radius[middle].min() == pytest.approx(0.75)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a) * (a - [0.0, 0.0, 0.5])).sum(axis=1).min() > 0.0, "it faces outwards"


def test_crinkled_collides_as_if_it_were_smooth() -> None:
    assembly = Assembly("GarbageBag")
    crinkled(assembly, [(0.0, 0.0, 0.0), (0.2, 0.1, 0.02), (0.0, 0.3, 0.0)], 6, PLAIN)
    model = assembly.model(1.0)
    assert len(model.parts) == 2
    assert min(beyond(part, model.mesh.vertices[:1]) for part in model.parts) < 0.006


@pytest.mark.parametrize("pieces", [1, 2])
def test_what_lies_touches_the_ground_with_mesh_and_parts(pieces: int) -> None:
    assembly = Assembly("Potato")
    lying(assembly, sphere(0.05, PLAIN, scale=(1.5, 1.0, 1.0)), 0.04, pieces=pieces)
    model = assembly.model(0.2)
    assert len(model.parts) == pieces
    assert model.mesh.bounds[0][2] == pytest.approx(0.0, abs=1e-5)
    assert model.mesh.bounds[1][2] == pytest.approx(0.096, abs=1e-5)
    for part in model.parts:
        ground = part[part[:, 2] == part[:, 2].min()]
        assert ground[0, 2] == pytest.approx(0.0, abs=1e-5)
        assert len(ground) >= 3, "on a facet, not on a corner"


def test_along_x_turns_the_axis() -> None:
    mesh = along_x(lathe([(0.0, 1.0), (0.1, 1.0), (0.2, 3.0), (0.0, 3.0)], PLAIN))
    low, high = mesh.bounds
    assert (low[0], high[0]) == pytest.approx((-1.0, 1.0))
    wide = mesh.vertices[np.abs(mesh.vertices[:, 1]) > 0.15]
    assert (wide[:, 0] > 0.9).all(), "its upper end lies at +x"
