"""Teleports with their rules: in a room, clear of everything, resting on something, upright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from flowbench.geometry import Pose

from .house import Body, House
from .physics import MOST_TILT, PENETRATION, Rest, World


@dataclass(frozen=True)
class Outcome:
    """A move's result: the new pose and supporter (index in the world), or the reason for none."""

    reason: str | None
    pose: Pose | None = None
    supporter: int | None = None
    rotation: float = 0.0


@final
class Mover:
    """Moves single objects of a home; a refused move leaves the world as it was."""

    def __init__(self, world: World, house: House) -> None:
        self._world = world
        self._plan = house.plan
        self._floors = {b.index for b in house.bodies if b.object_type == "Floor"}

    def move(
        self, body: Body, before: Pose, position: tuple[float, float, float], *, settle: bool, carrying: bool
    ) -> Outcome:
        """Try to put a body's origin at ``position`` (metres), keeping its orientation.

        Args:
            body: what moves.
            before: where it stands.
            position: where to.
            settle: let it fall to rest there; otherwise it must be carried at that very height.
            carrying: something stands on it; then it stays (``collision``).
        """
        if carrying:
            return Outcome("collision")
        if body.kind is None or not body.parts:
            return Outcome("unsupported")
        outcome = self._try(body, Pose(position, before.quaternion), settle)
        if outcome.reason is not None:
            self._world.place(body.index, before)
        return outcome

    def _try(self, body: Body, target: Pose, settle: bool) -> Outcome:
        world, index = self._world, body.index
        world.place(index, target)
        if not self._inside(index, target):
            return Outcome("out_of_bounds")
        if world.overlaps(index):
            return Outcome("collision")
        if _upright(target) and world.supporter(index, PENETRATION) in self._floors:
            rest: Rest | None = world.stand(index)
        else:
            rest = world.settle(index)
        if rest is None:
            return Outcome("not_settled")
        if not settle:
            return self._kept(index, target, rest)
        if rest.tilt > MOST_TILT:
            return Outcome("tilted")
        if rest.supporter is None:
            return Outcome("not_settled")
        if not self._inside(index, rest.pose):
            return Outcome("out_of_bounds")
        if world.overlaps(index):
            return Outcome("collision")
        return Outcome(None, rest.pose, rest.supporter, rest.rotation)

    def _kept(self, index: int, target: Pose, rest: Rest) -> Outcome:
        """Without settling: the object stays at the height given if it would have stood there."""
        x, y, z = (abs(a - b) for a, b in zip(target.position, rest.pose.position, strict=True))
        if rest.supporter is None or rest.rotation > 0.0 or max(x, y, z) > 0.005:
            return Outcome("unsupported")
        self._world.place(index, target)
        return Outcome(None, target, rest.supporter)

    def _inside(self, index: int, pose: Pose) -> bool:
        """Whether the origin lies over a room's floor and all of the object between floor and ceiling."""
        x, y, _ = pose.position
        low, high = self._world.bounds(index)
        return (
            any(room.has(x, y) for room in self._plan.rooms)
            and float(low[2]) > -0.01
            and float(high[2]) < self._plan.height + 0.01
        )


def _upright(pose: Pose) -> bool:
    """Whether an object stands within a degree of upright, as it does unless it leans on something."""
    return float(pose.matrix[2, 2]) > 0.99985
