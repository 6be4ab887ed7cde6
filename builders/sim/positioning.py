"""Positioning: which views of a scene are worth asking about (paper A.1).

Reachable positions -> rooms -> farthest-point sampling -> yaws and horizons -> score -> per-room proposals -> a global
choice that covers rooms first and keeps views apart.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.simulators.base import Room, Simulator
from flowbench.geometry import points_in_polygon

from .measuring import PIXELS_AT_800
from .presets import Preset
from .scene import Shapes
from .view import Sight, ViewPose

POSITIONS_A_ROOM = 10
YAWS = 8
HORIZONS = (0.0, 30.0)
PROPOSALS_A_ROOM = 3
SEPARATIONS = (1.0, 0.8, 0.64, 0.5, 0.42, 0.35)
ROOM_PENALTY = 1000.0
YAW_PENALTY = 500.0
SIMILAR_YAW = 35.0
"""Constants of paper A.1; the yaw penalty's size is lost there: ours is half a room's."""

NEAR = 1.0
LARGEST_NEAR_SHARE = 0.10
LARGEST_SHELL_SHARE = 0.75
"""Views with more of the picture nearer than so many metres, or more of it wall and ceiling, look at no room."""
SHELL = ("Wall", "Ceiling", "Door", "Window")

SCOUT = (200, 150)
"""Image size in pixels used while scoring, a quarter of the paper's."""


@dataclass(frozen=True)
class Scored:
    """A pose with its score (paper A.1, "View scoring")."""

    pose: ViewPose
    score: float


def choose_views(simulator: Simulator, shapes: Shapes, preset: Preset, rng: np.random.Generator) -> list[ViewPose]:
    """The scene's views, best first within the rules; fewer than the budget where the scene has no more to show.

    Args:
        simulator: with the scene loaded.
        shapes: the scene's collision parts.
        preset: budget and distance band.
        rng: draws the first position of each room and the horizons.
    """
    reachable = simulator.reachable_positions()
    proposals: list[Scored] = []
    for room in simulator.rooms:
        inside = points_in_polygon(reachable[:, :2], room.polygon)
        standing = reachable[inside]
        scored = [
            Scored(pose, score)
            for pose in _poses(room, _farthest_points(standing, POSITIONS_A_ROOM, rng), rng)
            if (score := _score(simulator, shapes, pose, preset)) is not None
        ]
        proposals.extend(_apart(scored, PROPOSALS_A_ROOM, preset.views))
    return _select(proposals, preset.views)


def _farthest_points(points: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Farthest-point sampling of (n, 3) points from a random start."""
    if len(points) <= count:
        return points
    chosen = [int(rng.integers(len(points)))]
    nearest = np.full(len(points), np.inf)
    while len(chosen) < count:
        offset = points[:, :2] - points[chosen[-1], :2]
        nearest = np.minimum(nearest, offset[:, 0] * offset[:, 0] + offset[:, 1] * offset[:, 1])
        chosen.append(int(np.argmax(nearest)))
    return points[chosen]


def _poses(room: Room, standing: NDArray[np.float64], rng: np.random.Generator) -> list[ViewPose]:
    """Each standing position with eight yaws, each with a horizon drawn from 0 and 30 degrees."""
    return [
        ViewPose(
            (float(x), float(y), float(z)),
            math.radians(360.0 * step / YAWS),
            math.radians(HORIZONS[int(rng.integers(len(HORIZONS)))]),
            room.room_id,
        )
        for x, y, z in standing
        for step in range(YAWS)
    ]


def _score(simulator: Simulator, shapes: Shapes, pose: ViewPose, preset: Preset) -> float | None:
    """``3 |preferred in band| + |movable in band| + 0.2 |visible| + phi(depth of the central ray)`` (sim.md).

    Preferred are objects that could be movers: the paper's list of types is lost. None when nothing movable is in the
    band, or when something near fills the picture: such a pose is not kept.
    """
    sight = Sight.take(simulator, pose.camera(*SCOUT), shapes)
    if np.count_nonzero(sight.depth < NEAR) > LARGEST_NEAR_SHARE * sight.depth.size:
        return None
    shell = [item.instance_id for item in sight.arrangement.objects if item.object_type in SHELL]
    if np.count_nonzero(np.isin(sight.ids, shell)) > LARGEST_SHELL_SHARE * sight.ids.size:
        return None
    least = PIXELS_AT_800 * sight.scale * sight.scale
    seen = [item for item in sight.visible if sight.masks[item.instance_id].area >= least]
    band = [
        item
        for item in seen
        if (item.pickupable or item.moveable)
        and item.room_id == pose.room_id
        and preset.nearest < sight.camera_distance(item.object_id) < preset.farthest
    ]
    if not band:
        return None
    preferred = sum(sight.is_mover(item, preset) for item in band)
    hit = simulator.raycast(*sight.camera.centre)
    depth = hit.depth if hit is not None else 4.0
    openness = min(depth, 4.0) if depth >= 1.0 else -10.0
    return 3.0 * preferred + len(band) + 0.2 * len(seen) + openness


def _distance(a: ViewPose, b: ViewPose) -> float:
    """Metres between two eyes."""
    return math.sqrt(math.fsum((p - q) * (p - q) for p, q in zip(a.position, b.position, strict=True)))


def _apart(scored: Sequence[Scored], least: int, budget: int) -> list[Scored]:
    """Greedy proposals of one room: high scores, at least ``SEPARATIONS[0]`` apart.

    The paper keeps 2-3 a room for apartments; small homes keep more, at growing density, so that the budget can be
    filled: the pool is what the global choice relaxes over.
    """
    ranked = sorted(scored, key=lambda view: (-view.score, view.pose.position, view.pose.yaw))
    kept: list[Scored] = []
    for separation in SEPARATIONS:
        for view in ranked:
            if all(_distance(view.pose, other.pose) >= separation for other in kept):
                kept.append(view)
            if len(kept) >= (least if separation == SEPARATIONS[0] else budget):
                break
    return kept


def _select(proposals: Sequence[Scored], budget: int) -> list[ViewPose]:
    """Cover the rooms first, then fill by score - lambda n_room - yaw penalty, relaxing the separation."""
    chosen: list[Scored] = []
    left = sorted(proposals, key=lambda view: (-view.score, view.pose.position, view.pose.yaw))
    for view in list(left):
        if len(chosen) < budget and all(view.pose.room_id != other.pose.room_id for other in chosen):
            chosen.append(view)
            left.remove(view)
    separations = iter(SEPARATIONS)
    separation = next(separations)
    while len(chosen) < budget:
        free = [v for v in left if all(_distance(v.pose, other.pose) >= separation for other in chosen)]
        if not free:
            separation = next(separations, 0.0)
            if separation == 0.0:
                break
            continue
        counts = Counter(view.pose.room_id for view in chosen)
        best = max(range(len(free)), key=lambda index: (_rank(free[index], chosen, counts), -index))
        chosen.append(free[best])
        left.remove(free[best])
    return [view.pose for view in chosen]


def _rank(view: Scored, chosen: Sequence[Scored], counts: Counter[str]) -> float:
    """The global choice's score of a candidate given what is chosen."""
    similar = sum(
        other.pose.room_id == view.pose.room_id and _yaw_between(other.pose.yaw, view.pose.yaw) < SIMILAR_YAW
        for other in chosen
    )
    return view.score - ROOM_PENALTY * counts[view.pose.room_id] - YAW_PENALTY * similar


def _yaw_between(a: float, b: float) -> float:
    """Degrees between two yaws given in radians."""
    turn = abs(math.degrees(a - b)) % 360.0
    return min(turn, 360.0 - turn)
