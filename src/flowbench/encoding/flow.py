"""Optical flow: (H, W, 2) pixels with validity <-> KITTI's 16-bit RGB PNG (schema.md, "Columns").

u = (R - 2^15) / 64, v = (G - 2^15) / 64, B = 1 where valid. The flow of a release *is* the value on this grid of
1/64 pixel: what reads it back gets it exactly.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import ReleaseError
from . import png

FLOW_STEP: Final = 1.0 / 64.0
"""Spacing of the grid, pixels."""
FLOW_LIMIT: Final = 512.0
"""Components lie in [-512, 512 - 1/64] pixels."""


class FlowRangeError(ValueError):
    """A flow too long for the encoding; the sample is a reject, never a clip.

    Attributes:
        longest: the largest absolute component found, pixels; NaN if one is not a number.
    """

    def __init__(self, longest: float) -> None:
        self.longest = longest
        super().__init__(
            f"flow reaches {longest:.1f} px, the encoding holds -{FLOW_LIMIT:g} to {FLOW_LIMIT - FLOW_STEP:g} px: "
            "drop the sample"
        )

    def __reduce__(self) -> tuple[type[FlowRangeError], tuple[float]]:
        """Workers send errors home pickled; the inherited way would call ``FlowRangeError(message)``."""
        return type(self), (self.longest,)


def encode_flow(flow: NDArray[np.floating], valid: NDArray[np.bool_]) -> bytes:
    """The KITTI PNG of a flow.

    Args:
        flow: (H, W, 2) (u, v) in pixels, before to after; rounded to the nearest 1/64 (ties to even).
        valid: (H, W) bool; elsewhere all three channels are 0, whatever ``flow`` holds.

    Raises:
        FlowRangeError: a valid component is beyond the range.
    """
    return png.write(_to_codes(flow, valid))


def decode_flow(data: bytes, name: str = "the flow image") -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """(flow (H, W, 2) float32 in pixels, 0 where not valid; valid (H, W) bool).

    Raises:
        ReleaseError: not a 16-bit RGB PNG, too large, broken, or with a validity other than 0 and 1.
    """
    codes = png.read_rgb16(data, name)
    validity = np.ascontiguousarray(codes[..., 2])
    if validity.max() > 1:
        raise ReleaseError(f"{name} has a validity of {validity.max()}, expected 0 or 1: build the shard again")
    valid = validity == 1
    flow = codes[..., :2].astype(np.float32)
    flow -= np.float32(32768.0)
    flow *= np.float32(FLOW_STEP)
    if not valid.all():
        flow[~valid] = 0.0
    return flow, valid


def _to_codes(flow: NDArray[np.floating], valid: NDArray[np.bool_]) -> NDArray[np.uint16]:
    if flow.ndim != 3 or flow.shape[2] != 2 or valid.shape != flow.shape[:2] or valid.dtype != np.bool_:
        raise ValueError(f"flow is (H, W, 2) with valid (H, W) bool, got {flow.shape} and {valid.shape} {valid.dtype}")
    # scaling by a power of two and whole numbers below 2^24 are exact in float32 already
    exact = flow.astype(np.result_type(flow, np.float32), copy=False)
    shifted = np.rint(np.where(valid[..., None], exact, exact.dtype.type(0)) * exact.dtype.type(64)) + 32768
    if not np.all((shifted >= 0.0) & (shifted <= 65535.0)):
        raise FlowRangeError(float(np.abs(flow[valid]).max()))
    codes = np.zeros((*valid.shape, 3), np.uint16)
    codes[..., :2] = shifted
    codes[..., 2] = 1
    codes[~valid] = 0
    return codes
