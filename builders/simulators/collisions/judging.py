"""Which scenes are kept: enough collisions to be seen, entrants that stay upright, residents that wait."""

from __future__ import annotations

import math

import numpy as np

from flowbench.collisions.oracle import FRAMES, HEIGHT, SUBSTEPS, WIDTH
from flowbench.collisions.run import Run
from flowbench.collisions.setup import RADIUS, Setup, View
from flowbench.geometry import cos

LEAST_COLLISIONS = 2
"""Collisions whose place lies in the picture."""
MOST_TILT = math.radians(15.0)
"""An entrant that leans farther before it touches anything tips over."""
_RESTING = 0.05
_LEAST_SEEN = 10


def in_picture(view: View, point: tuple[float, float, float], margin: float = 0.0) -> bool:
    """Whether the camera sees a point (world, metres), or one within ``margin`` metres of it; negative: with room."""
    (pixel,), (depth,) = view.camera.project(np.array([point]))
    if depth <= 0.0:
        return False
    slack = margin * view.focal / float(depth)
    u, v = float(pixel[0]), float(pixel[1])
    return -slack <= u <= WIDTH - 1 + slack and -slack <= v <= HEIGHT - 1 + slack


def flaw(setup: Setup, run: Run) -> str | None:
    """Why a scene is not kept; None if it is."""
    first = first_touches(run, len(setup.bodies))
    if blocked(setup, run):
        return "an entrance is blocked"
    for k, body in enumerate(setup.bodies):
        alone = slice(body.enters or 0, min(first[k] // SUBSTEPS + 1, FRAMES))
        poses, velocities = run.poses[alone, k], run.velocities[alone, k]
        if body.enters is None:
            squares = velocities[:, 0] * velocities[:, 0] + velocities[:, 1] * velocities[:, 1]
            if float(squares.max()) > _RESTING * _RESTING:
                return "a resident does not rest"
            continue
        up = 1.0 - 2.0 * (poses[:, 3] * poses[:, 3] + poses[:, 4] * poses[:, 4])
        if body.shape != "sphere" and float(up.min()) < cos(MOST_TILT):
            return "an entrant tips over"
        shown = [in_picture(setup.view, tuple(pose[:3].tolist())) for pose in run.poses[body.enters :, k]]
        if sum(1 for yes in shown if yes) < _LEAST_SEEN:
            return "an entrant is hardly seen"
    if float(run.poses[..., 2].max()) > 3.0 * RADIUS:
        return "a body is thrown up"
    if sum(1 for c in run.collisions if in_picture(setup.view, c.position)) < LEAST_COLLISIONS:
        return "too few collisions in the picture"
    return None


def blocked(setup: Setup, run: Run) -> bool:
    """Whether something stands where a body enters at the moment it does."""
    for k, body in enumerate(setup.bodies):
        if body.enters is None or math.isnan(run.poses[body.enters, k, 0]):
            continue
        for other, pose in enumerate(run.poses[body.enters]):
            waiting = setup.bodies[other].enters
            if other == k or math.isnan(pose[0]) or (waiting is not None and waiting > body.enters):
                continue
            x, y = pose[0] - run.poses[body.enters, k, 0], pose[1] - run.poses[body.enters, k, 1]
            if x * x + y * y < 9.0 * RADIUS * RADIUS:
                return True
    return False


def first_touches(run: Run, count: int) -> list[int]:
    """The substep in which each body is touched for the first time; the end of the run if never."""
    first = [FRAMES * SUBSTEPS] * count
    for touch in run.touches:
        for k in touch.pair:
            first[k] = min(first[k], touch.step)
    return first


def reached(run: Run, other: Run, removed: int) -> list[int]:
    """The substep from which each body may move otherwise in a run than in another one without ``removed``.

    It spreads by touch, in either run: from the removed body to what it touches, on to what that touches, and to what a
    body hits that is no longer held up. Bodies move alike, bit for bit, before that; the end of the run if it never
    reaches them, 0 of the removed body.
    """
    out = [FRAMES * SUBSTEPS] * run.poses.shape[1]
    out[removed] = 0
    settled = False
    while not settled:
        settled = True
        for touch in (*run.touches, *other.touches):
            a, b = touch.pair
            moment = max(touch.step, min(out[a], out[b]))
            if moment <= touch.last and moment < max(out[a], out[b]):
                out[a], out[b] = min(out[a], moment), min(out[b], moment)
                settled = False
    return out
