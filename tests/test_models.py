"""Every row of the catalogue: makes, at true size, collides as it looks, varies, and does so reproducibly."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from flowbench.builders.simulators.bullet.catalogue import CATALOGUE
from flowbench.builders.simulators.bullet.collision import centre_of_mass
from flowbench.builders.simulators.bullet.model import Model
from flowbench.builders.simulators.bullet.models.hulls import (
    MAX_VERTICES,
    ball_part,
    box_part,
    coarse_hull,
    lathe_parts,
)
from flowbench.builders.simulators.bullet.physics import World
from flowbench.errors import UsageError
from flowbench.geometry import Pose
from flowbench.rendering.shapes import lathe
from flowbench.rendering.textures import TEXTURES
from flowbench.seeding import generator

ROWS = list(CATALOGUE)
SEEDS = range(6)
ROOM_TYPES = {"kitchen", "living_room", "bedroom", "office", "bathroom", "hallway"}
PLACEMENTS = {"wall", "corner", "aside", "floor", "table", "around", "surface", "hung", "ceiling", "rug"}
MOST_PARTS = 16

EXTENTS = {
    name: (row["least"], row["greatest"])
    for path in sorted((Path(__file__).parent / "extents").glob("*.toml"))
    for name, row in tomllib.loads(path.read_text(encoding="utf-8")).items()
}
"""Least and greatest believable extents (x, y, z) of each row, metres."""

STYLES = ("train", "test")

LOOSE = {"Lettuce": 0.008, "HousePlant": 0.045, "HousePlantOnTable": 0.022, "Vase": 0.025}
"""Leaves and blossoms: their hulls lie between the tips and the gaps, metres."""


def tolerance(name: str, model: Model) -> float:
    """How far parts may be off the mesh, metres: 3% of the largest extent, within 6 mm and 15 mm."""
    largest = float(np.ptp(model.mesh.vertices, axis=0).max())
    return LOOSE.get(name, min(max(0.03 * largest, 0.006), 0.015))


@lru_cache(maxsize=512)
def made(name: str, seed: int, style: str) -> Model:
    return CATALOGUE[name].make(generator(seed, "models", 0, name), style)


def variants(name: str) -> list[Model]:
    """Some of each style."""
    return [made(name, seed, style) for style in STYLES for seed in SEEDS]


def outside(hull: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Distance of points from the hull of some vertices (0 inside), from below: to its worst face's plane."""
    equations = ConvexHull(hull).equations
    return np.maximum((points @ equations[:, :3].T + equations[:, 3]).max(axis=1), 0.0)


def fingerprint(model: Model) -> bytes:
    arrays = [model.mesh.vertices, model.mesh.uvs, model.mesh.faces, *model.parts]
    return b"".join(array.tobytes() for array in arrays) + repr((model.mesh.materials, model.surfaces)).encode()


def test_the_catalogue_is_wide() -> None:
    names = {kind.name for kind in CATALOGUE.values()}
    assert len(names) >= 60
    assert set(EXTENTS) == set(CATALOGUE)
    movers = [kind for kind in CATALOGUE.values() if kind.pickupable or kind.moveable]
    assert len(movers) >= 30


@pytest.mark.parametrize("name", ROWS)
def test_row_is_consistent(name: str) -> None:
    kind = CATALOGUE[name]
    assert kind.label == kind.label.lower()
    assert kind.placement in PLACEMENTS
    assert not (kind.pickupable and kind.moveable), "AI2-THOR's flags exclude each other"
    assert kind.rooms
    assert set(kind.rooms) <= ROOM_TYPES
    assert all(0 <= fewest <= most and most > 0 for fewest, most in kind.rooms.values())
    assert bool(kind.on) == (kind.placement == "surface")
    assert bool(kind.beside) == (kind.placement == "around")
    assert (kind.height > 0.0) == (kind.placement == "hung")
    for other in (*kind.on, *kind.beside):
        assert other in CATALOGUE
    for other in kind.on:
        assert CATALOGUE[other].receptacle
        assert any(model.surfaces for model in variants(other)), f"{other} has nowhere to stand on"
    for room in kind.rooms:
        carriers = [other for other in kind.on if room in CATALOGUE[other].rooms]
        assert not kind.on or carriers, f"nothing in a {room} can carry it"


