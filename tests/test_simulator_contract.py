"""What every registered simulator keeps about scenes and pictures (architecture.md, rule 3)."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from support import simulators
from support.simulators import (
    HEIGHT,
    SCENE,
    SEED,
    TOUCH,
    WIDTH,
    fingerprint,
    loaded,
    look,
    overlapping,
    placed,
    solid,
)

from flowbench.builders.simulators import make_simulator
from flowbench.builders.simulators.base import Simulator
from flowbench.errors import UsageError
from flowbench.geometry import ConvexParts, distance_to_edges, point_in_polygon

pytest_plugins = ("support.simulators",)


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


def test_same_scene_twice_is_the_same(sim: Simulator, case: tuple[str, str]) -> None:
    other = loaded(*case)
    assert fingerprint(other) == fingerprint(sim)
    other.load(SEED, case[1], SCENE + 1)
    assert fingerprint(other) != fingerprint(sim)
    other.load(SEED, case[1], SCENE)
    assert fingerprint(other) == fingerprint(sim)
    other.close()


def test_another_process_makes_the_same_scene(sim: Simulator, case: tuple[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, simulators.__file__, *case], capture_output=True, text=True, check=False, timeout=300
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


def test_the_camera_belongs_to_the_scene(sim: Simulator, case: tuple[str, str]) -> None:
    other = make_simulator(sim.name, width=WIDTH, height=HEIGHT)
    with pytest.raises(UsageError, match="load"):
        other.observe(ids=True)
    other.load(SEED, case[1], SCENE)
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
    assert overlapping(sim) == []


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
