"""What the embedded tabletop knows of an episode: exact perception, and distances between true surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flowbench.builders.simulators.tabletop.truth import ARM_ID, Truth, has_truth, read_truth, truth_path
from flowbench.builders.sources.recorded import Episode
from flowbench.errors import UsageError
from flowbench.schema.real_meta import TrueGap

from .base import PerceptionError
from .exact import ExactPerception

if TYPE_CHECKING:
    from flowbench.builders.real.facts import Facts
    from flowbench.builders.real.measuring.measure import Measured


@dataclass(frozen=True, eq=False)
class TruthOf:
    """One episode's truth."""

    truth: Truth

    @classmethod
    def of_dataset(cls, root: Path, episode: Episode) -> TruthOf | None:
        """That of an episode of a dataset; None where none was recorded.

        Raises:
            PerceptionError: there is truth, but none of this episode that can be read and is as long.
        """
        if not has_truth(root):
            return None
        try:
            truth = read_truth(root, episode.index)
        except UsageError as error:
            raise PerceptionError(str(error), "truth that cannot be read") from None
        if len(truth) != episode.length:
            raise PerceptionError(
                f"{truth_path(root, episode.index)} has {len(truth)} frames, expected the {episode.length} of the "
                "episode; record the dataset again.",
                "truth of another length",
            )
        return cls(truth)

    def perception(self) -> ExactPerception:
        """Masks, depth and tracks without a mistake."""
        labels = {k + 1: each.label for k, each in enumerate(self.truth.objects)}
        return ExactPerception(self.truth, labels, ARM_ID)

    def objects_of(self, measured: Measured) -> dict[int, int]:
        """Index of a matched thing -> index of the object that most of its before mask shows."""
        ids = self.truth.instance_ids(measured.pair.shots.before_index)
        found = {}
        for k, thing in enumerate(measured.things):
            under = ids[measured.layers[0].mask(thing.masks[0])]
            values = [int(each) for each in under.tolist() if 0 < int(each) < ARM_ID]
            if values:
                found[k] = max(sorted(set(values)), key=values.count) - 1
        return found


def gaps_of(known: TruthOf, facts: Facts) -> list[TrueGap]:
    """Distances of closest surface points between the mover and each landmark, before and after, six decimals."""
    measured, shots = facts.measured, facts.measured.pair.shots
    objects = known.objects_of(measured)
    mover = objects.get(measured.roles.mover)
    if mover is None:
        return []
    truth = known.truth
    return [
        TrueGap(
            id=measured.thing_id(k),
            before=round(truth.surface_distance(mover, objects[k], shots.before_index), 6),
            after=round(truth.surface_distance(mover, objects[k], shots.after_index), 6),
        )
        for k in facts.landmarks
        if k in objects
    ]
