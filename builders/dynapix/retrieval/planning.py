"""From a scene to retrieval queries and the frames that it gives to the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.happenings import LAST, between, largest_shift, moment, seen, seen_bodies
from flowbench.builders.dynapix.items import CorpusFrame, Place, RetrievalQuery, factual
from flowbench.builders.dynapix.presets import Preset
from flowbench.builders.dynapix.scenes import FACTUAL, POOL, Removal, SceneFilms, split_of
from flowbench.builders.dynapix.selection.determined import undetermined
from flowbench.builders.dynapix.selection.phrasing import seconds_text
from flowbench.collisions.oracle import Oracle
from flowbench.seeding import generator

from .builders import BUILDERS, LEAST_OBSERVED, MOST_OBSERVED, Builder
from .corpus import frames_of
from .counterfactual import cut_of, interventions, without
from .laying import FEW_NEGATIVES, NEAR_TARGET, lay_run, lay_unasked, lay_without, wish_of
from .ledger import Ledger
from .negatives import negatives
from .phrasing import ask

FPS = 25
"""Retrieval's frames of a second, under every preset."""
NO_OBSERVATION = "no room for the observation"
NO_TARGET = "the target lies after the end"
NOT_NEXT = "another collision comes first"
AT_ONCE = "another collision at the same moment"
OUT_OF_SIGHT = "the collision is out of sight"
WISHES = 2
"""How often it is drawn where a removal's target is to stand among the frames of its run."""


@dataclass(frozen=True)
class _Asked:
    """A query before its negatives are found.

    Attributes:
        builder, anchor: as in :class:`RetrievalQuery`.
        kind: of its text.
        first, cut, target: the observation and what is asked for.
        seconds: that the text may state.
        removal, margin, wish: of a counterfactual query; the last as in :func:`.laying.lay_without`.
    """

    builder: int
    anchor: str
    kind: str
    first: int
    cut: int
    target: Place
    seconds: float
    removal: Removal | None = None
    margin: float = 0.0
    wish: tuple[int, int] = (0, 0)


def plan_retrieval(
    films: SceneFilms, preset: Preset, seed: int
) -> tuple[list[RetrievalQuery], list[CorpusFrame], Counter[str]]:
    """Queries of a scene, the frames that it offers to the corpus, and what was dropped by reason.

    Args:
        films: the scene, with its runs without one object.
        preset: how items are made.
        seed: of the release.

    Returns:
        queries; corpus frames, those that a query needs first; reasons. :func:`.corpus.select_retrieval` chooses among
        those of all scenes.
    """
    dropped: Counter[str] = Counter()
    ledger = Ledger(Album(films), preset)
    asked: list[_Asked] = []
    beside: dict[Place, tuple[Place, ...]] = {}
    rng = generator(seed, POOL, films.scene, "retrieval", preset.name)
    for name, most, tried in _proposals(films, preset, rng):
        found = 0
        for each in tried:
            if found == most:
                break
            if isinstance(each, str):
                dropped[f"{name}: {each}"] += 1
                continue
            claimed = _claim(ledger, each, rng)
            if isinstance(claimed, str):
                dropped[f"{name}: {claimed}"] += 1
                continue
            beside[each.target] = claimed
            asked.append(each)
            found += 1
    for removal in films.removals:
        cut = cut_of(films.factual.oracle, removal, rng)
        if cut is not None and not ledger.of_run(without(removal, 0).variant):
            lay_unasked(ledger, without(removal, 0).variant, cut, rng)
    lay_run(ledger, FACTUAL, rng)
    queries: list[RetrievalQuery] = []
    for one in asked:
        wrong = beside[one.target] or negatives(ledger, one.target, one.cut, preset.negatives, rng)
        if len(wrong) < preset.negatives:
            dropped[f"{_name(one.builder)}: {FEW_NEGATIVES}"] += 1
        else:
            queries.append(_query(films, one, wrong, preset, rng))
    return queries, frames_of(films.scene, ledger, queries), dropped


def _claim(ledger: Ledger, asked: _Asked, rng: np.random.Generator) -> tuple[Place, ...] | str:
    """Take a target in, of a counterfactual query with its negatives, which are returned; or why that cannot be."""
    if asked.removal is not None:
        return lay_without(ledger, asked.target, asked.cut, asked.wish, rng)
    return () if ledger.add(asked.target) else NEAR_TARGET


