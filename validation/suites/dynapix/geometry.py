"""Pictures of collision scenes: drawn again from ``meta.txt`` they are the published ones, pixel for pixel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, final

from ...dynapix.filming import Picture, compare_picture, compare_video, darkroom, seen_pixels, whole_pixels
from ...dynapix.meta import RunMeta
from ...dynapix.opened import OpenedClip, OpenedFrame, OpenedQuery, OpenedSelection, frame_name
from ...recompute.rules import Finding
from ..base import SampleSuite, Violation
from ..samples import violations_of


@final
class Filming(SampleSuite[OpenedClip]):
    """Candidates, targets, negatives, corpus frames and videos against the rasterizer."""

    name: ClassVar[str] = "geometry"
    about: ClassVar[str] = "Pictures drawn again from the metadata are the published ones; videos show these frames."
    needs: ClassVar[tuple[str, ...]] = ("numba",)
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "video.mp4", "frame.png", "target.png"}
        | {f"{name}_{n}.png" for name in ("candidate", "negative") for n in range(4)}
    )

    def check(self, sample: OpenedClip) -> Iterable[Violation]:
        """What the sample breaks."""
        if isinstance(sample, OpenedSelection):
            return violations_of(_selection(sample), sample.key)
        if isinstance(sample, OpenedQuery):
            return violations_of(_query(sample), sample.key)
        return violations_of(_frame(sample), sample.key) if isinstance(sample, OpenedFrame) else ()


def _selection(sample: OpenedSelection) -> Iterator[Finding]:
    for place, name in enumerate(sample.pictures):
        yield from compare_picture(f"{name}.png", sample.picture(name), sample.shot(place)[0])
    frames = [each.frame for each in sample.meta.frames if each.variant == "factual"]
    yield from _observed(sample, sample.meta.factual, sample.record.prefix.shown, frames)
    if sample.record.category == "window":
        yield from _covered(sample)


def _covered(sample: OpenedSelection) -> Iterator[Finding]:
    """How large the bodies would be uncovered, which a window's group follows from.

    Looked at are all at both ends of the observation, and those that are said to be covered throughout.
    """
    run, prefix = sample.meta.factual, sample.record.prefix
    frames = range(max(prefix.first, 0), min(prefix.last, len(run.poses) - 1) + 1)
    for body in range(run.bodies):
        covered = any(run.whole[frame, body] != run.visible[frame, body] for frame in frames)
        for frame in frames if covered else (*frames[:1], *frames[-1:]):
            drawn = whole_pixels(sample.setup, run.poses[frame], frame, body)
            if drawn != run.whole[frame, body]:
                yield Finding(
                    "whole of a body", f"{run.whole[frame, body]} px of body {body} in frame {frame}", f"{drawn} px"
                )
                return


def _query(sample: OpenedQuery) -> Iterator[Finding]:
    given = {"target": sample.record.target_frame_id}
    given |= {f"negative_{number}": text for number, text in enumerate(sample.record.negatives)}
    for name, text in given.items():
        place = frame_name(text)
        if place is not None and sample.run_of(place) is not None and f"{name}.png" in sample.members:
            yield from compare_picture(f"{name}.png", sample.picture(name), sample.shot(place)[0])
    yield from _observed(sample, sample.meta.factual, sample.record.prefix.shown, [])
    target = frame_name(sample.record.target_frame_id)
    run = None if target is None else sample.run_of(target)
    if target is not None and run is not None:
        yield from _counts(run, target.frame, sample.shot(target)[1])


def _frame(sample: OpenedFrame) -> Iterator[Finding]:
    frame = sample.meta.frame
    drawn, _ = darkroom().shot(sample.setup, frame.poses, frame.frame, frame.erased)
    yield from compare_picture("frame.png", sample.picture("frame"), drawn)


def _observed(sample: OpenedClip, run: RunMeta, shown: Sequence[int], frames: Sequence[int]) -> Iterator[Finding]:
    """The video, and how much of each body its frames and the true run's candidates show."""
    known = {frame: None for frame in (*sorted(shown), *frames) if 0 <= frame < len(run.poses)}
    shots = {frame: darkroom().shot(sample.setup, run.poses[frame], frame) for frame in known}
    for frame, (_, ids) in shots.items():
        found = [*_counts(run, frame, ids)]
        yield from found
        if found:
            break
    if sample.video is not None and set(shown) <= shots.keys():
        yield from compare_video(sample.video, shown, {frame: drawn for frame, (drawn, _) in shots.items()})


def _counts(run: RunMeta, frame: int, ids: Picture) -> Iterator[Finding]:
    """Pixels that show each body are as many as published."""
    counted = seen_pixels(ids, run.bodies)
    if counted.tolist() != run.visible[frame].tolist():
        yield Finding("visible pixels", f"{run.visible[frame].tolist()} in frame {frame}", f"{counted.tolist()}")
