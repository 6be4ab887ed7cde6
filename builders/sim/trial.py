"""A trial: one executed motion, seen before and after. All categories read their items off the same trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from flowbench.builders.simulators.base import SceneObject, Simulator

from .distances import Measure
from .executing import execute_as_far_as_it_goes
from .items import Reject
from .marks import place_all
from .measuring import PIXELS_AT_800
from .move import Move
from .naming import unique_types
from .presets import Preset
from .sliding import refuse_overhang, refuse_way
from .spots import common_spot
from .view import Sight

PIXELS_INSIDE_AT_800 = 800
"""Least pixels of a landmark that stands inside furniture."""


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
            if item.object_id in still_nameable
            and item.object_id not in unrelated
            and item.room_id == self.mover.room_id  # nobody judges a relation through a doorway
            and self._keeps_its_area(item)
            and self._is_unmistakable(item)
            and common_spot(self.before, self.after, item.object_id) is not None
        )

    def _is_unmistakable(self, item: SceneObject) -> bool:
        """Whether a dot on it cannot be taken for a dot on something else.

        What stands inside furniture must be large, and what carries things in sight must have a name of its own.
        """
        arrangement = self.before.arrangement
        supporter = arrangement.supporter(item.object_id)
        if supporter is not None and not arrangement.object(supporter).structural:
            top = float(arrangement.placed(supporter).vertices[:, 2].max())
            inside = float(arrangement.placed(item.object_id).vertices[:, 2].max()) < top
            least = PIXELS_INSIDE_AT_800 * self.before.scale * self.before.scale
            if inside and self.before.masks[item.instance_id].area < least:
                return False
        carried = arrangement.carried_by(item.object_id)
        shows_contents = any(thing.object_id in carried for thing in self.before.visible)
        return not shows_contents or item.object_type in self.unique_types

    @cached_property
    def unique_types(self) -> frozenset[str]:
        """Types that occur once in both pictures."""
        return unique_types(self.before.visible) & unique_types(self.after.visible)

    def _keeps_its_area(self, item: SceneObject) -> bool:
        before, after = self.before.masks[item.instance_id], self.after.masks[item.instance_id]
        return after.area >= self.preset.kept_area * before.area

    def has_room_for_dots(self, names: Sequence[str], *, kept: bool = False) -> bool:
        """Whether these objects have room for dots that lie clear of each other, see :func:`.marks.place_all`."""
        return not isinstance(place_all(self.before, self.after, names, kept=kept), Reject)

    def distances(self, measure: Measure) -> dict[str, tuple[float, float]]:
        """Metres from the mover to each landmark, before and after."""
        moments, mover = (self.before.arrangement, self.after.arrangement), self.mover.object_id
        found = {}
        for landmark in self.landmarks:
            before, after = (moment.distance(mover, landmark.object_id, measure) for moment in moments)
            found[landmark.object_id] = before, after
        return found


def refuse_unseen(before: Sight, after: Sight, mover: SceneObject, preset: Preset) -> Reject | None:
    """Whether a viewer could follow the motion: the mover is clear in both pictures and visibly moves."""
    mask_before, mask_after = before.mask(mover.object_id), after.mask(mover.object_id)
    least = PIXELS_AT_800 * before.scale * before.scale
    if mask_before is None or mask_after is None or mask_after.area < least:
        return Reject("move: mover not seen afterwards")
    if mover not in after.nameable or common_spot(before, after, mover.object_id) is None:
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


def _refuse(before: Sight, mover: SceneObject, move: Move) -> Reject | None:
    """What a viewer would not believe: a way through things, an object that hangs over an edge."""
    displacement = move.world(before.camera)
    through = refuse_way(before.arrangement, mover.object_id, displacement)
    return through or refuse_overhang(before.arrangement, mover.object_id, displacement)


def attempt(simulator: Simulator, before: Sight, mover: SceneObject, move: Move, preset: Preset) -> Trial | Reject:
    """Execute a motion, look, and put everything back."""
    try:
        made = execute_as_far_as_it_goes(
            simulator, mover.object_id, move, before.camera, preset.halvings, partial(_refuse, before, mover)
        )
        if isinstance(made, Reject):
            return made
        after = Sight.take(simulator, before.camera, before.arrangement.shapes)
    finally:
        simulator.restore(before.arrangement.snapshot)
    return refuse_unseen(before, after, mover, preset) or Trial(before, after, mover, made, preset)
