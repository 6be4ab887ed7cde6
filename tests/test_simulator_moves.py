"""What every registered simulator keeps about moves (architecture.md, rule 3)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from support.simulators import (
    HEIGHT,
    TOUCH,
    WIDTH,
    look,
    loose,
    overlapping,
    picture,
    placed,
    shifted,
    solid,
    states,
    up_tilt,
)

from flowbench.builders.simulators.base import MoveResult, SceneObject, Simulator
from flowbench.geometry import Camera, Pose

pytest_plugins = ("support.simulators",)


def test_a_refused_move_changes_nothing(sim: Simulator) -> None:
    before, image, kept = states(sim), picture(sim), sim.snapshot()
    items = loose(sim)
    refusals: dict[str, int] = {}
    for item in items:
        for position, settle in (
            (shifted(sim, item, 100.0, 0.0), True),
            (shifted(sim, item, 0.0, 0.0, 0.4), False),
            *((sim.state(other.object_id).pose.position, False) for other in items[:4] if other is not item),
        ):
            result = sim.teleport(item.object_id, position, settle=settle)
            if result.ok:
                sim.restore(kept)
            else:
                assert result.reason in ("collision", "out_of_bounds", "unsupported", "tilted", "not_settled")
                refusals[result.reason] = refusals.get(result.reason, 0) + 1
                assert states(sim) == before
    assert set(refusals) >= {"collision", "out_of_bounds", "unsupported"}
    look(sim, 0)
    assert states(sim) == before
    assert picture(sim) == image


def test_a_wall_stops_a_move(sim: Simulator) -> None:
    rooms = {room.room_id: room for room in sim.rooms}
    stopped = 0
    for item in loose(sim):
        if item.room_id is None or sim.state(item.object_id).supporter is None:
            continue
        x, y, z = sim.state(item.object_id).pose.position
        polygon = rooms[item.room_id].polygon
        for (ax, ay), (bx, by) in zip(polygon.tolist(), np.roll(polygon, -1, axis=0).tolist(), strict=True):
            wall = ((ax + bx) / 2.0, (ay + by) / 2.0, z)
            result = sim.teleport(item.object_id, wall, settle=False)
            assert not result.ok
            stopped += result.reason in ("collision", "out_of_bounds")
        assert sim.state(item.object_id).pose.position == (x, y, z)
    assert stopped > 20


def free_moves(simulator: Simulator, settle: bool) -> Iterator[tuple[SceneObject, Pose, MoveResult]]:
    """Each loose object's first possible move of 20 cm."""
    for item in loose(simulator):
        before = simulator.state(item.object_id).pose
        for dx, dy in ((0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2)):
            result = simulator.teleport(item.object_id, shifted(simulator, item, dx, dy), settle=settle)
            if result.ok:
                yield item, before, result
                break


@pytest.mark.parametrize("settle", [True, False])
def test_moves_are_what_they_say(sim: Simulator, settle: bool) -> None:
    moved = 0
    for item, before, result in free_moves(sim, settle):
        after = sim.state(item.object_id)
        difference = np.array(after.pose.position) - np.array(before.position)
        assert np.abs(difference - np.array(result.displacement)).max() < 1e-5
        assert up_tilt(before, after.pose) <= 15.0
        assert after.supporter is not None
        below = next(other for other in sim.objects if other.object_id == after.supporter)
        assert placed(sim, item).distance(placed(sim, below)) <= (TOUCH if settle else 0.006)
        if not settle:
            assert after.pose.quaternion == before.quaternion
            assert difference[2] == 0.0
        moved += 1
    assert moved >= 6
    assert overlapping(sim) == []


