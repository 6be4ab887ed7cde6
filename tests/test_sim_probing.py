"""Probes: the swept outcome against a march in steps, and what a viewer cannot follow."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hulls import hulls, offsets
from support.published import MOVER, box, home, paint, thing
from support.still import arrangement, block, sight_of, sights_of

from flowbench.builders.sim.categories.feasibility import Feasibility
from flowbench.builders.sim.items import Label, Question, Reject
from flowbench.builders.sim.language import path_text
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.probing import TOLERANCE, probe_way
from flowbench.builders.sim.sliding import LIFT
from flowbench.builders.sim.view import Sight
from flowbench.geometry import Camera, ConvexParts, Pose
from flowbench.validation import recompute

STEP = 0.001
Float = np.ndarray


@dataclass(frozen=True)
class Solid:
    """An upright box by its middle and half sizes, metres."""

    middle: tuple[float, float, float]
    half: tuple[float, float, float]

    @property
    def corners(self) -> Float:
        (x, y, z), (w, d, h) = self.middle, self.half
        return block(x, y, z - h, (2 * w, 2 * d, 2 * h))


def first_overlap(mover: Solid, grown: float, way: Float, things: list[Solid]) -> float | None:
    """Metres that a box grown on all sides travels before it overlaps a thing, by looking at every millimetre."""
    length = math.hypot(*way)
    steps = np.minimum(np.arange(0.0, length + STEP, STEP), length)
    places = np.array(mover.middle) + np.array([0.0, 0.0, LIFT]) + steps[:, None] * np.array([*way, 0.0]) / length
    hit = np.zeros(len(steps), dtype=bool)
    for each in things:
        reach = np.array(mover.half) + grown + np.array(each.half)
        hit |= (np.abs(places - np.array(each.middle)) < reach).all(axis=1)
    return float(steps[np.argmax(hit)]) if hit.any() else None


def overlaps(a: Solid, b: Solid) -> bool:
    return all(abs(p - q) < g + h + 0.002 for p, q, g, h in zip(a.middle, b.middle, a.half, b.half, strict=True))


places = st.integers(-90, 90).map(lambda cm: cm / 100.0)
sizes = st.tuples(*[st.integers(4, 25).map(lambda cm: cm / 100.0)] * 3)
heights = st.sampled_from([0, 0, 0, 10, 38, 40, 41, 43, 46, 60]).map(lambda cm: cm / 100.0)
solids = st.builds(lambda x, y, z, half: Solid((x, y, half[2] + z), half), places, places, heights, sizes)
ways = st.tuples(st.integers(-80, 80), st.integers(-80, 80)).filter(lambda way: math.hypot(*way) >= 20)


@settings(max_examples=150)
@given(st.tuples(*[st.integers(4, 20).map(lambda cm: cm / 100.0)] * 3), st.lists(solids, max_size=4), ways)
def test_a_probe_meets_what_a_march_in_millimetres_meets(
    half: tuple[float, float, float], things: list[Solid], centimetre_way: tuple[int, int]
) -> None:
    """Clear outcomes are the march's, and stay so for a mover 1.7 cm larger or smaller; rejects change within 3 cm."""
    mover = Solid((0.0, 0.0, half[2]), half)
    things = [thing for thing in things if not overlaps(mover, thing)]
    way = np.array(centimetre_way) / 100.0
    scene = arrangement(Mover=[mover.corners], **{f"Thing{i}": [thing.corners] for i, thing in enumerate(things)})
    outcome = probe_way(scene, "Mover", (float(way[0]), float(way[1])))
    met = first_overlap(mover, 0.0, way, things)
    smaller = first_overlap(mover, -0.0305, way, things)
    if isinstance(outcome, Reject):
        larger = first_overlap(mover, 0.0305, way, things)
        assert larger is not None if met is None else smaller is None
    elif outcome.label.answer == "yes":
        assert met is None
        assert (outcome.blocker, outcome.reach) == (None, pytest.approx(math.hypot(*way)))
        ahead = [thing for thing in things if first_overlap(mover, 0.017, way * 1e-3, [thing]) is None]
        assert first_overlap(mover, 0.017, way, ahead) is None
    else:
        assert met == pytest.approx(outcome.reach, abs=2 * STEP)
        blocker = things[int(str(outcome.blocker).removeprefix("Thing"))]
        assert first_overlap(mover, 0.0, way, [blocker]) == met
        assert first_overlap(mover, -0.017, way, things) is not None
        assert outcome.label.margin == pytest.approx(math.hypot(*way) - outcome.reach - TOLERANCE)


