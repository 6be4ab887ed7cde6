"""A trial: one executed motion, seen before and after. All categories read their items off the same trials."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from flowbench.builders.simulators.base import SceneObject, Simulator

from .categories.base import Reject
from .measuring import PIXELS_AT_800
from .motion import Move, execute_as_far_as_it_goes
from .presets import Preset
from .view import Sight

LEAST_DOT_DISTANCE = 20.0
"""Between the centres of two marks, pixels of an 800 px wide image: two of the largest dots, rings and all."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A motion really made.

    Attributes:
        before, after: what is seen from the same camera.
        mover: the object that moved.
        move: the motion made, whole centimetres.
        preset: whose visibility rules hold.
    """

    before: Sight
    after: Sight
    mover: SceneObject
    move: Move
    preset: Preset

    @cached_property
    def landmarks(self) -> tuple[SceneObject, ...]:
        """Objects an item may name beside the mover: clearly seen in both pictures, unrelated to the mover."""
        unrelated = {self.mover.object_id}
        for sight in (self.before, self.after):
            carrier = sight.arrangement.supporter(self.mover.object_id)
            unrelated.update(() if carrier is None else (carrier,))
        still_nameable = {item.object_id for item in self.after.nameable}
        return tuple(
            item
            for item in self.before.nameable
            if item.object_id in still_nameable and item.object_id not in unrelated and self._keeps_its_area(item)
        )

    @property
    def neighbours(self) -> tuple[SceneObject, ...]:
        """The landmarks in the mover's own room: nobody judges a gap through a doorway."""
        return tuple(item for item in self.landmarks if item.room_id == self.mover.room_id)

    def _keeps_its_area(self, item: SceneObject) -> bool:
        before, after = self.before.masks[item.instance_id], self.after.masks[item.instance_id]
        return after.area >= self.preset.kept_area * before.area

    def has_room_for_dots(self, names: Sequence[str]) -> bool:
        """Whether the dots of these objects would lie clear of each other in both pictures."""
        least = LEAST_DOT_DISTANCE * self.before.scale
        return all(
            (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v) >= least * least
            for sight in (self.before, self.after)
            for a, b in itertools.combinations([sight.spot(name) for name in names], 2)
        )

    def gaps(self, landmark: str) -> tuple[float, float]:
        """Metres from the mover's surface to a landmark's, before and after."""
        mover = self.mover.object_id
        return self.before.arrangement.gap(mover, landmark), self.after.arrangement.gap(mover, landmark)


def refuse_unseen(before: Sight, after: Sight, mover: SceneObject, preset: Preset) -> Reject | None:
    """Whether a viewer could follow the motion: the mover is clear in both pictures and visibly moves."""
    mask_before, mask_after = before.mask(mover.object_id), after.mask(mover.object_id)
    least = PIXELS_AT_800 * before.scale * before.scale
    if mask_before is None or mask_after is None or mask_after.area < least:
        return Reject("move: mover not seen afterwards")
    if mover not in after.nameable:
        return Reject("move: mover has no room for a mark")
    # A motion in depth changes the size by itself; only what is hidden beyond that counts as lost.
    ratio = after.camera_distance(mover.object_id) / before.camera_distance(mover.object_id)
    if mask_after.area * ratio * ratio < preset.kept_area * mask_before.area:
        return Reject("move: mover hidden by others")
    if _mean_shift(before, after, mover.object_id) < preset.least_shift_px * before.scale:
        return Reject("move: too small to see")
    return None


def _mean_shift(before: Sight, after: Sight, object_id: str) -> float:
    """Mean image motion of the corners of an object's box, pixels."""
    start, _ = before.camera.project(before.arrangement.corners(object_id))
    end, _ = after.camera.project(after.arrangement.corners(object_id))
    return math.fsum(math.sqrt(float(du * du + dv * dv)) for du, dv in (end - start)) / len(start)


def attempt(simulator: Simulator, before: Sight, mover: SceneObject, move: Move, preset: Preset) -> Trial | Reject:
    """Execute a motion, look, and put everything back."""
    try:
        made = execute_as_far_as_it_goes(simulator, mover.object_id, move, before.camera, preset.halvings)
        if isinstance(made, Reject):
            return made
        after = Sight.take(simulator, before.camera, before.arrangement.shapes)
    finally:
        simulator.restore(before.arrangement.snapshot)
    return refuse_unseen(before, after, mover, preset) or Trial(before, after, mover, made, preset)
