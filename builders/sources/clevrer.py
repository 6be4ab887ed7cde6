"""CLEVRER's annotation files and videos (Yi et al. 2020, "Collision Events for Video Representation and Reasoning").

An annotation is a JSON object: ``object_property`` (a list of object_id, shape, material, color), ``motion_trajectory``
(a list of frame_id and objects: object_id, location, orientation, velocity, angular_velocity, inside_camera_view),
``collision`` (a list of object_ids, frame_id, location), and ``video_filename``. Orientations are turns about x, then
y, then z, radians; four numbers are taken for a quaternion x, y, z, w.

What an oracle holds and such a file does not:

- masks: ``visible`` and ``whole`` are :data:`NOMINAL_PIXELS` of a body in view and 0 of others; nothing is ever hidden;
- the camera: ``pixels`` are NaN;
- substeps are 0, impulses NaN, and a collision's speed is that at which the centres approach in the frame before it;
- entrances: a body enters in the first frame that shows it, or in frame 0 if it moves there; others are residents.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flowbench.collisions.oracle import COLOURS, FRAMES, HEIGHT, MATERIALS, SHAPES, WIDTH, Body, Collision, Oracle
from flowbench.errors import UsageError
from flowbench.geometry import atan2, sin_cos

from .layout import Entry, LayoutError, shown

NOMINAL_PIXELS = 1000
"""What a body in view is taken to cover."""
_RESTING = 0.05
_LAYOUT = "expected CLEVRER's annotation layout; take the file from its release, or leave it out."


@dataclass(frozen=True, eq=False)
class Recording:
    """A scene of CLEVRER.

    Attributes:
        oracle: what the annotation tells; see the module for what it does not.
        video: name of its video; None if the annotation names none.
    """

    oracle: Oracle
    video: str | None


def read_annotation(path: Path) -> Recording:
    """A scene from its annotation file.

    Raises:
        UsageError: the file cannot be read, or does not have CLEVRER's layout; the message names it.
    """
    try:
        plain = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not readable as JSON ({error}); {_LAYOUT}") from error
    try:
        return _recording(Entry(plain, "the annotation"))
    except (LayoutError, ValueError) as error:
        raise UsageError(f"{path}: {error}; {_LAYOUT}") from error


def annotation_of(oracle: Oracle, video: str | None = None) -> dict[str, Any]:
    """An oracle in CLEVRER's layout; bodies left out of the run (NaN) are left out, the others keep their ids."""
    present = [k for k in range(len(oracle.bodies)) if not np.isnan(oracle.poses[0, k]).any()]
    plain: dict[str, Any] = {
        "scene_index": oracle.scene,
        "object_property": [
            {"object_id": k, "shape": body.shape, "material": body.material, "color": body.colour}
            for k, body in enumerate(oracle.bodies)
            if k in present
        ],
        "motion_trajectory": [
            {"frame_id": f, "objects": [_moment(oracle, f, k) for k in present]} for f in range(len(oracle.poses))
        ],
        "collision": [
            {"object_ids": list(c.pair), "frame_id": c.frame, "location": list(c.position)} for c in oracle.collisions
        ],
    }
    return plain if video is None else {**plain, "video_filename": video}


def write_annotation(path: Path, oracle: Oracle, video: str | None = None) -> None:
    """Write :func:`annotation_of` as a JSON file."""
    path.write_text(json.dumps(annotation_of(oracle, video)), "utf-8")


