"""Light, shadow and texture: what a picture must show."""

from __future__ import annotations

import dataclasses
import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from support.shots import AHEAD, SIZE, drawn, eye, rays, square

from flowbench.geometry import Camera, Pose
from flowbench.rendering import Instance, Lighting, Material, PointLight
from flowbench.rendering.placing import translation
from flowbench.rendering.shapes import box

DARK = Lighting(key_colour=(0.0, 0.0, 0.0), ambient_up=(0.0, 0.0, 0.0), ambient_down=(0.0, 0.0, 0.0))


def picture(instances: list[Instance], camera: Camera, lighting: Lighting) -> NDArray[np.float64]:
    frame = drawn(instances, camera, lighting)
    assert frame.rgb is not None
    return frame.rgb.astype(np.float64)


def test_an_empty_scene_shows_the_background() -> None:
    frame = drawn([], eye(), Lighting(background=(0.2, 0.4, 0.6)))
    assert frame.rgb is not None
    assert frame.ids is not None
    assert (np.abs(frame.rgb.astype(int) - [51, 102, 153]) <= 1).all()
    assert not frame.ids.any()


def floor_scene(lighting: Lighting, *extra: Instance) -> tuple[NDArray[np.float64], NDArray[np.uint16]]:
    """A plain floor seen obliquely, and what stands on it."""
    floor = Instance(1, box((30.0, 30.0, 0.1), (0.0, 0.0, -0.05), Material(colour=(0.6, 0.6, 0.6))), casts_shadow=True)
    frame = drawn([floor, *extra], Camera.standing((0.0, 0.0, 1.6), 0.3, 0.6, **SIZE), lighting)
    assert frame.rgb is not None
    assert frame.ids is not None
    return frame.rgb.astype(np.float64), frame.ids


