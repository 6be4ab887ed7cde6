"""Pictures and masks that no builder wrote: decoded to what they state, or refused in one sentence."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from support.fuzzing import MEGABYTE, changed_bytes, examine, memory_limited
from support.synthetic import HEIGHT, WIDTH, depth_map, flow_map, instance_ids, picture

from flowbench.encoding import (
    decode_depth,
    decode_flow,
    decode_ids,
    decode_rgb,
    decode_rle,
    encode_depth,
    encode_flow,
    encode_ids,
    encode_mask,
    encode_rgb,
)
from flowbench.encoding.png import MAX_PIXELS, SIGNATURE
from flowbench.errors import ReleaseError

IDS = instance_ids(0)
RGB = encode_rgb(picture(IDS, 0))
KINDS: dict[str, tuple[bytes, Callable[[bytes], Any]]] = {
    "rgb8": (RGB, decode_rgb),
    "gray16 depth": (encode_depth(depth_map(IDS)), decode_depth),
    "gray16 ids": (encode_ids(IDS), decode_ids),
    "rgb16 flow": (encode_flow(flow_map(), IDS > 0), lambda data: decode_flow(data)[0]),
}
Chunk = tuple[bytes, bytes]


def chunks_of(data: bytes) -> list[Chunk]:
    """(kind, content) of every chunk."""
    found, at = [], len(SIGNATURE)
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def png_of(chunks: Sequence[Chunk]) -> bytes:
    """The PNG of chunks, with right lengths and checksums."""
    parts = [
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big") for kind, data in chunks
    ]
    return SIGNATURE + b"".join(parts)


def changed_png(rng: Random, data: bytes) -> bytes:
    """A PNG changed inside its chunks, their checksums made right again; or as bytes, checksums and all."""
    if rng.random() < 0.2:
        return changed_bytes(rng, data)
    chunks = chunks_of(data)
    number = rng.randrange(len(chunks))
    kind, content = chunks[number]
    what = rng.choice(["header", "header", "pixels", "pixels", "stream", "delete", "double", "kind", "add", "content"])
    if what == "header":
        fields = list(struct.unpack(">IIBBBBB", chunks[0][1]))
        fields[rng.randrange(7)] = rng.choice([0, 1, 2, 3, 4, 6, 8, 15, 16, 33, 255])
        fields[rng.randrange(2)] = rng.choice([1, 7, 24, 32, 16_384, 8_192, 2**31 - 1, 2**32 - 1])
        chunks[0] = kind if rng.random() < 0.05 else b"IHDR", struct.pack(">IIBBBBB", *fields)
    elif what == "pixels":  # filter bytes and samples, packed again
        raw = zlib.decompress(b"".join(part for name, part in chunks if name == b"IDAT"))
        chunks = [chunks[0], (b"IDAT", zlib.compress(changed_bytes(rng, raw))), (b"IEND", b"")]
    elif what == "stream":
        chunks = [(name, changed_bytes(rng, part) if name == b"IDAT" else part) for name, part in chunks]
    elif what == "delete":
        del chunks[number]
    elif what == "double":
        chunks.insert(number, chunks[number])
    elif what == "kind":
        chunks[number] = rng.choice([b"iDAT", b"PLTE", b"tRNS", b"acTL", b"fdAT", b"\0\0\0\0", b"IEND"]), content
    elif what == "add":
        extra = rng.choice([(b"tRNS", bytes(6)), (b"gAMA", b"\0\1\0\0"), (b"acTL", bytes(8)), (b"PLTE", bytes(9)),
                            (b"iCCP", b"x\0\0" + zlib.compress(bytes(10**6))), (b"eXIf", b"II*\0")])  # fmt: skip
        chunks.insert(rng.randrange(len(chunks) + 1), extra)
    else:
        chunks[number] = kind, changed_bytes(rng, content)
    return png_of(chunks)


@pytest.mark.parametrize("name", KINDS)
def test_pictures(name: str) -> None:
    valid, decode = KINDS[name]
    assert png_of(chunks_of(valid)) == valid
    expected = decode(valid)
    different = []

    def read(data: bytes) -> None:
        pixels = decode(data)
        width, height = struct.unpack(">II", data[16:24])
        assert pixels.shape[:2] == (height, width)
        assert pixels.dtype == expected.dtype
        different.append(pixels.shape != expected.shape or not np.array_equal(pixels, expected))

    with memory_limited(200 * MEGABYTE):
        judge = examine(lambda rng: changed_png(rng, valid), read, 150, ReleaseError)
    assert sum(different) > 5, "no change reached the pixels"
    assert len(judge.reasons) >= 6


@pytest.mark.parametrize("name", KINDS)
def test_every_shorter_picture_is_refused(name: str) -> None:
    valid, decode = KINDS[name]
    for end in range(len(valid)):
        with pytest.raises(ReleaseError):
            decode(valid[:end])


@pytest.mark.parametrize("name", KINDS)
def test_a_few_bytes_cannot_ask_for_much_memory(name: str) -> None:
    """A header may state 64 million pixels; room for them is made when their bytes can be there."""
    valid, decode = KINDS[name]
    header, *others = chunks_of(valid)
    side = int(MAX_PIXELS**0.5)
    huge = png_of([(b"IHDR", struct.pack(">II", side, side) + header[1][8:]), *others])
    with memory_limited(20 * MEGABYTE), pytest.raises(ReleaseError, match="pixels"):
        decode(huge)


def counts_of(runs: Sequence[int]) -> str:
    """COCO's compressed text of any run lengths, impossible ones too."""
    text = ""
    for number, run in enumerate(runs):
        value, more = run - (runs[number - 2] if number > 2 else 0), True
        while more:
            low, value = value & 0x1F, value >> 5
            more = value != (-1 if low & 0x10 else 0)
            text += chr(low + (0x20 if more else 0) + 48)
    return text


