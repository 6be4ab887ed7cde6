"""The simulator contract: what every engine offers to the stages of a build.

Frames and units are those of schema.md: world right-handed, Z up, metres; camera OpenCV; depth planar.
Rooms, objects and their states are plain frozen values; the engine behind them is never seen.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import FlowbenchError
from flowbench.geometry import Camera, OrientedBox, Pose
from flowbench.rendering import Frame

Part = NDArray[np.float64]
"""Vertices (n, 3) of a convex collision part; the part is their hull."""


@dataclass(frozen=True, eq=False)
class Room:
    """A room by its floor polygon.

    Attributes:
        room_id: unique in the scene, e.g. ``"room-1"``.
        room_type: ``kitchen``, ``living_room``, ``bedroom``, ``bathroom``, ``office`` or ``hallway``.
        polygon: (n, 2) float64, counter-clockwise, inner faces of the walls, metres.
        height: floor to ceiling, metres.
    """

    room_id: str
    room_type: str
    polygon: NDArray[np.float64]
    height: float


@dataclass(frozen=True, eq=False)
class SceneObject:
    """What never changes about an object of a scene.

    Attributes:
        instance_id: its value in segmentation images, 1..65535.
        object_id: unique name in the scene, ``"Mug|12"``.
        object_type: AI2-THOR's type name; structure is ``Wall``, ``Floor``, ``Ceiling``, ``Door``, ``Window``.
        label: how a text calls the type, e.g. ``"dining table"``.
        room_id: the room it belongs to, None for structure between rooms.
        pickupable, moveable, receptacle: as AI2-THOR flags the type.
        structural: part of the building; never a mover, never a landmark.
        parts: convex collision parts, object frame, metres; empty for pure decoration.
        box: oriented bounding box of the object in its own frame (its pose is not applied).
    """

    instance_id: int
    object_id: str
    object_type: str
    label: str
    room_id: str | None
    pickupable: bool
    moveable: bool
    receptacle: bool
    structural: bool
    parts: tuple[Part, ...]
    box: OrientedBox


@dataclass(frozen=True)
class ObjectState:
    """What a move can change: the pose and what carries the object.

    ``supporter`` is the ``object_id`` of what it stands on (the floor included), None if it hangs or is fixed.
    """

    pose: Pose
    supporter: str | None


@dataclass(frozen=True)
class MoveResult:
    """Outcome of a teleport. When ``ok`` is False nothing changed and ``reason`` is one of
    ``collision``, ``out_of_bounds``, ``unsupported``, ``tilted``, ``not_settled``.

    Attributes:
        ok: whether the object now stands there.
        reason: None when ok.
        displacement: (dx, dy, dz) really made, world frame, metres (settling included).
        rotation: angle turned by settling, radians.
    """

    ok: bool
    reason: str | None
    displacement: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: float = 0.0


@dataclass(frozen=True)
class RayHit:
    """What a pixel's ray meets first: world point (metres), planar depth (metres), instance id."""

    point: tuple[float, float, float]
    depth: float
    instance_id: int


@dataclass(frozen=True)
class Snapshot:
    """An opaque copy of all object states; give it back to :meth:`Simulator.restore`."""

    states: tuple[ObjectState, ...]


class SceneError(FlowbenchError):
    """The engine cannot make this scene, or lost it; others may be had. It is tried again, then skipped and counted.

    Attributes:
        reason: a few words that such scenes are counted by.
        final: trying again cannot help; then scenes are counted by their own sentences.
    """

    exit_code = 1

    def __init__(self, reason: str, sentence: str, *, final: bool = False) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.final = final

    def __reduce__(self) -> tuple[type[SceneError], tuple[str, str], dict[str, bool]]:
        return type(self), (self.reason, str(self)), {"final": self.final}


class Simulator(abc.ABC):
    """One loaded scene at a time. Everything is deterministic in (seed, pool, scene) unless the engine says not."""

    name: str
    version: str

    def __init__(self, *, width: int = 800, height: int = 600, houses: str | None = None) -> None:  # noqa: B027
        """Pictures will mostly be ``width`` x ``height`` pixels, for engines that must know it at the start.

        With ``houses``, the path of a file of ProcTHOR houses, scene i is that file's house i instead of one of the
        engine's own; an engine may do so for its training pool alone.
        """

    @classmethod
    def most_scenes(cls, pool: str, houses: int | None) -> int | None:
        """How many scenes a pool has at most; None where there is no end of them.

        ``houses`` is how many a file holds, None without one.
        """
        return houses

    @abc.abstractmethod
    def load(self, seed: int, pool: str, scene: int) -> None:
        """Make or load a scene; replaces the former one and forgets its camera."""

    @property
    @abc.abstractmethod
    def rooms(self) -> Sequence[Room]:
        """The scene's rooms."""

    @property
    @abc.abstractmethod
    def objects(self) -> Sequence[SceneObject]:
        """All objects, structure included, by ascending instance id."""

    @abc.abstractmethod
    def state(self, object_id: str) -> ObjectState:
        """Where an object is now."""

    @abc.abstractmethod
    def reachable_positions(self) -> NDArray[np.float64]:
        """(n, 3) float64 eye positions above free floor where a person could stand, world frame, metres."""

    @abc.abstractmethod
    def set_camera(self, camera: Camera) -> None:
        """Look from here in :meth:`observe` and :meth:`raycast` until told otherwise.

        The camera may have another size than the simulator's pictures, e.g. a smaller one to score views with.
        """

    @abc.abstractmethod
    def observe(self, *, rgb: bool = False, depth: bool = False, ids: bool = False) -> Frame:
        """The picture from the camera; only the passes asked for are made."""

    @abc.abstractmethod
    def raycast(self, u: float, v: float) -> RayHit | None:
        """What the ray through pixel (u, v) meets first; None if nothing."""

    @abc.abstractmethod
    def teleport(self, object_id: str, position: tuple[float, float, float], *, settle: bool) -> MoveResult:
        """Put an object's origin there, keeping its orientation, unless that collides (then nothing changes).

        With ``settle`` it then falls under gravity until it rests on what is below; tilts over 15 degrees
        are refused (the object goes back). Without, it stays at the height given.
        """

    def way_is_free(self, object_id: str, displacement: tuple[float, float, float]) -> bool | None:
        """Whether an object could be moved straight by (3,) metres from where it stands, as the engine collides.

        For engines whose parts are only near to what they collide; None where the parts are just that, and tell all.
        """
        return None

    @abc.abstractmethod
    def snapshot(self) -> Snapshot:
        """Copy all object states."""

    @abc.abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Put every object back exactly as it was."""

    def metadata(self) -> dict[str, Any]:
        """Engine facts worth publishing beside the states (e.g. style); plain JSON values."""
        return {}

    def close(self) -> None:  # noqa: B027
        """Free what the engine holds; the simulator is not used afterwards."""
