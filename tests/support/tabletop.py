"""Tabletop episodes, drawn once a session."""

from __future__ import annotations

import dataclasses
import functools

from flowbench.builders.simulators.tabletop.drawing import draw
from flowbench.builders.simulators.tabletop.scene import POOL, Setup
from flowbench.builders.simulators.tabletop.truth import Truth

EPISODES: tuple[tuple[int, Setup], ...] = ((2, "bridge"), (4, "bridge"), (1, "topdown"), (3, "topdown"))
"""Scenes of seed 0: things picked and things pushed, in both set-ups."""


@functools.cache
def episode(index: int, setup: Setup) -> Truth:
    """A scene of seed 0."""
    return draw(0, POOL, index, setup)


def excerpt(truth: Truth, frames: list[int]) -> Truth:
    """The same episode with some of its frames alone."""
    columns = ("poses", "links", "joints", "opening", "holding", "contact")
    return dataclasses.replace(truth, **{name: getattr(truth, name)[frames] for name in columns})
