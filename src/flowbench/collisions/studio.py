"""The room that metal bodies mirror: a hall with soft boxes under a dark ceiling, and pools of light on its floor.

Painted by direction, (n, n, 3) sRGB as :mod:`flowbench.rendering.mirror` lays it out; its white is brighter than paper.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import sin_cos
from flowbench.rendering.colour import srgb_from_linear
from flowbench.rendering.mirror import GAIN, directions

from .setup import YAW

Float = NDArray[np.float64]

SIZE = 256

_PANELS = (
    # turn from the way to the camera (radians), half-width, lowest and highest rise, light, colour
    (-1.25, 0.42, 0.35, 1.30, 7.0, (1.00, 0.97, 0.92)),
    (1.40, 0.30, 0.25, 1.80, 6.0, (0.94, 0.97, 1.00)),
    (math.pi, 0.34, 0.42, 0.62, 3.0, (1.00, 0.99, 0.97)),
    (math.pi, 0.34, 0.70, 0.95, 3.0, (1.00, 0.99, 0.97)),
    (0.02, 0.12, 0.10, 2.20, 4.0, (0.98, 0.99, 1.00)),
    # On the floor: pools of light, and what stands dark between them.
    (-1.70, 0.55, -2.0, -0.08, 0.40, (1.00, 1.00, 1.00)),
    (-0.85, 0.30, -2.4, -0.04, 1.80, (1.00, 0.98, 0.95)),
    (0.10, 0.45, -2.0, -0.08, 0.40, (1.00, 1.00, 1.00)),
    (0.95, 0.16, -2.4, -0.04, 2.10, (1.00, 0.99, 0.97)),
    (1.70, 0.40, -2.0, -0.08, 0.42, (1.00, 1.00, 1.00)),
    (2.40, 0.25, -2.4, -0.04, 1.30, (0.97, 0.98, 1.00)),
)
_SOFT = (-0.22, 0.16)
"""Edges of what is on the floor."""
_CEILING = (0.20, 0.21, 0.23)
_WALL = (0.95, 0.95, 0.96)
_FAR, _NEAR = (0.80, 0.79, 0.77), (0.62, 0.61, 0.60)


@cache
def studio() -> NDArray[np.uint8]:
    """The picture, (SIZE, SIZE, 3) uint8 sRGB."""
    way = directions(SIZE)
    x, y, z = way[..., 0], way[..., 1], way[..., 2]
    level = np.sqrt(np.maximum(x * x + y * y, 1e-9))
    rise = z / level
    light = np.empty((SIZE, SIZE, 3))
    for c in range(3):
        above = _WALL[c] + (_CEILING[c] - _WALL[c]) * _ramp(rise, 0.0, 1.0)
        below = _FAR[c] + (_NEAR[c] - _FAR[c]) * _ramp(-rise, 0.0, 1.6)
        light[..., c] = below + (above - below) * _ramp(rise, -0.015, 0.015)
    for turn, half, low, high, strength, colour in _PANELS:
        uy, ux = sin_cos(YAW + math.pi + turn)
        ahead, across = (x * ux + y * uy) / level, (y * ux - x * uy) / level
        share = _ramp(half - np.abs(across), *((-0.04, 0.04) if low > 0.0 else _SOFT)) * _ramp(
            rise, low - 0.03, low + 0.03
        )
        share = share * _ramp(high - rise, -0.04, 0.04) * (ahead > 0.0)
        for c in range(3):
            light[..., c] += (strength * colour[c] - light[..., c]) * share
    return np.floor(srgb_from_linear(light / GAIN) * 255.0 + 0.5).astype(np.uint8)


def _ramp(t: Float, low: float, high: float) -> Float:
    """0 below ``low``, 1 above ``high``, smooth between."""
    share = np.clip((t - low) / (high - low), 0.0, 1.0)
    smooth: Float = share * share * (3.0 - 2.0 * share)
    return smooth
