"""What objects are called, and which of them an item may name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from flowbench.builders.simulators.base import SceneObject

NEVER_NAMED = frozenset({"AreaRug", "CeilingLight", "Curtains", "Blinds", "LightSwitch"})
"""Types that make poor landmarks: flat on the floor under others, or fixed to the shell of the room."""

SHELVING = frozenset({"Shelf", "ShelvingUnit", "Bookshelf"})
DRAWERS = frozenset({"Drawer", "Dresser"})


def unique_types(visible: Iterable[SceneObject]) -> frozenset[str]:
    """Types that occur exactly once among the objects seen in a picture."""
    counts = Counter(item.object_type for item in visible)
    return frozenset(name for name, count in counts.items() if count == 1)


def alike_limit(types: Iterable[str]) -> bool:
    """At most one shelving unit and one chest of drawers among the listed (sim.md, "Categories")."""
    listed = list(types)
    return sum(t in SHELVING for t in listed) <= 1 and sum(t in DRAWERS for t in listed) <= 1


def marked_name(colour: str, label: str, unique: bool) -> str:
    """``the object marked red``, with what it is where its type is unique in the picture."""
    return f"the {label} marked {colour}" if unique else f"the object marked {colour}"


def enumeration(names: Sequence[str]) -> str:
    """``the mug, the box and the chair``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def being(names: Sequence[str]) -> str:
    """``the mug is``, ``the mug and the box are``, ``none of the listed objects is``."""
    if not names:
        return "none of the listed objects is"
    return f"{enumeration(names)} {'is' if len(names) == 1 else 'are'}"
