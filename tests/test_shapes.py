"""Mesh primitives: closed, wound outwards, unit normals, uvs in metres; textures: the set's promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowbench.rendering import Material, Mesh, join
from flowbench.rendering.placing import placed, rotation, stretched
from flowbench.rendering.shapes import box, cylinder, extrude, lathe, loft, sphere
from flowbench.rendering.sweeps import cushion, leaf, picture, tube, two_sided
from flowbench.rendering.textures import TEXTURES, make_textures

SIZES = st.floats(0.02, 3.0)


def corners(mesh: Mesh) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return tuple(mesh.vertices[mesh.faces[:, k]] for k in range(3))


def volume(mesh: Mesh) -> float:
    """Signed volume by the divergence theorem; positive when faces look outwards."""
    a, b, c = corners(mesh)
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def directed_area(mesh: Mesh) -> np.ndarray:
    """Sum of all face normals weighted by area: zero for a closed surface."""
    a, b, c = corners(mesh)
    return np.cross(b - a, c - a).sum(axis=0) / 2.0


def check(mesh: Mesh, *, closed: bool = True) -> None:
    """What every primitive promises."""
    assert mesh.vertices.dtype == mesh.normals.dtype == mesh.uvs.dtype == np.float64
    assert mesh.faces.dtype == mesh.face_materials.dtype == np.int32
    assert mesh.faces.min() >= 0
    assert mesh.faces.max() < len(mesh.vertices)
    assert np.isfinite(mesh.vertices).all()
    assert np.isfinite(mesh.uvs).all()
    np.testing.assert_allclose((mesh.normals**2).sum(axis=1), 1.0, atol=1e-9)
    a, b, c = corners(mesh)
    flat = np.cross(b - a, c - a)
    assert (np.abs(flat).max(axis=1) > 0.0).all(), "degenerate triangle"
    facing = (flat * mesh.normals[mesh.faces].mean(axis=1)).sum(axis=1)
    assert (facing > 0.0).all(), "a face looks away from its normals"
    if closed:
        np.testing.assert_allclose(directed_area(mesh), 0.0, atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(size=st.tuples(SIZES, SIZES, SIZES), share=st.floats(0.0, 1.2), segments=st.integers(1, 4))
def test_box_is_closed_and_as_large_as_asked(size: tuple[float, float, float], share: float, segments: int) -> None:
    rounding = share * min(size) / 2.0
    mesh = box(size, (0.3, -0.2, 1.0), rounding=rounding, segments=segments)
    check(mesh)
    low, high = mesh.bounds
    np.testing.assert_allclose(high - low, size, atol=1e-12)
    np.testing.assert_allclose((high + low) / 2.0, (0.3, -0.2, 1.0), atol=1e-12)
    full = size[0] * size[1] * size[2]
    if share == 0.0:
        assert volume(mesh) == pytest.approx(full)
    # The most that rounding takes off a cube leaves a ball, coarsely faceted.
    assert 0.41 * full < volume(mesh) <= full * (1.0 + 1e-12)


def test_box_uvs_are_metres_and_follow_the_grain() -> None:
    upright = box((2.0, 0.1, 1.0))
    front = upright.normals[:, 1] == -1.0
    np.testing.assert_allclose(np.ptp(upright.uvs[front], axis=0), (2.0, 1.0))
    lying = box((2.0, 0.1, 1.0), along=0)
    np.testing.assert_allclose(np.ptp(lying.uvs[front], axis=0), (1.0, 2.0))


@settings(max_examples=30, deadline=None)
@given(radius=SIZES, height=SIZES, top=st.floats(0.1, 1.0), sides=st.integers(3, 64))
def test_cylinder_and_cone(radius: float, height: float, top: float, sides: int) -> None:
    mesh = cylinder(radius, height, top_radius=radius * top, sides=sides, at=(1.0, 2.0, 3.0))
    check(mesh)
    polygon = 0.5 * sides * math.sin(2.0 * math.pi / sides) * radius * radius
    assert volume(mesh) == pytest.approx(polygon * height * (1.0 + top + top * top) / 3.0, rel=1e-6)
    assert mesh.bounds[0][2] == pytest.approx(3.0)


@settings(max_examples=20, deadline=None)
@given(radius=SIZES, scale=st.tuples(*[st.floats(0.3, 3.0)] * 3))
def test_sphere(radius: float, scale: tuple[float, float, float]) -> None:
    mesh = sphere(radius, scale=scale, sides=64, rings=32)
    check(mesh)
    full = 4.0 / 3.0 * math.pi * radius**3 * scale[0] * scale[1] * scale[2]
    assert volume(mesh) == pytest.approx(full, rel=0.01)


def test_hollow_lathe_has_the_volume_of_its_wall() -> None:
    mesh = lathe([(0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.4, 1.0), (0.4, 0.1), (0.0, 0.1)], sides=200)
    check(mesh)
    assert volume(mesh) == pytest.approx(math.pi * (0.25 - 0.16 * 0.9), rel=1e-3)


def test_lathe_shades_smoothly_below_the_crease_only() -> None:
    profile = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.8, 1.4), (0.0, 1.4)]
    sharp, smooth = lathe(profile, crease=10.0), lathe(profile, crease=80.0)
    assert len(sharp.vertices) > len(smooth.vertices)
    check(sharp)
    check(smooth)


@settings(max_examples=20, deadline=None)
@given(share=st.floats(0.2, 1.0), height=SIZES)
def test_loft_and_extrusion(share: float, height: float) -> None:
    hexagon = [(math.cos(i * math.pi / 3.0), math.sin(i * math.pi / 3.0)) for i in range(6)]
    area = 1.5 * math.sqrt(3.0)
    straight = extrude(hexagon, 1.0, 1.0 + height)
    check(straight)
    assert volume(straight) == pytest.approx(area * height)
    tapered = loft(hexagon, [(share * x, share * y) for x, y in hexagon], 0.0, height)
    check(tapered)
    assert volume(tapered) == pytest.approx(area * height * (1.0 + share + share * share) / 3.0)


@settings(max_examples=30, deadline=None)
@given(
    steps=st.lists(st.tuples(st.floats(0.5, 1.0), st.floats(-0.7, 0.7), st.floats(-0.7, 0.7)), min_size=1, max_size=6),
    radius=st.floats(0.01, 0.1),
)
def test_tube_is_closed_along_any_path(steps: list[tuple[float, float, float]], radius: float) -> None:
    path = [(0.0, 0.0, 0.0)]
    for step in steps:
        path.append(tuple(a + b for a, b in zip(path[-1], step, strict=True)))
    mesh = tube(path, radius, sides=12)
    check(mesh)
    assert volume(mesh) > 0.0


def test_straight_tube_has_its_volume_whatever_its_direction() -> None:
    for end in ((0.0, 0.0, 2.0), (2.0, 0.0, 0.0), (0.0, -2.0, 0.0)):
        assert volume(tube([(0.0, 0.0, 0.0), end], 0.1, sides=100)) == pytest.approx(math.pi * 0.02, rel=2e-3)


def test_sheets() -> None:
    check(leaf(0.3, 0.1, 1.0))
    assert volume(leaf(0.3, 0.1, 1.0)) == pytest.approx(0.0, abs=1e-12)
    pillow = cushion((0.5, 0.4, 0.12))
    check(pillow)
    np.testing.assert_allclose(np.ptp(pillow.vertices, axis=0), (0.5, 0.4, 0.12), atol=1e-9)
    assert 0.3 < volume(pillow) / (0.5 * 0.4 * 0.12) < 0.8
    front = picture(0.4, 0.3)
    check(front, closed=False)
    assert (front.normals == (0.0, -1.0, 0.0)).all()
    assert len(two_sided(front).faces) == 2 * len(front.faces)


@settings(max_examples=20, deadline=None)
@given(axis=st.sampled_from("xyz"), angle=st.floats(-7.0, 7.0))
def test_placing_keeps_the_shape(axis: str, angle: float) -> None:
    mesh = box((1.0, 2.0, 3.0), rounding=0.2)
    moved = placed(mesh, rotation(axis, angle, (0.5, 0.6, 0.7)))
    check(moved)
    assert volume(moved) == pytest.approx(volume(mesh))


def test_rotation_is_right_handed() -> None:
    turned = rotation("z", math.pi / 2.0)[:3, :3] @ np.array([1.0, 0.0, 0.0])
    np.testing.assert_allclose(turned, (0.0, 1.0, 0.0), atol=1e-15)
    turned = rotation("x", math.pi / 2.0)[:3, :3] @ np.array([0.0, 1.0, 0.0])
    np.testing.assert_allclose(turned, (0.0, 0.0, 1.0), atol=1e-15)


def test_stretching_keeps_normals_right() -> None:
    mesh = stretched(sphere(1.0), (1.0, 2.0, 0.5))
    gradient = mesh.vertices / np.array([1.0, 4.0, 0.25])
    gradient /= np.sqrt((gradient**2).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(mesh.normals, gradient, atol=1e-9)


def test_joining_shares_materials() -> None:
    red, blue = Material(colour=(1.0, 0.0, 0.0)), Material(colour=(0.0, 0.0, 1.0))
    mesh = join([box((1, 1, 1), material=red), box((1, 1, 1), material=blue), box((1, 1, 1), material=red)])
    assert mesh.materials == (red, blue)
    assert sorted(set(mesh.face_materials.tolist())) == [0, 1]


def test_textures_are_whole_and_depend_on_the_seed_alone() -> None:
    first, again, other = make_textures(), make_textures(), make_textures(1)
    assert list(first) == list(TEXTURES)
    for name, image in first.items():
        assert image.shape == (256, 256, 3)
        assert image.dtype == np.uint8
        assert (image == again[name]).all(), name
        assert name == "plain" or int(image.max()) - int(image.min()) > 8, f"{name} shows nothing"
    assert (first["plain"] == 255).all()
    assert (first["wood"] != other["wood"]).any()
    assert (make_textures(names=["wood"])["wood"] == first["wood"]).all()


@pytest.mark.parametrize("name", ["wood", "fabric", "plaster", "carpet", "marble", "brick", "tile", "planks", "check"])
def test_textures_repeat_without_a_seam(name: str) -> None:
    image = make_textures(names=[name])[name].astype(np.float64)
    for axis in (0, 1):
        step = np.abs(np.diff(image, axis=axis)).mean(axis=(1 - axis, 2))
        edge = np.abs(np.take(image, 0, axis=axis) - np.take(image, -1, axis=axis)).mean()
        assert edge <= 1.05 * step.max()
