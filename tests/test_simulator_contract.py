"""What every registered simulator keeps: one contract test for all (architecture.md, rule 3)."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from flowbench.builders.simulators import SIMULATORS, make_simulator
from flowbench.builders.simulators.base import MoveResult, ObjectState, SceneObject, Simulator
from flowbench.errors import UsageError
from flowbench.geometry import Camera, ConvexParts, Pose, distance_to_edges, point_in_polygon

SEED, POOL, SCENE = 3, "homes_train", 1
WIDTH, HEIGHT = 160, 120
TOUCH = 0.003


def loaded(name: str, scene: int = SCENE) -> Simulator:
    simulator = make_simulator(name, width=WIDTH, height=HEIGHT)
    simulator.load(SEED, POOL, scene)
    return simulator


@pytest.fixture(scope="module", params=sorted(SIMULATORS))
def shared(request: pytest.FixtureRequest) -> Iterator[Simulator]:
    simulator = loaded(request.param)
    yield simulator
    simulator.close()


@pytest.fixture
def sim(shared: Simulator) -> Iterator[Simulator]:
    """The shared simulator, put back as it was after each test."""
    before = shared.snapshot()
    look(shared, 0)
    yield shared
    shared.restore(before)


def look(simulator: Simulator, index: int) -> Camera:
    """From the ``index``-th of a few standing points, each in another direction."""
    points = simulator.reachable_positions()
    x, y, z = points[(index * 37) % len(points)].tolist()
    camera = Camera.standing((x, y, z), 1.1 * index, 0.3, width=WIDTH, height=HEIGHT)
    simulator.set_camera(camera)
    return camera


def picture(simulator: Simulator) -> bytes:
    frame = simulator.observe(rgb=True, depth=True, ids=True)
    assert frame.rgb is not None
    assert frame.depth is not None
    assert frame.ids is not None
    return frame.rgb.tobytes() + frame.depth.tobytes() + frame.ids.tobytes()


def fingerprint(simulator: Simulator) -> str:
    """Everything that must not differ between two loads of one scene."""
    digest = hashlib.sha256()
    for item in simulator.objects:
        flags = (item.pickupable, item.moveable, item.receptacle, item.structural, item.room_id)
        digest.update(f"{item.instance_id} {item.object_id} {item.object_type} {flags}".encode())
        digest.update(repr(simulator.state(item.object_id)).encode())
        digest.update(b"".join(part.tobytes() for part in item.parts))
        digest.update(item.box.frame.tobytes() + item.box.half.tobytes())
    for room in simulator.rooms:
        digest.update(f"{room.room_id} {room.room_type} {room.height}".encode() + room.polygon.tobytes())
    digest.update(simulator.reachable_positions().tobytes())
    for index in range(3):
        look(simulator, index)
        digest.update(picture(simulator))
    return digest.hexdigest()


def placed(simulator: Simulator, item: SceneObject) -> ConvexParts:
    return ConvexParts.of(item.parts).placed(simulator.state(item.object_id).pose.matrix)


def solid(simulator: Simulator) -> list[SceneObject]:
    return [item for item in simulator.objects if item.parts]


def loose(simulator: Simulator) -> list[SceneObject]:
    """Objects that could be moved and carry nothing."""
    carriers = {simulator.state(item.object_id).supporter for item in simulator.objects}
    movable = [item for item in simulator.objects if (item.pickupable or item.moveable) and item.parts]
    return [item for item in movable if item.object_id not in carriers]


def shifted(
    simulator: Simulator, item: SceneObject, dx: float, dy: float, dz: float = 0.0
) -> tuple[float, float, float]:
    x, y, z = simulator.state(item.object_id).pose.position
    return x + dx, y + dy, z + dz


def states(simulator: Simulator) -> dict[str, ObjectState]:
    return {item.object_id: simulator.state(item.object_id) for item in simulator.objects}


def up_tilt(before: Pose, after: Pose) -> float:
    cosine = float((before.matrix[:3, 2] * after.matrix[:3, 2]).sum())
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def test_objects_are_numbered_and_named(sim: Simulator) -> None:
    objects = sim.objects
    ids = [item.instance_id for item in objects]
    assert ids == sorted(set(ids))
    assert ids[0] >= 1
    assert ids[-1] <= 65535
    assert len({item.object_id for item in objects}) == len(objects)
    assert all(item.object_id.startswith(f"{item.object_type}|") for item in objects)
    rooms = {room.room_id for room in sim.rooms}
    assert all(item.room_id in rooms for item in objects if item.room_id is not None)
    structure = {item.object_type for item in objects if item.structural}
    assert {"Wall", "Floor", "Ceiling"} <= structure <= {"Wall", "Floor", "Ceiling", "Door", "Window"}
    assert not any(item.pickupable or item.moveable for item in objects if item.structural)
    assert sum(item.pickupable or item.moveable for item in objects) >= 6 * len(rooms) / 2


def test_same_scene_twice_is_the_same(sim: Simulator) -> None:
    other = loaded(sim.name)
    assert fingerprint(other) == fingerprint(sim)
    other.load(SEED, POOL, SCENE + 1)
    assert fingerprint(other) != fingerprint(sim)
    other.load(SEED, POOL, SCENE)
    assert fingerprint(other) == fingerprint(sim)
    other.close()


def test_another_process_makes_the_same_scene(sim: Simulator) -> None:
    done = subprocess.run(
        [sys.executable, __file__, sim.name], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == fingerprint(sim)


def test_only_the_passes_asked_for(sim: Simulator) -> None:
    frame = sim.observe(ids=True)
    assert frame.ids is not None
    assert frame.rgb is None
    assert frame.depth is None
    assert frame.ids.dtype == np.uint16
    assert frame.ids.shape == (HEIGHT, WIDTH)
    full = sim.observe(rgb=True, depth=True, ids=True)
    assert full.rgb is not None
    assert full.depth is not None
    assert full.rgb.dtype == np.uint8
    assert full.depth.dtype == np.float32
    assert full.ids is not None
    assert np.array_equal(full.ids, frame.ids)


def test_what_is_seen_is_listed(sim: Simulator) -> None:
    known = {item.instance_id for item in sim.objects}
    seen: set[int] = set()
    for index in range(6):
        look(sim, index)
        frame = sim.observe(ids=True, depth=True)
        assert frame.ids is not None
        assert frame.depth is not None
        seen |= set(np.unique(frame.ids).tolist())
        assert ((frame.depth > 0) == (frame.ids > 0)).all()
    assert seen - {0} <= known
    assert len(seen) > 10


def test_depth_agrees_with_raycast_and_with_the_parts(sim: Simulator) -> None:
    by_id = {item.instance_id: item for item in sim.objects}
    rng = np.random.default_rng(0)
    errors = []
    for index in range(4):
        camera = look(sim, index)
        frame = sim.observe(depth=True, ids=True)
        assert frame.depth is not None
        assert frame.ids is not None
        for u, v in zip(rng.integers(0, WIDTH, 60).tolist(), rng.integers(0, HEIGHT, 60).tolist(), strict=True):
            hit = sim.raycast(float(u), float(v))
            if frame.ids[v, u] == 0:
                assert hit is None
                continue
            assert hit is not None
            assert hit.instance_id == frame.ids[v, u]
            assert hit.depth == pytest.approx(float(frame.depth[v, u]), rel=1e-5)
            pixel, z = camera.project(np.array(hit.point))
            assert np.abs(pixel - [u, v]).max() < 1e-3
            assert float(z) == pytest.approx(hit.depth, rel=1e-6)
            item = by_id[hit.instance_id]
            if item.parts:
                errors.append(ConvexParts.of([np.array([hit.point])]).distance(placed(sim, item)))
    assert len(errors) > 100
    assert float(np.quantile(errors, 0.95)) < 0.02, "what collides is not what is seen"
    assert sim.raycast(-5.0, 0.0) is None


def test_the_camera_belongs_to_the_scene(sim: Simulator) -> None:
    other = make_simulator(sim.name, width=WIDTH, height=HEIGHT)
    with pytest.raises(UsageError, match="load"):
        other.observe(ids=True)
    other.load(SEED, POOL, SCENE)
    with pytest.raises(UsageError, match="camera"):
        other.observe(ids=True)
    other.close()


def test_unknown_names_are_told(sim: Simulator) -> None:
    known = sim.objects[-1].object_id
    with pytest.raises(UsageError, match=known.replace("|", r"\|")):
        sim.state(known + "0")
    with pytest.raises(UsageError, match="homes_train"):
        sim.load(SEED, "homes_trian", SCENE)
    with pytest.raises(UsageError, match="bullet"):
        make_simulator("bulet", width=WIDTH, height=HEIGHT)
    assert sim.state(known) is not None


def test_people_can_stand_where_it_says(sim: Simulator) -> None:
    positions = sim.reachable_positions()
    assert positions.dtype == np.float64
    assert positions.shape[1:] == (3,)
    rooms = list(sim.rooms)
    inside = np.array([[point_in_polygon((x, y), room.polygon) for room in rooms] for x, y, _ in positions.tolist()])
    assert (inside.sum(axis=1) == 1).all()
    assert (inside.sum(axis=0) >= 4).all(), "a room nobody can stand in"
    items = [(placed(sim, item), item) for item in solid(sim) if item.object_type not in ("Floor", "Ceiling")]
    for x, y, eye in positions[::7].tolist():
        body = [(x + a, y + b, z) for a in (-0.15, 0.15) for b in (-0.15, 0.15) for z in (0.03, eye)]
        person = ConvexParts.of([np.array(body)])
        low, high = np.array(body).min(axis=0), np.array(body).max(axis=0)
        for parts, item in items:
            if (parts.boxes[0].min(axis=0) < high).all() and (parts.boxes[1].max(axis=0) > low).all():
                assert person.distance(parts) > 0.0, f"{item.object_id} stands at {(x, y)}"


def test_nothing_overlaps(sim: Simulator) -> None:
    """Parts drawn in by 2 mm on every side are apart, all of them."""
    shapes = []
    for item in solid(sim):
        parts = []
        for part in item.parts:
            low, high = part.min(axis=0), part.max(axis=0)
            middle, half = (low + high) / 2.0, np.maximum((high - low) / 2.0, 1e-6)
            parts.append(middle + (part - middle) * np.maximum(1.0 - 0.002 / half, 0.0))
        whole = ConvexParts.of(parts).placed(sim.state(item.object_id).pose.matrix)
        shapes.append((item, whole, whole.boxes[0].min(axis=0), whole.boxes[1].max(axis=0)))
    for k, (item, inner, low, high) in enumerate(shapes):
        for other, other_inner, other_low, other_high in shapes[k + 1 :]:
            if item.structural and other.structural:
                continue
            if (low < other_high).all() and (high > other_low).all():
                assert inner.distance(other_inner) > 0.0, f"{item.object_id} and {other.object_id} overlap"


def test_supporters_touch_what_they_carry(sim: Simulator) -> None:
    by_name = {item.object_id: item for item in sim.objects}
    carried = 0
    for item in solid(sim):
        supporter = sim.state(item.object_id).supporter
        if item.pickupable or item.moveable:
            assert supporter is not None, f"{item.object_id} floats"
        if supporter is None:
            continue
        below = by_name[supporter]
        assert placed(sim, item).distance(placed(sim, below)) <= TOUCH
        assert below.receptacle or below.structural
        carried += 1
    assert carried > 10


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
    test_nothing_overlaps(sim)


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


def test_over_the_edge_it_falls_or_is_refused(sim: Simulator) -> None:
    by_name = {item.object_id: item for item in sim.objects}
    kept = sim.snapshot()
    outcomes: list[str] = []
    for item in loose(sim):
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
                    assert sim.state(item.object_id).supporter != table.object_id
                sim.restore(kept)
                result = sim.teleport(item.object_id, position, settle=True)
                outcomes.append(result.reason or "fell")
                if result.ok and result.rotation < math.radians(2.0):  # else it leans on something
                    after = sim.state(item.object_id)
                    assert after.supporter != table.object_id, f"{item.object_id} hangs over {table.object_id}"
                    assert result.displacement[2] < -0.02
                sim.restore(kept)
    assert outcomes.count("fell") > 0
    assert len(outcomes) > 20


def test_metadata_is_plain_json_with_each_rooms_walls(sim: Simulator) -> None:
    facts = json.loads(json.dumps(sim.metadata(), allow_nan=False))
    for room in sim.rooms:
        faces = facts["walls"][room.room_id]
        assert len(faces) == len(room.polygon)
        ends = np.array([face[key] for face in faces for key in ("start", "end")])
        assert float(distance_to_edges(ends, room.polygon).max()) < 1e-9
        for face in faces:
            middle = (np.array(face["start"]) + np.array(face["end"])) / 2.0
            assert point_in_polygon(middle + 0.05 * np.array(face["normal"]), room.polygon)
            assert not point_in_polygon(middle - 0.05 * np.array(face["normal"]), room.polygon)
            assert any(item.object_id == face["object"] and item.room_id == room.room_id for item in sim.objects)


if __name__ == "__main__":
    print(fingerprint(loaded(sys.argv[1])))  # noqa: T201
