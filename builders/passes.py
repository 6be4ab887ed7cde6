"""One config on its way through the three passes of a build (cli.md, "Three passes")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from flowbench.errors import UsageError
from flowbench.files import write_bytes
from flowbench.progress import Progress
from flowbench.release import index_path, shard_path
from flowbench.schema import config_spec

from .crew import Crew, needed_secrets
from .finishing import Complete, complete, invalidate, read_complete
from .options import BuildOptions
from .producer import Producer
from .rates import propose_limit, write_limit
from .receipts import Receipt
from .state import State
from .units import Block, Shard, place_of, read_candidates, shard_digest


class NothingToAskError(UsageError):
    """A config's scenes gave nothing; what else was asked for is built all the same."""


@dataclass
class Passes:
    """A config, its producer, and who does the work.

    Attributes:
        changed: whether anything was done that an earlier run had not done.
    """

    producer: Producer
    options: BuildOptions
    state: State
    progress: Progress
    crew: Crew
    changed: bool = False

    @property
    def config(self) -> str:
        """Its name."""
        return self.producer.job.config

    def run(self) -> Complete | None:
        """Propose, select, write; None where some of it failed, which the crew knows."""
        blocks = self._blocks()
        if not self._propose(blocks):
            return None
        selected, unbalanced = self.producer.select(read_candidates(self.state, self.config, len(blocks)))
        if selected.height == 0:
            raise NothingToAskError(self._nothing(_rejects(block.receipt() for block in blocks)))
        shards = self._shards(selected)
        former = read_complete(self.state, self.config)
        if former is not None and former.scenes == self.options.scenes and all(shard.receipt() for shard in shards):
            return former
        invalidate(self.state, self.config)
        self.changed = True
        self._remove_others(shards)
        if not self._write(shards):
            return None
        receipts = {shard.path: receipt for shard in shards if (receipt := shard.receipt()) is not None}
        if receipts and not any(receipt.made for receipt in receipts.values()):
            self._remove_others(())
            for split in config_spec(self.config).splits:
                (self.options.out / index_path(self.config, split)).unlink(missing_ok=True)
            raise NothingToAskError(self._nothing(_rejects(receipts.values())))
        rejects = {
            "propose": _rejects(block.receipt() for block in blocks),
            "select": dict(unbalanced),
            "write": _rejects(receipts.values()),
        }
        return complete(self.state, self.config, self.options.scenes, receipts, rejects)

    def _nothing(self, rejects: Mapping[str, int]) -> str:
        """Why there is nothing to ask, as far as it is known: a lost scene says it best."""
        lost = [reason for reason in rejects if reason.startswith("scene: ")]
        often = max(rejects, key=lambda reason: rejects[reason], default="")
        told = [lost[0].removeprefix("scene: ").rstrip(".")] if lost else [self.producer.hint]
        if often and not lost:
            told.append(f"most often because of {often}")
        return nothing_to_ask(self.producer, self.options.scenes, "; ".join(filter(None, told)))

    def _blocks(self) -> list[Block]:
        """The blocks of the propose pass."""
        job, size = self.producer.job, self.producer.block_scenes
        where, out = place_of(self.producer), str(self.options.out.absolute())
        every = range(self.options.scenes)
        parts = [tuple(every[start : start + size]) for start in range(0, len(every), size)]
        return [
            Block(job, where, out, index, part, len([*filter(self.producer.takes, part)]))
            for index, part in enumerate(parts)
        ]

    def _propose(self, blocks: Sequence[Block]) -> bool:
        """Run the blocks that have no receipt; returns whether all are done now."""
        left = [block for block in blocks if block.receipt() is None and not self._borrow(block)]
        scenes, open_ = (sum(block.weight for block in some) for some in (blocks, left))
        self.progress.start(f"propose {self.config}", scenes, scenes - open_)
        self.changed = self.changed or bool(left)
        limits = {block.name: propose_limit(block.job, len(block.scenes)) for block in left}
        done = self.crew.perform(left, limits)
        self.progress.finish()
        return done

    def _borrow(self, block: Block) -> bool:
        """Take a block's proposals from another config that proposes the same; returns whether it had them."""
        other = self.producer.proposes_as
        if other is None:
            return False
        theirs = replace(block, job=replace(block.job, config=other))
        receipt = theirs.receipt()
        if receipt is None:
            return False
        write_bytes(self.state.block(self.config, block.index), self.state.block(other, block.index).read_bytes())
        receipt.write(block.receipt_path)
        self.changed = True
        return True

    def _shards(self, selected: pl.DataFrame) -> list[Shard]:
        """Cut each split evenly into as few shards as keep to the target size, more or less."""
        job = self.producer.job
        where, out = place_of(self.producer), str(self.options.out.absolute())
        _, sample_bytes = self.producer.expected(1)
        size = max(1, self.options.shard_bytes // sample_bytes)
        shards = []
        for split in config_spec(job.config).splits:
            rows = selected.filter(pl.col("split") == split).to_dicts()
            total = -(-len(rows) // size)
            for index in range(total):
                part = tuple(rows[len(rows) * index // total : len(rows) * (index + 1) // total])
                path = shard_path(job.config, split, index, total)
                shards.append(Shard(job, where, out, path, part, shard_digest(job, path, part)))
        return shards

    def _write(self, shards: Sequence[Shard]) -> bool:
        """Write the shards that have no receipt or are not there as it says; returns whether all are there now."""
        left = [shard for shard in shards if shard.receipt() is None]
        self.progress.start(f"write {self.config}", len(shards), len(shards) - len(left))
        limits = {shard.name: write_limit(shard.job, len(shard.rows)) for shard in left}
        done = self.crew.perform(left, limits, needed_secrets(self.options))
        self.progress.finish()
        return done

    def _remove_others(self, shards: Sequence[Shard]) -> None:
        """Remove shards of an earlier, smaller build, which the new ones replace, or those without a sample."""
        wanted = {Path(shard.path).name for shard in shards}
        for path in sorted((self.options.out / "data" / self.config).glob("*.tar")):
            if path.name not in wanted:
                path.unlink()
                self.state.shard_receipt(self.config, path.name).unlink(missing_ok=True)


def nothing_to_ask(producer: Producer, scenes: int, why: str) -> str:
    """That so many scenes gave nothing, why as far as it is known, and what to do, which is not always to ask for more.

    Args:
        producer: whose :meth:`Producer.check` has passed.
        scenes: that were asked for.
        why: in words; "" where nothing is known.
    """
    least, most = producer.least_scenes(), producer.most_scenes()
    gave = f"{producer.job.config}: {scenes:,} scene{'' if scenes == 1 else 's'} gave nothing to ask"
    gave += f" ({why})" if why else ""
    if most is not None and most < least:
        return f"{gave}, and what it is built from has {most:,} of {least:,} at least: build it from something larger."
    if most is not None and most <= scenes:
        return f"{gave}, and what it is built from has no more: build it from something else."
    return f"{gave}: ask for more --scenes{f', {least:,} at least' if scenes < least else ''}."


def _rejects(receipts: Iterable[Receipt | None]) -> dict[str, int]:
    """Rejects by reason over receipts."""
    total: Counter[str] = Counter()
    for receipt in receipts:
        if receipt is not None:
            total.update(receipt.rejects)
    return dict(total)
