"""Where Unity is found and how long it is waited for: environment variables, since workers inherit them anywhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flowbench.errors import UsageError

EXECUTABLE = "FLOWBENCH_THOR_EXECUTABLE"
PORT = "FLOWBENCH_THOR_PORT"
HOST = "FLOWBENCH_THOR_HOST"
PLATFORM = "FLOWBENCH_THOR_PLATFORM"
START_SECONDS = "FLOWBENCH_THOR_START_SECONDS"
STEP_SECONDS = "FLOWBENCH_THOR_STEP_SECONDS"
PLATFORMS = ("CloudRendering", "Linux64")


@dataclass(frozen=True)
class Settings:
    """How to come to a running Unity.

    Attributes:
        executable: a Unity build of one's own; None for the one that ``ai2thor`` downloads.
        port: wait there for a Unity that somebody else starts; None to start one.
        host: address to listen at.
        platform: ``CloudRendering`` (Vulkan, no display) or ``Linux64`` (X display).
        start_seconds, step_seconds: how long a start and an action may take.
    """

    executable: str | None = None
    port: int | None = None
    host: str = "127.0.0.1"
    platform: str | None = None
    start_seconds: float = 300.0
    step_seconds: float = 100.0

    @classmethod
    def of(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """From the environment.

        Raises:
            UsageError: a variable holds what it cannot mean.
        """
        given = {k: v for k, v in (os.environ if environment is None else environment).items() if v}
        executable = given.get(EXECUTABLE)
        if executable and not (Path(executable).is_file() and os.access(executable, os.X_OK)):
            raise UsageError(f"{EXECUTABLE} is {executable}, which is no executable file: give a Unity build's path.")
        platform = given.get(PLATFORM)
        if platform and platform not in PLATFORMS:
            raise UsageError(
                f"{PLATFORM} is {platform!r}, expected one of {', '.join(PLATFORMS)}: set one or unset it."
            )
        if platform is None and not given.get("DISPLAY"):
            platform = "CloudRendering"
        port = _number(given, PORT, 1.0, 65535.0)
        return cls(
            executable=str(Path(executable).absolute()) if executable else None,
            port=None if port is None else int(port),
            host=given.get(HOST, cls.host),
            platform=platform,
            start_seconds=_number(given, START_SECONDS, 0.5, 86_400.0) or cls.start_seconds,
            step_seconds=_number(given, STEP_SECONDS, 0.5, 86_400.0) or cls.step_seconds,
        )


def _number(given: Mapping[str, str], name: str, least: float, most: float) -> float | None:
    """A variable's number; None where it is not set."""
    if name not in given:
        return None
    try:
        value = float(given[name])
    except ValueError:
        value = -1.0
    if not least <= value <= most:
        raise UsageError(f"{name} is {given[name]!r}, expected a number from {least:g} to {most:g}: set it so.")
    return value
