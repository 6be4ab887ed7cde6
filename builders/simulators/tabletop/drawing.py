"""Drawing episodes: what stands where, who looks, which move is made, and which draws are kept.

What stands on the table and how it looks has a generator of its own, and so has each attempt at a move.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flowbench.errors import FlowbenchError, UsageError, unknown_name
from flowbench.geometry import ConvexParts, Pose, atan2
from flowbench.seeding import generator

from .catalogue import directions, kinds
from .judging import flaw, in_picture
from .laying import GAP, Table, draw_table
from .looks import uniform
from .moving import Move, grasp_of, pick_and_place, push
from .panda import HAND, panda
from .path import UnreachableError
from .scene import SETUPS, Scene, Setup, TableObject, camera_of
from .truth import Truth
from .wording import task_text

_PUSHED = {"bridge": 0.4, "topdown": 0.85}
"""Share of moves that are pushes."""
_SHORTEST, _LONGEST = 0.055, 0.30
"""Metres of a move."""
_LAYOUTS, _MOVES = 12, 60
_LEAST_SEEN = {"bridge": 700, "topdown": 420}
"""Pixels of the mover in the first and in the last picture."""
_HAND_MARGIN = 12.0
"""Pixels between the hand's middle, halfway through the move, and the picture's border."""
_LEAST_SHARE = 0.45
"""Of its pixels, that are seen then."""
_LIFTS = (0.05, 0.09, 0.14, 0.20)

Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class _Chosen:
    """A move that can be made."""

    move: Move
    mover: int
    pushed: bool


def draw(seed: int, pool: str, index: int, setup: Setup, rejects: Counter[str] | None = None) -> Truth:
    """Draw until an episode is good.

    Args:
        seed: the release's.
        pool: name of the pool.
        index: of the scene in the pool.
        setup: see :data:`~.scene.SETUPS`.
        rejects: counts why draws were not kept.

    Raises:
        UsageError: there is no such set-up, or the index is negative.
        FlowbenchError: no draw was good.
    """
    if setup not in SETUPS:
        raise unknown_name("set-up", setup, SETUPS)
    if index < 0:
        raise UsageError(f"scene {index} of the pool {pool}, expected a number from 0 on.")
    counts: Counter[str] = Counter() if rejects is None else rejects
    for layout in range(_LAYOUTS):
        table = draw_table(generator(seed, pool, index, setup, "table", layout), setup)
        if isinstance(table, str):
            counts[table] += 1
            continue
        pushed = bool(generator(seed, pool, index, setup, "way", layout).random() < _PUSHED[setup])
        for attempt in range(_MOVES):
            rng = generator(seed, pool, index, setup, "move", layout, attempt)
            chosen = _draw_move(rng, table, pushed)
            if isinstance(chosen, str):
                counts[chosen] += 1
                continue
            truth = _truth(rng, (seed, pool, index), table, chosen)
            reason = _unseen(truth)
            if reason is None:
                return truth
            counts[reason] += 1
    raise FlowbenchError(
        f"scene {index} of seed {seed} ({setup}): no draw was good ({dict(counts)}), expected one; leave it out."
    )


def _draw_move(rng: np.random.Generator, table: Table, pushed: bool) -> _Chosen | str:
    """A thing to push, or to pick and place, and where to; or why that cannot be."""
    k = int(rng.integers(len(table.objects)))
    ways = _ways(table.objects[k], pushed)
    if not ways:
        return "it cannot be pushed" if pushed else "it cannot be picked up"
    try:
        made = _push(rng, table, k, ways) if pushed else _pick(rng, table, k, ways)
    except UnreachableError as error:
        return str(error)
    return made if isinstance(made, str) else _Chosen(made, k, pushed)


def _ways(thing: TableObject, pushed: bool) -> tuple[float, ...]:
    """Directions in the thing's frame in which it can be pushed, or fingers can close on it."""
    kind = kinds()[thing.kind]
    return directions(kind.push if pushed else kind.grip, round(thing.recipe.sizes.get("corners", 4.0)))


def _push(rng: np.random.Generator, table: Table, k: int, ways: Sequence[float]) -> Move | str:
    direction = _yaw(table.poses[k]) + ways[int(rng.integers(len(ways)))]
    length = uniform(rng, _SHORTEST, _LONGEST)
    ahead = Pose.upright(0.0, 0.0, 0.0, direction).matrix[:2, 0].tolist()
    reason = _misplaced(table, k, (length * ahead[0], length * ahead[1]))
    if reason is not None:
        return reason
    move = push(table.standing[k], table.poses[k], _middle(table.standing[k]), direction, length, table.park)
    return flaw(move, table.standing, table.shapes[k], k) or move


def _pick(rng: np.random.Generator, table: Table, k: int, ways: Sequence[float]) -> Move | str:
    way = _goal(rng, table, k)
    reason = _misplaced(table, k, way)
    if reason is not None:
        return reason
    # Fingers that close along -y keep the wrist in the middle of its range; half a turn is no other grasp.
    facing = atan2(table.poses[k].position[1], table.poses[k].position[0])
    closings = sorted({round(_turned(_yaw(table.poses[k]) + w, facing), 6) for w in ways}, key=abs)
    best = [c + facing - 0.5 * math.pi for c in closings[:4]]
    closing = best[int(rng.integers(min(len(best), 3)))]
    grasp = grasp_of(table.standing[k], _middle(table.standing[k]), closing)
    if grasp is None:
        return "the fingers do not close on it"
    reason = "no lift is high enough"
    for lift in _LIFTS:
        move = pick_and_place(table.poses[k], grasp, way, lift, table.park)
        reason = flaw(move, table.standing, table.shapes[k], k) or ""
        if not reason:
            return move
    return reason


