"""Every row of the catalogue: makes, at true size, collides as it looks, varies, and does so reproducibly."""

from __future__ import annotations

from functools import lru_cache

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
PLACEMENTS = {"wall", "corner", "floor", "around", "surface", "hung", "ceiling", "rug"}
MOST_PARTS = 16

EXTENTS = {
    "Sofa": ((1.4, 0.8, 0.7), (2.3, 1.0, 1.0)),
    "ArmChair": ((0.7, 0.7, 0.7), (1.0, 0.9, 1.0)),
    "Chair": ((0.38, 0.4, 0.78), (0.62, 0.66, 1.15)),
    "Stool": ((0.28, 0.28, 0.4), (0.42, 0.42, 0.75)),
    "Ottoman": ((0.4, 0.4, 0.35), (0.82, 0.66, 0.48)),
    "DiningTable": ((0.85, 0.75, 0.7), (1.8, 1.15, 0.8)),
    "CoffeeTable": ((0.55, 0.5, 0.35), (1.3, 0.8, 0.48)),
    "SideTable": ((0.38, 0.36, 0.44), (0.6, 0.6, 0.65)),
    "Desk": ((1.0, 0.55, 0.7), (1.5, 0.75, 0.78)),
    "Dresser": ((0.7, 0.4, 0.7), (1.35, 0.55, 1.1)),
    "ShelvingUnit": ((0.6, 0.27, 0.95), (1.1, 0.36, 2.1)),
    "Cabinet": ((0.7, 0.36, 0.72), (1.35, 0.5, 0.98)),
    "TVStand": ((1.05, 0.34, 0.4), (1.75, 0.48, 0.6)),
    "Bed": ((0.9, 1.9, 0.7), (1.8, 2.25, 1.2)),
    "CounterTop": ((1.15, 0.58, 0.85), (1.95, 0.66, 1.25)),
    "Fridge": ((0.55, 0.6, 1.45), (0.8, 0.76, 1.9)),
    "Toilet": ((0.35, 0.6, 0.7), (0.48, 0.75, 0.95)),
    "Sink": ((0.55, 0.42, 0.9), (1.0, 0.58, 1.2)),
    "Bathtub": ((1.45, 0.65, 0.5), (1.8, 0.85, 0.8)),
    "FloorLamp": ((0.28, 0.28, 1.3), (0.58, 0.58, 1.75)),
    "HousePlant": ((0.25, 0.25, 0.65), (1.15, 1.15, 1.45)),
    "GarbageCan": ((0.24, 0.2, 0.3), (0.42, 0.45, 0.75)),
    "LaundryHamper": ((0.3, 0.24, 0.45), (0.5, 0.5, 0.75)),
    "GarbageBag": ((0.38, 0.38, 0.38), (0.58, 0.58, 0.6)),
    "Box": ((0.25, 0.2, 0.17), (0.85, 0.7, 0.55)),
    "DogBed": ((0.5, 0.5, 0.12), (0.8, 0.8, 0.2)),
    "BasketBall": ((0.22, 0.22, 0.22), (0.26, 0.26, 0.26)),
    "VacuumCleaner": ((0.28, 0.3, 0.95), (0.36, 0.6, 1.3)),
    "Dumbbell": ((0.22, 0.08, 0.08), (0.36, 0.16, 0.16)),
    "AreaRug": ((1.2, 0.9, 0.005), (2.4, 1.7, 0.02)),
    "Painting": ((0.4, 0.02, 0.35), (1.05, 0.06, 0.8)),
    "Mirror": ((0.4, 0.02, 0.55), (0.75, 0.06, 1.0)),
    "CeilingLight": ((0.3, 0.3, 0.06), (0.55, 0.55, 0.55)),
    "Television": ((0.75, 0.15, 0.45), (1.3, 0.3, 0.85)),
    "Desktop": ((0.45, 0.1, 0.35), (0.65, 0.25, 0.55)),
    "Laptop": ((0.3, 0.2, 0.18), (0.4, 0.4, 0.28)),
    "DeskLamp": ((0.14, 0.14, 0.3), (0.36, 0.45, 0.62)),
    "Microwave": ((0.42, 0.32, 0.24), (0.58, 0.44, 0.34)),
    "Toaster": ((0.25, 0.14, 0.15), (0.36, 0.2, 0.26)),
    "CoffeeMachine": ((0.16, 0.22, 0.28), (0.24, 0.32, 0.4)),
    "Kettle": ((0.18, 0.15, 0.16), (0.34, 0.24, 0.3)),
    "Pot": ((0.24, 0.18, 0.14), (0.4, 0.32, 0.28)),
    "Pan": ((0.36, 0.2, 0.05), (0.55, 0.32, 0.12)),
    "Mug": ((0.09, 0.07, 0.08), (0.15, 0.11, 0.13)),
    "Cup": ((0.06, 0.06, 0.09), (0.09, 0.09, 0.15)),
    "Bowl": ((0.14, 0.14, 0.04), (0.3, 0.3, 0.14)),
    "Plate": ((0.19, 0.19, 0.015), (0.3, 0.3, 0.04)),
    "Bottle": ((0.06, 0.06, 0.2), (0.09, 0.09, 0.28)),
    "WineBottle": ((0.06, 0.06, 0.27), (0.09, 0.09, 0.36)),
    "WateringCan": ((0.25, 0.14, 0.18), (0.5, 0.26, 0.32)),
    "Apple": ((0.06, 0.06, 0.06), (0.1, 0.1, 0.11)),
    "Tomato": ((0.06, 0.06, 0.05), (0.1, 0.1, 0.09)),
    "Potato": ((0.07, 0.05, 0.045), (0.14, 0.1, 0.09)),
    "Bread": ((0.18, 0.09, 0.05), (0.32, 0.15, 0.1)),
    "HousePlantOnTable": ((0.12, 0.12, 0.25), (0.5, 0.5, 0.6)),
    "Vase": ((0.1, 0.1, 0.17), (0.26, 0.26, 0.6)),
    "Statue": ((0.1, 0.08, 0.25), (0.32, 0.28, 0.55)),
    "Candle": ((0.08, 0.08, 0.12), (0.14, 0.14, 0.42)),
    "TissueBox": ((0.11, 0.11, 0.1), (0.25, 0.14, 0.24)),
    "TeddyBear": ((0.2, 0.2, 0.26), (0.42, 0.4, 0.52)),
    "Book": ((0.13, 0.18, 0.02), (0.27, 0.32, 0.15)),
    "AlarmClock": ((0.09, 0.04, 0.06), (0.2, 0.1, 0.2)),
    "CellPhone": ((0.065, 0.14, 0.006), (0.085, 0.17, 0.015)),
    "RemoteControl": ((0.04, 0.15, 0.015), (0.06, 0.21, 0.03)),
    "Pillow": ((0.36, 0.32, 0.1), (0.54, 0.44, 0.16)),
    "SoapBottle": ((0.06, 0.06, 0.15), (0.09, 0.09, 0.22)),
    "ToiletPaper": ((0.09, 0.09, 0.09), (0.13, 0.13, 0.12)),
    "PaperTowelRoll": ((0.1, 0.1, 0.22), (0.14, 0.14, 0.28)),
}
"""Least and greatest believable extents (x, y, z) of each row, metres."""

