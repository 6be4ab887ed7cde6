"""``near_object``: after the move, is the mover within a distance of a landmark?"""

from __future__ import annotations

from .base import Label, Reject

BAND = 0.05
"""Metres on either side of the threshold inside which nothing is asked (sim.md, "Categories")."""


def label(gap: float, threshold: float) -> Label | Reject:
    """Read the answer off the gap between the closest surface points, metres; the margin is in metres."""
    margin = abs(gap - threshold) - BAND
    if margin <= 0.0:
        return Reject("near_object: too close to the threshold")
    return Label("yes" if gap < threshold else "no", margin)
