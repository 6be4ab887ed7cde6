"""Which objects may be listed together in a question that lists several (sim.md, "Planning")."""

from __future__ import annotations

from collections.abc import Sequence

from .naming import alike_limit
from .trial import Trial

MOST_HUNG = 1
"""Of the listed that hang on walls: gaps through the air are the hardest to see."""


def listable(trial: Trial, names: Sequence[str]) -> list[str]:
    """The names without those that may not be listed together with earlier ones."""
    kept: list[str] = []
    for name in names:
        if refuse_list(trial, [*kept, name]) is None:
            kept.append(name)
    return kept


def refuse_list(trial: Trial, names: Sequence[str]) -> str | None:
    """What speaks against listing these objects together, or None."""
    arrangement = trial.before.arrangement
    if not alike_limit(arrangement.object(name).object_type for name in names):
        return "look-alike furniture listed"
    if len([name for name in names if arrangement.supporter(name) is None]) > MOST_HUNG:
        return "several things on walls listed"
    return None
