"""A recorded dataset as one HTML page: what mining takes from it, and what it leaves out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from flowbench.progress import Progress, Silent
from flowbench.viewing.page import Heading, template
from flowbench.viewing.pictures import photo_uri

from .datasets import open_dataset
from .mining import FramePair, Reject, Removed, mine, removed_by
from .profiles import Profile
from .recorded import Episode, EpisodeError, RecordedDataset
from .resizing import fitted

T = TypeVar("T")

MOST_LOOKED_AT: Final = 400
"""Episodes that are mined for a page, spread over the dataset."""
_STRIP: Final = 10
"""Frames of an episode's strip."""
_STRIP_WIDTH: Final = 160
_EXAMPLES: Final = 3
"""Rejects that are shown of each reason."""


@dataclass(frozen=True)
class Still:
    """A frame of a strip: a ``data:`` URI, its index, and "before", "after" or ""."""

    uri: str
    frame: int
    part: str


@dataclass(frozen=True)
class PairCard:
    """An episode that gave a pair."""

    task: str
    before: str
    after: str
    strip: tuple[Still, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RejectCard:
    """An episode that gave none; the strip is empty where it cannot be read."""

    task: str
    reason: str
    why: str
    strip: tuple[Still, ...]


def make_source_page(root: Path, profile: Profile, count: int, progress: Progress | None = None) -> tuple[str, int]:
    """The page of ``count`` pairs, or as many as there are, and how many it shows.

    Args:
        root: folder of the dataset.
        profile: by whose rules it is mined.
        count: pairs, at least 1.
        progress: is told of each episode that is mined.

    Raises:
        UsageError: see :func:`open_dataset`.
    """
    dataset = open_dataset(root, profile)
    results = list(_mined(dataset, profile, progress or Silent()))
    pairs = [result for result in results if isinstance(result, FramePair)]
    rejects = [result for result in results if isinstance(result, Reject)]
    total, removed = removed_by(results)
    cards = [_pair_card(dataset, pair) for pair in spread(pairs, count)]
    page = template("source.html.j2").render(
        heading=Heading(root.resolve().name, _facts(dataset, profile, total), {}),
        profile=profile,
        cards=cards,
        total=total,
        removed=removed,
        rejects=[_reject_card(dataset, reject) for reject in _examples(rejects, removed)],
    )
    return page, len(cards)


def spread(items: Sequence[T], count: int) -> list[T]:
    """So many of the items, evenly spread, in their order."""
    if len(items) <= count:
        return list(items)
    return [items[number * len(items) // count] for number in range(count)]


def strip_frames(length: int, marked: Sequence[int]) -> list[int]:
    """Indices of frames spread over an episode, with the marked ones among them, ascending."""
    count = min(_STRIP, length)
    even = {number * (length - 1) // max(count - 1, 1) for number in range(count)}
    return sorted(even | set(marked))


def _mined(dataset: RecordedDataset, profile: Profile, progress: Progress) -> Iterator[FramePair | Reject]:
    """What mining gives of episodes spread over the dataset."""
    chosen = spread(dataset.episodes, MOST_LOOKED_AT)
    progress.start(f"mine {profile.name}", len(chosen))
    for result in mine(dataset, profile, chosen):
        pair = isinstance(result, FramePair)
        progress.advance(1, int(pair), {} if isinstance(result, FramePair) else {result.reason: 1})
        yield result
    progress.finish()


def _facts(dataset: RecordedDataset, profile: Profile, total: int) -> dict[str, str]:
    episodes = f"{len(dataset.episodes):,}"
    return {
        "profile": profile.title,
        "episodes": episodes if total == len(dataset.episodes) else f"{total:,} looked at, of {episodes}",
        "pictures": f"{profile.width}x{profile.height}",
        "licence": profile.licence,
    }


def _pair_card(dataset: RecordedDataset, pair: FramePair) -> PairCard:
    episode = pair.episode
    facts = (
        ("episode", f"{episode.index:,}"),
        ("frames", f"{episode.length:,} at {episode.fps:g} a second"),
        ("before and after", f"frame {pair.before_index} and {pair.after_index}"),
        ("changed pixels", f"{pair.changed:.1%}"),
        ("camera", episode.camera),
        ("focal length", f"{pair.k[0, 0]:.0f} px, {'assumed' if episode.intrinsics is None else 'recorded'}"),
        *((("lab", episode.group),) if episode.group else ()),
    )
    strip = _strip(dataset, episode, {pair.before_index: "before", pair.after_index: "after"})
    return PairCard(_told(episode.task), photo_uri(pair.before), photo_uri(pair.after), strip, facts)


def _reject_card(dataset: RecordedDataset, reject: Reject) -> RejectCard:
    try:
        strip = _strip(dataset, dataset.episode(reject.index), {})
    except EpisodeError:
        strip = ()
    why = reject.why.replace(str(dataset.root), dataset.root.name)
    return RejectCard(_told(reject.task) if strip else f"Episode {reject.index}", reject.reason, why, strip)


def _strip(dataset: RecordedDataset, episode: Episode, parts: dict[int, str]) -> tuple[Still, ...]:
    indices = strip_frames(episode.length, list(parts))
    pictures = dataset.frames(episode, indices)
    stills = []
    for index, picture in zip(indices, pictures, strict=True):
        height = max(1, _STRIP_WIDTH * picture.shape[0] // picture.shape[1])
        stills.append(Still(photo_uri(fitted(picture, _STRIP_WIDTH, height)), index, parts.get(index, "")))
    return tuple(stills)


def _examples(rejects: Sequence[Reject], removed: Sequence[Removed]) -> list[Reject]:
    """Some of each reason, in the order of the filters."""
    order = [row.reason for row in removed]
    taken, found = Counter[str](), []
    for reject in sorted(rejects, key=lambda reject: (order.index(reject.reason), reject.index)):
        taken[reject.reason] += 1
        if taken[reject.reason] <= _EXAMPLES:
            found.append(reject)
    return found


def _told(task: str) -> str:
    return task.strip() or "No task text is recorded"
