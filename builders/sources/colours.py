"""Decoded video frames as sRGB, in integers: the converters that come with FFmpeg round differently from CPU to CPU.

A 4:2:0 chroma sample is shared by its four pixels. A stream that does not say which matrix it uses is taken for BT.601,
as FFmpeg itself and hence LeRobot take it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from av.video.frame import VideoFrame
from av.video.reformatter import ColorRange
from numpy.typing import NDArray

from .recorded import Picture


@dataclass(frozen=True)
class Layout:
    """How planes hold a picture: how many pixels share a chroma sample across and down, and bits a sample."""

    across: int
    down: int
    bits: int = 8


LAYOUTS: Final[Mapping[str, Layout]] = {
    "yuv420p": Layout(2, 2),
    "yuvj420p": Layout(2, 2),
    "yuv422p": Layout(2, 1),
    "yuvj422p": Layout(2, 1),
    "yuv444p": Layout(1, 1),
    "yuvj444p": Layout(1, 1),
    "yuv420p10le": Layout(2, 2, 10),
    "yuv444p10le": Layout(1, 1, 10),
}
"""Pixel formats that are read."""
_BT601, _BT709 = (104597, 25675, 53279, 132201), (117489, 13975, 34925, 138438)
"""65536ths by which Cr adds to red, Cb and Cr take from green, Cb adds to blue; of Y' in 16..235, Cb, Cr in 16..240."""
_MATRICES: Final[Mapping[int, tuple[int, int, int, int]]] = {1: _BT709, 2: _BT601, 5: _BT601, 6: _BT601}
"""By the number that H.273 gives a matrix; 2 is none."""
_LIGHT: Final = 76309
"""65536ths by which Y' of 16..235 is stretched to 0..255."""
_HALF: Final = 1 << 15


class ColourError(Exception):
    """What a frame has that is not read, in a few words."""


def picture_of(frame: VideoFrame) -> Picture:
    """The (H, W, 3) uint8 sRGB picture of a decoded frame.

    Raises:
        ColourError: a pixel format or matrix that is not read.
    """
    name = frame.format.name
    layout = LAYOUTS.get(name)
    if layout is None:
        raise ColourError(f"pixel format {name}")
    matrix = _MATRICES.get(int(frame.colorspace))
    if matrix is None:
        raise ColourError(f"colour matrix {int(frame.colorspace)}")
    full = name.startswith("yuvj") or frame.color_range == ColorRange.JPEG
    light, cb, cr = (_plane(frame, number, layout) for number in range(3))
    if full:  # as if it had been of narrow range: the difference is a scale, applied in 65536ths
        gain, red, (green_b, green_r), blue = 65536, *_scaled(matrix)
    else:
        light, gain = light - 16, _LIGHT
        red, green_b, green_r, blue = matrix
        green_b, green_r = -green_b, -green_r
    light = light * gain + _HALF
    picture = np.empty((*light.shape, 3), dtype=np.uint8)
    sums = (cr * red, cb * green_b + cr * green_r, cb * blue)
    for channel, chroma in enumerate(sums):
        spread = chroma.repeat(layout.down, axis=0).repeat(layout.across, axis=1) if layout.across > 1 else chroma
        total = light + spread[: light.shape[0], : light.shape[1]]
        total >>= 16
        picture[..., channel] = np.clip(total, 0, 255, out=total)
    return picture


def _scaled(matrix: tuple[int, int, int, int]) -> tuple[int, tuple[int, int], int]:
    """The matrix for samples that use all of 0..255: 224 steps of chroma become 255."""
    red, green_b, green_r, blue = ((part * 224 + 127) // 255 for part in matrix)
    return red, (-green_b, -green_r), blue


def _plane(frame: VideoFrame, number: int, layout: Layout) -> NDArray[np.int32]:
    """Samples of a plane as int32 of 8 bits; chroma without its offset of 128."""
    plane: Any = frame.planes[number]
    wide = layout.bits > 8
    samples = np.frombuffer(plane, dtype="<u2" if wide else np.uint8).reshape(plane.height, -1)[:, : plane.width]
    whole: NDArray[np.int32] = samples.astype(np.int32)
    if wide:
        whole = np.minimum((whole + (1 << (layout.bits - 9))) >> (layout.bits - 8), 255)
    if number:
        whole -= 128
    return whole
