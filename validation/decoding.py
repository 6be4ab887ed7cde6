"""Members decoded once for all samples that share them: a view's before image, a move's after image.

The samples of a view lie side by side in a shard and hold the same bytes, so that a short memory spares most of the
work. What is remembered is read-only; equal bytes are told by comparing them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding import decode_depth, decode_flow, decode_ids, decode_rgb

_RECENT: Final = 8
"""As many samples as a view has at most."""


@lru_cache(maxsize=_RECENT + 1)
def shared_rgb(data: bytes, name: str) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 sRGB, read-only; raises like :func:`~flowbench.encoding.decode_rgb`."""
    picture = decode_rgb(data, name)
    picture.setflags(write=False)
    return picture


@lru_cache(maxsize=_RECENT + 1)
def shared_depth(data: bytes, name: str) -> NDArray[np.float32]:
    """(H, W) float32 metres, read-only; raises like :func:`~flowbench.encoding.decode_depth`."""
    depth = decode_depth(data, name)
    depth.setflags(write=False)
    return depth


@lru_cache(maxsize=_RECENT + 1)
def shared_ids(data: bytes, name: str) -> NDArray[np.uint16]:
    """(H, W) uint16 instance ids, read-only; raises like :func:`~flowbench.encoding.decode_ids`."""
    ids = decode_ids(data, name)
    ids.setflags(write=False)
    return ids


@lru_cache(maxsize=_RECENT)
def shared_flow(data: bytes, name: str) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Flow (H, W, 2) float32 in pixels and validity, read-only; raises like :func:`~flowbench.encoding.decode_flow`."""
    flow, valid = decode_flow(data, name)
    for array in (flow, valid):
        array.setflags(write=False)
    return flow, valid
