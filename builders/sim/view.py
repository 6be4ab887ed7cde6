"""A view of a scene and what is seen from it at one moment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.simulators.base import SceneObject, Simulator
from flowbench.geometry import Camera

from .measuring import PIXELS_AT_800, MaskFacts, Spot, innermost, mask_facts
from .naming import NEVER_NAMED
from .presets import Preset
from .scene import Arrangement, Shapes

LEAST_MARK_DEPTH = 5.0
"""Least distance from a mark's centre to its mask's edge, pixels of an 800 px wide image: no marks on slivers."""
LEAST_SHOWN = 0.6
"""Least share of an object's extent in the picture that is seen: nobody judges what is cut off or hidden."""


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
        masks: facts of every visible id.
    """

    camera: Camera
    arrangement: Arrangement
    ids: NDArray[np.uint16]
    masks: dict[int, MaskFacts]

    @classmethod
    def take(cls, simulator: Simulator, camera: Camera, shapes: Shapes | None = None) -> Sight:
        """Look at the scene as it stands now."""
        simulator.set_camera(camera)
        ids = simulator.observe(ids=True).ids
        assert ids is not None
        return cls(camera, Arrangement.of(simulator, shapes), ids, mask_facts(ids))

    @property
    def scale(self) -> float:
        """Image width / 800: pixel rules are given for 800 px."""
        return self.camera.width / 800.0

    def mask(self, object_id: str) -> MaskFacts | None:
        """An object's visible pixels; None when there are none."""
        return self.masks.get(self.arrangement.object(object_id).instance_id)

    @cached_property
    def visible(self) -> tuple[SceneObject, ...]:
        """Objects with at least a third of the pixels that a named one needs: enough to confuse a name."""
        least = PIXELS_AT_800 / 3.0 * self.scale * self.scale
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
            and self.shown(item.object_id) >= LEAST_SHOWN
            and self.spot(item.object_id).depth >= LEAST_MARK_DEPTH * self.scale
        )

    def shown(self, object_id: str) -> float:
        """How much of an object can be seen: its mask's bounding rectangle over that of its whole projection.

        What the frame cuts off or other objects hide makes it small; 0 for an object that reaches behind the camera.
        """
        mask = self.mask(object_id)
        pixels, depth = self.camera.project(self.arrangement.placed(object_id).vertices)
        if mask is None or not (depth > 0.0).all():
            return 0.0
        extent = pixels.max(axis=0) - pixels.min(axis=0) + 1.0
        return mask.width * mask.height / float(extent[0] * extent[1])

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
