"""Teleports with the contract's rules: in a room, clear of everything, resting on something, upright, or not at all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from flowbench.geometry import Pose, atan2, distance_to_edges, point_in_polygon, points_in_polygon, rotation_angle

from ..base import Room
from .placing import Place, Placing
from .supporting import Footing

MOST_TILT = math.radians(15.0)
STANDS_TURN = math.radians(1.5)
STANDS_DRIFT = 0.004
"""What settling turns and shifts by less than this stands: it keeps its turn and place, and only its height changes."""
LEVEL_DRIFT = 0.005
"""What settling moves by less than this can stay at the height given."""
ROOM_SLACK = 0.01
WAY_STEP = 0.05
"""Metres between the places at which a way is tried."""


@dataclass(frozen=True)
class Outcome:
    """Where a move ended, and what carries the object there; or the reason why it did not."""

    reason: str | None
    place: Place | None = None
    supporter: str | None = None


@final
class Mover:
    """Moves single objects; after a refused move all stand as they did."""

    def __init__(
        self, placing: Placing, rooms: tuple[Room, ...], footing: Footing, names: Mapping[str, str], *, shut: bool
    ) -> None:
        """Of one loaded scene.

        Args:
            placing: its objects.
            rooms: its rooms.
            footing: knows their parts.
            names: our object ids by Unity's lasting keys.
            shut: walls are made up without their doorways, so that nothing may reach into them.
        """
        self._shut = shut
        self._placing = placing
        self._rooms = rooms
        self._footing = footing
        self._names = names

    def move(
        self, key: str, poses: Mapping[str, Pose], position: tuple[float, float, float], *, settle: bool
    ) -> Outcome:
        """Try to put an object's origin somewhere.

        Args:
            key: of the object.
            poses: our object id -> where it stands now.
            position: world frame, metres.
            settle: let it fall; otherwise it must be carried at that very height.
        """
        outcome = self._try(key, poses, self._placing.places[key].at(position), settle)
        if outcome.place is not None:
            self._placing.freeze({key: outcome.place})
        elif self._placing.disturbed:
            self._placing.freeze({})
        return outcome

    def _try(self, key: str, poses: Mapping[str, Pose], target: Place, settle: bool) -> Outcome:
        name = self._names[key]
        if not self._inside(name, target.pose):
            return Outcome("out_of_bounds")
        if self._placing.blocked(key, target.pose.position):
            return Outcome("collision")
        rest = self._placing.settle(key, target)
        if rest is None:
            return Outcome("not_settled")
        turned = rotation_angle(target.pose.matrix, rest.pose.matrix)
        drift = [abs(a - b) for a, b in zip(target.pose.position, rest.pose.position, strict=True)]
        if not settle and (turned > STANDS_TURN or max(drift) > LEVEL_DRIFT):
            return Outcome("unsupported")
        if _tilt(target.pose, rest.pose) > MOST_TILT:
            return Outcome("tilted")
        if not settle:
            rest = target
        elif turned <= STANDS_TURN and max(drift[:2]) <= STANDS_DRIFT:
            x, y, _ = target.pose.position
            rest = target.at((x, y, rest.pose.position[2]))
        if not self._inside(name, rest.pose):
            return Outcome("out_of_bounds")
        parents = [self._names[parent] for parent in self._placing.parents(key)]
        supporter = self._footing.carrier(name, {**poses, name: rest.pose}, parents)
        if supporter is None:
            return Outcome("not_settled" if settle else "unsupported")
        return Outcome(None, rest, supporter)

    def way_is_free(self, key: str, displacement: tuple[float, float, float]) -> bool:
        """Whether nothing is in the way of a straight way, tried every few centimetres; all stand as before."""
        x, y, z = self._placing.places[key].pose.position
        dx, dy, dz = displacement
        steps = max(1, math.ceil(math.sqrt(dx * dx + dy * dy + dz * dz) / WAY_STEP))
        shares = [step / steps for step in range(1, steps + 1)]
        free = not any(self._placing.blocked(key, (x + s * dx, y + s * dy, z + s * dz)) for s in shares)
        self._placing.freeze({})
        return free

    def _inside(self, name: str, pose: Pose) -> bool:
        """Whether the origin lies over a room's floor and all of the object between floor and ceiling."""
        room = next((r for r in self._rooms if point_in_polygon(pose.position[:2], r.polygon)), None)
        if room is None:
            return False
        vertices = self._footing.placed(name, pose).vertices
        heights = vertices[:, 2]
        if self._shut:
            flat = vertices[:, :2]
            if not (
                points_in_polygon(flat, room.polygon) | (distance_to_edges(flat, room.polygon) <= ROOM_SLACK)
            ).all():
                return False
        return float(heights.min()) > -ROOM_SLACK and float(heights.max()) < room.height + ROOM_SLACK


def _tilt(before: Pose, after: Pose) -> float:
    """Radians between the two up axes."""
    difference = before.matrix[:3, 2] - after.matrix[:3, 2]
    half = min(1.0, math.sqrt(float((difference * difference).sum())) / 2.0)
    return 2.0 * atan2(half, math.sqrt(1.0 - half * half))
