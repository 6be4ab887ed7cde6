"""A slot: one moment of a scene about which one item is to be made, before its candidates are found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Slot:
    """A moment and what is asked of it.

    Attributes:
        family, subtype: names.
        first, cut: first and last frame of the observation.
        target: frame asked for.
        focus: bodies that the item is about: some one of them must lie elsewhere in every distractor.
        steps: frames between candidates, in order of preference; empty where the paper's distractors are taken.
        distractors: ``offset``, ``match`` or ``cross``; of the paper's window items ``near`` or ``offset``.
        least_px, below_px: what the margin must reach, and stay below.
        phrasing: which texts ask for it (:mod:`.phrasing`).
        seconds: elapsed time that the text may state: from the cut, or from the collision where that is delayed.
    """

    family: str
    subtype: str
    first: int
    cut: int
    target: int
    focus: tuple[int, ...]
    steps: tuple[int, ...]
    distractors: str
    phrasing: str
    seconds: float
    least_px: float = 0.0
    below_px: float = math.inf

    @property
    def horizon(self) -> int:
        """Frames from the cut to the target."""
        return self.target - self.cut


Attempt: TypeAlias = Slot | str
"""A slot, or the reason why a moment gives none."""
Attempts: TypeAlias = Iterable[Iterator[Attempt]]
"""For each subtype in the order in which it is to be tried: its attempts, of which the first good one is taken."""
