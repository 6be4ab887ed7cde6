"""What a question category is: a planner of motions, a reader of labels.

The answer is always read from measurements after the move, never from the plan (sim.md, "Planning").
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Label:
    """A clear label.

    Attributes:
        answer: ``"yes"``/``"no"``, or the index of the right choice among those listed, as text.
        margin: how far it lies beyond the ambiguity band, > 0, in the category's unit.
    """

    answer: str
    margin: float


@dataclass(frozen=True)
class Reject:
    """No label, and why; reasons are counted and shown after every build."""

    reason: str