def read_video(path: Path) -> NDArray[np.uint8]:
    """The first FRAMES pictures of a video, (FRAMES, HEIGHT, WIDTH, 3) uint8 sRGB.

    Raises:
        UsageError: PyAV is not installed, or the file is no video, has fewer frames or another size; it is named.
    """
    try:
        av = import_module("av")
    except ImportError as error:
        raise UsageError("reading videos needs PyAV, which is not installed: run pip install av.") from error
    pictures = np.empty((FRAMES, HEIGHT, WIDTH, 3), dtype=np.uint8)
    count = 0
    try:
        with av.open(str(path)) as container:
            for frame in container.decode(video=0):
                if (frame.width, frame.height) != (WIDTH, HEIGHT):
                    raise UsageError(
                        f"{path}: {frame.width}x{frame.height} pixels, expected {WIDTH}x{HEIGHT}; take the original."
                    )
                pictures[count] = frame.to_ndarray(format="rgb24")
                count += 1
                if count == FRAMES:
                    return pictures
    except (OSError, ValueError, IndexError, av.error.FFmpegError) as error:
        raise UsageError(f"{path}: not readable as a video ({error}), expected an mp4; fetch it again.") from error
    raise UsageError(f"{path}: {count} frames, expected at least {FRAMES}; fetch the video again, or leave it out.")


def _position(object_id: Any, ids: Mapping[int, int], whose: str) -> int:
    """Position of the body with an id.

    Raises:
        LayoutError: there is none.
    """
    if not isinstance(object_id, int) or object_id not in ids:
        raise LayoutError(f"{whose} names object {shown(object_id)}, which 'object_property' does not have")
    return ids[object_id]


def _recording(annotation: Entry) -> Recording:
    """The scene an annotation describes."""
    bodies, ids = _bodies(annotation)
    frames = annotation.entries("motion_trajectory", "frame")
    if len(frames) != FRAMES:
        raise LayoutError(f"'motion_trajectory' has {len(frames)} frames, not {FRAMES}")
    shape = (FRAMES, len(bodies))
    poses, velocities, spins = (np.full((*shape, n), np.nan) for n in (7, 3, 3))
    seen = np.zeros(shape, dtype=np.bool_)
    for f, frame in enumerate(frames):
        if frame.whole("frame_id") != f:
            raise LayoutError(f"'frame_id' of frame {f} is {frame.whole('frame_id')}, not {f}")
        for entry in frame.entries("objects", f"frame {f}, object"):
            k = _position(entry.whole("object_id"), ids, f"frame {f}")
            poses[f, k, :3] = entry.numbers("location", 3)
            turn = entry.numbers("orientation", 3, 4)
            poses[f, k, 3:] = _unit(turn) if len(turn) == 4 else quaternion_from_turns(*turn)
            velocities[f, k] = entry.numbers("velocity", 3)
            spins[f, k] = entry.numbers("angular_velocity", 3)
            inside = entry.get("inside_camera_view")
            if not isinstance(inside, bool):
                raise LayoutError(f"'inside_camera_view' in frame {f} is {shown(inside)}, not true or false")
            seen[f, k] = inside
    entering = tuple(
        Body(body.shape, body.material, body.colour, _entrance(seen[:, k], velocities[0, k]))
        for k, body in enumerate(bodies)
    )
    pixels = np.where(seen, NOMINAL_PIXELS, 0).astype(np.int64)
    collisions = _collisions(annotation, ids, poses, velocities)
    nowhere = np.full((*shape, 2), np.nan)
    scene = annotation.whole("scene_index")
    oracle = Oracle(scene, entering, poses, velocities, spins, pixels, pixels.copy(), nowhere, collisions)
    video = annotation.get("video_filename") if annotation.has("video_filename") else None
    return Recording(oracle, None if video is None else str(video))


def _unit(quaternion: list[float]) -> list[float]:
    """The quaternion with length 1."""
    length = math.sqrt(math.fsum(part * part for part in quaternion))
    if not 0.5 < length < 2.0:
        raise LayoutError(f"'orientation' {shown(quaternion)} has the length {length}, not 1")
    return [part / length for part in quaternion]


