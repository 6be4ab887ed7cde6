"""How many of each type a home gets: what its rooms need, and as much more as its number of objects asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from .catalogue import ObjectType
from .plan import RoomPlan
from .tables import Range

_LARGE = 6
"""Homes of so many rooms hold the most objects."""
_FURNITURE = 0.6
"""Share of a home's objects that stand on the floor or hang, aimed at."""
_SPREAD = 0.4
"""Share of the range of objects that homes with equally many rooms spread over."""


def number_of_objects(rng: np.random.Generator, objects: Range, rooms: int) -> int:
    """How many objects a home of so many rooms shall hold: within the style's range, more in larger homes."""
    low, high = objects
    size = min(rooms - 1, _LARGE - 1) / (_LARGE - 1)
    return round(low + (high - low) * ((1.0 - _SPREAD) * size + _SPREAD * float(rng.random())))


def bounds_in(kind: ObjectType, room: RoomPlan) -> tuple[int, int]:
    """Fewest and most of a type in a room: the sum over what the room is used for; (0, 0) where it does not belong."""
    rows = [kind.rooms[use] for use in room.uses if use in kind.rooms]
    return sum(int(row[0]) for row in rows), sum(int(row[1]) for row in rows)


def furniture(
    rng: np.random.Generator,
    rooms: Iterable[RoomPlan],
    catalogue: Mapping[str, ObjectType],
    lamps: tuple[int, int],
    wanted: int,
) -> list[list[tuple[ObjectType, int]]]:
    """What stands on the floor or hangs in each room, with its number.

    Every room gets the fewest that the rows say; of the rest each piece comes with one chance for the whole home,
    chosen so that somewhat more than half of the ``wanted`` objects are such pieces, and larger in spacious rooms.

    Args:
        rng: the generator.
        rooms: the home's.
        catalogue: all types.
        lamps: least and most ceiling lamps of a room.
        wanted: objects of the home.
    """
    kinds = [kind for kind in catalogue.values() if kind.placement not in ("surface", "ceiling")]
    ceiling = [kind for kind in catalogue.values() if kind.placement == "ceiling"]
    rows = [[(kind, *bounds_in(kind, room)) for kind in kinds] for room in rooms]
    sure = sum(int(fewest) for row in rows for _, fewest, _ in row)
    optional = sum(int(most - fewest) for row in rows for _, fewest, most in row)
    chance = (_FURNITURE * wanted - sure) / max(optional, 1)
    chosen = []
    for room, row in zip(rooms, rows, strict=True):
        spacious = room.area / (14.0 * len(room.uses))
        here = min(max(chance * min(max(spacious, 0.6), 1.6), 0.03), 0.9)
        counts = [
            (kind, fewest + int(np.count_nonzero(rng.random(most - fewest) < here))) for kind, fewest, most in row
        ]
        counts += [(kind, _lamps(rng, room, lamps)) for kind in ceiling if bounds_in(kind, room)[1]]
        chosen.append([(kind, count) for kind, count in counts if count])
    return chosen


def _lamps(rng: np.random.Generator, room: RoomPlan, lamps: tuple[int, int]) -> int:
    """Ceiling lamps, at least 1.2 m apart along the room."""
    return min(int(rng.integers(lamps[0], lamps[1] + 1)), max(1, int(max(room.bounds.size) / 1.2) - 1))
