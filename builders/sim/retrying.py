"""Scenes that an engine loses: done again from the start, then skipped and counted (scale.md)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from flowbench.builders.simulators.base import SceneError

from .items import Reject

TRIES = 3
Row = TypeVar("Row")
Made = TypeVar("Made")


def tried(scene: int, make: Callable[[], Made]) -> Made | Reject:
    """What a scene gives, or why it was given up; the engine's own sentence goes to the log.

    A scene that cannot be made whatever is done is given up at once, in its own words.
    """
    for left in reversed(range(TRIES)):
        try:
            return make()
        except SceneError as error:
            if error.final:
                return Reject(f"scene: {error}")
            reject = _told(scene, error, left)
    return reject


def resumed(scene: int, rows: Sequence[Row], make: Callable[[Sequence[Row]], Iterator[Made]]) -> Iterator[Made | str]:
    """What each row of a scene gives, in order; after a loss the work goes on with the row that it happened at.

    Args:
        scene: its index.
        rows: of the scene.
        make: gives one result a row, in the rows' order.

    Yields:
        the results; the reason for every row that is left once the scene was lost too often.
    """
    done = 0
    for left in reversed(range(TRIES)):
        try:
            for result in make(rows[done:]):
                yield result
                done += 1
        except SceneError as error:
            reject = _told(scene, error, left)
        else:
            return
    yield from [reject.reason] * (len(rows) - done)


def _told(scene: int, error: SceneError, left: int) -> Reject:
    """Write down what happened; what such scenes are counted as."""
    then = "it is tried again" if left else "it is skipped"
    sys.stderr.write(f"scene {scene}: {error} {then}\n")
    return Reject(f"scene: {error.reason}")
