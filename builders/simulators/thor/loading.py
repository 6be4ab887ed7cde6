"""Loading: from a room's name or a house to a scene that stands still, is described, and can be moved in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import Camera, Pose, rotation_angle

from ..base import ObjectState, Room, SceneError
from .client import Client
from .looking import Eye
from .moving import Mover
from .placing import Placing
from .pools import Chosen
from .rooms import Triangles, height_of, room_of_positions, rooms_of_floors, rooms_of_house
from .scene import Entry, Scene, entries_of, keyed, read_scene
from .shapes import floor_triangles, meshes_of
from .supporting import Footing
from .units import to_world
from .walls import lookouts, on_faces

REST_SECONDS = 1.0
"""Of physics before a scene is frozen."""
DEPTH_VIEWS = 6
BARE = ("Wall", "Ceiling")
"""Types that hide no wall."""
GEOMETRY = "GetInSceneAssetGeometry"


@dataclass(frozen=True, eq=False)
class Loaded:
    """A loaded scene.

    Attributes:
        name: the room's, or the house's.
        style: ``ithor`` or ``procthor``.
        scene: what never changes.
        states: how everything stands at first.
        standing: (n, 3) eye positions that the agent reaches, world frame, metres.
        placing, mover: where things are, and how they get elsewhere.
        movable: our object id -> Unity's lasting key, of what can be moved.
    """

    name: str
    style: str
    scene: Scene
    states: Mapping[str, ObjectState]
    standing: NDArray[np.float64]
    placing: Placing
    mover: Mover
    movable: Mapping[str, str]

    @property
    def names(self) -> Mapping[str, Pose]:
        """Our object ids."""
        return self.scene.poses

    @property
    def eye_height(self) -> float:
        """Metres."""
        return round(float(self.standing[0, 2]), 5)

    def numbers(self) -> Mapping[str, int]:
        """Unity's present object ids -> our instance ids."""
        ids = {item.object_id: item.instance_id for item in self.scene.objects}
        return {entry["objectId"]: ids[self.scene.keys[key]] for key, entry in self.placing.entries.items()}

    def put_back(self, poses: Mapping[str, Pose]) -> None:
        """Put objects where they stood at an earlier time."""
        self.placing.freeze(
            {self.movable[name]: self.placing.stood(self.movable[name], p) for name, p in poses.items()}
        )

    def turned(self, before: Pose, after: Pose) -> float:
        """Radians between two poses."""
        return 0.0 if before.quaternion == after.quaternion else rotation_angle(before.matrix, after.matrix)

    def walls(self) -> dict[str, list[dict[str, Any]]]:
        """Room id -> its walls' inner faces; each runs from start to end (x, y) with the room on its left."""
        names = {item.instance_id: item.object_id for item in self.scene.objects}
        found: dict[str, list[dict[str, Any]]] = {room.room_id: [] for room in self.scene.rooms}
        for face, number in self.scene.building.walls:
            found[self.scene.rooms[face.room].room_id].append(
                {
                    "object": names[number],
                    "start": list(face.start),
                    "end": list(face.end),
                    "normal": [v + 0.0 for v in face.normal],
                }
            )
        return found


def load_scene(client: Client, eye: Eye, chosen: Chosen) -> Loaded:
    """Load a scene, let it come to rest, freeze it, and read it.

    Raises:
        SceneError: Unity is lost, or the scene cannot be understood.
    """
    event = client.load(chosen.request)
    eye.meet(event)
    client.ask("PausePhysicsAutoSim", renderImage=False)
    event = client.ask("AdvancePhysicsStep", timeStep=0.02, simSeconds=REST_SECONDS, renderImage=False)
    entries = keyed(entries_of(event.metadata))
    placing = Placing(client, entries)
    standing = _standing(client, eye)
    drawn = {key: _drawn(client, entry) for key, entry in placing.entries.items()}
    meshes = {key: meshes_of(returned) for key, returned in drawn.items()}
    floors = {
        key: floor_triangles(drawn[key]) for key, entry in placing.entries.items() if entry["objectType"] == "Floor"
    }
    eye.check_depth(_downward(client, standing))
    rooms = _rooms(chosen, event.metadata, floors, standing)
    if chosen.house is None:
        things = {entry["objectId"] for entry in placing.entries.values() if entry["objectType"] not in BARE}
        rooms = tuple(on_faces(room, eye.unclaimed(lookouts(room, standing), things)) for room in rooms)
    scene = read_scene(list(entries.values()), meshes, rooms)
    footing = Footing(scene.objects)
    parents = {scene.keys[key]: [scene.keys[p] for p in placing.parents(key)] for key in placing.entries}
    poses = {**scene.poses}
    for key, place in placing.places.items():
        poses[scene.keys[key]] = place.pose
    structural = {item.object_id for item in scene.objects if item.structural}
    states = {
        name: ObjectState(pose, None if name in structural else footing.carrier(name, poses, parents.get(name, ())))
        for name, pose in poses.items()
    }
    return Loaded(
        chosen.name,
        "ithor" if chosen.house is None else "procthor",
        scene,
        states,
        standing,
        placing,
        Mover(placing, rooms, footing, scene.keys, shut=chosen.house is None),
        {scene.keys[key]: key for key in placing.places if _solid(scene, scene.keys[key])},
    )


def _solid(scene: Scene, name: str) -> bool:
    return any(item.object_id == name and item.parts and not item.structural for item in scene.objects)


def _standing(client: Client, eye: Eye) -> NDArray[np.float64]:
    """(n, 3) eye positions that the agent reaches."""
    event = client.ask("GetReachablePositions", renderImage=False)
    found = event.metadata["actionReturn"]
    if not isinstance(found, list) or not found:
        raise SceneError("nowhere to stand", "AI2-THOR's agent reaches no place of the scene.")
    points = np.array([to_world(point, "reachable position") for point in found])
    points[:, 2] += eye.above
    return np.round(points, 5) + 0.0


def _drawn(client: Client, entry: Entry) -> object:
    """An object's meshes as Unity returns them; None where the build cannot tell."""
    try:
        floor = entry["objectType"] == "Floor"
        event = client.attempt(GEOMETRY, objectId=entry["objectId"], triangles=floor, renderImage=False)
    except SceneError as error:
        if error.reason != "action unknown":
            raise
        return None
    return event.metadata["actionReturn"] if event.metadata["lastActionSuccess"] else None


def _rooms(
    chosen: Chosen,
    metadata: Mapping[str, Any],
    floors: Mapping[str, Triangles],
    standing: NDArray[np.float64],
) -> tuple[Room, ...]:
    """The rooms, from the best that tells of them."""
    if chosen.house is not None:
        return rooms_of_house(chosen.house)
    height = height_of(metadata)
    return rooms_of_floors(chosen.name, floors, height) or room_of_positions(chosen.name, standing, height)


def _downward(client: Client, standing: NDArray[np.float64]) -> list[Camera]:
    """Cameras that look down at the floor from places spread over the scene."""
    width, height = client.size
    picked = standing[:: max(1, len(standing) // DEPTH_VIEWS)][:DEPTH_VIEWS].tolist()
    return [
        Camera.standing((x, y, z), 1.05 * k, math.radians(60.0), width=width, height=height)
        for k, (x, y, z) in enumerate(picked)
    ]
