"""Counterfactual queries: the scene run again, exactly, without one object (paper, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flowbench.builders.dynapix.happenings import LAST, moment, seen, shift_px
from flowbench.builders.dynapix.items import Place
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.scenes import Removal, identity
from flowbench.builders.dynapix.selection.determined import undetermined
from flowbench.collisions.oracle import Oracle

from .builders import LEAST_OBSERVED, MOST_OBSERVED

LEADS = (5, 10, 13)
"""Frames from the cut to the removed object's first collision."""
AHEAD = (12, 25, 38, 50)
"""Frames from that collision to the target."""
TOUCHES_NOTHING = "the removed object touches nothing"
NO_OBSERVATION = "no room for the observation"
UNSEEN = "the removed object is out of sight at the cut"
NOT_EXACT = "the run without it differs before its first touch"
NO_DIFFERENCE = "no other object ends up elsewhere"


@dataclass(frozen=True)
class Intervention:
    """When a removal is asked about.

    Attributes:
        first, cut: the observation.
        target: frame of the run without the object.
        margin: pixels that some other object is away from its factual place there.
    """

    first: int
    cut: int
    target: int
    margin: float


def interventions(
    factual: Oracle, removal: Removal, preset: Preset, rng: np.random.Generator
) -> Iterator[Intervention | str]:
    """What can be asked of a removal, or why not; the first good one is to be taken."""
    touches = [each for each in factual.collisions if removal.removed in each.pair]
    if not touches:
        yield TOUCHES_NOTHING
        return
    when = moment(touches[0])
    cut = when - LEADS[int(rng.integers(len(LEADS)))]
    first = max(0, cut - MOST_OBSERVED + 1)
    if cut - first + 1 < LEAST_OBSERVED:
        yield NO_OBSERVATION
    elif not seen(factual, cut, removal.removed):
        yield UNSEEN
    elif not _same_until(factual, removal, cut):
        yield NOT_EXACT
    else:
        targets = [when + ahead for ahead in AHEAD if when + ahead <= LAST]
        for index in rng.permutation(len(targets)).tolist():
            yield _at(factual, removal, preset, first, cut, targets[index])


def _at(factual: Oracle, removal: Removal, preset: Preset, first: int, cut: int, target: int) -> Intervention | str:
    """The intervention with this target, or why it won't do."""
    margin = displaced(factual, removal, target)
    if margin < preset.counterfactual_px:
        return NO_DIFFERENCE
    why = _undetermined(factual, removal, (first, cut), target) if preset.determined else None
    return why or Intervention(first, cut, target, margin)


def _undetermined(factual: Oracle, removal: Removal, observed: tuple[int, int], target: int) -> str | None:
    """Why the run without the object does not follow from the video, which is of the true run."""
    index = {other: one for one, other in partners(factual, removal)}
    about = [other for other, one in index.items() if seen(factual, observed[1], one)]
    return undetermined(removal.run.oracle, observed, target, about, factual, index)


def partners(factual: Oracle, removal: Removal) -> Sequence[tuple[int, int]]:
    """(index in the true run, index in the run without it) of every body but the removed one."""
    index = {identity(body): number for number, body in enumerate(removal.run.oracle.bodies)}
    return [(number, index[identity(body)]) for number, body in enumerate(factual.bodies) if number != removal.removed]


def displaced(factual: Oracle, removal: Removal, frame: int) -> float:
    """Pixels that the farthest other object is away from its factual place; it is seen in the run without it."""
    run = removal.run.oracle
    ways = [
        shift_px((factual, frame, one), (run, frame, other))
        for one, other in partners(factual, removal)
        if seen(run, frame, other)
    ]
    return max(ways, default=0.0)


def _same_until(factual: Oracle, removal: Removal, cut: int) -> bool:
    """Whether all others move exactly as they did, up to the cut."""
    run = removal.run.oracle
    return all(
        np.array_equal(factual.poses[: cut + 1, one], run.poses[: cut + 1, other], equal_nan=True)
        for one, other in partners(factual, removal)
    )


def cut_of(factual: Oracle, removal: Removal, rng: np.random.Generator) -> int | None:
    """Where a video ends that a removal is asked about; None where the object touches nothing after a while."""
    touches = [moment(each) for each in factual.collisions if removal.removed in each.pair]
    cut = touches[0] - LEADS[int(rng.integers(len(LEADS)))] if touches else -1
    return cut if cut >= 0 else None


def without(removal: Removal, frame: int) -> Place:
    """A frame of the run without the object."""
    return Place(f"without-{removal.removed}", frame)
