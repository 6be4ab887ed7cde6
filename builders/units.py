"""Units of work as they run in worker processes: plain values in, plain values out, everything else on disk.

Each leaves its product under its final name first and its receipt last, so that a unit is either done or not begun.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from flowbench.files import write_bytes
from flowbench.release import Sample
from flowbench.schema import config_spec

from .producer import Job, producer_of
from .receipts import BlockReceipt, WrittenShard
from .shards import write_shard
from .state import State


@dataclass(frozen=True)
class Block:
    """A block of scenes of the propose pass."""

    job: Job
    out: str
    index: int
    scenes: tuple[int, ...]


@dataclass(frozen=True)
class Shard:
    """A shard of the write pass: the rows of the selection that it holds."""

    job: Job
    out: str
    path: str
    rows: tuple[dict[str, Any], ...]
    digest: str


@dataclass(frozen=True)
class UnitReport:
    """What a finished unit tells the driver: samples (or candidates) made, and rejects by reason."""

    samples: int
    rejects: Mapping[str, int]


def run_block(block: Block) -> UnitReport:
    """Propose candidates for a block of scenes."""
    table, rejects = producer_of(block.job).propose(block.scenes)
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    data = buffer.getvalue()
    state = State(Path(block.out))
    write_bytes(state.block(block.job.config, block.index), data)
    receipt = BlockReceipt(
        scenes=block.scenes,
        candidates=table.height,
        sha256=hashlib.sha256(data).hexdigest(),
        rejects=dict(sorted(rejects.items())),
    )
    receipt.write(state.block_receipt(block.job.config, block.index))
    return UnitReport(receipt.candidates, receipt.rejects)


def run_shard(shard: Shard) -> UnitReport:
    """Make the samples of a shard and write it."""
    producer = producer_of(shard.job)
    rejects: Counter[str] = Counter()

    def kept() -> Iterator[Sample]:
        for made in producer.samples(shard.rows):
            if isinstance(made, str):
                rejects[made] += 1
            else:
                categories[categories_of[made.key]] += 1
                yield made

    categories: Counter[str] = Counter()
    categories_of = {str(row["key"]): str(row["category"]) for row in shard.rows}
    out = Path(shard.out)
    receipt = WrittenShard(
        digest=shard.digest,
        shard=write_shard(out, shard.path, config_spec(shard.job.config), kept()),
        categories=dict(sorted(categories.items())),
        rejects=dict(sorted(rejects.items())),
    )
    receipt.write(State(out).shard_receipt(shard.job.config, Path(shard.path).name))
    return UnitReport(receipt.shard.samples, receipt.rejects)


def shard_digest(job: Job, path: str, rows: tuple[dict[str, Any], ...]) -> str:
    """What a shard is made from; a receipt with another digest is of another shard."""
    text = repr((job, path, [sorted(row.items()) for row in rows]))
    return hashlib.sha256(text.encode()).hexdigest()


def read_candidates(state: State, config: str, blocks: int) -> pl.DataFrame:
    """The candidate table of all blocks, in order."""
    return pl.concat([pl.read_parquet(state.block(config, index)) for index in range(blocks)])
