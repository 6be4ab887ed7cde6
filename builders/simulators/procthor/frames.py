"""From Unity's frame to ours: left-handed with Y up becomes right-handed with Z up, (x, y, z) -> (x, z, y)."""

from __future__ import annotations

import math

from flowbench.geometry import sin_cos

from .schema import Angles, Vector

Point = tuple[float, float]
Quaternion = tuple[float, float, float, float]

_LEAST_TILT = 1.0
"""Degrees; a physics engine's last wobble is below it, and what is meant as upright shall be so exactly."""


def floor_point(vector: Vector) -> Point:
    """(x, y) on our floor plane, whole millimetres."""
    return round(vector.x, 3) + 0.0, round(vector.z, 3) + 0.0


def turn_of(rotation: Angles) -> Quaternion:
    """The quaternion (x, y, z, w) that turns a model of ours as an asset is turned.

    Mirroring the frame turns every rotation round. An asset's front faces its +Z, which is our +Y, where the front of
    our models faces -Y: so they are first turned by half a turn. Unity turns about z, then x, then y.
    """
    about_y = _step(rotation.y)
    about_x, about_z = (0.0 if abs(angle) < _LEAST_TILT else angle for angle in map(_step, (rotation.x, rotation.z)))
    turned = _times(_about(2, -about_y), _times(_about(0, -about_x), _about(1, -about_z)))
    return _times(turned, (0.0, 0.0, 1.0, 0.0))


def is_tilted(rotation: Angles) -> bool:
    """Whether an asset lies or leans rather than stands upright."""
    return any(abs(_step(angle)) >= _LEAST_TILT for angle in (rotation.x, rotation.z))


def _step(degrees: float) -> float:
    """The angle in (-180, 180], to a hundredth of a degree."""
    return round(math.remainder(degrees, 360.0), 2)


def _about(axis: int, degrees: float) -> Quaternion:
    s, c = sin_cos(math.radians(degrees) / 2.0)
    return (s, 0.0, 0.0, c) if axis == 0 else (0.0, s, 0.0, c) if axis == 1 else (0.0, 0.0, s, c)


def _times(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation b, followed by a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )
