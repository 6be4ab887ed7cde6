"""``flowbench`` with the counting producer, at a chosen pace: a script, which its workers import as well.

``FLOWBENCH_TEST_PACE`` is how many seconds a block takes to propose, and a sample to make.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1]))

from flowbench.builders import producer, runner
from flowbench.builders.producer import Rejects
from flowbench.cli import main
from flowbench.release import Sample
from support.counting import CountingProducer


class PacedProducer(CountingProducer):
    """Takes its time."""

    pace = float(os.environ.get("FLOWBENCH_TEST_PACE", "0"))

    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """Three rows a scene, after a while."""
        time.sleep(self.pace)
        return super().propose(scenes)

    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Synthetic samples, one after the other."""
        for made in super().samples(rows):
            time.sleep(self.pace)
            yield made

    def expected(self, scenes: int) -> tuple[int, int]:
        """Two samples a shard of the usual size, and hardly anything to make room for."""
        return 0, 50_000_000


for module in (producer, runner):
    vars(module)["PRODUCERS"] = {"sim_train": "support.driver:PacedProducer"}

if __name__ == "__main__":
    sys.exit(main())
