"""Pictures and videos as bytes: nothing lies in a file beside its pixels, so that no file tells more than it shows.

A PNG has the chunks that :mod:`flowbench.encoding.png` writes, and its pixels encoded again are the very same bytes: a
text chunk, or one candidate that is packed otherwise than the rest, would tell it from the others. A video is encoded
with loss, so that its bytes cannot be had again; its boxes, times, names and units are those of our encoder.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from numpy.typing import NDArray

from flowbench.encoding import png

from .recompute.rules import Finding

CHUNKS: Final = ("IHDR", "IDAT", "IEND")
ONE_IN: Final = 32
"""Where a shard's samples are many and large, the pictures of one in so many are encoded again; chunks of all."""
_READERS: Final[Mapping[tuple[int, int], Callable[[bytes, str], NDArray[Any]]]] = {
    (8, 2): png.read_rgb8,
    (16, 0): png.read_gray16,
}
"""Bits and colour type -> what decodes such a PNG; :func:`~flowbench.encoding.png.read_rgb16` the others."""
_NESTS: Final = {
    b"moov": 0,
    b"trak": 0,
    b"edts": 0,
    b"mdia": 0,
    b"minf": 0,
    b"dinf": 0,
    b"stbl": 0,
    b"udta": 0,
    b"meta": 4,
}
"""Boxes that hold boxes -> bytes before the first of them."""
_LARGEST: Final = {
    b"ftyp": 32,
    b"free": 8,
    b"mvhd": 108,
    b"tkhd": 92,
    b"elst": 28,
    b"mdhd": 32,
    b"hdlr": 45,
    b"vmhd": 20,
    b"dref": 28,
    b"stsd": 200,
    b"stts": 32,
    b"stsc": 40,
    b"ilst": 8,
}
"""Boxes of our encoder -> bytes that they have at most; with more they hold something of somebody else."""
_GROWING: Final = (b"mdat", b"stss", b"stsz", b"stco")
"""Boxes that grow with the video."""
_DATED: Final = (b"mvhd", b"tkhd", b"mdhd")
_NAMES: Final = (b"VideoHandler\x00", b"\x00")
_SLICE, _KEY_SLICE, _INFORMATION = 1, 5, 6
_SETTINGS: Final = re.compile(
    rb"\x06\x05\xff*.\xdcE\xe9\xbd\xe6\xd9H\xb7\x96,\xd8 \xd9#\xee\xef"
    rb"x264 - core [0-9]+[ -~]{0,160} options:(?: [a-z0-9_-]+=[-0-9a-zx.:,]+)+\x00\x80",
    re.DOTALL,
)
"""The encoder's message: its mark, its version, its settings."""


def again(key: str, every: bool) -> bool:
    """Whether a sample's pictures are encoded again."""
    return every or zlib.crc32(key.encode()) % ONE_IN == 0


def check_png(name: str, data: bytes, pixels: NDArray[Any] | None) -> Iterator[Finding]:
    """Chunks of a PNG that has been decoded without an error, and its encoding.

    Args:
        name: of the member.
        data: its bytes.
        pixels: (H, W) or (H, W, 3) in RGB order as decoded; None where it is not encoded again.
    """
    chunks = [*_chunks(data)]
    plain = [*chunks[:1], *dict.fromkeys(chunks[1:-1]), *chunks[-1:]]
    if tuple(plain) != CHUNKS:
        found = f"{name} has {', '.join(dict.fromkeys(chunks))}"
        yield Finding("chunks of a picture", found, f"{', '.join(CHUNKS)} alone, in this order")
    elif pixels is not None and (again := png.write(pixels)) != data:
        found = f"{name} has {len(data):,} bytes for what takes {len(again):,}"
        yield Finding("encoding of a picture", found, "the bytes that encoding its pixels gives")


def stored(data: bytes, name: str) -> NDArray[Any]:
    """(H, W) or (H, W, 3) samples of a PNG of any of our layouts, as stored."""
    header = png.read_header(data, name)
    return _READERS.get((header.bit_depth, header.colour_type), png.read_rgb16)(data, name)


def _chunks(data: bytes) -> Iterator[str]:
    at = len(png.SIGNATURE)
    while at + 12 <= len(data):
        yield data[at + 4 : at + 8].decode("latin-1")
        at += 12 + int.from_bytes(data[at : at + 4], "big")


def check_mp4(name: str, data: bytes) -> Iterator[Finding]:
    """Boxes, times, names and units of an MP4 file that has been decoded without an error."""
    found = [*_boxes(data, 0, len(data))]
    strange = sorted({kind.decode("latin-1") for kind, _, _ in found if kind not in (*_NESTS, *_LARGEST, *_GROWING)})
    if strange:
        yield Finding("boxes of a video", f"{name} has {', '.join(strange)}", "those of the encoder alone")
    for kind, start, end in found:
        size = end - start + 8
        if size > _LARGEST.get(kind, size):
            text = f"{name} has {size} bytes in {kind.decode('latin-1')}"
            yield Finding("boxes of a video", text, f"at most {_LARGEST[kind]}, without tags")
        if kind in _DATED and any(data[start + 4 : start + 12]):
            yield Finding("times of a video", f"{name} has a date in {kind.decode('latin-1')}", "none")
        if kind == b"hdlr" and data[start + 24 : end] not in _NAMES:
            yield Finding("names of a video", f"{data[start + 24 : end][:40]!r}", "VideoHandler")
        if kind == b"mdat":
            yield from _units(name, data[start:end])


def _boxes(data: bytes, at: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Kind, start and end of the content of every box, those inside others too; bytes of none count as one, too."""
    while at < end:
        size, kind = struct.unpack(">I4s", data[at : at + 8]) if at + 8 <= end else (0, b"????")
        if size < 8 or at + size > end:
            yield b"????", at, end
            return
        yield kind, at + 8, at + size
        if kind in _NESTS:
            yield from _boxes(data, at + 8 + _NESTS[kind], at + size)
        at += size


def _units(name: str, data: bytes) -> Iterator[Finding]:
    """The media data are slices alone after one message, in which x264 tells its settings."""
    kinds, at = [], 0
    while at + 5 <= len(data):
        kinds.append(data[at + 4] & 31)
        end = at + 4 + int.from_bytes(data[at : at + 4], "big")
        if kinds[-1] == _INFORMATION and (len(kinds) > 1 or not _SETTINGS.fullmatch(data[at + 4 : end])):
            kinds[-1] = -1
        at = end
    strange = sorted(set(kinds) - {_SLICE, _KEY_SLICE, _INFORMATION})
    if strange or at != len(data):
        found = f"{name} has units of the kinds {strange}" if strange else f"{name} has {len(data) - at} odd bytes"
        yield Finding("units of a video", found, "slices alone after the encoder's first message")
