"""Looking: the agent is put where the camera is, and what it really looks from is compared with what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera
from flowbench.rendering import Frame

from ..base import SceneError
from .client import Client
from .pictures import depth_scale, floor_ratio, read_frame, read_ids, whole
from .structure import Building
from .units import agent_view, numbers, to_unity, to_world, vertical_view

OFF = 0.002
OFF_DEGREES = 0.02
"""Metres and degrees by which Unity's camera may differ from ours."""


@final
class Eye:
    """The agent's camera: where it is, how large its pictures are, and how far its depth can be trusted."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._starts = 0
        self._fov = 0.0
        self._scale = 1.0
        self.above = 0.0
        """Metres from the agent's position up to its camera."""

    def meet(self, event: Any) -> None:
        """Note how high the camera is over the agent, from a freshly loaded scene; its lens is asked for anew."""
        self._fov = 0.0
        agent, eye = (event.metadata.get(key) or {} for key in ("agent", "cameraPosition"))
        self.above = to_world(eye, "camera position")[2] - to_world(agent.get("position"), "agent position")[2]

    def check_depth(self, cameras: list[Camera]) -> None:
        """Compare the floor's depth from some viewpoints with what it must be, once for each Unity that is started.

        Raises:
            SceneError: depth is in no known unit, or none of the viewpoints looks at the floor.
        """
        if self._starts == self._client.starts:
            return
        near, far = self._client.planes
        ratios = []
        for camera in cameras:
            event = self._shown(camera)
            ratios.append(floor_ratio(whole(event.depth_frame, "depth", camera), camera))
        known = [ratio for ratio in ratios if ratio is not None]
        if not known:  # another Unity's scale says nothing of this one's
            raise SceneError("depth unchecked", "AI2-THOR's depth cannot be checked: no view shows the floor.")
        self._scale = depth_scale(max(known), near, far)
        self._starts = self._client.starts

    def look(self, camera: Camera, numbers: Mapping[str, int], building: Building) -> Frame:
        """All passes from a camera.

        Args:
            camera: upright.
            numbers: Unity's present object ids -> instance ids.
            building: takes the rest.
        """
        event = self._shown(camera)
        return read_frame(event, camera, numbers, building, self._scale, self._client.planes[1])

    def unclaimed(self, cameras: Iterable[Camera], listed: Iterable[str]) -> NDArray[np.float64]:
        """(n, 3) world points that some cameras see of none of these objects, metres."""
        names = dict.fromkeys(listed, 1)
        found = [np.empty((0, 3))]
        for camera in cameras:
            ids, depth = read_ids(self._shown(camera), camera, names, self._scale, self._client.planes[1])
            open_ = (ids == 0) & (depth > 0.0)
            rows, columns = np.nonzero(open_)
            pixels = np.column_stack([columns, rows]).astype(np.float64)
            found.append(camera.unproject(pixels, depth[open_].astype(np.float64)))
        return np.concatenate(found)

    def _shown(self, camera: Camera) -> Any:
        """An event rendered from a camera."""
        if self._client.size != (camera.width, camera.height):
            self._client.ask("ChangeResolution", x=camera.width, y=camera.height)
        view = vertical_view(camera)
        if abs(self._fov - view) > OFF_DEGREES:
            self._client.ask("ChangeFOV", fieldOfView=view, renderImage=False)
            self._fov = view
        x, y, z = (float(v) for v in camera.eye)
        rotation, horizon = agent_view(camera)
        event = self._client.ask(
            "TeleportFull",
            position=to_unity((x, y, z - self.above)),
            rotation={"x": 0.0, "y": rotation, "z": 0.0},
            horizon=horizon,
            standing=True,
            forceAction=True,
        )
        agent = event.metadata.get("agent") or {}
        at = to_world(event.metadata.get("cameraPosition"), "camera position")
        apart = max(abs(a - b) for a, b in zip(at, (x, y, z), strict=True))
        turn, level = numbers(agent.get("rotation"), "agent rotation")[1], agent.get("cameraHorizon")
        turned = abs((turn - rotation + 180.0) % 360.0 - 180.0)
        tipped = abs(numbers([level] * 3, "horizon")[0] - horizon)
        if apart > OFF or max(turned, tipped) > OFF_DEGREES:
            raise SceneError("camera elsewhere", "AI2-THOR's camera did not go where it was asked to look from.")
        return event
