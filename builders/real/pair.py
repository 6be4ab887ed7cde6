"""An image pair on its way through the stages: what was mined, and what to call it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.sources.mining import FramePair
from flowbench.builders.sources.profiles import Profile
from flowbench.builders.sources.recorded import Picture
from flowbench.seeding import generator


@dataclass(frozen=True, eq=False)
class ImagePair:
    """A mined pair and its place in the build.

    Attributes:
        shots: what was mined.
        dataset: name of the dataset as the build was told.
        seed: of the release.
        pool: scene pool.
        scene: index in the pool.
    """

    shots: FramePair
    dataset: str
    seed: int
    pool: str
    scene: int

    @property
    def name(self) -> str:
        """``tabletop-000007-p0``: the record's view_id."""
        return f"{self.scene_name}-p0"

    @property
    def scene_name(self) -> str:
        """``tabletop-000007``."""
        return f"{self.pool}-{self.scene:06d}"

    @property
    def profile(self) -> Profile:
        """Whose constants hold."""
        return self.shots.profile

    @property
    def task(self) -> str:
        """What the robot was told."""
        return self.shots.episode.task

    @property
    def before(self) -> Picture:
        """I0, (H, W, 3) uint8."""
        return self.shots.before

    @property
    def after(self) -> Picture:
        """I1, (H, W, 3) uint8."""
        return self.shots.after

    @property
    def k(self) -> NDArray[np.float64]:
        """(3, 3) intrinsics, pixels."""
        return self.shots.k

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width) of the pictures."""
        return self.before.shape[0], self.before.shape[1]

    def stream(self, *stage: str | int) -> np.random.Generator:
        """The generator of a stage."""
        return generator(self.seed, self.pool, self.scene, "real", *stage)
