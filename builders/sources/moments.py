"""Which frame shows the outcome, and through which camera ("FlowBench-Real Construction", B.1, "Frames").

Where the outcome is after a release, I1 is never earlier than the last release of the gripper. Among the frames from
there on the last is taken in which the recorded end effector projects outside the picture, so that the arm has left the
view; where there is none, or the camera's pose is not recorded, the last frame of all.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import transform

from .profiles import Profile
from .recorded import Episode, View

LEAST_STROKE: Final = 0.1
"""Share of its range by which a gripper must move in an episode to have grasped anything."""


class MomentError(Exception):
    """Why an episode has no outcome frame, in a few words."""


def grasps(opening: NDArray[np.float64]) -> list[tuple[int, int]]:
    """[start, stop) of the runs of frames in which a gripper is shut: below the middle of its range in the episode.

    Args:
        opening: (n,) 0 shut to 1 open.
    """
    least, most = float(opening.min()), float(opening.max())
    if most - least < LEAST_STROKE:
        return []
    shut = np.concatenate([[False], opening < 0.5 * (least + most), [False]])
    edges = np.flatnonzero(shut[1:] != shut[:-1])
    return [(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def last_release(episode: Episode, profile: Profile) -> int:
    """The first frame after the last grasp.

    Raises:
        MomentError: no gripper is recorded, it never lets go, or the grasp lasts less than ``hold_steps``.
    """
    if episode.opening is None:
        raise MomentError("no gripper recorded")
    ended = [(start, stop) for start, stop in grasps(episode.opening) if stop < episode.length]
    if not ended:
        raise MomentError("no release")
    start, stop = ended[-1]
    if stop - start < profile.hold_steps:
        raise MomentError("grasp too short")
    return stop


def with_outcome(episode: Episode, profile: Profile) -> tuple[Episode, int]:
    """The episode seen by the right camera, and the index of I1.

    Raises:
        MomentError: there is none, or intrinsics that must be recorded are missing.
    """
    if profile.intrinsics == "recorded" and not any(view.intrinsics is not None for view in _views(episode)):
        raise MomentError("no calibration")
    if episode.length < 2:
        raise MomentError("fewer than two frames")
    release = last_release(episode, profile) if profile.outcome == "after_release" or profile.hold_steps else None
    if profile.outcome == "last" or release is None:
        return episode, episode.length - 1
    episode = _best_seen(episode, release, profile)
    away = [index for index in range(release, episode.length) if _left(episode, index)]
    return episode, (away or [episode.length - 1])[-1]


def seen_at(episode: Episode, index: int) -> tuple[float, float] | None:
    """Where the end effector projects at a frame, in shares of the picture's width and height from its centre.

    (0, 0) is the centre, 0.5 an edge; infinite behind the camera. None where pose, intrinsics or size are not recorded.
    """
    known = episode.effector, episode.intrinsics, episode.camera_from_robot, episode.size
    effector, k, pose, size = known
    if effector is None or k is None or pose is None or size is None:
        return None
    whole = np.vstack([pose, [0.0, 0.0, 0.0, 1.0]])
    x, y, z = transform(whole, effector[index : index + 1])[0].tolist()
    if z <= 0.0:
        return float("inf"), float("inf")
    column, row = k[0, 0] * x / z + k[0, 2], k[1, 1] * y / z + k[1, 2]
    return float(column + 0.5) / size[0] - 0.5, float(row + 0.5) / size[1] - 0.5


def _left(episode: Episode, index: int) -> bool:
    """Whether the end effector is outside the picture."""
    place = seen_at(episode, index)
    return place is not None and max(abs(place[0]), abs(place[1])) > 0.5


def _best_seen(episode: Episode, release: int, profile: Profile) -> Episode:
    """Through the camera that sees the release nearest to its picture's centre; else the preferred one."""
    views = [v for v in _views(episode) if v.intrinsics is not None or profile.intrinsics != "recorded"]
    seen = [episode.seen_by(view) for view in views]
    return min(seen, key=lambda candidate: _off_centre(candidate, release))


def _off_centre(episode: Episode, index: int) -> float:
    place = seen_at(episode, index)
    return float("inf") if place is None else place[0] * place[0] + place[1] * place[1]


def _views(episode: Episode) -> tuple[View, ...]:
    """The episode's cameras, the preferred one first."""
    own = View(episode.camera, episode.intrinsics, episode.camera_from_robot, episode.size)
    return own, *episode.other_views
