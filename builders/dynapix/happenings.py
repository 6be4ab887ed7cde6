"""What happens when in a run, read off its oracle: collisions between two moments, what is seen, how far things move.

The *moment* of a collision is the first frame whose picture shows it done (:mod:`.oracle`): all anchors count from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from flowbench.collisions.oracle import FRAMES, HEIGHT, WIDTH, Collision, Oracle

SEEN_PX = 50
"""Pixels from which on a body counts as seen."""
LAST = FRAMES - 1


def last_frame(oracle: Oracle) -> int:
    """The last frame of a run; recorded ones have other numbers of frames than ours."""
    return len(oracle.poses) - 1


def moment(collision: Collision) -> int:
    """The first frame that shows a collision done; may be FRAMES, of one after the last picture."""
    return collision.frame + 1


def between(oracle: Oracle, after: int, until: int) -> list[Collision]:
    """Collisions whose moment lies in (after, until]."""
    return [each for each in oracle.collisions if after < moment(each) <= until]


def seen(oracle: Oracle, frame: int, body: int) -> bool:
    """Whether enough of a body is seen in a frame."""
    return int(oracle.visible[frame, body]) >= SEEN_PX


def seen_bodies(oracle: Oracle, frame: int) -> tuple[int, ...]:
    """The bodies seen in a frame, ascending."""
    return tuple(body for body in range(len(oracle.bodies)) if seen(oracle, frame, body))


def in_picture(u: float, v: float) -> bool:
    """Whether a point lies in the picture."""
    return -0.5 <= u <= WIDTH - 0.5 and -0.5 <= v <= HEIGHT - 0.5


def shift_px(one: tuple[Oracle, int, int], other: tuple[Oracle, int, int]) -> float:
    """Pixels between the places of a body in two frames, each given as (oracle, frame, body).

    A body seen in neither frame counts as unmoved; a centre that is not finite (a body taken away) does, too.
    """
    if not (seen(*one) or seen(*other)):
        return 0.0
    (u, v), (x, y) = ((float(a), float(b)) for a, b in (o.pixels[frame, body] for o, frame, body in (one, other)))
    along, across = u - x, v - y
    apart = math.sqrt(along * along + across * across)
    return apart if math.isfinite(apart) else 0.0


def largest_shift(one: tuple[Oracle, int], other: tuple[Oracle, int], bodies: Iterable[int]) -> float:
    """The largest shift of any of some bodies between two frames of runs with the same bodies, pixels."""
    return max((shift_px((*one, body), (*other, body)) for body in bodies), default=0.0)
