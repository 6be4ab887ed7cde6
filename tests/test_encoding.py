"""Every encoder against its decoder, and every decoder against hostile bytes."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib
from collections.abc import Callable

import cv2
import numpy as np
import PIL.features
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from pycocotools import mask as coco

from flowbench.encoding import (
    FlowRangeError,
    decode_depth,
    decode_depth_millimetres,
    decode_flow,
    decode_ids,
    decode_rgb,
    decode_rle,
    depth_to_millimetres,
    encode_depth,
    encode_flow,
    encode_ids,
    encode_instances,
    encode_mask,
    encode_rgb,
    png,
)
from flowbench.errors import ReleaseError

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning:pycocotools")
SIDES = st.tuples(st.integers(1, 23), st.integers(1, 23))


@st.composite
def images(draw: st.DrawFn, dtype: type, channels: int = 0, most: int | None = None) -> NDArray[np.generic]:
    """Images of odd sizes: noise, a constant (0 and the largest included), or a few values in flat areas."""
    height, width = draw(SIDES)
    shape = (height, width, channels) if channels else (height, width)
    most = np.iinfo(dtype).max if most is None else most
    values = draw(st.lists(st.integers(0, most), min_size=1, max_size=5))
    noise = draw(hnp.arrays(dtype, shape, elements=st.integers(0, most)))
    return noise if draw(st.booleans()) else np.array(values, dtype)[noise % len(values)]


@given(images(np.uint8, 3))
def test_rgb_comes_back(image: NDArray[np.uint8]) -> None:
    assert np.array_equal(decode_rgb(encode_rgb(image)), image)


@given(images(np.uint16))
def test_ids_come_back(ids: NDArray[np.uint16]) -> None:
    back = decode_ids(encode_ids(ids))
    assert back.dtype == np.uint16
    assert np.array_equal(back, ids)


@given(images(np.uint16))
def test_whole_millimetres_come_back_exactly(millimetres: NDArray[np.uint16]) -> None:
    metres = (millimetres / 1000.0).astype(np.float32)
    data = encode_depth(metres)
    assert np.array_equal(decode_depth_millimetres(data), millimetres)
    assert np.array_equal(decode_depth(data), metres)


@given(hnp.arrays(np.float32, SIDES, elements=st.floats(0.0009765625, 65.5, width=32) | st.just(0.0)))
def test_depth_is_within_half_a_millimetre_and_none_stays_none(depth: NDArray[np.float32]) -> None:
    back = decode_depth(encode_depth(depth))
    assert np.array_equal(back == 0, depth == 0)
    assert np.abs(back.astype(np.float64) - depth).max() <= 0.0005 + 4e-6


def test_depth_rounds_ties_to_even() -> None:
    depth = np.array([[0.5, 0.0625, 0.0635, 0.1875]])  # 62.5, 63.5 and 187.5 mm, the first and last exact in binary
    assert depth_to_millimetres(depth).tolist() == [[500, 62, 64, 188]]


@pytest.mark.parametrize("value", [65.536, 1e9, -0.001, np.nan, np.inf, 0.0004])
def test_depth_that_the_encoding_cannot_hold_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="depth"):
        encode_depth(np.array([[1.0, value]], np.float32))


def test_the_farthest_depth_is_held() -> None:
    assert decode_depth_millimetres(encode_depth(np.array([[65.535]], np.float32))).tolist() == [[65535]]


@given(images(np.uint16, 2), st.data())
def test_flow_comes_back_on_its_grid(codes: NDArray[np.uint16], data: st.DataObject) -> None:
    flow = (codes.astype(np.float64) - 32768.0) / 64.0
    valid = data.draw(hnp.arrays(np.bool_, codes.shape[:2]))
    nudged = flow + data.draw(st.floats(-0.0078, 0.0078))  # less than half a step
    back, back_valid = decode_flow(encode_flow(nudged, valid))
    assert np.array_equal(back_valid, valid)
    assert np.array_equal(back[valid], flow[valid].astype(np.float32))
    assert not back[~valid].any()


@pytest.mark.parametrize("value", [512.0, -512.01, 1e6, np.nan, np.inf])
def test_flow_out_of_range_is_an_error_where_valid_only(value: float) -> None:
    flow = np.array([[[0.0, value], [1.0, 2.0]]])
    with pytest.raises(FlowRangeError):
        encode_flow(flow, np.array([[True, True]]))
    back, _ = decode_flow(encode_flow(flow, np.array([[False, True]])))
    assert back.tolist() == [[[0.0, 0.0], [1.0, 2.0]]]


def test_flow_extremes_and_channel_order() -> None:
    flow = np.array([[[-512.0, 511.984375]]])
    data = encode_flow(flow, np.array([[True]]))
    assert decode_flow(data)[0].tolist() == flow.tolist()
    raw = zlib.decompress(_chunks(data)[b"IDAT"])
    assert raw[1:] == struct.pack(">HHH", 0, 65535, 1)  # R = u, G = v, B = valid: KITTI's order in the file itself


def test_flow_with_an_undefined_validity_is_refused() -> None:
    data = png.write(np.full((2, 2, 3), 2, np.uint16))
    with pytest.raises(ReleaseError, match="validity"):
        decode_flow(data)


@given(images(np.uint16))
@settings(max_examples=50)
def test_pillow_reads_what_we_write_and_we_what_it_writes(ids: NDArray[np.uint16]) -> None:
    seen = PIL.Image.open(io.BytesIO(encode_ids(ids)))
    assert seen.mode == "I;16"
    assert np.array_equal(np.asarray(seen), ids)
    assert np.array_equal(decode_ids(_pillow(ids)), ids)
    rgb = np.stack([ids % 251, ids % 7, ids % 256], axis=-1).astype(np.uint8)
    assert np.array_equal(np.asarray(PIL.Image.open(io.BytesIO(encode_rgb(rgb)))), rgb)
    assert np.array_equal(decode_rgb(_pillow(rgb)), rgb)


def test_the_zlib_stream_is_the_run_length_one() -> None:
    """What makes the bytes independent of the system's zlib; see docs/benchmarks.md."""
    image = np.random.default_rng(0).integers(0, 9, (40, 50, 3), dtype=np.uint8)
    stream = _chunks(encode_rgb(image))[b"IDAT"]
    coder = zlib.compressobj(1, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
    again = coder.compress(zlib.decompress(stream)) + coder.flush()
    assert again[2:] == stream[2:]  # past the two bytes that state the window


@pytest.mark.skipif(not PIL.features.check_feature("zlib_ng"), reason="this Pillow carries classic zlib")
@pytest.mark.parametrize("kind", ["noise", "flat", "sparse"])
def test_run_length_streams_are_the_same_from_zlib_and_zlib_ng(kind: str) -> None:
    """Pillow's wheel brings zlib-ng, Python is linked to the system's zlib: two implementations, one stream."""
    rng = np.random.default_rng(0)
    noise = np.rint(rng.uniform(-9, 9, (300, 400, 3))).astype(np.int8).view(np.uint8)
    flat = np.repeat(rng.integers(0, 256, (300, 40, 3), dtype=np.uint8), 10, axis=1)
    image = {"noise": noise, "flat": flat, "sparse": np.where(rng.random(noise.shape) < 0.01, noise, 0)}[kind]
    buffer = io.BytesIO()
    PIL.Image.fromarray(image.astype(np.uint8)).save(buffer, "png", compress_type=zlib.Z_RLE)
    stream = _chunks(buffer.getvalue())[b"IDAT"]
    coder = zlib.compressobj(6, zlib.DEFLATED, 15, 9, zlib.Z_RLE)
    assert coder.compress(zlib.decompress(stream)) + coder.flush() == stream


@given(hnp.arrays(np.bool_, SIDES))
def test_masks_come_back_and_agree_with_coco(mask: NDArray[np.bool_]) -> None:
    region = encode_mask(mask)
    assert np.array_equal(decode_rle(region.counts, region.size), mask)
    assert np.array_equal(coco.decode({"size": region.size, "counts": region.counts}), mask)
    assert region.area == mask.sum()
    if mask.any():
        rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
        expected = [columns[0], rows[0], columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1]
        assert region.bbox == expected


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 17), (17, 1), (600, 800)])
def test_empty_and_full_masks(value: bool, shape: tuple[int, int]) -> None:
    region = encode_mask(np.full(shape, value))
    assert np.array_equal(decode_rle(region.counts, region.size), np.full(shape, value))
    assert region.area == value * shape[0] * shape[1]
    assert region.bbox == ([0, 0, shape[1], shape[0]] if value else [0, 0, 0, 0])


