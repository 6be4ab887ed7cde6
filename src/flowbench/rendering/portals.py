"""Rooms that cannot be seen: a camera in one of several closed spaces sees the others only through gates.

From the eye's zone the sight floods through the gates; each narrows the rectangle of the picture in which the
next zone can show ("Portals and mirrors: simple, fast evaluation of potentially visible sets", Luebke and
Georges 1995). All tests err towards drawing, so that the picture is the same to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from ..geometry import Camera, transform
from .rasterizing import NEAR

Float = NDArray[np.float64]
Mask = NDArray[np.bool_]
Corners = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Lower and upper corner of an axis-aligned box, world frame, metres."""
Window = tuple[float, float, float, float]
"""A rectangle of the picture: u0, u1, v0, v1, pixels."""

_WIDER = 2.0
"""Pixels by which a gate's rectangle is widened: far more than antialiasing reaches and rounding errs."""
_TOUCH = 1e-6
_EDGES = tuple((i, i | bit) for bit in (1, 2, 4) for i in range(8) if not i & bit)


@dataclass(frozen=True)
class Cells:
    """Closed spaces, and the gates between them.

    Whatever stands between the zones is opaque seen from within, and never moves: a straight line from a zone
    into another one passes through gates only. What touches no zone is always drawn.

    Attributes:
        zones: the boxes of free space that make up each zone; they overlap where they join.
        gates: (zone, zone, box): an opening from one zone's border to the other's; a flat box where they meet.

    Raises:
        ValueError: a gate between zones that do not exist, or a box whose upper corner is not above its lower one.
    """

    zones: tuple[tuple[Corners, ...], ...]
    gates: tuple[tuple[int, int, Corners], ...]

    def __post_init__(self) -> None:
        """Refuse what describes no space."""
        for a, b, _ in self.gates:
            if not (0 <= a < len(self.zones) and 0 <= b < len(self.zones)):
                raise ValueError(f"gate between zones {a} and {b}, expected numbers below {len(self.zones)}.")
        for low, high in (*(box for zone in self.zones for box in zone), *(box for _, _, box in self.gates)):
            if not all(lower <= upper for lower, upper in zip(low, high, strict=True)):
                raise ValueError(f"box from {low} to {high}, expected the lower corner first.")


