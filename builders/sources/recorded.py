"""Recorded robot videos as the stages of FlowBench-Real see them, whatever files they lie in.

A dataset has episodes; an episode has frames, addressed by integer index, and what the robot recorded beside them.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import CountedError

Picture = NDArray[np.uint8]
"""(height, width, 3) uint8, sRGB."""


class EpisodeError(CountedError):
    """An episode that cannot be used: one sentence with the file's name; the episode is skipped and counted."""


@dataclass(frozen=True, eq=False)
class View:
    """A camera of an episode, and what is recorded of it; as in :class:`Episode`."""

    camera: str
    intrinsics: NDArray[np.float64] | None = None
    camera_from_robot: NDArray[np.float64] | None = None
    size: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Episode:
    """One recorded episode.

    Attributes:
        index: its number in the dataset.
        task: what the robot was told; "" where nothing is recorded.
        length: its frames.
        fps: frames a second.
        camera: key of the camera whose pictures are read.
        effector: (length, 3) float64 recorded end-effector positions in the robot's frame, metres; None without.
        opening: (length,) float64 how far the gripper is open, 0 shut to 1 open; None without.
        intrinsics: (3, 3) float64 of the camera as recorded, pixels of the recorded size; None without.
        group: the lab it comes from, or whatever else its tasks are counted within; "" without.
        success: whether it is marked as successful; None where nothing is recorded.
        other_views: its other cameras that may be read instead, by preference.
        camera_from_robot: (3, 4) float64 pose of the camera, robot frame to camera (OpenCV), metres; None without.
        size: (width, height) of its pictures as stated, pixels; None where nothing is.
    """

    index: int
    task: str
    length: int
    fps: float
    camera: str
    effector: NDArray[np.float64] | None = None
    opening: NDArray[np.float64] | None = None
    intrinsics: NDArray[np.float64] | None = None
    group: str = ""
    success: bool | None = None
    other_views: tuple[View, ...] = ()
    camera_from_robot: NDArray[np.float64] | None = None
    size: tuple[int, int] | None = None

    def seen_by(self, view: View) -> Episode:
        """The same episode with another camera's pictures."""
        return replace(
            self,
            camera=view.camera,
            intrinsics=view.intrinsics,
            camera_from_robot=view.camera_from_robot,
            size=view.size,
        )


class RecordedDataset(abc.ABC):
    """Episodes that lie in files.

    Attributes:
        root: its folder.
    """

    root: Path

    @property
    @abc.abstractmethod
    def episodes(self) -> Sequence[int]:
        """Numbers of the episodes, ascending; those that its tables name, whether or not they can be read."""

    @abc.abstractmethod
    def episode(self, index: int) -> Episode:
        """An episode without its pictures.

        Raises:
            EpisodeError: it cannot be read, or its files disagree.
        """

    @abc.abstractmethod
    def frames(self, episode: Episode, indices: Sequence[int]) -> list[Picture]:
        """Its frames of these indices (0 .. length - 1), as recorded, in the order asked for; each is decoded once.

        Raises:
            EpisodeError: they cannot be decoded.
        """
