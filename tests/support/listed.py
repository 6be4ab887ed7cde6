"""Trials of hand-made scenes that may name everything but the mover and the floor."""

from __future__ import annotations

from collections.abc import Sequence

from flowbench.builders.sim.items import Item, Reject
from flowbench.builders.sim.move import Move
from flowbench.builders.sim.presets import Preset
from flowbench.builders.sim.trial import Trial
from flowbench.builders.simulators.base import SceneObject

from .cases import Case, evidence
from .published import MOVER
from .still import sights_of


class Listed(Trial):
    """A trial that may name everything but the mover and the floor."""

    @property
    def landmarks(self) -> tuple[SceneObject, ...]:  # type: ignore[override]
        return tuple(each for each in self.before.arrangement.objects if each.instance_id > MOVER)


def trial_of(category: str, case: Case, preset: Preset) -> Trial:
    """The motion of a case."""
    before, after = sights_of(evidence(category, case))
    (mover,) = (o for o in before.arrangement.objects if o.instance_id == MOVER)
    return Listed(before, after, mover, Move(60, 0), preset)


def items_of(found: Sequence[Item | Reject]) -> list[Item]:
    """Without the rejects."""
    return [each for each in found if isinstance(each, Item)]
