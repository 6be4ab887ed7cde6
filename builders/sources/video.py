"""Frames of foreign video files, addressed by integer index (PyAV).

A frame's index is ``round((pts * time_base - start) * fps)``; files may hold several episodes, each from a second of
its own. Only codecs are decoded whose standards prescribe every bit, so that the same file gives the same pictures on
every CPU, and the two that OpenCV writes unasked, MPEG-4 part 2 and Motion JPEG, by the one transform of FFmpeg's that
is the same everywhere. The container is told by its first bytes and never guessed by FFmpeg: a playlist that calls
itself .mp4 must not make it open other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from .colours import ColourError, picture_of
from .inside import printable
from .recorded import EpisodeError, Picture

MOST_BYTES: Final = 1 << 34
"""A larger file is refused before it is opened."""
MOST_PIXELS: Final = 4096 * 4096
"""Of one frame."""
MOST_DECODED: Final = 1 << 20
"""Frames decoded for one request at most."""
CODECS: Final = ("h264", "hevc", "av1", "vp8", "vp9", "mpeg4", "mjpeg")
_PLAIN: Final = {"idct": "simple", "flags": "+bitexact"}
_OPTIONS: Final = {"mpeg4": _PLAIN, "mjpeg": _PLAIN}
"""Of decoders that give other bits on other CPUs without them."""
_NEAR: Final = 32
"""Frames farther than this are sought, nearer ones decoded on to."""
_BACK: Final = (0.0, 2.0, 30.0)
"""Seconds before a frame at which seeking for it starts, where nearer seeking ended behind it."""


@dataclass(frozen=True)
class VideoFacts:
    """What a video file says of itself.

    Attributes:
        width, height: pixels.
        fps: frames a second on average; 0 where it does not say.
        frames: how many it holds; 0 where it does not say.
        start: seconds at which its first frame is shown.
    """

    width: int
    height: int
    fps: float
    frames: int
    start: float


def video_facts(path: Path) -> VideoFacts:
    """What a video file says of itself, without decoding.

    Raises:
        EpisodeError: not a video that is read; see :func:`read_frames`.
    """
    with _open(path) as container:
        stream = _stream(path, container)
        rate, base = stream.average_rate, stream.time_base
        start = float(stream.start_time * base) if stream.start_time is not None and base is not None else 0.0
        size = stream.codec_context.width, stream.codec_context.height
        return VideoFacts(*size, float(rate) if rate else 0.0, max(0, stream.frames), start)


def count_frames(path: Path) -> int:
    """How many frames a video holds, by its packets, where its head does not say; raises like :func:`video_facts`."""
    with _open(path) as container:
        stream = _stream(path, container)
        try:
            return sum(int(packet.size > 0) for packet in container.demux(stream))
        except (av.error.FFmpegError, ValueError) as error:
            raise _broken(path, error) from None


def read_frames(path: Path, indices: Sequence[int], fps: float, start: float = 0.0) -> list[Picture]:
    """Frames of a video by index, in the order asked for; each is decoded once.

    Args:
        path: the file; a link is followed, so the caller has seen to it that it stays inside its root.
        indices: counted from ``start``; 0 or more.
        fps: frames a second.
        start: second of the file at which frame 0 is shown.

    Raises:
        EpisodeError: the file is missing, too large, not a video, of a codec that is not decoded, broken, its frames
            are not in ascending order of time, or one of the indices is not in it.
    """
    wanted = sorted(set(indices))
    found: dict[int, Picture] = {}
    with _open(path) as container:
        stream = _stream(path, container)
        try:
            found.update(_found(path, container, stream, wanted, fps, start))
        except ColourError as error:
            raise EpisodeError(
                f"{path}: has {error}, expected 8-bit or 10-bit Y'CbCr; convert the video, or leave it out.",
                "pixel format not read",
            ) from None
        except (av.error.FFmpegError, ValueError, IndexError, MemoryError) as error:
            raise _broken(path, error) from None
    return [found[index] for index in indices]


def _found(
    path: Path, container: InputContainer, stream: VideoStream, wanted: Sequence[int], fps: float, start: float
) -> Iterator[tuple[int, Picture]]:
    """The wanted frames, ascending."""
    budget = MOST_DECODED
    frames: Iterator[tuple[int, VideoFrame]] = iter(())
    at = -(1 << 62)
    for index in wanted:
        if not at < index <= at + _NEAR:
            frames = _sought(path, container, stream, index, fps, start)
        frame = None
        for number, candidate in frames:
            budget -= 1
            if number >= index or budget <= 0:
                frame, at = candidate, number
                break
        if frame is None or at != index:
            raise EpisodeError(
                f"{path}: has no frame {index} (at {start + index / fps:.3f} s), expected one by the dataset's tables; "
                "fetch the file again, or leave the episode out.",
                "video shorter than stated",
            )
        yield index, picture_of(frame)


def _sought(
    path: Path, container: InputContainer, stream: VideoStream, index: int, fps: float, start: float
) -> Iterator[tuple[int, VideoFrame]]:
    """Decoded frames from one at or before an index on, numbered."""
    base = stream.time_base
    if base is None:
        raise _broken(path, "no time base")
    first: tuple[int, VideoFrame] | None = None
    rest: Iterator[tuple[int, VideoFrame]] = iter(())
    for back in (*_BACK, None):
        second = 0.0 if back is None else start + (index + 0.25) / fps - back
        container.seek(int(max(second, 0.0) / float(base)), stream=stream, backward=True)
        rest = _numbered(path, container, stream, float(base), fps, start)
        first = next(rest, None)
        if first is not None and first[0] <= index:
            break
    if first is not None:
        yield first
    yield from rest


def _numbered(
    path: Path, container: InputContainer, stream: VideoStream, base: float, fps: float, start: float
) -> Iterator[tuple[int, VideoFrame]]:
    """Frames from where the container stands, with their indices."""
    last = None
    size = stream.codec_context.width, stream.codec_context.height
    for frame in container.decode(stream):
        if frame.pts is None or (last is not None and frame.pts <= last):
            raise EpisodeError(
                f"{path}: a frame at {frame.pts} comes after one at {last}, expected ascending times; fetch it again.",
                "video times not ascending",
            )
        if (frame.width, frame.height) != size or frame.is_corrupt:
            raise _broken(path, "a frame is damaged or of another size")
        last = frame.pts
        yield round((frame.pts * base - start) * fps), frame


def _open(path: Path) -> InputContainer:
    """The container, of the kind that its first bytes tell."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise EpisodeError(
            f"{path}: no such video ({error.strerror}); fetch it, or leave the episode out.", "video missing"
        ) from None
    if size > MOST_BYTES:
        raise EpisodeError(f"{path}: {size:,} bytes, expected at most {MOST_BYTES:,}; split it.", "video too large")
    kind = _kind(head)
    if kind is None:
        raise EpisodeError(
            f"{path}: not an MP4, Matroska, WebM or AVI file by its first bytes; fetch it again.", "not a video"
        )
    try:
        return av.open(str(path), "r", format=kind)
    except (av.error.FFmpegError, ValueError, OSError) as error:
        raise _broken(path, error) from None


