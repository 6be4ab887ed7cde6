"""What carries an object: what the metadata names as its receptacle, else what lies right below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from flowbench.geometry import ConvexParts, Pose

from ..base import SceneObject

FOOTING = 0.01
"""What lies no farther below an object's lowest point carries it, metres."""


class Footing:
    """Looks for carriers among a scene's objects."""

    def __init__(self, objects: Iterable[SceneObject]) -> None:
        self._parts = {item.object_id: ConvexParts.of(item.parts) for item in objects if item.parts}
        self._placed: dict[tuple[str, Pose], ConvexParts] = {}

    def placed(self, name: str, pose: Pose) -> ConvexParts:
        """An object's parts where it stands, world frame."""
        key = (name, pose)
        if key not in self._placed:
            self._placed[key] = self._parts[name].placed(pose.matrix)
        return self._placed[key]

    def carrier(self, name: str, poses: Mapping[str, Pose], parents: Iterable[str]) -> str | None:
        """What carries an object.

        Args:
            name: the object.
            poses: where everything stands.
            parents: the receptacles that the metadata names; of several the nearest counts.
        """
        if name not in self._parts:
            return None
        body = self.placed(name, poses[name])
        named = [parent for parent in dict.fromkeys(parents) if parent in self._parts and parent != name]
        if named:
            return min(named, key=lambda parent: (body.distance(self.placed(parent, poses[parent])), parent))
        low, high = body.boxes[0].min(axis=0), body.boxes[1].max(axis=0)
        below = []
        for other in self._parts:
            if other == name:
                continue
            thing = self.placed(other, poses[other])
            under, over = thing.boxes[0].min(axis=0), thing.boxes[1].max(axis=0)
            beside = (under[:2] > high[:2]).any() or (over[:2] < low[:2]).any()
            if beside or under[2] > low[2] - 0.5 * FOOTING or over[2] < low[2] - FOOTING:
                continue
            foot = _foot(body, float(low[2]))
            gap = foot.distance(thing)
            if gap <= FOOTING:
                below.append((round(gap, 4), other))
        return min(below)[1] if below else None


def _foot(body: ConvexParts, bottom: float) -> ConvexParts:
    """The lowest points of an object, each part's apart."""
    feet = [part[part[:, 2] <= bottom + 0.5 * FOOTING] for part in body.parts]
    solid = [np.asarray(foot) for foot in feet if len(foot)]
    return ConvexParts.of(solid)
