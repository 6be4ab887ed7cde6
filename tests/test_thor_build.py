"""The whole pipeline with AI2-THOR's adapter: built through a crash and a hang of Unity, then validated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support.unity import house_file, launcher, needs_client

from flowbench import load_dataset
from flowbench.builders.options import BuildOptions
from flowbench.builders.progress import Silent
from flowbench.builders.runner import build
from flowbench.builders.sim import presets
from flowbench.builders.sim.categories import CATEGORIES
from flowbench.builders.sim.producer import _simulator
from flowbench.errors import UsageError
from flowbench.validation.runner import validate

pytestmark = [needs_client, pytest.mark.slow]
HOME = (3, "homes_train", 6)
CRASH = {"action": "SetObjectPoses", "nth": 40, "kind": "crash"}
HANG = {"action": "AdvancePhysicsStep", "nth": 30, "kind": "hang"}


def made(out: Path, folder: Path, patch: pytest.MonkeyPatch, *faults: Mapping[str, object]) -> Mapping[str, int]:
    """Build one house of two views; what was rejected, by reason."""
    patch.setitem(presets.PRESETS, "balanced", replace(presets.BALANCED, views=2))  # type: ignore[arg-type]
    patch.setenv("FLOWBENCH_THOR_EXECUTABLE", str(launcher(folder, faults)))
    patch.setenv("FLOWBENCH_THOR_STEP_SECONDS", "30")
    houses = folder.parent / "houses.jsonl"
    if not houses.exists():
        house_file(houses, [HOME])
    options = BuildOptions(
        ("sim_train",), out, scenes=1, seed=3, simulator="thor", width=320, height=240, engine="serial",
        sources={"houses": houses},
    )  # fmt: skip
    try:
        return build(options, Silent()).configs["sim_train"].rejects
    finally:
        _simulator(options.simulator, 320, 240, str(houses)).close()
        _simulator.cache_clear()


def test_a_release_is_built_through_a_crash_and_a_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "flowbench"
    rejects = made(out, tmp_path / "unity", monkeypatch, CRASH, HANG)
    said = capfd.readouterr().err
    assert "ended with exit status 7 during SetObjectPoses. it is tried again" in said
    assert "gave no answer within 30 s during AdvancePhysicsStep. it is tried again" in said
    assert json.loads((tmp_path / "unity" / "faults.json").read_text()) == []
    assert not any(reason.startswith("scene:") for reason in rejects)
    rows = load_dataset("sim_train", "train", root=out)
    assert {row["record"].category for row in rows} == CATEGORIES.keys()
    assert {row["record"].provenance.simulator for row in rows} == {"thor"}
    assert {row["meta"]["scene"]["feasibility"] for row in rows} == {"simulator_verified"}
    found = validate(out, (), 1, Silent())
    enforced = [suite for suite in found.results["sim_train"].suites if suite.enforced and suite.skipped is None]
    told = [violation for suite in enforced for violation in suite.kept]
    assert len(enforced) >= 4
    assert told == []


def test_a_scene_that_is_always_lost_is_skipped_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {"action": "GetReachablePositions", "kind": "crash", "always": True}
    with pytest.raises(UsageError, match=r"1 scene gave nothing to ask \(engine lost\)"):
        made(tmp_path / "flowbench", tmp_path / "unity", monkeypatch, lost)
