"""Pictures: (H, W, 3) uint8 sRGB <-> 8-bit RGB PNG."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import png


def encode_rgb(image: NDArray[np.uint8]) -> bytes:
    """The 8-bit RGB PNG of an (H, W, 3) uint8 sRGB image; equal images give equal bytes."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"an RGB image is (H, W, 3) uint8, got {image.shape} {image.dtype}")
    return png.write(image)


def decode_rgb(data: bytes, name: str = "the image") -> NDArray[np.uint8]:
    """(H, W, 3) uint8 of an 8-bit RGB PNG.

    Raises:
        ReleaseError: not such a PNG, too large, or broken; the sentence calls it ``name``.
    """
    return png.read_rgb8(data, name)