@given(images(np.uint16, most=6))
def test_instances_of_a_picture_equal_their_single_masks(ids: NDArray[np.uint16]) -> None:
    regions = encode_instances(ids)
    assert list(regions) == [int(value) for value in np.unique(ids) if value]
    for instance_id, region in regions.items():
        assert region == encode_mask(ids == instance_id)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12), SIDES)
def test_any_counts_give_a_mask_of_the_size_or_a_release_error(counts: str, size: tuple[int, int]) -> None:
    with contextlib.suppress(ReleaseError):
        assert decode_rle(counts, size).shape == size


@pytest.mark.parametrize("size", [(0, 5), (-1, 5), (1, 1, 1), (16385, 1), (16384, 16384)])
def test_bad_mask_sizes_are_refused(size: tuple[int, ...]) -> None:
    with pytest.raises(ReleaseError, match="size"):
        decode_rle("5", size)


IDS = np.arange(12, dtype=np.uint16).reshape(3, 4)


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda data: b"", "does not begin like a PNG"),
        (lambda data: b"GIF89a" + data[6:], "does not begin like a PNG"),
        (lambda data: data[: len(data) // 2], "truncated"),
        (lambda data: data[:-12], "truncated"),
        (lambda data: data + b"\0", "after the PNG's end"),
        (lambda data: data[:45] + bytes([data[45] ^ 1]) + data[46:], "checksum"),
        (lambda data: _png(16385, 1, 16, 0, b""), "16385x1"),
        (lambda data: _png(16384, 16384, 16, 0, b""), "16384x16384"),
        (lambda data: _png(0, 4, 16, 0, b""), "0x4"),
        (lambda data: _png(4, 3, 16, 0, bytes(27), interlace=1), "interlaced"),
        (lambda data: _png(4, 3, 16, 0, bytes(9)), "cannot be decoded"),
        (lambda data: _png(4, 3, 8, 0, bytes(15)), "8-bit gray PNG, expected 16-bit gray"),
        (lambda data: _png(4, 3, 16, 2, bytes(75)), "16-bit RGB PNG, expected 16-bit gray"),
        (lambda data: _png(4, 3, 8, 3, bytes(15)), "8-bit palette"),
    ],
)
def test_broken_pngs_get_a_sentence(break_it: Callable[[bytes], bytes], message: str) -> None:
    with pytest.raises(ReleaseError, match=f"^seg of 'a' .*{message}"):
        decode_ids(break_it(encode_ids(IDS)), "seg of 'a'")


