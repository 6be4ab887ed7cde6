"""What the producers of collision scenes have in common: their scenes, their blocks, what they refuse."""

from __future__ import annotations

import abc
import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import polars as pl

from flowbench._jit import require_numba
from flowbench.builders.dynapix.album import compare
from flowbench.builders.dynapix.presets import Preset, preset_named
from flowbench.builders.dynapix.scenes import FACTUAL, TEST_OF, split_of
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


class CollisionProducer(Producer):
    """Proposes scene by scene those of its split, and writes scene by scene.

    Attributes:
        schema: of the candidate table.
    """

    block_scenes = TEST_OF  # every block holds scenes of both splits
    hint = f"one scene of {TEST_OF}, the last, is for testing, the others for training"
    schema: ClassVar[Mapping[str, pl.DataType]]

    @property
    def split(self) -> str:
        """The one split of the config."""
        return config_spec(self.job.config).splits[0]

    @property
    def preset(self) -> Preset:
        """How items are made."""
        return preset_named(self.job.preset)

    @property
    def origin(self) -> Origin:
        """For the provenance."""
        return Origin(self.job.seed, self.job.preset, SIMULATOR, simulator_class(SIMULATOR).version)

    def check(self) -> None:
        """The preset exists; the simulator is the one that lets bodies collide, and is installed; nothing is reworded.

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
        if self.job.rewriter is not None:
            raise UsageError(
                f"{self.job.config} was asked for with --rewriter, but it has no texts that one may reword: build it "
                "without."
            )

    def warm(self) -> None:
        """Compare two pictures of a pixel."""
        pixel = np.zeros((1, 1, 3), dtype=np.uint8)
        compare(pixel, pixel)

    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """What can be made of each scene of the config's split."""
        rows: list[Row] = []
        rejects: Rejects = Counter()
        for scene in scenes:
            if split_of(scene) == self.split:
                made, refused = self.plan(Stage(self.job.seed, scene))
                rows.extend(made)
                rejects.update(refused)
        return pl.DataFrame(rows, schema=dict(self.schema)), rejects

    @abc.abstractmethod
    def plan(self, stage: Stage) -> tuple[list[Row], Rejects]:
        """Candidate rows of one scene, and what was dropped by reason."""

    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """The samples, scene by scene."""
        for scene, of_scene in itertools.groupby(rows, key=lambda row: row["scene"]):
            stage = Stage(self.job.seed, int(str(scene)))
            yield from self.scene_samples(stage, list(of_scene))

    @abc.abstractmethod
    def scene_samples(self, stage: Stage, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """The samples of one scene in the rows' order, or why there is none."""


def pack(stage: Stage, variants: Sequence[str], **content: object) -> str:
    """A payload: what a sample is made from, and fingerprints of the runs that it shows."""
    return json.dumps({"runs": stage.fingerprints(variants), **content}, sort_keys=True)


def unpack(row: Mapping[str, object]) -> Row:
    """The content of a row's payload."""
    content: Row = json.loads(str(row["payload"]))
    return content


def reproduced(stage: Stage, content: Mapping[str, Any]) -> bool:
    """Whether the runs that a payload speaks of came out as they did when it was made."""
    runs: Mapping[str, str] = content["runs"]
    return all(stage.fingerprint(variant) == found for variant, found in runs.items())


def shows(variant: str) -> str:
    """The variant whose run a variant's pictures show: an erased body still moves the others."""
    return FACTUAL if variant.startswith("erased-") else variant
