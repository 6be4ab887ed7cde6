"""Executing moves in the simulator: collision-checked, settled, measured (paper A.2)."""

from __future__ import annotations

import math
from collections.abc import Callable

from flowbench.builders.simulators.base import MoveResult, Simulator
from flowbench.geometry import Camera

from .items import Reject
from .move import Move

LARGEST_DROP = 0.02
LARGEST_SLIP = 0.004
LARGEST_TURN = math.radians(1.5)
SHORTEST = 0.20
"""Metres: the drop and slip settling may add, the turn it may cause, and the shortest motion worth asking about."""


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
    simulator: Simulator,
    object_id: str,
    move: Move,
    camera: Camera,
    halvings: int,
    refuse: Callable[[Move], Reject | None],
) -> Move | Reject:
    """Execute a move; if it is blocked, binary-search the free part of its ray, round, and execute that.

    Whether a place is free is probed without settling, which is done once, at the end.

    Args:
        simulator, object_id, move, camera: what moves, how, and as seen from where.
        halvings: steps of the binary search.
        refuse: says what else speaks against a move; asked first, since it is cheaper than the simulator.

    Returns:
        the move really made (the object now stands there), or a reject (it stands where it stood).
    """
    refused = _probe(simulator, object_id, move, camera, refuse)
    free, blocked = 0.0, 1.0
    if refused is not None:
        for _ in range(halvings):
            middle = (free + blocked) / 2.0
            if _probe(simulator, object_id, move.scaled(middle), camera, refuse) is None:
                free = middle
            else:
                blocked = middle
        move = move.scaled(free)
        if move.length < SHORTEST:
            return refused
    final = execute(simulator, object_id, move, camera)
    return move if final is None else final


def _probe(
    simulator: Simulator, object_id: str, move: Move, camera: Camera, refuse: Callable[[Move], Reject | None]
) -> Reject | None:
    """Whether a place is free and carries the object; nothing stays moved."""
    against = refuse(move)
    if against is not None:
        return against
    before = simulator.snapshot()
    dx, dy = move.world(camera)
    x, y, z = simulator.state(object_id).pose.position
    result = simulator.teleport(object_id, (x + dx, y + dy, z), settle=False)
    if not result.ok:
        return _refusal(result)
    simulator.restore(before)
    return None
