"""Lamps, windows and sun: what each lights, and where a home has them."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from support.shots import SIZE, drawn, rays

from flowbench.builders.simulators.bullet.house import draw_plan
from flowbench.builders.simulators.bullet.lights import light_house
from flowbench.builders.simulators.bullet.openings import HousePlan
from flowbench.builders.simulators.bullet.structure import build_structure
from flowbench.builders.simulators.bullet.styles import Style, style_of_pool
from flowbench.geometry import Camera
from flowbench.rendering import Instance, Lighting, Material, Pane, PointLight
from flowbench.rendering.colour import srgb_from_linear
from flowbench.rendering.lamps import lamps_of, sun_share
from flowbench.rendering.shapes import box
from flowbench.seeding import generator

BLACK = (0.0, 0.0, 0.0)
DARK = Lighting(key_colour=BLACK, ambient_up=BLACK, ambient_down=BLACK)
CAMERA = Camera.standing((0.0, 0.0, 1.6), 0.3, 0.6, **SIZE)
POOLS = ("homes_train", "homes_test")


def floor_picture(lighting: Lighting) -> NDArray[np.float64]:
    """A plain matt floor at z = 0, seen obliquely."""
    floor = box((30.0, 30.0, 0.1), (0.0, 0.0, -0.05), Material(colour=(0.6, 0.6, 0.6), roughness=1.0))
    rgb = drawn([Instance(1, floor)], CAMERA, lighting).rgb
    assert rgb is not None
    values: NDArray[np.float64] = rgb.astype(np.float64)
    return values


def floor_points() -> NDArray[np.float64]:
    """(H, W, 3) where pixels of :func:`floor_picture` meet the floor; far away above the horizon."""
    way = rays(CAMERA)
    points: NDArray[np.float64] = CAMERA.eye + way * (-CAMERA.eye[2] / np.minimum(way[..., 2], -1e-9))[..., None]
    return points


def test_a_matt_floor_in_the_key_light_has_the_brightness_it_must_have() -> None:
    key = np.array([1.1, 0.8, 0.5])
    lit = floor_picture(
        dataclasses.replace(DARK, key_direction=(0.0, 0.0, 1.0), key_colour=tuple(key.tolist()), exposure=0.9)
    )
    row, column = 100, 80
    eye = -rays(CAMERA)[row, column]
    upward = eye[2] / np.sqrt((eye * eye).sum())
    albedo = ((0.6 + 0.055) / 1.055) ** 2.4
    mirror = 0.25 / np.pi / (0.5 * upward + 0.5)  # all microfacets alike; half of the light's and the eye's are hidden
    light = 0.9 * 0.75 * key * (albedo + 0.04 * mirror)
    mapped = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14)
    assert np.abs(lit[row, column] - 255.0 * srgb_from_linear(mapped)).max() <= 1.0


def test_a_panel_lights_what_lies_before_it_only() -> None:
    panel = PointLight((2.0, 0.0, 1.2), (3.0, 3.0, 3.0), direction=(0.5, 0.0, 0.0))
    lit, points = floor_picture(dataclasses.replace(DARK, lamps=(panel,))), floor_points()
    near = np.abs(points).max(axis=-1) < 5.0
    assert (lit[near & (points[..., 0] < 1.99)] == 0.0).all()
    assert (lit[near & (points[..., 0] > 2.3) & (np.abs(points[..., 1]) < 2.0)] > 1.0).all()


@pytest.mark.parametrize("pixel", [(70, 60), (90, 90), (60, 100)])
def test_a_panel_is_as_bright_as_a_bulb_times_the_cosine(pixel: tuple[int, int]) -> None:
    place, strength = np.array([1.0, 0.2, 1.5]), 6.0
    facing = np.array([0.8, 0.0, -0.6])
    way = floor_points()[pixel] - place
    cosine = float((way * facing).sum() / np.sqrt((way * way).sum()))
    assert cosine > 0.2
    panel = PointLight(tuple(place), (strength,) * 3, direction=tuple(facing))
    bulb = PointLight(tuple(place), (strength * cosine,) * 3)
    lit, expected = (floor_picture(dataclasses.replace(DARK, lamps=(lamp,)))[pixel] for lamp in (panel, bulb))
    assert expected.min() > 20.0
    assert np.abs(lit - expected).max() <= 1.0


def test_lamps_of_a_region_stay_in_it_however_many() -> None:
    left, right = ((0.0, 0.0, -1.0), (9.0, 9.0, 3.0)), ((0.0, -9.0, -1.0), (9.0, 0.0, 3.0))
    lamps = [PointLight((x, 1.0, 2.0), (1.0, 0.0, 0.0), left) for x in (1.0, 2.0, 3.0)]
    lamps.insert(1, PointLight((2.0, -1.0, 2.0), (0.0, 0.0, 1.0), right))
    lit, points = floor_picture(dataclasses.replace(DARK, lamps=tuple(lamps))), floor_points()
    near = (np.abs(points) < 5.0).all(axis=-1) & (points[..., 0] > 0.05)
    assert (lit[near & (points[..., 1] > 0.05)][:, 0] > lit[near & (points[..., 1] > 0.05)][:, 2]).all()
    assert (lit[near & (points[..., 1] < -0.05)][:, 2] > lit[near & (points[..., 1] < -0.05)][:, 0]).all()
    alone = floor_picture(dataclasses.replace(DARK, lamps=(lamps[1],)))
    assert (lit[near & (points[..., 1] < -0.05)] == alone[near & (points[..., 1] < -0.05)]).all()


SUN = (-0.5, 0.0, 1.0)
"""From behind a window in the plane x = 0: its light comes down to the floor at half its height away from it."""


def sunny(pane: Pane) -> Lighting:
    window = PointLight((-0.3, 0.0, 1.5), BLACK, pane=pane)
    return dataclasses.replace(DARK, key_direction=SUN, sun_colour=(1.0, 1.0, 1.0), lamps=(window,))


def test_the_sun_shines_through_panes_and_not_through_bars() -> None:
    pane = Pane((0.0, -0.5, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), columns=2, rows=1, bar=0.1)
    lamps = lamps_of(sunny(pane))
    for x, y, expected in [
        (0.75, 0.25, 1.0),
        (0.75, -0.25, 1.0),
        (0.75, 0.0, 0.0),  # the bar in the middle
        (0.75, 0.05, 0.5),  # its edge
        (0.75, 0.45, 0.5),  # the edge of the frame
        (0.75, 0.6, 0.0),
        (0.49, 0.25, 0.0),  # under the sill
        (1.01, 0.25, 0.0),  # beyond the head's shadow
        (-0.75, 0.25, 0.0),  # outside
    ]:
        assert sun_share(x, y, 0.0, lamps, 0) == pytest.approx(expected, abs=1e-9), (x, y)
    assert sun_share(0.25, 0.25, 1.0, lamps, 0) == pytest.approx(1.0)  # a table in the beam


def test_a_patch_of_sun_lies_before_its_window() -> None:
    pane = Pane((0.0, -0.5, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 2.0), bar=0.0)
    lit, points = floor_picture(sunny(pane)), floor_points()
    x, y = points[..., 0], points[..., 1]
    inside = (x > 0.6) & (x < 1.4) & (np.abs(y) < 0.4)
    near = np.abs(points).max(axis=-1) < 9.0
    outside = near & ((x < 0.45) | (x > 1.55) | (np.abs(y) > 0.55))
    assert inside.sum() > 50
    assert lit[inside].min() > 60.0
    assert lit[outside].max() == 0.0
    along = dataclasses.replace(sunny(pane), key_direction=(0.0, 0.0, 1.0))
    assert floor_picture(along)[near].max() == 0.0


def test_a_lamp_without_a_direction_to_face_is_refused() -> None:
    with pytest.raises(ValueError, match="direction is zero"):
        lamps_of(Lighting(lamps=(PointLight((0.0, 0.0, 1.0), (1.0, 1.0, 1.0), direction=(0.0, 0.0, 0.0)),)))


def home(pool: str, scene: int) -> tuple[Style, HousePlan, Lighting]:
    """A home without furniture, lit."""
    style = style_of_pool(pool)
    plan = draw_plan(0, pool, scene, style)
    pieces = build_structure(generator(0, pool, scene, "structure"), style, plan)
    return style, plan, light_house(generator(0, pool, scene, "light"), style, plan, [], pieces)


@pytest.mark.parametrize("pool", POOLS)
def test_windows_light_the_room_they_belong_to(pool: str) -> None:
    for scene in range(6):
        _, plan, lighting = home(pool, scene)
        for opening in plan.openings:
            if opening.kind != "window":
                continue
            ((index, hole),) = opening.cuts
            wall = plan.walls[index]
            low, high = (np.array([*wall.point(t), z]) for t, z in ((hole.t0, hole.z0), (hole.t1, hole.z1)))
            lower, upper = np.minimum(low, high) - 0.4, np.maximum(low, high) + 0.4
            inside = np.array([*wall.point((hole.t0 + hole.t1) / 2.0, 0.3), 1.0])
            lights = [
                lamp
                for lamp in lighting.lamps
                if lamp.pane
                and lamp.region
                and (lower < np.array(lamp.position)).all()
                and (np.array(lamp.position) < upper).all()
                and (np.array(lamp.region[0]) < inside).all()
                and (inside < np.array(lamp.region[1])).all()
            ]
            assert lights
            glazed = 0.0
            for lamp in lights:
                assert lamp.direction == (*wall.inward, 0.0)
                assert lamp.pane is not None
                glazed += float(np.abs(lamp.pane.across).sum() * lamp.pane.up[2])
            assert 0.6 < glazed / ((hole.t1 - hole.t0) * (hole.z1 - hole.z0)) < 1.0


@pytest.mark.parametrize("pool", POOLS)
def test_every_place_is_lit_by_its_own_room(pool: str) -> None:
    rng = np.random.default_rng(3)
    for scene in range(12):
        _, plan, lighting = home(pool, scene)
        regions = {lamp.region for lamp in lighting.lamps}
        owner: dict[object, int] = {}
        for index, room in enumerate(plan.rooms):
            for x, y in rng.uniform(room.bounds[:2], room.bounds[2:], size=(60, 2)):
                if room.has(x, y):
                    (held,) = (r for r in regions if r and r[0][0] < x < r[1][0] and r[0][1] < y < r[1][1])
                    assert owner.setdefault(held, index) == index


@pytest.mark.parametrize("pool", POOLS)
def test_the_sun_shines_into_every_home_that_has_a_window(pool: str) -> None:
    low, high = style_of_pool(pool).light.key_slope
    for scene in range(6):
        lighting = home(pool, scene)[2]
        x, y, up = lighting.key_direction
        assert low - 1e-3 < np.hypot(x, y) / up < high + 1e-3
        inward = [lamp.direction for lamp in lighting.lamps if lamp.direction]
        assert inward
        assert any(nx * x + ny * y < -0.5 * np.hypot(x, y) for nx, ny, _ in inward)


@pytest.mark.parametrize("pool", POOLS)
def test_light_is_the_same_again_and_differs_from_home_to_home(pool: str) -> None:
    lights = [home(pool, scene)[2] for scene in range(5)]
    assert [home(pool, scene)[2] for scene in range(5)] == lights
    assert all(a.key_direction != b.key_direction and a.exposure != b.exposure for a, b in pairwise(lights))


def test_light_set_ups_share_nothing() -> None:
    a, b = (style_of_pool(pool).light for pool in POOLS)
    for name in ("sun_strength", "daylight", "glow", "lamps"):
        one, other = getattr(a, name), getattr(b, name)
        assert one[0] <= one[1]
        assert other[0] <= other[1]
        assert one[1] < other[0] or other[1] < one[0], name
    assert not {sky.view for sky in a.skies} & {sky.view for sky in b.skies}
