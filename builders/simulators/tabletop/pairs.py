"""The first and the last picture of an episode with its truth, without a video: for studies over many items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .scene import Setup
from .truth import Truth


@dataclass(frozen=True, eq=False)
class Pair:
    """What a pair of pictures is taken from an episode for.

    Attributes:
        before, after: (480, 640, 3) uint8 sRGB of the first and of the last frame.
        truth: of the whole episode.
    """

    before: NDArray[np.uint8]
    after: NDArray[np.uint8]
    truth: Truth


def pair_of(seed: int, pool: str, scene: int, setup: Setup) -> Pair:
    """Draw and simulate an episode, and draw its first and last frame.

    Args:
        seed: the release's.
        pool: name of the pool, :data:`~.scene.POOL` for what ``flowbench record`` records.
        scene: index in the pool; one of five, the last, is for testing.
        setup: see :data:`~.scene.SETUPS`.
    """
    from .drawing import draw

    truth = draw(seed, pool, scene, setup)
    return Pair(truth.rgb(0), truth.rgb(len(truth) - 1), truth)
