"""Nothing but the mover moved: ids and depth are equal where neither image shows it; the picture too, but for light."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..recompute.meta import HomeMeta
from ..recompute.rules import Finding, displacement

LEAST_MOVED: Final = 0.05
"""Metres that a mover really moves."""
CHANGED: Final = 8
"""Levels of 255 by which a channel has to differ to count as changed; shadow and reflected light change some pixels."""
MOST_CHANGED: Final = 0.4
"""Share of the still pixels that may change; of 2,500 samples the most is 0.22: shelves moved out of a light's way."""

Mask = NDArray[np.bool_]
Moments = tuple[NDArray[np.uint16], NDArray[np.uint16]]


def check_ids(ids: Moments, meta: HomeMeta) -> Iterator[Finding]:
    """Every id that the images show is an object of the metadata."""
    known = {0, *(each.id for each in meta.objects)}
    for moment, image in zip(("before", "after"), ids, strict=True):
        flat = image.ravel()
        stretches = np.append(flat[:-1][flat[1:] != flat[:-1]], flat[-1:])  # one pixel of each: ids repeat along rows
        unknown = sorted(set(np.unique(stretches).tolist()) - known)
        if unknown:
            yield Finding("ids in the metadata", f"ids {unknown[:5]} {moment}", "ids of objects in meta.txt")


def moved_pixels(ids: Moments, meta: HomeMeta) -> Mask:
    """(H, W) bool: where either image shows something that the metadata moves."""
    mask = np.zeros(ids[0].shape, np.bool_)
    for thing in meta.moving:
        mask |= (ids[0] == thing.id) | (ids[1] == thing.id)
    return mask


def check_mover(ids: Moments, meta: HomeMeta, mover: int) -> Iterator[Finding]:
    """The mover is seen in both images, in different pixels, and its poses are apart."""
    for moment, image in zip(("before", "after"), ids, strict=True):
        if not (image == mover).any():
            yield Finding("mover seen", f"no pixel {moment}", "visible in both images")
    if np.array_equal(ids[0] == mover, ids[1] == mover):
        yield Finding("mover displaced", "the same pixels in both images", "others after the move")
    length = float(np.linalg.norm(displacement(meta.find(mover))))
    if length < LEAST_MOVED:
        yield Finding("mover displaced", f"by {length:.3f} m", f"at least {LEAST_MOVED:g} m")


def check_still(
    ids: Moments, depths: tuple[NDArray[np.float32], NDArray[np.float32]], moved: Mask
) -> Iterator[Finding]:
    """Ids and depth are equal to the last digit where neither image shows the moved."""
    still = ~moved
    for name, (before, after) in (("ids", ids), ("depth", depths)):
        odd = np.count_nonzero((before != after) & still)
        if odd:
            yield Finding(f"still {name}", f"{odd} px differ", "equal where neither image shows the moved")


def check_pictures(before: NDArray[np.uint8], after: NDArray[np.uint8], moved: Mask) -> Iterator[Finding]:
    """(H, W, 3) uint8 pictures differ little where neither shows the moved."""
    red, green, blue = cv2.split(cv2.absdiff(before, after))
    most = cv2.max(cv2.max(red, green), blue)
    still = max(moved.size - int(np.count_nonzero(moved)), 1)
    changed = int(np.count_nonzero((most > CHANGED) & ~moved))
    if changed > MOST_CHANGED * still:
        found = f"{changed / still:.3f} of the still pixels change"
        yield Finding("still picture", found, f"at most {MOST_CHANGED:g}")
