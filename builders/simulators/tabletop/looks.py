"""How episodes look: cameras of both set-ups, tables, rooms, light."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from flowbench.geometry import sin_cos

from .panda import Joints
from .scene import Colour, Setup, Surface, Surroundings, View

_WOODS: Sequence[Colour] = ((0.86, 0.74, 0.60), (0.62, 0.46, 0.33), (0.95, 0.88, 0.78), (0.50, 0.37, 0.28))
_TABLES: Sequence[tuple[str, Sequence[Colour], float]] = (
    ("wood", _WOODS, 1.1),
    ("veneer", _WOODS, 1.1),
    ("planks", _WOODS, 1.6),
    ("plain", ((0.80, 0.80, 0.78), (0.62, 0.65, 0.68), (0.30, 0.32, 0.35), (0.74, 0.80, 0.78)), 1.0),
    ("marble", ((0.86, 0.86, 0.85), (0.70, 0.69, 0.67)), 1.6),
    ("granite", ((0.60, 0.58, 0.56), (0.36, 0.36, 0.38)), 5.0),
    ("linen", ((0.82, 0.79, 0.72), (0.55, 0.63, 0.70), (0.70, 0.55, 0.52)), 4.0),
)
_BOARDS: Sequence[Surface] = (
    Surface(texture="plain", tint=(0.84, 0.83, 0.80), scale=1.0),
    Surface(texture="plain", tint=(0.66, 0.69, 0.72), scale=1.0),
    Surface(texture="wood", tint=(0.95, 0.86, 0.72), scale=1.2),
    Surface(texture="plain", tint=(0.30, 0.42, 0.40), scale=1.0),
    Surface(texture="linen", tint=(0.72, 0.66, 0.58), scale=5.0),
    Surface(texture="plain", tint=(0.36, 0.40, 0.48), scale=1.0),
)
_WALLS: Sequence[tuple[str, Colour, float]] = (
    ("plaster", (0.90, 0.88, 0.83), 0.8),
    ("plaster", (0.70, 0.78, 0.80), 0.8),
    ("wallpaper", (0.86, 0.82, 0.74), 1.2),
    ("tile", (0.86, 0.89, 0.88), 1.6),
    ("brick", (0.86, 0.74, 0.68), 0.8),
    ("concrete", (0.80, 0.80, 0.79), 0.6),
    ("stucco", (0.88, 0.80, 0.70), 0.7),
)
_FLOORS: Sequence[tuple[str, Colour, float]] = (
    ("planks", (0.80, 0.68, 0.56), 0.8),
    ("parquet", (0.86, 0.74, 0.60), 0.8),
    ("tile", (0.75, 0.74, 0.71), 1.2),
    ("concrete", (0.62, 0.62, 0.62), 0.5),
    ("slabs", (0.72, 0.70, 0.66), 0.6),
)
FOCUS = {"bridge": (0.5, 0.0), "topdown": (0.5, 0.0)}
"""Where cameras look, (x, y) metres, give or take."""


def draw_view(rng: np.random.Generator, setup: Setup) -> View:
    """A camera that looks towards the arm: at a slant from before it or its sides, or from nearly above."""
    x, y = FOCUS[setup]
    x, y = x + uniform(rng, -0.015, 0.015), y + uniform(rng, -0.015, 0.015)
    if setup == "bridge":
        turn, pitch, distance = uniform(rng, -1.15, 1.15), uniform(rng, 0.38, 0.74), uniform(rng, 0.74, 0.88)
    else:
        turn, pitch, distance = uniform(rng, -0.12, 0.12), uniform(rng, 1.22, 1.42), uniform(rng, 0.63, 0.70)
    (st, ct), (sp, cp) = sin_cos(turn), sin_cos(pitch)
    eye = (round(x + distance * cp * ct, 4), round(y + distance * cp * st, 4), round(0.03 + distance * sp, 4))
    return View(eye=eye, yaw=round(turn + math.pi, 4), pitch=round(pitch + uniform(rng, -0.01, 0.01), 4))


def draw_park(rng: np.random.Generator, view: View) -> Joints:
    """Where the arm waits: drawn back, turned away from the camera."""
    away = -1.0 if view.eye[1] > 0.0 else 1.0
    turn = away * uniform(rng, 0.45, 0.95)
    return (
        turn,
        uniform(rng, -1.20, -1.05),
        0.0,
        uniform(rng, -2.75, -2.6),
        0.0,
        uniform(rng, 1.75, 1.95),
        uniform(rng, 0.7, 0.87),
    )


def draw_surroundings(rng: np.random.Generator, setup: Setup) -> Surroundings:
    """Table, room and light."""
    texture, tints, scale = _TABLES[int(rng.integers(len(_TABLES)))]
    board = None
    if setup == "topdown" or rng.random() < 0.15:
        board = _BOARDS[int(rng.integers(len(_BOARDS)))]
    wall, floor = _WALLS[int(rng.integers(len(_WALLS)))], _FLOORS[int(rng.integers(len(_FLOORS)))]
    turn, warmth, strength = uniform(rng, -1.3, 1.3), uniform(rng, -0.05, 0.10), uniform(rng, 1.25, 1.7)
    s, c = sin_cos(turn)
    fill_turn = sin_cos(turn + uniform(rng, 1.6, 3.6))
    weak = uniform(rng, 0.8, 1.6)
    return Surroundings(
        table=Surface(texture=texture, tint=tints[int(rng.integers(len(tints)))], scale=scale),
        table_size=(uniform(rng, 1.15, 1.4), uniform(rng, 1.3, 1.8)),
        board=board,
        wall=Surface(texture=wall[0], tint=wall[1], scale=wall[2]),
        floor=Surface(texture=floor[0], tint=floor[1], scale=floor[2]),
        wall_distance=uniform(rng, 1.0, 1.6),
        style=int(rng.integers(1 << 12)),
        key=(round(c, 4), round(s, 4), uniform(rng, 1.2, 2.2)),
        key_colour=(strength, round(strength * (1.0 - 0.5 * warmth), 4), round(strength * (1.0 - warmth), 4)),
        fill=(round(0.5 + 1.6 * fill_turn[1], 4), round(1.6 * fill_turn[0], 4), uniform(rng, 1.1, 1.7)),
        fill_colour=(round(weak * (1.0 - 0.3 * warmth), 4), weak, round(weak * (1.0 + 0.3 * warmth), 4)),
        ambient=uniform(rng, 0.32, 0.44),
    )


def uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A number that can be written with few digits."""
    return round(float(rng.uniform(low, high)), 4)
