"""The published state of a home, ``meta.txt`` of format ``flowbench-home/1``, as far as a recheck needs it.

The text may come from anywhere: its size is limited before it is parsed, and everything that is not finite,
not rigid or not unique is refused (security.md).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from flowbench.errors import ReleaseError
from flowbench.geometry import Pose, invert, transform
from flowbench.schema import parse_model

MAX_BYTES = 1 << 26
_LISTED = 4096

Metres = Annotated[float, Field(ge=-1e4, le=1e4)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Vector = tuple[Metres, Metres, Metres]
Row = tuple[Metres, Metres, Metres, Metres]
Part = Annotated[tuple[Vector, ...], Field(min_length=1, max_length=_LISTED)]


class _Published(BaseModel):
    """Frozen, finite; fields that a recheck does not need are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class StateMeta(_Published):
    """Where an object is in one of the two frames."""

    position: Vector
    quaternion: Annotated[tuple[float, float, float, float], Field(description="(x, y, z, w)")]
    supporter: Name | None

    @model_validator(mode="after")
    def _unit(self) -> StateMeta:
        if not abs(math.hypot(*self.quaternion) - 1.0) <= 1e-5:
            raise ValueError("a quaternion is not of length 1")
        return self

    @property
    def world_from_object(self) -> NDArray[np.float64]:
        """(4, 4) float64."""
        return Pose(self.position, self.quaternion).matrix


class BoxMeta(_Published):
    """The oriented bounding box in the object frame."""

    frame: Annotated[tuple[Row, Row, Row, Row], Field(description="object_from_box")]
    half: Vector


class ObjectMeta(_Published):
    """One object: what it is, where it is before and after."""

    id: Annotated[int, Field(ge=1, le=65535)]
    object: Name
    type: Name
    room: Name | None
    structural: bool
    box: BoxMeta
    parts: Annotated[tuple[Part, ...], Field(max_length=_LISTED)]
    before: StateMeta
    after: StateMeta

    def placed_parts(self, state: StateMeta) -> list[NDArray[np.float64]]:
        """The convex collision parts in the world frame, (n, 3) float64 each."""
        if not self.parts:
            return []
        vertices = transform(state.world_from_object, self.vertices)
        ends = list(itertools.accumulate(len(part) for part in self.parts))
        return [vertices[start:end] for start, end in itertools.pairwise([0, *ends])]

    @cached_property
    def vertices(self) -> NDArray[np.float64]:
        """The vertices of all parts, one part after another, (n, 3) float64, object frame."""
        return np.array([vertex for part in self.parts for vertex in part], dtype=np.float64).reshape(-1, 3)

    @cached_property
    def radius(self) -> float:
        """How far the parts reach from the object frame's origin, metres."""
        return math.sqrt(float(np.square(self.vertices).sum(axis=1).max(initial=0.0)))

    def centre(self, state: StateMeta) -> NDArray[np.float64]:
        """(3,) float64: the centre of the oriented box in the world frame."""
        return transform(state.world_from_object, np.array([row[3] for row in self.box.frame[:3]]))


class CameraMeta(_Published):
    """The camera, the same in both frames."""

    width: Annotated[int, Field(ge=1, le=16_384)]
    height: Annotated[int, Field(ge=1, le=16_384)]
    k: tuple[Vector, Vector, Vector]
    camera_from_world: tuple[Row, Row, Row, Row]

    @model_validator(mode="after")
    def _rigid(self) -> CameraMeta:
        matrix = np.array(self.camera_from_world)
        skew = matrix[:3, :3] @ matrix[:3, :3].T - np.eye(3)
        if np.abs(skew).max() > 1e-6 or matrix[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
            raise ValueError("camera_from_world is not a rigid transform")
        return self

    @property
    def matrix(self) -> NDArray[np.float64]:
        """``camera_from_world``, (4, 4) float64."""
        return np.array(self.camera_from_world)

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.k[0][0]

    @property
    def centre(self) -> NDArray[np.float64]:
        """(2,) principal point in pixels."""
        return np.array([self.k[0][2], self.k[1][2]])

    @property
    def floor_axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Unit vectors (3,) to the camera's right and away from it, on the floor, world frame."""
        across = self.matrix[0, :2] / math.hypot(*self.matrix[0, :2])
        return np.array([across[0], across[1], 0.0]), np.array([-across[1], across[0], 0.0])

    @property
    def eye(self) -> NDArray[np.float64]:
        """The camera's position, (3,) float64, world frame."""
        return invert(self.matrix)[:3, 3]


class SceneMeta(_Published):
    """Which scene it is."""

    scene_id: Name


class HomeMeta(_Published):
    """State m0 and m1 of a home around one motion."""

    format: Literal["flowbench-home/1"]
    scene: SceneMeta
    camera: CameraMeta
    objects: Annotated[tuple[ObjectMeta, ...], Field(max_length=65535)]
    moved: tuple[Name, ...]

    @model_validator(mode="after")
    def _unique(self) -> HomeMeta:
        for kind, values in (("id", [o.id for o in self.objects]), ("name", [o.object for o in self.objects])):
            if len(set(values)) != len(values):
                raise ValueError(f"two objects have the same {kind}")
        return self

    @classmethod
    def parse(cls, data: bytes) -> HomeMeta:
        """Read the member ``meta.txt``.

        Raises:
            ReleaseError: too large, not JSON of this format, or with a value that no home can have.
        """
        return parse_model(cls, data, "meta.txt", MAX_BYTES, "build the sample again")

    def find(self, instance_id: int) -> ObjectMeta:
        """The object with this instance id.

        Raises:
            ReleaseError: there is none.
        """
        found = self._by_id.get(instance_id)
        if found is None:
            raise ReleaseError(f"instance id {instance_id} is named but missing in meta.txt: build the sample again")
        return found

    @cached_property
    def _by_id(self) -> dict[int, ObjectMeta]:
        return {each.id: each for each in self.objects}

    @cached_property
    def moving(self) -> Sequence[ObjectMeta]:
        """The objects whose pose differs between the frames."""
        return [each for each in self.objects if each.object in self.displaced]

    @cached_property
    def displaced(self) -> Sequence[str]:
        """Names of all objects whose pose differs between the frames, in the order of ``objects``."""
        return [
            each.object
            for each in self.objects
            if (each.before.position, each.before.quaternion) != (each.after.position, each.after.quaternion)
        ]


@lru_cache(maxsize=8)
def shared_meta(data: bytes) -> HomeMeta:
    """What :meth:`HomeMeta.parse` makes of it, remembered: samples of one move share it and lie near in a shard."""
    return HomeMeta.parse(data)
