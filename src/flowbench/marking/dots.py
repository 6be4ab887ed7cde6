"""Set-of-Marks dots: how a marked object is shown on a picture (paper, "Annotating").

A dot is a disc in the mark's colour, a white ring round it and a dark ring outside, so that it stands out on
any ground. Coverage is counted on a 16x16 grid in every pixel with integers alone: the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..schema import Mark

Image = NDArray[np.uint8]
"""(H, W, 3) uint8 sRGB, red first."""

UNIT: Final = 256
"""Fixed-point steps in a pixel; positions and radii are rounded to them."""
_SIDE: Final = 16
_STEP: Final = UNIT // _SIDE
_SAMPLES: Final = _SIDE * _SIDE

WHITE: Final = (255, 255, 255)
DARK: Final = (24, 24, 28)


def _rings(radius: float) -> tuple[int, int, int]:
    """Outer radii of disc, white ring and dark ring in fixed point; the rings grow with the disc."""
    disc = round(radius * UNIT)
    white = disc + max(UNIT, disc * 7 // 32)
    return disc, white, white + max(UNIT * 3 // 4, disc // 8)


@lru_cache(maxsize=4096)  # planning tries the same quarter pixels a million times
def outer_radius(radius: float) -> float:
    """How far, in pixels, a dot with this disc radius reaches, its rings included."""
    return _rings(radius)[2] / UNIT


def draw_marks(image: Image, marks: Sequence[Mark], which: Literal["before", "after"]) -> Image:
    """A copy of the picture with the dots on it.

    The first mark (the mover's) lies on top where dots overlap; what falls outside the picture is cut off.

    Args:
        image: (H, W, 3) uint8; not changed.
        marks: where to draw, with sub-pixel exact centres.
        which: whether ``image`` is the picture before or after the move.
    """
    canvas = np.ascontiguousarray(image).copy()
    for mark in reversed(marks):
        u, v = mark.before if which == "before" else mark.after
        red, green, blue = mark.rgb
        _draw_dot(canvas, u, v, mark.radius, (red, green, blue))
    return canvas


def _draw_dot(canvas: Image, u: float, v: float, radius: float, rgb: tuple[int, int, int]) -> None:
    """Blend one dot into the canvas, centre (u, v) in pixels."""
    disc, white, dark = _rings(radius)
    centre_u, centre_v = round(u * UNIT), round(v * UNIT)
    columns = _touched(centre_u, dark, canvas.shape[1])
    rows = _touched(centre_v, dark, canvas.shape[0])
    if not columns or not rows:
        return
    along_u, along_v = _offsets(columns, centre_u), _offsets(rows, centre_v)
    squared = along_v[:, None] * along_v[:, None] + along_u[None, :] * along_u[None, :]
    inside = [_count(squared <= ring * ring, len(rows), len(columns)) for ring in (disc, white, dark)]
    weights = (inside[0], inside[1] - inside[0], inside[2] - inside[1])
    patch = canvas[rows.start : rows.stop, columns.start : columns.stop]
    total = patch.astype(np.int64) * (_SAMPLES - inside[2])[..., None]
    for weight, colour in zip(weights, (rgb, WHITE, DARK), strict=True):
        total += weight[..., None] * np.array(colour, dtype=np.int64)
    patch[...] = ((total + _SAMPLES // 2) // _SAMPLES).astype(np.uint8)


def _touched(centre: int, reach: int, size: int) -> range:
    """Pixels along one axis that a dot can touch, cut to the picture."""
    half = UNIT // 2
    return range(max(0, (centre - reach + half) // UNIT), min(size, (centre + reach + half) // UNIT + 1))


def _offsets(pixels: range, centre: int) -> NDArray[np.int64]:
    """Signed distances, fixed point, from the centre to each subsample of each pixel along one axis."""
    start = pixels.start * UNIT - UNIT // 2 + _STEP // 2 - centre
    return start + _STEP * np.arange(len(pixels) * _SIDE, dtype=np.int64)


def _count(mask: NDArray[np.bool_], rows: int, columns: int) -> NDArray[np.int64]:
    """How many subsamples of each pixel lie in the mask, 0..256."""
    blocks = mask.reshape(rows, _SIDE, columns, _SIDE)
    counts: NDArray[np.int64] = blocks.sum(axis=(1, 3), dtype=np.int64)
    return counts
