"""Videos: what is encoded comes back, the same every time, and hostile files are refused."""

from __future__ import annotations

import contextlib
import io

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from support.cpu_variation import QUICK, assert_same_under_cpu_variation

from flowbench.encoding import video
from flowbench.encoding.video import decode_video, encode_video
from flowbench.errors import ReleaseError

SNIPPET = """
import hashlib
import numpy as np
from flowbench.encoding.video import decode_video, encode_video
frames = np.random.default_rng(0).integers(0, 256, (4, 32, 48, 3), dtype=np.uint8)
frames[1:] = frames[0] // 2 + 60
data = encode_video(frames, 25)
print(hashlib.sha256(data).hexdigest(), hashlib.sha256(decode_video(data)).hexdigest())
"""


def frames(count: int = 6, height: int = 48, width: int = 64) -> NDArray[np.uint8]:
    """A coloured square that moves over a shaded ground."""
    rows, columns = np.mgrid[0:height, 0:width]
    made = np.empty((count, height, width, 3), np.uint8)
    for number in range(count):
        made[number] = np.stack([80 + rows, 90 + columns, 100 + (rows + columns) // 2], axis=-1)
        made[number, 10:26, 4 + 4 * number : 20 + 4 * number] = (200, 40, 50)
    return made


def mp4(codec: str = "libx264", pixels: str = "yuv420p") -> bytes:
    """A video that others might have made."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as out:
        stream = out.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, pixels
        for picture in frames():
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        out.mux(stream.encode(None))
    return file.getvalue()


def test_what_is_encoded_comes_back() -> None:
    made = frames()
    found = decode_video(encode_video(made, 25))
    assert found.shape == made.shape
    assert found.dtype == np.uint8
    apart = np.abs(found.astype(int) - made.astype(int))
    assert apart.mean() < 2.0
    inside = np.s_[:, 14:22, 26:30]  # the square is there in every frame from the second to the sixth
    assert apart[1:6][inside].max() <= 12


@pytest.mark.parametrize("grey", [0, 16, 128, 255])
def test_greys_stay_what_they_are(grey: int) -> None:
    made = np.full((3, 16, 16, 3), grey, np.uint8)
    assert np.abs(decode_video(encode_video(made, 25)).astype(int) - grey).max() <= 1


@pytest.mark.parametrize("colour", [(255, 0, 0), (0, 255, 0), (0, 0, 255), (12, 200, 130)])
def test_colours_stay_what_they_are(colour: tuple[int, int, int]) -> None:
    made = np.full((2, 16, 16, 3), colour, np.uint8)
    assert np.abs(decode_video(encode_video(made, 25)).astype(int) - colour).max() <= 3


def test_others_see_the_same_colours_at_the_same_times() -> None:
    made = frames(5)
    with av.open(io.BytesIO(encode_video(made, 25))) as file:
        shown = list(file.decode(video=0))
    assert [float(frame.time) for frame in shown if frame.time is not None] == [0.0, 0.04, 0.08, 0.12, 0.16]
    theirs = np.stack([frame.to_ndarray(format="rgb24") for frame in shown])
    assert np.abs(theirs.astype(int) - made.astype(int)).mean() < 2.5


def test_equal_frames_give_equal_bytes() -> None:
    assert encode_video(frames(), 25) == encode_video(frames(), 25)


@pytest.mark.parametrize("assembly", ["0", "SSE2", "AVX"])
def test_what_the_cpu_offers_changes_no_byte(assembly: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = encode_video(frames(), 25)
    monkeypatch.setitem(video._CODING, "x264-params", f"{video._CODING['x264-params']}:asm={assembly}")
    assert encode_video(frames(), 25) == whole


def test_what_the_c_library_offers_changes_no_byte() -> None:
    assert_same_under_cpu_variation(SNIPPET, QUICK)


def test_one_frame_is_a_video() -> None:
    assert decode_video(encode_video(frames(1), 25)).shape == (1, 48, 64, 3)


@pytest.mark.parametrize(
    "made",
    [
        np.zeros((0, 16, 16, 3), np.uint8),
        np.zeros((16, 16, 3), np.uint8),
        np.zeros((2, 16, 16, 4), np.uint8),
        np.zeros((2, 16, 16, 3), np.float64),
        np.zeros((2, 15, 16, 3), np.uint8),
        np.zeros((2, 16, 17, 3), np.uint8),
    ],
)
def test_what_is_no_video_is_not_encoded(made: NDArray[np.uint8]) -> None:
    with pytest.raises(ValueError, match="a video"):
        encode_video(made, 25)


@pytest.mark.parametrize("data", [b"", b"no video", bytes(4096), encode_video(frames(), 25)[:300]])
def test_what_is_no_video_is_not_decoded(data: bytes) -> None:
    with pytest.raises(ReleaseError, match=r"the prefix .*again"):
        decode_video(data, "the prefix")


@pytest.mark.parametrize("made", [mp4("mpeg4"), mp4("libx264", "yuv444p")])
def test_videos_of_another_kind_are_refused(made: bytes) -> None:
    with pytest.raises(ReleaseError, match="build the shard again"):
        decode_video(made)


def test_a_damaged_video_gives_frames_or_a_sentence() -> None:
    whole = encode_video(frames(), 25)
    for place in range(0, len(whole), 97):
        broken = bytearray(whole)
        broken[place] ^= 0x5A
        with contextlib.suppress(ReleaseError):
            assert decode_video(bytes(broken)).shape[3] == 3


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_FRAMES", "MOST_PIXELS"])
def test_large_videos_are_refused(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    data = encode_video(frames(), 25)
    monkeypatch.setattr(video, limit, 3 if limit == "MOST_FRAMES" else 64 * 48)
    if limit == "MOST_BYTES":
        monkeypatch.setattr(video, limit, len(data) - 1)
    with pytest.raises(ReleaseError, match="do not use this shard"):
        decode_video(data)
