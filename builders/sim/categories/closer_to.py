"""``closer_to``: after the move, which of four landmarks is nearest to the mover?"""

from __future__ import annotations

from collections.abc import Sequence

from .base import Label, Reject

BAND = 0.05
"""Metres by which the runner-up must be farther than the nearest (sim.md, "Categories")."""


def label(gaps: Sequence[float]) -> Label | Reject:
    """Read the nearest landmark off the gaps between closest surface points, metres.

    Returns:
        the index of the nearest as text, with its margin in metres.
    """
    order = sorted(range(len(gaps)), key=lambda index: gaps[index])
    margin = gaps[order[1]] - gaps[order[0]] - BAND
    if margin <= 0.0:
        return Reject("closer_to: runner-up too close")
    return Label(str(order[0]), margin)
