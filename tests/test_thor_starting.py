"""What the client is given to start Unity with, and what is said where there is none or it refuses a scene."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import pytest
from support.unity import needs_client

from flowbench.builders.simulators.base import SceneError
from flowbench.errors import UsageError

pytestmark = needs_client


class Server:
    """What of a server is used when it is let go of."""

    unity_proc = None

    def end(self) -> None:
        """Nothing runs."""


def refusing(error: Exception, given: list[dict[str, Any]], *, answers: bool) -> Any:
    """A controller that notes what it is given and fails, with or without having come to its server."""

    def made(line: list[Any], **arguments: Any) -> None:
        given.append(arguments)
        if answers:
            line.append(Server())
        raise error

    return made


def started(monkeypatch: pytest.MonkeyPatch, scene: Any, error: Exception, *, answers: bool) -> list[dict[str, Any]]:
    """Load a scene in a client whose controller fails so; what the controller was given."""
    from flowbench.builders.simulators.thor import client
    from flowbench.builders.simulators.thor.settings import Settings

    given: list[dict[str, Any]] = []
    monkeypatch.setattr(client, "LineController", refusing(error, given, answers=answers))
    with pytest.raises(SceneError if answers and isinstance(scene, dict) else UsageError) as told:
        client.Client(Settings.of({})).load(scene)
    given.append({"told": str(told.value)})
    return given


def test_platforms_are_the_clients_own_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    import ai2thor.platform

    given, told = started(monkeypatch, "FloorPlan1", Exception("No build exists for arch=Linux"), answers=False)
    assert given["platform"] is ai2thor.platform.CloudRendering
    assert told["told"].startswith(
        "AI2-THOR's Unity did not start: it is not on this machine and could not be downloaded (run flowbench doctor"
    )


@pytest.mark.parametrize("name", ["CloudRendering", "Linux64"])
def test_every_platform_that_can_be_set_is_known_to_the_client(name: str) -> None:
    from flowbench.builders.simulators.thor.bindings import platform_of
    from flowbench.builders.simulators.thor.settings import PLATFORMS

    assert name in PLATFORMS
    assert platform_of(name).name() == name
    assert platform_of(None) is None


def test_a_house_with_arguments_that_unity_refuses_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    _, told = started(monkeypatch, {"rooms": []}, ValueError("invalid argument\nhouse"), answers=True)
    assert told["told"] == "AI2-THOR could not make the scene: invalid argument house"
    _, told = started(monkeypatch, "FloorPlan1", ValueError("not contained in build"), answers=True)
    assert told["told"] == "AI2-THOR refused the scene: not contained in build"


def test_a_download_that_keeps_silent_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ai2thor.build

    from flowbench.builders.simulators.thor import bindings, client
    from flowbench.builders.simulators.thor.settings import Settings

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setattr(bindings, "SILENCE_SECONDS", 0.3)
        monkeypatch.setattr(ai2thor.build, "base_url", f"http://127.0.0.1:{silent.getsockname()[1]}/")
        monkeypatch.setattr(bindings.LineController, "releases_dir", str(tmp_path), raising=False)
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(name, raising=False)
        began = time.monotonic()
        with pytest.raises(UsageError, match="it is not on this machine and could not be downloaded"):
            client.Client(Settings.of({}), width=160, height=120).load("FloorPlan1")
        assert time.monotonic() - began < 30.0
