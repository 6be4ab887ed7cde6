"""The border: Unity's frame is left-handed with Y up and turns in degrees; ours is right-handed with Z up.

Unity's (x, y, z) is our (x, z, y). Its Euler angles turn about z, then x, then y, each as in a right-handed frame's
matrices, since both the axes and the sense of turning are mirrored. An agent at rotation 0 looks along our +y.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import UsageError
from flowbench.geometry import Camera, Pose, atan2, quaternion_of, rotate, sin_cos

from ..base import SceneError

Vector = tuple[float, float, float]
LEVEL = 1e-6
"""Largest height of a level camera's right axis."""


def numbers(values: object, what: str) -> Vector:
    """Three finite numbers from ``{"x", "y", "z"}`` or a list, in Unity's order; anything else is a SceneError."""
    try:
        triple: list[Any] = [values[k] for k in "xyz"] if isinstance(values, Mapping) else list(cast(Any, values))
        x, y, z = (float(v) for v in triple)
    except (KeyError, TypeError, ValueError):
        raise SceneError("metadata unreadable", f"AI2-THOR states no {what}, but {str(values)[:80]!r}.") from None
    if not all(math.isfinite(v) and abs(v) < 1e4 for v in (x, y, z)):
        raise SceneError("metadata unreadable", f"AI2-THOR states a {what} of {x}, {y}, {z}, which is no place.")
    return x, y, z


def to_world(values: object, what: str = "position") -> Vector:
    """A point of Unity's in our world frame, metres."""
    x, y, z = numbers(values, what)
    return x, z, y


def to_unity(point: Sequence[float]) -> dict[str, float]:
    """A point of our world frame as Unity's, metres."""
    x, y, z = (float(v) for v in point)
    return {"x": x, "y": z, "z": y}


def rotation_matrix(euler: object) -> NDArray[np.float64]:
    """Rotation part (4, 4) in our world frame of Unity's Euler angles, degrees."""
    x, y, z = numbers(euler, "rotation")
    (sx, cx), (sy, cy), (sz, cz) = (sin_cos(math.radians(angle)) for angle in (x, y, z))
    unity = np.array(
        [
            [cy * cz + sy * sx * sz, -cy * sz + sy * sx * cz, sy * cx],
            [cx * sz, cx * cz, -sx],
            [-sy * cz + cy * sx * sz, sy * sz + cy * sx * cz, cy * cx],
        ]
    )
    swap = [0, 2, 1]
    matrix = np.eye(4)
    matrix[:3, :3] = unity[swap][:, swap]
    return matrix


def pose_of(entry: Mapping[str, Any]) -> Pose:
    """The pose of an object of the metadata."""
    return Pose(to_world(entry.get("position")), quaternion_of(rotation_matrix(entry.get("rotation"))))


def agent_view(camera: Camera) -> tuple[float, float]:
    """(rotation, horizon) in degrees of an agent that looks as a camera does.

    Raises:
        UsageError: the camera does not stand upright, which an agent's always does.
    """
    forward = rotate(camera.world_from_camera, np.array([0.0, 0.0, 1.0]))
    x, y, z = (float(v) for v in forward)
    if abs(float(camera.camera_from_world[0, 2])) > LEVEL:
        raise UsageError("the camera is rolled to a side, which AI2-THOR's agent cannot be: give a level one.")
    level = math.sqrt(x * x + y * y)
    return math.degrees(atan2(x, y)) % 360.0, math.degrees(atan2(-z, level))


def vertical_view(camera: Camera) -> float:
    """Vertical field of view in degrees, which is what AI2-THOR calls ``fieldOfView``: 73.74 for ours of 4:3."""
    return math.degrees(2.0 * atan2(camera.height / 2.0, camera.focal))
