"""What planning is given of a scene: its true run, and runs that stand beside it, each with its pictures.

Planning never simulates or renders: it asks a :class:`Film` for the few pictures that a pixel test compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from flowbench.collisions.oracle import HEIGHT, WIDTH, Body, Oracle
from flowbench.errors import UsageError

FACTUAL = "factual"
"""Variant of a scene that is its true run."""
POOL = "collisions"
TEST_OF = 5
"""One scene of so many is for testing (80/20 by scene)."""


def split_of(scene: int) -> str:
    """``"train"`` or ``"test"``, by a scene's index in its pool."""
    return "test" if scene % TEST_OF == TEST_OF - 1 else "train"


class Film(Protocol):
    """The pictures of one run; asked for a frame twice it may draw it twice."""

    def picture(self, frame: int) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 RGB of a frame, 320 by 480 of our own scenes."""
        ...


@dataclass(frozen=True, eq=False)
class Take:
    """One run of a scene: what is known of it, and what is seen of it."""

    oracle: Oracle
    film: Film


@dataclass(frozen=True, eq=False)
class Removal:
    """A scene run again, exactly, without one body.

    Attributes:
        removed: index of the body in the true run.
        run: the run without it. Its oracle may leave the body out, or keep its index with no visible pixel.
        erased: pictures of the *true* run with that body erased: everything else as it was.
    """

    removed: int
    run: Take
    erased: Film


def identity(body: Body) -> tuple[str, str, str]:
    """What tells a body from all others of its scene."""
    return body.shape, body.material, body.colour


@dataclass(frozen=True, eq=False)
class SceneFilms:
    """A scene with all that its items may show.

    Attributes:
        scene: index in the pool.
        factual: the true run.
        twins: runs with the same bodies in the same order, and other motion.
        others: runs of other scenes of the same split, for distractors as the paper has them.
        removals: counterfactual runs.
        size: width and height of all pictures.
    """

    scene: int
    factual: Take
    twins: tuple[Take, ...] = ()
    others: tuple[Take, ...] = ()
    removals: tuple[Removal, ...] = ()
    size: tuple[int, int] = (WIDTH, HEIGHT)

    def __post_init__(self) -> None:
        """Refuse twins of other bodies: colours alone would give them away."""
        own = [identity(body) for body in self.factual.oracle.bodies]
        for number, twin in enumerate(self.twins):
            if [identity(body) for body in twin.oracle.bodies] != own:
                raise UsageError(
                    f"twin {number} of scene {self.scene} has other bodies than the scene, expected the same in the "
                    "same order: run the twin with the scene's bodies"
                )

    @cached_property
    def films(self) -> Mapping[str, Film]:
        """Every variant's pictures: ``factual``, ``twin-0``, ``other-0``, ``without-2``, ``erased-2``."""
        films: dict[str, Film] = {FACTUAL: self.factual.film}
        films |= {f"twin-{number}": take.film for number, take in enumerate(self.twins)}
        films |= {f"other-{number}": take.film for number, take in enumerate(self.others)}
        for removal in self.removals:
            films[f"without-{removal.removed}"] = removal.run.film
            films[f"erased-{removal.removed}"] = removal.erased
        return films

    @cached_property
    def oracles(self) -> Mapping[str, Oracle]:
        """The truth of every variant; an erased body still moves in its."""
        oracles = {FACTUAL: self.factual.oracle}
        oracles |= {f"twin-{number}": take.oracle for number, take in enumerate(self.twins)}
        oracles |= {f"other-{number}": take.oracle for number, take in enumerate(self.others)}
        for removal in self.removals:
            oracles[f"without-{removal.removed}"] = removal.run.oracle
            oracles[f"erased-{removal.removed}"] = self.factual.oracle
        return oracles
