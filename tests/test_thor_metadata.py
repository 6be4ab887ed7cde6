"""Metadata of Unity's in another shape than it should have: a sentence, and no more than the scene is lost."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.unity import needs_client

from flowbench.builders.simulators.base import SceneError
from flowbench.geometry import Camera

pytestmark = needs_client
EYE = {"x": 0.0, "y": 1.5, "z": 0.0}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({}, "states no position"),
        ({"position": None}, "states no position"),
        ({"position": [0, 1, 2]}, "states no rotation"),
        ({"position": [0, 1, 2], "rotation": {"x": 0.0, "y": 90.0}}, "states no rotation"),
    ],
)
def test_objects_that_stand_nowhere_lose_the_scene(entry: Mapping[str, Any], said: str) -> None:
    from flowbench.builders.simulators.thor.placing import place_of

    with pytest.raises(SceneError, match=said) as told:
        place_of(entry)
    assert told.value.reason == "metadata unreadable"


def test_turns_may_come_as_lists() -> None:
    from flowbench.builders.simulators.thor.placing import place_of

    place = place_of({"position": [1.0, 2.0, 3.0], "rotation": [0.0, 90.0, 0.0]})
    assert place.pose.position == (1.0, 3.0, 2.0)
    assert place.turn == {"x": 0.0, "y": 90.0, "z": 0.0}


@pytest.mark.parametrize(
    ("metadata", "said"),
    [({}, "states no camera position"), ({"cameraPosition": EYE, "agent": {}}, "states no agent position")],
)
def test_an_agent_that_is_nowhere_loses_the_scene(metadata: Mapping[str, Any], said: str) -> None:
    from flowbench.builders.simulators.thor.client import Client
    from flowbench.builders.simulators.thor.looking import Eye
    from flowbench.builders.simulators.thor.settings import Settings

    eye = Eye(Client(Settings.of({})))
    with pytest.raises(SceneError, match=said):
        eye.meet(SimpleNamespace(metadata=metadata))


def test_metadata_that_the_client_stumbles_over_loses_the_scene() -> None:
    from flowbench.builders.simulators.thor.client import Client
    from flowbench.builders.simulators.thor.settings import Settings

    def stumbles(action: str, arguments: Mapping[str, Any]) -> Any:
        raise KeyError("lastActionSuccess")

    client = Client(Settings.of({}))
    client._controller = SimpleNamespace(say=stumbles)
    with pytest.raises(SceneError, match="KeyError: 'lastActionSuccess' during Pass") as told:
        client.ask("Pass")
    assert told.value.reason == "engine lost"


def test_depth_is_checked_for_every_unity_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from flowbench.builders.simulators.thor.looking import Eye

    def shown(self: Eye, camera: Camera) -> Any:
        return SimpleNamespace(depth_frame=np.ones((camera.height, camera.width), np.float32))

    client: Any = SimpleNamespace(starts=1, planes=(0.1, 20.0))
    level, down = (Camera.standing((0.0, 0.0, 1.5), 0.0, pitch, width=80, height=60) for pitch in (0.0, 1.0))
    monkeypatch.setattr(Eye, "_shown", shown)
    eye = Eye(client)
    for cameras, reason in (([], "depth unchecked"), ([level], "depth unchecked"), ([level, down], "depth unreadable")):
        with pytest.raises(SceneError) as told:
            eye.check_depth(cameras)
        assert told.value.reason == reason
