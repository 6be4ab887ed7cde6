"""Distractors as the paper picks them (appendix G), shortcuts included; near-identical ones are left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.happenings import LAST, seen_bodies
from flowbench.builders.dynapix.items import Place, factual
from flowbench.builders.dynapix.presets import Preset

from .candidates import Four
from .slots import Slot

TOO_FEW = "too few distractors that differ clearly"
NO_OTHER = "no other scene"


def paper_fours(album: Album, slot: Slot, preset: Preset, rng: np.random.Generator) -> list[Four] | str:
    """One choice of candidates, or why there is none.

    ``offset``: the same scene at the preset's offsets on either side of the target, seen frames included; ``match`` and
    ``near``: the same scene where the same objects are seen, or anywhere, and the picture is nearest in look;
    ``cross``: other scenes at the target's frame.
    """
    if slot.distractors == "cross":
        others = [name for name in album.films.films if name.startswith("other-")]
        if not others:
            return NO_OTHER
        turns = [Place(name, slot.target) for name in others]
        turns += [
            Place(name, slot.target + sign * off) for off in preset.offsets for name in others for sign in (1, -1)
        ]
        ordered = [place for place in turns if 0 <= place.frame <= LAST]
    elif slot.distractors == "offset":
        frames = [slot.target + sign * offset for offset in preset.offsets for sign in (-1, 1)]
        listed = [factual(frame) for frame in frames if 0 <= frame <= LAST]
        ordered = [listed[index] for index in rng.permutation(len(listed)).tolist()]
    else:
        ordered = _by_look(album, slot, preset)
    chosen = _first_distinct(album, slot, preset, ordered)
    return TOO_FEW if chosen is None else [Four.of(album, slot, chosen)]


def _by_look(album: Album, slot: Slot, preset: Preset) -> list[Place]:
    """Frames of the scene, those that look most like the target first."""
    oracle = album.films.factual.oracle
    target = factual(slot.target)
    wanted = seen_bodies(oracle, slot.target)
    step = preset.apart
    frames = [*range(slot.target % step, slot.target, step), *range(slot.target + step, LAST + 1, step)]

    def order(frame: int) -> tuple[bool, int, int]:
        differs = slot.distractors == "match" and seen_bodies(oracle, frame) != wanted
        return differs, album.distance(factual(frame), target), frame

    return [factual(frame) for frame in sorted(frames, key=order)]


def _first_distinct(album: Album, slot: Slot, preset: Preset, ordered: Sequence[Place]) -> list[Place] | None:
    """The target and the first three that differ clearly from it and from each other."""
    chosen = [factual(slot.target)]
    for place in ordered:
        if all(album.changed(place, other) >= preset.changed_px for other in chosen):
            chosen.append(place)
        if len(chosen) == 4:
            return chosen
    return None
