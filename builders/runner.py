"""The only loop: blocks of scenes -> candidates -> selection -> shards -> a release (cli.md, "Three passes").

Every unit of work leaves a receipt; a rerun does what has none. The release's bytes do not depend on the workers.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from flowbench.errors import UsageError, unknown_name
from flowbench.release import shard_path, size_text
from flowbench.rendering.warming import warm
from flowbench.schema import config_spec
from flowbench.workers import run_units

from .finishing import Complete, complete, finish, invalidate, read_complete
from .options import BuildOptions
from .producer import PRODUCERS, Job, Producer, producer_of
from .progress import BuildReport, ConfigReport, Progress
from .receipts import BlockReceipt, Receipt, WrittenShard
from .state import State, existing_part
from .units import Block, Shard, read_candidates, run_block, run_shard, shard_digest

SPARE_BYTES = 200_000_000
"""Left free on the disk beyond what the build is expected to write."""


def build(options: BuildOptions, progress: Progress) -> BuildReport:
    """Build configs into a release directory, going on from whatever an earlier run finished.

    Raises:
        UsageError: bad arguments, or a directory that belongs to something else; nothing is touched then.
        FlowbenchError: the disk is full, or a worker died; a rerun goes on.
    """
    began = time.monotonic()
    producers = [_producer(options, name) for name in options.configs]
    state = State(options.out)
    state.check(options)
    _check_disk(options, state, producers)
    if options.rewriter is not None:
        options.rewriter.check()
    with state.locked():
        state.record(options, state.check(options))
        progress.start("prepare", 1)
        warm()
        for producer in producers:
            producer.warm()
        progress.advance(1, 0, {})
        progress.finish()
        passes = [_Passes(producer, options, state, progress) for producer in producers]
        reports = {each.config: _report(each.run()) for each in passes}
        changed = finish(state) or any(each.changed for each in passes)
    return BuildReport(options.out, reports, changed, time.monotonic() - began)


def _producer(options: BuildOptions, config: str) -> Producer:
    """The producer of a config, its arguments checked."""
    if config not in PRODUCERS:
        raise unknown_name("config", config, PRODUCERS)
    spec = config_spec(config)
    job = Job(
        config,
        spec.pools[0],
        options.seed,
        options.preset,
        options.simulator,
        options.width,
        options.height,
        options.rewriter,
    )
    producer = producer_of(job)
    producer.check()
    return producer


def _check_disk(options: BuildOptions, state: State, producers: Sequence[Producer]) -> None:
    """Refuse a build that cannot fit; what is there already counts, and a finished one needs nothing."""
    needed = 0
    for producer in producers:
        former = read_complete(state, producer.job.config)
        if former is not None and former.scenes == options.scenes:
            continue
        samples, size = producer.expected(options.scenes)
        data = options.out / "data" / producer.job.config
        there = sum(path.stat().st_size for path in data.glob("*.tar")) if data.is_dir() else 0
        needed += max(0, samples * size - there)
    free = shutil.disk_usage(existing_part(options.out)).free
    if needed and free < needed + SPARE_BYTES:
        raise UsageError(
            f"{options.out} has {size_text(free)} free, but this build needs about "
            f"{size_text(needed + SPARE_BYTES)}: free some space, choose another --out, or ask for fewer --scenes."
        )


def _report(whole: Complete) -> ConfigReport:
    """What the summary shows of a config."""
    shards = whole.shards
    return ConfigReport(whole.categories, whole.rejects, len(shards), sum(shard.bytes for shard in shards))


@dataclass
class _Passes:
    """One config on its way through the three passes."""

    producer: Producer
    options: BuildOptions
    state: State
    progress: Progress
    changed: bool = False

    @property
    def config(self) -> str:
        """Its name."""
        return self.producer.job.config

    def run(self) -> Complete:
        """Propose, select, write."""
        blocks = self._propose()
        candidates = read_candidates(self.state, self.config, len(blocks))
        selected, unbalanced = self.producer.select(candidates)
        if selected.height == 0:
            scenes = self.options.scenes
            gave = f"{scenes:,} scene{'' if scenes == 1 else 's'} gave nothing to ask"
            raise UsageError(f"{self.config}: {gave}: ask for more --scenes.")
        shards = self._shards(selected)
        former = read_complete(self.state, self.config)
        if former is not None and former.scenes == self.options.scenes and all(map(self._receipt, shards)):
            return former
        invalidate(self.state, self.config)
        self.changed = True
        self._remove_others(shards)
        self._write(shards)
        receipts = {shard.path: receipt for shard in shards if (receipt := self._receipt(shard)) is not None}
        proposed = [BlockReceipt.read(self.state.block_receipt(self.config, block.index)) for block in blocks]
        rejects = {
            "propose": _rejects(receipt for receipt in proposed if receipt is not None),
            "select": dict(unbalanced),
            "write": _rejects(receipts.values()),
        }
        return complete(self.state, self.config, self.options.scenes, receipts, rejects)

    def _propose(self) -> list[Block]:
        """Run the blocks that have no receipt; returns all of them."""
        job, size = self.producer.job, self.producer.block_scenes
        scenes = range(self.options.scenes)
        blocks = [
            Block(job, str(self.options.out), index, tuple(scenes[start : start + size]))
            for index, start in enumerate(range(0, len(scenes), size))
        ]
        open_blocks = [block for block in blocks if not self._is_done(block)]
        left = sum(len(block.scenes) for block in open_blocks)
        self.progress.start(f"propose {job.config}", len(scenes), len(scenes) - left)
        for block, report in run_units(run_block, open_blocks, self.options.workers):
            self.changed = True
            self.progress.advance(len(block.scenes), report.samples, report.rejects)
        self.progress.finish()
        return blocks

    def _is_done(self, block: Block) -> bool:
        receipt = BlockReceipt.read(self.state.block_receipt(self.config, block.index))
        return receipt is not None and receipt.covers(block.scenes, self.state.block(self.config, block.index))

    def _shards(self, selected: pl.DataFrame) -> list[Shard]:
        """Cut each split evenly into as few shards as keep to the target size, more or less."""
        job = self.producer.job
        _, sample_bytes = self.producer.expected(1)
        size = max(1, self.options.shard_bytes // sample_bytes)
        shards = []
        for split in config_spec(job.config).splits:
            rows = selected.filter(pl.col("split") == split).to_dicts()
            total = -(-len(rows) // size)
            for index in range(total):
                part = tuple(rows[len(rows) * index // total : len(rows) * (index + 1) // total])
                path = shard_path(job.config, split, index, total)
                shards.append(Shard(job, str(self.options.out), path, part, shard_digest(job, path, part)))
        return shards

    def _write(self, shards: Sequence[Shard]) -> None:
        """Write the shards that have no receipt or are not there as the receipt says."""
        open_shards = [shard for shard in shards if self._receipt(shard) is None]
        self.progress.start(f"write {self.config}", len(shards), len(shards) - len(open_shards))
        for _, report in run_units(run_shard, open_shards, self.options.workers):
            self.progress.advance(1, report.samples, report.rejects)
        self.progress.finish()

    def _receipt(self, shard: Shard) -> WrittenShard | None:
        """The receipt of a shard that is there, whole, and made from the same rows."""
        receipt = WrittenShard.read(self.state.shard_receipt(self.config, Path(shard.path).name))
        return receipt if receipt is not None and receipt.covers(shard.digest, self.options.out) else None

    def _remove_others(self, shards: Sequence[Shard]) -> None:
        """Remove shards of an earlier, smaller build, which the new ones replace."""
        wanted = {Path(shard.path).name for shard in shards}
        for path in sorted((self.options.out / "data" / self.config).glob("*.tar")):
            if path.name not in wanted:
                path.unlink()
                self.state.shard_receipt(self.config, path.name).unlink(missing_ok=True)


def _rejects(receipts: Iterable[Receipt]) -> dict[str, int]:
    """Rejects by reason over receipts."""
    total: Counter[str] = Counter()
    for receipt in receipts:
        total.update(receipt.rejects)
    return dict(total)
