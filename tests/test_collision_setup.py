"""Drawing collision scenes: what is in them, what twins share, what is rejected, and setups as JSON."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from support.collisions import drawn, scene

from flowbench.builders.simulators.collisions import drawing
from flowbench.builders.simulators.collisions.drawing import draw, draw_scene
from flowbench.builders.simulators.collisions.judging import in_picture
from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.collisions.appearance import GROUNDS as DRAWABLE
from flowbench.collisions.oracle import FRAMES, Body
from flowbench.collisions.setup import GROUNDS, RADIUS, Start, as_json, from_json
from flowbench.errors import FlowbenchError, UsageError

SOME = range(4)


@pytest.mark.parametrize("number", SOME)
def test_what_is_in_a_scene(number: int) -> None:
    setup = drawn(number).setup
    assert 3 <= len(setup.bodies) == len(setup.starts) <= 6
    assert len({(body.shape, body.material, body.colour) for body in setup.bodies}) == len(setup.bodies)
    entrants = [k for k, body in enumerate(setup.bodies) if body.enters is not None]
    assert 1 <= len(entrants) < len(setup.bodies)
    for k, (body, start) in enumerate(zip(setup.bodies, setup.starts, strict=True)):
        assert in_picture(setup.view, (*start.place, RADIUS), RADIUS) == (k not in entrants)
        assert (start.velocity == (0.0, 0.0)) == (body.enters is None)


def test_a_scene_is_a_function_of_seed_and_number() -> None:
    first, again = draw(0, 0), draw(0, 0)
    assert first.setup == again.setup
    assert first.rejects == again.rejects
    assert first.run.poses.tobytes() == again.run.poses.tobytes()
    assert draw_scene(1, 0) != first.setup


def test_twins_look_alike_and_move_otherwise() -> None:
    setup, twin, other = (drawn(0, number).setup for number in (0, 1, 2))
    assert (setup.view, setup.light, setup.ground) == (twin.view, twin.light, twin.ground)
    looks = [[(body.shape, body.material, body.colour) for body in one.bodies] for one in (setup, twin, other)]
    assert looks[0] == looks[1] == looks[2]
    assert len({one.starts for one in (setup, twin, other)}) == 3
    assert twin.twin == 1


def test_rejects_are_counted() -> None:
    reasons = set().union(*(drawn(number).rejects for number in range(12)))
    assert {"too few collisions in the picture", "two objects are alike"} <= reasons


def test_a_seed_without_a_good_draw_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_MOST_DRAWS", 3)
    monkeypatch.setattr(drawing, "flaw", lambda setup, run: "never good")
    with pytest.raises(FlowbenchError, match="scene 5 of seed 0: none of 3 draws was good"):
        draw(0, 5)


def test_a_setup_survives_json() -> None:
    setup = drawn(1).setup
    again = from_json(json.loads(json.dumps(as_json(setup))))
    assert again == setup
    assert simulate(again).poses.tobytes() == drawn(1).run.poses.tobytes()


def broken(key: str, value: Any) -> dict[str, Any]:
    plain = copy.deepcopy(as_json(drawn(1).setup))
    *way, last = key.split(".")
    part: Any = plain
    for step in way:
        part = part[int(step) if step.isdigit() else step]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return plain


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("bodies.0.shape", "cone", "'cone' is none of cube, cylinder, sphere"),
        ("bodies.0.colour", "pink", "'pink'"),
        ("bodies.0.enters", FRAMES, "frame 128"),
        ("starts", [], "0 starts"),
        ("light", None, "light"),
        ("view.focal", None, "focal"),
        ("view.zoom", 2.0, "zoom"),
        ("view.yaw", float("nan"), "yaw nan"),
        ("ground.texture", "lava", "'lava'"),
    ],
)
def test_a_broken_setup_is_refused_in_one_sentence(key: str, value: Any, said: str) -> None:
    with pytest.raises(UsageError, match="expected what flowbench wrote") as error:
        from_json(broken(key, value))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_every_ground_can_be_drawn() -> None:
    assert set(GROUNDS) == set(DRAWABLE)


def test_entrants_come_from_outside_whatever_they_are_aimed_at() -> None:
    rng = np.random.Generator(np.random.PCG64(3))
    view = drawn(0).setup.view
    starts = [drawing._entrant(rng, view, (float(x), float(y))) for x, y in rng.uniform(-1.5, 1.5, (40, 2))]
    found = [start for start in starts if start is not None]
    assert len(found) > 30
    assert not any(in_picture(view, (*start.place, RADIUS), RADIUS) for start in found)


def test_a_scene_by_hand_is_a_setup() -> None:
    made = scene((Body("cube", "metal", "gray"), Start((0.0, 0.0), 0.3)))
    assert from_json(as_json(made)) == made
