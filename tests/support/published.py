"""Hand-made published samples: a small home with boxes, its images, and a record, all open to corruption."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import encode_depth, encode_ids, encode_instances
from flowbench.geometry import Camera, Pose
from flowbench.schema import LETTERS, SimRecord

Ids = NDArray[np.uint16]
Corners = list[list[float]]

FLOOR, MOVER, FIRST_LANDMARK = 1, 7, 11
COLOURS = ("blue", "green", "yellow", "orange", "purple", "pink")
"""Of the landmarks' marks, in their order."""


def box(half: Sequence[float], centre: Sequence[float] = (0.0, 0.0, 0.0)) -> Corners:
    """The eight corners of a box."""
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    return [[c + s * h for c, s, h in zip(centre, sign, half, strict=True)] for sign in signs]


def state(pose: Pose, supporter: str | None = "Floor|1") -> dict[str, Any]:
    """An object's state in the metadata; the world box is of no use to a label and deliberately absurd."""
    aabb = [[-99.0, -99.0, -99.0], [99.0, 99.0, 99.0]]
    return {
        "position": list(pose.position),
        "quaternion": list(pose.quaternion),
        "aabb": aabb,
        "supporter": supporter,
    }


def thing(
    instance_id: int,
    kind: str,
    parts: Sequence[Corners],
    before: Pose,
    after: Pose | None = None,
    *,
    room: str = "room-0",
) -> dict[str, Any]:
    """An object of the metadata."""
    corners = np.array([corner for part in parts for corner in part])
    frame = np.eye(4)
    frame[:3, 3] = (corners.min(axis=0) + corners.max(axis=0)) / 2.0
    structural = kind in ("Floor", "Wall")
    return {
        "id": instance_id,
        "object": f"{kind}|{instance_id}",
        "type": kind,
        "room": room,
        "pickupable": False,
        "moveable": not structural,
        "receptacle": False,
        "structural": structural,
        "box": {"frame": frame.tolist(), "half": ((corners.max(axis=0) - corners.min(axis=0)) / 2.0).tolist()},
        "parts": [[list(corner) for corner in part] for part in parts],
        "before": state(before, None if structural else "Floor|1"),
        "after": state(after or before, None if structural else "Floor|1"),
    }


def home(
    camera: Camera,
    mover: dict[str, Any],
    landmarks: Sequence[dict[str, Any]],
    things: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """The metadata of a home: a floor, the mover, the landmarks, things that no text names."""
    floor = thing(FLOOR, "Floor", [box((5.0, 5.0, 0.05), (0.0, 0.0, -0.05))], Pose((0.0, 0.0, 0.0)))
    return {
        "format": "flowbench-home/1",
        "scene": {"scene_id": "homes_train-00000", "style": "train", "rooms": []},
        "camera": {
            "width": camera.width,
            "height": camera.height,
            "k": camera.intrinsics.tolist(),
            "camera_from_world": camera.camera_from_world.tolist(),
        },
        "objects": [floor, mover, *landmarks, *things],
        "moved": [mover["object"]],
    }


def paint(size: tuple[int, int], layers: Sequence[tuple[int, Sequence[Sequence[int]]]]) -> Ids:
    """(H, W) ids: rectangles [x0, y0, x1, y1) of each id, later ones in front, on the floor."""
    width, height = size
    ids = np.full((height, width), FLOOR, dtype=np.uint16)
    for instance_id, rects in layers:
        for x0, y0, x1, y1 in rects:
            ids[y0:y1, x0:x1] = instance_id
    return ids


@dataclass
class Draft:
    """A sample before it is encoded; change it as you like."""

    record: dict[str, Any]
    meta: dict[str, Any]
    before: Ids
    after: Ids
    extra: dict[str, bytes] = field(default_factory=dict)

    def refresh_segments(self) -> None:
        """List in the record what the images show."""
        names = {each["id"]: each for each in self.meta["objects"]}
        regions = (encode_instances(self.before), encode_instances(self.after))
        self.record["segments"] = [
            {
                "id": each,
                "object": names[each]["object"],
                "type": names[each]["type"],
                "before": regions[0][each].model_dump() if each in regions[0] else None,
                "after": regions[1][each].model_dump() if each in regions[1] else None,
            }
            for each in sorted({*regions[0], *regions[1]})
        ]

    def members(self) -> dict[str, bytes]:
        """The raw members of the sample in a shard, as far as a recheck reads them."""
        depth = encode_depth(np.full(self.before.shape, 2.0, dtype=np.float32))
        return {
            "json": SimRecord.model_validate(self.record).model_dump_json().encode(),
            "meta.txt": json.dumps(self.meta).encode(),
            "seg_before.png16": encode_ids(self.before),
            "seg_after.png16": encode_ids(self.after),
            "depth_before.png16": depth,
            "depth_after.png16": depth,
            **self.extra,
        }


def record(
    category: str,
    meta: dict[str, Any],
    *,
    choices: Sequence[str],
    question: str,
    static_question: str,
    label: dict[str, Any],
    gaps: Sequence[tuple[float, float]] | None,
) -> dict[str, Any]:
    """A record for the metadata of :func:`home`; ``label`` fills in what a label consists of."""
    mover, *others = meta["objects"][1:]
    landmarks = [each for each in others if each["id"] in range(FIRST_LANDMARK, FIRST_LANDMARK + len(COLOURS))]
    world = [a - b for a, b in zip(mover["after"]["position"], mover["before"]["position"], strict=True)]
    rotation = np.array(meta["camera"]["camera_from_world"])[:3, :3]
    right = rotation[0, :2] / np.hypot(*rotation[0, :2])

    def named(each: dict[str, Any], name: str, pair: tuple[float | None, float | None]) -> dict[str, Any]:
        return {
            "id": each["id"],
            "object": each["object"],
            "type": each["type"],
            "name": name,
            "distance_before": pair[0],
            "distance_after": pair[1],
        }

    return {
        "id": f"homes_train-00000-v00-{category}-0",
        "category": category,
        "scene_id": "homes_train-00000",
        "view_id": "homes_train-00000-v00",
        "source": "bullet",
        "motion_text": "The object marked red moves.",
        "question": question,
        "choices": list(choices),
        "answer_text": "; ".join(choices[LETTERS.index(letter)] for letter in label["answer"]),
        "static_question": static_question,
        "relation": None,
        "threshold": None,
        "measure": None if gaps is None else "nearest",
        "mover": named(mover, "the object marked red", (None, None)),
        "landmarks": [
            named(each, f"the object marked {colour}", gaps[i] if gaps else (None, None))
            for i, (each, colour) in enumerate(zip(landmarks, COLOURS, strict=False))
        ],
        "motion": {
            "direction": "right",
            "distance": float(np.hypot(world[0], world[1])),
            "length_band": "0.35-0.75",
            "right": float(world[0] * right[0] + world[1] * right[1]),
            "away": float(world[1] * right[0] - world[0] * right[1]),
            "world": world,
            "camera": (rotation @ np.array(world)).tolist(),
        },
        "probe": None,
        "marks": [],
        "camera": {key: meta["camera"][key] for key in ("width", "height", "k", "camera_from_world")},
        "segments": [],
        "reasoning": {"gt": "Because.", "after": "Because.", "before": "Because."},
        "provenance": {
            "builder_version": "0",
            "label_version": 1,
            "seed": 0,
            "pool": "homes_train",
            "scene": 0,
            "view": 0,
            "preset": "balanced",
            "simulator": "bullet",
            "simulator_version": "0",
            "rewriter": None,
        },
        **label,
    }
