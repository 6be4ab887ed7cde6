"""Retrieval queries, derived again: what builders promise, what a removal must change, what the corpus may hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..recompute.rules import Finding
from .events import unforeseen
from .facts import FRAMES, TRUE_RUN, RunFacts

Place = tuple[str, int]
"""A run's name and a frame."""

TIMED: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((24, 127), (49, 127), (74, 127)),
    2: ((49, 61), (49, 74), (49, 87), (49, 99)),
}
"""Builder -> its (last observed frame, target)."""
EVENTFUL: Mapping[int, tuple[int, int]] = {3: (10, 0), 4: (0, 25), 5: (25, 0), 6: (13, 13)}
"""Builder -> frames from the observation's end to the contact, and from there to the target."""
FPS = 25
CLEAR = 6
ELSEWHERE_PX = 20.0
WRONG_TIMES = 3
_STATED = re.compile(r"(\d+(?:\.\d+)?) seconds")


@dataclass(frozen=True)
class QueryFacts:
    """What a query says of itself.

    Attributes:
        preset, query: its preset's name and its text.
        builder: 1 to 6; 0 of a counterfactual one.
        first, last: frames of the observation.
        target: the run and frame to be found.
        negatives: hard negatives.
        removed: number of the object taken away, or None.
    """

    preset: str
    query: str
    builder: int
    first: int
    last: int
    target: Place
    negatives: tuple[Place, ...]
    removed: int | None = None


def check_query(query: QueryFacts, runs: Mapping[str, RunFacts]) -> Iterator[Finding]:
    """Times and contacts of a query, the time it states, its negatives, and in ``balanced`` that it can be foreseen."""
    run, frame = runs[query.target[0]], query.target[1]
    if not 0 <= query.first <= query.last < frame < FRAMES:
        yield Finding("order", f"frames {query.first} to {query.last}, target {frame}", "in order, in the video")
        return
    if query.builder == 0:
        yield from _check_removal(query, runs)
    elif query.target[0] != TRUE_RUN:
        yield Finding("target", f"a frame of {query.target[0]}", f"one of {TRUE_RUN}")
    elif query.builder in TIMED:
        if query.first != 0 or (query.last, frame) not in TIMED[query.builder]:
            yield Finding(
                "moment", f"frames {query.first} to {query.last}, target {frame}", f"builder {query.builder}'s"
            )
    else:
        yield from _check_contact(query, run)
    yield from _check_stated(query)
    yield from check_apart(query.target, query.negatives)
    yield from _check_negatives(query)
    if query.preset == "balanced":
        why = unforeseen(run, query.last, frame)
        if why is not None:
            yield Finding("foreseeable", f"a {why} object touches something before frame {frame}", "none")


def _check_contact(query: QueryFacts, run: RunFacts) -> Iterator[Finding]:
    """The contact comes when the builder says, as the next one."""
    lead, after = EVENTFUL[query.builder]
    shown, length = query.last + lead, query.last - query.first + 1
    if query.target[1] != shown + after:
        yield Finding("moment", f"target {query.target[1]}", f"{shown + after}")
    at, before = len(run.shown_in(shown - 1, shown)), len(run.shown_in(query.last, shown - 1))
    if at != 1 or before:
        yield Finding("next contact", f"{at} first shown by frame {shown}, {before} before", "one and none")
    if not 16 <= length <= 50:
        yield Finding("observation", f"{length} frames", "16 to 50")


def _check_removal(query: QueryFacts, runs: Mapping[str, RunFacts]) -> Iterator[Finding]:
    """The removed object touched nothing, others move, and there are decoys without it."""
    true, frame = runs[TRUE_RUN], query.target[1]
    if query.removed is None or query.target[0] != f"without-{query.removed}":
        yield Finding("removal", f"target of {query.target[0]}, removed {query.removed}", "a run without the object")
        return
    if any(query.removed in hit.objects for hit in true.shown_in(-1, query.last)):
        yield Finding("removal", "the removed object touches something in the observation", "nothing")
    if displaced(true, runs[query.target[0]], query.removed, frame) < ELSEWHERE_PX:
        yield Finding("removal", "no other object lies elsewhere", f"one at least {ELSEWHERE_PX:g} px away")
    wrong = [place for place in query.negatives if place[0] == query.target[0]]
    if len(wrong) < WRONG_TIMES:
        yield Finding("decoys", f"{len(wrong)} wrong times of the run without it", f"{WRONG_TIMES} at least")
    if (f"erased-{query.removed}", frame) not in query.negatives:
        yield Finding("decoys", "the factual frame with the object erased is missing", "it is there")


def displaced(true: RunFacts, without: RunFacts, removed: int, frame: int) -> float:
    """Pixels that the farthest other object, seen without the removed one, is away from its factual place.

    Args:
        true, without: both with the same numbers for the same objects.
        removed: whose way does not count.
        frame: of both.
    """
    ways = [0.0]
    for each in range(len(true.enters)):
        if each != removed and without.sees(frame, each):
            u, v = (float(a - b) for a, b in zip(true.pixels[frame, each], without.pixels[frame, each], strict=True))
            ways.append(math.hypot(u, v))
    return max(way for way in ways if math.isfinite(way))


def _check_stated(query: QueryFacts) -> Iterator[Finding]:
    """The time in the text is that from the anchor to the target."""
    stated = [float(each) for each in _STATED.findall(query.query)]
    lead, after = EVENTFUL.get(query.builder, (0, query.target[1] - query.last))
    expected = [after / FPS] if after else []
    if len(stated) != len(expected) or any(abs(a - b) > 0.005 + 1e-9 for a, b in zip(stated, expected, strict=True)):
        yield Finding("stated time", f"{query.query!r}", f"{expected}")
    if lead and "collision" not in query.query and "collide" not in query.query:
        yield Finding("anchor", f"{query.query!r}", "the next collision")


def _check_negatives(query: QueryFacts) -> Iterator[Finding]:
    """Where negatives come from, and their order: what was not seen yet first; pictures with a body erased in place.

    Of a removal the fourth is the target's moment with the body erased; after the wrong times come some of theirs.
    """
    own = [place for place in query.negatives if place[0] == query.target[0]]
    for number, place in enumerate(own):
        yield from check_apart(place, own[:number])
    seen = [frame <= query.last for _, frame in own]
    expected = [*own]
    if query.builder == 0:
        erased = f"erased-{query.removed}"
        expected.insert(WRONG_TIMES, (erased, query.target[1]))
        more = set(query.negatives[len(expected) :])
        expected += [(erased, frame) for _, frame in own if (erased, frame) in more]
    if list(query.negatives) != expected or seen != sorted(seen):
        found = ", ".join(f"{run} {frame}" for run, frame in query.negatives)
        yield Finding("order of negatives", found, "wrong times of the target's run, unseen first; then erased ones")


def check_apart(target: Place, others: Sequence[Place]) -> Iterator[Finding]:
    """No other corpus frame of the target's run lies within six frames of it."""
    for run, frame in others:
        if run == target[0] and (run, frame) != target and abs(frame - target[1]) <= CLEAR:
            yield Finding("near target", f"frame {frame} of {run}", f"more than {CLEAR} frames from {target[1]}")