@st.composite
def homes(draw: st.DrawFn) -> dict[str, Any]:
    """Metadata of a home: a mover of two boxes, turned boxes about it."""
    yaw = st.integers(0, 90).map(math.radians)
    halves = [draw(sizes) for _ in range(2)]
    parts = [box(half, (0.05 * i, 0.0, half[2])) for i, half in enumerate(halves)]
    start, end = (Pose.upright(x, 0.0, 0.0, draw(yaw)) for x in (-0.3, 0.3))
    things = [
        thing(
            31 + i, "Box", [box(draw(sizes), (0.0, 0.0, 0.1))], Pose.upright(draw(places), draw(places), 0.0, draw(yaw))
        )
        for i in range(draw(st.integers(1, 4)))
    ]
    camera = Camera.standing((0.0, -3.0, 1.6), math.pi / 2.0, width=32, height=24)
    return home(camera, thing(MOVER, "Box", parts, start, end), [], things)


@settings(max_examples=40)
@given(homes(), ways)
def test_the_recheck_sweeps_a_second_way_and_finds_the_same(meta: dict[str, Any], way: tuple[int, int]) -> None:
    right, away = (cm / 100.0 for cm in way)
    text = path_text(Move(*way))
    question = recompute.Question(
        "feasibility", "balanced", None, None, (text, text), ("No", "Yes"), MOVER, (), (), (right, away)
    )
    image, depth = paint((32, 24), []), np.ones((24, 32), dtype=np.float32)
    published = recompute.HomeMeta.parse(json.dumps(meta).encode())
    evidence = recompute.Evidence(question, image, image, depth, depth, published)
    found = recompute.RECOMPUTE["feasibility"](evidence)
    before, after = (probe_way(sight.arrangement, f"Box|{MOVER}", (right, away)) for sight in sights_of(evidence))
    if isinstance(after, Reject):
        assert found.margin is None or found.margin < 2e-4
    else:
        assert found.answer == {"no": "A", "yes": "B"}[after.label.answer]
        assert found.margin == pytest.approx(after.label.margin, abs=1e-4)
    if not isinstance(before, Reject):
        assert found.before_answer == {"no": "A", "yes": "B"}[before.label.answer]


@given(st.lists(hulls(), min_size=1, max_size=4), offsets())
def test_a_sweep_is_the_hull_of_both_ends_of_each_part(parts: list[Float], way: Float) -> None:
    swept = ConvexParts.of(parts).swept(way)
    plain = [np.concatenate([part, part + way]) for part in parts]
    assert len(swept.parts) == len(plain)
    assert all(np.array_equal(a, b) for a, b in zip(swept.parts, plain, strict=True))


CAMERA = Camera.standing((-2.0, 0.0, 0.5), 0.0, width=160, height=120)
RIGHT = Move(50, 0)


def seen(thing_pixels: int = 40, *, depth: float = 9.0, at: float = -0.5) -> Sight:
    """A cube two metres ahead, a box to its right (world -y) or far to its left; the box's pixels are in a corner."""
    cube = [block(0, 0, 0, (0.2, 0.2, 0.2))]
    scene = arrangement(Mover=cube, Thing=[block(0, at, 0, (0.2, 0.2, 0.4))])
    ids = np.zeros((120, 160), dtype=np.uint16)
    ids[60:70, 70:90] = 1
    ids.ravel()[:thing_pixels] = 2
    return sight_of(scene, CAMERA, ids, np.full(ids.shape, depth, dtype=np.float32))


def read(sight: Sight, probe: Move | None) -> Label | Reject:
    return Feasibility().read(sight, Question("Mover", (), None, None, probe))


def test_what_a_viewer_can_follow_is_asked() -> None:
    assert read(seen(), RIGHT) == Label("no", pytest.approx(0.5 - 0.3 - 0.03, abs=1e-4))
    assert read(seen(at=3.0), RIGHT) == Label("yes", pytest.approx(0.22))


@pytest.mark.parametrize(
    ("sight", "probe", "reason"),
    [
        (seen(15), RIGHT, "blocker hardly seen"),  # 400 px of 800 x 600 are 16 px of 160 x 120
        (seen(0), RIGHT, "blocker hardly seen"),
        (seen(at=3.0), Move(250, 0), "leads out of the picture"),
        (seen(at=3.0), Move(0, -190), "leads out of the picture"),
        (seen(at=3.0, depth=1.4), RIGHT, "leads behind something"),
        (seen(), None, "no probe"),
    ],
)
def test_what_a_viewer_cannot_follow_is_rejected(sight: Sight, probe: Move | None, reason: str) -> None:
    assert read(sight, probe) == Reject(f"feasibility: {reason}")


def test_just_enough_is_seen() -> None:
    assert isinstance(read(seen(16), RIGHT), Label)
    assert isinstance(read(seen(at=3.0, depth=1.7), RIGHT), Label)  # 0.3 m before its middle, less half its size


def test_both_moments_must_be_clear() -> None:
    labels = Feasibility().labels(seen(), seen(at=3.0), Question("Mover", (), None, None, RIGHT))
    assert not isinstance(labels, Reject)
    assert [label.answer for label in labels if label] == ["no", "yes"]
    unclear = Feasibility().labels(seen(0), seen(at=3.0), Question("Mover", (), None, None, RIGHT))
    assert unclear == Reject("feasibility: blocker hardly seen before the move")
