"""The pictures of a scene's runs as planning compares them: how many pixels changed, how far two pictures are apart."""

from __future__ import annotations

from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench._jit import kernel
from flowbench.errors import UsageError

from .items import Place
from .scenes import SceneFilms

NOTICEABLE = 24
"""A pixel has changed when a channel differs by more than so many of 255."""


@kernel
def compare(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> tuple[int, int]:
    """Pixels of two (H, W, 3) pictures of which a channel differs noticeably; sum of all channels' differences."""
    changed = 0
    total = 0
    for row in range(one.shape[0]):
        for column in range(one.shape[1]):
            noticed = False
            for channel in range(3):
                # int of an unsigned byte stays unsigned in numba; by way of int64 it may become negative.
                apart = abs(int(np.int64(one[row, column, channel])) - int(np.int64(other[row, column, channel])))
                total += apart
                noticed = noticed or apart > NOTICEABLE
            if noticed:
                changed += 1
    return changed, total


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
            picture = self.films.films[place.variant].picture(place.frame)
            width, height = self.films.size
            if picture.shape != (height, width, 3) or picture.dtype != np.uint8:
                raise UsageError(
                    f"frame {place.frame} of {place.variant} has shape {picture.shape} and type {picture.dtype}, "
                    f"expected ({height}, {width}, 3) of uint8: film it so"
                )
            self._pictures[place] = picture
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
            changed, total = compare(self.picture(pair[0]), self.picture(pair[1]))
            self._compared[pair] = int(changed), int(total)
        return self._compared[pair]