def test_labels_name_types() -> None:
    labels: dict[str, str] = {}
    for kind in CATALOGUE.values():
        assert labels.setdefault(kind.label, kind.name) == kind.name


@pytest.mark.parametrize("name", ROWS)
def test_model_is_whole(name: str) -> None:
    for model in variants(name):
        mesh = model.mesh
        assert model.object_type == CATALOGUE[name].name
        assert model.mass > 0.0
        assert len(mesh.faces) <= 6000
        assert all(material.texture in TEXTURES for material in mesh.materials)
        assert all(0.0 <= channel <= 1.0 for material in mesh.materials for channel in material.colour)
        np.testing.assert_allclose((mesh.normals**2).sum(axis=1), 1.0, atol=1e-9)
        a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
        facing = (np.cross(b - a, c - a) * mesh.normals[mesh.faces].mean(axis=1)).sum(axis=1)
        assert (facing > 0.0).all()


@pytest.mark.parametrize("name", ROWS)
def test_model_has_its_true_size(name: str) -> None:
    least, greatest = EXTENTS[name]
    for model in variants(name):
        extent = np.ptp(model.mesh.vertices, axis=0)
        assert (extent >= least).all(), extent
        assert (extent <= greatest).all(), extent


@pytest.mark.parametrize("name", ROWS)
def test_model_stands_where_its_frame_says(name: str) -> None:
    placement = CATALOGUE[name].placement
    for model in variants(name):
        low, high = model.mesh.bounds
        assert low[0] + high[0] == pytest.approx(0.0, abs=4e-5)
        if placement == "hung":
            assert high[1] == pytest.approx(0.0, abs=2e-5)
        else:
            assert low[1] + high[1] == pytest.approx(0.0, abs=4e-5)
        assert (high if placement == "ceiling" else low)[2] == pytest.approx(0.0, abs=2e-5)


@pytest.mark.parametrize("name", [name for name in ROWS if CATALOGUE[name].placement not in ("hung", "ceiling", "rug")])
def test_parts_stand_where_the_mesh_does(name: str) -> None:
    """Neither hovering over the ground nor sunk in it, or a settled thing would be seen to do so."""
    for model in variants(name):
        assert min(part[:, 2].min() for part in model.parts) == pytest.approx(0.0, abs=3e-4)


@pytest.mark.parametrize("name", [name for name in ROWS if CATALOGUE[name].pickupable or CATALOGUE[name].moveable])
def test_what_moves_stands_by_itself(name: str) -> None:
    """On a level floor it neither tips nor rolls away, as it would on a single corner of its parts."""
    for model in variants(name)[::2]:
        world = World()
        world.add([box_part((4.0, 4.0, 0.2), (0.0, 0.0, -0.1))], Pose((0.0, 0.0, 0.0)))
        index = world.add(model.parts, Pose((0.0, 0.0, 0.001)), model.mass, centre_of_mass(model.mesh))
        rest = world.settle(index)
        world.close()
        assert rest is not None
        assert rest.tilt == 0.0
        assert rest.pose.position[:2] == (0.0, 0.0)


@pytest.mark.parametrize("name", ROWS)
def test_parts_follow_the_mesh(name: str) -> None:
    for model in variants(name):
        vertices, allowed = model.mesh.vertices, tolerance(name, model)
        if CATALOGUE[name].placement == "rug":
            assert model.parts == ()
            continue
        assert 1 <= len(model.parts) <= MOST_PARTS
        for part in model.parts:
            assert 4 <= len(part) <= MAX_VERTICES
            assert (part == np.round(part, 5)).all()
        gaps = np.min([outside(part, vertices) for part in model.parts], axis=0)
        assert gaps.max() <= allowed
        assert outside(vertices, np.concatenate(model.parts)).max() <= allowed


