"""Distractors as the paper picks them (appendix E): some of the same video, some of others, shortcuts included."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.happenings import last_frame
from flowbench.builders.dynapix.items import Place, factual
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.selection.candidates import Four, even_fours
from flowbench.builders.dynapix.selection.paper_picks import NO_OTHER, TOO_FEW
from flowbench.builders.dynapix.selection.planning import Manner
from flowbench.builders.dynapix.selection.slots import Slot
from flowbench.builders.sources.filmed import FilmedScene, SceneError

from .phrasing import ask
from .profiles import Profile
from .slots import attempts_of


def manner_of(scene: FilmedScene, profile: Profile) -> Manner:
    """How a scene of this source is planned."""
    return Manner(profile.source, attempts_of(scene, profile), partial(fours_of, profile), ask, rationales=False)


def fours_of(profile: Profile, album: Album, slot: Slot, preset: Preset, rng: np.random.Generator) -> list[Four] | str:
    """At least one choice of candidates, or why there is none.

    ``balanced`` takes frames of the scene itself alone: there are no twins of recorded scenes, and a frame of another
    scene gives itself away by its objects.
    """
    return even_fours(album, slot, preset, rng) if preset.anchored else paper_fours(profile, album, slot, preset, rng)


def paper_fours(
    profile: Profile, album: Album, slot: Slot, preset: Preset, rng: np.random.Generator
) -> list[Four] | str:
    """The paper's choice: wrong moments of the video, and the frames of others that look most like the target."""
    others = [
        Place(name, slot.target)
        for name, oracle in album.films.oracles.items()
        if name.startswith("other-") and slot.target <= last_frame(oracle) and _readable(album, name, slot.target)
    ]
    if len(others) < profile.cross:
        return NO_OTHER
    target = factual(slot.target)
    order = sorted(others, key=lambda place: (album.distance(place, target), place))
    moments = _moments(profile, slot, preset, last_frame(album.films.factual.oracle), rng)
    chosen = _distinct(album, preset, [target], moments, profile.same)
    chosen = _distinct(album, preset, chosen, order, profile.cross)
    return [Four.of(album, slot, chosen)] if len(chosen) == 4 else TOO_FEW


def _readable(album: Album, name: str, frame: int) -> bool:
    """Whether another scene's picture can be read: where it is broken, that scene is at fault and not this one."""
    try:
        album.picture(Place(name, frame))
    except SceneError:
        return False
    return True


def _moments(profile: Profile, slot: Slot, preset: Preset, last: int, rng: np.random.Generator) -> list[Place]:
    """Wrong moments of the video: at the paper's offsets in a random order, then those not seen yet, then all."""
    offsets = [sign * off for off in preset.offsets for sign in ((1,) if profile.later else (1, -1))]
    named = [slot.target + offsets[index] for index in rng.permutation(len(offsets)).tolist()]
    rest = [index for index in rng.permutation(last + 1).tolist() if abs(index - slot.target) >= preset.apart]
    frames = dict.fromkeys([*named, *(f for f in rest if f > slot.cut), *rest])
    after = slot.target + 1 if profile.later else 0
    return [factual(frame) for frame in frames if after <= frame <= last]


def _distinct(
    album: Album, preset: Preset, chosen: Sequence[Place], offered: Sequence[Place], count: int
) -> list[Place]:
    """What is chosen, and the first so many offered that differ clearly from it and from each other."""
    found, wanted = list(chosen), len(chosen) + count
    for place in offered:
        if len(found) < wanted and all(album.changed(place, other) >= preset.changed_px for other in found):
            found.append(place)
    return found
