"""FlowBench-Real as the runner sees it: episodes -> candidates -> selection -> samples."""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from flowbench._jit import require_numba
from flowbench.builders.producer import Producer, Rejects
from flowbench.builders.sim.items import Reject
from flowbench.builders.sim.measuring import MaskFacts, innermost
from flowbench.builders.simulators import simulator_class
from flowbench.builders.sources.profiles import profile_named, profiles
from flowbench.builders.sources.recorded import EpisodeError
from flowbench.errors import UsageError
from flowbench.release import Sample
from flowbench.schema import config_spec

from .annotating import Published, annotate, unmarkable
from .answerer import CountingAnswerer
from .asking import ask
from .candidates import matches, row_of, to_table
from .categories import Draft
from .facts import Facts
from .measuring.measure import measure, perceive
from .naming.namer import namer_of
from .perception.choosing import Choice
from .presets import preset_named
from .recording import Origin
from .recordings import EmbeddedTabletop, GivenDatasets, Shot, recordings_of
from .selecting import select

TEST_EVERY = 5
"""One episode of so many, the last, is for testing."""
YIELD = {True: 0.6, False: 1.6}
"""Questions an episode to test on, and to train on, as measured."""
SAMPLE_BYTES = 1_400_000
SIMULATOR = "bullet"
NOT_REPRODUCED = "not reproduced"
_LOG = logging.getLogger(__name__)