@pytest.mark.parametrize("name", ROWS)
def test_parts_are_not_larger_than_the_mesh(name: str) -> None:
    """Every part has mesh near each of its sides: no part spans a hole that a person sees."""
    for model in variants(name):
        for part in model.parts:
            inside = outside(part, model.mesh.vertices) <= tolerance(name, model)
            covered = model.mesh.vertices[inside]
            slack = 0.02 + tolerance(name, model) + 0.08 * np.ptp(part, axis=0)
            assert (covered.min(axis=0) <= part.min(axis=0) + slack).all()
            assert (covered.max(axis=0) >= part.max(axis=0) - slack).all()


@pytest.mark.parametrize("name", ROWS)
def test_surfaces_lie_on_the_mesh(name: str) -> None:
    kind = CATALOGUE[name]
    for model in variants(name):
        assert not model.surfaces or kind.receptacle
        mesh = model.mesh
        a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
        for surface in model.surfaces:
            assert surface.x0 < surface.x1
            assert surface.y0 < surface.y1
            assert surface.clearance > 0.1
            corners = [(x, y) for x in (surface.x0, surface.x1) for y in (surface.y0, surface.y1)]
            middle = ((surface.x0 + surface.x1) / 2.0, (surface.y0 + surface.y1) / 2.0)
            for x, y in [*corners, middle]:
                tops = heights_below(a, b, c, x, y)
                assert np.abs(tops - surface.z).min() < 2e-3, "nothing to stand on"
                above = tops[(tops > surface.z + 2e-3) & (tops < surface.z + min(surface.clearance, 3.0) - 1e-3)]
                assert len(above) == 0, "something is in the way"


def heights_below(a: np.ndarray, b: np.ndarray, c: np.ndarray, x: float, y: float) -> np.ndarray:
    """Heights at which a vertical line through (x, y) meets triangles."""
    ab, ac, ap = b[:, :2] - a[:, :2], c[:, :2] - a[:, :2], np.array([x, y]) - a[:, :2]
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (ap[:, 0] * ac[:, 1] - ap[:, 1] * ac[:, 0]) / area
        v = (ab[:, 0] * ap[:, 1] - ab[:, 1] * ap[:, 0]) / area
        hit = (np.abs(area) > 1e-12) & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9)
        heights = a[:, 2] + u * (b[:, 2] - a[:, 2]) + v * (c[:, 2] - a[:, 2])
    return heights[hit]


@pytest.mark.parametrize("name", ROWS)
def test_variants_differ_and_come_back(name: str) -> None:
    prints = [fingerprint(model) for model in variants(name)]
    assert len(set(prints)) == len(prints)
    shapes = {model.mesh.vertices.tobytes() for model in variants(name)}
    assert len(shapes) == len(prints), "only colours vary"
    again = CATALOGUE[name].make(generator(0, "models", 0, name), "train")
    assert fingerprint(again) == prints[0]


def test_unknown_style_is_refused() -> None:
    with pytest.raises(UsageError, match="style"):
        CATALOGUE["Sofa"].make(np.random.default_rng(0), "baroque")


def test_lathe_parts_fill_the_outline() -> None:
    profile = [(0.0, 0.0), (0.3, 0.0), (0.3, 0.02), (0.03, 0.02), (0.03, 0.5), (0.2, 0.5), (0.25, 0.9), (0.0, 0.9)]
    parts = lathe_parts(profile, 0.005)
    assert len(parts) == 3
    vertices = lathe(profile, sides=48).vertices
    assert np.min([outside(part, vertices) for part in parts], axis=0).max() < 0.006
    assert outside(vertices, np.concatenate(parts)).max() < 0.006


def test_ball_part_is_near_the_sphere() -> None:
    part = ball_part(1.0, (1.0, 2.0, 3.0)) - np.array([1.0, 2.0, 3.0])
    assert len(part) == 32
    planes = -ConvexHull(part).equations[:, 3]
    assert planes.min() > 0.95
    assert np.sqrt((part**2).sum(axis=1)).max() < 1.05


def test_coarse_hull_is_small_and_tight() -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(-1.0, 1.0, (2000, 3)) * np.array([1.0, 0.2, 0.05])
    part = coarse_hull(points)
    assert len(part) <= MAX_VERTICES
    assert outside(points, part).max() < 1e-9
    assert outside(part, points).max() < 0.05
    assert (coarse_hull(points[:20]) == points[:20]).all()
