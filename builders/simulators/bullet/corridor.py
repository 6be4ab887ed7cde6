"""Homes along a corridor: two rows of rooms that open onto a hallway between them."""

from __future__ import annotations

import numpy as np

from .proportions import Proportions, Shape
from .rects import Rect
from .strips import WALL, common_length, draw_row, row_of


def draw_corridor(rng: np.random.Generator, style: Proportions, shapes: list[Shape]) -> list[Rect] | None:
    """Rooms on both sides of a corridor, which the largest of them may close at its end.

    Args:
        rng: the layout's generator.
        style: what corridors measure.
        shapes: one a room, that of the room that may close the corridor first.

    Returns:
        Rectangles between wall centre lines in the order of ``shapes``, then the hallway's; the footprint's corner
        lies at the origin. None when this draw does not fit.
    """
    hall = round(float(rng.uniform(*style.hallway_width)), 2)
    least, most = (hall * aspect for aspect in style.hallway_aspect)
    head = bool(rng.random() < 0.5)
    order = [int(i) for i in rng.permutation(np.arange(int(head), len(shapes)))] + [0] * head
    cut = max(1, (len(order) + int(rng.integers(2))) // 2)
    near = row_of([shapes[i] for i in order[:cut]])
    far = row_of([shapes[i] for i in order[cut:]], hall + WALL if head else 0.0)
    length = common_length(rng, [near, far], (least + WALL, 40.0 if head else most + WALL))
    if length is None:
        return None
    if head:
        far = far.last_within((length - WALL - most, length - WALL - least))
    first = draw_row(rng, near, length, 0.0)
    second = draw_row(rng, far, length, round(first[0].y1 + hall + WALL, 2)) if first else None
    if not first or not second:
        return None
    y0, y1 = first[0].y1, second[0].y0
    if head:
        second[-1] = second[-1]._replace(y0=y0)
    cells = dict(zip(order, first + second, strict=True))
    way = Rect(0.0, y0, second[-1].x0 if head else length, y1)
    if not least <= way.x1 - WALL <= most:
        return None
    return [cells[i] for i in range(len(shapes))] + [way]
