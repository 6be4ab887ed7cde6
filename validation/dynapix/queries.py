"""Retrieval queries and corpus frames, derived again from the metadata."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from ..recompute.rules import Finding
from .facts import FRAMES, TRUE_RUN, RunFacts
from .movers import check_movers, colliding, known_at
from .opened import FrameName, OpenedFrame, OpenedQuery, frame_name
from .retrieval import EVENTFUL, QueryFacts, check_query, displaced
from .scenes import check_bodies, check_prefix, check_run

CLOSE: Final = 1e-6
"""Pixels that a margin may be off."""
CATEGORIES: Final = {0: "counterfactual", 1: "time", 2: "time", 3: "event", 4: "event", 5: "event", 6: "event"}
LEAST_NEGATIVES: Final = 4


def check_claims(sample: OpenedQuery) -> Iterator[Finding]:
    """Everything that a query claims and its metadata can show."""
    record, meta = sample.record, sample.meta
    yield from check_bodies(meta.setup)
    yield from check_run(meta.setup, meta.factual)
    if meta.without is not None:
        yield from check_run(meta.setup, meta.without, meta.removed)
    yield from check_prefix(record.prefix, sample.video is not None)
    if CATEGORIES.get(record.builder) != record.category:
        yield Finding("builder", f"{record.builder} of {record.category}", f"one of {CATEGORIES}")
        return
    yield from _check_removed(sample)
    names = {text: frame_name(text) for text in (record.target_frame_id, *record.negatives)}
    scene = record.provenance.scene
    strange = [
        text for text, name in names.items() if name is None or name.scene != scene or sample.poses(name) is None
    ]
    if strange:
        yield Finding("frame ids", f"{strange[:3]}", f"frames of scene {scene} and of runs in meta.txt")
        return
    found = {text: name for text, name in names.items() if name is not None}
    target = found[record.target_frame_id]
    if target.frame != record.target_frame or record.horizon != target.frame - record.prefix.last:
        stated = f"frame {record.target_frame}, {record.horizon} after the cut"
        yield Finding("target", stated, f"frame {target.frame}, {target.frame - record.prefix.last} after")
    if (
        len(set(record.negatives)) < max(LEAST_NEGATIVES, len(record.negatives))
        or record.target_frame_id in record.negatives
    ):
        yield Finding(
            "negatives", f"{record.negatives}", f"{LEAST_NEGATIVES} or more, none of them twice or the target"
        )
    yield from _check_derived(sample, target, [found[text] for text in record.negatives])


def _check_derived(sample: OpenedQuery, target: FrameName, negatives: list[FrameName]) -> Iterator[Finding]:
    """Moments and contacts, decoys, the margin."""
    record, meta = sample.record, sample.meta
    query = QueryFacts(
        preset=record.provenance.preset,
        query=record.query,
        builder=record.builder,
        first=record.prefix.first,
        last=record.prefix.last,
        target=(target.variant, target.frame),
        negatives=tuple((each.variant, each.frame) for each in negatives),
        removed=meta.removed,
    )
    runs = runs_of(sample)
    yield from check_query(query, runs)
    if query.preset == "balanced" and 0 <= query.first <= query.last < query.target[1] < FRAMES:
        yield from check_movers(meta.factual, query.first, query.last, _deciding(query, runs))
    if record.margin_unit != "px":
        yield Finding("margin_unit", record.margin_unit, "px")
    margin = _margin(query, runs)
    if abs(record.margin - margin) > CLOSE:
        yield Finding("margin", f"{record.margin!r}", f"{margin:.9g}")


def _deciding(query: QueryFacts, runs: Mapping[str, RunFacts]) -> set[int]:
    """Bodies that collide up to the target, and those that the query is about."""
    true, (name, frame) = runs[TRUE_RUN], query.target
    ahead = colliding(runs[name], query.last, frame)
    if query.builder in EVENTFUL:
        shown = query.last + EVENTFUL[query.builder][0]
        return ahead | colliding(true, shown - 1, shown)
    return (ahead | known_at(true, query.last)) - {query.removed}


def runs_of(sample: OpenedQuery) -> Mapping[str, RunFacts]:
    """The true run, and the run without the removed body."""
    meta = sample.meta
    runs = {TRUE_RUN: meta.factual.facts(meta.setup)}
    if meta.without is not None:
        runs[f"without-{meta.removed}"] = meta.without.facts(meta.setup)
    return runs


def _check_removed(sample: OpenedQuery) -> Iterator[Finding]:
    """Record and metadata remove the same body; all others move as they did up to the cut, to the bit."""
    record, meta = sample.record, sample.meta
    stated = None if record.intervention is None else record.intervention.body
    if stated != meta.removed or (stated is None) != (record.builder != 0):
        yield Finding("removal", f"builder {record.builder}, body {stated}", f"body {meta.removed} as in meta.txt")
        return
    if record.intervention is None or meta.without is None or meta.removed is None:
        return
    name = meta.setup.bodies[meta.removed].name
    if record.intervention.removed != name:
        yield Finding("removal", f"called {record.intervention.removed!r}", name)
    others = [body for body in range(len(meta.setup.bodies)) if body != meta.removed]
    seen = slice(0, record.prefix.last + 1)
    if not np.array_equal(meta.factual.poses[seen, others], meta.without.poses[seen, others]):
        yield Finding("removal", "others move otherwise before the cut", "as they did, to the bit")
    if not meta.factual.facts(meta.setup).sees(record.prefix.last, meta.removed):
        yield Finding("removal", "the removed body is not seen at the cut", "seen")


def _margin(query: QueryFacts, runs: Mapping[str, RunFacts]) -> float:
    """Pixels between the target and what is most like it; of a removal, between the two runs."""
    true, frame = runs[TRUE_RUN], query.target[1]
    if query.removed is not None:
        return displaced(true, runs[query.target[0]], query.removed, frame)
    bodies = [body for body in range(len(true.enters)) if true.sees(frame, body)]
    return min(max((_way(true, frame, other, body) for body in bodies), default=0.0) for _, other in query.negatives)


def _way(run: RunFacts, one: int, other: int, body: int) -> float:
    u, v = (float(a - b) for a, b in zip(run.pixels[one, body], run.pixels[other, body], strict=True))
    return math.hypot(u, v)


def check_frame(sample: OpenedFrame) -> Iterator[Finding]:
    """A corpus frame is called what it is, and shows what its name says."""
    record, frame = sample.record, sample.meta.frame
    yield from check_bodies(sample.meta.setup)
    if record.category != "frame" or record.id != record.frame_id:
        yield Finding("frame id", f"{record.frame_id} of {record.id}, a {record.category}", "the frame's id is the key")
    name = f"{record.provenance.scene:06d}-{record.variant}-{record.frame_index:03d}"
    if record.frame_id != name:
        yield Finding("frame id", record.frame_id, name)
    if (frame.variant, frame.frame) != (record.variant, record.frame_index):
        found = f"frame {frame.frame} of {frame.variant} in meta.txt"
        yield Finding("frame", found, f"frame {record.frame_index} of {record.variant} as in the record")
    parsed = frame_name(record.frame_id)
    body = None if parsed is None else parsed.body
    absent = [k for k in range(len(frame.poses)) if np.isnan(frame.poses[k]).any()]
    erased, missing = (body, []) if record.variant.startswith("erased") else (None, [] if body is None else [body])
    if frame.erased != erased or absent != missing:
        yield Finding("bodies of the frame", f"erased {frame.erased}, left out {absent}", f"{erased} and {missing}")
