"""The camera of the record is the metadata's, and one that sim.md describes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from flowbench.schema import CameraRecord

from ..recompute.meta import CameraMeta
from ..recompute.rules import Finding

PITCHES: Final = (0.0, 30.0)
"""Degrees that a camera looks down (sim.md, "Camera")."""
ROUNDING: Final = 1e-5
"""Of a rotation's entries, and of pixels."""


def compare_cameras(record: CameraRecord, meta: CameraMeta) -> Iterator[Finding]:
    """What is wrong with the two, which have to be equal digit for digit."""
    for name in ("width", "height"):
        if getattr(record, name) != getattr(meta, name):
            yield Finding("camera", f"{name} {getattr(record, name)}", f"{getattr(meta, name)} as in meta.txt")
    for name in ("k", "camera_from_world"):
        claimed, known = ([list(row) for row in getattr(each, name)] for each in (record, meta))
        if claimed != known:
            yield Finding("camera", f"{name} {claimed}", f"{known} as in meta.txt")
    yield from _pinhole(meta)
    yield from _pose(meta)


def _pinhole(meta: CameraMeta) -> Iterator[Finding]:
    """90° from left to right, square pixels, the axis through the middle of the picture (schema.md, "Conventions")."""
    focal = meta.width / 2.0
    expected = [[focal, 0.0, (meta.width - 1) / 2.0], [0.0, focal, (meta.height - 1) / 2.0], [0.0, 0.0, 1.0]]
    if np.abs(np.subtract(meta.k, expected)).max() > ROUNDING:
        yield Finding("camera intrinsics", str([list(row) for row in meta.k]), str(expected))


def _pose(meta: CameraMeta) -> Iterator[Finding]:
    """Right-handed, level from side to side, looking straight ahead or 30° down."""
    right, _, forward = meta.matrix[:3, :3]
    if np.linalg.det(meta.matrix[:3, :3]) < 0.0:
        yield Finding("camera pose", "a mirrored frame", "a right-handed one")
    if abs(right[2]) > ROUNDING:
        yield Finding("camera pose", f"its right rises by {right[2]:.4f}", "level")
    pitch = math.degrees(math.asin(max(-1.0, min(1.0, -forward[2]))))
    if min(abs(pitch - each) for each in PITCHES) > 0.01:
        yield Finding("camera pose", f"looks {pitch:.2f}° down", " or ".join(f"{each:g}°" for each in PITCHES))