LOOSE = {"HousePlant": 0.045, "HousePlantOnTable": 0.022, "Vase": 0.025}
"""Leaves and blossoms: their hulls lie between the tips and the gaps, metres."""


def tolerance(name: str, model: Model) -> float:
    """How far parts may be off the mesh, metres: 3% of the largest extent, within 6 mm and 15 mm."""
    largest = float(np.ptp(model.mesh.vertices, axis=0).max())
    return LOOSE.get(name, min(max(0.03 * largest, 0.006), 0.015))


@lru_cache(maxsize=512)
def made(name: str, seed: int) -> Model:
    return CATALOGUE[name].make(generator(seed, "models", 0, name), "train")


def variants(name: str) -> list[Model]:
    return [made(name, seed) for seed in SEEDS]


def outside(hull: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Distance of points from the hull of some vertices (0 inside), from below: to its worst face's plane."""
    equations = ConvexHull(hull).equations
    return np.maximum((points @ equations[:, :3].T + equations[:, 3]).max(axis=1), 0.0)


def fingerprint(model: Model) -> bytes:
    arrays = [model.mesh.vertices, model.mesh.uvs, model.mesh.faces, *model.parts]
    return b"".join(array.tobytes() for array in arrays) + repr((model.mesh.materials, model.surfaces)).encode()


def test_the_catalogue_is_wide() -> None:
    names = {kind.name for kind in CATALOGUE.values()}
    assert len(names) >= 30
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


@pytest.mark.parametrize("name", [name for name in ROWS if CATALOGUE[name].pickupable or CATALOGUE[name].moveable])
def test_what_moves_stands_by_itself(name: str) -> None:
    """On a level floor it neither tips nor rolls away, as it would on a single corner of its parts."""
    for model in variants(name)[:3]:
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
