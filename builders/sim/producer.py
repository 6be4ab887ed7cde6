"""FlowBench-Sim as the runner sees it: scenes -> views -> candidates -> selection -> samples."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from flowbench._jit import require_numba
from flowbench.builders.producer import Producer, Rejects
from flowbench.builders.rewriting import rewriter_of
from flowbench.builders.simulators import make_simulator, simulator_class
from flowbench.builders.simulators.base import Simulator
from flowbench.builders.simulators.procthor.reading import houses_of
from flowbench.release import Sample
from flowbench.schema import config_spec, to_json
from flowbench.seeding import generator

from .annotating import EncodedShot, annotate
from .candidates import Candidate, from_payload, to_table
from .categories import CATEGORIES
from .items import Reject
from .measuring import innermost, mask_facts
from .planning import Streams, plan_view
from .positioning import choose_views
from .presets import Preset, preset_named
from .querying import carry_out, shoot
from .recording import Origin, sample_name
from .retrying import resumed, tried
from .scene import Shapes
from .selecting import select
from .view import Sight

VALIDATION_EVERY = 20
"""In ``sim_train`` every so manieth scene belongs to the ``validation`` split."""
FILL = 0.75
"""Share of slots expected to be filled; the paper's average is 0.52."""
BYTES_A_PIXEL = 4.3
BYTES_OF_TEXT = 330_000
"""Of a sample, measured on homes at 800x600 (docs/benchmarks.md)."""


@functools.lru_cache(maxsize=1)
def _simulator(name: str, width: int, height: int, houses: str | None) -> Simulator:
    """The simulator of this process."""
    return make_simulator(name, width=width, height=height, houses=houses)


class SimProducer(Producer):
    """Producer of ``sim_train`` and ``sim_test``, which differ in their pool (and its style) and in their splits."""

    def check(self) -> None:
        """The preset exists; the simulator exists and is installed, and so is what draws; a house file can be read."""
        preset_named(self.job.preset)
        require_numba("building")
        simulator_class(self.job.simulator)
        if self.job.houses is not None:
            houses_of.cache_clear()  # the file may have changed since another build of this process
            houses_of(self.job.houses)

    def most_scenes(self) -> int | None:
        """As many as the simulator has, which may take them from a house file."""
        houses = None if self.job.houses is None else len(houses_of(self.job.houses))
        return simulator_class(self.job.simulator).most_scenes(self.job.pool, houses)

    def warm(self) -> None:
        """Measure a mask of one pixel."""
        ids = np.ones((1, 1), dtype=np.uint16)
        innermost(ids == 1, mask_facts(ids)[1])

    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """Views of each scene, and labelled candidates of each view; ids only, no pictures."""
        preset = preset_named(self.job.preset)
        rejects: Rejects = Counter()
        found: list[Candidate] = []
        for scene in scenes:
            made = tried(scene, partial(self._propose, scene, preset))
            if isinstance(made, Reject):
                rejects[made.reason] += 1
                continue
            found.extend(made[0])
            rejects.update(made[1])
        return to_table(found), +rejects

    def _propose(self, scene: int, preset: Preset) -> tuple[list[Candidate], Rejects]:
        """The candidates of one scene."""
        rejects: Rejects = Counter()
        found: list[Candidate] = []
        simulator = self._load(scene)
        shapes = Shapes(simulator.objects)
        poses = choose_views(simulator, shapes, preset, self._stream(scene, "views"))
        rejects["view: scene has no more"] += preset.views - len(poses)
        for view, pose in enumerate(poses):
            before = Sight.take(simulator, pose.camera(self.job.width, self.job.height), shapes)
            items, refused = plan_view(simulator, before, pose.room_id, preset, self._streams(scene, view))
            rejects.update(refused)
            for slot in items.values():
                found.extend(
                    Candidate.of(scene, view, pose, ordinal, item, mover_type, preset)
                    for ordinal, (item, mover_type) in enumerate(slot)
                )
        return found, rejects

    def select(self, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Rejects]:
        """One candidate a slot, balanced over the whole release, with its split, key and letter position."""
        rows = candidates.drop("payload").to_dicts()
        letters = {name: category.letterings() for name, category in CATEGORIES.items()}
        choices, rejects = select(rows, letters, self.job.seed, preset_named(self.job.preset))
        picked = candidates[[choice.row for choice in choices]]
        keys = [sample_name(self.job.pool, r["scene"], r["view"], r["category"]) for r in picked.iter_rows(named=True)]
        table = picked.with_columns(
            pl.Series("key", keys, dtype=pl.String),
            pl.Series("right_position", [choice.right_position for choice in choices], dtype=pl.Int64),
            pl.Series("split", [self._split(scene) for scene in picked["scene"]], dtype=pl.String),
        )
        return table.sort("split", "key"), rejects

    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Carry the rows out scene by scene and view by view, so that scenes and before images are made once."""
        chosen = [(from_payload(str(row["payload"])), row) for row in rows]
        for scene, of_scene in itertools.groupby(chosen, key=lambda pair: pair[0].scene):
            yield from resumed(scene, list(of_scene), partial(self._of_scene, scene))

    def _of_scene(self, scene: int, chosen: Sequence[tuple[Candidate, Mapping[str, Any]]]) -> Iterator[Sample | str]:
        """The samples of one scene."""
        simulator = self._load(scene)
        shapes = Shapes(simulator.objects)
        for view, of_view in itertools.groupby(chosen, key=lambda pair: pair[0].view):
            yield from self._view(simulator, shapes, scene, view, list(of_view))

    def _view(
        self,
        simulator: Simulator,
        shapes: Shapes,
        scene: int,
        view: int,
        chosen: Sequence[tuple[Candidate, Mapping[str, Any]]],
    ) -> Iterator[Sample | str]:
        """The samples of one view."""
        job = self.job
        origin = Origin(job.seed, job.pool, job.preset)
        rewriter = rewriter_of(job.rewriter)
        before = EncodedShot(shoot(simulator, chosen[0][0], job.width, job.height, shapes))
        for candidate, row in chosen:
            outcome = carry_out(simulator, candidate, before.shot, preset_named(job.preset))
            if isinstance(outcome, Reject):
                yield outcome.reason
                continue
            streams = self._streams(scene, view)
            made = annotate(simulator, outcome, before, row["right_position"], origin, streams, rewriter)
            if isinstance(made, Reject):
                yield made.reason
            else:
                yield Sample(made.record.id, {**made.members, "json": to_json(made.record)})

    def expected(self, scenes: int) -> tuple[int, int]:
        """From the paper's fill rate and measured bytes."""
        samples = int(scenes * preset_named(self.job.preset).views * len(CATEGORIES) * FILL)
        return samples, int(self.job.width * self.job.height * BYTES_A_PIXEL) + BYTES_OF_TEXT

    def _load(self, scene: int) -> Simulator:
        simulator = _simulator(self.job.simulator, self.job.width, self.job.height, self.job.houses)
        simulator.load(self.job.seed, self.job.pool, scene)
        return simulator

    def _stream(self, scene: int, *stage: str | int) -> np.random.Generator:
        return generator(self.job.seed, self.job.pool, scene, *stage)

    def _streams(self, scene: int, view: int) -> Streams:
        return lambda *stage: self._stream(scene, view, *stage)

    def _split(self, scene: int) -> str:
        first, *others = config_spec(self.job.config).splits
        return others[0] if others and scene % VALIDATION_EVERY == VALIDATION_EVERY - 1 else first
