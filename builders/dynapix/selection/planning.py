"""From a scene to drafts: slots of every family, candidates of every slot, questions and rationales."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.items import SelectionDraft
from flowbench.builders.dynapix.narrating import narrate, observe
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.scenes import POOL, SceneFilms
from flowbench.collisions.oracle import Oracle
from flowbench.seeding import generator

from . import event, matched, time, window
from .blind import picks
from .candidates import Four, even_fours
from .paper_picks import paper_fours
from .phrasing import ask
from .slots import Attempts, Slot

TAKEN = "the moment of another item"
NO_RATIONALE = "no valid rationale"
ATTEMPTS: Mapping[str, Callable[[Oracle, Preset, np.random.Generator], Attempts]] = {
    "event": event.attempts,
    "time": time.attempts,
    "window": window.attempts,
    "matched": matched.attempts,
}


@dataclass(frozen=True)
class Manner:
    """What differs between our own scenes and recorded ones in planning.

    Attributes:
        pool: of the scenes.
        attempts: family -> its slots, by subtype.
        fours: the candidates of a slot, or why there are none.
        ask: the question of a slot.
        rationales: whether items may get one.
    """

    pool: str
    attempts: Mapping[str, Callable[[Oracle, Preset, np.random.Generator], Attempts]]
    fours: Callable[[Album, Slot, Preset, np.random.Generator], list[Four] | str]
    ask: Callable[[Slot, bool, np.random.Generator], str]
    rationales: bool = True


def _fours(album: Album, slot: Slot, preset: Preset, rng: np.random.Generator) -> list[Four] | str:
    return (even_fours if preset.anchored else paper_fours)(album, slot, preset, rng)


COLLISIONS = Manner(POOL, ATTEMPTS, _fours, ask)


def plan_selection(
    films: SceneFilms,
    preset: Preset,
    seed: int,
    families: Iterable[str] = ("event", "time", "window"),
    manner: Manner = COLLISIONS,
) -> tuple[list[SelectionDraft], Counter[str]]:
    """Drafts of a scene, and what was dropped by reason.

    Args:
        films: the scene.
        preset: how items are made.
        seed: of the release.
        families: which to make; ``matched`` alone for ``selection_matched``.
        manner: how slots, candidates and questions of these scenes are found.

    Returns:
        in ``balanced`` several drafts a slot, of which :func:`.selecting.select` takes one.
    """
    album = Album(films)
    dropped: Counter[str] = Counter()
    drafts: list[SelectionDraft] = []
    for family in families:
        rng = generator(seed, manner.pool, films.scene, "selection", preset.name, family)
        taken: set[tuple[int, int]] = set()
        for tried in manner.attempts[family](films.factual.oracle, preset, rng):
            if len(taken) >= preset.slots[family]:
                break
            for attempt in tried:
                made = attempt if isinstance(attempt, str) else _draft(album, attempt, preset, manner, taken, rng)
                if isinstance(made, str):
                    dropped[f"{family}: {made}"] += 1
                    continue
                taken.add((made[0].cut, made[0].target))
                drafts += [dataclasses.replace(one, slot=f"{family} {len(taken)}") for one in made]
                break
    return drafts, dropped


def _draft(
    album: Album,
    slot: Slot,
    preset: Preset,
    manner: Manner,
    taken: set[tuple[int, int]],
    rng: np.random.Generator,
) -> list[SelectionDraft] | str:
    """The drafts of one slot, or why there are none."""
    if (slot.cut, slot.target) in taken:
        return TAKEN
    fours = manner.fours(album, slot, preset, rng)
    if isinstance(fours, str):
        return fours
    rationale = ""
    if preset.rationales and manner.rationales:
        rationale = narrate(observe(album.films.factual.oracle, slot.cut, slot.target), rng)
        if not rationale:
            return NO_RATIONALE
    query = manner.ask(slot, preset.anchored, rng)
    return [_of(album, slot, four, ordinal, query, rationale) for ordinal, four in enumerate(fours)]


def _of(album: Album, slot: Slot, four: Four, ordinal: int, query: str, rationale: str) -> SelectionDraft:
    return SelectionDraft(
        scene=album.films.scene,
        slot="",
        ordinal=ordinal,
        family=slot.family,
        subtype=slot.subtype,
        query=query,
        first=slot.first,
        cut=slot.cut,
        target=slot.target,
        horizon=slot.horizon,
        places=four.places,
        rank=four.rank,
        kinds=four.kinds,
        focus=tuple(sorted(slot.focus)),
        margin=four.margin,
        rules=picks(album, four.places, slot.cut),
        rationale=rationale,
    )