def _kind(head: bytes) -> str | None:
    """FFmpeg's name of a container."""
    if head[4:8] == b"ftyp":
        return "mp4"
    if head[:4] == b"\x1aE\xdf\xa3":
        return "matroska"
    return "avi" if head[:4] == b"RIFF" and head[8:12] == b"AVI " else None


def _stream(path: Path, container: InputContainer) -> VideoStream:
    """The only video stream, ready to be decoded by one thread."""
    streams = container.streams.video
    if len(streams) != 1:
        raise EpisodeError(f"{path}: {len(streams)} video streams, expected one; fetch it again.", "not one stream")
    stream = streams[0]
    codec = _codec(stream)
    if codec not in CODECS:
        raise EpisodeError(
            f"{path}: its codec {codec} is not decoded, expected {', '.join(CODECS)}; convert it.", "codec not decoded"
        )
    context = stream.codec_context
    if not 0 < context.width * context.height <= MOST_PIXELS:
        raise EpisodeError(
            f"{path}: frames of {context.width}x{context.height} pixels, expected at most {MOST_PIXELS:,}; convert it.",
            "frames too large",
        )
    context.thread_type = "NONE"
    context.thread_count = 1
    context.options = dict(_OPTIONS.get(codec, {}))
    return stream


def _codec(stream: VideoStream) -> str:
    """The codec's name in its standard, ``unknown`` where nothing here decodes it."""
    try:
        return str(stream.codec_context.codec.canonical_name)
    except (AttributeError, ValueError):
        return "unknown"


def _broken(path: Path, why: Exception | str) -> EpisodeError:
    text = printable(why) or type(why).__name__
    return EpisodeError(f"{path}: cannot be decoded ({text}); fetch it again, or leave it out.", "video broken")
