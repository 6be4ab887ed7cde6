"""Drawing scenes: what is in one, how it looks, where its bodies start, and which draws are kept.

A scene's look (bodies, view, light, ground) and its motion (who rests where, who enters when, from where, at whom) have
generators of their own, so that twins of a scene share the one and differ in the other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flowbench.collisions.oracle import COLOURS, MATERIALS, SHAPES, Body
from flowbench.collisions.run import Run
from flowbench.collisions.setup import GROUNDS, RADIUS, YAW, Ground, Light, Setup, Start, View
from flowbench.errors import FlowbenchError
from flowbench.geometry import sin_cos
from flowbench.seeding import generator

from .judging import flaw, in_picture
from .physics import simulate

POOL = "collisions"
_BODIES = (3, 6)
_MOST_ENTRANTS = 3
_MOST_DRAWS = 400
_SIDEWAYS, _AHEAD = 1.7, (-1.7, 1.1)
"""Where residents stand: at most this far across the camera's view from the middle, and from .. to along it, metres."""
_GAP = 3.0 * RADIUS
"""Least distance between the centres of residents, metres."""
_FARTHEST = 6.0
"""Entrances lie at most this far from the middle, metres."""
_SPEEDS = (2.2, 4.2)
_LAST_ENTRANCE = 64
_OUT_OF_SIGHT = 1.0
"""Metres from the picture at which neither a body nor its shadow is seen."""
_AIM = 0.25
"""An entrant passes the middle of what it is aimed at by at most this, metres."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A scene that was kept, how it moves, and how often a draw before it was rejected for what."""

    setup: Setup
    run: Run
    rejects: Counter[str]


@dataclass(frozen=True)
class _Look:
    """What twins share."""

    bodies: tuple[Body, ...]
    view: View
    light: Light
    ground: Ground


def draw_scene(seed: int, scene: int, twin: int = 0) -> Setup:
    """The setup of a scene, or of one of its twins; see :func:`draw`."""
    return draw(seed, scene, twin).setup


def draw(seed: int, scene: int, twin: int = 0) -> Drawn:
    """Draw until a scene is good.

    Args:
        seed: the release's.
        scene: index in the pool ``collisions``.
        twin: 0 for the scene itself, others for scenes of the same look that move otherwise.

    Raises:
        FlowbenchError: no draw was good.
    """
    rejects: Counter[str] = Counter()
    look = _draw_look(seed, scene, rejects)
    for attempt in range(_MOST_DRAWS):
        rng = generator(seed, POOL, scene, "motion", twin, attempt)
        setup = _draw_motion(rng, look, scene, twin)
        if isinstance(setup, str):
            rejects[setup] += 1
            continue
        run = simulate(setup)
        reason = flaw(setup, run)
        if reason is None:
            return Drawn(setup, run, rejects)
        rejects[reason] += 1
    raise FlowbenchError(
        f"scene {scene} of seed {seed}: none of {_MOST_DRAWS} draws was good ({dict(rejects)}), expected one; "
        "leave the scene out and report it."
    )


def _draw_look(seed: int, scene: int, rejects: Counter[str]) -> _Look:
    """Bodies that differ, and how the scene looks."""
    for attempt in range(_MOST_DRAWS):
        rng = generator(seed, POOL, scene, "look", attempt)
        count = int(rng.integers(_BODIES[0], _BODIES[1] + 1))
        kinds = [tuple(str(rng.choice(names)) for names in (SHAPES, MATERIALS, COLOURS)) for _ in range(count)]
        if len(set(kinds)) == count:
            break
        rejects["two objects are alike"] += 1
    bodies = tuple(Body(shape, material, colour) for shape, material, colour in kinds)
    return _Look(bodies, _draw_view(rng), _draw_light(rng), _draw_ground(rng))


def _draw_view(rng: np.random.Generator) -> View:
    """A camera about 7.2 m from the middle, 29 degrees above it, give or take."""
    distance, pitch = _uniform(rng, 6.9, 7.5), _uniform(rng, 0.47, 0.54)
    yaw = _uniform(rng, YAW - 0.08, YAW + 0.08)
    (sy, cy), (sp, cp) = sin_cos(yaw), sin_cos(pitch)
    x, y = _uniform(rng, -0.12, 0.12), _uniform(rng, -0.12, 0.12)
    eye = (round(x - distance * cp * cy, 4), round(y - distance * cp * sy, 4), round(0.1 + distance * sp, 4))
    return View(eye, yaw, round(pitch + _uniform(rng, -0.01, 0.01), 4), 600.0)


