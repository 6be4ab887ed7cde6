"""The pictures of a scene's runs as planning compares them: how many pixels changed, how far two pictures are apart."""

from __future__ import annotations

from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from .items import Place
from .scenes import SceneFilms

NOTICEABLE: Final = 24
"""A pixel has changed when a channel differs by more than so many of 255."""


def changed_pixels(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> int:
    """Pixels of two (H, W, 3) pictures of which a channel differs noticeably."""
    return int(np.count_nonzero(_difference(one, other).max(axis=2) > NOTICEABLE))


def distance(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> int:
    """Sum of all channels' absolute differences of two (H, W, 3) pictures."""
    return int(_difference(one, other).sum(dtype=np.int64))


def _difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.maximum(one, other) - np.minimum(one, other)


@final
class Album:
    """A scene's pictures, each drawn once, and what was found in comparing them."""

    def __init__(self, films: SceneFilms) -> None:
        self.films: Final = films
        self._pictures: dict[Place, NDArray[np.uint8]] = {}
        self._compared: dict[tuple[Place, Place], tuple[int, int]] = {}

    def picture(self, place: Place) -> NDArray[np.uint8]:
        """(H, W, 3) uint8."""
        if place not in self._pictures:
            self._pictures[place] = self.films.films[place.variant].picture(place.frame)
        return self._pictures[place]

    def changed(self, one: Place, other: Place) -> int:
        """Pixels changed between two places."""
        return self._compare(one, other)[0]

    def distance(self, one: Place, other: Place) -> int:
        """How far two places' pictures are apart."""
        return self._compare(one, other)[1]

    def _compare(self, one: Place, other: Place) -> tuple[int, int]:
        pair = (one, other) if one <= other else (other, one)
        if pair not in self._compared:
            pictures = [self.picture(place) for place in pair]
            self._compared[pair] = changed_pixels(*pictures), distance(*pictures)
        return self._compared[pair]
