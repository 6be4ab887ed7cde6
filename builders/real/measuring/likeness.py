"""How alike two masks' colours are: Pearson correlation of HSV histograms, in whole numbers until the last step."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

HUES, SATURATIONS, GRAYS = 16, 4, 8
COLOURLESS = 40
"""Saturation, of 255, below which a hue says nothing; such pixels count by their value."""
BINS = HUES * SATURATIONS + GRAYS


def histogram(picture: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(BINS,) counts of a mask's pixels by hue and saturation, gray ones by value.

    Args:
        picture: (H, W, 3) uint8 sRGB.
        mask: (H, W) bool.
    """
    rgb = picture.reshape(-1, 3)[np.flatnonzero(mask.ravel())].astype(np.int64)
    red, green, blue = rgb[:, 0], rgb[:, 1], rgb[:, 2]
    most = np.maximum(np.maximum(red, green), blue)
    least = np.minimum(np.minimum(red, green), blue)
    spread = most - least
    saturation = np.where(most > 0, 255 * spread // np.maximum(most, 1), 0)
    part = np.where(
        most == red,
        _sixths(green - blue, spread, 0),
        np.where(most == green, _sixths(blue - red, spread, 2), _sixths(red - green, spread, 4)),
    )
    hue = part % (6 * 256) * HUES // (6 * 256)
    coloured = hue * SATURATIONS + (saturation - COLOURLESS) * SATURATIONS // (256 - COLOURLESS)
    gray = HUES * SATURATIONS + most * GRAYS // 256
    return np.bincount(np.where(saturation >= COLOURLESS, coloured, gray), minlength=BINS)


def _sixths(difference: NDArray[np.int64], spread: NDArray[np.int64], sector: int) -> NDArray[np.int64]:
    """Hue in 1/256 of a sixth of the circle."""
    found: NDArray[np.int64] = 256 * difference // np.maximum(spread, 1) + 256 * sector
    return found


def correlation(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    """Pearson correlation of two histograms, -1 to 1; 0 where one of them is flat; six decimals."""
    x, y = a.tolist(), b.tolist()
    n, sum_x, sum_y = len(x), sum(int(v) for v in x), sum(int(v) for v in y)
    cross = n * sum(int(p * q) for p, q in zip(x, y, strict=True)) - sum_x * sum_y
    squares_x = n * sum(int(p * p) for p in x) - sum_x * sum_x
    squares_y = n * sum(int(p * p) for p in y) - sum_y * sum_y
    if squares_x == 0 or squares_y == 0:
        return 0.0
    return round(cross / (math.sqrt(squares_x) * math.sqrt(squares_y)), 6)
