"""Breaking samples of collision scenes: which suit, and the changes that several corruptions share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flowbench.encoding.video import decode_video, encode_video
from flowbench.schema import to_json

from .base import Corruption, corruption
from .editing import Change, Record, Test, one, picture, put_picture, put_record
from .rewriting import Draft

Rng = np.random.Generator
FPS: Final = 25
VIDEO: Final = "video.mp4"
LETTERS: Final = "ABCD"


def question(record: Mapping[str, Any]) -> bool:
    """Selection items suit that come with their video in order."""
    return "candidates" in record and record["control"] in (None, "full")


def reasoned(record: Mapping[str, Any]) -> bool:
    """Selection items with a rationale suit."""
    return question(record) and record["rationale"] is not None


def timed(record: Mapping[str, Any]) -> bool:
    """Selection items suit whose query states a time."""
    return question(record) and "seconds" in record["query"]


def cross(record: Mapping[str, Any]) -> bool:
    """Selection items with a twin's frame suit."""
    return question(record) and any(each["kind"] == "twin" for each in record["candidates"])


def query(record: Mapping[str, Any]) -> bool:
    """Retrieval queries suit."""
    return "builder" in record


def counterfactual(record: Mapping[str, Any]) -> bool:
    """Queries suit that take a body away."""
    return query(record) and record["intervention"] is not None


def frame(record: Mapping[str, Any]) -> bool:
    """Corpus frames suit."""
    return "frame_id" in record


def moved(record: Mapping[str, Any]) -> bool:
    """Corpus frames of the true run suit."""
    return frame(record) and record["variant"] == "factual"


def pixel(name: str) -> Change:
    """A channel of one pixel of a picture is another."""

    def apply(draft: Draft, rng: Rng) -> None:
        image = picture(draft, name)
        image[160, 240, 0] ^= 1
        put_picture(draft, name, image)

    return apply


def filmed(change: Callable[[NDArray[np.uint8]], NDArray[np.uint8]]) -> Change:
    """Another video."""

    def apply(draft: Draft, rng: Rng) -> None:
        frames = change(decode_video(draft.members[VIDEO]))
        draft.members[VIDEO] = encode_video(np.ascontiguousarray(frames), FPS)

    return apply


def late(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Every frame but the first a frame too late; the last twice."""
    return np.concatenate([frames[1:], frames[-1:]])


def setting(**values: Any) -> Callable[[Record], None]:
    """Fields get these values."""
    return lambda record: record.update(values)


def adding(name: str, much: float) -> Callable[[Record], None]:
    """A field becomes larger by so much."""

    def apply(record: Record) -> None:
        record[name] += much

    return apply


def row(name: str, about: str, suites: str, change: Change, where: Test) -> Corruption:
    """A corruption of one sample that suits."""
    return corruption(name, about, suites, one(change, where))


def put_both(draft: Draft, record: Record, meta: Record) -> None:
    """Write record and metadata as a builder would."""
    put_record(draft, record)
    draft.members["meta.txt"] = to_json(meta)


def meta_of(draft: Draft) -> Record:
    """A sample's metadata as plain values."""
    value: Record = json.loads(draft.members["meta.txt"])
    return value
