"""Instance ids: (H, W) uint16 <-> 16-bit gray PNG, 0 = no object."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import png


def encode_ids(ids: NDArray[np.uint16]) -> bytes:
    """The 16-bit gray PNG of an (H, W) uint16 map of instance ids."""
    if ids.ndim != 2 or ids.dtype != np.uint16:
        raise ValueError(f"instance ids are (H, W) uint16, got {ids.shape} {ids.dtype}")
    return png.write(ids)


def decode_ids(data: bytes, name: str = "the segmentation image") -> NDArray[np.uint16]:
    """(H, W) uint16 instance ids, 0 = none; raises :class:`ReleaseError` like :func:`decode_rgb`."""
    return png.read_gray16(data, name)
