"""The two moves: to pick a thing up and place it, and to push it.

What the arm does is planned; what the thing does follows from the arm. Held, it goes where the fingers go, without
turning; pushed by two fingers, straight on, with its middle between them, it slides ahead of them as long as they touch
it (quasi-static: at these speeds friction stops it within a fraction of a millimetre once they stop). Fingers touch at
:data:`SKIN`: found by conservative advancement with exact distances, so nothing ever enters anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.geometry import ConvexParts, Pose, sin_cos
from flowbench.geometry.frames import Matrix

from .panda import FINGERS, HAND, MOST_OPEN, Joints, hand_of, panda
from .path import Path, UnreachableError, above, raised, shifted
from .reaching import pointing, tip_frame

SKIN: Final = 1e-4
"""Distance at which things count as touching, metres."""
_WIDEST: Final = 0.0785
_TOUCHING: Final = 0.0015
"""Both fingers of a push are at most so far from what they push, metres."""
_LEANING: Final = 0.55
"""Radians by which the hand leans back when it pushes, so that it keeps clear of tall things."""
_GROUND: Final = 0.004
"""Height of the fingers' lowest points when they push or grip low, metres."""
_HAND_ROOM: Final = 0.033
"""Between the tip frame and the highest point of what is gripped, metres."""

Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Move:
    """What happens in an episode.

    Attributes:
        joints: (F, 7) radians.
        openings: (F,) metres.
        poses: of the thing that is moved, one a frame.
        holding, contact: (F,) bool.
    """

    joints: NDArray[np.float64]
    openings: NDArray[np.float64]
    poses: tuple[Pose, ...]
    holding: NDArray[np.bool_]
    contact: NDArray[np.bool_]


def fingers_at(tip: Matrix, opening: float) -> tuple[ConvexParts, ConvexParts]:
    """The fingers' hulls with the tip frame at ``tip``, world."""
    hand = hand_of(tip)
    hulls = []
    for side, link in zip((1.0, -1.0), FINGERS, strict=True):
        place = hand.copy()
        y = hand[:3, 1] * (side * 0.5 * opening) + hand[:3, 2] * 0.0584
        place[:3, 3] = hand[:3, 3] + y
        hulls.append(panda().links[link].hull.placed(place))
    return hulls[0], hulls[1]


def hand_at(tip: Matrix) -> ConvexParts:
    """The hand's hull, world."""
    return panda().links[HAND].hull.placed(hand_of(tip))


def until_touch(body: ConvexParts, target: ConvexParts, way: Sequence[float], most: float) -> float | None:
    """How far a body can go along a unit direction until it is at :data:`SKIN` of ``target``; None if never.

    It advances by the distance to the target, which is never too far.
    """
    unit = np.array(way, dtype=np.float64)
    gone = 0.0
    for _ in range(400):
        gap = body.moved(unit * gone).distance(target)
        if gap <= SKIN:
            return gone
        gone += max(gap - 0.5 * SKIN, 0.25 * SKIN)
        if gone > most:
            return None
    return None


@dataclass(frozen=True, eq=False)
class Grasp:
    """Where the fingers close on a thing: the tip frame, and the opening at which both touch."""

    tip: Matrix
    opening: float


def grasp_of(thing: ConvexParts, middle: Point, closing: float) -> Grasp | None:
    """How fingers that close in a direction (radians, world) hold a thing round its middle; None if they do not."""
    top = float(thing.vertices[:, 2].max())
    z = max(0.0089 + _GROUND, 0.48 * top, top - _HAND_ROOM)
    tip = pointing((*middle, z), closing)
    left, right = fingers_at(tip, MOST_OPEN)
    if min(left.distance(thing), right.distance(thing)) <= SKIN:
        return None
    y = tip[:3, 1].tolist()
    a = until_touch(left, thing, [-v for v in y], 0.5 * MOST_OPEN)
    b = until_touch(right, thing, y, 0.5 * MOST_OPEN)
    if a is None or b is None:
        return None
    opening, shift = MOST_OPEN - a - b, 0.5 * (b - a)
    if not 0.006 < opening < _WIDEST or abs(shift) > 0.012:
        return None
    return Grasp(shifted(tip, [v * shift for v in y]), opening)


def pick_and_place(pose: Pose, grasp: Grasp, way: Point, lift: float, park: Joints) -> Move:
    """Pick a thing up and place it ``way`` (x, y) metres away; raises UnreachableError."""
    ready = min(MOST_OPEN, grasp.opening + 0.018)
    path = Path([park], [0.04])
    path.stay(2)
    up = raised(grasp.tip, 0.11)
    path.turn(above(up), _turns(path.joints[-1], above(up)), ready)
    path.line(grasp.tip, 9)
    path.grip(grasp.opening, 3)
    path.mark("held")
    path.line(raised(grasp.tip, lift), 4 + round(28 * lift))
    length = _length(way)
    path.line(raised(shifted(grasp.tip, way), lift), 6 + round(36 * length))
    path.line(shifted(grasp.tip, way), 5 + round(28 * lift))
    path.mark("placed")
    path.grip(ready, 3)
    path.line(raised(shifted(grasp.tip, way), 0.11), 6)
    path.turn(park, _turns(path.joints[-1], park), 0.04)
    path.stay(3)
    held, placed = path.marks["held"], path.marks["placed"]
    poses = _carried(path, pose, held, placed)
    frames = np.arange(len(path))
    holding = (frames >= held) & (frames < placed)
    return Move(np.array(path.joints), np.array(path.openings), tuple(poses), holding, holding.copy())


