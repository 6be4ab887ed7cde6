"""Files hold their pixels and nothing else: pictures are encoded one way, videos have the encoder's boxes alone."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from flowbench.encoding import encode_depth, encode_flow, encode_ids, encode_rgb
from flowbench.encoding.video import encode_video
from flowbench.validation.written import again, check_mp4, check_png, stored

RNG = np.random.default_rng(7)
PICTURE: NDArray[np.uint8] = RNG.integers(0, 255, (24, 32, 3)).astype(np.uint8)
VIDEO = encode_video(np.stack([PICTURE] * 3), 25)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png_rules(data: bytes) -> list[str]:
    return [each.rule for each in check_png("a.png", data, stored(data, "a.png"))]


@pytest.mark.parametrize(
    "data",
    [
        encode_rgb(PICTURE),
        encode_ids(PICTURE[..., 0].astype(np.uint16)),
        encode_depth(PICTURE[..., 0].astype(np.float32) / 8.0),
        encode_flow(PICTURE[..., :2].astype(np.float32), PICTURE[..., 0] > 9),
    ],
)
def test_pictures_of_our_encoders_pass(data: bytes) -> None:
    assert png_rules(data) == []


@pytest.mark.parametrize("kind", [b"tEXt", b"eXIf", b"tIME", b"PLTE", b"zzZz"])
def test_another_chunk_is_found(kind: bytes) -> None:
    data = encode_rgb(PICTURE)
    content = b"\x00\x00\x00" if kind == b"PLTE" else b"Comment\x00answer"
    for place in (33, len(data) - 12):  # after the header, and before the end
        assert png_rules(data[:place] + chunk(kind, content) + data[place:]) == ["chunks of a picture"]


@pytest.mark.parametrize("level", [0, 1, 9])
def test_another_packing_is_found(level: int) -> None:
    bgr = cv2.cvtColor(PICTURE, cv2.COLOR_RGB2BGR)
    data = cv2.imencode(".png", bgr, (cv2.IMWRITE_PNG_COMPRESSION, level))[1].tobytes()
    assert np.array_equal(stored(data, "a.png"), PICTURE)
    assert png_rules(data) == ["encoding of a picture"]
    assert [*check_png("a.png", data, None)] == []  # where it is not this sample's turn


def test_one_sample_in_some_is_encoded_again() -> None:
    keys = [f"home-{number}" for number in range(800)]
    assert 10 <= sum(again(key, every=False) for key in keys) <= 45
    assert all(again(key, every=True) for key in keys)


def mp4_rules(data: bytes) -> set[str]:
    return {each.rule for each in check_mp4("video.mp4", data)}


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", 8 + len(content), kind) + content


def test_videos_of_our_encoder_pass() -> None:
    assert mp4_rules(VIDEO) == set()


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda data: data + box(b"uuid", b"B"), "boxes of a video"),
        (lambda data: data + box(b"free", b"B"), "boxes of a video"),
        (lambda data: data + b"B", "boxes of a video"),
        (lambda data: data.replace(b"VideoHandler", b"It is the B."), "names of a video"),
        (lambda data: data.replace(b"mvhd\0\0\0\0\0\0\0\0", b"mvhd\0\0\0\0\0\0\0\2"), "times of a video"),
        (lambda data: data.replace(b"keyint_min=", b"answer=B!!="), "units of a video"),
        (lambda data: data + box(b"mdat", b"\0\0\0\2\x06B"), "units of a video"),
        (lambda data: data + box(b"mdat", b"B"), "units of a video"),
        (lambda data: data.replace(b"udta", b"skip"), "boxes of a video"),
    ],
)
def test_what_lies_beside_a_video_is_found(change: Callable[[bytes], bytes], rule: str) -> None:
    changed = change(VIDEO)
    assert changed != VIDEO
    assert mp4_rules(changed) == {rule}
