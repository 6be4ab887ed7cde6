"""Motions that several categories propose (paper A.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .move import Move
from .presets import Preset

DIRECTIONS = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
"""Right, left, away, toward, in the camera's floor axes."""


def generic_moves(preset: Preset, rng: np.random.Generator, count: int) -> Iterator[Move]:
    """Cardinal slides: a direction uniformly, then one of the preset's lengths, or a band and a length in it."""
    for _ in range(count):
        right, away = DIRECTIONS[int(rng.integers(len(DIRECTIONS)))]
        if preset.lengths:
            length = preset.lengths[int(rng.integers(len(preset.lengths)))]
        else:
            shortest, longest = preset.length_bands[int(rng.integers(len(preset.length_bands)))]
            length = float(rng.uniform(shortest, longest))
        yield Move.of(right * length, away * length)
