"""Which scene is which: iTHOR's 120 rooms, and houses of a file.

Without a house file training takes iTHOR's train rooms and ``sim_test`` the others. With one, training takes its houses
and ``sim_test`` all 120 rooms, as the paper does. Kinds of rooms take turns, so that few scenes hold all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flowbench.builders.simulators.procthor.reading import houses_of
from flowbench.builders.simulators.procthor.schema import House, HouseError
from flowbench.errors import UsageError, unknown_name

from ..base import SceneError

TRAIN, TEST = "homes_train", "homes_test"
KINDS = (0, 200, 300, 400)
"""What the numbers of kitchens, living rooms, bedrooms and bathrooms begin from."""
TRAIN_ROOMS = range(1, 21)
OTHER_ROOMS = range(21, 31)
"""Of each kind: iTHOR's split has 20 train rooms, 5 to validate and 5 to test."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """A scene: an iTHOR room's name, or a house.

    Attributes:
        name: for messages and ``meta.txt``.
        request: what the client is given.
        house: the house as far as it is understood; None for rooms.
    """

    name: str
    request: str | Mapping[str, Any]
    house: House | None = None


def rooms_of_pool(pool: str, with_houses: bool) -> list[str]:
    """Names of a pool's iTHOR rooms in the order of its scenes; none where the pool takes houses.

    Raises:
        UsageError: there is no such pool.
    """
    if pool not in (TRAIN, TEST):
        raise unknown_name("scene pool", pool, (TRAIN, TEST))
    if with_houses:
        numbers = [] if pool == TRAIN else [*TRAIN_ROOMS, *OTHER_ROOMS]
    else:
        numbers = [*(TRAIN_ROOMS if pool == TRAIN else OTHER_ROOMS)]
    return [f"FloorPlan{kind + number}" for number in numbers for kind in KINDS]


def choose(pool: str, scene: int, houses: str | None) -> Chosen:
    """The scene of that index.

    Args:
        pool: ``homes_train`` or ``homes_test``.
        scene: index in the pool.
        houses: path of a house file.

    Raises:
        UsageError: no such pool, fewer scenes, or a file that cannot be read.
        SceneError: the house is not usable.
    """
    rooms = rooms_of_pool(pool, houses is not None)
    if houses is not None and pool == TRAIN:
        return _house(houses, scene)
    if not 0 <= scene < len(rooms):
        advice = "" if houses else ", or give --houses FILE"
        raise UsageError(
            f"scene {scene:,} of {pool} was asked for, but AI2-THOR has {len(rooms)} rooms for it: ask for at most "
            f"{len(rooms)} --scenes{advice}."
        )
    return Chosen(rooms[scene], rooms[scene])


def _house(path: str, scene: int) -> Chosen:
    file = houses_of(path)
    if not 0 <= scene < len(file):
        raise UsageError(
            f"scene {scene:,} was asked for, but {path} holds {len(file):,} houses: ask for fewer --scenes."
        )
    try:
        found = file.house(scene)
    except HouseError as error:
        raise SceneError("house unusable", str(error)) from error
    return Chosen(found.name, found.raw, found.house)