def changed_rle(rng: Random, runs: Sequence[int]) -> tuple[str, Any]:
    """Counts of other runs, with changed characters, of another length, or with another size."""
    size: list[Any] = [HEIGHT, WIDTH]
    what = rng.choice(["moved", "moved", "lie", "text", "letters", "size", "long"])
    changed = list(runs)
    if what == "moved":  # still as many pixels
        one, other = rng.randrange(len(runs)), rng.randrange(len(runs))
        step = rng.choice([1, 3, 1_000])
        changed[one], changed[other] = changed[one] - step, changed[other] + step
    elif what == "lie":
        changed[rng.randrange(len(runs))] = rng.choice([-1, 0, 2**29, -(2**29), 2**40, -(2**70)])
    text = counts_of(changed)
    if what == "text":
        text = changed_bytes(rng, text.encode()).decode("latin-1")
    elif what == "letters":
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice("0PoO_~\x7fé\ud800 ?") * rng.randint(1, 9) + text[at + 1 :]
    elif what == "long":
        text += rng.choice("0ooP1") * rng.choice([1, 5, 10_000])
    elif what == "size":
        size[rng.randrange(2)] = rng.choice([0, -1, 1, HEIGHT * WIDTH, 16_384, 2**31, 10**30])
        size = rng.choice([size, size[::-1], size[:1], [], [*size, 1]])
    return text, size


def test_masks() -> None:
    mask = IDS == 2
    edges = np.flatnonzero(np.diff(mask.ravel(order="F"), prepend=False, append=False))
    runs = np.diff(edges, prepend=0, append=mask.size).tolist()
    assert counts_of(runs) == encode_mask(mask).counts
    different = []

    def read(rle: tuple[str, Any]) -> None:
        found = decode_rle(*rle)
        assert found.dtype == np.bool_
        assert found.shape == tuple(rle[1])
        assert rle[0].isascii()
        different.append(found.shape != mask.shape or not np.array_equal(found, mask))

    with memory_limited(200 * MEGABYTE):
        judge = examine(lambda rng: changed_rle(rng, runs), read, 250, ReleaseError)
    assert len(judge.reasons) >= 3
    assert sum(different) > 20, "no change reached the mask"


def test_letters_beyond_ascii_are_no_counts() -> None:
    """They are not read as the question mark that stands for them elsewhere."""
    counts = encode_mask(np.eye(40, dtype=np.bool_)).counts.replace("P", "?", 1)
    for letter in ("é", "\ud800", "\U0001f600"):
        with pytest.raises(ReleaseError, match="not COCO's"):
            decode_rle(counts + letter, (40, 40))
