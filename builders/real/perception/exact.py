"""Perception that makes no mistake: masks, depth and tracks of the embedded tabletop, from its truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.pair import ImagePair

from .base import Depths, Mask, Perception, Segmentation, Tracks
from .prompts import Prompt


class SeenTruth(Protocol):
    """What of a simulated episode's truth perception needs; frames are those of its video."""

    def instance_ids(self, frame: int) -> NDArray[np.uint16]:
        """(H, W) ids, 0 = none."""

    def depth(self, frame: int) -> NDArray[np.float32]:
        """(H, W) planar depth, metres, 0 = none."""

    def tracks(self, from_frame: int, to_frame: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """(H, W, 2) pixel in the other frame, NaN where there is none; (H, W) whether it is seen there."""


@final
class ExactPerception(Perception):
    """Of one episode; prompts are not asked, since every thing is known.

    A point is tracked wherever it goes, hidden or not, as long as its pixel shows something.
    """

    name = "exact"
    knobs: Mapping[str, float | int | str] = {}

    def __init__(self, truth: SeenTruth, labels: Mapping[int, str], arm: int) -> None:
        """See the class.

        Args:
            truth: of the episode.
            labels: instance id -> class label of every object.
            arm: instance id of the arm.
        """
        self._truth, self._labels, self._arm = truth, labels, arm

    def segment(self, pair: ImagePair, prompts: Sequence[Prompt]) -> Segmentation:
        """A mask of every object that has a pixel, and of the arm."""
        shots = pair.shots
        return Segmentation(self._masks(shots.before_index), self._masks(shots.after_index))

    def depth(self, pair: ImagePair) -> Depths:
        """As rendered."""
        shots = pair.shots
        return Depths(self._truth.depth(shots.before_index), self._truth.depth(shots.after_index))

    def track(self, pair: ImagePair) -> Tracks:
        """Where the poses take each pixel's point."""
        positions, _ = self._truth.tracks(pair.shots.before_index, pair.shots.after_index)
        height, width = positions.shape[:2]
        u, v = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        displacement = positions - np.stack([u, v], axis=-1)
        tracked = np.isfinite(displacement[..., 0]) & np.isfinite(displacement[..., 1])
        return Tracks(np.where(tracked[..., None], displacement, np.float32(0.0)), tracked)

    def _masks(self, frame: int) -> tuple[Mask, ...]:
        ids = self._truth.instance_ids(frame)
        present = set(np.unique(ids).tolist())
        arm = [Mask("robot arm", "arm", 1.0, ids == self._arm)] if self._arm in present else []
        things = [Mask(label, "common", 1.0, ids == each) for each, label in self._labels.items() if each in present]
        return (*arm, *things)
