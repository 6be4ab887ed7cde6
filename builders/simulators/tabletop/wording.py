"""What the arm is told: a sentence that names the mover and where it goes, as the camera sees it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowbench.geometry import Camera

_CLEAR = 2.2
"""A direction is named alone if it is so many times the other one."""
_BESIDE = 0.09
"""Metres between surfaces up to which one thing is next to another."""
_BEHIND = 0.14

Point = tuple[float, float]


def task_text(
    rng: np.random.Generator,
    names: Sequence[str],
    k: int,
    pushed: bool,
    way: Point,
    gaps: Sequence[float],
    offsets: Sequence[Point],
    camera: Camera,
) -> str:
    """The sentence.

    Args:
        rng: chooses among ways to say it.
        names: of all things.
        k: the mover.
        pushed: or picked and placed.
        way: (x, y) metres that it goes.
        gaps: metres between its surface and each other thing's at the end; its own is not looked at.
        offsets: (x, y) metres from each other thing's middle to its own at the end.
        camera: who looks.
    """
    mover = f"the {names[k]}"
    others = [n for n in range(len(names)) if n != k]
    nearest = min(others, key=lambda n: (gaps[n], n), default=None)
    verb = _choice(rng, ("push", "slide") if pushed else ("put", "move", "place"))
    if nearest is not None and gaps[nearest] <= _BEHIND and rng.random() < 0.75:
        where = _relation(camera, offsets[nearest], gaps[nearest])
        if where is not None:
            return f"{verb} {mover} {where} the {names[nearest]}"
    verb = "move" if verb in ("put", "place") else verb
    return f"{verb} {mover} {direction(camera, way)}"


def direction(camera: Camera, way: Point) -> str:
    """A way on the table in words, as the camera sees it."""
    across, along = _seen(camera, way)
    sideways = "to the right" if across > 0.0 else "to the left"
    lengthways = "away from the camera" if along > 0.0 else "towards the camera"
    if abs(across) > _CLEAR * abs(along):
        return sideways
    if abs(along) > _CLEAR * abs(across):
        return lengthways
    return f"{sideways} and {lengthways}"


def _relation(camera: Camera, offset: Point, gap: float) -> str | None:
    """Where a thing is seen from another one that is near."""
    across, along = _seen(camera, offset)
    if abs(along) > _CLEAR * abs(across):
        return "behind" if along > 0.0 else "in front of"
    if abs(across) > _CLEAR * abs(along):
        side = "right" if across > 0.0 else "left"
        return f"to the {side} of" if gap > _BESIDE / 2.0 else "next to"
    return "next to" if gap <= _BESIDE else None


def _seen(camera: Camera, way: Point) -> Point:
    """(to the right, away from the camera) of a way (x, y) on the table."""
    right, forward = camera.floor_axes
    return way[0] * right[0] + way[1] * right[1], way[0] * forward[0] + way[1] * forward[1]


def _choice(rng: np.random.Generator, words: Sequence[str]) -> str:
    return words[int(rng.integers(len(words)))]
