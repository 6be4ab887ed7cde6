"""Motions of a mover: planned in the camera's right/away axes, executed, measured (paper A.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from flowbench.builders.simulators.base import MoveResult, Simulator
from flowbench.geometry import Camera

from .categories.base import Reject

LARGEST_DROP = 0.02
LARGEST_SLIP = 0.005
LARGEST_TURN = math.radians(2.0)
SHORTEST = 0.15
"""Metres: the drop and slip settling may add, the turn it may cause, and the shortest motion worth asking about."""
SMALLEST_COMPONENT_CM = 5.0


@dataclass(frozen=True)
class Move:
    """A displacement on the floor in whole centimetres along the camera's right and away from it."""

    right_cm: int
    away_cm: int

    @classmethod
    def of(cls, right: float, away: float) -> Move:
        """Round metres to whole centimetres; a component too small to be worth saying becomes 0."""
        return cls(_whole(right * 100.0), _whole(away * 100.0))

    @property
    def length(self) -> float:
        """Metres."""
        return math.sqrt(self.right_cm * self.right_cm + self.away_cm * self.away_cm) / 100.0

    @property
    def direction(self) -> str:
        """``left``, ``right``, ``away``, ``toward``, or two joined by ``+``."""
        sideways = "right" if self.right_cm > 0 else "left" if self.right_cm < 0 else ""
        depth = "away" if self.away_cm > 0 else "toward" if self.away_cm < 0 else ""
        return "+".join(word for word in (sideways, depth) if word)

    def scaled(self, factor: float) -> Move:
        """A part of the way along the same ray, rounded to whole centimetres."""
        return Move(_whole(self.right_cm * factor), _whole(self.away_cm * factor))

    def world(self, camera: Camera) -> tuple[float, float]:
        """(dx, dy) in the world frame, metres."""
        right, away = camera.floor_axes
        r, a = self.right_cm / 100.0, self.away_cm / 100.0
        return r * right[0] + a * away[0], r * right[1] + a * away[1]


def _whole(centimetres: float) -> int:
    """Whole centimetres, 0 below ``SMALLEST_COMPONENT_CM``."""
    return round(centimetres) if abs(centimetres) >= SMALLEST_COMPONENT_CM else 0


def length_band(length: float, bands: Sequence[tuple[float, float]]) -> str:
    """The name of the band a length lies in, e.g. ``"0.35-0.54"``; shorter and longer ones have their own."""
    for shortest, longest in bands:
        if shortest - 0.005 <= length < longest + 0.005:
            return f"{shortest:.2f}-{longest:.2f}"
    return f"under {bands[0][0]:.2f}" if length < bands[0][0] else f"over {bands[-1][1]:.2f}"


def execute(simulator: Simulator, object_id: str, move: Move, camera: Camera) -> Reject | None:
    """Make one collision-checked move; on a reject the object stands where it stood.

    A pickupable object settles under gravity afterwards; a move that makes it fall, slip or turn is a reject, so
    that the text tells all that happens (sim.md, "Planning").
    """
    item = next(thing for thing in simulator.objects if thing.object_id == object_id)
    before = simulator.snapshot()
    start = simulator.state(object_id).pose
    dx, dy = move.world(camera)
    x, y, z = start.position
    result = simulator.teleport(object_id, (x + dx, y + dy, z), settle=item.pickupable)
    if not result.ok:
        return _refusal(result)
    slip_x, slip_y, dz = result.displacement[0] - dx, result.displacement[1] - dy, result.displacement[2]
    reason = None
    if abs(dz) > LARGEST_DROP:
        reason = "move: falls"
    elif slip_x * slip_x + slip_y * slip_y > LARGEST_SLIP * LARGEST_SLIP:
        reason = "move: slips"
    elif result.rotation > LARGEST_TURN:
        reason = "move: turns"
    if reason is None:
        return None
    simulator.restore(before)
    return Reject(reason)


def _refusal(result: MoveResult) -> Reject:
    """The simulator's reason in words."""
    return Reject(f"move: {(result.reason or 'refused').replace('_', ' ')}")


def execute_as_far_as_it_goes(
    simulator: Simulator, object_id: str, move: Move, camera: Camera, halvings: int
) -> Move | Reject:
    """Execute a move; if it is blocked, binary-search the free part of its ray, round, and execute that.

    Whether a place is free is probed without settling, which costs ten times as much and is done once, at the end.

    Returns:
        the move really made (the object now stands there), or a reject (it stands where it stood).
    """
    refused = _probe(simulator, object_id, move, camera)
    free, blocked = 0.0, 1.0
    if refused is not None:
        for _ in range(halvings):
            middle = (free + blocked) / 2.0
            if _probe(simulator, object_id, move.scaled(middle), camera) is None:
                free = middle
            else:
                blocked = middle
        move = move.scaled(free)
        if move.length < SHORTEST:
            return refused
    final = execute(simulator, object_id, move, camera)
    return move if final is None else final


def _probe(simulator: Simulator, object_id: str, move: Move, camera: Camera) -> Reject | None:
    """Whether a place is free and carries the object; nothing stays moved."""
    before = simulator.snapshot()
    dx, dy = move.world(camera)
    x, y, z = simulator.state(object_id).pose.position
    result = simulator.teleport(object_id, (x + dx, y + dy, z), settle=False)
    if not result.ok:
        return _refusal(result)
    simulator.restore(before)
    return None
