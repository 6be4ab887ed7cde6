"""Pairs of perceptual hashes that differ in few bits, found without comparing all with all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]

_BANDS: Final = 4
_BITS: Final = 16
MOST_BITS: Final = 2 * _BANDS - 1
"""Pairs that differ in more bits may be missed."""
_AT_ONCE: Final = 1 << 22


def near_pairs(one: Hashes, other: Hashes, most: int) -> tuple[Places, Places, NDArray[np.uint8]]:
    """All pairs of an element of each array that differ in at most so many bits.

    Two hashes that differ in at most 7 bits agree up to one bit in one of their four bands of 16: each of ``one`` is
    compared with those of ``other`` that have one of 17 values there, some thousandth of all.

    Args:
        one: (n,) uint64; the shorter one, if there is a choice.
        other: (m,) uint64.
        most: bits, at most :data:`MOST_BITS`.

    Returns:
        positions in ``one``, positions in ``other``, differing bits; nearest first, then by position.
    """
    if most > MOST_BITS:
        raise ValueError(f"pairs up to {MOST_BITS} bits apart are found, got {most}")
    found = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for band in range(_BANDS):
        shift = np.uint64(_BITS * band)
        values, keys = _band(one, shift), _band(other, shift)
        order = np.argsort(keys, kind="stable")
        starts = np.searchsorted(keys[order], np.arange((1 << _BITS) + 1))
        for flip in (0, *(1 << bit for bit in range(_BITS))):
            wanted = values ^ flip
            for mine, theirs in _bucketed(starts[wanted], starts[wanted + 1], order):
                near = np.bitwise_count(one[mine] ^ other[theirs]) <= most
                found.append((mine[near], theirs[near]))
    pairs = np.unique(np.stack([np.concatenate(column) for column in zip(*found, strict=True)]), axis=1)
    bits = np.bitwise_count(one[pairs[0]] ^ other[pairs[1]])
    nearest = np.argsort(bits, kind="stable")
    return pairs[0][nearest], pairs[1][nearest], bits[nearest]


def _band(hashes: Hashes, shift: np.uint64) -> Places:
    return ((hashes >> shift) & np.uint64((1 << _BITS) - 1)).astype(np.int64)


def _bucketed(first: Places, end: Places, order: Places) -> Iterator[tuple[Places, Places]]:
    """Each query's place with every place in its bucket, a few million pairs at a time."""
    total = np.concatenate([[0], np.cumsum(end - first)])
    at = 0
    while at < len(first):
        until = max(int(np.searchsorted(total, total[at] + _AT_ONCE, side="right")) - 1, at + 1)
        counts = (end - first)[at:until]
        mine = np.repeat(np.arange(at, until), counts)
        within = np.arange(len(mine)) - np.repeat(total[at:until] - total[at], counts)
        yield mine, order[np.repeat(first[at:until], counts) + within]
        at = until