def inner(ids: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Pixels of the floor that antialiasing does not mix with others."""
    eroded: NDArray[np.bool_] = cv2.erode((ids == 1).astype(np.uint8), np.ones((3, 3), np.uint8)) == 1
    return eroded


@pytest.mark.parametrize("direction", [(0.3, 0.2, 0.9), (0.9, 0.1, 0.3), (-0.1, 0.8, 0.4)])
def test_a_floor_does_not_shadow_itself(direction: tuple[float, float, float]) -> None:
    shadowed, ids = floor_scene(Lighting(key_direction=direction))
    floor = Instance(1, box((30.0, 30.0, 0.1), (0.0, 0.0, -0.05), Material(colour=(0.6, 0.6, 0.6))), casts_shadow=False)
    frame = drawn([floor], Camera.standing((0.0, 0.0, 1.6), 0.3, 0.6, **SIZE), Lighting(key_direction=direction))
    assert (shadowed[ids == 1] == frame.rgb[ids == 1]).all()  # type: ignore[index]


def test_a_convex_solid_does_not_shadow_itself() -> None:
    for mesh in (box((1.0, 1.0, 1.0)), box((1.0, 1.0, 1.0), rounding=0.2, segments=4)):
        pose = Pose.upright(2.5, 0.4, 0.2, 0.5).matrix
        lighting = Lighting(key_direction=(-0.6, 0.3, 0.8))
        with_shadow, without = (
            drawn([Instance(1, mesh, pose, casts)], Camera.standing((0.0, 0.0, 0.6), 0.1, **SIZE), lighting).rgb
            for casts in (True, False)
        )
        assert (np.abs(with_shadow.astype(int) - without.astype(int)).max(axis=-1) > 2).mean() < 0.002  # type: ignore[union-attr]


def test_the_key_light_casts_a_shadow_where_it_must() -> None:
    direction = np.array([0.5, 0.3, 0.8])
    half, height = 0.3, 1.0
    plate = Instance(2, box((2 * half, 2 * half, 0.02)), translation(3.2, 0.9, height))
    lighting = dataclasses.replace(DARK, key_direction=tuple(direction), key_colour=(1.0, 1.0, 1.0))
    open_floor, _ = floor_scene(lighting)
    shaded, ids = floor_scene(lighting, plate)
    camera = Camera.standing((0.0, 0.0, 1.6), 0.3, 0.6, **SIZE)
    way = rays(camera)
    points = camera.eye + way * (-camera.eye[2] / np.minimum(way[..., 2], -1e-9))[..., None]
    above = points + direction / direction[2] * height
    offset = np.abs(above[..., :2] - [3.2, 0.9]).max(axis=-1)
    floor = inner(ids) & (np.linalg.norm(points, axis=-1) < 8.0)
    core, clear = floor & (offset < half - 0.12), floor & (offset > half + 0.12)
    assert core.sum() > 30
    assert (shaded[core] <= 1.0).all()
    assert (shaded[clear] == open_floor[clear]).all()
    edge = floor & ~core & ~clear
    assert len(np.unique(shaded[edge][:, 0])) > 15


def test_what_casts_no_shadow_casts_none() -> None:
    lighting = dataclasses.replace(DARK, key_colour=(1.0, 1.0, 1.0))
    open_floor, _ = floor_scene(lighting)
    plate = Instance(2, box((0.6, 0.6, 0.02)), translation(3.2, 0.9, 1.0), casts_shadow=False)
    unshaded, ids = floor_scene(lighting, plate)
    assert (unshaded[inner(ids)] == open_floor[inner(ids)]).all()


def test_a_lamp_stays_in_its_region() -> None:
    lamp = PointLight((2.0, 0.0, 2.0), (2.0, 2.0, 2.0), ((0.0, 0.0, -1.0), (9.0, 9.0, 3.0)))
    lit, ids = floor_scene(dataclasses.replace(DARK, lamps=(lamp,)))
    camera = Camera.standing((0.0, 0.0, 1.6), 0.3, 0.6, **SIZE)
    way = rays(camera)
    points = camera.eye + way * (-camera.eye[2] / np.minimum(way[..., 2], -1e-9))[..., None]
    near = (ids == 1) & (np.abs(points) < 5.0).all(axis=-1)
    assert (lit[near & (points[..., 1] < -0.05)] == 0.0).all()
    assert (lit[near & (points[..., 1] > 0.05) & (points[..., 0] > 0.05)] > 1.0).all()


def test_a_lamp_is_dimmed_under_a_table() -> None:
    lamp = PointLight((3.0, 0.8, 2.6), (3.0, 3.0, 3.0))
    lighting = dataclasses.replace(DARK, lamps=(lamp,))
    free, _ = floor_scene(lighting)
    table = Instance(2, box((1.4, 1.4, 0.04)), translation(3.0, 0.8, 0.75))
    under, ids = floor_scene(lighting, table)
    camera = Camera.standing((0.0, 0.0, 1.6), 0.3, 0.6, **SIZE)
    way = rays(camera)
    points = camera.eye + way * (-camera.eye[2] / np.minimum(way[..., 2], -1e-9))[..., None]
    middle = (ids == 1) & (np.abs(points[..., :2] - [3.0, 0.8]).max(axis=-1) < 0.4)
    assert middle.sum() > 20
    assert under[middle].mean() < 0.7 * free[middle].mean()


def test_corners_are_darker_than_open_floor() -> None:
    lighting = dataclasses.replace(DARK, ambient_up=(0.5, 0.5, 0.5), ambient_down=(0.5, 0.5, 0.5))
    wall = Instance(2, box((0.2, 8.0, 2.0), (3.6, 0.0, 1.0)), casts_shadow=False)
    shaded, ids = floor_scene(lighting, wall)
    open_floor, _ = floor_scene(lighting)
    camera = Camera.standing((0.0, 0.0, 1.6), 0.3, 0.6, **SIZE)
    way = rays(camera)
    gap = 3.5 - (camera.eye + way * (-camera.eye[2] / np.minimum(way[..., 2], -1e-9))[..., None])[..., 0]
    near, far = (ids == 1) & (gap > 0.02) & (gap < 0.12), (ids == 1) & (gap > 0.8)
    assert shaded[near].mean() < 0.95 * open_floor[near].mean()
    assert abs(shaded[far].mean() - open_floor[far].mean()) < 1.0


def test_what_glows_needs_no_light() -> None:
    glowing = Instance(1, box((1.0, 1.0, 1.0), material=Material(emission=2.0)), translation(2.0, 0.0, 0.0))
    dull = dataclasses.replace(glowing, mesh=box((1.0, 1.0, 1.0)))
    camera = Camera.standing((0.0, 0.0, 0.0), 0.0, **SIZE)
    assert picture([glowing], camera, DARK)[60, 80].min() > 200
    assert picture([dull], camera, DARK)[60, 80].max() == 0


def test_edges_are_antialiased() -> None:
    lighting = Lighting(background=(0.0, 0.0, 0.0))
    slanted = Camera.standing((0.0, 0.0, 0.0), math.pi / 2 + 0.05, 0.04, **SIZE)
    mesh = square(2.0)
    rgb = picture([Instance(1, mesh)], slanted, lighting)
    values = np.unique(rgb[:, 60:100, 0])
    assert len(values[(values > 20) & (values < values.max() - 20)]) >= 3
    assert picture([Instance(1, mesh)], AHEAD, lighting).max() <= values.max() + 2


def test_distant_texture_fades_to_its_mean_without_moire() -> None:
    fine = Material("check", (1.0, 1.0, 1.0), 1.0, scale=2.0)
    floor = Instance(1, box((60.0, 60.0, 0.1), (0.0, 0.0, -0.05), fine))
    rgb = picture([floor], Camera.standing((0.0, 0.0, 1.6), 0.3, 0.0, **SIZE), Lighting())
    far, near = rgb[64:70, :, 1], rgb[110:, :, 1]
    assert np.abs(np.diff(far, axis=1)).max() <= 6.0
    assert np.abs(np.diff(near, axis=1)).max() > 6.0
    magnified = dataclasses.replace(fine, scale=1.0, roughness=0.9)
    wall = Instance(1, box((4.0, 0.1, 4.0), material=magnified), translation(0.0, 1.0, 0.0))
    assert np.ptp(picture([wall], AHEAD, Lighting())[..., 1]) > 60
