"""How far apart the surfaces are that the pictures show: a second opinion on distances from radii.

A radius takes a thing for a ball as wide as it is seen to be. A carrot that points at the camera is far longer, a plate
far flatter. Where the order of distances is asked, that can turn it round; the seen surfaces tell without any radius.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .measure import Measured
from .sighting import DECIMALS, pixels_of

MOST_POINTS = 400
"""Of one surface; it is thinned evenly."""
_RIM = 2
"""Pixels of a mask's rim that are not believed: depth there is of either side."""
_LEAST_LEFT = 50
"""Pixels that must be left without the rim; else it is kept."""


def seen_gaps(measured: Measured) -> dict[int, float]:
    """Metres between the seen surfaces of the mover after the move and of each landmark before it.

    Landmarks stand still, so both are in one frame. Hidden sides count for nothing: distances come out too large
    rather than too small. Empty on a table plane, where no depth is measured, and where the mover shows none.
    """
    if measured.optics.plane_from_pixel is not None:
        return {}
    mover = _surface(measured, 1, measured.mover.masks[1])
    if not len(mover):
        return {}
    surfaces = {k: _surface(measured, 0, measured.things[k].masks[0]) for k in measured.landmarks}
    return {k: _gap(mover, surface) for k, surface in surfaces.items() if len(surface)}


def _surface(measured: Measured, moment: int, index: int) -> NDArray[np.float64]:
    """(N, 3) metres, camera frame: points of a mask that have depth, MOST_POINTS at most."""
    mask = measured.layers[moment].mask(index)
    inner = cv2.erode(mask.astype(np.uint8), np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)) > 0
    rows, columns = pixels_of(inner if np.count_nonzero(inner) >= _LEAST_LEFT else mask)
    depths = measured.millimetres[moment][rows, columns]
    there = np.flatnonzero(depths > 0)
    there = there[:: max(1, -(-len(there) // MOST_POINTS))]
    z = depths[there].astype(np.float64) / 1000.0
    (fx, fy), k = measured.optics.focal, measured.optics.k
    x = (columns[there] - float(k[0, 2])) * z / fx
    y = (rows[there] - float(k[1, 2])) * z / fy
    return np.stack([x, y, z], axis=1)


def _gap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The least distance of a point of one surface to a point of the other."""
    x, y, z = (one[:, None, axis] - other[None, :, axis] for axis in range(3))
    return round(float(np.sqrt((x * x + y * y + z * z).min())), DECIMALS)
