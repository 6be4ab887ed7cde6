"""Blind rules over four pictures: what they earn must stay near a guess (quality.md, "Shortcuts").

Every rule gives the set of candidates that it cannot choose between; its worth is the chance that a guess among them
is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Seen:
    """What a blind reader sees of an item.

    Attributes:
        pictures: the four candidates in the order of their letters, (H, W, 3).
        last: the last picture of the observation.
        times: the candidates' places in time, any numbers that order them.
        objects: how many objects each candidate shows.
        gaps: metres between the two objects in each candidate that are closest together.
        right: index of the right one.
    """

    pictures: tuple[Picture, ...]
    last: Picture
    times: tuple[int, ...]
    objects: tuple[int, ...]
    gaps: tuple[float, ...]
    right: int


def unlikeness(one: Picture, other: Picture) -> float:
    """Mean absolute difference of all channels."""
    return float(np.abs(one.astype(np.int16) - other.astype(np.int16)).mean())


def _most(values: Sequence[float]) -> frozenset[int]:
    best = max(values)
    return frozenset(place for place, value in enumerate(values) if value == best)


def _apart(seen: Seen) -> list[float]:
    """Of each picture, how unlike the others it is in sum."""
    far = [0.0] * len(seen.pictures)
    for one, other in combinations(range(len(far)), 2):
        way = unlikeness(seen.pictures[one], seen.pictures[other])
        far[one] += way
        far[other] += way
    return far


def medoid(seen: Seen) -> frozenset[int]:
    """The picture that is most like the others."""
    return _most([-each for each in _apart(seen)])


def odd_one_out(seen: Seen) -> frozenset[int]:
    """The picture that is least like the others."""
    return _most(_apart(seen))


def nearest(seen: Seen) -> frozenset[int]:
    """The picture that is most like the last one of the observation."""
    return _most([-unlikeness(picture, seen.last) for picture in seen.pictures])


def most_visible(seen: Seen) -> frozenset[int]:
    """The pictures that show the most objects."""
    return _most([float(count) for count in seen.objects])


def closest_pair(seen: Seen) -> frozenset[int]:
    """The picture in which two objects are closest together, as if they had just met."""
    return _most([-gap for gap in seen.gaps])


def _letter(place: int) -> Callable[[Seen], frozenset[int]]:
    return lambda seen: frozenset({place})


def _rank(number: int) -> Callable[[Seen], frozenset[int]]:
    return lambda seen: frozenset({sorted(range(4), key=lambda place: (seen.times[place], place))[number - 1]})


RULES: Mapping[str, Callable[[Seen], frozenset[int]]] = {
    **{f"letter {letter}": _letter(place) for place, letter in enumerate("ABCD")},
    **{f"rank {number}": _rank(number) for number in (1, 2, 3, 4)},
    "medoid": medoid,
    "odd one out": odd_one_out,
    "nearest to the last seen": nearest,
    "most objects visible": most_visible,
    "closest pair": closest_pair,
}


def worth(rule: Callable[[Seen], frozenset[int]], items: Sequence[Seen]) -> float:
    """Share of items that a rule gets right, ties guessed."""
    if not items:
        return 0.0
    hits = [1.0 / len(picked) if seen.right in picked else 0.0 for seen in items for picked in (rule(seen),)]
    return float(np.mean(hits))
