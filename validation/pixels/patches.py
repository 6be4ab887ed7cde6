"""No patch of a picture is painted over: where nothing moves only light changes between before and after.

Light makes a surface brighter or darker and a shadow of the warm sun somewhat bluer, but it neither gives it another
hue nor wipes its texture out. Both are asked of connected patches, so that a small one counts among many good pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.rendering.colour import linear_from_srgb

from ..recompute.rules import Finding

FULL_WIDTH: Final = 800
LEAST_PATCH: Final = 200
"""Pixels, in a picture 800 wide, from which on a patch of other hue counts; of 2,493 pairs that size none has one."""
LEAST_WIPED: Final = 1500
"""The same of patches without texture: the sun that comes and goes bleaches up to 462 pixels of those pairs."""
FEWEST: Final = 8
"""The same at any size."""
OPENED_FROM: Final = 400
"""Width from which on patches have to be 3 pixels thick."""
LEVELS: Final = 20
"""Of 255, by which a channel at least differs where a patch is looked for."""
HUE: Final = 0.25
"""Change of a channel's share of the linear light; shadows change it by up to 0.2."""
BRIGHT: Final = 90
"""Level that the strongest channel reaches in one of the pictures: the hue of what is dark is a matter of rounding."""
WIPED: Final = 40
"""Of 255, by which a channel differs where texture is wiped out: pixels in whose neighbourhood of 5x5 all are the same
in one picture, and not in the other."""

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

_LINEAR: Final = linear_from_srgb(np.arange(256) / 255.0).astype(np.float32)


def check_patches(before: Image, after: Image, moved: Mask) -> Iterator[Finding]:
    """Patches of still pixels that change their hue, or lose or gain their texture.

    Args:
        before, after: (H, W, 3) uint8.
        moved: (H, W) bool, where either image shows something that moves.
    """
    width = moved.shape[1]
    least, least_wiped = (
        max(FEWEST, n * width * width // (FULL_WIDTH * FULL_WIDTH)) for n in (LEAST_PATCH, LEAST_WIPED)
    )
    levels = _strongest(np.asarray(cv2.absdiff(before, after), np.uint8))
    still = cv2.dilate(moved.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
    rows, columns = np.nonzero(still & (levels > LEVELS))
    if rows.size < least:
        return
    top, left = max(int(rows.min()) - 2, 0), max(int(columns.min()) - 2, 0)
    window = slice(top, int(rows.max()) + 3), slice(left, int(columns.max()) + 3)
    one, other, levels, still = before[window], after[window], levels[window], still[window]
    bright = np.maximum(_strongest(one), _strongest(other)) > BRIGHT
    found = (
        ("change their hue", least, still & (levels > LEVELS) & bright & (_hue_change(one, other) > HUE)),
        ("are plain in one picture only", least_wiped, still & (levels > WIPED) & (_plain(one) != _plain(other))),
    )
    for what, most, mask in found:
        size, u, v = _largest(mask, width >= OPENED_FROM)
        if size > most:
            place = f"{size} still px from row {top + v} and column {left + u} on {what}"
            yield Finding("still patch", place, "only light changes where nothing moves")


def _strongest(image: Image) -> Image:
    """(H, W) the largest of the channels."""
    red, green, blue = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8)


def _hue_change(one: Image, other: Image) -> NDArray[np.float32]:
    """(H, W) by how much a channel's share of a pixel's linear light changes, the channel that changes most."""
    shares = []
    for image in (one, other):
        linear = _LINEAR[image]
        shares.append(linear / (linear[..., 0] + linear[..., 1] + linear[..., 2] + np.float32(1e-6))[..., None])
    return np.asarray(np.abs(shares[0] - shares[1]).max(axis=-1), np.float32)


def _plain(image: Image) -> Mask:
    """(H, W) bool: pixels whose neighbourhood of 5x5 has one colour."""
    around = np.ones((5, 5), np.uint8)
    return np.asarray((cv2.dilate(image, around) == cv2.erode(image, around)).all(axis=-1), np.bool_)


def _largest(mask: Mask, opened: bool) -> tuple[int, int, int]:
    """Pixels of the largest connected patch, its first column and row."""
    marks = mask.astype(np.uint8)
    if opened:
        marks = np.asarray(cv2.morphologyEx(marks, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    if count < 2:
        return 0, 0, 0
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    return int(stats[best, cv2.CC_STAT_AREA]), int(stats[best, cv2.CC_STAT_LEFT]), int(stats[best, cv2.CC_STAT_TOP])
