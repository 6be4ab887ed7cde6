"""From the oracle to what a viewer could say: qualitative predicates at an item's own cut (paper, section 5.1, app. G).

Directions and regions are those of the picture, speeds those of the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flowbench.builders.dynapix.happenings import SEEN_PX, between, in_picture, moment, seen, seen_bodies
from flowbench.collisions.oracle import HEIGHT, WIDTH, Oracle

STATIONARY = 0.05
"""m/s below which an object rests (paper, appendix G)."""
INSPECTED = 5
"""Last frames of the observation from which headings are read."""
IMMINENT, SOON = 15, 40
"""Frames within which a meeting is imminent, or soon."""
RECENT = 6
"""Frames for which a collision has just happened."""
REACH = 0.5
"""Metres between the centres of two objects that touch."""
CLOSE = 1.3 * REACH
"""Metres between the centres of two objects that are close together."""
SLANT = math.sqrt(2.0) - 1.0
"""Tangent of 22.5 degrees: borders of the eight sectors."""
HEADINGS = ("right", "lower right", "bottom", "lower left", "left", "upper left", "top", "upper right")
"""Clockwise in the picture, whose v axis points down."""
REGIONS = (
    ("top-left", "top", "top-right"),
    ("left side", "centre", "right side"),
    ("bottom-left", "bottom", "bottom-right"),
)
PACES = ("slow", "medium", "fast")


@dataclass(frozen=True)
class Terciles:
    """Speeds, m/s, that part moving objects into thirds."""

    lower: float
    upper: float

    def pace(self, speed: float) -> str:
        """``slow``, ``medium`` or ``fast``."""
        return PACES[(speed > self.lower) + (speed > self.upper)]


@dataclass(frozen=True)
class State:
    """An object that is seen at the cut.

    Attributes:
        body: its index.
        name: what it is called.
        pace: None of one at rest.
        heading: None of one that does not move in the picture.
        region: where it is at the cut.
        later: region where it is at the target; None when it is not seen there.
        left: whether it has left the picture at the target: it is not seen, and its centre lies outside.
        moves: whether it lies elsewhere at the target, in the picture.
    """

    body: int
    name: str
    pace: str | None
    heading: str | None
    region: str
    later: str | None
    left: bool
    moves: bool


@dataclass(frozen=True)
class Course:
    """Two objects whose next collision is with each other.

    Attributes:
        pair: names.
        when: ``imminent`` or ``soon``.
    """

    pair: tuple[str, str]
    when: str


@dataclass(frozen=True)
class Predicates:
    """What is said of an item, all true of the record.

    Attributes:
        states: of the objects seen at the cut.
        courses: collision courses at the cut.
        meetings: names of pairs that collide after the cut, up to the target, in order of time.
        close: names of pairs that are close together at the target.
        met: names of pairs that have just collided.
        calm: whether no object seen at the cut collides with anything soon.
        free: whether nothing at all collides after the cut, up to the target.
    """

    states: tuple[State, ...]
    courses: tuple[Course, ...]
    meetings: tuple[tuple[str, str], ...]
    close: tuple[tuple[str, str], ...]
    met: tuple[tuple[str, str], ...] = ()
    calm: bool = True
    free: bool = True


def observe(oracle: Oracle, cut: int, target: int, terciles: Terciles | None = None) -> Predicates:
    """The predicates of an item.

    Args:
        oracle: of the run whose target it is.
        cut: last observed frame, from 4 on.
        target: frame asked for.
        terciles: of speeds; the scene's own where None.
    """
    parts = terciles or terciles_of(oracle)
    bodies = seen_bodies(oracle, cut)
    names = [body.name for body in oracle.bodies]
    known = _pairs(bodies)
    met = dict.fromkeys(each.pair for each in between(oracle, cut, target))
    just = dict.fromkeys(each.pair for each in between(oracle, cut - RECENT - 1, cut))
    both = [pair for pair in known if all(seen(oracle, target, body) for body in pair)]
    return Predicates(
        tuple(_state(oracle, body, cut, target, parts) for body in bodies),
        tuple(
            Course((names[one], names[other]), when)
            for one, other in known
            for when in (course(oracle, cut, one, other),)
            if when
        ),
        tuple((names[one], names[other]) for one, other in met if one in bodies and other in bodies),
        tuple((names[one], names[other]) for one, other in both if _gap(oracle, target, one, other) <= CLOSE),
        tuple((names[one], names[other]) for one, other in just if one in bodies and other in bodies),
        calm=not any(set(each.pair) & set(bodies) for each in between(oracle, cut, cut + SOON)),
        free=not met,
    )


def _pairs(bodies: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(one, other) for number, one in enumerate(bodies) for other in bodies[number + 1 :]]


def terciles_of(oracle: Oracle) -> Terciles:
    """Thirds of all speeds at which the scene's objects are seen to move."""
    x, y, z = (oracle.velocities[..., axis] for axis in range(3))
    speeds = np.sqrt(x * x + y * y + z * z)
    moving = np.sort(speeds[(oracle.visible >= SEEN_PX) & (speeds >= STATIONARY)]).tolist()
    if not moving:
        return Terciles(math.inf, math.inf)
    return Terciles(moving[(len(moving) - 1) // 3], moving[2 * (len(moving) - 1) // 3])


def speed_of(oracle: Oracle, frame: int, body: int) -> float:
    """m/s."""
    x, y, z = oracle.velocities[frame, body].tolist()
    return math.sqrt(x * x + y * y + z * z)


def heading_of(along: float, down: float) -> str | None:
    """The sector of a way in the picture, pixels; None of one under half a pixel."""
    if along * along + down * down < 0.25:
        return None
    flat, steep = abs(down) <= SLANT * abs(along), abs(along) <= SLANT * abs(down)
    if flat:
        return "right" if along > 0.0 else "left"
    if steep:
        return "bottom" if down > 0.0 else "top"
    return f"{'lower' if down > 0.0 else 'upper'} {'right' if along > 0.0 else 'left'}"


def region_of(u: float, v: float) -> str:
    """Which of nine regions of the picture a point lies in; the nearest one of a point outside."""
    column = min(2, max(0, int((u + 0.5) * 3.0 // WIDTH)))
    row = min(2, max(0, int((v + 0.5) * 3.0 // HEIGHT)))
    return REGIONS[row][column]


def _state(oracle: Oracle, body: int, cut: int, target: int, terciles: Terciles) -> State:
    speed = speed_of(oracle, cut, body)
    now, before, then = (oracle.pixels[frame, body].tolist() for frame in (cut, cut - INSPECTED + 1, target))
    rests = speed < STATIONARY
    along, down = then[0] - now[0], then[1] - now[1]
    return State(
        body=body,
        name=oracle.bodies[body].name,
        pace=None if rests else terciles.pace(speed),
        heading=None if rests else heading_of(now[0] - before[0], now[1] - before[1]),
        region=region_of(*now),
        later=region_of(*then) if seen(oracle, target, body) else None,
        left=not seen(oracle, target, body) and not in_picture(*then),
        moves=along * along + down * down >= 9.0,
    )


def _gap(oracle: Oracle, frame: int, one: int, other: int) -> float:
    """Metres between two centres."""
    x, y, z = (oracle.poses[frame, one, :3] - oracle.poses[frame, other, :3]).tolist()
    return math.sqrt(x * x + y * y + z * z)


def course(oracle: Oracle, cut: int, one: int, other: int) -> str | None:
    """Whether two bodies are on a collision course: within SOON frames they meet, and nothing else happens to either.

    Moving on undisturbed is what a course means, so the record decides, and no line through the last frames that
    friction, a curve or a third body would belie. A pair that has just collided is on none, even if it meets again.
    """
    pair = one, other
    if any(each.pair == pair for each in between(oracle, cut - RECENT - 1, cut)):
        return None
    for each in between(oracle, cut, cut + SOON):
        if each.pair == pair:
            return "imminent" if moment(each) <= cut + IMMINENT else "soon"
        if set(each.pair) & set(pair):
            return None
    return None