def _carried(path: Path, pose: Pose, held: int, placed: int) -> list[Pose]:
    """Where a thing is at each frame that hangs in the fingers from frame ``held`` until before ``placed``."""
    start = tip_frame(path.joints[held - 1])[:3, 3]
    poses = [pose] * held
    for joints in path.joints[held:placed]:
        x, y, z = (tip_frame(joints)[:3, 3] - start).tolist()
        poses.append(pose.moved(x, y, max(z, 0.0)))
    x, y, _ = poses[-1].position
    poses[-1] = Pose((x, y, pose.position[2]), pose.quaternion)
    return poses + [poses[-1]] * (len(path) - placed)


def push(thing: ConvexParts, pose: Pose, middle: Point, direction: float, length: float, park: Joints) -> Move:
    """Push a thing ``length`` metres in a direction (radians, world); raises UnreachableError."""
    s, c = sin_cos(direction)
    across = _extent(thing, (-s, c))
    opening = min(max(0.55 * across, 0.004), 0.056)
    for closing, lean in ((direction + 1.5707963267948966, _LEANING), (direction - 1.5707963267948966, -_LEANING)):
        try:
            return _pushed(thing, pose, (middle, (c, s), length), (closing, lean, opening), park)
        except UnreachableError as error:
            last = error
    raise last


def _pushed(
    thing: ConvexParts,
    pose: Pose,
    task: tuple[Point, Point, float],
    hand: tuple[float, float, float],
    park: Joints,
) -> Move:
    """One of the two ways to hold the hand."""
    (middle, ahead, length), (closing, lean, opening) = task, hand
    far = 0.5 * _extent(thing, ahead) + 0.12
    tip = pointing((middle[0] - far * ahead[0], middle[1] - far * ahead[1], 0.0), closing, lean)
    tip[2, 3] = _GROUND - min(float(f.vertices[:, 2].min()) for f in fingers_at(tip, opening))
    fingers = fingers_at(tip, opening)
    reached = [until_touch(finger, thing, (*ahead, 0.0), 2.0 * far) for finger in fingers]
    if reached[0] is None or reached[1] is None or abs(reached[0] - reached[1]) > _TOUCHING:
        raise UnreachableError("the fingers do not touch it side by side")
    gone = min(reached[0], reached[1])
    touch = shifted(tip, (gone * ahead[0], gone * ahead[1]))
    if hand_at(touch).distance(thing, limit=0.003) < 0.003:
        raise UnreachableError("the hand touches it before the fingers do")
    back = shifted(touch, (-0.05 * ahead[0], -0.05 * ahead[1]))
    path = Path([park], [0.02])
    path.stay(2)
    up = raised(back, 0.13)
    path.turn(above(up), _turns(path.joints[-1], above(up)), opening)
    path.line(back, 7)
    path.line(touch, 5)
    path.mark("touch")
    path.line(shifted(touch, (length * ahead[0], length * ahead[1])), 6 + round(62 * length))
    path.mark("leave")
    path.line(shifted(touch, ((length - 0.05) * ahead[0], (length - 0.05) * ahead[1])), 4)
    path.line(raised(shifted(touch, ((length - 0.05) * ahead[0], (length - 0.05) * ahead[1])), 0.13), 6)
    path.turn(park, _turns(path.joints[-1], park), 0.02)
    path.stay(3)
    begin, end = path.marks["touch"], path.marks["leave"]
    start = tip_frame(path.joints[begin - 1])[:3, 3]
    poses, farthest = [], 0.0
    for frame, joints in enumerate(path.joints):
        if begin <= frame < end:
            x, y = (float(v) for v in (tip_frame(joints)[:3, 3] - start)[:2])
            farthest = max(farthest, x * ahead[0] + y * ahead[1])
        poses.append(pose.moved(farthest * ahead[0], farthest * ahead[1]))
    frames = np.arange(len(path))
    contact = (frames >= begin) & (frames < end)
    return Move(np.array(path.joints), np.array(path.openings), tuple(poses), np.zeros_like(contact), contact)


def _turns(start: Sequence[float], end: Sequence[float]) -> int:
    """Frames for a turn of the joints, about a radian and a half a second."""
    widest = max(abs(a - b) for a, b in zip(start, end, strict=True))
    return max(8, round(9.0 * widest))


def _length(way: Point) -> float:
    return float(np.sqrt(way[0] * way[0] + way[1] * way[1]))


def _extent(thing: ConvexParts, way: Point) -> float:
    """Width of a thing along a direction, metres."""
    along = thing.vertices[:, 0] * way[0] + thing.vertices[:, 1] * way[1]
    return float(along.max() - along.min())
