"""Furnished homes of both styles as the renderer gets them, built once a process."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.simulators.base import SceneObject
from flowbench.builders.simulators.bullet import house as houses
from flowbench.builders.simulators.bullet.cells import cells_of
from flowbench.builders.simulators.bullet.simulator import BulletSimulator, _instance
from flowbench.geometry import Camera
from flowbench.rendering import Cells, Instance, Lighting, Renderer

POOLS = ("homes_train", "homes_test")


@dataclass(frozen=True, eq=False)
class Home:
    """What a home gave to the renderer, and where one can stand in it.

    Attributes:
        instances, lighting, cells: the scene.
        objects: what the simulator says of them.
        positions: (n, 3) eyes.
    """

    instances: list[Instance]
    lighting: Lighting
    cells: Cells
    objects: tuple[SceneObject, ...]
    positions: NDArray[np.float64]

    def camera(self, rng: np.random.Generator, *, width: int = 160, height: int = 120) -> Camera:
        """A random view from where one can stand."""
        x, y, z = self.positions[int(rng.integers(len(self.positions)))].tolist()
        yaw, pitch = float(rng.uniform(-3.1, 3.1)), float(rng.uniform(-0.1, 0.5))
        return Camera.standing((x, y, z), yaw, pitch, width=width, height=height)


@cache
def simulator() -> BulletSimulator:
    """One for all, since its textures take a while."""
    return BulletSimulator()


@lru_cache(maxsize=4)
def home(pool: str, scene: int = 0, rooms: int | None = None) -> Home:
    """Scene ``scene`` of seed 0; ``rooms`` overrides how many rooms it has."""
    with mock.patch.object(houses, "draw_plan", partial(houses.draw_plan, rooms=rooms)):
        simulator().load(0, pool, scene)
    house = simulator()._house
    instances = [_instance(body) for body in house.bodies]
    objects, positions = tuple(simulator().objects), simulator().reachable_positions()
    return Home(instances, house.lighting, cells_of(house.plan), objects, positions)


def renderer(home: Home, *, culling: bool = True) -> Renderer:
    """A renderer of its own with a home's scene, as it was when the home was loaded."""
    fresh = copy.copy(simulator()._renderer)  # textures are shared
    fresh.load(home.instances, home.lighting, home.cells if culling else None)
    return fresh
