"""Four candidates about a target, such that any of four places in time may be the right one's (``balanced``).

Candidates stand at even steps: about a target t with step s they are four neighbours in t - 3s, …, t + 3s. A slot is
kept only if all four choices of neighbours are good, so that neither the steps nor the pictures tell which candidate
they were laid about; which one is taken is settled over all items at once (:mod:`.selecting`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.happenings import largest_shift, last_frame, seen_bodies
from flowbench.builders.dynapix.items import Place, factual
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.scenes import FACTUAL

from .slots import Slot

NO_ROOM = "no room for a target of every rank"
ALIKE = "candidates look alike"
STILL = "what it is about moves too little"
LIVELY = "what it is about moves too much to be hard"
OTHERS_SEEN = "candidates show different objects"
NO_TWIN = "no twin scene"
RANKS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Four:
    """Four candidates.

    Attributes:
        places: in order of time.
        rank: of the right one, 1 to 4.
        kinds: ``target``, ``same_scene``, ``twin`` or ``other_scene``.
        margin: pixels between what the item is about in the target and in the nearest distractor.
    """

    places: tuple[Place, ...]
    rank: int
    kinds: tuple[str, ...]
    margin: float

    @classmethod
    def of(cls, album: Album, slot: Slot, places: Sequence[Place]) -> Four:
        """Put candidates in order, and measure them."""
        target = factual(slot.target)
        ordered = tuple(sorted(places, key=lambda place: (place.frame, place.variant)))
        margin = min(_shift(album, slot, place) for place in ordered if place != target)
        return cls(ordered, ordered.index(target) + 1, tuple(_kind(place, target) for place in ordered), margin)


def _kind(place: Place, target: Place) -> str:
    if place == target:
        return "target"
    return {FACTUAL: "same_scene", "twin": "twin", "other": "other_scene"}[place.variant.partition("-")[0]]


def _shift(album: Album, slot: Slot, place: Place) -> float:
    """Pixels that what the slot is about is shifted from the target; all the picture's width in another scene."""
    if place.variant.startswith("other"):
        return float(album.picture(place).shape[1])
    oracles = album.films.oracles
    return largest_shift((oracles[place.variant], place.frame), (oracles[FACTUAL], slot.target), slot.focus)


def even_fours(album: Album, slot: Slot, preset: Preset, rng: np.random.Generator) -> list[Four] | str:
    """At least one choice of candidates for every rank of the target, or why there is none.

    Args:
        album: of the scene.
        slot: the moment; its steps are tried in their order.
        preset: how far candidates must differ.
        rng: draws which twins take part.
    """
    why = NO_ROOM
    for step in slot.steps:
        frames = [slot.target + number * step for number in range(-3, 4)]
        if frames[0] <= slot.cut or frames[-1] > last_frame(album.films.factual.oracle):
            continue
        cross = slot.distractors == "cross"
        found = _with_twins(album, slot, preset, frames, rng) if cross else _same_scene(album, slot, preset, frames)
        if not isinstance(found, str):
            return found
        why = found
    return why


def _same_scene(album: Album, slot: Slot, preset: Preset, frames: Sequence[int]) -> list[Four] | str:
    """The four choices of neighbours among seven frames of the scene itself."""
    places = [factual(frame) for frame in frames]
    if slot.distractors == "match":
        oracle = album.films.factual.oracle
        if any(seen_bodies(oracle, one) != seen_bodies(oracle, other) for one, other in pairwise(frames)):
            return OTHERS_SEEN
    fours = [Four.of(album, slot, places[4 - rank : 8 - rank]) for rank in RANKS]
    return _refuse(album, slot, preset, fours) or fours


def _refuse(album: Album, slot: Slot, preset: Preset, fours: Sequence[Four]) -> str | None:
    """Why some of the choices won't do."""
    if any(four.margin < max(slot.least_px, preset.margin_px) for four in fours):
        return STILL
    if any(four.margin >= slot.below_px for four in fours):
        return LIVELY
    if any(not distinct(album, four.places, preset) for four in fours):
        return ALIKE
    return None


def distinct(album: Album, places: Sequence[Place], preset: Preset) -> bool:
    """Whether every two of some pictures differ clearly."""
    return all(album.changed(one, other) >= preset.changed_px for one, other in combinations(places, 2))


def _with_twins(
    album: Album, slot: Slot, preset: Preset, frames: Sequence[int], rng: np.random.Generator
) -> list[Four] | str:
    """Choices of neighbours of which one is a twin's frame, at least one for every rank."""
    twins = [name for name in album.films.films if name.startswith("twin-")]
    if not twins:
        return NO_TWIN
    fours: list[Four] = []
    for rank in RANKS:
        neighbours, why = frames[4 - rank : 8 - rank], ""
        good: list[Four] = []
        for cast in _casts(rank, twins, rng):
            four = Four.of(album, slot, [Place(*each) for each in zip(cast, neighbours, strict=True)])
            refused = _refuse(album, slot, preset, [four])
            why = refused or why
            if refused is None:
                good.append(four)
        if not good:
            return why
        fours.extend(good)
    return fours


def _casts(rank: int, twins: Sequence[str], rng: np.random.Generator) -> Iterator[tuple[str, ...]]:
    """Which run each of four candidates in order of time is taken from; the target is the true run's.

    One of the wrong ones is a twin's. Were more of them so, the target would be told by being of the scene that was
    seen: among three twins' frames the picture nearest to the last one seen is always right.
    """
    for wrong in range(4):
        if wrong != rank - 1:
            twin = twins[int(rng.integers(len(twins)))]
            yield tuple(twin if place == wrong else FACTUAL for place in range(4))
