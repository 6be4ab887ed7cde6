"""Masks: (H, W) bool <-> COCO run-length encoding with ASCII counts, area and bounding box.

Encoding goes through pycocotools. Decoding is our own: pycocotools' parser reads past the end of a string that
stops in the middle of a number, and a release is not to be trusted (security.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pycocotools import mask as coco

from ..errors import ReleaseError
from ..schema import Region
from . import png

if TYPE_CHECKING:
    from pycocotools import _EncodedRLE


def encode_mask(mask: NDArray[np.bool_]) -> Region:
    """Area, box and run lengths of an (H, W) bool mask; an empty one has area 0 and box (0, 0, 0, 0)."""
    if mask.ndim != 2 or mask.dtype != np.bool_:
        raise ValueError(f"a mask is (H, W) bool, got {mask.shape} {mask.dtype}")
    return _region(coco.encode(np.asfortranarray(mask, np.uint8)))


def encode_instances(ids: NDArray[np.uint16]) -> dict[int, Region]:
    """The region of every instance id that occurs in (H, W) uint16 ``ids``, ascending, without 0.

    One pass over the picture finds the runs of all ids; it gives what :func:`encode_mask` gives for each.
    """
    height, width = ids.shape
    flat = ids.ravel(order="F")  # COCO counts down the columns
    starts = np.concatenate([[0], np.flatnonzero(flat[1:] != flat[:-1]) + 1])
    ends = np.append(starts[1:], flat.size)
    owner = flat[starts]
    order = np.argsort(owner, kind="stable")
    names, firsts = np.unique(owner[order], return_index=True)
    regions = {}
    for instance_id, runs in zip(names.tolist(), np.split(order, firsts[1:]), strict=True):
        if instance_id:
            edges = np.stack([starts[runs], ends[runs]], axis=1).ravel()
            counts = np.diff(edges, prepend=0, append=flat.size)
            counts = counts[:-1] if counts[-1] == 0 else counts
            regions[instance_id] = _region(
                coco.frPyObjects({"size": [height, width], "counts": counts.tolist()}, height, width)
            )
    return regions


def decode_rle(counts: str, size: Sequence[int], name: str = "the mask") -> NDArray[np.bool_]:
    """(H, W) bool of COCO's compressed counts.

    Args:
        counts: the ASCII string.
        size: (height, width).
        name: what an error calls it.

    Raises:
        ReleaseError: a bad size, or counts that are not numbers or do not add up to it.
    """
    height, width = _checked_size(size, name)
    runs = _parse_counts(counts, name)
    if runs.min() < 0 or runs.max() > height * width or runs.sum() != height * width:
        raise ReleaseError(
            f"{name} has run lengths that do not add up to its {width}x{height} pixels: build the shard again"
        )
    flat = np.repeat(np.arange(runs.size) % 2 == 1, runs)
    return np.ascontiguousarray(flat.reshape(width, height).T)


def _region(rle: _EncodedRLE) -> Region:
    counts = rle["counts"]
    return Region(
        area=int(coco.area(rle)),
        bbox=[float(edge) for edge in coco.toBbox(rle)],
        size=rle["size"],
        counts=counts.decode("ascii") if isinstance(counts, bytes) else counts,
    )


def _checked_size(size: Sequence[int], name: str) -> tuple[int, int]:
    if len(size) != 2 or not all(0 < side <= png.MAX_SIDE for side in size) or size[0] * size[1] > png.MAX_PIXELS:
        raise ReleaseError(f"{name} has the size {list(size)}, expected (height, width): build the shard again")
    return int(size[0]), int(size[1])


def _parse_counts(counts: str, name: str) -> NDArray[np.int64]:
    """Run lengths from COCO's string: 5 bits a character, least first; from the fourth on as differences."""
    symbols = np.frombuffer(counts.encode("ascii", "replace"), np.uint8).astype(np.int64) - 48
    more = (symbols & 0x20) != 0
    if symbols.size == 0 or not counts.isascii() or symbols.min() < 0 or symbols.max() > 63 or more[-1]:
        raise ReleaseError(f"{name} has run lengths that are not COCO's compressed counts: build the shard again")
    firsts = np.concatenate([[0], np.flatnonzero(~more)[:-1] + 1])
    place = np.arange(symbols.size) - np.repeat(firsts, np.diff(firsts, append=symbols.size))
    if place.max() > 5:
        raise ReleaseError(f"{name} has a run length of over 30 bits: do not use this file")
    values = np.add.reduceat((symbols & 0x1F) << (5 * place), firsts)
    negative = (symbols[~more] & 0x10) != 0
    values[negative] -= np.int64(1) << (5 * (place[~more][negative] + 1))
    runs = values.copy()
    runs[1::2] = np.cumsum(values[1::2])
    runs[2::2] = np.cumsum(values[2::2])
    return runs
