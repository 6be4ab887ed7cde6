"""Statistics as LeRobot keeps them: least, greatest, mean, standard deviation and count of each feature.

Sums are exact (integers, or correctly rounded), so that equal episodes give equal bytes on every CPU.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..recorded import Picture

Stats = Mapping[str, Any]
"""min, max, mean, std, count."""


def vector_stats(values: NDArray[np.float64]) -> Stats:
    """Of (n, k) numbers, for each of the k."""
    columns = [column.tolist() for column in values.T]
    count = len(values)
    means = [math.fsum(column) / count for column in columns]
    pairs = zip(columns, means, strict=True)
    squares = [math.fsum((value - mean) * (value - mean) for value in column) / count for column, mean in pairs]
    return {
        "min": [min(column) for column in columns],
        "max": [max(column) for column in columns],
        "mean": means,
        "std": [math.sqrt(square) for square in squares],
        "count": [count],
    }


class PictureStats:
    """Of pictures, for each channel, in 0 to 1; shaped (3, 1, 1) as LeRobot does."""

    def __init__(self) -> None:
        self._least, self._most = [255] * 3, [0] * 3
        self._sums, self._squares = [0] * 3, [0] * 3
        self._pixels = self.pictures = 0

    def add(self, picture: Picture) -> None:
        """Count an (H, W, 3) uint8 picture in."""
        for channel in range(3):
            counts = np.bincount(picture[..., channel].ravel(), minlength=256).tolist()
            there = [value for value, count in enumerate(counts) if count]
            self._least[channel] = min(self._least[channel], there[0])
            self._most[channel] = max(self._most[channel], there[-1])
            self._sums[channel] += sum(int(value * counts[value]) for value in there)
            self._squares[channel] += sum(int(value * value * counts[value]) for value in there)
        self._pixels += picture.shape[0] * picture.shape[1]
        self.pictures += 1

    def merge(self, other: PictureStats) -> None:
        """Count another's pictures in."""
        for channel in range(3):
            self._least[channel] = min(self._least[channel], other._least[channel])
            self._most[channel] = max(self._most[channel], other._most[channel])
            self._sums[channel] += other._sums[channel]
            self._squares[channel] += other._squares[channel]
        self._pixels += other._pixels
        self.pictures += other.pictures

    def stats(self) -> Stats:
        """What was counted."""
        n = max(1, self._pixels)
        spread = [n * squares - total * total for total, squares in zip(self._sums, self._squares, strict=True)]
        return {
            "min": _channels([value / 255 for value in self._least]),
            "max": _channels([value / 255 for value in self._most]),
            "mean": _channels([total / (n * 255) for total in self._sums]),
            "std": _channels([math.sqrt(value) / (n * 255) for value in spread]),
            "count": [self.pictures],
        }


def _channels(values: Sequence[float]) -> list[list[list[float]]]:
    return [[[value]] for value in values]
