"""Depth: (H, W) float32 metres <-> 16-bit gray PNG in millimetres, 0 = no depth (schema.md, "Columns")."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import png

MAX_DEPTH = 65.535
"""The farthest depth the encoding holds, metres."""


def depth_to_millimetres(depth: NDArray[np.float32]) -> NDArray[np.uint16]:
    """(H, W) uint16 millimetres, the nearest whole one (ties to even, computed in float64); 0 stays 0 = none.

    Raises:
        ValueError: NaN, negative, a positive depth under half a millimetre (it would turn into "none"), or one
            that rounds to more than 65.535 m: the caller has to drop or cut such a picture knowingly.
    """
    if depth.ndim != 2 or not np.issubdtype(depth.dtype, np.floating):
        raise ValueError(f"depth is (H, W) floating point metres, got {depth.shape} {depth.dtype}")
    millimetres = np.rint(depth.astype(np.float64) * 1000.0)
    if not np.all((millimetres >= 0.0) & (millimetres <= 65535.0)):
        raise ValueError(
            f"depth runs from {depth.min()} to {depth.max()} m, expected 0 (none) to {MAX_DEPTH} m: "
            "set what lies beyond to 0"
        )
    if np.any((depth != 0.0) & (millimetres == 0.0)):
        raise ValueError("a depth under half a millimetre would read as none: move the near plane out")
    return millimetres.astype(np.uint16)


def encode_depth(depth: NDArray[np.float32]) -> bytes:
    """The 16-bit gray PNG of (H, W) planar depth in metres; see :func:`depth_to_millimetres` for the rounding."""
    return png.write(depth_to_millimetres(depth))


def decode_depth_millimetres(data: bytes, name: str = "the depth image") -> NDArray[np.uint16]:
    """(H, W) uint16 millimetres as stored, 0 = none; raises :class:`ReleaseError` like :func:`decode_rgb`."""
    return png.read_gray16(data, name)


def decode_depth(data: bytes, name: str = "the depth image") -> NDArray[np.float32]:
    """(H, W) float32 metres, 0 = none; raises :class:`ReleaseError` like :func:`decode_rgb`."""
    return metres(decode_depth_millimetres(data, name))


def metres(millimetres: NDArray[np.uint16]) -> NDArray[np.float32]:
    """(H, W) float32 metres, each the nearest to its whole millimetres; 0 stays 0 = none."""
    return millimetres.astype(np.float32) / np.float32(1000.0)  # both exact, so the division alone rounds
