"""Presets: how items are made, as data.

``balanced`` is the default: the query states its anchor, the target's place among the candidates is open, and what is
asked for follows from what was seen. ``paper`` has the paper's queries and distractors, to compare with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flowbench.errors import unknown_name


@dataclass(frozen=True)
class Preset:
    """Numbers of the stages; frames and pixels.

    Attributes:
        second: frames that selection calls a second.
        first_after: frame after the cut that an elapsed time counts from: 0 is the cut itself, 1 the frame after it.
        anchored: whether queries state their anchor, and candidates stand at even steps of which each may be right;
            else they are the paper's.
        determined: whether the future must follow from what was seen at the cut.
        apart: frames that candidates are apart at least, where the horizon leaves room for three before the target.
        nearest_step: frames apart on the shortest horizons.
        changed_px: pixels that differ at least between two candidates.
        margin_px: pixels that what the item is about moves at least between the target and each distractor.
        easy_px: pixels from which on a window item is easy.
        event_observed: frames observed before an event.
        window_observed: least and most frames of a window's observation.
        after_event: frames after the collision at which the target may lie.
        offsets: frames between the target and the paper's distractors, on either side.
        spare: frames that must remain after the paper's event targets.
        starts: how many starts of an observation a time item tries; 1 is the video's beginning alone.
        slots: family -> items a scene at most.
        tries: moments tried a slot.
        rationales: whether items get one.
        counterfactual_px: pixels that some body must move when another is taken away.
        negatives: hard negatives a query.
    """

    name: str
    second: int = 25
    first_after: int = 0
    anchored: bool = True
    determined: bool = True
    apart: int = 6
    nearest_step: int = 2
    changed_px: int = 250
    margin_px: float = 5.0
    easy_px: float = 15.0
    event_observed: int = 20
    window_observed: tuple[int, int] = (16, 20)
    after_event: tuple[int, ...] = (0, 1, 2)
    offsets: tuple[int, ...] = (16, 32, 48)
    spare: int = 0
    starts: int = 6
    slots: Mapping[str, int] = field(default_factory=lambda: {"event": 3, "time": 2, "window": 6, "matched": 2})
    tries: int = 6
    rationales: bool = True
    counterfactual_px: float = 20.0
    negatives: int = 4

    def step(self, horizon: int) -> int:
        """Least frames between candidates of a horizon such that the target may be the last of four.

        A target h frames after the cut has room for three earlier candidates only if they are at most (h - 1) / 3
        frames apart; short horizons would else give away that the target is an early one.
        """
        return min(self.apart, (horizon - 1) // 3)


BALANCED = Preset("balanced")
PAPER = Preset(
    "paper",
    second=26,
    first_after=1,
    anchored=False,
    determined=False,
    margin_px=0.0,
    window_observed=(16, 16),
    after_event=(0,),
    spare=10,
    starts=1,
)
PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in (BALANCED, PAPER)}


def preset_named(name: str) -> Preset:
    """Look a preset up; the nearest name is offered for an unknown one."""
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]
