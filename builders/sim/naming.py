"""What objects are called, and which of them an item may name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from flowbench.builders.simulators.base import SceneObject

NEVER_NAMED = frozenset({"AreaRug", "CeilingLight", "Curtains", "Blinds", "LightSwitch"})
"""Types that make poor landmarks: flat on the floor under others, or fixed to the shell of the room."""

SHELVING = frozenset({"Shelf", "ShelvingUnit", "Bookshelf"})
DRAWERS = frozenset({"Drawer", "Dresser"})


SPOKEN: Mapping[str, str] = {"ArmChair": "armchair", "BasketBall": "basketball", "HousePlant": "houseplant"}
"""Types that are not said as they are written."""


def spoken_type(object_type: str) -> str:
    """``"DiningTable"`` -> ``"dining table"``; acronyms stay (``"TVStand"`` -> ``"TV stand"``)."""
    if object_type in SPOKEN:
        return SPOKEN[object_type]
    words: list[str] = []
    for position, letter in enumerate(object_type):
        following = object_type[position + 1 : position + 2]
        starts = letter.isupper() and (
            position == 0 or object_type[position - 1].islower() or (following.islower() and following != "")
        )
        if starts:
            words.append(letter)
        else:
            words[-1] += letter
    return " ".join(word if len(word) > 1 and word.isupper() else word.lower() for word in words)


def unique_types(visible: Iterable[SceneObject]) -> frozenset[str]:
    """Types that occur exactly once among the objects seen in a picture."""
    counts = Counter(item.object_type for item in visible)
    return frozenset(name for name, count in counts.items() if count == 1)


def alike_limit(types: Iterable[str]) -> bool:
    """At most one shelving unit and one chest of drawers among the listed (sim.md, "Categories")."""
    listed = list(types)
    return sum(t in SHELVING for t in listed) <= 1 and sum(t in DRAWERS for t in listed) <= 1


def marked_name(colour: str, object_type: str, unique: bool) -> str:
    """``the object marked red``, with its type where that is unique in the picture."""
    return f"the {spoken_type(object_type)} marked {colour}" if unique else f"the object marked {colour}"