def test_chunks_that_would_change_the_pixels_do_not_reach_the_decoder() -> None:
    image = np.random.default_rng(0).integers(0, 256, (5, 6, 3), dtype=np.uint8)
    raw = b"".join(b"\0" + row.tobytes() for row in image)
    extra = _chunk(b"acTL", struct.pack(">II", 2, 0)) + _chunk(b"tRNS", bytes(6)) + _chunk(b"gAMA", bytes(4))
    assert np.array_equal(decode_rgb(_png(6, 5, 8, 2, raw, extra=extra)), image)


@pytest.mark.parametrize(
    "call",
    [
        lambda: encode_rgb(np.zeros((3, 4), np.uint8)),
        lambda: encode_rgb(np.zeros((3, 4, 4), np.uint8)),
        lambda: encode_rgb(np.zeros((3, 4, 3), np.uint16)),
        lambda: encode_rgb(np.zeros((0, 4, 3), np.uint8)),
        lambda: encode_ids(np.zeros((3, 4), np.int32)),
        lambda: encode_depth(np.zeros((3, 4), np.uint16)),
        lambda: encode_flow(np.zeros((3, 4, 2)), np.ones((4, 3), np.bool_)),
        lambda: encode_mask(np.zeros((3, 4), np.uint8)),
    ],
)
def test_wrong_arrays_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"got|no pixels"):
        call()


def test_opencv_reads_the_flow_as_bgr() -> None:
    data = encode_flow(np.array([[[1.0, -1.0]]]), np.array([[True]]))
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED).tolist() == [[[1, 32704, 32832]]]


def _pillow(array: NDArray[np.generic]) -> bytes:
    buffer = io.BytesIO()
    PIL.Image.fromarray(array).save(buffer, "png")
    return buffer.getvalue()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _png(
    width: int, height: int, bits: int, colour: int, raw: bytes, *, interlace: int = 0, extra: bytes = b""
) -> bytes:
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlace))
    return png.SIGNATURE + header + extra + _chunk(b"IDAT", zlib.compress(raw)) + _chunk(b"IEND", b"")


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """Bodies by kind, several of a kind joined."""
    bodies: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8]
        bodies[kind] = bodies.get(kind, b"") + data[at + 8 : at + 8 + length]
        at += 12 + length
    return bodies
