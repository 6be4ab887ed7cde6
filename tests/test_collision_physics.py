"""How bodies move: momentum, collisions, rest, exact runs without a body, and the same bytes on every CPU."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.collisions import drawn, head_on, scene
from support.cpu_variation import QUICK, assert_same_under_cpu_variation

from flowbench.builders.simulators.collisions.judging import reached
from flowbench.builders.simulators.collisions.physics import LEAST_SPEED, MASSES, STEP, State, moved, simulate
from flowbench.collisions.oracle import FPS, FRAMES, SHAPES, SUBSTEPS, Body
from flowbench.collisions.setup import RADIUS, Start

UPRIGHT = (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(("first", "second"), [("rubber", "rubber"), ("metal", "rubber"), ("metal", "metal")])
def test_spheres_that_meet_centrally(first: str, second: str) -> None:
    run = simulate(head_on("sphere", first, second))
    (collision,) = run.collisions
    assert collision.pair == (0, 1)
    assert collision.position == pytest.approx((-RADIUS, 0.0, RADIUS), abs=0.02)
    f = collision.frame
    speed = float(run.velocities[f, 0, 0])
    assert collision.speed == pytest.approx(speed, rel=0.02)
    # The resident's momentum after the collision is the impulse; friction takes a little of it within a frame.
    assert collision.impulse == pytest.approx(MASSES[second] * run.velocities[f + 1, 1, 0], rel=0.06)
    total = MASSES[first] * run.velocities[f + 1, 0, 0] + MASSES[second] * run.velocities[f + 1, 1, 0]
    assert total == pytest.approx(MASSES[first] * speed, rel=0.08)
    # Frame f shows the state before it, frame f + 1 the first one after.
    assert run.velocities[f, 1, 0] == pytest.approx(0.0, abs=1e-3)
    assert run.velocities[f + 1, 1, 0] > 0.5


@pytest.mark.parametrize("shape", SHAPES)
def test_one_meeting_is_one_collision(shape: str) -> None:
    run = simulate(head_on(shape))
    assert len(run.collisions) == 1
    assert 0 <= run.collisions[0].substep < SUBSTEPS


def test_a_gentle_touch_is_no_collision() -> None:
    beside = Start((0.0, 2.0 * RADIUS + 0.0005), 0.0)
    run = simulate(
        scene(
            (Body("cube", "rubber", "red", 0), Start((0.0, 0.0), 0.0, (0.0, 0.5 * LEAST_SPEED))),
            (Body("cube", "rubber", "blue"), beside),
        )
    )
    assert run.collisions == ()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_resident_rests(shape: str) -> None:
    run = simulate(scene((Body(shape, "rubber", "red"), Start((0.3, -0.2), 0.4))))
    assert float(np.abs(run.velocities).max()) < 1e-3
    assert float(np.abs(run.poses[..., :3] - run.poses[0, :, :3]).max()) < 1e-3


def test_a_sphere_rolls_and_a_cube_slides_to_a_stop() -> None:
    ball = simulate(scene((Body("sphere", "metal", "red", 0), Start((-3.0, 0.0), 0.0, (2.0, 0.0)))))
    slip = ball.velocities[:, 0, 0] - RADIUS * ball.spins[:, 0, 1]
    assert float(np.abs(slip).max()) < 0.02
    assert ball.velocities[-1, 0, 0] > 1.0
    cube = simulate(scene((Body("cube", "rubber", "red", 0), Start((-3.0, 0.0), 0.0, (2.0, 0.0)))))
    assert float(np.abs(cube.velocities[-1]).max()) < 1e-3
    assert 0.5 < cube.poses[-1, 0, 0] + 3.0 < 3.0


@pytest.mark.parametrize("angle", [0.0, 0.4, 0.785])
def test_friction_has_no_direction_of_its_own(angle: float) -> None:
    """A body that slides askew to the axes slides straight, and as far."""
    way = (round(3.0 * math.cos(angle), 6), round(3.0 * math.sin(angle), 6))
    run = simulate(scene((Body("cube", "rubber", "red", 0), Start((0.0, 0.0), angle, way))))
    end = run.poses[-1, 0, :2]
    assert math.hypot(*end) == pytest.approx(2.77, abs=0.05)
    assert math.atan2(end[1], end[0]) == pytest.approx(angle, abs=0.08)


def test_a_body_waits_at_its_start_until_it_enters() -> None:
    run = simulate(scene((Body("cube", "rubber", "red", 40), Start((-3.0, 0.0), 0.2, (2.0, 0.0)))))
    assert (run.poses[:41] == run.poses[0]).all()
    assert (run.velocities[:40] == 0.0).all()
    assert run.velocities[40, 0].tolist() == [2.0, 0.0, 0.0]
    assert run.poses[41, 0, 0] == pytest.approx(-3.0 + 2.0 / FPS, abs=0.005)


def test_frames_are_ordered_and_collisions_too() -> None:
    run = drawn(0).run
    assert run.poses.shape == (FRAMES, len(drawn(0).setup.bodies), 7)
    moments = [(c.frame, c.substep, c.pair) for c in run.collisions]
    assert moments == sorted(moments)
    assert all(c.speed >= LEAST_SPEED and c.pair[0] < c.pair[1] for c in run.collisions)
    assert all(touch.step <= touch.last for touch in run.touches)


@pytest.mark.parametrize("number", range(5))
def test_without_a_body_what_it_does_not_reach_moves_in_the_same_bits(number: int) -> None:
    setup, run = drawn(number).setup, drawn(number).run
    for removed in range(len(setup.bodies)):
        other = simulate(setup, without=removed)
        assert np.isnan(other.poses[:, removed]).all()
        for k, moment in enumerate(reached(run, other, removed)):
            if k == removed:
                continue
            upto = min(moment // SUBSTEPS + 1, FRAMES)
            for one, two in ((run.poses, other.poses), (run.velocities, other.velocities), (run.spins, other.spins)):
                assert one[:upto, k].tobytes() == two[:upto, k].tobytes()
            if moment < (FRAMES - 2) * SUBSTEPS:
                assert one[upto + 1 :, k].tobytes() != two[upto + 1 :, k].tobytes()


def test_what_happens_elsewhere_does_not_matter_at_all() -> None:
    """Two meetings far apart: without a body of the one, the other happens in the same bits, to the end."""
    setup = scene(
        (Body("cylinder", "rubber", "red", 3), Start((-2.0, -1.5), 0.1, (3.0, 0.1))),
        (Body("cube", "metal", "red"), Start((-0.3, -1.4), 0.7)),
        (Body("cube", "rubber", "blue", 5), Start((-2.0, 1.5), 0.2, (3.2, 0.0))),
        (Body("cylinder", "metal", "blue"), Start((-0.3, 1.6), 0.0)),
    )
    run = simulate(setup)
    assert {c.pair for c in run.collisions} == {(0, 1), (2, 3)}
    for removed in (0, 1):
        other = simulate(setup, without=removed)
        assert reached(run, other, removed)[2:] == [FRAMES * SUBSTEPS] * 2
        assert run.poses[:, 2:].tobytes() == other.poses[:, 2:].tobytes()
        assert [c for c in run.collisions if c.pair == (2, 3)] == list(other.collisions)


def test_only_a_body_of_the_scene_can_be_left_out() -> None:
    for number in (-1, 2):
        with pytest.raises(ValueError, match="no body"):
            simulate(head_on(), without=number)


@settings(max_examples=60, deadline=None)
@given(spin=st.tuples(*[st.floats(-60.0, 60.0)] * 3), velocity=st.tuples(*[st.floats(-9.0, 9.0)] * 3))
def test_a_substep_turns_by_the_angle_it_should(
    spin: tuple[float, float, float], velocity: tuple[float, float, float]
) -> None:
    state = moved(State((1.0, 2.0, 3.0), UPRIGHT, (0.0,) * 3, (0.0,) * 3), velocity, spin)
    rate = math.sqrt(math.fsum(part * part for part in spin))
    half = 0.5 * STEP * rate
    assert state.turn[3] == pytest.approx(math.cos(half), abs=1e-14)
    for part, along in zip(state.turn, spin, strict=False):
        assert part == pytest.approx(along / rate * math.sin(half) if rate > 0.0 else 0.0, abs=1e-14)
    assert state.place == pytest.approx([x + v * STEP for x, v in zip((1.0, 2.0, 3.0), velocity, strict=True)])


def test_turns_add_up() -> None:
    state = State((0.0, 0.0, 0.0), UPRIGHT, (0.0,) * 3, (0.0,) * 3)
    for _ in range(FPS * SUBSTEPS):
        state = moved(state, (0.0,) * 3, (0.0, 0.0, math.pi))
    assert state.turn == pytest.approx((0.0, 0.0, 1.0, 0.0), abs=1e-12)


RUNS = """
    import hashlib
    from flowbench.builders.simulators.collisions.drawing import draw

    digest = hashlib.sha256()
    for number in range(3):
        drawn = draw(0, number)
        digest.update(repr(drawn.setup).encode() + repr(drawn.run.collisions).encode())
        for array in (drawn.run.poses, drawn.run.velocities, drawn.run.spins):
            digest.update(array.tobytes())
    print(digest.hexdigest())
"""


@pytest.mark.slow
def test_the_same_bytes_on_every_cpu() -> None:
    assert_same_under_cpu_variation(RUNS, QUICK)
