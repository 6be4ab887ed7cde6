"""Which after mask is which before mask (paper, B.2, "Matching objects across frames")."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.perception.base import Tracks
from flowbench.schema.real_meta import MatchEvidence, Sighting

from .likeness import correlation
from .masks import Layer
from .sighting import DECIMALS, length, pixels_of

LEAST_CORRELATION = 0.5
LEAST_CORRELATION_GENERIC = 0.75
MOST_AREA_FACTOR = 4
ENDPOINT_REACH = 60.0
"""Pixels from a tracked endpoint to the mask that it tells of; a generic label must lie as near too."""
LEAST_TRACKED = 0.05
"""Share of a mask's pixels that must be tracked for its tracks to say anything."""
CLEARER = 0.02
"""Correlation by which the best of several candidates must be better than the next, where colour alone decides."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A measured mask.

    Attributes:
        index: in its layer.
        sighting: what was measured.
        colours: its histogram.
    """

    index: int
    sighting: Sighting
    colours: NDArray[np.int64]


@dataclass(frozen=True)
class Match:
    """Indices into the lists of seen masks before and after, and why."""

    before: int
    after: int
    evidence: MatchEvidence


@dataclass(frozen=True)
class _Candidate:
    """A pair that may match, with what speaks for it; ``order`` sorts the stronger first."""

    before: int
    after: int
    kind: str
    correlation: float
    endpoint: float | None
    order: tuple[int, float, int, int]


def match(
    before: Sequence[Seen], after: Sequence[Seen], layers: tuple[Layer, Layer], tracks: Tracks, travel: float
) -> list[Match]:
    """The matches, each mask at most once; strongest evidence first.

    Args:
        before, after: measured masks of both pictures.
        layers: the masks themselves.
        tracks: of I0's pixels.
        travel: farthest that an object may travel, metres.
    """
    ends = [endpoint(tracks, layers[0].mask(seen.index)) for seen in before]
    counts = tuple(
        Counter(layer.masks[seen.index].label for seen in side)
        for layer, side in zip(layers, (before, after), strict=True)
    )
    points = [np.stack(pixels_of(layers[1].mask(seen.index))[::-1], axis=1) for seen in after]
    candidates = []
    for i, first in enumerate(before):
        label = layers[0].masks[first.index].label
        alone = counts[0][label] == counts[1][label] == 1
        for j, second in enumerate(after):
            if layers[1].masks[second.index].label != label:
                continue
            generic = layers[0].masks[first.index].kind == "generic"
            found = _candidate((i, first, ends[i]), (j, second, points[j]), generic, alone, travel)
            if found is not None:
                candidates.append(found)
    return _settle(candidates)


def _candidate(
    start: tuple[int, Seen, tuple[float, float] | None],
    end: tuple[int, Seen, NDArray[np.int64]],
    generic: bool,
    alone: bool,
    travel: float,
) -> _Candidate | None:
    """What speaks for a pair of one label; None where something speaks against it."""
    (i, first, predicted), (j, second, points) = start, end
    small, large = sorted((first.sighting.area, second.sighting.area))
    if large >= MOST_AREA_FACTOR * small:
        return None
    way = [b - a for a, b in zip(first.sighting.position, second.sighting.position, strict=True)]
    alike = correlation(first.colours, second.colours)
    if length(way) > travel or alike < (LEAST_CORRELATION_GENERIC if generic else LEAST_CORRELATION):
        return None
    reach = None if predicted is None else distance_to(points, predicted)
    near = reach if reach is not None else distance_to(points, (first.sighting.pixel[0], first.sighting.pixel[1]))
    if generic and near > ENDPOINT_REACH:
        return None
    if reach is not None and reach <= ENDPOINT_REACH:
        return _Candidate(i, j, "track", alike, reach, (0, reach, i, j))
    kind = "unique" if alone and not generic else "colour"
    return _Candidate(i, j, kind, alike, reach, (1 if kind == "unique" else 2, -alike, i, j))


def _settle(candidates: Sequence[_Candidate]) -> list[Match]:
    """Take candidates in order; where colour alone decides, only a clear winner."""
    taken: tuple[set[int], set[int]] = set(), set()
    found = []
    for each in sorted(candidates, key=lambda candidate: candidate.order):
        if each.before in taken[0] or each.after in taken[1]:
            continue
        if each.kind == "colour" and _contested(each, candidates, taken):
            continue
        taken[0].add(each.before)
        taken[1].add(each.after)
        reach = None if each.endpoint is None else round(each.endpoint, DECIMALS)
        evidence = MatchEvidence(kind=each.kind, correlation=each.correlation, endpoint=reach)
        found.append(Match(each.before, each.after, evidence))
    return sorted(found, key=lambda each: each.before)


def _contested(one: _Candidate, candidates: Sequence[_Candidate], taken: tuple[set[int], set[int]]) -> bool:
    """Whether another free candidate for one of the masks is about as alike."""
    return any(
        other is not one
        and (other.before == one.before) != (other.after == one.after)
        and other.before not in taken[0]
        and other.after not in taken[1]
        and other.correlation > one.correlation - CLEARER
        for other in candidates
    )


def endpoint(tracks: Tracks, mask: NDArray[np.bool_]) -> tuple[float, float] | None:
    """(u, v) where a mask's middle ends up: the median of its tracked pixels' ends; None where hardly any is."""
    rows, columns = pixels_of(mask & tracks.tracked)
    if rows.size == 0 or rows.size < LEAST_TRACKED * int(np.count_nonzero(mask)):
        return None
    way = tracks.displacement[rows, columns].astype(np.float64)
    return float(np.median(columns + way[:, 0])), float(np.median(rows + way[:, 1]))


def distance_to(points: NDArray[np.int64], pixel: tuple[float, float]) -> float:
    """Pixels from a place to the nearest of some pixels, (N, 2) columns and rows."""
    du, dv = points[:, 0] - pixel[0], points[:, 1] - pixel[1]
    return math.sqrt(float((du * du + dv * dv).min()))