def _bodies(annotation: Entry) -> tuple[list[Body], dict[int, int]]:
    """The bodies, and the position of each id."""
    entries = annotation.entries("object_property", "object_property")
    ids: dict[int, int] = {}
    bodies: list[Body] = []
    for k, entry in enumerate(entries):
        object_id = entry.whole("object_id")
        body = Body(entry.name("shape", SHAPES), entry.name("material", MATERIALS), entry.name("color", COLOURS))
        if object_id in ids:
            raise LayoutError(f"'object_property' has the object {object_id} twice")
        if body in bodies:
            raise LayoutError(f"'object_property' has {body.name} twice")
        ids[object_id] = k
        bodies.append(body)
    if not bodies:
        raise LayoutError("'object_property' is empty")
    return bodies, ids


def _collisions(
    annotation: Entry, ids: Mapping[int, int], poses: NDArray[np.float64], velocities: NDArray[np.float64]
) -> tuple[Collision, ...]:
    """The collisions, in order of time, then of pair."""
    found = []
    for number, entry in enumerate(annotation.entries("collision", "collision")):
        pair = entry.get("object_ids")
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            raise LayoutError(f"'object_ids' of collision {number} is {shown(pair)}, not two objects")
        a, b = sorted(_position(one, ids, f"collision {number}") for one in pair)
        f = entry.whole("frame_id")
        if not 0 <= f < FRAMES:
            raise LayoutError(f"'frame_id' of collision {number} is {f}, not one of 0 to {FRAMES - 1}")
        x, y, z = entry.numbers("location", 3)
        before = max(f - 1, 0)
        speed = _approach(poses[before, [a, b], :3], velocities[before, [a, b]])
        found.append(Collision(f, 0, (a, b), speed, math.nan, (x, y, z)))
    return tuple(sorted(found, key=lambda collision: (collision.frame, collision.pair)))


def _approach(places: NDArray[np.float64], velocities: NDArray[np.float64]) -> float:
    """m/s at which two centres approach; 0 where they do not, or where one of them is not known."""
    way, speed = places[1] - places[0], velocities[0] - velocities[1]
    length = math.sqrt(float(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]))
    along = float(way[0] * speed[0] + way[1] * speed[1] + way[2] * speed[2])
    return along / length if length > 0.0 and along > 0.0 else 0.0


def _entrance(seen: NDArray[np.bool_], velocity: NDArray[np.float64]) -> int | None:
    """The frame in which a body enters; None of a resident, and of one that is never seen."""
    if not seen.any():
        return None
    if not seen[0]:
        return int(seen.argmax())
    square = float(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2])
    return 0 if square > _RESTING * _RESTING else None


def _moment(oracle: Oracle, frame: int, k: int) -> dict[str, Any]:
    """A body in a frame, in CLEVRER's layout."""
    pose = oracle.poses[frame, k].tolist()
    return {
        "object_id": k,
        "location": pose[:3],
        "orientation": list(turns_from_quaternion(*pose[3:])),
        "velocity": oracle.velocities[frame, k].tolist(),
        "angular_velocity": oracle.spins[frame, k].tolist(),
        "inside_camera_view": bool(oracle.whole[frame, k] > 0),
    }


def quaternion_from_turns(about_x: float, about_y: float, about_z: float) -> tuple[float, float, float, float]:
    """The quaternion (x, y, z, w) of turns (radians) about the world's x, then y, then z."""
    (sx, cx), (sy, cy), (sz, cz) = (sin_cos(0.5 * angle) for angle in (about_x, about_y, about_z))
    return (
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )


def turns_from_quaternion(x: float, y: float, z: float, w: float) -> tuple[float, float, float]:
    """The turns (radians) of :func:`quaternion_from_turns`; the second in [-pi/2, pi/2]."""
    sine = 2.0 * (w * y - z * x)
    if abs(sine) > 1.0 - 1e-9:
        # The first and the last turn are about one axis: all is told by the last.
        return 0.0, math.copysign(0.5 * math.pi, sine), math.copysign(2.0, -sine) * atan2(x, w)
    return (
        atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
        atan2(sine, math.sqrt(1.0 - sine * sine)),
        atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
    )
