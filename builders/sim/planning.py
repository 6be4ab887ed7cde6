"""Planning one view: executed trials shared by all categories, and the candidates each reads off them (paper A.2)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from flowbench.builders.simulators.base import SceneObject, Simulator

from .categories import CATEGORIES
from .categories.base import Category
from .items import Item, Reject
from .move import Move, length_band
from .presets import Preset
from .trial import Trial, attempt
from .view import Sight

Streams = Callable[..., np.random.Generator]
"""Makes the generator of a stage: ``streams("moves", "left_right")``."""


def plan_view(
    simulator: Simulator, before: Sight, room_id: str, preset: Preset, streams: Streams
) -> tuple[Mapping[str, Sequence[tuple[Item, str]]], Counter[str]]:
    """Find labelled items for every category of one view.

    Args:
        simulator: with the scene loaded, as ``before`` shows it; it is left so.
        before: what the view shows.
        room_id: the room the camera stands in: only what is there moves.
        preset: the numbers that hold.
        streams: explicit generators by stage.

    Returns:
        category -> its (item, mover type), at most ``preset.per_cell`` a cell or ``preset.per_slot`` in all; and
        rejects by reason.
    """
    rejects: Counter[str] = Counter()
    trials: list[Trial] = []
    movers = [item for item in before.nameable if item.room_id == room_id and before.is_mover(item, preset)]
    for mover, move in itertools.islice(_interleaved(before, movers, preset, streams), preset.trials):
        outcome = attempt(simulator, before, mover, move, preset)
        if isinstance(outcome, Reject):
            rejects[outcome.reason] += 1
        else:
            trials.append(outcome)
    found: dict[str, Sequence[tuple[Item, str]]] = {}
    for name, category in CATEGORIES.items():
        rng = streams("items", name)
        items = list(_read(category, trials, rng, rejects))
        found[name] = _spread(items, preset, rng)
        if not items:
            rejects[f"{name}: nothing to ask in this view"] += 1
    return found, rejects


def _interleaved(
    before: Sight, movers: Sequence[SceneObject], preset: Preset, streams: Streams
) -> Iterator[tuple[SceneObject, Move]]:
    """Every category's motions of every mover, taking turns, so that a small budget serves all; none twice."""
    queues = []
    for name, category in CATEGORIES.items():
        rng = streams("moves", name)
        shuffled = [movers[index] for index in rng.permutation(len(movers)).tolist()]
        per_mover = [[(mover, move) for move in category.moves(before, mover, preset, rng)] for mover in shuffled]
        rounds = itertools.zip_longest(*per_mover)
        queues.append([pair for group in rounds for pair in group if pair is not None])
    seen: set[tuple[str, Move]] = set()
    for turn in itertools.zip_longest(*queues):
        for pair in turn:
            if pair is not None and (key := (pair[0].object_id, pair[1])) not in seen:
                seen.add(key)
                yield pair


def _read(
    category: Category, trials: Sequence[Trial], rng: np.random.Generator, rejects: Counter[str]
) -> Iterator[tuple[Item, str]]:
    """Items of all trials with their mover's type; rejects are counted."""
    for trial in trials:
        for item in category.items(trial, rng):
            if isinstance(item, Reject):
                rejects[item.reason] += 1
            elif not trial.has_room_for_dots((item.mover, *item.landmarks), kept=category.keeps_dots):
                rejects["mark: dots would overlap"] += 1
            else:
                yield item, trial.mover.object_type


def _spread(items: Sequence[tuple[Item, str]], preset: Preset, rng: np.random.Generator) -> Sequence[tuple[Item, str]]:
    """A few items of each cell, as different as can be in mover, direction, threshold and landmark."""
    kept: list[tuple[Item, str]] = []
    order = [items[index] for index in rng.permutation(len(items)).tolist()]
    cells = sorted({item.cell for item, _ in items})
    for cell in cells:
        pool = [pair for pair in order if pair[0].cell == cell]
        used: Counter[object] = Counter()
        for _ in range(min(max(preset.per_cell, preset.per_slot // len(cells)), len(pool))):
            alike = [sum(used[trait] for trait in _traits(item, preset)) for item, _ in pool]
            item = pool.pop(alike.index(min(alike)))
            used.update(_traits(item[0], preset))
            kept.append(item)
    return kept


def _traits(item: Item, preset: Preset) -> tuple[object, ...]:
    """What makes two items of a slot look alike."""
    band = length_band(item.move.length, preset.length_bands)
    return item.mover, (item.move.direction, item.relation), item.threshold, item.landmarks, band
