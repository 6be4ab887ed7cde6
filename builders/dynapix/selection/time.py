"""Time-anchored slots (paper, appendix A.2): a second is observed, and the target lies one or two seconds later."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flowbench.builders.dynapix.happenings import LAST, seen_bodies
from flowbench.builders.dynapix.presets import Preset
from flowbench.collisions.oracle import Oracle

from .determined import undetermined
from .slots import Attempt, Attempts, Slot
from .subtypes import TIME, TimeSubtype

NO_MOMENT = "no moment leaves room for the target"
LONGEST_STEP = 12
"""Frames between candidates at most: farther apart they would be told without a sense of time."""


def attempts(oracle: Oracle, preset: Preset, rng: np.random.Generator) -> Attempts:
    """Both horizons in a random order, each with some starts of the observation."""
    return [_of_subtype(oracle, preset, TIME[index], rng) for index in rng.permutation(len(TIME)).tolist()]


def horizon_of(preset: Preset, seconds: int) -> int:
    """Frames from the cut to a target so many seconds later."""
    return seconds * preset.second + preset.first_after


def _of_subtype(oracle: Oracle, preset: Preset, subtype: TimeSubtype, rng: np.random.Generator) -> Iterator[Attempt]:
    horizon = horizon_of(preset, subtype.seconds)
    after = 3 * preset.step(horizon) if preset.anchored else 0
    starts = LAST - after - horizon - (preset.second - 1) + 1
    if starts < 1:
        yield NO_MOMENT
        return
    order = [0] if preset.starts == 1 else rng.permutation(starts).tolist()[: preset.starts]
    for first in order:
        yield slot_at(oracle, preset, subtype, first, rng)


def slot_at(oracle: Oracle, preset: Preset, subtype: TimeSubtype, first: int, rng: np.random.Generator) -> Attempt:
    """The slot of an observation that starts at a frame, or why there is none."""
    cut = first + preset.second - 1
    target = cut + horizon_of(preset, subtype.seconds)
    if preset.determined:
        why = undetermined(oracle, (first, cut), target, seen_bodies(oracle, cut))
        if why is not None:
            return why
    steps = steps_of(preset, cut, target)
    return Slot(
        family="time",
        subtype=subtype.name,
        first=first,
        cut=cut,
        target=target,
        focus=seen_bodies(oracle, cut),  # who was not seen cannot be foreseen
        steps=tuple(steps[index] for index in rng.permutation(len(steps)).tolist()[:3]),
        distractors="offset",
        phrasing="time",
        seconds=float(subtype.seconds),
    )


def steps_of(preset: Preset, cut: int, target: int) -> list[int]:
    """Frames between candidates that leave room for all of them, ascending; none where they are the paper's."""
    if not preset.anchored:
        return []
    horizon = target - cut
    longest = min((horizon - 1) // 3, (LAST - target) // 3, LONGEST_STEP)
    return list(range(preset.step(horizon), longest + 1))
