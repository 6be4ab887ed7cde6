"""The pictures show what the id images say: edges lie on outlines, and the mover looks as it did before the move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..recompute.rules import Finding

SHIFT: Final = 3
"""Pixels by which outlines are shifted to see whether edges fit them worse there."""
FULL_WIDTH: Final = 800
LEAST_OVER_SHIFTED: Final = 1.1
"""Gradient on outlines against the same outlines shifted; 1.35 is the least seen."""
LEAST_OVER_MIRRORED: Final = 1.3
"""The same against mirrored ones; 2.1 is the least seen."""
STRONGEST: Final = 40
"""Levels at which a gradient is cut off, so that a few bright edges do not decide."""
LEAST_OVER_OTHER, LEAST_OF_PLAIN = 1.1, 0.8
"""Gradient on the mover's outline in its own picture against the other one, multiplied over both; two equal pictures
give 1, swapped ones less. Asked where the mover does not surely look alike; the second for movers without texture. The
least seen in 2,500 samples is 1.20, a green cushion on a blanket of green zigzags."""
SURE_LIKENESS: Final = 0.95
"""Correlation from which on the mover surely looks alike."""
FEWEST_OUTLINE: Final = 20
"""Pixels of an outline that the comparison needs."""
LEAST_LIKENESS, MOST_UNLIKE = 0.35, 40.0
"""Correlation of the mover's luminance before the move with that where the flow leads, and the median level by which
they differ when their medians are made equal: one of the two has to hold, as light falls on it otherwise after the
move. Of 2,500 samples of 40 homes two are less alike: 0.13 with 22 levels for a seat pulled into the sun, and 0.23 with
30 levels for one pushed under a table."""
LEAST_CONTRAST: Final = 10.0
"""Standard deviation, in levels, below which a mover has too little texture to correlate."""
MOST_PLACES: Final = 8192
"""On outlines, at which edges are looked for."""
FEWEST: Final = 100
"""Pixels that a correlation needs."""

Gray = NDArray[np.uint8]
Ids = NDArray[np.uint16]
Indices = NDArray[np.intp]


def check_edges(moment: str, gray: Gray, ids: Ids) -> Iterator[Finding]:
    """The picture's edges lie on the outlines of the id image, neither shifted nor mirrored.

    Args:
        moment: ``before`` or ``after``.
        gray: (H, W) uint8 luminance.
        ids: (H, W) uint16.
    """
    height, width = gray.shape
    shift = max(2, round(SHIFT * width / FULL_WIDTH))
    outlines = _outlines(ids)
    v, u = np.divmod(outlines, width)
    rim = shift + 1
    inner = (u >= rim) & (u < width - rim) & (v >= rim) & (v < height - rim)
    if np.count_nonzero(inner) < FEWEST:
        return
    outlines, u, v = outlines[inner], u[inner], v[inner]
    there = _gradient(gray, outlines)
    shifted = max(_gradient(gray, outlines + step) for step in (shift, -shift, shift * width, -shift * width))
    mirrored = max(_gradient(gray, each) for each in (v * width + width - 1 - u, (height - 1 - v) * width + u))
    for name, other, least in (("shifted", shifted, LEAST_OVER_SHIFTED), ("mirrored", mirrored, LEAST_OVER_MIRRORED)):
        if there < least * other:
            found = f"a gradient of {there:.1f} {moment} on outlines, {other:.1f} on {name} ones"
            yield Finding("edges and outlines", found, f"at least {least:g} times as much")


def check_looks(
    grays: tuple[Gray, Gray], ids: tuple[Ids, Ids], flow: NDArray[np.float32], mover: int
) -> Iterator[Finding]:
    """The mover looks alike where the flow leads, and each picture shows its outline where its own id image has it.

    Args:
        grays: (H, W) uint8 luminance before and after.
        ids: (H, W) uint16 before and after.
        flow: (H, W, 2) float32 pixels.
        mover: its id.
    """
    likeness = _likeness(grays, ids, flow, mover)
    if likeness is not None and likeness[0] < LEAST_LIKENESS and likeness[1] > MOST_UNLIKE:
        found = f"a correlation of {likeness[0]:.2f} over the mover, {likeness[1]:.0f} levels apart"
        yield Finding("warped picture", found, f"at least {LEAST_LIKENESS:g}, or at most {MOST_UNLIKE:g} levels")
    if likeness is not None and likeness[0] >= SURE_LIKENESS:
        return
    least = LEAST_OVER_OTHER if likeness is not None else LEAST_OF_PLAIN
    ratio = _clearness(grays, ids, mover)
    if ratio is not None and ratio < least:
        found = f"the mover's outlines are {ratio:.2f} times as clear in their own pictures"
        yield Finding("mover in the pictures", found, f"at least {least:g}")


def _likeness(
    grays: tuple[Gray, Gray], ids: tuple[Ids, Ids], flow: NDArray[np.float32], mover: int
) -> tuple[float, float] | None:
    """Correlation and median difference (medians made equal) of the before image and the after image warped back.

    Of the pixels that show the mover in both, its rim left out. None where it has too few or too little texture.
    """
    start, end = (_inside(each == mover) for each in ids)
    v, u = np.divmod(np.flatnonzero(start), start.shape[1])
    then = np.stack([u, v], axis=-1) + flow[v, u]
    x, y = np.rint(then).astype(np.intp).T
    height, width = start.shape
    kept = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    kept[kept] = end[y[kept], x[kept]]
    if np.count_nonzero(kept) < FEWEST:
        return None
    was = grays[0][v[kept], u[kept]].astype(np.float64)
    now = _sampled(grays[1], then[kept].astype(np.float32)).astype(np.float64)
    if min(was.std(), now.std()) < LEAST_CONTRAST:
        return None
    unlike = np.median(np.abs((was - np.median(was)) - (now - np.median(now))))
    return float(np.corrcoef(was, now)[0, 1]), float(unlike)


def _clearness(grays: tuple[Gray, Gray], ids: tuple[Ids, Ids], mover: int) -> float | None:
    """How much clearer both outlines of the mover are in their own picture than in the other; None of few pixels."""
    outlines = [_outline_mask(each) for each in ids]
    ratio = 1.0
    for moment, image in enumerate(ids):
        alone = _outline_mask((image == mover).astype(np.uint16)) & ~outlines[1 - moment]
        alone[[0, -1]] = alone[:, [0, -1]] = False
        pixels = np.flatnonzero(alone)
        if pixels.size < FEWEST_OUTLINE:
            return None
        own, other = (_gradient(grays[each], pixels) for each in (moment, 1 - moment))
        ratio *= (own + 1.0) / (other + 1.0)
    return ratio


def luminance(picture: NDArray[np.uint8]) -> Gray:
    """(H, W) uint8 of (H, W, 3) uint8 sRGB."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)


