"""Whether a move is possible: nothing enters anything, nothing leaves the picture, what matters is seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowbench.geometry import Camera, ConvexParts, Pose

from .moving import Move
from .panda import panda
from .scene import HEIGHT, WIDTH
from .truth import LINKS

ARM_GAP = 0.002
"""Least distance between the arm and what it does not move, metres."""
THING_GAP = 0.003
"""Least distance between the mover and other things at any time, metres."""
_MARGIN = 6.0
"""Pixels between things and the picture's border."""
_TOUCHING_LINKS = (9, 10)
_NEAR_LINKS = tuple(range(4, LINKS))
"""Links that come near the table: forearm to fingers."""


def arm_at(poses: Sequence[Pose], links: Sequence[int] = _NEAR_LINKS) -> ConvexParts:
    """The hulls of some links, world."""
    return ConvexParts.of([panda().links[n].hull.placed(poses[n].matrix).vertices for n in links])


def flaw(move: Move, things: Sequence[ConvexParts], mover: ConvexParts, k: int) -> str | None:
    """Why a move cannot be made; None if it can.

    Args:
        move: what arm and mover do.
        things: parts of all things as they stand at the beginning, world.
        mover: the mover's parts in its own frame.
        k: its index.
    """
    for frame, pose in enumerate(move.poses):
        poses = panda().poses(move.joints[frame].tolist(), float(move.openings[frame]))
        arm, moved = arm_at(poses), mover.placed(pose.matrix)
        if float(arm.vertices[:, 2].min()) < ARM_GAP:
            return "the arm touches the table"
        if arm.distance(moved, limit=1e-3) <= 0.0:
            return "the arm enters what it moves"
        for other, parts in enumerate(things):
            if other == k:
                continue
            if arm.distance(parts, limit=ARM_GAP) < ARM_GAP:
                return "the arm touches something else"
            if moved.distance(parts, limit=THING_GAP) < THING_GAP:
                return "the mover touches something else"
    return None


def in_picture(camera: Camera, parts: ConvexParts, margin: float = _MARGIN) -> bool:
    """Whether all of a thing lies in the picture."""
    pixels, depths = camera.project(parts.vertices)
    u, v = pixels[:, 0], pixels[:, 1]
    inside = (u >= margin) & (u <= WIDTH - 1 - margin) & (v >= margin) & (v <= HEIGHT - 1 - margin)
    return bool(np.all(inside & (depths > 0.0)))
