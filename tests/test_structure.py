"""Woodwork and windows: cut as the plan says, solid where they are seen, a far view behind the panes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from support.shots import AHEAD, WHITE, square

from flowbench.builders.simulators.bullet.house import draw_plan
from flowbench.builders.simulators.bullet.joinery import PANE_DEPTH, Outlook, window
from flowbench.builders.simulators.bullet.openings import FRAME, Hole, HousePlan, Opening
from flowbench.builders.simulators.bullet.pieces import Piece
from flowbench.builders.simulators.bullet.structure import build_structure
from flowbench.builders.simulators.bullet.styles import style_of_pool
from flowbench.builders.simulators.bullet.woodwork import WindowKind
from flowbench.geometry import Camera
from flowbench.rendering import Instance, Lighting, Material, Renderer
from flowbench.rendering.textures import TEXTURES
from flowbench.seeding import generator

POOLS = ("homes_train", "homes_test")
PLAIN = Material()
OUTLOOK = Outlook(Material("plain", scale=0.0, emission=1.0), 0.0, (1.0, 1.0, 1.0))


def built(pool: str, scene: int) -> tuple[HousePlan, list[Piece]]:
    style = style_of_pool(pool)
    plan = draw_plan(0, pool, scene, style)
    return plan, build_structure(generator(0, pool, scene, "structure"), style, plan)


def a_window(kind: WindowKind, width: float, height: float) -> Piece:
    """A window of this clear size, in some outer wall."""
    plan, _ = built("homes_train", 0)
    wall = next(wall for wall in plan.walls if wall.outer)
    look = style_of_pool("homes_train").woodwork.draw(generator(0, "woodwork", 0))
    hole = Hole(0.5, 0.5 + width + 2 * FRAME, 0.9, 0.9 + height + 2 * FRAME)
    opening = Opening("window", ((wall.index, hole),))
    return window(plan, opening, dataclasses.replace(look, window=kind), PLAIN, OUTLOOK)


@pytest.mark.parametrize(
    ("largest", "transom", "expected"),
    [
        ((0.85, 9.0), 0.0, [(2, 1)]),
        ((2.0, 9.0), 0.0, [(1, 1)]),
        ((9.0, 0.5), 0.0, [(1, 3)]),
        ((0.4, 0.4), 0.0, [(4, 3)]),
        ((0.8, 9.0), 0.25, [(2, 1), (2, 1)]),
    ],
)
def test_a_window_has_as_few_panes_as_it_may(
    largest: tuple[float, float], transom: float, expected: list[tuple[int, int]]
) -> None:
    piece = a_window(WindowKind(0.05, largest, transom, 0.03), 1.4, 1.1)
    assert [(glass.pane.columns, glass.pane.rows) for glass in piece.glass] == expected
    for glass in piece.glass:
        assert np.abs(glass.pane.across).sum() == pytest.approx(1.4 - 2 * 0.035)
    height = sum(glass.pane.up[2] for glass in piece.glass)
    assert height == pytest.approx(1.1 - 2 * 0.035 * len(piece.glass))


@pytest.mark.parametrize("pool", POOLS)
def test_doors_and_windows_are_solid_where_they_are_seen(pool: str) -> None:
    for scene in range(4):
        _, pieces = built(pool, scene)
        for piece in (p for p in pieces if p.object_type in ("Door", "Window")):
            wooden = [k for k, m in enumerate(piece.mesh.materials) if m.metallic < 0.5]  # handles jut out
            faces = piece.mesh.faces[np.isin(piece.mesh.face_materials, wooden)]
            seen = piece.mesh.vertices[np.unique(faces)]
            seen = seen[seen[:, 2] > 0.01]  # what lies on the floor of a doorway is walked on
            held = np.zeros(len(seen), dtype=bool)
            for corners in piece.parts:
                held |= ((seen > corners.min(axis=0) - 1e-6) & (seen < corners.max(axis=0) + 1e-6)).all(axis=1)
            assert held.all()


@pytest.mark.parametrize("pool", POOLS)
def test_panes_lie_in_the_holes_of_the_plan(pool: str) -> None:
    for scene in range(6):
        plan, pieces = built(pool, scene)
        openings = [opening for opening in plan.openings if opening.kind == "window"]
        windows = [piece for piece in pieces if piece.object_type == "Window"]
        assert windows
        for opening, piece in zip(openings, windows, strict=True):
            ((index, hole),) = opening.cuts
            wall = plan.walls[index]
            ends = np.array([wall.point(t, -PANE_DEPTH) for t in (hole.t0, hole.t1)])
            for glass in piece.glass:
                corner = np.array(glass.pane.corner)
                far = corner + glass.pane.across + glass.pane.up
                for point in (corner, far):
                    assert (point[:2] > ends.min(axis=0) - 1e-6).all()
                    assert (point[:2] < ends.max(axis=0) + 1e-6).all()
                    assert hole.z0 < point[2] < hole.z1
                assert glass.inward == wall.inward


@pytest.mark.parametrize("pool", POOLS)
def test_boards_leave_doors_free_and_meet_round_corners(pool: str) -> None:
    look = style_of_pool(pool).woodwork
    jutting = 0
    for scene in range(30):
        plan, pieces = built(pool, scene)
        for wall, piece in zip(plan.walls, (p for p in pieces if p.object_type == "Wall"), strict=True):
            before = (piece.mesh.vertices[:, :2] - wall.start) @ np.array(wall.inward)
            low = piece.mesh.vertices[(before > 1e-6) & (piece.mesh.vertices[:, 2] < 0.02)]
            along = (low[:, :2] - wall.start) @ np.array(wall.along)
            for hole in (h for h in plan.holes(wall.index) if h.z0 == 0.0):
                assert not ((along > hole.t0) & (along < hole.t1)).any()
            juts = any(w.room == wall.room and w.start == wall.end and w.inward == wall.along for w in plan.walls)
            jutting += juts
            if len(along):
                past = along.max() - wall.length
                assert look.baseboard_depth[0] <= past + 1e-9 if juts else past < 1e-9
    assert jutting


def test_styles_share_no_woodwork() -> None:
    a, b = (style_of_pool(pool).woodwork for pool in POOLS)
    for name in ("baseboard_height", "baseboard_depth", "casing_width"):
        one, other = getattr(a, name), getattr(b, name)
        assert one[1] < other[0] or other[1] < one[0], name
    assert not set(a.windows) & set(b.windows)
    assert not set(a.leaves) & set(b.leaves)
    for name in ("casing_depth", "baseboard_lip", "cornice", "handle"):
        assert getattr(a, name) != getattr(b, name), name


def test_every_sky_has_its_texture() -> None:
    for pool in POOLS:
        for sky in style_of_pool(pool).light.skies:
            assert TEXTURES[sky.view](generator(0, sky.view, 0)).shape == (256, 256, 3)


def test_a_far_view_does_not_come_nearer() -> None:
    """Its horizon is level with the eye and its sides are where they were, wherever one stands."""
    halves = np.zeros((64, 64, 3), dtype=np.uint8)
    halves[32:, :, 1] = 255  # above the horizon: green; below: red
    halves[:32, :, 0] = 255
    renderer = Renderer({**WHITE, "halves": halves})
    pane = dataclasses.replace(square(2.0, 6.0), materials=(Material("halves", scale=0.0, emission=1.0),))
    dark = Lighting(key_colour=(0.0,) * 3, ambient_up=(0.0,) * 3, ambient_down=(0.0,) * 3)
    renderer.load([Instance(1, pane)], dark)
    for eye in ((0.0, 0.0, 0.0), (0.5, 0.8, 0.7), (-0.4, -1.0, -0.9)):
        camera = Camera.standing(eye, np.pi / 2, width=AHEAD.width, height=AHEAD.height)
        rgb = renderer.render(camera, rgb=True).rgb
        assert rgb is not None
        assert (rgb[:58, 20:140, 1] > 100).all()
        assert (rgb[:58, 20:140, 0] == 0).all()
        assert (rgb[62:, 20:140, 0] > 100).all()
        assert (rgb[62:, 20:140, 1] == 0).all()


def test_a_far_view_can_be_turned() -> None:
    stripe = np.zeros((64, 64, 3), dtype=np.uint8)
    stripe[:, 14:18] = 255  # a quarter of the way through the texture
    renderer = Renderer({**WHITE, "stripe": stripe})
    dark = Lighting(key_colour=(0.0,) * 3, ambient_up=(0.0,) * 3, ambient_down=(0.0,) * 3)
    camera = Camera.standing((0.0, 0.0, 0.0), np.pi / 2, width=AHEAD.width, height=AHEAD.height)
    found = []
    for turn in (0.25, 0.0):
        mesh = square(2.0, 9.0)
        uvs = np.tile([turn, 0.0], (len(mesh.vertices), 1))
        pane = dataclasses.replace(mesh, uvs=uvs, materials=(Material("stripe", scale=0.0, emission=1.0),))
        renderer.load([Instance(1, pane)], dark)
        rgb = renderer.render(camera, rgb=True).rgb
        assert rgb is not None
        found.append(np.flatnonzero(rgb[60, :, 1] > 100))
    ahead, aside = found
    assert abs(ahead.mean() - 79.5) < 1.0
    assert abs(aside - 79.5).min() > 15.0
