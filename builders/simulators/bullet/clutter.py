"""Small objects on surfaces: what each room needs first, then more over the whole home until it is full enough."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from .amounts import bounds_in
from .catalogue import ObjectType
from .model import Model
from .settings import set_tables
from .space import RoomSpace, footprint
from .surfaces import Top, put

_SURFACES_TRIED = 6
_LIKING = 0.04
"""How much fuller each next carrier of a row counts than the one before."""
_MOST_LEFT = 0.25
"""Square metres of one surface that draw objects into a room: a bed is large, and mostly bare."""
_FILLS = (0.4, 0.55, 0.7)
"""Shares of the surfaces that may be covered: the next one where a home still lacks objects."""
_REPEATS = 3
"""At most so many times a row's most may lie in a room of a home that needs filling."""


def scatter(
    rng: np.random.Generator, style: str, spaces: Sequence[RoomSpace], catalogue: Mapping[str, ObjectType], wanted: int
) -> None:
    """Put small objects on the furniture of a home, about ``wanted`` in all.

    Tables are laid first, then every room gets the fewest of each type that its rows say, the largest first; the
    rest goes where most room is left.
    """
    kinds = [kind for kind in catalogue.values() if kind.placement == "surface"]
    shelves = [_Shelves(rng, style, space, kinds) for space in spaces]
    placed = set_tables(rng, style, spaces, catalogue, [s.tops for s in shelves])
    for room in shelves:
        placed += room.needed(max(wanted - placed, 0))
    for fill in _FILLS:
        for room in shelves:
            room.fill_up_to(fill)
        while placed < wanted:
            chosen = _some(rng, [room.room_left() for room in shelves])
            if chosen is None:
                break
            placed += shelves[chosen].more()


def _some(rng: np.random.Generator, weights: Sequence[float]) -> int | None:
    """An index with a chance in proportion to its weight; None where none has any."""
    ends = np.cumsum(weights)
    if not len(ends) or ends[-1] <= 0.0:
        return None
    return min(int(np.searchsorted(ends, float(rng.random()) * float(ends[-1]), side="right")), len(ends) - 1)


class _Shelves:
    """A room's surfaces and the small objects that belong there."""

    def __init__(self, rng: np.random.Generator, style: str, space: RoomSpace, kinds: Sequence[ObjectType]) -> None:
        self._rng, self._style, self._space = rng, style, space
        self.tops = [Top(item, surface) for item in space.items for surface in item.model.surfaces]
        carriers = {top.item.kind.name for top in self.tops}
        rows = [(kind, *bounds_in(kind, space.plan)) for kind in kinds if carriers.intersection(kind.on)]
        self._fewest = [(kind, fewest) for kind, fewest, _ in rows if fewest]
        self._rows = {kind.name: (kind, most) for kind, _, most in rows if most}
        self._have: Counter[str] = Counter()

    def fill_up_to(self, share: float) -> None:
        """Let the surfaces take more, of every type again."""
        self._most = dict(self._rows)
        for top in self.tops:
            top.fill = share

    def needed(self, limit: int) -> int:
        """Put the fewest of each type, ``limit`` in all at most; how many found a place."""
        drawn = [(kind, kind.make(self._rng, self._style)) for kind, fewest in self._fewest for _ in range(fewest)]
        drawn.sort(key=lambda pair: -max(footprint(pair[1], 0.0)[0].size))
        return sum(int(self._put(kind, model)) for kind, model in drawn[:limit])

    def more(self) -> int:
        """Put one more object, of a type that the room has few of: 1, or 0 when it found no place."""
        rows = list(self._most.values())
        scarce = [most / (1 + have * have) for most, have in ((most, self._have[kind.name]) for kind, most in rows)]
        kind, _ = rows[_some(self._rng, scarce) or 0]
        done = self._put(kind, kind.make(self._rng, self._style))
        if not done or self._have[kind.name] >= _REPEATS * self._most[kind.name][1]:
            del self._most[kind.name]
        return done

    def room_left(self) -> float:
        """Square metres of surface that may still be covered; 0 when nothing more finds a place."""
        return math.fsum(min(max(top.left, 0.002), _MOST_LEFT) for top in self.tops) if self._most else 0.0

    def _put(self, kind: ObjectType, model: Model) -> int:
        """Try the emptiest surfaces first, those that the row names first before the others, with some chance."""
        fitting = [top for top in self.tops if top.item.kind.name in kind.on]
        noise = self._rng.random(len(fitting))
        liked = [_LIKING * kind.on.index(top.item.kind.name) for top in fitting]
        order = sorted(range(len(fitting)), key=lambda i: fitting[i].load + liked[i] + 0.15 * float(noise[i]))
        for top in (fitting[i] for i in order[:_SURFACES_TRIED]):
            if put(self._rng, self._space, kind, model, top):
                self._have[kind.name] += 1
                return 1
        return 0
