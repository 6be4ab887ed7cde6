"""A view of a scene and what is seen from it at one moment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.geometry import Camera
from flowbench.rendering import Frame

from .measuring import NOTICED_PIXELS_AT_800, PIXELS_AT_800, MaskFacts, Spot, innermost, mask_facts
from .naming import NEVER_NAMED
from .presets import Preset
from .scene import Arrangement, Shapes
from .silhouette import silhouette

LEAST_MARK_DEPTH = 5.0
"""Least distance from a mark's centre to its mask's edge, pixels of an 800 px wide image: no marks on slivers."""
LEAST_SHOWN = 0.5
LEAST_INSIDE = 0.85
"""Least shares of an object's outline that are seen, and that lie inside the picture: nobody judges what is hidden."""


@dataclass(frozen=True)
class ViewPose:
    """A camera pose as it is planned and stored: position (metres), yaw and pitch (radians), and its room."""

    position: tuple[float, float, float]
    yaw: float
    pitch_down: float
    room_id: str

    def camera(self, width: int, height: int) -> Camera:
        """The camera at this pose."""
        return Camera.standing(self.position, self.yaw, self.pitch_down, width=width, height=height)


@dataclass(frozen=True, eq=False)
class Sight:
    """What is seen at one moment.

    Attributes:
        camera: where from.
        arrangement: how the objects stand.
        ids: (H, W) uint16 instance ids.
        depth: (H, W) float32 planar depth, metres.
        masks: facts of every visible id.
    """

    camera: Camera
    arrangement: Arrangement
    ids: NDArray[np.uint16]
    depth: NDArray[np.float32]
    masks: dict[int, MaskFacts]

    @classmethod
    def take(cls, simulator: Simulator, camera: Camera, shapes: Shapes | None = None) -> Sight:
        """Look at the scene as it stands now."""
        simulator.set_camera(camera)
        return cls.of(simulator, camera, simulator.observe(depth=True, ids=True), shapes)

    @classmethod
    def of(cls, simulator: Simulator, camera: Camera, frame: Frame, shapes: Shapes | None = None) -> Sight:
        """What a frame shows that was taken from a camera just now, with depth and ids."""
        assert frame.ids is not None
        assert frame.depth is not None
        return cls(camera, Arrangement.of(simulator, shapes), frame.ids, frame.depth, mask_facts(frame.ids))

    @property
    def scale(self) -> float:
        """Image width / 800: pixel rules are given for 800 px."""
        return self.camera.width / 800.0

    def mask(self, object_id: str) -> MaskFacts | None:
        """An object's visible pixels; None when there are none."""
        return self.masks.get(self.arrangement.object(object_id).instance_id)

    @cached_property
    def visible(self) -> tuple[SceneObject, ...]:
        """Objects with enough pixels to be noticed, and so to confuse a name."""
        least = NOTICED_PIXELS_AT_800 * self.scale * self.scale
        return tuple(
            item
            for item in self.arrangement.objects
            if not item.structural and (mask := self.masks.get(item.instance_id)) is not None and mask.area >= least
        )

    @cached_property
    def nameable(self) -> tuple[SceneObject, ...]:
        """Objects an item may name here: enough pixels, room for a dot, a shape to measure, no part of the house."""
        return tuple(item for item in self.visible if self._is_nameable(item))

    def _is_nameable(self, item: SceneObject) -> bool:
        mask = self.masks[item.instance_id]
        return (
            bool(item.parts)
            and item.object_type not in NEVER_NAMED
            and mask.area >= PIXELS_AT_800 * self.scale * self.scale
            and self._is_shown(item.object_id, mask)
            and self.spot(item.object_id).depth >= LEAST_MARK_DEPTH * self.scale
        )

    def _is_shown(self, object_id: str, mask: MaskFacts) -> bool:
        """Whether enough of an object's outline is inside the picture and not hidden."""
        outline = silhouette(self.arrangement.placed(object_id), self.camera)
        return (
            outline is not None
            and mask.area >= LEAST_SHOWN * outline.area
            and outline.inside >= LEAST_INSIDE * outline.area
        )

    @cached_property
    def spots(self) -> dict[str, tuple[Sight, tuple[Spot, Spot] | None]]:
        """Spots common to an earlier sight and this one by object, kept by :func:`.spots.common_spot`."""
        return {}

    @cached_property
    def _spots(self) -> dict[str, Spot]:
        return {}

    def spot(self, object_id: str) -> Spot:
        """The innermost pixel of a visible object."""
        if object_id not in self._spots:
            item = self.arrangement.object(object_id)
            self._spots[object_id] = innermost(self.ids == item.instance_id, self.masks[item.instance_id])
        return self._spots[object_id]

    def camera_distance(self, object_id: str) -> float:
        """Metres from the eye to the centre of an object's box."""
        offset = self.arrangement.centre(object_id) - self.camera.eye
        return math.sqrt(float(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]))

    def is_mover(self, item: SceneObject, preset: Preset) -> bool:
        """Whether an object may move here: movable, in the distance band, large enough, carrying nothing."""
        if not (item.pickupable or item.moveable) or item.structural:
            return False
        distance = self.camera_distance(item.object_id)
        extent = 2.0 * float(item.box.half.max())
        return (
            preset.nearest < distance < preset.farthest
            and extent > preset.least_extent * distance
            and self.arrangement.supporter(item.object_id) is not None
            and not self.arrangement.carried_by(item.object_id)
        )