@final
class Sight:
    """What cameras can see of given cells."""

    def __init__(self, cells: Cells) -> None:
        """Prepare the arrays."""
        self._zones = [index for index, zone in enumerate(cells.zones) for _ in zone]
        self._boxes = np.array([box for zone in cells.zones for box in zone], dtype=np.float64).reshape(-1, 2, 3)
        self._gates = [(a, b) for a, b, _ in cells.gates]
        boxes = np.array([box for *_, box in cells.gates], dtype=np.float64).reshape(-1, 2, 3)
        # Corner i has the upper x, y, z where bits 0, 1, 2 of i are set.
        corners = [[boxes[:, i >> axis & 1, axis] for axis in range(3)] for i in range(8)]
        self._corners = np.ascontiguousarray(np.array(corners).transpose(2, 0, 1))

    def windows(self, camera: Camera) -> dict[int, Window]:
        """Where each zone that can be seen shows at most; empty when the eye is in no zone, or too near its border."""
        tan_x, tan_y = 0.5 * camera.width / camera.focal, 0.5 * camera.height / camera.focal
        # Nearer than this to a wall, some pixels look through it: the near plane cuts it off.
        margin = NEAR * math.sqrt(1.0 + tan_x * tan_x + tan_y * tan_y) + _TOUCH
        eye = camera.eye
        inside = ((self._boxes[:, 0] + margin <= eye) & (eye <= self._boxes[:, 1] - margin)).all(axis=1)
        found = {
            self._zones[b]: (-1.0, float(camera.width), -1.0, float(camera.height)) for b in np.flatnonzero(inside)
        }
        frames = self._frames(camera) if found else []
        waiting = list(found)
        while waiting:
            zone = waiting.pop()
            for (a, b), frame in zip(self._gates, frames, strict=True):
                if zone not in (a, b):
                    continue
                there = b if zone == a else a
                through = _common(found[zone], frame)
                if through is None:
                    continue
                wider = _around(found[there], through) if there in found else through
                if wider != found.get(there):
                    found[there] = wider
                    waiting.append(there)
        return found

    def visible(self, camera: Camera, bounds: Float) -> Mask:
        """Which of the axis-aligned boxes (I, 2, 3) may be seen, (I,) bool; True for all that touch no zone."""
        windows = self.windows(camera)
        if not windows:
            return np.ones(len(bounds), dtype=np.bool_)
        shows = _meets(camera, list(windows.values()), bounds)
        row = {zone: number for number, zone in enumerate(windows)}
        seen, lost = np.zeros((2, len(bounds)), dtype=np.bool_)
        for zone, (low, high) in zip(self._zones, self._boxes, strict=True):
            touches = ((bounds[:, 0] <= high + _TOUCH) & (bounds[:, 1] >= low - _TOUCH)).all(axis=1)
            lost |= touches
            if zone in row:
                seen |= touches & shows[row[zone]]
        return seen | ~lost

    def _frames(self, camera: Camera) -> list[Window | None]:
        """The bounding rectangle of each gate in the picture; None for those behind the camera."""
        x, y, z = np.moveaxis(transform(camera.camera_from_world, self._corners), -1, 0)
        near = 0.5 * NEAR
        a, b = np.array(_EDGES).T
        crossing = (z[:, a] >= near) != (z[:, b] >= near)
        t = (near - z[:, a]) / np.where(crossing, z[:, b] - z[:, a], 1.0)
        ahead = np.concatenate([z >= near, crossing], axis=1)
        scale = camera.focal / np.concatenate([np.where(z >= near, z, 1.0), np.full(t.shape, near)], axis=1)
        sides = []
        for axis, centre in zip((x, y), camera.centre, strict=True):
            cut = axis[:, a] + t * (axis[:, b] - axis[:, a])
            pixel = np.concatenate([axis, cut], axis=1) * scale + centre
            sides.append(np.where(ahead, pixel, np.inf).min(axis=1, initial=np.inf) - _WIDER)
            sides.append(np.where(ahead, pixel, -np.inf).max(axis=1, initial=-np.inf) + _WIDER)
        some = np.asarray(ahead.any(axis=1)).tolist()
        windows = zip(*(side.tolist() for side in sides), strict=True)
        return [window if there else None for there, window in zip(some, windows, strict=True)]


def _meets(camera: Camera, windows: Iterable[Window], bounds: Float) -> Mask:
    """Whether boxes (I, 2, 3) reach into the pyramids from the eye through windows, (windows, I) bool."""
    m, (cx, cy), focal = camera.camera_from_world, camera.centre, camera.focal
    planes = []
    for u0, u1, v0, v1 in windows:
        left, right, top, bottom = (u0 - cx) / focal, (u1 - cx) / focal, (v0 - cy) / focal, (v1 - cy) / focal
        planes += [m[0] - left * m[2], right * m[2] - m[0], m[1] - top * m[2], bottom * m[2] - m[1]]
    n = np.array(planes)[:, :, None]
    middle, half = ((bounds[:, 0] + bounds[:, 1]) / 2.0).T, ((bounds[:, 1] - bounds[:, 0]) / 2.0).T
    most = n[:, 3]
    for k in range(3):
        most = most + n[:, k] * middle[k] + np.abs(n[:, k]) * half[k]
    return np.asarray((most >= 0.0).reshape(len(planes) // 4, 4, len(bounds)).all(axis=1))


def _common(a: Window, b: Window | None) -> Window | None:
    """The intersection of two rectangles; None where it is empty."""
    if b is None:
        return None
    u0, u1, v0, v1 = max(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), min(a[3], b[3])
    return (u0, u1, v0, v1) if u0 <= u1 and v0 <= v1 else None


def _around(a: Window, b: Window) -> Window:
    """The least rectangle that holds two."""
    return min(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), max(a[3], b[3])
