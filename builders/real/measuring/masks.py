"""From what the segmentation gave to the masks that are measured: kept, without doubles, each pixel with one owner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.perception.base import Mask

LEAST_SCORE = 0.35
LEAST_SCORE_TASK = 0.20
"""Of a task's nouns (B.2)."""
LEAST_PIXELS = 300
MOST_SHARE = 0.05
"""Of the frame (B.2)."""
NESTED = 0.70
NESTED_RATIO = 0.33
"""A mask this much inside another of not much more pixels is the same object (B.5)."""
COVERING = 0.40
"""A mask that covers so much of another is the same object (B.5)."""


@dataclass(frozen=True, eq=False)
class Layer:
    """The masks of one picture, parted.

    Attributes:
        masks: as given, the kept ones, larger ones first.
        owner: (H, W) int32: index into ``masks`` of the pixel's mask, -1 none, -2 the arm.
        areas: pixels of each after parting.
    """

    masks: tuple[Mask, ...]
    owner: NDArray[np.int32]
    areas: tuple[int, ...]

    @property
    def arm(self) -> NDArray[np.bool_]:
        """(H, W) bool."""
        found: NDArray[np.bool_] = self.owner == ARM
        return found

    def mask(self, index: int) -> NDArray[np.bool_]:
        """(H, W) bool of one of the masks after parting."""
        found: NDArray[np.bool_] = self.owner == index
        return found


NOBODY = -1
ARM = -2


def part(masks: Sequence[Mask]) -> Layer:
    """Keep, de-duplicate and part the masks of one picture; of overlapping ones the smaller keeps the pixels.

    Args:
        masks: of one picture, all of one shape, at least one.
    """
    shape = masks[0].pixels.shape
    things = [mask for mask in masks if mask.kind != "arm" and _scored(mask)]
    sized = [(int(np.count_nonzero(mask.pixels)), mask) for mask in things]
    fitting = [(area, mask) for area, mask in sized if LEAST_PIXELS <= area <= MOST_SHARE * shape[0] * shape[1]]
    kept = _distinct(fitting)
    owner = np.full(shape, NOBODY, dtype=np.int32)
    for mask in masks:
        if mask.kind == "arm":
            owner[mask.pixels] = ARM
    for index, mask in enumerate(kept):
        owner[mask.pixels] = index
    counts = np.bincount(owner.ravel() + 2, minlength=len(kept) + 2)[2:]
    return Layer(tuple(kept), owner, tuple(counts.tolist()))


def _scored(mask: Mask) -> bool:
    return mask.score >= (LEAST_SCORE_TASK if mask.kind == "task" else LEAST_SCORE)


def _distinct(masks: Sequence[tuple[int, Mask]]) -> list[Mask]:
    """Each object once, by its most telling and best scored mask; larger ones first."""
    order = sorted(range(len(masks)), key=lambda k: (_RANKS[masks[k][1].kind], -masks[k][1].score, -masks[k][0], k))
    kept: list[int] = []
    for k in order:
        if not any(_same(masks[k], masks[j]) for j in kept):
            kept.append(k)
    return [masks[k][1] for k in sorted(kept, key=lambda k: (-masks[k][0], k))]


_RANKS = {"task": 0, "common": 1, "generic": 2}


def _same(a: tuple[int, Mask], b: tuple[int, Mask]) -> bool:
    """Whether two masks show one object."""
    (area_a, mask_a), (area_b, mask_b) = a, b
    shared = int(np.count_nonzero(mask_a.pixels & mask_b.pixels))
    small, large = min(area_a, area_b), max(area_a, area_b)
    return (shared > NESTED * small and (small >= NESTED_RATIO * large)) or shared >= COVERING * large
