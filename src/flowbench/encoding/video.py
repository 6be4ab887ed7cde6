"""Videos: (n, H, W, 3) uint8 sRGB <-> H.264 in an MP4 file, near lossless, 4:2:0 so that every player shows it.

Colours are turned into BT.601's Y'CbCr and back here, in integers: the converters that come with FFmpeg round
differently from CPU to CPU. Equal frames give equal bytes with the same FFmpeg: one thread, no B-frames, nothing of the
time or the machine. Not imported with the package, because FFmpeg comes with it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

import av
import numpy as np
from av.video.codeccontext import VideoCodecContext
from av.video.frame import PictureType, VideoFrame
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream
from numpy.typing import NDArray

from ..errors import ReleaseError

Frames = NDArray[np.uint8]

MOST_BYTES: Final = 1 << 26
"""A larger file is refused before it is read."""
MOST_FRAMES: Final = 4096
MOST_PIXELS: Final = 1 << 29
"""Of all frames together; a video that holds more is not decoded further."""
_CODING: Final = {
    "preset": "medium",
    "qp": "12",
    "bf": "0",
    "x264-params": "cpu-independent=1:threads=1:lookahead-threads=1:aq-mode=0:weightp=0",
}
"""A constant quantizer: rate control would take logarithms and powers of floats."""
_Y, _CB, _CR = (16829, 33039, 6416), (-9714, -19070, 28784), (28784, -24103, -4681)
"""RGB in 0..255 to Y' in 16..235 and Cb, Cr in 16..240, in 65536ths."""
_LIGHT, _RED, _GREEN, _BLUE = 76309, 104597, (-25675, -53279), 132201
"""And back: of Y'; of Cr in red; of Cb and Cr in green; of Cb in blue."""
_HALF: Final = 1 << 15


@dataclass(frozen=True)
class Coding:
    """A codec of FFmpeg and its options."""

    codec: str
    options: Mapping[str, str]


NEAR_LOSSLESS: Final = Coding("libx264", _CODING)
SEEKABLE: Final = Coding("libx264", {**_CODING, "g": "10", "forced-idr": "1"})
"""The same with a key frame every ten frames, so that single frames of a long video are soon found."""


def encode_video(frames: Frames, fps: int) -> bytes:
    """The MP4 of (n, H, W, 3) uint8 sRGB frames at so many a second; equal frames give equal bytes.

    Raises:
        ValueError: no frames, or frames of another kind; H and W must be even.
    """
    if frames.ndim != 4 or frames.shape[3] != 3 or frames.dtype != np.uint8 or frames.shape[0] == 0:
        raise ValueError(f"a video is (n, H, W, 3) uint8 with n > 0, got {frames.shape} {frames.dtype}")
    height, width = frames.shape[1:3]
    if height % 2 or width % 2:
        raise ValueError(f"a video has even width and height, got {width}x{height}")
    encoder = VideoEncoder(width, height, fps)
    for picture in frames:
        encoder.add(picture)
    return encoder.finish()


