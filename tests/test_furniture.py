"""What furniture is put together from: legs, bent sheets, and the words of the tables that choose a build."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from flowbench.builders.simulators.bullet.models import (
    bedroom,
    chairs,
    clocks,
    footstools,
    pets,
    seating,
    shelves,
    stools,
    storage,
    tables,
)
from flowbench.builders.simulators.bullet.models.assembly import Assembly
from flowbench.builders.simulators.bullet.models.draw import rows_of
from flowbench.builders.simulators.bullet.models.legs import LEGS, legs
from flowbench.builders.simulators.bullet.models.shells import shell, shell_parts
from flowbench.rendering import Material, Mesh

FEET = (*LEGS, "sled", "plinth")

BUILDS = [
    (("seating.Sofa.build", "seating.ArmChair.build"), seating.BUILDS),
    (("chairs.Chair.build",), chairs.BUILDS),
    (("stools.Stool.build",), stools.STOOLS),
    (("stools.Ottoman.build",), stools.OTTOMANS),
    (("footstools.Footstool.build",), footstools.FOOTSTOOLS),
    (("tables.Desk.build",), tables.DESKS),
    (
        ("tables.DiningTable.legs", "tables.CoffeeTable.legs", "tables.SideTable.legs"),
        (*tables.SUPPORTS, *tables.ON_LEGS),
    ),
    (("storage.Cabinet.build",), storage.CABINETS),
    (("storage.TVStand.build",), storage.TV_STANDS),
    (("shelves.ShelvingUnit.build",), shelves.SHELVES),
    (("shelves.Cart.build",), shelves.CARTS),
    (("bedroom.Bed.build",), bedroom.BEDS),
    (("bedroom.Pillow.build",), bedroom.PILLOWS),
    (("clocks.AlarmClock.build",), clocks.CLOCKS),
    (("pets.DogBed.build",), pets.DOG_BEDS),
]


def words(path: str) -> set[str]:
    module, row, parameter = path.split(".")
    values = rows_of(module)[row][parameter]
    return {word for style in values.values() for word in style}


@pytest.mark.parametrize(("paths", "builds"), BUILDS, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_tables_and_builds_name_the_same_shapes(paths: tuple[str, ...], builds: Iterable[str]) -> None:
    assert set.union(*map(words, paths)) == set(builds)


@pytest.mark.parametrize("module", ["seating", "chairs", "stools", "footstools", "storage"])
def test_feet_of_the_tables_exist(module: str) -> None:
    for name, row in rows_of(module).items():
        if "feet" in row:
            assert words(f"{module}.{name}.feet") <= set(FEET)


@pytest.mark.parametrize("shape", FEET)
def test_legs_reach_from_the_floor_to_what_they_carry(shape: str) -> None:
    assembly = Assembly("Stool")
    legs(assembly, shape, (0.4, 0.6), 0.5, 0.04, Material())
    model = assembly.model(1.0)
    low, high = model.mesh.bounds
    assert high[2] - low[2] == pytest.approx(0.5, abs=0.01)
    assert 0.39 <= high[0] - low[0] <= 0.6
    assert 0.59 <= high[1] - low[1] <= 0.8
    assert len(model.parts) in (1, 4, 6, 8)


def volume(mesh: Mesh) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float((np.cross(a, b) * c).sum() / 6.0)


def flat(height: float) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(0.0, 0.4, 4), np.linspace(0.0, 0.6, 3))
    return np.stack([x, y, np.full_like(x, height)], axis=-1)


def test_a_flat_shell_is_a_closed_board() -> None:
    mesh = shell(flat(0.5), 0.01, Material())
    assert volume(mesh) == pytest.approx(0.4 * 0.6 * 0.01)
    low, high = mesh.bounds
    np.testing.assert_allclose([*low, *high], [0.0, 0.0, 0.49, 0.4, 0.6, 0.5], atol=1e-12)


def test_parts_of_a_shell_fill_its_patches() -> None:
    parts = shell_parts(flat(0.5), 0.01, (0, 2), (0, 1, 3))
    volumes = sorted(ConvexHull(part).volume for part in parts)
    assert volumes == pytest.approx([0.6 * 0.4 / 3 * 0.01, 0.6 * 0.8 / 3 * 0.01])


def test_a_bent_shell_keeps_its_thickness() -> None:
    grid = flat(0.5)
    grid[..., 2] += 0.5 * grid[..., 0] * grid[..., 0]
    upper, lower = np.split(shell(grid, 0.02, Material()).vertices[: 2 * 12], 2)
    gaps = np.sqrt(((upper.reshape(4, 3, 3).transpose(1, 0, 2).reshape(-1, 3) - lower) ** 2).sum(axis=1))
    np.testing.assert_allclose(gaps, 0.02)
