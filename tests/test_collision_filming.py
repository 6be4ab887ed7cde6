"""Pictures of collision scenes, their ids, and what an oracle says of them."""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np
import pytest
from support.collisions import drawn, head_on, scene
from support.cpu_variation import VARIATIONS, assert_same_under_cpu_variation

from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.collisions.appearance import COLOURS as SRGB
from flowbench.collisions.appearance import mesh_of
from flowbench.collisions.filming import Studio, _outlines, _overlapped
from flowbench.collisions.oracle import COLOURS, FRAMES, HEIGHT, MATERIALS, SHAPES, WIDTH, Body
from flowbench.collisions.setup import RADIUS, Setup, Start


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


def one(shape: str, material: str, colour: str) -> Setup:
    return scene((Body(shape, material, colour), Start((0.0, 0.0), 0.5)))


def portrait(studio: Studio, shape: str, material: str, colour: str) -> np.ndarray:
    """Pixels (n, 3) of one body that stands alone."""
    setup = one(shape, material, colour)
    pictures, ids = studio.film(setup, simulate(setup), [0])
    return pictures[0][ids[0] == 1].astype(np.float64)


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_fill_their_bounds(shape: str) -> None:
    low, high = mesh_of(Body(shape, "rubber", "red")).bounds
    assert low == pytest.approx([-RADIUS] * 3, abs=1e-3)
    assert high == pytest.approx([RADIUS] * 3, abs=1e-3)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_mesh_is_closed_and_looks_outward(shape: str) -> None:
    mesh = mesh_of(Body(shape, "rubber", "red"))
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    volume = float((np.cross(a, b) * c).sum()) / 6.0
    solid = {"cube": 8.0, "cylinder": 2.0 * np.pi, "sphere": 4.0 / 3.0 * np.pi}[shape] * RADIUS**3
    assert volume == pytest.approx(solid, rel=0.04)


def test_pictures_have_the_sizes_they_should(studio: Studio) -> None:
    pictures, ids = studio.film(drawn(1).setup, drawn(1).run, [0, 64])
    assert pictures.shape == (2, HEIGHT, WIDTH, 3)
    assert pictures.dtype == np.uint8
    assert ids.shape == (2, HEIGHT, WIDTH)
    assert set(np.unique(ids).tolist()) <= set(range(len(drawn(1).setup.bodies) + 1))


def test_a_frame_does_not_depend_on_what_was_drawn_before(studio: Studio) -> None:
    setup, run = drawn(1).setup, drawn(1).run
    several, ids = studio.film(setup, run, [3, 90, 40])
    reel = studio.reel(setup, run)
    other = studio.reel(drawn(2).setup, drawn(2).run)
    for n, frame in enumerate((3, 90, 40)):
        other.picture(frame)
        assert (reel.picture(frame) == several[n]).all()
        assert (reel.ids(frame) == ids[n]).all()


def test_what_has_not_entered_is_not_seen(studio: Studio) -> None:
    for number in range(3):
        setup, run = drawn(number).setup, drawn(number).run
        oracle = studio.oracle(setup, run)
        for k, body in enumerate(setup.bodies):
            if body.enters is None:
                assert oracle.visible[0, k] > 0
            else:
                assert not oracle.visible[: body.enters + 1, k].any()


@pytest.mark.parametrize("number", range(6))
def test_not_even_the_shadow_of_what_waits_is_seen(studio: Studio, number: int) -> None:
    setup, run = drawn(number).setup, drawn(number).run
    for k, body in enumerate(setup.bodies):
        if body.enters:
            frames = [0, body.enters - 1, body.enters]
            with_it, without = (studio.film(setup, run, frames, erased=erased)[0] for erased in (None, k))
            assert (with_it[:2] == without[:2]).all()
            # From then on metal may mirror its shadow.
            assert np.count_nonzero((with_it[2] != without[2]).any(axis=2)) < 10


def test_the_horizon_lies_above_every_picture() -> None:
    for number in range(6):
        camera = drawn(number).setup.view.camera
        down = [camera.unproject(np.array([u, 0.0]), np.array(1.0))[2] for u in (0.0, WIDTH - 1.0)]
        assert max(down) < camera.eye[2] - 0.1


@pytest.mark.slow
def test_an_oracle_of_pictures(studio: Studio) -> None:
    setup, run = drawn(1).setup, drawn(1).run
    _, ids = studio.film(setup, run)
    oracle = studio.oracle(setup, run, ids)
    again = studio.oracle(setup, run)
    assert (oracle.visible == again.visible).all()
    assert (oracle.whole == again.whole).all()
    assert (oracle.visible <= oracle.whole).all()
    assert oracle.bodies == setup.bodies
    assert oracle.collisions == run.collisions
    for k in range(len(setup.bodies)):
        assert oracle.visible[64, k] == np.count_nonzero(ids[64] == k + 1)
    # A centre lies within what shows the body.
    for k, pixel in enumerate(oracle.pixels[0]):
        if setup.bodies[k].enters is None and oracle.visible[0, k] == oracle.whole[0, k]:
            v, u = np.argwhere(ids[0] == k + 1).mean(axis=0)
            assert pixel == pytest.approx([u, v], abs=4.0)


def test_a_body_behind_another_is_whole_but_not_visible(studio: Studio) -> None:
    view = head_on().view
    x, y = view.eye[0], view.eye[1]
    length = (x * x + y * y) ** 0.5
    front, back = ((-0.6 * x / length * s, -0.6 * y / length * s) for s in (-1.0, 0.4))
    setup = scene(
        (Body("cube", "rubber", "red"), Start(front, 0.9)),
        (Body("sphere", "rubber", "blue"), Start(back, 0.0)),
    )
    oracle = studio.oracle(setup, simulate(setup))
    assert oracle.visible[0, 0] == oracle.whole[0, 0]
    assert 0 < oracle.visible[0, 1] < 0.9 * oracle.whole[0, 1]
    alone = simulate(setup, without=0)
    without = studio.oracle(setup, alone)
    assert without.visible[0, 1] == without.whole[0, 1] == oracle.whole[0, 1]
    assert not without.visible[:, 0].any()
    assert not without.whole[:, 0].any()
    assert np.isnan(without.pixels[:, 0]).all()


