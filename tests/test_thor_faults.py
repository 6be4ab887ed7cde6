"""What the adapter says of a Unity that dies, hangs, comes late or sends nonsense, and that the scene is made anew."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from support.unity import free_port, house_file, launcher, needs_client
from support.unity_peer import serve_in_thread

from flowbench.builders.simulators import make_simulator
from flowbench.builders.simulators.base import SceneError, Simulator
from flowbench.errors import UsageError
from flowbench.geometry import Camera

pytestmark = needs_client
slow = pytest.mark.slow
WIDTH, HEIGHT = 160, 120


class Bench:
    """A simulator whose peers live in threads of this process, and the faults they strike."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.simulator: Simulator = make_simulator("thor", width=WIDTH, height=HEIGHT)

    def strike(self, *faults: Mapping[str, object]) -> None:
        (self.folder / "faults.json").write_text(json.dumps(faults))

    def load(self, *faults: Mapping[str, object]) -> None:
        self.strike(*faults)
        serve_in_thread("127.0.0.1", self.port, self.folder)
        self.simulator.load(0, "homes_test", 2)

    def look(self) -> None:
        x, y, z = self.simulator.reachable_positions()[3].tolist()
        self.simulator.set_camera(Camera.standing((x, y, z), 0.5, 0.2, width=WIDTH, height=HEIGHT))
        assert self.simulator.observe(ids=True).ids is not None


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    port = free_port()
    monkeypatch.setenv("FLOWBENCH_THOR_PORT", str(port))
    monkeypatch.setenv("FLOWBENCH_THOR_STEP_SECONDS", "20")
    made = Bench(tmp_path, port)
    yield made
    made.simulator.close()


def fault(action: str, kind: str, nth: int = 1, **more: object) -> Mapping[str, object]:
    return {"action": action, "kind": kind, "nth": nth, **more}


LOST = [("size", "a frame is not of the size"), ("colors", "its metadata has no 'colors'")]
SPOILED = [
    ("smaller", "frame of another size", "80x120 pixels, expected 160x120"),
    ("no_depth", "frame missing", "no depth"),
    ("refuse", "engine refused an action", "it was not to be"),
]


@slow
@pytest.mark.parametrize(("kind", "said"), LOST)
def test_what_cannot_be_read_loses_the_scene(bench: Bench, kind: str, said: str) -> None:
    bench.load()
    bench.strike(fault("TeleportFull", kind, always=True))
    for _ in range(2):  # the reason is told as long as the scene is not loaded again
        with pytest.raises(SceneError, match=said) as told:
            bench.look()
        assert told.value.reason == "engine lost"


@slow
def test_what_is_no_picture_is_told(bench: Bench) -> None:
    bench.load()
    for kind, reason, said in SPOILED:
        bench.strike(fault("TeleportFull", kind, always=True))
        with pytest.raises(SceneError, match=said) as told:
            bench.look()
        assert told.value.reason == reason
    bench.strike()
    bench.look()


@slow
@pytest.mark.parametrize(
    ("struck", "reason", "said"),
    [
        (fault("TeleportFull", "millimetres", always=True), "depth unreadable", "times what it must be in metres"),
        (fault("SetObjectPoses", "vanish", always=True), "objects gone", "lost objects"),
        (fault("AdvancePhysicsStep", "nan", always=True), "metadata unreadable", "no place"),
        (fault("SetObjectPoses", "refuse", always=True), "engine refused an action", "SetObjectPoses failed"),
    ],
)
def test_what_goes_wrong_while_loading_is_told(
    bench: Bench, struck: Mapping[str, object], reason: str, said: str
) -> None:
    with pytest.raises(SceneError, match=said) as told:
        bench.load(struck)
    assert told.value.reason == reason


@slow
def test_a_house_that_unity_cannot_make_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    houses = house_file(tmp_path / "houses.jsonl", [(3, "homes_train", 6)])
    house = json.loads(houses.read_text())
    del house["metadata"]["home"]  # the stand-in then knows none
    houses.write_text(json.dumps(house))
    monkeypatch.setenv("FLOWBENCH_THOR_EXECUTABLE", str(launcher(tmp_path / "unity")))
    simulator = make_simulator("thor", width=WIDTH, height=HEIGHT, houses=str(houses))
    with pytest.raises(SceneError, match="could not make the scene: ERROR: House has no rooms") as told:
        simulator.load(0, "homes_train", 0)
    assert told.value.reason == "engine refused it"
    simulator.close()


@slow
def test_depth_that_is_off_by_the_planes_is_put_right(bench: Bench) -> None:
    bench.load(fault("TeleportFull", "planes", always=True))
    camera = Camera.standing((2.0, 2.0, 1.5), 0.3, 1.0, width=WIDTH, height=HEIGHT)
    bench.simulator.set_camera(camera)
    depth = bench.simulator.observe(depth=True).depth
    bench.simulator.close()
    bench.load()
    bench.simulator.set_camera(camera)
    right = bench.simulator.observe(depth=True).depth
    assert depth is not None
    assert right is not None
    assert float(abs(depth - right).max()) < 0.001 * float(right.max())


@slow
@pytest.mark.parametrize("kind", ["crash", "hang", "late"])
def test_a_lost_scene_is_loaded_anew_in_another_unity(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process of its own, as Unity is; what comes late but in time is waited for."""
    path = launcher(tmp_path, (fault("GetReachablePositions", kind),))
    monkeypatch.setenv("FLOWBENCH_THOR_EXECUTABLE", str(path))
    monkeypatch.setenv("FLOWBENCH_THOR_STEP_SECONDS", "30" if kind == "hang" else "90")
    simulator = make_simulator("thor", width=WIDTH, height=HEIGHT)
    try:
        if kind != "late":
            with pytest.raises(
                SceneError, match="exit status 7" if kind == "crash" else "no answer within 30 s"
            ) as lost:
                simulator.load(0, "homes_test", 2)
            assert lost.value.reason == "engine lost"
            with pytest.raises(UsageError, match="load"):
                simulator.rooms  # noqa: B018
        simulator.load(0, "homes_test", 2)
        assert len(simulator.objects) > 20
    finally:
        simulator.close()


@pytest.mark.parametrize(
    ("script", "said"),
    [("sleep 60", "no answer within 1 s"), ("exit 3", "ended with exit status 3"), ("kill -9 $$", "exit status -9")],
)
def test_a_unity_that_does_not_start_is_the_users_to_mend(
    script: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "unity"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("FLOWBENCH_THOR_EXECUTABLE", str(path))
    monkeypatch.setenv("FLOWBENCH_THOR_START_SECONDS", "1")
    with pytest.raises(UsageError, match=said) as told:
        make_simulator("thor", width=WIDTH, height=HEIGHT).load(0, "homes_test", 0)
    assert "flowbench doctor" in str(told.value)


def test_a_port_that_is_taken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("FLOWBENCH_THOR_PORT", str(taken.getsockname()[1]))
        monkeypatch.setattr(sys, "stderr", sys.__stderr__)
        began = time.monotonic()
        with pytest.raises(UsageError, match="FLOWBENCH_THOR_PORT"):
            make_simulator("thor", width=WIDTH, height=HEIGHT).load(0, "homes_test", 0)
        assert time.monotonic() - began < 60.0
