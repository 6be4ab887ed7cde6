"""Collision scenes by hand."""

from __future__ import annotations

import functools
from collections import Counter

from flowbench.builders.simulators.collisions.drawing import Drawn, draw
from flowbench.collisions.oracle import Body
from flowbench.collisions.setup import Ground, Light, Setup, Start, View

LIGHT = Light((0.4, -0.3, 1.8), (1.6, 1.6, 1.5), (-3.0, -4.0, 4.0), (8.0, 8.0, 8.0), 0.36)
VIEW = View((-3.9, -4.9, 3.7), 0.9, 0.5, 600.0)


def scene(*parts: tuple[Body, Start]) -> Setup:
    """Bodies with their starts, under one view and light."""
    ground = Ground("plaster", (0.6, 0.6, 0.6), (0.0, 0.0))
    return Setup(0, 0, tuple(body for body, _ in parts), tuple(start for _, start in parts), VIEW, LIGHT, ground)


def head_on(shape: str = "sphere", first: str = "rubber", second: str = "rubber", speed: float = 3.0) -> Setup:
    """A body that meets a resident of the same shape centrally, along x."""
    return scene(
        (Body(shape, first, "red", 0), Start((-2.0, 0.0), 0.0, (speed, 0.0))),
        (Body(shape, second, "blue"), Start((0.0, 0.0), 0.0)),
    )


@functools.cache
def drawn(number: int, twin: int = 0) -> Drawn:
    """A scene of seed 0, drawn once a session."""
    found = draw(0, number, twin)
    return Drawn(found.setup, found.run, Counter(found.rejects))
