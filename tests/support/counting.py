"""A producer that makes synthetic samples in a millisecond, to test the runner with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from flowbench.builders.producer import Producer, Rejects
from flowbench.release import Sample

from .synthetic import make_sample

PER_SCENE = 3


class CountingProducer(Producer):
    """Three candidates a scene; the select pass drops every seventh, the write pass every fifth."""

    block_scenes = 2

    def check(self) -> None:
        """Everything can be done."""

    def propose(self, scenes: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
        """Three rows a scene."""
        rows = [{"scene": scene, "payload": str(scene * PER_SCENE + i)} for scene in scenes for i in range(PER_SCENE)]
        return pl.DataFrame(rows, schema={"scene": pl.Int64, "payload": pl.String}), Counter({"propose: odd": 1})

    def select(self, candidates: pl.DataFrame) -> tuple[pl.DataFrame, Rejects]:
        """All but every seventh."""
        rows = [row for row in candidates.iter_rows(named=True) if int(row["payload"]) % 7 != 6]
        table = pl.DataFrame(
            [
                {
                    "split": "validation" if row["scene"] == 3 else "train",
                    "key": f"{self.job.pool}-{self.job.seed}-{int(row['payload']):04d}",
                    "category": "left_right",
                    "payload": row["payload"],
                }
                for row in rows
            ]
        )
        return table.sort("split", "key"), Counter({"select: seventh": candidates.height - len(rows)})

    def samples(self, rows: Sequence[Mapping[str, object]]) -> Iterator[Sample | str]:
        """Synthetic samples; a reason for every fifth."""
        for row in rows:
            number = int(str(row["payload"]))
            if number % 5 == 4:
                yield "write: fifth"
            else:
                yield make_sample(str(row["key"]), number, self.job.pool, category="left_right")

    def expected(self, scenes: int) -> tuple[int, int]:
        """Two samples a shard of 10 kB."""
        return scenes * PER_SCENE, 5_000
