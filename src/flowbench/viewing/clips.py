"""What is observed, for a page: a video that plays, and stills of it for whoever cannot play it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..encoding.video import decode_video, encode_video
from ..errors import ReleaseError
from ..release import Sample
from ..schema.dynapix import Prefix
from .pictures import photo_uri

_STILLS: Final = 8
_STILL_WIDTH: Final = 240
_RATES: Final = (1, 60)
"""Frames a second that a page plays at least and at most."""


@dataclass(frozen=True)
class Still:
    """A frame of the observation: a ``data:`` URI, and its number in the scene."""

    uri: str
    frame: int


@dataclass(frozen=True)
class Clip:
    """The observation.

    Attributes:
        uri: ``data:`` URI of the video.
        poster: of its last frame.
        stills: some of its frames in the order in which it shows them, the first and the last among them.
        width, height: pixels.
        frames: how many it has.
        seconds: how long it lasts.
    """

    uri: str
    poster: str
    stills: tuple[Still, ...]
    width: int
    height: int
    frames: int
    seconds: float


def make_clip(sample: Sample, prefix: Prefix) -> Clip | None:
    """The observation of a sample, decoded and encoded again so that no byte of a release reaches a page.

    None where the record says that nothing is shown.

    Raises:
        ReleaseError: the video is missing or broken, or not as long as the record says.
    """
    if not prefix.shown:
        return None
    name = f"video.mp4 of sample {sample.key!r}"
    if "video.mp4" not in sample.members:
        raise ReleaseError(f"sample {sample.key!r} has no 'video.mp4' member: fetch or build the shard again")
    video = decode_video(sample.members["video.mp4"], name)
    if len(video) != len(prefix.shown):
        raise ReleaseError(
            f"{name} has {len(video)} frames, expected the {len(prefix.shown)} of its record: build the shard again"
        )
    rate = min(max(prefix.fps, _RATES[0]), _RATES[1])
    return Clip(
        uri="data:video/mp4;base64," + base64.b64encode(encode_video(video, rate)).decode("ascii"),
        poster=photo_uri(video[-1]),
        stills=_stills(video, prefix.shown),
        width=video.shape[2],
        height=video.shape[1],
        frames=len(video),
        seconds=len(video) / rate,
    )


def _stills(video: NDArray[np.uint8], shown: Sequence[int]) -> tuple[Still, ...]:
    count = min(_STILLS, len(video))
    places = [number * (len(video) - 1) // max(count - 1, 1) for number in range(count)]
    return tuple(Still(photo_uri(_small(video[place])), shown[place]) for place in places)


def _small(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height, width = image.shape[:2]
    if width <= _STILL_WIDTH:
        return image
    size = (_STILL_WIDTH, max(1, height * _STILL_WIDTH // width))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
