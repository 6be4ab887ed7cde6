"""Event-anchored slots (paper, appendix A.1): what comes of a collision, still ahead at the cut or shown by it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flowbench.builders.dynapix.happenings import LAST, between, moment, seen
from flowbench.builders.dynapix.presets import Preset
from flowbench.collisions.oracle import Collision, Oracle

from .determined import undetermined
from .slots import Attempt, Attempts, Slot
from .subtypes import EVENT, EventSubtype

NO_OBSERVATION = "no room for the observation"
NO_TARGET = "the target lies after the end"
NOT_NEXT = "another collision comes first"
AT_ONCE = "another collision at the same moment"
ANOTHER = "another collision before the target"
OUT_OF_SIGHT = "the collision is out of sight"


def attempts(oracle: Oracle, preset: Preset, rng: np.random.Generator) -> Attempts:
    """The subtypes in a random order, each with the scene's collisions in a random order."""
    return [_of_subtype(oracle, preset, EVENT[index], rng) for index in rng.permutation(len(EVENT)).tolist()]


def _of_subtype(oracle: Oracle, preset: Preset, subtype: EventSubtype, rng: np.random.Generator) -> Iterator[Attempt]:
    for index in rng.permutation(len(oracle.collisions)).tolist():
        yield slot_of(oracle, preset, subtype, oracle.collisions[index], rng)


def slot_of(
    oracle: Oracle, preset: Preset, subtype: EventSubtype, collision: Collision, rng: np.random.Generator
) -> Attempt:
    """The slot of a subtype about a collision, or why there is none."""
    when = moment(collision)
    if subtype.framing == "future":
        after = _after(preset, subtype.gap)
        cut, target = when - subtype.gap, when + after[int(rng.integers(len(after)))]
    else:
        cut, target = when, when + subtype.gap
    return judge(oracle, preset, subtype, collision, cut, target)


def _after(preset: Preset, gap: int) -> tuple[int, ...]:
    """Frames after the collision for the target: those that leave steps long enough between candidates."""
    if not preset.anchored:
        return preset.after_event
    return tuple(after for after in preset.after_event if preset.step(gap + after) >= preset.nearest_step)


def judge(
    oracle: Oracle, preset: Preset, subtype: EventSubtype, collision: Collision, cut: int, target: int
) -> Attempt:
    """The slot of a collision with this cut and target, or why there is none."""
    first = cut - preset.event_observed + 1
    if first < 0:
        return NO_OBSERVATION
    if target > LAST - preset.spare:
        return NO_TARGET
    when = moment(collision)
    if any(each is not collision for each in between(oracle, cut, when)):
        return NOT_NEXT
    if any(each is not collision for each in between(oracle, when - 1, when)):
        return AT_ONCE
    if subtype.framing == "future" and any(each is not collision for each in between(oracle, when, target)):
        return ANOTHER
    if not all(seen(oracle, frame, body) for frame in (cut, target) for body in collision.pair):
        return OUT_OF_SIGHT
    if preset.determined:
        why = undetermined(oracle, (first, cut), target, collision.pair)
        if why is not None:
            return why
    horizon = target - cut
    steps = tuple(range(preset.step(horizon), (horizon - 1) // 3 + 1)) if preset.anchored else ()
    delayed = subtype.framing == "future" and ambiguous(preset, steps, when, target)
    return Slot(
        family="event",
        subtype=subtype.name,
        first=first,
        cut=cut,
        target=target,
        focus=collision.pair,
        steps=steps,
        distractors=subtype.distractors,
        phrasing="delayed" if delayed else subtype.framing,
        seconds=(target - when if delayed else horizon) / preset.second,
    )


def ambiguous(preset: Preset, steps: tuple[int, ...], when: int, target: int) -> bool:
    """Whether "right after the collision" might mean another candidate as well as the target.

    The target may lie so many frames after the moment; where candidates are so close together that a wrong one could
    lie there, too, the query has to name the delay. That depends on the slot alone, not on which candidates are taken.
    """
    right_after = range(when, when + max(preset.after_event) + 1)
    return any(target + number * step in right_after for step in steps for number in range(-3, 4) if number)
