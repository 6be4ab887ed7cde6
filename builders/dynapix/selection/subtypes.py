"""The selection subtypes beside the paper's counts (appendix A, tables 5 to 8; 6 and 8 are lost but for sums)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

FAMILIES = ("event", "time", "window")


@dataclass(frozen=True)
class EventSubtype:
    """A row of table 5.

    Attributes:
        framing: ``future``, the collision is still to come at the cut; ``contact``, the cut shows it.
        distractors: ``cross`` other scenes, ``offset`` and ``match`` the same scene at offsets or by an object-match.
        gap: frames from the cut to the collision (future) or to the target (contact).
        train, test: the paper's counts.
    """

    framing: str
    distractors: str
    gap: int
    train: int
    test: int

    @property
    def name(self) -> str:
        """E.g. ``future-match-5``."""
        return f"{self.framing}-{self.distractors}-{self.gap}"


@dataclass(frozen=True)
class TimeSubtype:
    """A row of table 6, whose counts are lost: their sums (1,619 and 374) are halved.

    Attributes:
        seconds: from the end of the observation to the target.
        train, test: counts.
    """

    seconds: int
    train: int
    test: int

    @property
    def name(self) -> str:
        """``time-1`` or ``time-2``."""
        return f"time-{self.seconds}"


@dataclass(frozen=True)
class WindowCell:
    """A cell of table 8, whose counts are lost: a group's (table 7) are shared evenly by its cells.

    Attributes:
        group: ``G1`` to ``G4``, by what happens (:func:`.window.group_of`).
        focus: ``A`` the whole scene, ``B`` a collision in the window, ``C`` one object.
        horizon: frames from the cut to the target.
        difficulty: ``easy`` or ``hard``.
    """

    group: str
    focus: str
    horizon: int
    difficulty: str

    @property
    def name(self) -> str:
        """E.g. ``G2-B-16-hard``."""
        return f"{self.group}-{self.focus}-{self.horizon}-{self.difficulty}"


EVENT = (
    EventSubtype("future", "cross", 10, 165, 35),
    EventSubtype("future", "offset", 10, 163, 35),
    EventSubtype("future", "match", 10, 165, 35),
    EventSubtype("future", "match", 5, 162, 38),
    EventSubtype("contact", "cross", 10, 165, 35),
    EventSubtype("contact", "offset", 10, 166, 36),
    EventSubtype("contact", "match", 10, 165, 35),
)
TIME = (TimeSubtype(1, 810, 187), TimeSubtype(2, 809, 187))
HORIZONS = (8, 16, 24)
DIFFICULTIES = ("easy", "hard")
FOCUSES: Mapping[str, str] = {"G1": "AC", "G2": "ABC", "G3": "AC", "G4": "AB"}
"""B where a collision lies in the window, which the precedence leaves to G2 and G4; C not in G4."""
GROUP_COUNTS: Mapping[str, tuple[int, int]] = {
    "G1": (1967, 412),
    "G2": (2300, 680),
    "G3": (1578, 324),
    "G4": (753, 169),
}
"""Table 7: group -> train, test."""
WINDOW = tuple(
    WindowCell(group, focus, horizon, difficulty)
    for group, focuses in FOCUSES.items()
    for focus in focuses
    for horizon in HORIZONS
    for difficulty in DIFFICULTIES
)


def shares(split: str) -> dict[str, float]:
    """Subtype -> its share of all items of a split, as in the paper."""
    counts = {each.name: float(each.train if split == "train" else each.test) for each in (*EVENT, *TIME)}
    for cell in WINDOW:
        of_group = sum(1 for other in WINDOW if other.group == cell.group)
        counts[cell.name] = GROUP_COUNTS[cell.group][split == "test"] / of_group
    total = 0.0
    for count in counts.values():
        total += count
    return {name: count / total for name, count in counts.items()}
