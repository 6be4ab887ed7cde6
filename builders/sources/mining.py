"""Mining image pairs from recorded episodes ("FlowBench-Real Construction", B.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .profiles import Profile
from .recorded import Episode, Picture


@dataclass(frozen=True, eq=False)
class FramePair:
    """The pictures before and after of one episode.

    Attributes:
        profile: whose rules chose it.
        episode: where it comes from; its camera is the one that was chosen.
        before_index, after_index: frames of the episode; I0 and I1.
        before, after: (profile.height, profile.width, 3) uint8 sRGB.
        k: (3, 3) float64 intrinsics at that size, pixels.
        changed: share of interior pixels that changed (phi of B.1).
    """

    profile: Profile
    episode: Episode
    before_index: int
    after_index: int
    before: Picture
    after: Picture
    k: NDArray[np.float64]
    changed: float
