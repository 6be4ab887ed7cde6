"""``meta.txt`` of homes: the simulator's full state before and after, as JSON text (schema.md, "Columns").

It holds all that a recheck needs: objects with pose, box, convex parts and supporter; room polygons; the camera.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flowbench.builders.simulators.base import Room, SceneObject, Simulator
from flowbench.geometry import Camera, aabb_of, transform
from flowbench.schema import JsonText, to_json

from .scene import Arrangement

FORMAT = "flowbench-home/1"
DECIMALS = 5
"""Of metres; poses and parts are made with no more."""


def describe(simulator: Simulator, scene_id: str, camera: Camera, before: Arrangement, after: Arrangement) -> str:
    """The text of ``meta.txt``."""
    moved = [name for name in before.index if before.pose(name) != after.pose(name)]
    document = {
        "format": FORMAT,
        "conventions": "metres; world right-handed, Z up; camera OpenCV; quaternions x y z w, world from object; "
        "parts and boxes in the object frame",
        "scene": {"scene_id": scene_id, "rooms": [_room(room) for room in simulator.rooms], **simulator.metadata()},
        "camera": camera_record(camera),
        "objects": [_text(item, before, after) for item in before.objects],
        "moved": moved,
    }
    return to_json(document).decode()


def camera_record(camera: Camera) -> dict[str, Any]:
    """The camera's published fields."""
    return {
        "width": camera.width,
        "height": camera.height,
        "k": camera.intrinsics.tolist(),
        "camera_from_world": camera.camera_from_world.tolist(),
    }


def _room(room: Room) -> Mapping[str, Any]:
    return {
        "id": room.room_id,
        "type": room.room_type,
        "polygon": _rounded(room.polygon.tolist()),
        "height": float(room.height),
    }


def _text(item: SceneObject, before: Arrangement, after: Arrangement) -> JsonText:
    """An object as text: written once a scene for all samples in which it stands as it does here."""
    places = [(moment.pose(item.object_id), moment.supporter(item.object_id)) for moment in (before, after)]
    key = (item.object_id, *places)
    known = before.shapes.texts.get(key)
    if known is None:
        known = before.shapes.texts[key] = JsonText.of(_object(item, before, after))
    return known


def _object(item: SceneObject, before: Arrangement, after: Arrangement) -> Mapping[str, Any]:
    return {
        "id": item.instance_id,
        "object": item.object_id,
        "type": item.object_type,
        "room": item.room_id,
        "pickupable": item.pickupable,
        "moveable": item.moveable,
        "receptacle": item.receptacle,
        "structural": item.structural,
        "box": {"frame": _rounded(item.box.frame.tolist()), "half": _rounded(item.box.half.tolist())},
        "parts": [_rounded(part.tolist()) for part in item.parts],
        "before": _state(item, before),
        "after": _state(item, after),
    }


def _state(item: SceneObject, moment: Arrangement) -> Mapping[str, Any]:
    pose = moment.pose(item.object_id)
    points = np.concatenate(item.parts) if item.parts else item.box.corners
    low, high = aabb_of(transform(pose.matrix, points))
    return {
        "position": list(pose.position),
        "quaternion": list(pose.quaternion),
        "aabb": _rounded([low.tolist(), high.tolist()]),
        "supporter": moment.supporter(item.object_id),
    }


def _rounded(value: Sequence[Any] | float) -> Any:
    """Nested lists of floats, rounded; every number keeps its decimal point."""
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0
    if isinstance(value, int):
        return float(value)
    return [_rounded(entry) for entry in value]