def _goal(rng: np.random.Generator, table: Table, k: int) -> Point:
    """A way: anywhere, beside another thing, or behind or before one as the camera sees it."""
    x, y = table.poses[k].position[:2]
    choice = rng.random()
    if choice < 0.3:
        length, turn = uniform(rng, _SHORTEST, _LONGEST), uniform(rng, -math.pi, math.pi)
        matrix = Pose.upright(0.0, 0.0, 0.0, turn).matrix
        return length * float(matrix[0, 0]), length * float(matrix[1, 0])
    others = [n for n in range(len(table.objects)) if n != k]
    other = others[int(rng.integers(len(others)))]
    p, q = table.poses[other].position[:2]
    forward = _unit(p - table.view.eye[0], q - table.view.eye[1])
    right = forward[1], -forward[0]
    reach = 0.5 * max(table.objects[k].size[:2]) + 0.5 * max(table.objects[other].size[:2])
    reach += uniform(rng, 0.02, 0.045)
    across, along = uniform(rng, -0.3, 0.3), 1.0 if rng.random() < 0.4 else -1.0
    if choice < 0.5:
        across, along = along, across
    gx = p + reach * (across * right[0] + along * forward[0])
    gy = q + reach * (across * right[1] + along * forward[1])
    return round(gx - x, 4), round(gy - y, 4)


def _unit(x: float, y: float) -> Point:
    length = math.sqrt(x * x + y * y)
    return x / length, y / length


def _misplaced(table: Table, k: int, way: Point) -> str | None:
    """Why a thing cannot stand at the end of a way; None if it can."""
    length2 = way[0] * way[0] + way[1] * way[1]
    if not _SHORTEST * _SHORTEST <= length2 <= _LONGEST * _LONGEST:
        return "the move is too short or too long"
    parts = table.standing[k].moved((*way, 0.0))
    if not in_picture(camera_of(table.view), parts):
        return "it would leave the picture"
    gap = GAP[table.setup]
    if any(parts.distance(other, limit=gap) < gap for n, other in enumerate(table.standing) if n != k):
        return "something stands where it would go"
    return None


def _truth(rng: np.random.Generator, name: tuple[int, str, int], table: Table, chosen: _Chosen) -> Truth:
    """The episode of a move."""
    k, move, camera = chosen.mover, chosen.move, camera_of(table.view)
    end = table.shapes[k].placed(move.poses[-1].matrix)
    gaps = [end.distance(other) for other in table.standing]
    x, y = move.poses[-1].position[:2]
    offsets = [(x - pose.position[0], y - pose.position[1]) for pose in table.poses]
    way = (x - table.poses[k].position[0], y - table.poses[k].position[1])
    names = [thing.name for thing in table.objects]
    task = task_text(rng, names, k, chosen.pushed, way, gaps, offsets, camera)
    seed, pool, index = name
    scene = Scene(
        seed=seed,
        pool=pool,
        index=index,
        setup=table.setup,
        task=task,
        objects=table.objects,
        mover=k,
        view=table.view,
        surroundings=table.surroundings,
    )
    still = np.array([_row(pose) for pose in table.poses])
    poses = np.repeat(still[None], len(move.poses), axis=0)
    poses[:, k] = [_row(pose) for pose in move.poses]
    links = [
        [_row(pose) for pose in panda().poses(joints, opening)]
        for joints, opening in zip(move.joints.tolist(), move.openings.tolist(), strict=True)
    ]
    return Truth(scene, poses, np.array(links), move.joints, move.openings, move.holding, move.contact)


def _unseen(truth: Truth) -> str | None:
    """Why the mover is not seen well enough at both ends, or the hand between them; None if they are."""
    contact = np.flatnonzero(truth.contact)
    hand = truth.links[int(contact[len(contact) // 2]), HAND, :3]
    if not in_picture(truth.camera, ConvexParts.of([hand[None]]), _HAND_MARGIN):
        return "the hand is not seen"
    for frame in (0, len(truth) - 1):
        seen = int(np.count_nonzero(truth.instance_ids(frame) == truth.mover + 1))
        if seen < _LEAST_SEEN[truth.scene.setup]:
            return "the mover is hardly seen"
        if seen < _LEAST_SHARE * int(np.count_nonzero(truth.whole(truth.mover, frame))):
            return "the mover is hidden"
    return None


def _row(pose: Pose) -> tuple[float, ...]:
    return (*pose.position, *pose.quaternion)


def _yaw(pose: Pose) -> float:
    """Radians about z of an upright pose."""
    return 2.0 * atan2(pose.quaternion[2], pose.quaternion[3])


def _turned(angle: float, facing: float) -> float:
    """Half turns taken off a closing direction until it is within a quarter turn of straight across the arm."""
    rest = angle - facing + 0.5 * math.pi
    return rest - math.pi * math.floor(rest / math.pi + 0.5)


def _middle(parts: ConvexParts) -> Point:
    """Middle of a thing's box seen from above."""
    low, high = parts.boxes
    middle = (low.min(axis=0) + high.max(axis=0)) / 2.0
    return float(middle[0]), float(middle[1])
