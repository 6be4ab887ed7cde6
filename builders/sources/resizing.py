"""Pictures at a profile's size, and how much of them changed; in integers, alike on every CPU.

Each axis is stretched by itself to the profile's width or height, so that no pixel is lost; intrinsics that were
recorded are scaled alike, assumed ones hold at the profile's size ("Image geometry"). Shrinking averages over the area
of each new pixel, enlarging is bilinear.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from .profiles import BORDER, CHANGED_BY
from .recorded import Picture

_RED, _GREEN, _BLUE = 19595, 38470, 7471
"""65536ths of BT.601's luma."""


def fitted(picture: Picture, width: int, height: int) -> Picture:
    """An (H, W, 3) uint8 picture as (height, width, 3)."""
    for axis, wanted in ((0, height), (1, width)):
        if picture.shape[axis] > wanted:
            picture = _averaged(picture, axis, wanted)
    if picture.shape[:2] == (height, width):
        return picture
    # The only interpolation of OpenCV that promises the same bits everywhere.
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR_EXACT), dtype=np.uint8)


def scaled_intrinsics(k: NDArray[np.float64], size: tuple[int, int], wanted: tuple[int, int]) -> NDArray[np.float64]:
    """(3, 3) intrinsics of pictures stretched from one (width, height) to another; pixel centres at half integers.

    The principal point moves with the picture's edges: ``c' + 0.5 = (c + 0.5) * ratio``.
    """
    scaled = k.copy()
    for axis in range(2):
        ratio = wanted[axis] / size[axis]
        scaled[axis, :2] *= ratio
        scaled[axis, 2] = (k[axis, 2] + 0.5) * ratio - 0.5
    return scaled


def changed_share(before: Picture, after: Picture) -> float:
    """phi of B.1: share of interior pixels whose gray value changed by more than CHANGED_BY, 0 to 1.

    Args:
        before, after: (H, W, 3) uint8 of one size; BORDER of it is cut off at each side.
    """
    height, width = before.shape[:2]
    down, across = int(BORDER * height), int(BORDER * width)
    inner = slice(down, height - down), slice(across, width - across)
    changed = np.abs(gray(before[inner]) - gray(after[inner])) > CHANGED_BY
    return float(int(np.count_nonzero(changed)) / changed.size)


def gray(picture: Picture) -> NDArray[np.int32]:
    """(H, W) gray values 0..255 of an (H, W, 3) picture."""
    rgb = picture.astype(np.int32)
    return (rgb[..., 0] * _RED + rgb[..., 1] * _GREEN + rgb[..., 2] * _BLUE + (1 << 15)) >> 16


def _averaged(picture: Picture, axis: int, wanted: int) -> Picture:
    """Each new pixel is the mean over its stretch of old ones, whose ends count in part; exact until it is rounded."""
    rows = np.moveaxis(picture, axis, 0)
    old = len(rows)
    # Sums up to each old pixel, in units of 1 / wanted of a pixel; a new pixel is old such units long.
    sums = np.zeros((old + 1, *rows.shape[1:]), dtype=np.int64)
    np.cumsum(rows, axis=0, out=sums[1:])
    ends = np.arange(wanted + 1) * old
    whole, part = ends // wanted, ends % wanted
    beyond = rows[np.minimum(whole, old - 1)].astype(np.int64)
    upto = sums[whole] * wanted + beyond * part.reshape(-1, 1, 1)
    means = (np.diff(upto, axis=0) + old // 2) // old
    return np.ascontiguousarray(np.moveaxis(means.astype(np.uint8), 0, axis))