def _draw_light(rng: np.random.Generator) -> Light:
    """A warm key from behind the camera's left or right, a cool fill from the other side."""
    side = 1.0 if rng.random() < 0.5 else -1.0
    s, c = sin_cos(YAW + math.pi + side * _uniform(rng, 0.7, 1.3))
    key = (round(c, 4), round(s, 4), _uniform(rng, 1.5, 2.1))
    s, c = sin_cos(YAW + math.pi - side * _uniform(rng, 0.5, 1.4))
    fill = (round(5.0 * c, 4), round(5.0 * s, 4), _uniform(rng, 3.5, 5.0))
    strength, warmth = _uniform(rng, 1.5, 1.8), _uniform(rng, 0.0, 0.08)
    weak = _uniform(rng, 7.0, 11.0)
    return Light(
        key,
        (round(strength, 4), round(strength * (1.0 - 0.5 * warmth), 4), round(strength * (1.0 - warmth), 4)),
        fill,
        (round(weak * (1.0 - warmth), 4), round(weak * (1.0 - 0.3 * warmth), 4), round(weak, 4)),
        _uniform(rng, 0.32, 0.40),
    )


def _draw_ground(rng: np.random.Generator) -> Ground:
    """A light, greyish ground."""
    grey = _uniform(rng, 0.52, 0.66)
    tint = (grey, round(grey * _uniform(rng, 0.97, 1.0), 4), round(grey * _uniform(rng, 0.92, 1.0), 4))
    return Ground(str(rng.choice(GROUNDS)), tint, (_uniform(rng, 0.0, 4.0), _uniform(rng, 0.0, 4.0)))


def _uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A number that can be written with few digits."""
    return round(float(rng.uniform(low, high)), 4)


def _draw_motion(rng: np.random.Generator, look: _Look, scene: int, twin: int) -> Setup | str:
    """Residents and entrants; or why there are none."""
    count = len(look.bodies)
    fewest, most = min(2, count - 2), min(_MOST_ENTRANTS, count - 1)
    entrants = int(rng.integers(fewest, most + 1))
    entering = set(rng.permutation(count)[:entrants].tolist())
    starts: list[Start | None] = [None] * count
    for k in range(count):
        if k not in entering:
            starts[k] = _resident(rng, look.view, [start.place for start in starts if start is not None])
            if starts[k] is None:
                return "no room for a resident"
    residents = [start.place for start in starts if start is not None]
    bodies = list(look.bodies)
    for k in sorted(entering):
        aim = residents[int(rng.integers(len(residents)))]
        starts[k] = _entrant(rng, look.view, aim)
        if starts[k] is None:
            return "no way in for an entrant"
        bodies[k] = replace(bodies[k], enters=int(rng.integers(0, _LAST_ENTRANCE + 1)))
    placed = tuple(start for start in starts if start is not None)
    return Setup(scene, twin, tuple(bodies), placed, look.view, look.light, look.ground)


def _resident(rng: np.random.Generator, view: View, others: Sequence[tuple[float, float]]) -> Start | None:
    """A place in the picture with room about it."""
    s, c = sin_cos(view.yaw)
    for _ in range(50):
        across, along = _uniform(rng, -_SIDEWAYS, _SIDEWAYS), _uniform(rng, *_AHEAD)
        x, y = round(along * c + across * s, 4), round(along * s - across * c, 4)
        near = any((x - p) * (x - p) + (y - q) * (y - q) < _GAP * _GAP for p, q in others)
        if not near and in_picture(view, (x, y, RADIUS), -RADIUS):
            return Start((x, y), _uniform(rng, 0.0, math.pi))
    return None


def _entrant(rng: np.random.Generator, view: View, aim: tuple[float, float]) -> Start | None:
    """A way into the picture past ``aim``: it starts where the picture just does not show it."""
    for _ in range(20):
        s, c = sin_cos(_uniform(rng, 0.0, 2.0 * math.pi))
        miss = _uniform(rng, -_AIM, _AIM)
        speed = _uniform(rng, *_SPEEDS)
        yaw = _uniform(rng, 0.0, math.pi)
        x, y = aim[0] - miss * s, aim[1] + miss * c
        # Outwards from the aim to where neither the body nor its shadow is seen.
        while x * x + y * y < _FARTHEST * _FARTHEST and in_picture(view, (x, y, RADIUS), _OUT_OF_SIGHT):
            x, y = x + 0.1 * c, y + 0.1 * s
        if x * x + y * y < _FARTHEST * _FARTHEST:
            return Start((round(x, 4), round(y, 4)), yaw, (round(-speed * c, 4), round(-speed * s, 4)))
    return None
