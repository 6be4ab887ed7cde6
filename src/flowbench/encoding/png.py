"""PNG bytes: the one place that writes and reads them.

Written through OpenCV with the Paeth row filter and zlib's run-length strategy. That the bytes are the same everywhere
depends on the strategy: OpenCV's wheel brings libpng but takes ``libz.so.1`` from the system, which is classic zlib on
some distributions and zlib-ng on others. Their default matchers differ; run-length coding gives the same stream from
both, costs no size on rendered pictures and little time (docs/benchmarks.md, "PNG").

Read through OpenCV after a walk over the chunks (security.md): sizes, layout and checksums are checked before
anything is decoded, and only the header and the pixel chunks reach the decoder, so that no colour profile,
transparency or animation chunk can change what comes out.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from ..errors import ReleaseError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_SIDE = 16_384
MAX_PIXELS = 1 << 26
MAX_BYTES = 1 << 29

_GRAY, _RGB = 0, 2
_COLOUR_NAMES = {0: "gray", 2: "RGB", 3: "palette", 4: "gray with alpha", 6: "RGB with alpha"}


_WRITING = (
    cv2.IMWRITE_PNG_STRATEGY,
    cv2.IMWRITE_PNG_STRATEGY_RLE,
    cv2.IMWRITE_PNG_FILTER,
    cv2.IMWRITE_PNG_FILTER_PAETH,
)


@dataclass(frozen=True)
class Header:
    """What a PNG says of itself before its pixels.

    Attributes:
        width: pixels.
        height: pixels.
        bit_depth: bits a sample.
        colour_type: 0 gray, 2 RGB; others are never written here.
    """

    width: int
    height: int
    bit_depth: int
    colour_type: int


def write(samples: NDArray[Any]) -> bytes:
    """The PNG of ``samples``: (H, W) for gray or (H, W, 3) in *RGB* order, uint8 or uint16."""
    if samples.size == 0:
        raise ValueError(f"an image of shape {samples.shape} has no pixels: give at least one row and column")
    ordered = cv2.cvtColor(samples, cv2.COLOR_RGB2BGR) if samples.ndim == 3 else np.ascontiguousarray(samples)
    done, data = cv2.imencode(".png", ordered, _WRITING)
    if not done:
        raise ValueError(f"OpenCV could not write an image of shape {samples.shape} and type {samples.dtype} as PNG")
    return data.tobytes()


def read_gray16(data: bytes, name: str) -> NDArray[np.uint16]:
    """(H, W) uint16 of a 16-bit gray PNG; anything else is a :class:`ReleaseError` that calls it ``name``."""
    return _read(data, name, bit_depth=16, colour_type=_GRAY)


def read_rgb8(data: bytes, name: str) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 of an 8-bit RGB PNG; anything else is a :class:`ReleaseError` that calls it ``name``."""
    return _read(data, name, bit_depth=8, colour_type=_RGB)


def read_rgb16(data: bytes, name: str) -> NDArray[np.uint16]:
    """(H, W, 3) uint16 of a 16-bit RGB PNG; anything else is a :class:`ReleaseError` that calls it ``name``."""
    return _read(data, name, bit_depth=16, colour_type=_RGB)


def read_header(data: bytes, name: str) -> Header:
    """The header of a PNG within our limits; nothing is decoded."""
    if len(data) > MAX_BYTES:
        raise ReleaseError(f"{name} has {len(data):,} bytes, expected at most {MAX_BYTES:,}: do not use this file")
    if data[:8] != SIGNATURE or data[8:16] != b"\x00\x00\x00\rIHDR" or len(data) < 33:
        raise ReleaseError(f"{name} does not begin like a PNG: fetch or build the shard again")
    width, height, bit_depth, colour_type, compression, filtering, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and width * height <= MAX_PIXELS):
        raise ReleaseError(
            f"{name} says it is {width}x{height} pixels, expected 1 to {MAX_SIDE} a side and at most "
            f"{MAX_PIXELS:,} in all: do not use this file"
        )
    if (compression, filtering, interlace) != (0, 0, 0):
        raise ReleaseError(f"{name} is an interlaced or non-standard PNG, expected a plain one: build the shard again")
    return Header(width, height, bit_depth, colour_type)


def _read(data: bytes, name: str, *, bit_depth: int, colour_type: int) -> NDArray[Any]:
    header = read_header(data, name)
    if (header.bit_depth, header.colour_type) != (bit_depth, colour_type):
        found = f"{header.bit_depth}-bit {_COLOUR_NAMES.get(header.colour_type, 'unknown')}"
        expected = f"{bit_depth}-bit {_COLOUR_NAMES[colour_type]}"
        raise ReleaseError(f"{name} is a {found} PNG, expected {expected}: build the shard again")
    samples = cv2.imdecode(np.frombuffer(_pixels_only(data, name), np.uint8), cv2.IMREAD_UNCHANGED)
    shape = (header.height, header.width) + ((3,) if colour_type == _RGB else ())
    if samples is None or samples.shape != shape or samples.dtype.itemsize * 8 != bit_depth:
        raise ReleaseError(
            f"{name} cannot be decoded to its stated {header.width}x{header.height} pixels: it is broken"
        )
    return cv2.cvtColor(samples, cv2.COLOR_BGR2RGB) if colour_type == _RGB else samples


def _pixels_only(data: bytes, name: str) -> bytes:
    """The PNG without any chunk but IHDR, IDAT and IEND; the very same bytes, not copied, if it has no other."""
    chunks = list(_chunks(data, name))
    kept = [place for kind, place in chunks if kind in (b"IHDR", b"IDAT", b"IEND")]
    return data if len(kept) == len(chunks) else b"".join([SIGNATURE, *(data[place] for place in kept)])


def _chunks(data: bytes, name: str) -> Iterator[tuple[bytes, slice]]:
    """Kind and place of every chunk to the end, its checksum verified on the way."""
    view = memoryview(data)
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        length = int.from_bytes(view[at : at + 4], "big")
        end = at + 12 + length
        if end > len(data):
            break
        if zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(view[end - 4 : end], "big"):
            raise ReleaseError(f"{name} has a PNG chunk with a wrong checksum: fetch or build the shard again")
        kind = bytes(view[at + 4 : at + 8])
        yield kind, slice(at, end)
        if kind == b"IEND":
            if end != len(data):
                raise ReleaseError(f"{name} has {len(data) - end:,} bytes after the PNG's end: build the shard again")
            return
        at = end
    raise ReleaseError(f"{name} is a truncated PNG: fetch or build the shard again")
