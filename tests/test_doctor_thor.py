"""What ``flowbench doctor`` says of AI2-THOR, with and without its client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from flowbench.cli.checks import Check, Level
from flowbench.cli.thor import Machine, check_thor

PINS = {"ai2thor": "5.0.0"}
WITH = {"ai2thor": "5.0.0", "opencv-python-headless": "5.0.0.93", "opencv-python": "5.0.0.93"}
FIT = Machine({"DISPLAY": ":1"}, ("thor-Linux64-abc",), displays=True, vulkan=True, gpu=True)


def found(installed: Mapping[str, str], machine: Machine) -> list[Check]:
    checks = check_thor(PINS, installed, machine)
    assert all(bool(check.advice) == (check.level is not Level.OK) for check in checks)
    assert all(check.level is not Level.FAIL for check in checks), "it is optional"
    return checks


def test_without_the_client_one_line_says_who_needs_it() -> None:
    (check,) = found({}, replace(FIT, builds=(), displays=False, vulkan=False, gpu=False))
    assert check.level is Level.OK
    assert "only --simulator thor needs it" in check.found
    assert "[build,thor]" in check.found


def test_a_fit_machine_has_no_advice() -> None:
    assert [check.level for check in found(WITH, FIT)] == [Level.OK] * 3


@pytest.mark.parametrize(
    ("installed", "machine", "line", "said"),
    [
        ({**WITH, "ai2thor": "4.3.0"}, FIT, 0, "4.3.0 instead of 5.0.0"),
        ({**WITH, "opencv-python": "4.9.0"}, FIT, 0, "install both alike"),
        (WITH, replace(FIT, builds=()), 1, "no Unity build is here yet"),
        (WITH, replace(FIT, environment={"FLOWBENCH_THOR_EXECUTABLE": "/nothing"}), 1, "no executable file"),
        (WITH, replace(FIT, environment={"FLOWBENCH_THOR_PORT": "70000"}), 1, "'70000', expected a number from 1 to"),
        (WITH, replace(FIT, environment={"FLOWBENCH_THOR_START_SECONDS": "soon"}), 1, "START_SECONDS is 'soon'"),
        (WITH, replace(FIT, environment={"FLOWBENCH_THOR_PLATFORM": "Mac"}), 1, "expected one of CloudRendering"),
        (WITH, replace(FIT, environment={}, displays=False, vulkan=False), 2, "neither a display nor Vulkan"),
        (WITH, replace(FIT, environment={}, displays=False, gpu=False), 2, "no graphics card"),
        (WITH, replace(FIT, gpu=False), 2, "no graphics card"),
    ],
)
def test_what_is_missing_is_said(installed: Mapping[str, str], machine: Machine, line: int, said: str) -> None:
    checks = found(installed, machine)
    assert checks[line].level is Level.WARN
    assert said in f"{checks[line].found}; {checks[line].advice}"


def test_ones_own_unity_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "thor"
    path.write_text("")
    path.chmod(0o755)
    bare = Machine({"FLOWBENCH_THOR_EXECUTABLE": str(path)}, (), displays=False, vulkan=True, gpu=True)
    assert [check.level for check in found(WITH, bare)] == [Level.OK] * 3
    elsewhere = Machine({"FLOWBENCH_THOR_PORT": "8200"}, (), displays=False, vulkan=False, gpu=False)
    assert [check.level for check in found(WITH, elsewhere)] == [Level.OK] * 3


def test_this_machine_can_be_looked_at() -> None:
    assert found(WITH, Machine.here())
