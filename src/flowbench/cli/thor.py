"""``flowbench doctor`` on AI2-THOR: its client, its Unity, what draws. It is all optional, so nothing here fails."""

from __future__ import annotations

import ctypes.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flowbench.errors import UsageError

from .checks import Check, Level, normalise

INSTALL: Final = "pip install '.[build,thor]' -c constraints.txt"
CLIENT: Final = "AI2-THOR client"
UNITY: Final = "AI2-THOR Unity"
DISPLAY: Final = "AI2-THOR display"


@dataclass(frozen=True)
class Machine:
    """What of a machine matters to Unity.

    Attributes:
        environment: variables.
        builds: Unity builds that the client downloaded earlier.
        displays: whether an X server runs here.
        vulkan: whether Vulkan's library is installed.
        gpu: whether a graphics card is seen.
    """

    environment: Mapping[str, str]
    builds: tuple[str, ...]
    displays: bool
    vulkan: bool
    gpu: bool

    @classmethod
    def here(cls) -> Machine:
        """This one."""
        releases = Path.home() / ".ai2thor" / "releases"
        builds = sorted(path.name for path in releases.glob("thor-*") if path.is_dir())
        return cls(
            environment=dict(os.environ),
            builds=tuple(builds),
            displays=any(Path("/tmp/.X11-unix").glob("X[0-9]*")),
            vulkan=ctypes.util.find_library("vulkan") is not None,
            gpu=any(Path("/dev").glob("nvidia[0-9]*")) or any(Path("/dev/dri").glob("render*")),
        )


def check_thor(pins: Mapping[str, str], installed: Mapping[str, str], machine: Machine) -> list[Check]:
    """One line where the client is not installed, else three.

    Args:
        pins: normalised name -> version of ``constraints.txt``.
        installed: normalised name -> version.
        machine: what it would run on.
    """
    version = installed.get(normalise("ai2thor"))
    if version is None:
        return [Check(CLIENT, Level.OK, f"not installed; only --simulator thor needs it ({INSTALL})")]
    return [check_client(version, pins, installed), check_unity(machine), check_display(machine)]


def check_client(version: str, pins: Mapping[str, str], installed: Mapping[str, str]) -> Check:
    """The client has the version that was tested, and OpenCV's two packages are of one version."""
    twins = {installed[name] for name in ("opencv-python", "opencv-python-headless") if name in installed}
    if len(twins) > 1:
        found = f"{version}, which brought opencv-python {installed['opencv-python']} over opencv-python-headless"
        return Check(CLIENT, Level.WARN, found, f"install both alike: {INSTALL}")
    pinned = pins.get("ai2thor", version)
    if version != pinned:
        return Check(
            CLIENT, Level.WARN, f"{version} instead of {pinned}", f"the adapter is tested with that: {INSTALL}"
        )
    return Check(CLIENT, Level.OK, version)


def check_unity(machine: Machine) -> Check:
    """There is a Unity to talk to, and a build would take what the environment says of it."""
    from flowbench.builders.simulators.thor.settings import Settings

    port, executable = (machine.environment.get(f"FLOWBENCH_THOR_{name}") for name in ("PORT", "EXECUTABLE"))
    try:
        Settings.of(machine.environment)
    except UsageError as error:
        found, _, advice = str(error).rstrip(".").rpartition(": ")
        return Check(UNITY, Level.WARN, found, advice)
    if port:
        return Check(UNITY, Level.OK, f"one that somebody starts and that connects to port {port}")
    if executable:
        return Check(UNITY, Level.OK, executable)
    if machine.builds:
        return Check(UNITY, Level.OK, f"downloaded: {', '.join(machine.builds)}")
    advice = (
        "the first build with --simulator thor downloads it from AI2's servers; where that cannot be, fetch one "
        "elsewhere and set FLOWBENCH_THOR_EXECUTABLE (docs/thor.md)"
    )
    return Check(UNITY, Level.WARN, "no Unity build is here yet (about 1 GB)", advice)


def check_display(machine: Machine) -> Check:
    """Unity can draw: on a display, or without one by Vulkan."""
    if machine.environment.get("FLOWBENCH_THOR_PORT"):
        return Check(DISPLAY, Level.OK, "not needed here: Unity is started elsewhere")
    display = machine.environment.get("DISPLAY") or ("an X server" if machine.displays else "")
    if not display and not machine.vulkan:
        advice = "install libvulkan1 and the graphics card's driver, or start an X server and set DISPLAY"
        return Check(DISPLAY, Level.WARN, "neither a display nor Vulkan, so Unity cannot draw", advice)
    found = f"display {display}" if display else "none, Vulkan draws without one (CloudRendering)"
    if not machine.gpu:
        advice = "use a machine with one, or expect Unity to draw slowly or to end at its start"
        return Check(DISPLAY, Level.WARN, f"{found}, but no graphics card is seen", advice)
    return Check(DISPLAY, Level.OK, found)
