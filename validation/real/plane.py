"""Whether a table plane is one: its axes lie as they should, and places seen on it are where the robot recorded them.

The plane comes from places where the end effector was seen and recorded (paper, B.3, "Language-Table table plane").
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from ..recompute.rules import Finding
from .evidence import Pair
from .measuring import Camera

FEWEST: Final = 30
"""Correspondences that are pooled, at least."""
INLIER: Final = 8.0
"""Pixels by which one that agrees may be off."""
AGREEING: Final = 0.5
"""Share of them that agrees, at least."""


def check_axes(pair: Pair, mover: int) -> Iterator[Finding]:
    """At the mover's foot x grows to the right of the picture and y down it."""
    found, camera = pair.before.objects.get(mover), pair.before.camera
    if camera.plane is None or found is None:
        return
    x, y, width, height = found.box
    u, v = x + (width - 1.0) / 2.0, y + height - 1.0 - height / 4.0
    here, right, down = (camera.on_plane(*at) for at in ((u, v), (u + 1.0, v), (u, v + 1.0)))
    across, along = right[0] - here[0], down[1] - here[1]
    if not (across > 0.0 and along > 0.0):
        yield Finding("axes of the plane", f"{across:.3g} m to the right, {along:.3g} m down a pixel", "both growing")


def check_points(camera: Camera, points: Sequence[Sequence[float]]) -> Iterator[Finding]:
    """Enough correspondences (u, v, x, y), pixels and metres of the robot's frame, and half of them agree.

    The plane's frame is the robot's, turned and shifted: the motion between both is fitted to the points that agree,
    and an error in metres becomes one in pixels by how large a pixel is there.
    """
    if camera.plane is None or len(points) < FEWEST or any(len(each) != 4 for each in points):
        yield Finding("correspondences of the plane", f"{len(points)}", f"at least {FEWEST} of four numbers")
        return
    seen = [camera.on_plane(u, v)[:2] for u, v, _, _ in points]
    recorded = [(x, y) for _, _, x, y in points]
    best = max((_agreeing(camera, points, seen, recorded, mirrored) for mirrored in (False, True)), default=0)
    if best < AGREEING * len(points):
        found = f"{best} of {len(points)} within {INLIER:g} px"
        yield Finding("correspondences of the plane", found, f"at least {AGREEING:.0%}")


def _agreeing(
    camera: Camera,
    points: Sequence[Sequence[float]],
    seen: Sequence[tuple[float, float]],
    recorded: Sequence[tuple[float, float]],
    mirrored: bool,
) -> int:
    """How many points agree with the rigid motion that fits best, found again from those that do, three times."""
    chosen: Sequence[int] = range(len(points))
    count = 0
    for _ in range(4):
        motion = _rigid([seen[k] for k in chosen], [recorded[k] for k in chosen], mirrored)
        near = [k for k in range(len(points)) if _off(camera, points[k], seen[k], recorded[k], motion) <= INLIER]
        count = len(near)
        if count < 2:
            break
        chosen = near
    return count


Motion = tuple[float, float, float, float, bool]
"""Cosine, sine, shift (x, y), and whether y is turned round first."""


def _rigid(seen: Sequence[tuple[float, float]], recorded: Sequence[tuple[float, float]], mirrored: bool) -> Motion:
    """The least-squares turn and shift from the plane to the robot's frame."""
    sign = -1.0 if mirrored else 1.0
    n = len(seen)
    px, py = math.fsum(x for x, _ in seen) / n, sign * math.fsum(y for _, y in seen) / n
    rx, ry = math.fsum(x for x, _ in recorded) / n, math.fsum(y for _, y in recorded) / n
    along = across = 0.0
    for (x, y), (a, b) in zip(seen, recorded, strict=True):
        dx, dy, da, db = x - px, sign * y - py, a - rx, b - ry
        along += dx * da + dy * db
        across += dx * db - dy * da
    length = math.hypot(along, across) or 1.0
    cosine, sine = along / length, across / length
    return cosine, sine, rx - cosine * px + sine * py, ry - sine * px - cosine * py, mirrored


def _off(
    camera: Camera, point: Sequence[float], seen: tuple[float, float], recorded: tuple[float, float], motion: Motion
) -> float:
    """Pixels by which a recorded place is off where it is seen."""
    cosine, sine, shift_x, shift_y, mirrored = motion
    x, y = seen[0], -seen[1] if mirrored else seen[1]
    moved = cosine * x - sine * y + shift_x, sine * x + cosine * y + shift_y
    u, v = point[0], point[1]
    right, down = camera.on_plane(u + 1.0, v)[:2], camera.on_plane(u, v + 1.0)[:2]
    pixel = max(math.dist(right, seen), math.dist(down, seen), 1e-9)
    return math.dist(moved, recorded) / pixel
