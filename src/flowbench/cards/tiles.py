"""Pictures put together from smaller ones, in integers, for the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

MOST_WIDTH: Final = 400
"""Of one picture, pixels; wider ones are reduced by a whole factor."""
GAP: Final = 6
FRAME: Final = 4
_RIGHT: Final = (18, 140, 80)


def reduced(image: Image, most: int = MOST_WIDTH) -> Image:
    """(h, w, 3) uint8 at most ``most`` wide: means of square blocks."""
    factor = -(-image.shape[1] // most)
    height, width = image.shape[0] // factor, image.shape[1] // factor
    blocks = image[: height * factor, : width * factor].reshape(height, factor, width, factor, 3)
    total = blocks.astype(np.uint32).sum(axis=(1, 3))
    mean: Image = ((total + factor * factor // 2) // (factor * factor)).astype(np.uint8)
    return mean


def joined(images: Sequence[Image], axis: int, gap: int = GAP) -> Image:
    """Beside (1) or below (0) each other, with white between them and after those that are shorter."""
    other = max(image.shape[1 - axis] for image in images)
    pieces: list[Image] = []
    for image in images:
        if pieces:
            pieces.append(_white(image, axis, gap, other))
        pieces.append(np.concatenate([image, _white(image, 1 - axis, other - image.shape[1 - axis])], axis=1 - axis))
    return np.concatenate(pieces, axis=axis)


def framed(image: Image) -> Image:
    """The picture with a green frame on its edge."""
    marked = image.copy()
    inner = marked[FRAME:-FRAME, FRAME:-FRAME].copy()
    marked[:] = _RIGHT
    marked[FRAME:-FRAME, FRAME:-FRAME] = inner
    return marked


def _white(image: Image, axis: int, thickness: int, length: int | None = None) -> Image:
    shape = list(image.shape)
    shape[axis] = thickness
    if length is not None:
        shape[1 - axis] = length
    return np.full(shape, 255, np.uint8)