def test_who_has_not_entered_is_nowhere(studio: Studio) -> None:
    setup = scene(
        (Body("cube", "rubber", "red", 50), Start((0.0, 0.0), 0.2, (1.0, 0.0))),
        (Body("sphere", "rubber", "blue"), Start((0.4, 0.4), 0.0)),
    )
    oracle = studio.oracle(setup, simulate(setup))
    assert not oracle.visible[:50, 0].any()
    assert not oracle.whole[:50, 0].any()
    assert oracle.whole[50, 0] >= oracle.visible[50, 0] > 100


def test_bounds_hold_what_shows_a_body(studio: Studio) -> None:
    """``whole`` may only be taken from ids where no other body can be in front."""
    for number in range(3):
        setup, run = drawn(number).setup, drawn(number).run
        _, bounds = _outlines(setup, run)
        for frame in (0, 50, 100):
            ids = studio.reel(setup, run).ids(frame)
            for k in range(len(setup.bodies)):
                rows, columns = np.nonzero(ids == k + 1)
                if len(rows):
                    u0, v0, u1, v1 = bounds[frame, k]
                    assert u0 <= columns.min() <= columns.max() <= u1
                    assert v0 <= rows.min() <= rows.max() <= v1
    assert not _overlapped(bounds[:, :1], 0).any()


def test_an_erased_body_leaves_all_else_as_it_is(studio: Studio) -> None:
    setup, run = drawn(1).setup, drawn(1).run
    erased = next(k for k, body in enumerate(setup.bodies) if body.enters is None)
    (with_it,), (ids,) = studio.film(setup, run, [0])
    (without,), (other,) = studio.film(setup, run, [0], erased=erased)
    assert not (other == erased + 1).any()
    kept = (ids != erased + 1) & (ids > 0)
    assert (other[kept] == ids[kept]).all()
    changed = (with_it != without).any(axis=2)
    assert changed[ids == erased + 1].mean() > 0.9
    assert changed.mean() < 0.1


@pytest.mark.parametrize("material", MATERIALS)
def test_colours_can_be_told_apart(studio: Studio, material: str) -> None:
    """The middle colours of any two differ clearly, on every shape."""
    for shape in SHAPES:
        middles = {colour: np.median(portrait(studio, shape, material, colour), axis=0) for colour in COLOURS}
        for one_colour in COLOURS:
            for other in COLOURS:
                if one_colour < other:
                    assert np.abs(middles[one_colour] - middles[other]).max() > 20.0, (shape, one_colour, other)


@pytest.mark.parametrize("colour", COLOURS)
def test_metal_has_highlights_and_dark_places_and_rubber_has_not(studio: Studio, colour: str) -> None:
    metal, rubber = (portrait(studio, "sphere", material, colour).mean(axis=1) for material in ("metal", "rubber"))
    contrast = [float(np.quantile(one, 0.98) - np.quantile(one, 0.10)) for one in (metal, rubber)]
    assert contrast[0] > 1.3 * contrast[1]
    assert metal.max() > rubber.max() + 20.0


def test_rubber_looks_like_its_colour(studio: Studio) -> None:
    for colour in COLOURS:
        seen = np.median(portrait(studio, "cube", "rubber", colour), axis=0)
        wanted = np.array(SRGB[colour])
        if colour != "gray":
            assert int(seen.argmax()) == int(wanted.argmax()) or np.ptp(np.sort(wanted)[1:]) < 0.1
        else:
            assert np.ptp(seen) < 25.0


def test_a_shadow_falls_beside_a_body_and_is_soft(studio: Studio) -> None:
    setup = one("cube", "rubber", "red")
    (lit,), (ids,) = studio.film(setup, simulate(setup), [0])
    empty = studio.film(setup, simulate(setup), [0], erased=0)[0][0]
    darker = (empty.astype(int) - lit.astype(int)).max(axis=2)[ids == 0]
    assert (darker > 40).sum() > 100
    assert ((darker > 8) & (darker < 30)).sum() > 50


def test_the_ground_has_a_texture(studio: Studio) -> None:
    for texture in ("concrete", "linen", "plaster", "stucco"):
        setup = one("cube", "rubber", "red")
        setup = dataclasses.replace(setup, ground=dataclasses.replace(setup.ground, texture=texture))
        picture = studio.film(setup, simulate(setup), [0], erased=0)[0][0]
        assert picture[250:310].astype(float).std() > 0.5


def test_a_film_is_reproducible(studio: Studio) -> None:
    frames = range(0, FRAMES, 32)
    digests = []
    for maker in (studio, Studio()):
        pictures, ids = maker.film(drawn(2).setup, drawn(2).run, frames)
        digests.append(hashlib.sha256(pictures.tobytes() + ids.tobytes()).hexdigest())
    assert digests[0] == digests[1]


FILM = """
    import hashlib
    from flowbench.collisions.filming import Studio
    from flowbench.builders.simulators.collisions.drawing import draw

    drawn = draw(0, 1)
    pictures, ids = Studio().film(drawn.setup, drawn.run, [0, 60, 120])
    print(hashlib.sha256(pictures.tobytes() + ids.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_the_same_pictures_on_every_cpu() -> None:
    assert_same_under_cpu_variation(FILM, [name for name in VARIATIONS if name != "kernels not compiled"])
