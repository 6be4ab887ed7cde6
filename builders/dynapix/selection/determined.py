"""Whether the future follows from what was seen: who decides it was in sight, and those that move long enough.

An object decides a target when it touches something before it, or when the item is about it. A still picture of a
moving object tells where it is and not where it goes: hence several frames.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from flowbench.builders.dynapix.happenings import between, seen
from flowbench.collisions.oracle import Oracle

ENTERS = "an object that enters after the cut touches something before the target"
HIDDEN = "an object hidden at the cut touches something before the target"
BRIEFLY = "an object that decides the target is seen in too few frames to tell its motion"
MOVING = 0.05
"""m/s from which on an object moves (paper, appendix G)."""
SEEN_FRAMES = 4
"""Observed frames in which a moving object that decides the target is seen, at least."""


def undetermined(
    oracle: Oracle,
    observed: tuple[int, int],
    target: int,
    about: Iterable[int],
    video: Oracle | None = None,
    shown_as: Mapping[int, int] | None = None,
) -> str | None:
    """Why a frame does not follow from the observation; None where it does.

    What such an object's touch sets in motion may touch others in turn; the first touch alone is reason enough.

    Args:
        oracle: of the target's run.
        observed: first and last frame of the observation.
        target: frame asked for.
        about: bodies that the item is about.
        video: the run that the observation shows, where that is another one.
        shown_as: a body's index in the target's run -> in the video's; of none where they are the same.
    """
    first, cut = observed
    shown, index = video or oracle, shown_as or {}
    deciding = set(about)
    for collision in between(oracle, cut, target):
        for body in collision.pair:
            enters = oracle.bodies[body].enters
            if enters is not None and enters > cut:
                return ENTERS
            if not seen(shown, cut, index.get(body, body)):
                return HIDDEN
            deciding.add(body)
    for body in deciding:
        sights = [frame for frame in range(first, cut + 1) if seen(shown, frame, index.get(body, body))]
        if len(sights) < SEEN_FRAMES and moves(oracle, cut, body):
            return BRIEFLY
    return None


def moves(oracle: Oracle, frame: int, body: int) -> bool:
    """Whether a body moves in a frame."""
    x, y, z = oracle.velocities[frame, body].tolist()
    return math.sqrt(x * x + y * y + z * z) >= MOVING