def test_only_the_mover_moves_and_the_picture_follows(sim: Simulator) -> None:
    before = states(sim)
    item, _, _ = next(free_moves(sim, True))
    after = states(sim)
    assert {name for name in before if before[name] != after[name]} == {item.object_id}
    x, y, z = sim.state(item.object_id).pose.position
    changed = 0
    for angle in range(8):
        yaw = angle * math.pi / 4
        eye = (x - 1.2 * math.cos(yaw), y - 1.2 * math.sin(yaw), z + 1.0)
        sim.set_camera(Camera.standing(eye, yaw, 0.7, width=WIDTH, height=HEIGHT))
        here = picture(sim)
        assert picture(sim) == here
        now = sim.snapshot()
        sim.teleport(item.object_id, before[item.object_id].pose.position, settle=False)
        changed += picture(sim) != here
        sim.restore(now)
        assert picture(sim) == here
    assert changed >= 3


def test_restore_is_exact(sim: Simulator) -> None:
    before, image, kept = states(sim), picture(sim), sim.snapshot()
    assert sum(1 for _ in free_moves(sim, True)) >= 6
    assert states(sim) != before
    sim.restore(kept)
    assert states(sim) == before
    assert picture(sim) == image


def test_a_move_does_not_depend_on_the_past(sim: Simulator) -> None:
    kept = sim.snapshot()
    first = {item.object_id: (result, sim.state(item.object_id)) for item, _, result in free_moves(sim, True)}
    sim.restore(kept)
    second = {item.object_id: (result, sim.state(item.object_id)) for item, _, result in free_moves(sim, True)}
    assert first == second


def test_what_carries_something_stays(sim: Simulator) -> None:
    carriers = {sim.state(item.object_id).supporter for item in sim.objects if not item.structural}
    tables = [item for item in sim.objects if item.object_id in carriers and not item.structural]
    assert tables
    for item in tables:
        result = sim.teleport(item.object_id, shifted(sim, item, 0.05, 0.0), settle=False)
        assert (result.ok, result.reason) == (False, "collision")


def helped(sim: Simulator, item: SceneObject, table: SceneObject) -> bool:
    """Whether something else than the table touches the item: the next counter, the back of a chair."""
    body = placed(sim, item)
    others = [other for other in solid(sim) if other.object_id not in (item.object_id, table.object_id)]
    return any(body.distance(placed(sim, other)) <= TOUCH for other in others)


@pytest.mark.slow
def test_over_the_edge_it_falls_or_is_refused(sim: Simulator) -> None:
    by_name = {item.object_id: item for item in sim.objects}
    kept = sim.snapshot()
    outcomes: list[str] = []
    for item in loose(sim)[:: 1 if sim.name == "bullet" else 5]:  # engines in other processes are slower
        state = sim.state(item.object_id)
        table = by_name.get(state.supporter or "")
        if table is None or table.structural or not item.pickupable:
            continue
        body = placed(sim, item)
        reach = float((body.boxes[1].max(axis=0) - body.boxes[0].min(axis=0))[:2].max())
        boxes = placed(sim, table).boxes
        low, high = boxes[0].min(axis=0), boxes[1].max(axis=0)
        x, y, z = state.pose.position
        for over in (0.25, 0.6):
            for px, py in (
                (high[0] + reach * over, y),
                (low[0] - reach * over, y),
                (x, high[1] + reach * over),
                (x, low[1] - reach * over),
            ):
                position = (float(px), float(py), z)
                level = sim.teleport(item.object_id, position, settle=False)
                if level.ok:
                    assert sim.state(item.object_id).supporter != table.object_id or helped(sim, item, table)
                sim.restore(kept)
                result = sim.teleport(item.object_id, position, settle=True)
                outcomes.append(result.reason or "fell")
                turned = result.rotation >= math.radians(2.0)  # it leans on something
                if result.ok and not turned and not helped(sim, item, table):
                    after = sim.state(item.object_id)
                    assert after.supporter != table.object_id, f"{item.object_id} hangs over {table.object_id}"
                    assert result.displacement[2] < -0.02
                sim.restore(kept)
    assert outcomes.count("fell") > 0
    assert len(outcomes) > 20
