"""Units of work as guarded children run them: plain values in, plain values out, everything else on disk.

Each leaves its product under its final name first and its receipt last, so that a unit is either done or not begun.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import polars as pl
import pydantic

from flowbench.files import write_bytes
from flowbench.release import Sample
from flowbench.schema import config_spec

from .producer import Job, Producer, producer_of
from .receipts import BlockReceipt, Receipt, WrittenShard
from .shards import write_shard
from .state import State


class Unit(Protocol):
    """What the driver knows of a unit of work.

    Attributes:
        function: what a child calls with :meth:`to_json`; it answers what it made, and does nothing where
            :meth:`receipt` is there.
    """

    function: ClassVar[str]

    @property
    def name(self) -> str:
        """What a user calls it; unique in a run."""

    @property
    def weight(self) -> int:
        """What it counts in its stage's progress."""

    @property
    def receipt_path(self) -> Path:
        """Where its receipt comes to lie."""

    def receipt(self) -> Receipt | None:
        """Its receipt; None where it is not done, or not as it is asked for now."""

    def to_json(self) -> dict[str, Any]:
        """Itself in JSON values."""


@dataclass(frozen=True)
class Block:
    """A block of scenes of the propose pass.

    Attributes:
        job: what to make.
        producer: where its producer is found.
        out: release directory.
        index: the block's number.
        scenes: in it.
        taken: how many of them the config takes.
    """

    function: ClassVar[str] = "flowbench.builders.units:propose_block"

    job: Job
    producer: str
    out: str
    index: int
    scenes: tuple[int, ...]
    taken: int

    @property
    def name(self) -> str:
        """Config and scenes."""
        first, last = self.scenes[0], self.scenes[-1]
        return f"{self.job.config} scene {first}" if first == last else f"{self.job.config} scenes {first} to {last}"

    @property
    def weight(self) -> int:
        """Scenes that are looked at."""
        return self.taken

    @property
    def receipt_path(self) -> Path:
        """Beside its table."""
        return State(Path(self.out)).block_receipt(self.job.config, self.index)

    def receipt(self) -> BlockReceipt | None:
        """Of these scenes and of the table as it lies there now."""
        receipt = BlockReceipt.read(self.receipt_path)
        table = State(Path(self.out)).block(self.job.config, self.index)
        return receipt if receipt is not None and receipt.covers(self.scenes, table) else None

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The block that :meth:`to_json` gave."""
        return pydantic.TypeAdapter(cls).validate_python(values)


@dataclass(frozen=True)
class Shard:
    """A shard of the write pass: the rows of the selection that it holds.

    Attributes:
        job, producer, out: as of a block.
        path: the shard's, in the release.
        rows: of the selection, of JSON values.
        digest: see :func:`shard_digest`.
    """

    function: ClassVar[str] = "flowbench.builders.units:make_shard"

    job: Job
    producer: str
    out: str
    path: str
    rows: tuple[dict[str, Any], ...]
    digest: str

    @property
    def name(self) -> str:
        """Its file."""
        return self.path

    @property
    def weight(self) -> int:
        """One shard."""
        return 1

    @property
    def receipt_path(self) -> Path:
        """By its file's name."""
        return State(Path(self.out)).shard_receipt(self.job.config, Path(self.path).name)

    def receipt(self) -> WrittenShard | None:
        """Of a shard that is there in its full size and was made from the same rows."""
        receipt = WrittenShard.read(self.receipt_path)
        return receipt if receipt is not None and receipt.covers(self.digest, Path(self.out)) else None

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The shard that :meth:`to_json` gave."""
        return pydantic.TypeAdapter(cls).validate_python(values)


def place_of(producer: Producer) -> str:
    """Where a producer is found, as a unit carries it."""
    return f"{type(producer).__module__}:{type(producer).__qualname__}"


def propose_block(values: Mapping[str, Any]) -> dict[str, int]:
    """Propose candidates for a block of scenes."""
    block = Block.from_json(values)
    receipt = block.receipt()
    if receipt is None:
        receipt = _propose(block)
    return {"made": receipt.made}


def make_shard(values: Mapping[str, Any]) -> dict[str, int]:
    """Make the samples of a shard and write it."""
    shard = Shard.from_json(values)
    receipt = shard.receipt()
    if receipt is None:
        receipt = _write(shard)
    return {"made": receipt.made}


def _propose(block: Block) -> BlockReceipt:
    """The table, then its receipt."""
    table, rejects = producer_of(block.job, block.producer).propose(block.scenes)
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    data = buffer.getvalue()
    write_bytes(State(Path(block.out)).block(block.job.config, block.index), data)
    receipt = BlockReceipt(
        scenes=block.scenes,
        candidates=table.height,
        sha256=hashlib.sha256(data).hexdigest(),
        rejects=dict(sorted(rejects.items())),
    )
    receipt.write(block.receipt_path)
    return receipt


def _write(shard: Shard) -> WrittenShard:
    """The shard, then its receipt."""
    producer = producer_of(shard.job, shard.producer)
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
    receipt = WrittenShard(
        digest=shard.digest,
        shard=write_shard(Path(shard.out), shard.path, config_spec(shard.job.config), kept()),
        categories=dict(sorted(categories.items())),
        rejects=dict(sorted(rejects.items())),
    )
    receipt.write(shard.receipt_path)
    return receipt


def shard_digest(job: Job, path: str, rows: tuple[dict[str, Any], ...]) -> str:
    """What a shard is made from; a receipt with another digest is of another shard."""
    text = repr((job, path, [sorted(row.items()) for row in rows]))
    return hashlib.sha256(text.encode()).hexdigest()


def read_candidates(state: State, config: str, blocks: int) -> pl.DataFrame:
    """The candidate table of all blocks, in order."""
    return pl.concat([pl.read_parquet(state.block(config, index)) for index in range(blocks)])
