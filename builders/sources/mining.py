"""Mining image pairs from recorded episodes ("FlowBench-Real Construction", B.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .moments import MomentError, with_outcome
from .profiles import Profile
from .recorded import Episode, EpisodeError, Picture, RecordedDataset
from .resizing import changed_share, fitted, scaled_intrinsics

TOO_MANY: Final = "enough of this task"
"""Why an episode is left out that passed all else."""
MOST_LETTERS: Final = 2000
"""Of a task, or of a group's name."""


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


@dataclass(frozen=True)
class Reject:
    """An episode that gives no pair.

    Attributes:
        index: of the episode.
        task: "" where it was not read.
        reason: in a few words, for counting.
        why: a sentence; of an episode that cannot be read it names the file.
    """

    index: int
    task: str
    reason: str
    why: str


@dataclass(frozen=True)
class Removed:
    """A row of the table of what each filter removed.

    Attributes:
        reason: of the filter.
        episodes: that it removed.
        left: episodes that are left after it.
    """

    reason: str
    episodes: int
    left: int


def mine(
    dataset: RecordedDataset, profile: Profile, episodes: Sequence[int] | None = None
) -> Iterator[FramePair | Reject]:
    """The pairs of a dataset, or of some of its episodes, in their order; each episode gives a pair or a reject.

    At most ``most_per_task`` pairs of a group and task are given, the first ones that pass all other filters.
    """
    kept: Counter[tuple[str, str]] = Counter()
    for index in dataset.episodes if episodes is None else episodes:
        found = mine_episode(dataset, profile, index)
        if isinstance(found, FramePair):
            key = task_key(found.episode)
            if profile.most_per_task is not None and kept[key] >= profile.most_per_task:
                yield _reject(found.episode, TOO_MANY, f"{profile.most_per_task} pairs of its task are kept")
                continue
            kept[key] += 1
        yield found


def mine_episode(dataset: RecordedDataset, profile: Profile, index: int) -> FramePair | Reject:
    """The pair of one episode, whatever others there are of its task; depends on the episode alone."""
    try:
        episode = dataset.episode(index)
        _check_texts(dataset, episode)
    except EpisodeError as error:
        return Reject(index, "", f"not readable: {error.reason}", str(error))
    if (unfit := unfit_task(episode, profile)) is not None:
        return unfit
    try:
        seen, after_index = with_outcome(episode, profile)
        first, last = dataset.frames(seen, [0, after_index])
    except MomentError as error:
        return _reject(episode, str(error), f"{error}, as profile {profile.name} asks")
    except EpisodeError as error:
        return Reject(index, episode.task, f"not readable: {error.reason}", str(error))
    before, after = (fitted(picture, profile.width, profile.height) for picture in (first, last))
    changed = changed_share(before, after)
    if changed < profile.changed_low:
        return _reject(seen, "too little changed", f"{changed:.2%} changed, under {profile.changed_low:.1%}")
    if changed > profile.changed_high:
        return _reject(seen, "too much changed", f"{changed:.2%} changed, over {profile.changed_high:.1%}")
    recorded = seen.size or (first.shape[1], first.shape[0])
    return FramePair(profile, seen, 0, after_index, before, after, intrinsics_of(seen, profile, recorded), changed)


def _check_texts(dataset: RecordedDataset, episode: Episode) -> None:
    """That what is told of an episode can be written again; raises EpisodeError. JSON may hold halves of letters."""
    for name, text in (("task", episode.task), ("group", episode.group)):
        if len(text) > MOST_LETTERS or any("\ud800" <= letter <= "\udfff" for letter in text):
            raise EpisodeError(
                f"{dataset.root}: the {name} of episode {episode.index}, {text[:40]!a}, is no text or too long, "
                f"expected at most {MOST_LETTERS:,} letters; mend it, or leave the episode out.",
                f"{name} that is no text",
            )


def unfit_task(episode: Episode, profile: Profile) -> Reject | None:
    """Why an episode is left out by what it was about, without looking at pictures; None if it is not."""
    if episode.success is False:
        return _reject(episode, "not successful", "it is marked as failed")
    if profile.needs_task and not episode.task.strip():
        return _reject(episode, "no task", "no task text is recorded")
    for name, pattern in profile.drop_tasks.items():
        if re.search(pattern, episode.task, re.IGNORECASE):
            return _reject(episode, f"task: {name.replace('_', ' ')}", f"its task is one of '{name}'")
    return None


def task_key(episode: Episode) -> tuple[str, str]:
    """What episodes are counted within: group and task; case, spaces and a full stop make no other task."""
    return episode.group, " ".join(episode.task.casefold().split()).rstrip(".! ")


def intrinsics_of(episode: Episode, profile: Profile, recorded: tuple[int, int]) -> NDArray[np.float64]:
    """(3, 3) float64 intrinsics at the profile's size, pixels: recorded ones scaled, or the assumed ones.

    Args:
        episode: whose camera it is.
        profile: the size and what is assumed.
        recorded: (width, height) that recorded intrinsics refer to.
    """
    if episode.intrinsics is not None:
        return scaled_intrinsics(episode.intrinsics, recorded, (profile.width, profile.height))
    return np.array([[profile.fx, 0.0, profile.cx], [0.0, profile.fy, profile.cy], [0.0, 0.0, 1.0]])


def removed_by(results: Iterable[FramePair | Reject]) -> tuple[int, list[Removed]]:
    """How many episodes were looked at, and what each filter removed, in the order of the filters."""
    total, counts = 0, Counter[str]()
    for result in results:
        total += 1
        if isinstance(result, Reject):
            counts[result.reason] += 1
    left, rows = total, []
    for reason in sorted(counts, key=_place):
        left -= counts[reason]
        rows.append(Removed(reason, counts[reason], left))
    return total, rows


_ORDER: Final = (
    "not readable",
    "not successful",
    "no task",
    "task",
    "no calibration",
    "fewer than two frames",
    "no gripper recorded",
    "no release",
    "grasp too short",
    "too little changed",
    "too much changed",
    TOO_MANY,
)


def _place(reason: str) -> tuple[int, str]:
    """Where a reason stands in the table."""
    kind = reason.partition(":")[0]
    return (_ORDER.index(kind) if kind in _ORDER else len(_ORDER)), reason


def _reject(episode: Episode, reason: str, why: str) -> Reject:
    return Reject(episode.index, episode.task, reason, f"Episode {episode.index} is left out: {why}.")
