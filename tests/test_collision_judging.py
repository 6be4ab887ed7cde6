"""Which scenes are kept, and why the others are not."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from support.collisions import VIEW, drawn, head_on, scene

from flowbench.builders.simulators.collisions.judging import blocked, first_touches, flaw, in_picture
from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.collisions.oracle import FRAMES, SUBSTEPS, Body
from flowbench.collisions.run import Run, Touch
from flowbench.collisions.setup import RADIUS, Start


def changed(run: Run, **arrays: object) -> Run:
    return dataclasses.replace(run, **arrays)


def test_what_is_kept_has_no_flaw() -> None:
    for number in range(4):
        assert flaw(drawn(number).setup, drawn(number).run) is None


def test_the_middle_is_in_the_picture_and_what_lies_behind_is_not() -> None:
    assert in_picture(VIEW, (0.0, 0.0, 0.0))
    x, y, _ = VIEW.eye
    assert not in_picture(VIEW, (2.0 * x, 2.0 * y, 0.0))
    assert not in_picture(VIEW, (3.0, -4.0, 0.0))


def test_a_margin_widens_or_narrows_the_picture() -> None:
    edge = next(k / 100 for k in range(900) if not in_picture(VIEW, (k / 100, -k / 100, 0.0)))
    beside, within = (edge + 0.1, -edge - 0.1, 0.0), (edge - 0.1, 0.1 - edge, 0.0)
    assert in_picture(VIEW, beside, 0.5)
    assert not in_picture(VIEW, beside)
    assert in_picture(VIEW, within)
    assert not in_picture(VIEW, within, -0.5)


def test_one_collision_is_too_few() -> None:
    setup = head_on()
    assert flaw(setup, simulate(setup)) == "too few collisions in the picture"


def test_collisions_out_of_the_picture_do_not_count() -> None:
    setup, run = drawn(0).setup, drawn(0).run
    away = tuple(dataclasses.replace(c, position=(50.0, 50.0, 0.0)) for c in run.collisions)
    assert flaw(setup, changed(run, collisions=away)) == "too few collisions in the picture"


def entrant(setup_number: int) -> int:
    return next(k for k, body in enumerate(drawn(setup_number).setup.bodies) if body.enters is not None)


def test_an_entrant_that_tips_over() -> None:
    made = scene(
        (Body("cube", "rubber", "red", 0), Start((-2.5, 0.0), 0.0, (3.0, 0.0))),
        (Body("sphere", "rubber", "blue"), Start((0.0, 0.0), 0.0)),
    )
    run = simulate(made)
    poses = run.poses.copy()
    poses[5, 0, 3:] = (0.1736, 0.0, 0.0, 0.9848)  # 20 degrees
    assert flaw(made, changed(run, poses=poses)) == "an entrant tips over"
    poses[5, 0, 3:] = (0.0872, 0.0, 0.0, 0.9962)  # 10 degrees
    assert flaw(made, changed(run, poses=poses)) != "an entrant tips over"
    late = poses.copy()
    late[100, 0, 3:] = (0.7071, 0.0, 0.0, 0.7071)  # after the collision
    assert flaw(made, changed(run, poses=late)) != "an entrant tips over"


def test_a_resident_that_moves_by_itself() -> None:
    setup = head_on()
    run = simulate(setup)
    velocities = run.velocities.copy()
    velocities[3, 1] = (0.1, 0.0, 0.0)
    assert flaw(setup, changed(run, velocities=velocities)) == "a resident does not rest"


def test_a_body_in_the_entrance() -> None:
    setup = scene(
        (Body("cube", "rubber", "red", 30), Start((-2.0, 0.0), 0.0, (3.0, 0.0))),
        (Body("sphere", "rubber", "blue"), Start((-2.0, 2.6 * RADIUS), 0.0)),
    )
    assert blocked(setup, simulate(setup))
    assert flaw(setup, simulate(setup)) == "an entrance is blocked"
    assert not blocked(setup, simulate(setup, without=1))


def test_who_still_waits_blocks_nothing() -> None:
    setup = scene(
        (Body("cube", "rubber", "red", 0), Start((-2.0, 0.0), 0.0, (3.0, 0.0))),
        (Body("cube", "rubber", "blue", 60), Start((-2.0, 0.1), 0.0, (3.0, 0.0))),
    )
    assert not blocked(setup, simulate(setup))


def test_an_entrant_that_is_hardly_seen() -> None:
    setup = scene(
        (Body("sphere", "rubber", "red", 0), Start((4.0, -4.0), 0.0, (0.0, -3.0))),
        (Body("sphere", "rubber", "blue"), Start((0.0, 0.0), 0.0)),
    )
    assert flaw(setup, simulate(setup)) == "an entrant is hardly seen"


def test_a_body_that_is_thrown_up() -> None:
    setup, run = drawn(0).setup, drawn(0).run
    poses = run.poses.copy()
    poses[127, 0, 2] = 1.0
    assert flaw(setup, changed(run, poses=poses)) == "a body is thrown up"


@pytest.mark.parametrize("count", [2, 4])
def test_first_touches(count: int) -> None:
    run = simulate(head_on())
    nothing = changed(run, touches=(), poses=np.zeros((FRAMES, count, 7)))
    assert first_touches(nothing, count) == [FRAMES * SUBSTEPS] * count
    some = changed(nothing, touches=(Touch(7, 9, (0, 1)), Touch(30, 31, (0, 1))))
    assert first_touches(some, count)[:2] == [7, 7]
