"""Which items a rule learns from when it judges others: all of a scene on one side."""

from __future__ import annotations

from collections.abc import Sequence

from flowbench.seeding import rank

from .blind import BlindItem

FOLDS = 5


def folds(items: Sequence[BlindItem]) -> list[int]:
    """Each item's fold: all of a scene in one, scenes in turn by name."""
    number = {scene: index % FOLDS for index, scene in enumerate(sorted({item.scene for item in items}))}
    return [number[item.scene] for item in items]


def thinned(items: Sequence[BlindItem], most: int) -> list[BlindItem]:
    """The items of whole scenes, drawn by a digest of their names until there are ``most`` items or none is left."""
    count: dict[str, int] = {}
    for item in items:
        count[item.scene] = count.get(item.scene, 0) + 1
    kept: set[str] = set()
    total = 0
    for scene in sorted(count, key=lambda scene: rank("thinned", scene)):
        if total >= most:
            break
        kept.add(scene)
        total += count[scene]
    return [item for item in items if item.scene in kept]
