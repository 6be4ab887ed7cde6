"""What is recorded of a camera, as JSON objects tell it: intrinsics, their picture size, and perhaps its pose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .layout import Entry, LayoutError
from .resizing import scaled_intrinsics


@dataclass(frozen=True, eq=False)
class Calibration:
    """What is recorded.

    Attributes:
        width, height: pixels that ``k`` refers to.
        k: (3, 3) float64 intrinsics, pixels.
        camera_from_robot: (3, 4) float64, metres; None without.
    """

    width: int
    height: int
    k: NDArray[np.float64]
    camera_from_robot: NDArray[np.float64] | None

    def at(self, width: int, height: int) -> NDArray[np.float64]:
        """(3, 3) intrinsics of pictures of another size, each axis scaled by itself."""
        return scaled_intrinsics(self.k, (self.width, self.height), (width, height))


def calibration_of(entry: Entry) -> Calibration:
    """From an object with width, height, fx, fy, cx, cy, and perhaps camera_from_robot; else a LayoutError."""
    width, height = entry.whole("width"), entry.whole("height")
    if not (0 < width <= 1 << 16 and 0 < height <= 1 << 16):
        raise LayoutError(f"a camera has {width}x{height} pixels")
    fx, fy, cx, cy = (number_of(entry, key) for key in ("fx", "fy", "cx", "cy"))
    if fx <= 0 or fy <= 0:
        raise LayoutError(f"focal lengths are {fx} and {fy}, not positive")
    k = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    pose = _pose(entry.get("camera_from_robot")) if entry.has("camera_from_robot") else None
    return Calibration(width, height, k, pose)


def number_of(entry: Entry, key: str) -> float:
    """A finite number of an object; else a LayoutError."""
    return Entry({key: [entry.get(key)]}, "it").numbers(key, 1)[0]


def _pose(rows: Any) -> NDArray[np.float64]:
    if not isinstance(rows, list) or len(rows) != 3:
        raise LayoutError("'camera_from_robot' is not three rows of four numbers")
    return np.array([Entry({"row": row}, "'camera_from_robot'").numbers("row", 4) for row in rows])
