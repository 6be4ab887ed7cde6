"""How many of what the paper has (DynaPix, tables 5 and 7, and the sums of 6), to be read beside a release's counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EVENT: Final[Mapping[str, tuple[int, int]]] = {
    "future-cross-10": (165, 35),
    "future-offset-10": (163, 35),
    "future-match-10": (165, 35),
    "future-match-5": (162, 38),
    "contact-cross-10": (165, 35),
    "contact-offset-10": (166, 36),
    "contact-match-10": (165, 35),
}
"""Subtype -> train, test."""
TIME: Final = (1619, 374)
"""Both horizons together: the table is lost."""
WINDOW: Final[Mapping[str, tuple[int, int]]] = {
    "G1": (1967, 412),
    "G2": (2300, 680),
    "G3": (1578, 324),
    "G4": (753, 169),
}
"""Group -> train, test; the table of its cells is lost."""
TRANSFER: Final[Mapping[str, Mapping[str, int]]] = {
    "selection_movi": {"event": 327, "time": 1198},
    "selection_physion": {"event": 583, "time": 1612},
    "selection_clevrer": {},
}
"""Config -> family -> count (appendix E); the counts of its regimes are not told."""


def counted(category: str, subtype: str, config: str = "") -> str:
    """What a sample is counted as: its subtype, of windows its group, of time items all; of transfer its family."""
    if config in TRANSFER:
        return category
    if category == "window":
        return subtype.partition("-")[0]
    return "time" if category == "time" else subtype


def paper_count(name: str, split: str, config: str = "") -> int | None:
    """The paper's count of a name as :func:`counted` gives it; None where it has none."""
    if config in TRANSFER:
        return TRANSFER[config].get(name)
    both = TIME if name == "time" else EVENT.get(name) or WINDOW.get(name)
    return None if both is None else both[split == "test"]
