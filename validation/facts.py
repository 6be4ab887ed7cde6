"""What the suites over whole releases need of each sample's pictures: digests of bytes and of looks."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from .opened import Opened

_SIDE: Final = 32
_KEPT: Final = 8


def facts_of(sample: Opened) -> dict[str, object]:
    """One row of facts.

    Returns:
        ``scene_id``, ``category``; of each of the sample's pictures, e.g. ``before``, ``before_sha256``, the hex digest
        of the member ``before.png``, and ``before_phash``, its :func:`perceptual_hash`; and what the kind of sample
        adds of its own.

    Raises:
        ReleaseError: a member is missing or cannot be read.
    """
    record = sample.record
    facts: dict[str, object] = {"scene_id": record.scene_id, "category": record.category, **sample.facts()}
    for name in sample.pictures:
        if f"{name}.png" in sample.members:
            facts[f"{name}_sha256"] = hashlib.sha256(sample.member(f"{name}.png")).hexdigest()
            facts[f"{name}_phash"] = perceptual_hash(sample.picture(name))
    return facts


def perceptual_hash(picture: NDArray[np.uint8]) -> int:
    """A 64-bit number that is nearly the same for pictures that look nearly the same; compare by differing bits.

    The picture is reduced to 32x32 gray values (area means), of which the 8x8 coefficients of lowest frequency of a
    type II cosine transform are taken, the mean gray left out for the next row's first. A bit says whether its
    coefficient lies above the median of all: rows of frequencies from the top, the first bit the highest. Unrelated
    pictures differ in 32 bits on average; scaling, recompression, noise and small retouches change a few.

    Args:
        picture: (H, W, 3) uint8 sRGB.
    """
    small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    basis = _cosines()
    spectrum = basis @ small.astype(np.float64) @ basis.T
    low = np.append(spectrum[:_KEPT, :_KEPT].ravel()[1:], spectrum[_KEPT, 0])
    bits = low > np.median(low)
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


@cache
def _cosines() -> NDArray[np.float64]:
    """(9, 32): the lowest frequencies of the cosine transform of type II."""
    frequency, place = np.arange(_KEPT + 1)[:, None], np.arange(_SIDE)[None, :]
    return np.cos(np.pi * frequency * (place + 0.5) / _SIDE)
