"""What the producers of moving scenes have in common: their scenes, their blocks, what they refuse."""

from __future__ import annotations

import abc
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
import polars as pl

from flowbench._jit import require_numba
from flowbench.builders.dynapix.album import compare
from flowbench.builders.dynapix.presets import Preset, preset_named
from flowbench.builders.dynapix.scenes import FACTUAL, TEST_OF, Film, split_of
from flowbench.builders.producer import Producer, Rejects
from flowbench.builders.simulators import simulator_class
from flowbench.errors import UsageError
from flowbench.release import Sample
from flowbench.schema import config_spec

from .records import Origin
from .stage import Stage

SIMULATOR = "bullet"
NOT_REPRODUCED = "not reproduced"
Row = dict[str, Any]


class AnyStage(Protocol):
    """A scene with its runs by name, made or recorded."""

    @property
    def seed(self) -> int:
        """Of the release."""
        ...

    @property
    def scene(self) -> int:
        """Its index in the pool."""
        ...

    def reel(self, variant: str) -> Film:
        """A run's pictures."""
        ...

    def fingerprint(self, variant: str) -> str:
        """What changes with any bit of a run."""
        ...

    def fingerprints(self, variants: Iterable[str]) -> Mapping[str, str]:
        """Those of some runs and of the true one."""
        ...


Staged = TypeVar("Staged", bound=AnyStage)


class SceneProducer(Producer, Generic[Staged]):
    """Proposes scene by scene, and writes scene by scene.

    Attributes:
        schema: of the candidate table.
    """

    block_scenes = TEST_OF  # every block holds scenes of both splits
    schema: ClassVar[Mapping[str, pl.DataType]]

    @property
    def split(self) -> str:
        """The one split of the config."""
        return config_spec(self.job.config).splits[0]

    @property
    def preset(self) -> Preset:
        """How items are made."""
        return preset_named(self.job.preset)

    @abc.abstractmethod
    def stage(self, scene: int) -> Staged:
        """A scene of the pool."""

    def warm(self) -> None:
        """Compare two pictures of a pixel."""
        pixel = np.zeros((1, 1, 3), dtype=np.uint8)
        compare(pixel, pixel)

    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """What can be made of each scene of the config's split."""
        rows: list[Row] = []
        rejects: Rejects = Counter()
        for scene in scenes:
            if self.takes(scene):
                made, refused = self.plan(self.stage(scene))
                rows.extend(made)
                rejects.update(refused)
        return pl.DataFrame(rows, schema=dict(self.schema)), rejects

    @abc.abstractmethod
    def plan(self, stage: Staged) -> tuple[list[Row], Rejects]:
        """Candidate rows of one scene, and what was dropped by reason."""

    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """The samples, scene by scene."""
        for scene, of_scene in itertools.groupby(rows, key=lambda row: row["scene"]):
            yield from self.scene_samples(self.stage(int(str(scene))), list(of_scene))

    @abc.abstractmethod
    def scene_samples(self, stage: Staged, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """The samples of one scene in the rows' order, or why there is none."""


class CollisionProducer(SceneProducer[Stage]):
    """Of the scenes that are simulated and filmed here; those of its split.

    Attributes:
        narrates: whether its samples have rationales, which a teacher may write.
    """

    hint = f"one scene of {TEST_OF}, the last, is for testing, the others for training"
    narrates: ClassVar[bool] = False

    @property
    def origin(self) -> Origin:
        """For the provenance."""
        return Origin(self.job.seed, self.job.preset, SIMULATOR, simulator_class(SIMULATOR).version)

    def stage(self, scene: int) -> Stage:
        """Drawn and simulated when it is asked."""
        return Stage(self.job.seed, scene)

    def takes(self, scene: int) -> bool:
        """Every fifth is for testing."""
        return split_of(scene) == self.split

    def least_scenes(self) -> int:
        """The first scene for testing must be among them."""
        return TEST_OF if self.split == "test" else 1

    def check(self) -> None:
        """The preset exists; the simulator is the one that lets bodies collide, and is installed; only rationales are
        written by others.

        Raises:
            UsageError: it is otherwise.
        """
        preset_named(self.job.preset)
        require_numba("building")
        simulator_class(self.job.simulator)
        if self.job.simulator != SIMULATOR:
            raise UsageError(
                f"{self.job.config} was asked for from {self.job.simulator}, but its scenes come from {SIMULATOR}: "
                f"build it with --simulator {SIMULATOR}."
            )
        if self.job.rewriter is not None and not self.narrates:
            raise UsageError(
                f"{self.job.config} was asked for with --rewriter, but it has no texts that one may reword: build it "
                "without."
            )


def pack(stage: AnyStage, variants: Sequence[str], **content: object) -> str:
    """A payload: what a sample is made from, and fingerprints of the runs that it shows."""
    return json.dumps({"runs": stage.fingerprints(variants), **content}, sort_keys=True)


def unpack(row: Mapping[str, object]) -> Row:
    """The content of a row's payload."""
    content: Row = json.loads(str(row["payload"]))
    return content


def reproduced(stage: AnyStage, content: Mapping[str, Any]) -> bool:
    """Whether the runs that a payload speaks of came out as they did when it was made."""
    runs: Mapping[str, str] = content["runs"]
    return all(stage.fingerprint(variant) == found for variant, found in runs.items())


def shows(variant: str) -> str:
    """The variant whose run a variant's pictures show: an erased body still moves the others."""
    return FACTUAL if variant.startswith("erased-") else variant
