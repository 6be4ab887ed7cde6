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
from flowbench.builders.dynapix.scenes import POOL, Removal, SceneFilms, split_of
from flowbench.builders.dynapix.selection.determined import undetermined
from flowbench.builders.dynapix.selection.phrasing import seconds_text
from flowbench.collisions.oracle import Oracle
from flowbench.seeding import generator

from .builders import BUILDERS, LEAST_OBSERVED, MOST_OBSERVED, Builder
from .corpus import frames_of
from .counterfactual import decoys, interventions
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
NEAR_TARGET = "too near the target of another query"
FEW_NEGATIVES = "too few hard negatives"
NO_DECOY = "a decoy cannot be told from a target"


@dataclass(frozen=True)
class _Asked:
    """A query before its negatives are found.

    Attributes:
        builder, anchor: as in :class:`RetrievalQuery`.
        kind: of its text.
        first, cut, target: the observation and what is asked for.
        seconds: that the text may state.
        removal, margin: of a counterfactual query.
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
    rng = generator(seed, POOL, films.scene, "retrieval", preset.name)
    for name, most, tried in _proposals(films, preset, rng):
        found = 0
        for each in tried:
            if found == most:
                break
            if isinstance(each, str):
                dropped[f"{name}: {each}"] += 1
            elif not ledger.claim(each.target):
                dropped[f"{name}: {NEAR_TARGET}"] += 1
            else:
                asked.append(each)
                found += 1
    queries: list[RetrievalQuery] = []
    for one in asked:
        query = _with_negatives(films, ledger, one, preset, rng)
        if isinstance(query, str):
            dropped[f"{_name(one.builder)}: {query}"] += 1
        else:
            queries.append(query)
    return queries, frames_of(films.scene, ledger, queries, rng), dropped


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
        why = undetermined(oracle, cut, target) if preset.determined else None
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
    why = undetermined(oracle, cut, target) if preset.determined else None
    if why is not None:
        return why
    kind = "contact" if not builder.lead else "after_next" if builder.after else "next"
    return _Asked(builder.number, "event", kind, first, cut, factual(target), builder.after / FPS)


def _counterfactual(
    oracle: Oracle, removal: Removal, preset: Preset, rng: np.random.Generator
) -> Iterator[_Asked | str]:
    for each in interventions(oracle, removal, preset, rng):
        if isinstance(each, str):
            yield each
            continue
        target = Place(f"without-{removal.removed}", each.target)
        seconds = (each.target - each.cut) / FPS
        yield _Asked(0, "counterfactual", "without", each.first, each.cut, target, seconds, removal, each.margin)


def _with_negatives(
    films: SceneFilms, ledger: Ledger, asked: _Asked, preset: Preset, rng: np.random.Generator
) -> RetrievalQuery | str:
    """The finished query, or why it cannot be told from what must be in the corpus."""
    wanted = preset.decoys if asked.removal else preset.negatives
    wrong = negatives(ledger, asked.target, asked.cut, wanted, rng)
    if len(wrong) < wanted:
        return FEW_NEGATIVES
    oracle = films.factual.oracle
    name = None
    if asked.removal is None:
        bodies = seen_bodies(oracle, asked.target.frame)
        there = oracle, asked.target.frame
        margin = min(largest_shift((oracle, place.frame), there, bodies) for place in wrong)
    else:
        beside = decoys(asked.removal, asked.target.frame)
        if not ledger.allows(beside[0]):
            return NO_DECOY
        wrong += tuple(place for place in beside if ledger.allows(place))
        margin = asked.margin
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
