"""Culling in furnished homes of both styles: the same bytes with and without it, wherever one looks from."""

from __future__ import annotations

import numpy as np
import pytest
from support.homes import POOLS, Home, home, renderer

from flowbench.geometry import Camera, Pose
from flowbench.rendering import Renderer


def cameras(home: Home, rng: np.random.Generator, count: int) -> list[Camera]:
    """Views from where one can stand, from corners of rooms, and from before, in and behind doorways."""
    views = [home.camera(rng) for _ in range(count)]
    for low, high in (box for zone in home.cells.zones for box in zone):
        x, y, z = (
            (a + inset if rng.random() < 0.5 else b - inset)
            for a, b, inset in zip(low, high, rng.uniform(0.03, 0.4, 3), strict=True)
        )
        views.append(Camera.standing((x, y, z), float(rng.uniform(-3.1, 3.1)), 0.1, width=160, height=120))
    for _, _, (low, high) in home.cells.gates:
        centre, size = (np.add(low, high) / 2.0), np.subtract(high, low)
        axis = int(np.argmin(size[:2]))
        for offset in (-0.6, -0.12, 0.0, 0.12, 0.6):
            eye = centre.copy()
            eye[axis] += offset
            eye[1 - axis] += float(rng.uniform(-0.3, 0.3))
            eye[2] = 1.5
            x, y, z = eye.tolist()
            views.append(Camera.standing((x, y, z), float(rng.uniform(-3.1, 3.1)), 0.2, width=160, height=120))
    return views


def same(one: Renderer, other: Renderer, views: list[Camera], *, rgb: bool) -> None:
    for camera in views:
        first, second = (each.render(camera, rgb=rgb, depth=True, ids=True) for each in (one, other))
        for name in ("ids", "depth", *(["rgb"] if rgb else [])):
            assert (getattr(first, name) == getattr(second, name)).all(), (name, camera.camera_from_world)


def check(pool: str, scene: int, rooms: int | None, count: int) -> None:
    """All views of a home, then again after things were put into doorways and into other rooms."""
    place = home(pool, scene, rooms)
    rng = np.random.Generator(np.random.PCG64(scene))
    views = cameras(place, rng, count)
    one, other = renderer(place), renderer(place, culling=False)
    same(one, other, views, rgb=True)
    movers = [item.instance_id for item in place.objects if not item.structural]
    spots = [np.add(low, high) / 2.0 for _, _, (low, high) in place.cells.gates]
    spots += [np.array(position) for position in place.positions[:: max(len(place.positions) // 4, 1)]]
    for spot in spots:
        x, y = (float(spot[k] + rng.uniform(-0.3, 0.3)) for k in range(2))
        pose = Pose.upright(x, y, float(rng.uniform(0.0, 1.5)), float(rng.uniform(-3.0, 3.0))).matrix
        mover = movers[int(rng.integers(len(movers)))]
        one.move(mover, pose)
        other.move(mover, pose)
    same(one, other, views, rgb=False)


def test_a_furnished_home_looks_the_same() -> None:
    check("homes_train", 0, None, 4)


@pytest.mark.slow
@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize(("scene", "rooms"), [(0, None), (1, None), (2, 8), (3, 8)])
def test_furnished_homes_look_the_same(pool: str, scene: int, rooms: int | None) -> None:
    check(pool, scene, rooms, 20)