def _name(builder: int) -> str:
    return f"builder {builder}" if builder else "counterfactual"


def _proposals(
    films: SceneFilms, preset: Preset, rng: np.random.Generator
) -> Iterator[tuple[str, int, Iterator[_Asked | str]]]:
    """(name, queries wanted, attempts) of every builder and every removal."""
    oracle = films.factual.oracle
    for builder in BUILDERS:
        tried = _timed(oracle, builder, preset, rng) if builder.observed else _evented(oracle, builder, preset, rng)
        yield _name(builder.number), builder.events, tried
    for removal in films.removals:
        yield _name(0), 1, _counterfactual(oracle, removal, preset, rng)


def _timed(oracle: Oracle, builder: Builder, preset: Preset, rng: np.random.Generator) -> Iterator[_Asked | str]:
    moments = builder.moments()
    for index in rng.permutation(len(moments)).tolist():
        cut, target = moments[index]
        about = seen_bodies(oracle, cut)
        why = undetermined(oracle, (0, cut), target, about) if preset.determined else None
        yield why or _Asked(builder.number, "time", "time", 0, cut, factual(target), (target - cut) / FPS)


def _evented(oracle: Oracle, builder: Builder, preset: Preset, rng: np.random.Generator) -> Iterator[_Asked | str]:
    for index in rng.permutation(len(oracle.collisions)).tolist():
        yield event_query(oracle, builder, index, preset)


def event_query(oracle: Oracle, builder: Builder, index: int, preset: Preset) -> _Asked | str:
    """What an event builder asks about a collision, or why nothing."""
    collision = oracle.collisions[index]
    when = moment(collision)
    cut, target = when - builder.lead, when + builder.after
    first = max(0, cut - MOST_OBSERVED + 1)
    if cut - first + 1 < LEAST_OBSERVED:
        return NO_OBSERVATION
    if target > LAST:
        return NO_TARGET
    if any(each is not collision for each in between(oracle, cut, when)):
        return NOT_NEXT
    if any(each is not collision for each in between(oracle, when - 1, when)):
        return AT_ONCE
    if not all(seen(oracle, frame, body) for frame in (cut, when) for body in collision.pair):
        return OUT_OF_SIGHT
    why = undetermined(oracle, (first, cut), target, collision.pair) if preset.determined else None
    if why is not None:
        return why
    kind = "contact" if not builder.lead else "after_next" if builder.after else "next"
    return _Asked(builder.number, "event", kind, first, cut, factual(target), builder.after / FPS)


def _counterfactual(
    oracle: Oracle, removal: Removal, preset: Preset, rng: np.random.Generator
) -> Iterator[_Asked | str]:
    found = list(interventions(oracle, removal, preset, rng))
    yield from (each for each in found if isinstance(each, str))
    for wish in (wish_of(rng) for _ in range(WISHES)):
        for each in found:
            if not isinstance(each, str):
                target = without(removal, each.target)
                seconds = (each.target - each.cut) / FPS
                yield _Asked(
                    0, "counterfactual", "without", each.first, each.cut, target, seconds, removal, each.margin, wish
                )


def _query(
    films: SceneFilms, asked: _Asked, wrong: tuple[Place, ...], preset: Preset, rng: np.random.Generator
) -> RetrievalQuery:
    """The finished query."""
    oracle = films.factual.oracle
    name, margin = None, asked.margin
    if asked.removal is None:
        bodies = seen_bodies(oracle, asked.target.frame)
        there = oracle, asked.target.frame
        margin = min(largest_shift((oracle, place.frame), there, bodies) for place in wrong)
    else:
        name = oracle.bodies[asked.removal.removed].name
    holes = {"seconds": seconds_text(asked.seconds), "name": name or ""}
    return RetrievalQuery(
        scene=films.scene,
        split=split_of(films.scene),
        builder=asked.builder,
        anchor=asked.anchor,
        query=ask(asked.kind, preset.anchored, rng, **holes),
        first=asked.first,
        cut=asked.cut,
        target=asked.target,
        horizon=asked.target.frame - asked.cut,
        negatives=wrong,
        removed=name,
        margin=margin,
    )
