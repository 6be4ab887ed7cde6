"""Masks as stretches of pixels: those of an id image, and those that a record's run lengths stand for.

Both count down the columns, as COCO does. All masks of an image are read at once, so that every segment of every
sample can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError

Integers = NDArray[np.int64]

_LONGEST_NUMBER = 6
"""Characters of a run length of 30 bits."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Stretches of pixels that belong to one id each, by ascending start.

    Attributes:
        starts, ends: (n,) int64, first pixel and the one after the last, counted down the columns.
        ids: (n,) int64.
    """

    starts: Integers
    ends: Integers
    ids: Integers

    def same_as(self, other: Runs) -> bool:
        """Whether both are the same pixels of the same ids."""
        mine, its = ((each.starts, each.ends, each.ids) for each in (self, other))
        return all(np.array_equal(a, b) for a, b in zip(mine, its, strict=True))

    def of(self, instance_id: int) -> tuple[Integers, Integers]:
        """Starts and ends of one id."""
        own = self.ids == instance_id
        return self.starts[own], self.ends[own]


@dataclass(frozen=True, eq=False)
class IdImage:
    """An id image as runs, with area and box of every id.

    Attributes:
        runs: of all ids but 0.
        height: of the image, pixels.
    """

    runs: Runs
    height: int

    @classmethod
    def of(cls, ids: NDArray[np.uint16]) -> IdImage:
        """The runs of an (H, W) uint16 image."""
        flat = np.asarray(cv2.transpose(ids)).ravel()
        starts = np.concatenate([[0], np.flatnonzero(flat[1:] != flat[:-1]) + 1])
        ends = np.append(starts[1:], flat.size)
        owners = flat[starts].astype(np.int64)
        seen = owners != 0
        return cls(Runs(starts[seen], ends[seen], owners[seen]), ids.shape[0])

    @cached_property
    def regions(self) -> dict[int, tuple[int, tuple[float, float, float, float]]]:
        """Id -> area in pixels, and the (x, y, width, height) of its box."""
        order = np.argsort(self.runs.ids, kind="stable")
        starts, lasts = self.runs.starts[order], self.runs.ends[order] - 1
        names, firsts = np.unique(self.runs.ids[order], return_index=True)
        if not names.size:
            return {}
        left, right = starts // self.height, lasts // self.height
        whole = left != right  # a stretch over the foot of a column touches both edges of the picture
        top = np.where(whole, 0, starts % self.height)
        bottom = np.where(whole, self.height - 1, lasts % self.height)
        area = np.add.reduceat(lasts - starts + 1, firsts)
        x, y = np.minimum.reduceat(left, firsts), np.minimum.reduceat(top, firsts)
        width, height = np.maximum.reduceat(right, firsts) - x + 1, np.maximum.reduceat(bottom, firsts) - y + 1
        boxes = np.stack([x, y, width, height], axis=1).astype(np.float64).tolist()
        return {
            name: (count, (box[0], box[1], box[2], box[3]))
            for name, count, box in zip(names.tolist(), area.tolist(), boxes, strict=True)
        }


def runs_of_counts(counts: Sequence[str], owners: Sequence[int], pixels: int) -> Runs:
    """The runs that compressed COCO counts stand for.

    Six bits a character less 48, the lowest five of them of the number, least first, the sixth where more follow; from
    the fourth number on differences to the last but one (COCO API, ``maskApi.c``, "rleToString").

    Args:
        counts: one string a mask.
        owners: the masks' ids.
        pixels: of the image.

    Raises:
        ReleaseError: counts that are no such numbers or do not add up to the image.
    """
    if not counts:
        nothing = np.zeros(0, np.int64)
        return Runs(nothing, nothing, nothing)
    lengths, first = _numbers(counts)
    sizes = np.diff(np.append(first, lengths.size))
    string = np.repeat(np.arange(len(counts)), sizes)
    place = np.arange(lengths.size) - first[string]
    for chain in (place % 2 == 1, (place % 2 == 0) & (place > 0)):
        lengths[chain] = _sums(lengths[chain], string[chain])
    ends = _sums(lengths, string)
    if lengths.min() < 0 or lengths.max() > pixels or (ends[first + sizes - 1] != pixels).any():
        raise ReleaseError(f"run lengths do not add up to the {pixels:,} pixels of the image: build the shard again")
    own = (place % 2 == 1) & (lengths > 0)
    starts, stops, ids = (ends - lengths)[own], ends[own], np.asarray(owners, np.int64)[string[own]]
    order = np.argsort(starts)
    return Runs(starts[order], stops[order], ids[order])


def _numbers(counts: Sequence[str]) -> tuple[Integers, Integers]:
    """The numbers in all strings, one string after another, and where each string's begin."""
    symbols = np.frombuffer("".join(counts).encode("ascii", "replace"), np.uint8).astype(np.int64) - 48
    sizes = np.array([len(each) for each in counts])
    more = (symbols & 0x20) != 0
    if not sizes.all() or symbols.min() < 0 or symbols.max() > 63 or more[np.cumsum(sizes) - 1].any():
        raise ReleaseError("run lengths are not COCO's compressed counts: build the shard again")
    lasts = np.flatnonzero(~more)
    firsts = np.concatenate([[0], lasts[:-1] + 1])
    if (lasts - firsts).max() >= _LONGEST_NUMBER:
        raise ReleaseError("a run length has over 30 bits: do not use this file")
    place = np.arange(symbols.size) - np.repeat(firsts, lasts - firsts + 1)
    values = np.add.reduceat((symbols & 0x1F) << (5 * place), firsts)
    negative = (symbols[lasts] & 0x10) != 0
    values[negative] -= np.int64(1) << (5 * (lasts - firsts + 1)[negative])
    return values, np.searchsorted(lasts, np.cumsum(sizes) - sizes)


def _sums(values: Integers, group: Integers) -> Integers:
    """The running sum of the values, which begins anew with each group; equal groups lie side by side."""
    if not values.size:
        return values
    sums = np.cumsum(values)
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    base = np.where(begins > 0, sums[begins - 1], 0)
    return np.asarray(sums - np.repeat(base, np.diff(np.append(begins, values.size))), np.int64)
