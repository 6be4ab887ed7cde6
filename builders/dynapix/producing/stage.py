"""The runs of a collision scene: drawn, simulated and judged when they are asked for, each once."""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, final

from flowbench.builders.dynapix.happenings import LAST, moment
from flowbench.builders.dynapix.retrieval.builders import LEAST_OBSERVED
from flowbench.builders.dynapix.retrieval.counterfactual import AHEAD, LEADS
from flowbench.builders.dynapix.scenes import FACTUAL, POOL, TEST_OF, Removal, SceneFilms, Take, split_of
from flowbench.builders.simulators.collisions.drawing import Drawn, draw
from flowbench.builders.simulators.collisions.physics import simulate
from flowbench.collisions.filming import Reel, Studio
from flowbench.collisions.oracle import Oracle
from flowbench.collisions.run import Run
from flowbench.collisions.setup import Setup
from flowbench.errors import FlowbenchError
from flowbench.seeding import generator

OTHERS = 3
"""Scenes that distractors are taken from where these are of other scenes."""
MOST_REMOVALS = 2
"""Objects of a scene that are taken away, one at a time; each costs a run and its film."""
NO_DRAW = "scene: no draw was good"


@functools.lru_cache(maxsize=1)
def studio() -> Studio:
    """The studio of this process."""
    return Studio()


@functools.lru_cache(maxsize=16)
def drawn(seed: int, scene: int, twin: int = 0) -> Drawn | None:
    """A scene or a twin of it; None where no draw was good."""
    try:
        return draw(seed, scene, twin)
    except FlowbenchError:
        return None


def others_of(scene: int) -> tuple[int, ...]:
    """The next scenes of the same split; they need not belong to the build."""
    following = range(scene + 1, scene + 1 + OTHERS * TEST_OF)
    return tuple(other for other in following if split_of(other) == split_of(scene))[:OTHERS]


@dataclass(frozen=True)
class Beside:
    """How many twins and other scenes stand beside a scene's true run while it is planned."""

    twins: int = 0
    others: int = 0


@dataclass(frozen=True, eq=False)
class Shot:
    """What a picture of a variant shows.

    Attributes:
        setup: of the scene that the variant is of.
        run: how it moves.
        without: index of a body that was left out of the run; else None.
        erased: index of a body that moves but is not drawn; else None.
    """

    setup: Setup
    run: Run
    without: int | None = None
    erased: int | None = None


@final
class Stage:
    """A scene with its variants by name (:attr:`SceneFilms.films`)."""

    def __init__(self, seed: int, scene: int) -> None:
        self.seed: Final = seed
        self.scene: Final = scene
        self._shots: dict[str, Shot] = {}
        self._reels: dict[str, Reel] = {}
        self._oracles: dict[str, Oracle] = {}

    def shot(self, variant: str) -> Shot:
        """A variant's scene and run.

        Raises:
            FlowbenchError: no draw was good.
        """
        if variant not in self._shots:
            self._shots[variant] = self._made(variant)
        return self._shots[variant]

    def _made(self, variant: str) -> Shot:
        kind, _, digits = variant.partition("-")
        number = int(digits or 0)
        if kind in ("without", "erased"):
            true = self.shot(FACTUAL)
            if kind == "erased":
                return Shot(true.setup, true.run, erased=number)
            return Shot(true.setup, simulate(true.setup, number), without=number)
        scene = others_of(self.scene)[number] if kind == "other" else self.scene
        found = drawn(self.seed, scene, number + 1 if kind == "twin" else 0)
        if found is None:
            raise FlowbenchError(f"scene {scene} of seed {self.seed} has no good draw: leave it out and report it.")
        return Shot(found.setup, found.run)

    def reel(self, variant: str) -> Reel:
        """A variant's pictures."""
        if variant not in self._reels:
            shot = self.shot(variant)
            self._reels[variant] = studio().reel(shot.setup, shot.run, shot.erased)
        return self._reels[variant]

    def oracle(self, variant: str = FACTUAL) -> Oracle:
        """The whole truth of a variant's run; an erased body is still in it."""
        if variant not in self._oracles:
            shot = self.shot(variant)
            self._oracles[variant] = studio().oracle(shot.setup, shot.run)
        return self._oracles[variant]

    def fingerprint(self, variant: str) -> str:
        """What changes with any bit of a variant's run."""
        run = self.shot(variant).run
        digest = hashlib.sha256(repr(run.collisions).encode())
        for values in (run.poses, run.velocities, run.spins):
            digest.update(values.tobytes())
        return digest.hexdigest()[:16]

    def fingerprints(self, variants: Iterable[str]) -> Mapping[str, str]:
        """Those of some variants and of the true run."""
        return {variant: self.fingerprint(variant) for variant in sorted({FACTUAL, *variants})}

    def take(self, variant: str) -> Take:
        """As planning takes it."""
        return Take(self.oracle(variant), self.reel(variant))

    def films(self, beside: Beside, removals: Iterable[int] = ()) -> SceneFilms:
        """As planning takes the scene, with these runs beside the true one."""
        return SceneFilms(
            scene=self.scene,
            factual=self.take(FACTUAL),
            twins=tuple(self.take(f"twin-{number}") for number in range(beside.twins)),
            others=tuple(self.take(f"other-{number}") for number in range(beside.others)),
            removals=tuple(
                Removal(body, self.take(f"without-{body}"), self.reel(f"erased-{body}")) for body in removals
            ),
        )


def draw_rejects(seed: int, scene: int, beside: Beside) -> tuple[bool, Counter[str]]:
    """Whether a scene and what stands beside it could be drawn; draws that were rejected, by reason."""
    rejects: Counter[str] = Counter()
    wanted = [(scene, number) for number in range(1 + beside.twins)]
    wanted += [(other, 0) for other in others_of(scene)[: beside.others]]
    for place, (index, twin) in enumerate(wanted):
        found = drawn(seed, index, twin)
        if found is None:
            rejects[NO_DRAW] += 1
            return False, rejects
        kind = "scene" if place == 0 else "twin" if twin else "other scene"
        rejects.update({f"{kind}: {reason}": count for reason, count in found.rejects.items()})
    return True, rejects


def removable(stage: Stage) -> tuple[int, ...]:
    """Bodies whose removal may be asked about, some of them drawn: their first collision leaves room on either side."""
    run = stage.shot(FACTUAL).run
    first: dict[int, int] = {}
    for collision in run.collisions:
        for body in collision.pair:
            first.setdefault(body, moment(collision))
    earliest, latest = LEAST_OBSERVED - 1 + max(LEADS), LAST - min(AHEAD)
    good = sorted(body for body, when in first.items() if earliest <= when <= latest)
    order = generator(stage.seed, POOL, stage.scene, "removals").permutation(len(good)).tolist()
    return tuple(sorted(good[index] for index in order[:MOST_REMOVALS]))
