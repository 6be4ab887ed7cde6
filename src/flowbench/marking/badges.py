"""Numbered badges: a red disc with a white number and ring on every marked object (paper, B.4, "Marks").

Digits are bitmaps of 5x7 cells; all is drawn in whole numbers, so that the bytes are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..schema import Mark
from ..schema.real import Badge
from .dots import draw_marks, outer_radius

RED: Final = (205, 20, 25)
_DIGITS: Final = (
    "01110 10001 10011 10101 11001 10001 01110",
    "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00110 01000 10000 11111",
    "01110 10001 00001 00110 00001 10001 01110",
    "00010 00110 01010 10010 11111 00010 00010",
    "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110",
    "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110",
    "01110 10001 10001 01111 00001 00010 01100",
)
"""Rows of each digit, top first."""
_ROWS: Final = 7


def badge_reach(radius: float) -> float:
    """How far, in pixels, a badge with this radius reaches, its rings included."""
    return outer_radius(radius)


def draw_badges(
    image: NDArray[np.uint8], badges: Sequence[Badge], which: Literal["before", "after"]
) -> NDArray[np.uint8]:
    """A copy of the picture with the badges on it, lower numbers on top.

    Args:
        image: (H, W, 3) uint8; not changed.
        badges: where to draw.
        which: whether ``image`` is the picture before or after the move.
    """
    canvas = image
    for badge in reversed(badges):
        centre = badge.before if which == "before" else badge.after
        disc = Mark(
            id=badge.id,
            object=badge.object,
            colour="red",
            rgb=list(RED),
            radius=badge.radius,
            before=centre,
            after=centre,
        )
        canvas = draw_marks(canvas, [disc], which)
        _write(canvas, badge.number, centre, badge.radius)
    return canvas.copy() if canvas is image else canvas


def _write(canvas: NDArray[np.uint8], number: int, centre: Sequence[float], radius: float) -> None:
    """White digits in the middle of a disc; what falls outside the picture is cut off."""
    glyphs = [np.array([[c == "1" for c in row] for row in _DIGITS[int(d)].split()], bool) for d in str(number)]
    space = np.zeros((_ROWS, 1), dtype=np.bool_)
    cells = glyphs[0]
    for glyph in glyphs[1:]:
        cells = np.concatenate([cells, space, glyph], axis=1)
    size = max(1, round(radius * 1.2 / _ROWS))
    bitmap = np.repeat(np.repeat(cells, size, axis=0), size, axis=1)
    top = round(centre[1] - (bitmap.shape[0] - 1) / 2.0)
    left = round(centre[0] - (bitmap.shape[1] - 1) / 2.0)
    rows, columns = np.nonzero(bitmap)
    rows, columns = rows + top, columns + left
    inside = (rows >= 0) & (columns >= 0) & (rows < canvas.shape[0]) & (columns < canvas.shape[1])
    canvas[rows[inside], columns[inside]] = 255