def decode_video(data: bytes, name: str = "the video") -> Frames:
    """(n, H, W, 3) uint8 sRGB frames of an H.264 video in an MP4 file.

    Raises:
        ReleaseError: not such a video, too large, or broken; the sentence calls it ``name``.
    """
    if len(data) > MOST_BYTES:
        raise ReleaseError(f"{name} has {len(data):,} bytes, expected at most {MOST_BYTES:,}: do not use this shard")
    try:
        frames = list(_decoded(data, name))
    except (av.error.FFmpegError, ValueError, IndexError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ReleaseError(f"{name} cannot be decoded ({why}): fetch or build the shard again") from None
    if not frames:
        raise ReleaseError(f"{name} holds no frames, expected some: build the shard again")
    return np.stack(frames)


def _decoded(data: bytes, name: str) -> Iterator[Frames]:
    """Frame by frame, each (H, W, 3)."""
    with av.open(io.BytesIO(data), "r", format="mp4") as file:
        streams = file.streams.video
        codec: VideoCodecContext | None = streams[0].codec_context if len(streams) == 1 else None
        if codec is None or codec.name != "h264":
            raise ReleaseError(f"{name} is not one H.264 stream in an MP4 file: build the shard again")
        codec.thread_type = "NONE"
        size = codec.width, codec.height
        most = min(MOST_FRAMES, MOST_PIXELS // max(1, size[0] * size[1]))
        for number, frame in enumerate(file.decode(streams[0])):
            if number >= most:
                raise ReleaseError(f"{name} has over {most:,} frames of {size[0]}x{size[1]}: do not use this shard")
            if (frame.width, frame.height) != size or frame.format.name != "yuv420p" or size[0] % 2 or size[1] % 2:
                raise ReleaseError(f"{name} has frames that differ in kind, expected 4:2:0: build the shard again")
            yield _colours(np.asarray(frame.to_ndarray(), dtype=np.uint8), size[1], size[0])


def _planes(picture: Frames) -> Frames:
    """(3 H / 2, W) of an (H, W, 3) picture: Y', then Cb and Cr of half the size, each of four pixels' mean."""
    height, width = picture.shape[:2]
    rgb = picture.astype(np.int32)
    light = (rgb[..., 0] * _Y[0] + rgb[..., 1] * _Y[1] + rgb[..., 2] * _Y[2] + _HALF) // 65536 + 16
    four = rgb[0::2, 0::2] + rgb[0::2, 1::2] + rgb[1::2, 0::2] + rgb[1::2, 1::2]
    chroma = [
        (four[..., 0] * part[0] + four[..., 1] * part[1] + four[..., 2] * part[2] + 4 * _HALF) // (4 * 65536) + 128
        for part in (_CB, _CR)
    ]
    planes = np.concatenate([light.ravel(), *(part.ravel() for part in chroma)])
    return planes.astype(np.uint8).reshape(height * 3 // 2, width)


def _colours(planes: Frames, height: int, width: int) -> Frames:
    """(H, W, 3) uint8 sRGB of :func:`_planes`; four pixels share a chroma."""
    flat = planes.ravel().astype(np.int32)
    whole, quarter = height * width, height * width // 4
    light = (flat[:whole].reshape(height, width) - 16) * _LIGHT + _HALF
    cb, cr = (
        (flat[start : start + quarter].reshape(height // 2, width // 2) - 128).repeat(2, axis=0).repeat(2, axis=1)
        for start in (whole, whole + quarter)
    )
    rgb = np.stack([light + cr * _RED, light + cb * _GREEN[0] + cr * _GREEN[1], light + cb * _BLUE], axis=-1)
    colours: Frames = np.clip(rgb // 65536, 0, 255).astype(np.uint8)
    return colours


@final
class VideoEncoder:
    """A video that is written picture by picture; see the module for what its bytes depend on.

    Args:
        width, height: even, pixels.
        fps: frames a second.
        coding: codec and options; the module's promises hold for the module's own.
    """

    def __init__(self, width: int, height: int, fps: int, coding: Coding = NEAR_LOSSLESS) -> None:
        self._file = io.BytesIO()
        self._out = av.open(self._file, "w", format="mp4", options={"fflags": "+bitexact"})
        stream = self._out.add_stream(coding.codec, rate=fps, options=dict(coding.options))
        if not isinstance(stream, VideoStream):
            raise ValueError(f"{coding.codec} is no video codec")
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.color_range = ColorRange.MPEG
        stream.codec_context.colorspace = Colorspace.SMPTE170M
        self._stream, self._size = stream, (height, width, 3)
        self.frames = 0

    def add(self, picture: Frames, key: bool = False) -> None:
        """Append an (H, W, 3) uint8 sRGB picture, as a key frame if it is to be found fast.

        Raises:
            ValueError: a picture of another size or kind.
        """
        if picture.shape != self._size or picture.dtype != np.uint8:
            raise ValueError(f"a frame is {self._size} uint8, got {picture.shape} {picture.dtype}")
        frame = VideoFrame.from_ndarray(_planes(picture), format="yuv420p")
        frame.pts = self.frames
        frame.color_range, frame.colorspace = ColorRange.MPEG, Colorspace.SMPTE170M
        if key:
            frame.pict_type = PictureType.I
        self._out.mux(self._stream.encode(frame))
        self.frames += 1

    def finish(self) -> bytes:
        """The MP4 file; nothing can be appended after it."""
        self._out.mux(self._stream.encode(None))
        self._out.close()
        return self._file.getvalue()
