"""Flat panels and lines of print: what they show, and that they weigh nothing."""

from __future__ import annotations

import numpy as np
import pytest

from flowbench.builders.simulators.bullet.collision import centre_of_mass
from flowbench.builders.simulators.bullet.models.assembly import Assembly
from flowbench.builders.simulators.bullet.models.draw import Draw
from flowbench.builders.simulators.bullet.models.printing import ellipse, lines, panel
from flowbench.rendering import Material
from flowbench.rendering.placing import translation


def test_a_panel_shows_one_upright_repeat_and_faces_the_front() -> None:
    mesh = panel([(-0.1, 0.0), (0.3, 0.0), (0.3, 0.5), (-0.1, 0.5)], Material())
    assert mesh.bounds[0] == pytest.approx((-0.1, 0.0, 0.0))
    assert mesh.bounds[1] == pytest.approx((0.3, 0.0, 0.5))
    corner = int(np.flatnonzero((mesh.vertices == (0.3, 0.0, 0.5)).all(axis=1))[0])
    assert tuple(mesh.uvs[corner]) == (1.0, 1.0)
    assert tuple(mesh.normals[0]) == (0.0, -1.0, 0.0)


def test_pictures_and_panels_weigh_nothing() -> None:
    assembly = Assembly("Laptop")
    assembly.box((0.4, 0.4, 0.4), (0.0, 0.0, 0.2), Material())
    assembly.picture(0.4, 0.3, Material(), at=(0.0, 0.2, 0.5))
    assembly.add(panel(ellipse(0.2, 0.3), Material()), at=(0.3, -0.3, 0.3))
    mesh = assembly.model(1.0).mesh
    box = mesh.vertices[:8].mean(axis=0)
    assert centre_of_mass(mesh) == pytest.approx((*box[:2], 0.2), abs=1e-3)


def test_lines_stay_in_their_area_and_begin_on_the_left() -> None:
    assembly = Assembly("Newspaper")
    draw = Draw(np.random.default_rng(0), "train", {})
    lines(assembly, draw, (0.2, 0.1), 5, Material(), at=translation(0.0, 0.0, 0.0))
    mesh = assembly.model(1.0, anchor="wall").mesh
    assert np.ptp(mesh.vertices[:, 0]) <= 0.2
    assert np.ptp(mesh.vertices[:, 2]) <= 0.1
    lefts = mesh.vertices[:, 0].reshape(-1, 4).min(axis=1)
    assert lefts == pytest.approx(np.full(len(lefts), lefts[0]))
    assert len(lefts) == 10, "five lines, each with a back"
