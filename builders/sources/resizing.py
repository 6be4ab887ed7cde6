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
    if picture.shape[0] > height:
        picture = _averaged(picture, height)
    if picture.shape[1] > width:
        turned = np.ascontiguousarray(picture.transpose(1, 0, 2))
        picture = np.ascontiguousarray(_averaged(turned, width).transpose(1, 0, 2))
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


def _averaged(picture: Picture, wanted: int) -> Picture:
    """So many rows: each the mean over its stretch of old rows, whose ends count in part; exact until it is rounded."""
    old = len(picture)
    # In units of 1 / wanted of an old row: a new row is old units long, an old row wanted units.
    start = np.arange(wanted, dtype=np.int64) * old
    first = start // wanted
    total = np.full((wanted, *picture.shape[1:]), old // 2, dtype=np.uint32)
    for tap in range(-(-old // wanted) + 1):
        row = first + tap
        weight = np.minimum((row + 1) * wanted, start + old) - np.maximum(row * wanted, start)
        weighed = np.maximum(weight, 0).astype(np.uint32).reshape(-1, 1, 1)
        total += np.multiply(picture[np.minimum(row, old - 1)], weighed, dtype=np.uint32)
    return np.asarray(total // np.uint32(old), dtype=np.uint8)
