"""One scene in both engines: what AI2-THOR's adapter reads of it is what the embedded engine says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from support.unity import free_port, house_file, needs_client
from support.unity_peer import serve_in_thread

from flowbench.builders.sim.categories import CATEGORIES
from flowbench.builders.sim.executing import execute
from flowbench.builders.sim.items import Item, Label, Reject
from flowbench.builders.sim.planning import plan_view
from flowbench.builders.sim.positioning import choose_views
from flowbench.builders.sim.presets import preset_named
from flowbench.builders.sim.scene import Shapes
from flowbench.builders.sim.verifying import refuse_against_engine
from flowbench.builders.sim.view import Sight
from flowbench.builders.simulators import make_simulator
from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.geometry import Camera, ConvexParts
from flowbench.rendering import Frame
from flowbench.seeding import generator

HOME = (3, "homes_train", 6)
WIDTH, HEIGHT = 320, 240
PRESET = preset_named("balanced")
pytestmark = needs_client


@dataclass(frozen=True)
class Pair:
    """The embedded engine, and AI2-THOR with the same home as a house of a file."""

    bullet: Simulator
    thor: Simulator

    @property
    def both(self) -> tuple[Simulator, Simulator]:
        return self.bullet, self.thor

    def look(self, camera: Camera) -> tuple[Frame, Frame]:
        frames = []
        for simulator in self.both:
            simulator.set_camera(camera)
            frames.append(simulator.observe(rgb=True, depth=True, ids=True))
        return frames[0], frames[1]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with pytest.MonkeyPatch.context() as patch:
        port = free_port()
        patch.setenv("FLOWBENCH_THOR_PORT", str(port))
        houses = house_file(tmp_path_factory.mktemp("houses") / "two.jsonl", [(3, "homes_test", 1), HOME])
        thor = make_simulator("thor", width=WIDTH, height=HEIGHT, houses=str(houses))
        serve_in_thread("127.0.0.1", port)
        thor.load(0, "homes_train", 1)
        bullet = make_simulator("bullet", width=WIDTH, height=HEIGHT)
        bullet.load(*HOME)
        yield Pair(bullet, thor)
        bullet.close()
        thor.close()


def cameras(simulator: Simulator, count: int) -> Iterator[Camera]:
    points = simulator.reachable_positions()
    for index in range(count):
        x, y, z = points[(index * 37) % len(points)].tolist()
        pitch = math.radians(30.0) * (index % 2)
        yield Camera.standing((x, y, z), math.pi / 4.0 * index, pitch, width=WIDTH, height=HEIGHT)


def names(simulator: Simulator, ids: NDArray[np.uint16]) -> NDArray[np.str_]:
    table = np.array([""] * 65536, dtype="U40")
    for item in simulator.objects:
        table[item.instance_id] = item.object_id
    return table[ids]


def test_rooms_objects_and_states_are_the_same(pair: Pair) -> None:
    rooms = [{room.room_id: room for room in simulator.rooms} for simulator in pair.both]
    assert rooms[0].keys() == rooms[1].keys()
    for name, room in rooms[0].items():
        assert np.array_equal(room.polygon, rooms[1][name].polygon)
        assert room.height == rooms[1][name].height
    objects = [{item.object_id: item for item in simulator.objects} for simulator in pair.both]
    assert objects[0].keys() == objects[1].keys()
    for name, item in objects[0].items():
        same_object(item, objects[1][name], pair)
    assert np.abs(pair.bullet.reachable_positions() - pair.thor.reachable_positions()).max() < 2e-5
    walls = [simulator.metadata()["walls"] for simulator in pair.both]
    assert walls[0].keys() == walls[1].keys()
    for room_id, faces in walls[0].items():
        assert {face["object"] for face in faces} == {face["object"] for face in walls[1][room_id]}


def same_object(one: SceneObject, other: SceneObject, pair: Pair) -> None:
    for field in ("object_type", "room_id", "pickupable", "moveable", "receptacle", "structural"):
        if one.object_type in ("Door", "Window") and field == "room_id":
            continue  # nothing asks for it, and Unity does not tell
        assert getattr(one, field) == getattr(other, field), (one.object_id, field)
    states = [simulator.state(one.object_id) for simulator in pair.both]
    assert states[0].supporter == states[1].supporter, one.object_id
    assert states[0].pose.position == states[1].pose.position
    turn = abs(sum(a * b for a, b in zip(states[0].pose.quaternion, states[1].pose.quaternion, strict=True)))
    assert turn == pytest.approx(1.0, abs=1e-6)
    assert len(one.parts) == len(other.parts)
    if one.parts:
        pairs = zip((one, other), states, strict=True)
        placed = [ConvexParts.of(each.parts).placed(state.pose.matrix) for each, state in pairs]
        assert np.abs(placed[0].vertices - placed[1].vertices).max() < 2e-5


def test_pictures_agree(pair: Pair) -> None:
    agree, inside, depths = 0, 0, []
    for camera in cameras(pair.bullet, 8):
        one, other = pair.look(camera)
        assert one.ids is not None
        assert other.ids is not None
        assert one.depth is not None
        assert other.depth is not None
        flat = np.ones((HEIGHT, WIDTH), dtype=bool)
        for axis in (0, 1):
            for step in (-1, 1):
                flat &= np.roll(one.ids, step, axis) == one.ids
        same = names(pair.bullet, one.ids) == names(pair.thor, other.ids)
        agree += int(same[flat].sum())
        inside += int(flat.sum())
        depths.append(np.abs(one.depth - other.depth)[flat & same])
        assert np.mean(np.abs(one.rgb.astype(int) - other.rgb.astype(int))) < 0.2  # type: ignore[union-attr]
    assert inside > 0.8 * 8 * WIDTH * HEIGHT
    assert agree >= 0.995 * inside
    assert float(np.concatenate(depths).max()) < 0.005


def labels_in(simulator: Simulator, item: Item, camera: Camera) -> tuple[str | None, Label] | Reject:
    """The labels of an item carried out in an engine, which its own collision checks confirm."""
    before = Sight.take(simulator, camera)
    try:
        refused = refuse_against_engine(simulator, item, item.before, camera) or execute(
            simulator, item.mover, item.move, camera
        )
        if refused is not None:
            return refused
        refused = refuse_against_engine(simulator, item, item.answer, camera)
        if refused is not None:
            return refused
        after = Sight.take(simulator, camera, before.arrangement.shapes)
    finally:
        simulator.restore(before.arrangement.snapshot)
    found = CATEGORIES[item.category].labels(before, after, item.question)
    if isinstance(found, Reject):
        return found
    return (None if found[0] is None else found[0].answer), found[1]


def items(simulator: Simulator, scene: int, views: int) -> Iterator[tuple[Item, Camera]]:
    shapes = Shapes(simulator.objects)
    poses = choose_views(simulator, shapes, PRESET, generator(3, "homes_train", scene, "views"))
    for number, pose in enumerate(poses[:views]):
        camera = pose.camera(WIDTH, HEIGHT)
        before = Sight.take(simulator, camera, shapes)

        def streams(*stage: str | int, number: int = number) -> np.random.Generator:
            return generator(3, "homes_train", scene, number, *stage)

        found, _ = plan_view(simulator, before, pose.room_id, PRESET, streams)
        for slot in found.values():
            yield from ((item, camera) for item, _ in slot)


@pytest.mark.slow
def test_every_label_is_the_same(pair: Pair) -> None:
    seen: dict[str, int] = {}
    for item, camera in items(pair.bullet, 6, 2):
        labels = labels_in(pair.thor, item, camera)
        assert not isinstance(labels, Reject), (item, labels)
        assert (labels[0], labels[1].answer) == (item.before, item.answer), item
        assert abs(labels[1].margin - item.margin) < (1.5 if CATEGORIES[item.category].unit == "px" else 0.002)
        seen[item.category] = seen.get(item.category, 0) + 1
    assert seen.keys() == CATEGORIES.keys()
    assert sum(seen.values()) > 60
