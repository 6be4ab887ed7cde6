"""Optical flow in the usual colours: hue is the direction, saturation the length.

The colour wheel is that of Baker et al., "A Database and Evaluation Methodology for Optical Flow" (IJCV 2011),
known as the Middlebury colour coding. Pictures made here are for people; no label is read from them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

INVALID: Final = (0, 0, 0)
_SECTORS: Final = (
    (15, (255, 0, 0), (255, 255, 0)),
    (6, (255, 255, 0), (0, 255, 0)),
    (4, (0, 255, 0), (0, 255, 255)),
    (11, (0, 255, 255), (0, 0, 255)),
    (13, (0, 0, 255), (255, 0, 255)),
    (6, (255, 0, 255), (255, 0, 0)),
)
"""(steps, first colour, next sector's colour): red, yellow, green, cyan, blue, magenta, by perceived difference."""


def colour_wheel() -> NDArray[np.float64]:
    """(55, 3) float64 in 0..1: the saturated colours round the circle, starting at red."""
    rows = [
        np.array(start) + (np.array(stop) - np.array(start)) * (step / steps)
        for steps, start, stop in _SECTORS
        for step in range(steps)
    ]
    return np.stack(rows) / 255.0


def largest_motion(flow: NDArray[np.float32], valid: NDArray[np.bool_]) -> float:
    """The longest valid flow vector in pixels; 0 where none is valid."""
    if not valid.any():
        return 0.0
    length = np.hypot(flow[..., 0].astype(np.float64), flow[..., 1].astype(np.float64))
    return float(length[valid].max())


def flow_to_rgb(flow: NDArray[np.float32], valid: NDArray[np.bool_], max_magnitude: float | None = None) -> Image:
    """A flow field as a picture.

    Args:
        flow: (H, W, 2) float32, (u, v) in pixels, v down.
        valid: (H, W) bool; invalid pixels come out black.
        max_magnitude: the length in pixels drawn fully saturated; longer vectors are drawn darker. None takes
            the longest valid vector. A field without motion is white.

    Returns:
        (H, W, 3) uint8 sRGB.
    """
    scale = largest_motion(flow, valid) if max_magnitude is None else max_magnitude
    vectors = np.where(valid[..., None], flow, 0.0).astype(np.float64) / (scale if scale > 0 else 1.0)
    image = _colours(vectors[..., 0], vectors[..., 1])
    image[~valid] = INVALID
    return image


def flow_wheel(size: int) -> Image:
    """The legend: (size, size, 3) uint8, each pixel in the colour of the motion from the centre to it.

    Beyond the unit circle the picture is white.
    """
    axis = (np.arange(size, dtype=np.float64) - (size - 1) / 2.0) / (size / 2.0)
    u, v = np.meshgrid(axis, axis)
    image = _colours(u, v)
    image[np.hypot(u, v) > 1.0] = (255, 255, 255)
    return image


def _colours(u: NDArray[np.float64], v: NDArray[np.float64]) -> Image:
    """Colours of vectors in units of the full scale, as in the reference ``computeColor``."""
    wheel = colour_wheel()
    length = np.hypot(u, v)[..., None]
    position = (np.arctan2(-v, -u) / np.pi + 1.0) / 2.0 * (len(wheel) - 1)
    first = np.floor(position).astype(np.int64)
    fraction = (position - first)[..., None]
    hue = (1.0 - fraction) * wheel[first] + fraction * wheel[(first + 1) % len(wheel)]
    colour = np.where(length <= 1.0, 1.0 - length * (1.0 - hue), hue * 0.75)
    return np.floor(255.0 * colour).astype(np.uint8)