def _sampled(gray: Gray, coordinates: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Bilinear values at (n, 2) pixels; in rows of a width that remap takes."""
    row = 1024
    padded = np.zeros((-(-len(coordinates) // row), row, 2), np.float32)
    padded.reshape(-1, 2)[: len(coordinates)] = coordinates
    values = np.asarray(cv2.remap(gray, padded[..., 0], padded[..., 1], cv2.INTER_LINEAR), np.uint8)
    return values.ravel()[: len(coordinates)]


def _inside(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask without its rim of one pixel, where colours mix."""
    kernel = np.ones((3, 3), np.uint8)
    return cv2.erode(mask.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0).astype(np.bool_)


def _gradient(gray: Gray, pixels: Indices) -> float:
    """Mean over pixels of the larger difference of opposite neighbours, across or down, at most ``STRONGEST``."""
    flat, width = gray.ravel(), gray.shape[1]
    across = cv2.absdiff(flat[pixels + 1], flat[pixels - 1])
    down = cv2.absdiff(flat[pixels + width], flat[pixels - width])
    return float(np.minimum(cv2.max(across, down), STRONGEST).mean())


def _outline_mask(ids: Ids) -> NDArray[np.bool_]:
    """(H, W) bool: pixels with another id to the right or below."""
    mask = np.zeros(ids.shape, np.bool_)
    mask[:, :-1] = ids[:, 1:] != ids[:, :-1]
    mask[:-1] |= ids[1:] != ids[:-1]
    return mask


def _outlines(ids: Ids) -> Indices:
    """Indices, row by row, of pixels with another id to the right or below; evenly thinned to ``MOST_PLACES``."""
    flat, width = ids.ravel(), ids.shape[1]
    across = np.flatnonzero(flat[1:] != flat[:-1])
    down = np.flatnonzero(flat[width:] != flat[:-width])
    found = np.concatenate([across, down])
    return found[:: -(-found.size // MOST_PLACES) or 1]
