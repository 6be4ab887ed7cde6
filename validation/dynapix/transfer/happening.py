"""What happens in a filmed scene, found again in its published ways: meetings, starts, landings, what causes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .meta import FilmedMeta

Moment = tuple[int, tuple[int, ...]]
"""The first frame that shows something done, and to which bodies."""
BREAK: Final = 5
"""Frames without contact after which two bodies meet anew."""
SLOW: Final = 0.05
"""m/s below which a body is at rest."""
AT_REST, MOVING = 10, 3
"""Frames that a body rests before it starts, and moves from then on, at least."""
HEIGHT, WITHIN = 0.05, 10
"""Metres that a body comes down, and frames in which it does, before it lands."""


def meetings(scene: FilmedMeta) -> set[Moment]:
    """Two bodies touch, having been apart; the first frame shows nothing new."""
    found: set[Moment] = set()
    for one in range(scene.bodies):
        for other in range(one + 1, scene.bodies):
            together = _touching(scene, (one, other))
            for frame in np.flatnonzero(together).tolist():
                if frame > 0 and not together[max(0, frame - BREAK) : frame].any():
                    found.add((frame, (one, other)))
    return found


def _touching(scene: FilmedMeta, bodies: tuple[int, ...]) -> NDArray[np.bool_]:
    """(F,) whether these touch."""
    together = np.zeros(scene.frames, dtype=np.bool_)
    for contact in scene.contacts:
        if contact.bodies == bodies:
            together[contact.first : contact.last + 1] = True
    return together


def starts(scene: FilmedMeta) -> set[Moment]:
    """A body moves, having been at rest."""
    squares = (scene.velocities * scene.velocities).sum(axis=-1)
    still = squares < SLOW * SLOW
    return {
        (frame, (body,))
        for body in range(scene.bodies)
        for frame in range(AT_REST, scene.frames - MOVING + 1)
        if still[frame - AT_REST : frame, body].all() and not still[frame : frame + MOVING, body].any()
    }


def landings(scene: FilmedMeta) -> set[Moment]:
    """A body that comes down touches the ground, which it never did before."""
    return set(_landings(scene))


def _landings(scene: FilmedMeta) -> Iterator[Moment]:
    for body in range(scene.bodies):
        down = np.flatnonzero(_touching(scene, (body,)))
        if down.size and down[0] >= WITHIN:
            frame = int(down[0])
            if scene.poses[frame - WITHIN, body, 2] - scene.poses[frame, body, 2] >= HEIGHT:
                yield frame, (body,)


MOMENTS: Final[Mapping[str, Callable[[FilmedMeta], set[Moment]]]] = {
    "contact": meetings,
    "motion": starts,
    "landing": landings,
}


def surprise(scene: FilmedMeta, last: int, target: int) -> str | None:
    """Why the target cannot be foreseen at the observation's end; None if it can."""
    for frame, bodies in sorted(meetings(scene)):
        if last < frame <= target and not all(scene.sees(last, body) for body in bodies):
            return f"a hidden body touches another one at frame {frame}"
    for frame, (body,) in sorted(starts(scene)):
        known = scene.sees(last, body) or scene.sees(target, body)
        if last < frame <= target and known and not _pushed(scene, body, frame):
            return f"body {body} starts by itself at frame {frame}"
    return None


def _pushed(scene: FilmedMeta, body: int, frame: int) -> bool:
    """Whether another body touches it then, or in the frame before."""
    return any(
        body in contact.bodies and len(contact.bodies) == 2 and contact.first <= frame <= contact.last + 1
        for contact in scene.contacts
    )