class RealProducer(Producer):
    """Producer of ``real_train`` and ``real_test``: the embedded tabletop's episodes, or those of given datasets."""

    perceives = True
    block_scenes = TEST_EVERY  # every block holds episodes of both splits
    hint = f"one episode of {TEST_EVERY}, the last, is for testing, the others for training"

    def check(self) -> None:
        """The preset and the perception exist, what draws and simulates is installed, and given datasets open.

        Raises:
            UsageError: it is otherwise.
        """
        preset_named(self.job.preset)
        require_numba("building")
        if self.job.simulator != SIMULATOR:
            raise UsageError(
                f"{self.job.config} was asked for from {self.job.simulator}, but its episodes come from {SIMULATOR} or "
                f"from recordings: build it with --simulator {SIMULATOR}."
            )
        self._recordings.check()
        if not self._sources:
            simulator_class(SIMULATOR)

    def warm(self) -> None:
        """Measure a mask of one pixel."""
        innermost(np.ones((1, 1), dtype=np.bool_), MaskFacts(1, 0.0, 0.0, 0, 0, 0, 0))

    def takes(self, scene: int) -> bool:
        """Every fifth is for testing."""
        return (scene % TEST_EVERY == TEST_EVERY - 1) == self._testing

    def least_scenes(self) -> int:
        """Of fewer episodes none is for testing."""
        return TEST_EVERY if config_spec(self.job.config).splits == ("test",) else 1

    def most_scenes(self) -> int | None:
        """The episodes of given datasets; the tabletop has no end of them."""
        recordings = self._recordings
        return recordings.scenes() if isinstance(recordings, GivenDatasets) else None

    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """Measure each episode of the config's own, and list all that may be asked about it."""
        rejects: Rejects = Counter()
        rows: list[dict[str, Any]] = []
        for scene in scenes:
            if not self.takes(scene):
                continue
            found = self._asked(scene)
            if isinstance(found, Reject):
                rejects[found.reason] += 1
                if self._sources:  # which of the tabletop's scenes it was helps nobody
                    _LOG.warning("scene %s, %s, is left out: %s", scene, self._recordings.name_of(scene), found.reason)
                continue
            shot, facts, drafts = found
            if not drafts:
                rejects["questions: none can be answered clearly"] += 1
            tasks = {"task": "\x1f".join(shot.task), "most_per_task": shot.pair.profile.most_per_task}
            for k, draft in enumerate(drafts):
                refused = unmarkable(facts, draft)
                if refused is None:
                    rows.append({**row_of(facts, k, draft), **tasks})
                else:
                    rejects[refused.reason] += 1
        return to_table(rows), rejects

    def select(self, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Rejects]:
        """Questions of the release, with split, key and letter position."""
        kept, crowded = _within_tasks(candidates)
        rows = kept.drop("payload").to_dicts()
        answerer = CountingAnswerer(self.job.seed)
        choices, rejects = select(rows, self.job.seed, preset_named(self.job.preset), self._testing, answerer)
        rejects.update({"mining: enough of this task": crowded} if crowded else {})
        picked = kept[[choice.row for choice in choices]]
        names = [f"{self.job.pool}-{r['scene']:06d}-p0-{r['category']}" for r in picked.iter_rows(named=True)]
        table = picked.with_columns(
            pl.Series("key", names, dtype=pl.String),
            pl.Series("right_position", [choice.right_position for choice in choices], dtype=pl.Int64),
            pl.lit(self._split).alias("split"),
        )
        return table.sort("split", "key"), rejects

    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Measure each episode again, and write its questions."""
        for scene, of_scene in itertools.groupby(rows, key=lambda row: row["scene"]):
            found = self._asked(int(str(scene)))
            if isinstance(found, Reject):
                yield from (NOT_REPRODUCED for _ in of_scene)
                continue
            shot, facts, drafts = found
            published = Published(facts, shot.gaps(facts))
            for row in of_scene:
                draft = _find(drafts, row)
                if draft is None:
                    yield NOT_REPRODUCED
                    continue
                position = int(str(row["right_position"]))
                made = annotate(
                    str(row["key"]), published, draft, position, self._origin(shot), namer_of(self.job.rewriter)
                )
                yield made.reason if isinstance(made, Reject) else made

    def expected(self, scenes: int) -> tuple[int, int]:
        """From measured yields and bytes."""
        testing = scenes // TEST_EVERY
        own = testing if self._testing else scenes - testing
        return max(1, int(YIELD[self._testing] * own)), SAMPLE_BYTES

    @property
    def _testing(self) -> bool:
        return self._split == "test"

    @property
    def _split(self) -> str:
        return config_spec(self.job.config).splits[0]

    @property
    def _sources(self) -> tuple[tuple[str, str], ...]:
        """Given datasets by the name of their profile."""
        return tuple((name, path) for name, path in self.job.sources if name in profiles())

    @property
    def _recordings(self) -> EmbeddedTabletop | GivenDatasets:
        return recordings_of(self._sources, Choice.of(self.job.perception))

    def _asked(self, scene: int) -> tuple[Shot, Facts, list[Draft]] | Reject:
        """The questions of an episode, or why there are none."""
        try:
            shot = self._recordings.shot(self.job.seed, self.job.pool, scene)
            if isinstance(shot, Reject):
                return shot
            measured = measure(shot.pair, perceive(shot.perception, shot.pair), shot.optics)
        except EpisodeError as error:
            _LOG.warning("%s", error)
            return Reject(f"perception: {error.reason}")
        if isinstance(measured, Reject):
            return measured
        found = ask(measured, preset_named(self.job.preset))
        return found if isinstance(found, Reject) else (shot, *found)

    def _origin(self, shot: Shot) -> Origin:
        """For the provenance."""
        if self._sources:
            told = ("recorded", profile_named(shot.pair.profile.name).title)
        else:
            told = (SIMULATOR, simulator_class(SIMULATOR).version)
        return Origin(self.job.preset, *told, shot.perception.name, shot.perception.knobs_text)


def _find(drafts: Sequence[Draft], row: Mapping[str, object]) -> Draft | None:
    """The draft that a row was made of; None where it did not come out again."""
    ordinal = int(str(row["ordinal"]))
    if ordinal >= len(drafts) or not matches(drafts[ordinal], str(row["payload"])):
        return None
    return drafts[ordinal]


def _within_tasks(candidates: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Candidates without those of pairs beyond a profile's number a task, and how many such pairs there are (B.1)."""
    seen: Counter[str] = Counter()
    crowded: set[int] = set()
    pairs = candidates.select("scene", "task", "most_per_task").unique().sort("scene")
    for scene, task, most in pairs.iter_rows():
        seen[task] += 1
        if most is not None and seen[task] > most:
            crowded.add(scene)
    return candidates.filter(~pl.col("scene").is_in(sorted(crowded))), len(crowded)
