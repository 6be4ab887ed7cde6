"""A loaded scene as the stages see it: objects by name and id, and gaps between them as they stand now."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.simulators.base import SceneObject, Simulator, Snapshot
from flowbench.geometry import ConvexParts, Pose
from flowbench.schema import JsonText

from .distances import Measure


class Shapes:
    """The collision parts of a scene's objects, and those parts placed in the world, each placing done once."""

    def __init__(self, objects: Iterable[SceneObject]) -> None:
        self._parts = {item.object_id: ConvexParts.of(item.parts) for item in objects if item.parts}
        self._placed: dict[tuple[str, Pose], ConvexParts] = {}
        self.texts: dict[Hashable, JsonText] = {}
        """What is written of objects and their states in every sample of the scene, kept by :mod:`.metadata`."""

    def placed(self, object_id: str, pose: Pose) -> ConvexParts:
        """An object's parts in the world frame when it stands at a pose."""
        key = (object_id, pose)
        if key not in self._placed:
            self._placed[key] = self._parts[object_id].placed(pose.matrix)
        return self._placed[key]


@dataclass(frozen=True, eq=False)
class Arrangement:
    """All objects at their poses at one moment; distances are measured on demand and kept.

    Attributes:
        objects: the scene's objects, structure included.
        snapshot: their states, in the same order.
        shapes: shared by all arrangements of a scene.
    """

    objects: tuple[SceneObject, ...]
    snapshot: Snapshot
    shapes: Shapes

    @classmethod
    def of(cls, simulator: Simulator, shapes: Shapes | None = None) -> Arrangement:
        """The present moment of a simulator; pass ``shapes`` of an earlier one to save work."""
        objects = tuple(simulator.objects)
        return cls(objects, simulator.snapshot(), shapes or Shapes(objects))

    @cached_property
    def index(self) -> dict[str, int]:
        """Position of each object by its name."""
        return {item.object_id: position for position, item in enumerate(self.objects)}

    @cached_property
    def _distances(self) -> dict[tuple[Measure, str, str], float]:
        return {}

    def object(self, object_id: str) -> SceneObject:
        """The object of that name."""
        return self.objects[self.index[object_id]]

    def pose(self, object_id: str) -> Pose:
        """Its pose at this moment."""
        return self.snapshot.states[self.index[object_id]].pose

    def supporter(self, object_id: str) -> str | None:
        """What carries it at this moment."""
        return self.snapshot.states[self.index[object_id]].supporter

    def carried_by(self, object_id: str) -> frozenset[str]:
        """Everything that stands on or in it at this moment."""
        return frozenset(
            item.object_id
            for item, state in zip(self.objects, self.snapshot.states, strict=True)
            if state.supporter == object_id
        )

    def centre(self, object_id: str) -> NDArray[np.float64]:
        """(3,) centre of its oriented box, world frame, metres."""
        item = self.object(object_id)
        return item.box.placed(self.pose(object_id).matrix).centre

    def corners(self, object_id: str) -> NDArray[np.float64]:
        """(8, 3) corners of its oriented box, world frame, metres."""
        item = self.object(object_id)
        return item.box.placed(self.pose(object_id).matrix).corners

    def placed(self, object_id: str) -> ConvexParts:
        """Its collision parts in the world frame."""
        return self.shapes.placed(object_id, self.pose(object_id))

    @cached_property
    def _parts(self) -> tuple[list[str], list[NDArray[np.float64]], NDArray[np.float64], NDArray[np.float64]]:
        """Every part in the world frame: its object's name, its vertices, and the corners (n, 3) of its box."""
        solid = [(item.object_id, self.placed(item.object_id)) for item in self.objects if item.parts]
        names = [name for name, placed in solid for _ in placed.parts]
        vertices = [part for _, placed in solid for part in placed.parts]
        low, high = (np.concatenate([placed.boxes[end] for _, placed in solid]) for end in (0, 1))
        return names, vertices, low, high

    def parts_within(
        self, low: NDArray[np.float64], high: NDArray[np.float64], without: str
    ) -> list[tuple[str, NDArray[np.float64]]]:
        """Parts (object name, vertices) of all objects but one whose boxes reach into a box, in the objects' order.

        Args:
            low, high: (3,) corners, world frame, metres.
            without: object id.
        """
        names, vertices, lower, upper = self._parts
        near = np.flatnonzero(((lower <= high) & (upper >= low)).all(axis=1)).tolist()
        return [(names[index], vertices[index]) for index in near if names[index] != without]

    def gap(self, a: str, b: str) -> float:
        """Metres between the closest surface points of two objects; 0 where they touch."""
        return self.distance(a, b, "nearest")

    def distance(self, a: str, b: str, measure: Measure) -> float:
        """Metres between two objects as a measure has it."""
        key = (measure, a, b) if a < b else (measure, b, a)
        if key not in self._distances:
            self._distances[key] = _MEASURED[measure](self, *key[1:])
        return self._distances[key]


def _between_surfaces(moment: Arrangement, a: str, b: str) -> float:
    return moment.placed(a).distance(moment.placed(b))


def _between_centres(moment: Arrangement, a: str, b: str) -> float:
    return _length(moment.centre(a) - moment.centre(b))


def _between_boxes(moment: Arrangement, a: str, b: str) -> float:
    """0 where the world boxes of the collision parts overlap."""
    (low_a, high_a), (low_b, high_b) = (
        (low.min(axis=0), high.max(axis=0)) for low, high in (moment.placed(name).boxes for name in (a, b))
    )
    return _length(np.maximum(np.maximum(low_a - high_b, low_b - high_a), 0.0))


def _length(vector: NDArray[np.float64]) -> float:
    x, y, z = vector.tolist()
    return math.sqrt(x * x + y * y + z * z)


_MEASURED: Mapping[Measure, Callable[[Arrangement, str, str], float]] = {
    "nearest": _between_surfaces,
    "centres": _between_centres,
    "boxes": _between_boxes,
}
