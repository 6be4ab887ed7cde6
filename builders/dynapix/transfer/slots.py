"""Slots of filmed scenes: frames after an event, or so many seconds after the observation (paper, appendix E)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from flowbench.builders.dynapix.happenings import last_frame, seen, seen_bodies
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.selection.determined import undetermined
from flowbench.builders.dynapix.selection.event import AT_ONCE, NO_OBSERVATION, NO_TARGET, ambiguous
from flowbench.builders.dynapix.selection.slots import Attempt, Attempts, Slot
from flowbench.builders.dynapix.selection.time import LONGEST_STEP, NO_MOMENT
from flowbench.builders.sources.filmed import FilmedScene
from flowbench.collisions.oracle import Oracle

from .happenings import EVENTS, Event, moves_by_itself
from .profiles import EventKind, Profile, TimeKind

LEAST_OBSERVED = 4
"""Frames observed at least; clips of MOVi-A are too short for more before an event."""
NOT_NEXT = "another event of its kind comes first"
ANOTHER = "another event of its kind before the target"
OUT_OF_SIGHT = "the event is out of sight"
BY_ITSELF = "a body starts to move by itself before the target"


def event_attempts(
    scene: FilmedScene, profile: Profile, oracle: Oracle, preset: Preset, rng: np.random.Generator
) -> Attempts:
    """The kinds of events in a random order, each with its events in a random order."""
    kinds = profile.events_of(preset.name)
    order = [kinds[index] for index in rng.permutation(len(kinds)).tolist()]
    return [_of_events(scene, kind, oracle, preset, rng) for kind in order]


def _of_events(
    scene: FilmedScene, kind: EventKind, oracle: Oracle, preset: Preset, rng: np.random.Generator
) -> Iterator[Attempt]:
    events = EVENTS[kind.kind](scene)
    afters = [
        after
        for after in preset.after_event
        if not preset.anchored or preset.step(kind.gap + after) >= preset.nearest_step
    ]
    for index in rng.permutation(len(events)).tolist():
        after = afters[int(rng.integers(len(afters)))]
        yield slot_of(scene, kind, events, events[index], after, oracle, preset)


def slot_of(
    scene: FilmedScene,
    kind: EventKind,
    events: list[Event],
    event: Event,
    after: int,
    oracle: Oracle,
    preset: Preset,
) -> Attempt:
    """The slot of an event, or why there is none."""
    cut, target = event.moment - kind.gap, event.moment + after
    first = max(0, cut - preset.event_observed + 1)
    if cut - first + 1 < LEAST_OBSERVED:
        return NO_OBSERVATION
    if target > last_frame(oracle):
        return NO_TARGET
    others = [each.moment for each in events if each != event and cut < each.moment <= target]
    if any(moment < event.moment for moment in others):
        return NOT_NEXT
    if others:
        return AT_ONCE if event.moment in others else ANOTHER
    if not all(seen(oracle, frame, body) for frame in (cut, target) for body in event.bodies):
        return OUT_OF_SIGHT
    slot = _slot(scene, "event", kind.name, kind.kind, (first, cut, target), event.bodies, oracle, preset)
    if isinstance(slot, Slot) and ambiguous(preset, slot.steps, event.moment, target):
        return replace(slot, phrasing=f"{kind.kind} delayed", seconds=after / scene.fps)
    return slot


def time_attempts(
    scene: FilmedScene, profile: Profile, oracle: Oracle, preset: Preset, rng: np.random.Generator
) -> Attempts:
    """The kinds of time items in a random order, each with some starts of the observation."""
    kinds = profile.times_of(preset.name)
    order = [kinds[index] for index in rng.permutation(len(kinds)).tolist()]
    return [_of_times(scene, kind, oracle, preset, rng) for kind in order]


def _of_times(
    scene: FilmedScene, kind: TimeKind, oracle: Oracle, preset: Preset, rng: np.random.Generator
) -> Iterator[Attempt]:
    observed, ahead = int(kind.observed * scene.fps), int(kind.ahead * scene.fps)
    after = 3 * preset.step(ahead) if preset.anchored else 0
    starts = last_frame(oracle) - after - ahead - observed + 2
    # At a few frames a second a part of a second is no frame, or leaves no room for others before the target.
    if starts < 1 or observed < LEAST_OBSERVED or preset.step(ahead) < 1:
        yield NO_MOMENT
        return
    order = [0] if preset.starts == 1 else rng.permutation(starts).tolist()[: preset.starts]
    for first in order:
        cut = first + observed - 1
        yield _slot(
            scene, "time", kind.name, "time", (first, cut, cut + ahead), seen_bodies(oracle, cut), oracle, preset
        )


def _slot(
    scene: FilmedScene,
    family: str,
    subtype: str,
    phrasing: str,
    frames: tuple[int, int, int],
    about: tuple[int, ...],
    oracle: Oracle,
    preset: Preset,
) -> Attempt:
    """A slot from its first, last observed and target frames and whom it is about, or why it does not follow."""
    first, cut, target = frames
    if preset.determined:
        why = undetermined(oracle, (first, cut), target, about)
        if why is not None:
            return why
        if moves_by_itself(scene, oracle, cut, target):
            return BY_ITSELF
    return Slot(
        family=family,
        subtype=subtype,
        first=first,
        cut=cut,
        target=target,
        focus=seen_bodies(oracle, cut),  # who was not seen cannot be foreseen
        steps=_steps(preset, cut, target, last_frame(oracle)),
        distractors="offset",
        phrasing=phrasing,
        seconds=(target - cut) / scene.fps,
    )


def _steps(preset: Preset, cut: int, target: int, last: int) -> tuple[int, ...]:
    """Frames between candidates that leave room for all of them, ascending; none where they are the paper's."""
    if not preset.anchored:
        return ()
    longest = min((target - cut - 1) // 3, (last - target) // 3, LONGEST_STEP)
    return tuple(range(preset.step(target - cut), longest + 1))


def attempts_of(scene: FilmedScene, profile: Profile) -> dict[str, partial[Attempts]]:
    """Family -> its slots in this scene."""
    return {"event": partial(event_attempts, scene, profile), "time": partial(time_attempts, scene, profile)}
