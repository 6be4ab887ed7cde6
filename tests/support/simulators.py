"""One small scene of a simulator, and what the contract tests ask about it."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from flowbench.builders.simulators import SIMULATORS, make_simulator
from flowbench.builders.simulators.base import ObjectState, SceneObject, Simulator
from flowbench.geometry import Camera, ConvexParts, Pose
from support.thor_houses import three_rooms
from support.unity import needs_client, settle_environment

SEED, SCENE = 3, 1
POOLS = {"thor": ("homes_test",)}
"""Engines of which a pool says all: AI2-THOR's differ in nothing but the names of rooms."""
EXTRA = {"thor": (needs_client, pytest.mark.slow)}
CASES = [
    pytest.param((name, pool), marks=EXTRA.get(name, ()), id=f"{name}-{pool}")
    for name in sorted(SIMULATORS)
    for pool in POOLS.get(name, ("homes_train", "homes_test"))
] + [pytest.param(("houses", "homes_train"), id="houses-homes_train")]
"""Every simulator with every pool of homes; ``houses`` is the embedded one with houses of a file."""
WIDTH, HEIGHT = 160, 120
TOUCH = 0.003


@functools.cache
def house_file() -> Path:
    """A file with the house of three rooms, once for each scene that is asked for."""
    path = Path(tempfile.mkdtemp(prefix="flowbench-houses-"), "houses.jsonl")
    path.write_text((json.dumps(three_rooms()) + "\n") * (SCENE + 2), "utf-8")
    return path


def loaded(name: str, pool: str, scene: int = SCENE) -> Simulator:
    if name == "thor":
        settle_environment()
    if name == "houses":
        simulator = make_simulator("bullet", width=WIDTH, height=HEIGHT, houses=str(house_file()))
    else:
        simulator = make_simulator(name, width=WIDTH, height=HEIGHT)
    simulator.load(SEED, pool, scene)
    return simulator


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


def overlapping(simulator: Simulator) -> list[tuple[str, str]]:
    """Pairs of objects that overlap although their parts are drawn in by 2 mm on every side."""
    shapes = []
    for item in solid(simulator):
        parts = []
        for part in item.parts:
            low, high = part.min(axis=0), part.max(axis=0)
            middle, half = (low + high) / 2.0, np.maximum((high - low) / 2.0, 1e-6)
            parts.append(middle + (part - middle) * np.maximum(1.0 - 0.002 / half, 0.0))
        whole = ConvexParts.of(parts).placed(simulator.state(item.object_id).pose.matrix)
        shapes.append((item, whole, whole.boxes[0].min(axis=0), whole.boxes[1].max(axis=0)))
    return [
        (item.object_id, other.object_id)
        for k, (item, inner, low, high) in enumerate(shapes)
        for other, other_inner, other_low, other_high in shapes[k + 1 :]
        if not (item.structural and other.structural)
        and (low < other_high).all()
        and (high > other_low).all()
        and inner.distance(other_inner) == 0.0
    ]


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A simulator's name and a pool."""
    name, pool = request.param
    return name, pool


@pytest.fixture(scope="module")
def shared(case: tuple[str, str]) -> Iterator[Simulator]:
    simulator = loaded(*case)
    yield simulator
    simulator.close()


@pytest.fixture
def sim(shared: Simulator) -> Iterator[Simulator]:
    """The shared simulator, put back as it was after each test."""
    before = shared.snapshot()
    look(shared, 0)
    yield shared
    shared.restore(before)


if __name__ == "__main__":
    print(fingerprint(loaded(*sys.argv[1:])))  # noqa: T201
