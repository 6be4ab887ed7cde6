"""Corruptions of files that leave every pixel as it is: what lies beside pixels, and how they are packed."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Final

import cv2

from .base import Corruption
from .clip_editing import LETTERS, VIDEO, Rng, question, row
from .editing import Change, member, picture, record_of
from .rewriting import Draft

_END: Final = 12
"""Bytes of a PNG's last chunk."""


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _right(change: Callable[[bytes], bytes]) -> Change:
    """The file of the right candidate is another."""

    def apply(draft: Draft, rng: Rng) -> None:
        name = f"candidate_{LETTERS.index(record_of(draft)['answer'])}.png"
        draft.members[name] = change(draft.members[name])

    return apply


def _noted(data: bytes) -> bytes:
    return data[:-_END] + _chunk(b"tEXt", b"Comment\x00answer") + data[-_END:]


def _unpacked(draft: Draft, rng: Rng) -> None:
    """The right candidate is stored without compression."""
    name = f"candidate_{LETTERS.index(record_of(draft)['answer'])}"
    image = cv2.cvtColor(picture(draft, name), cv2.COLOR_RGB2BGR)
    draft.members[f"{name}.png"] = cv2.imencode(".png", image, (cv2.IMWRITE_PNG_COMPRESSION, 0))[1].tobytes()


def _boxed(kind: bytes, content: bytes) -> Change:
    return member(VIDEO, lambda data: data + struct.pack(">I4s", 8 + len(content), kind) + content)


def _dated(data: bytes) -> bytes:
    place = data.index(b"mvhd") + 8
    return data[:place] + b"\x00\x00\x00\x02" + data[place + 4 :]


def _settings(data: bytes) -> bytes:
    """The encoder's message tells a letter in place of a setting."""
    return data.replace(b"keyint_min=", b"answer=B!!=", 1)


BYTES: tuple[Corruption, ...] = (
    row("note in a picture", "the right picture has a text chunk", "integrity", _right(_noted), question),
    row("picture packed otherwise", "the right picture is stored uncompressed", "integrity", _unpacked, question),
    row(
        "box in a video",
        "a video has a box that no decoder looks at",
        "integrity",
        _boxed(b"uuid", b"the answer is always B: it is the second one"),
        question,
    ),
    row(
        "padding of a video",
        "a video has text where padding may be",
        "integrity",
        _boxed(b"free", b"answer=B"),
        question,
    ),
    row("date of a video", "a video says when it was made", "integrity", member(VIDEO, _dated), question),
    row("message in a video", "a video's message tells a letter", "integrity", member(VIDEO, _settings), question),
)
