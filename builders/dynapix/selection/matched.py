"""Matched anchors: one moment asked for by its event and by the elapsed time, and two controls (paper, "Limitations").

Both items of a pair share observation, target, horizon and candidates; they differ in what the query names. The
horizon varies from pair to pair, so that neither wording tells it without the video.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from flowbench.builders.dynapix.happenings import moment
from flowbench.builders.dynapix.items import SelectionDraft, SelectionItem
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.scenes import POOL
from flowbench.collisions.oracle import Oracle
from flowbench.errors import UsageError
from flowbench.seeding import generator

from . import event
from .phrasing import EVENT, TIME, seconds_text
from .selecting import finish
from .slots import Attempt, Attempts, Slot
from .subtypes import EventSubtype

GAPS = (10, 13, 16, 19, 22, 25)
"""Frames from the cut to the collision."""
ANCHORS = ("event", "time")
CONTROLS = ("full", "candidates_only", "shuffled_prefix")


def attempts(oracle: Oracle, preset: Preset, rng: np.random.Generator) -> Attempts:
    """The scene's collisions in a random order, each with the gaps in a random order.

    Raises:
        UsageError: the preset does not state its anchors.
    """
    if not preset.anchored:
        raise UsageError(
            f"preset {preset.name!r} names no anchor in its queries, expected one that does: build selection_matched "
            "with balanced"
        )
    return [_of_collision(oracle, preset, index, rng) for index in rng.permutation(len(oracle.collisions)).tolist()]


def _of_collision(oracle: Oracle, preset: Preset, index: int, rng: np.random.Generator) -> Iterator[Attempt]:
    collision = oracle.collisions[index]
    for number in rng.permutation(len(GAPS)).tolist():
        subtype = EventSubtype("future", "offset", GAPS[number], 0, 0)
        target = moment(collision) + preset.after_event[int(rng.integers(len(preset.after_event)))]
        slot = event.judge(oracle, preset, subtype, collision, moment(collision) - subtype.gap, target)
        if isinstance(slot, Slot):
            slot = dataclasses.replace(slot, family="matched", subtype=f"matched-{subtype.gap}")
        yield slot


def matched_items(draft: SelectionDraft, position: int, preset: Preset, seed: int) -> list[SelectionItem]:
    """The items of one draft: two anchors by three conditions, all with the same letters.

    Args:
        draft: a chosen draft of the family ``matched``.
        position: of the right letter.
        preset: tells how long a second is.
        seed: of the release.
    """
    rng = generator(seed, POOL, draft.scene, "matched", draft.slot)
    phrasing = int(rng.integers(len(EVENT)))
    queries = {
        "event": EVENT[phrasing],
        "time": TIME[int(rng.integers(len(TIME)))].format(seconds=seconds_text(draft.horizon / preset.second)),
    }
    shuffled = shuffled_frames(draft.first, draft.cut, rng)
    shown: dict[str, Sequence[int]] = {
        "full": range(draft.first, draft.cut + 1),
        "candidates_only": (),
        "shuffled_prefix": shuffled,
    }
    return [
        finish(
            draft,
            position,
            seed,
            query=queries[anchor],
            anchor=anchor,
            control=control,
            shown=tuple(shown[control]),
            pair=f"{draft.scene:06d}-{draft.slot.replace(' ', '-')}",
            rationale=draft.rationale if control == "full" else "",
        )
        for anchor in ANCHORS
        for control in CONTROLS
    ]


def shuffled_frames(first: int, cut: int, rng: np.random.Generator) -> tuple[int, ...]:
    """The frames of an observation in another order; its last one does not stay the last."""
    frames = list(range(first, cut + 1))
    order = [frames[index] for index in rng.permutation(len(frames)).tolist()]
    if order[-1] == cut:
        order[-1], order[0] = order[0], order[-1]
    return tuple(order)
