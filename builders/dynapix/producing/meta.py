"""``meta.txt`` of collision scenes: the set-up and all that moved, as JSON text (schema.md, "Columns").

Metres, seconds, radians; the world and the order of bodies are those of :mod:`flowbench.collisions.oracle`. Numbers are
written in full, so that a run can be compared to the bit. A body left out of a run has null in place of its pose,
velocity, spin and pixel, and 0 visible pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.dynapix.items import Place, RetrievalQuery, SelectionItem
from flowbench.builders.dynapix.scenes import FACTUAL
from flowbench.collisions.oracle import Collision, Oracle
from flowbench.collisions.setup import as_json
from flowbench.schema import JsonText, to_json

from .stage import Stage


@final
class SceneMeta:
    """Writes the texts of a scene's samples; what several of them share is made once."""

    def __init__(self, stage: Stage) -> None:
        self._stage: Final = stage
        self._texts: Final[dict[str, JsonText]] = {}

    def selection(self, item: SelectionItem) -> bytes:
        """Of an item: the scene, its true run, what each candidate shows, in the order of the letters, and which bodies
        it is about.
        """
        frames = [self._frame(place) for place in item.candidates]
        scene = {"setup": self._setup(FACTUAL), "factual": self._run(FACTUAL)}
        return to_json({**scene, "frames": frames, "focus": list(item.focus)})

    def query(self, query: RetrievalQuery) -> bytes:
        """Of a query: the scene, its true run, and the run without the removed body."""
        without = query.target.variant if query.removed is not None else None
        return to_json(
            {
                "setup": self._setup(FACTUAL),
                "factual": self._run(FACTUAL),
                "removed": None if without is None else self._stage.shot(without).without,
                "without": None if without is None else self._run(without),
            }
        )

    def corpus(self, place: Place) -> bytes:
        """Of a corpus frame: the scene, and where its bodies are."""
        return to_json({"setup": self._setup(FACTUAL), **self._shown(place)})

    def _frame(self, place: Place) -> dict[str, Any]:
        """A candidate; its set-up where it is of another scene, or of a twin."""
        own = self._stage.shot(place.variant).setup is not self._stage.shot(FACTUAL).setup
        shown = self._shown(place)
        return {
            "variant": shown["variant"],
            "frame": shown["frame"],
            "setup": self._setup(place.variant) if own else None,
            "poses": shown["poses"],
            "erased": shown["erased"],
        }

    def _shown(self, place: Place) -> dict[str, Any]:
        shot = self._stage.shot(place.variant)
        return {
            "variant": place.variant,
            "frame": place.frame,
            "poses": number_rows(shot.run.poses[place.frame]),
            "erased": shot.erased,
        }

    def _setup(self, variant: str) -> JsonText:
        return self._once(f"setup {variant}", lambda: as_json(self._stage.shot(variant).setup))

    def _run(self, variant: str) -> JsonText:
        return self._once(f"run {variant}", lambda: run_as_json(self._stage.oracle(variant)))

    def _once(self, name: str, make: Callable[[], object]) -> JsonText:
        if name not in self._texts:
            self._texts[name] = JsonText.of(make())
        return self._texts[name]


def run_as_json(oracle: Oracle) -> dict[str, Any]:
    """A run's tables, by frame and body, and its collisions."""
    return {
        "poses": [number_rows(frame) for frame in oracle.poses],
        "velocities": [number_rows(frame) for frame in oracle.velocities],
        "spins": [number_rows(frame) for frame in oracle.spins],
        "visible": oracle.visible.tolist(),
        "whole": oracle.whole.tolist(),
        "pixels": [number_rows(frame) for frame in oracle.pixels],
        "collisions": [_collision(each) for each in oracle.collisions],
    }


def number_rows(values: NDArray[np.float64]) -> list[list[float] | None]:
    """The rows of a (K, n) table; null for one that is not known, such as a body's that was left out."""
    return [row if all(map(math.isfinite, row)) else None for row in values.tolist()]


def _collision(collision: Collision) -> dict[str, Any]:
    return {
        "frame": collision.frame,
        "substep": collision.substep,
        "pair": list(collision.pair),
        "speed": collision.speed,
        "impulse": collision.impulse,
        "position": list(collision.position),
    }
