"""Validate a release: shards in worker processes, one sample in memory at a time, then each config as a whole."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import polars as pl

from flowbench.errors import FlowbenchError, ReleaseError, UsageError
from flowbench.progress import Progress
from flowbench.release import FileReceipt, Manifest, read_manifest
from flowbench.schema import CONFIGS, config_spec
from flowbench.workers import run_units

from .indexes import check_index, read_index
from .needs import lacking
from .registry import SUITES, SUITES_VERSION, Suites, is_enforced
from .results import ConfigResult, SuiteResult, manifest_sha256
from .shards import ShardReport, ShardTask, broken_off, check_shard, tidy
from .suites.base import ConfigSuite, OpenedConfig, Share, Table, Tally, Violation
from .suites.members import INTEGRITY

MOST_KEPT: Final = 20
"""Violations kept in full a rule; all are counted."""
NO_INDEX: Final = "the index cannot be read"
NO_SAMPLE: Final = "no sample could be read"


@dataclass(frozen=True)
class Validation:
    """What was found in a release.

    Attributes:
        root: the release.
        manifest: as published.
        results: config -> what was found, in the manifest's order.
        configs: config -> what the suites over whole configs saw.
        seconds: how long it took.
    """

    root: Path
    manifest: Manifest
    results: Mapping[str, ConfigResult]
    configs: Mapping[str, OpenedConfig]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing that is enforced is broken."""
        return all(result.passed for result in self.results.values())

    @property
    def samples(self) -> int:
        """How many were read."""
        return sum(sum(counts.values()) for each in self.results.values() for counts in each.samples.values())


def validate(
    root: Path,
    configs: Sequence[str],
    workers: int,
    progress: Progress,
    suites: Mapping[str, Suites] = SUITES,
) -> Validation:
    """Run every suite over configs of a release; the findings depend on nothing but the release.

    Args:
        root: the release.
        configs: which of its configs; all of them if empty.
        workers: worker processes.
        progress: told of shards done, samples read and violations by suite.
        suites: config -> its suites.

    Raises:
        UsageError: not a release, or a config that is not in it.
        ReleaseError: the manifest cannot be read, or names a config that this version does not know.
        WorkerDiedError: a worker process was killed.
    """
    started = time.monotonic()
    manifest, digest = _manifest(root)
    chosen = _chosen(root, manifest, configs)
    checks = {name: _ConfigCheck(root, manifest, name, suites[name]) for name in chosen}
    for check in checks.values():
        check.read_shards(workers, progress)
    opened = {name: check.opened() for name, check in checks.items()}
    for name, check in checks.items():
        check.judge(opened[name], opened, progress)
    return Validation(
        root,
        manifest,
        {name: check.result(digest, tuple(chosen)) for name, check in checks.items()},
        opened,
        time.monotonic() - started,
    )


def _manifest(root: Path) -> tuple[Manifest, str]:
    if not root.is_dir():
        what = "is not a folder" if root.exists() else "does not exist"
        raise UsageError(f"{root} {what}: name the folder of a release, as 'flowbench build' made it.")
    return read_manifest(root), manifest_sha256(root)


def _chosen(root: Path, manifest: Manifest, configs: Sequence[str]) -> list[str]:
    """The configs to check in the order of the manifest; each must be held and known."""
    for name in configs:
        config_spec(name)
        if name not in manifest.configs:
            held = ", ".join(sorted(manifest.configs)) or "none"
            raise UsageError(f"{root} has no config {name!r}; it holds {held}.")
    chosen = [name for name in sorted(manifest.configs) if not configs or name in configs]
    for name in chosen:
        if name not in CONFIGS:
            raise ReleaseError(f"{root} holds the config {name[:80]!r}, which this version of flowbench does not know.")
    if not chosen:
        raise ReleaseError(f"{root} holds no config: build it again.")
    return chosen


@dataclass
class _Suite:
    """What one suite has found so far, in both of its parts."""

    tally: Tally = field(default_factory=Tally)
    by_category: Counter[str] = field(default_factory=Counter)
    tables: list[Table] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    skipped: str | None = None


class _ConfigCheck:
    """A config being checked."""

    def __init__(self, root: Path, manifest: Manifest, name: str, suites: Suites) -> None:
        self._root, self._manifest, self._name, self._suites = root, manifest, name, suites
        self._found = {each: _Suite() for each in suites.about}
        for suite in (*suites.samples, *suites.configs):
            self._found[suite.name].skipped = self._found[suite.name].skipped or lacking(suite.needs)
        self._samples: dict[str, Counter[str]] = {split: Counter() for split in manifest.configs[name]}
        self._facts: list[pl.DataFrame] = []
        self._indexes: dict[str, FileReceipt] = {}

    def read_shards(self, workers: int, progress: Progress) -> None:
        """Every shard through the suites over samples."""
        self._check_indexes()
        tasks = list(self._tasks())
        progress.start(f"check {self._name}", len(tasks))
        for task, report in _in_order(tasks, run_units(check_shard, tasks, workers)):
            self._samples[task.split].update(report.categories)
            self._facts.append(report.facts)
            for suite, tally in report.tallies.items():
                self._found[suite].tally.merge(tally, MOST_KEPT)
                self._found[suite].by_category.update(report.by_category.get(suite, {}))
            broken = {suite: tally.total for suite, tally in report.tallies.items() if tally.total}
            progress.advance(1, report.samples, broken)
        self._tell_unread()
        progress.finish()

    def _tell_unread(self) -> None:
        """Where there should be samples and none was read, what looks at samples has not run."""
        told = sum(files.index.samples for files in self._manifest.configs[self._name].values())
        if told and not any(counts.total() for counts in self._samples.values()):
            for suite in self._suites.samples:
                if suite.name != INTEGRITY:
                    self._found[suite.name].skipped = self._found[suite.name].skipped or NO_SAMPLE

    def opened(self) -> OpenedConfig:
        """The config as a whole."""
        spec = config_spec(self._name)
        try:
            index = read_index(self._root, spec, list(self._indexes.items()))
        except ReleaseError as error:
            self._tell_index(error, None)
            index = read_index(self._root, spec, [])
        facts = pl.concat(self._facts, how="diagonal_relaxed") if self._facts else pl.DataFrame()
        return OpenedConfig(self._root, self._manifest, spec, index, facts)

    def judge(self, opened: OpenedConfig, others: Mapping[str, OpenedConfig], progress: Progress) -> None:
        """The suites over the config as a whole."""
        progress.start(f"judge {self._name}", len(self._suites.configs))
        for suite in self._suites.configs:
            found = self._found[suite.name]
            before = found.tally.total
            if found.skipped is not None:
                pass  # what it needs is not there
            elif suite.name != INTEGRITY and len(self._indexes) < len(self._samples):
                found.skipped = NO_INDEX
            else:
                self._judge(suite, found, opened, others)
            more = found.tally.total - before
            progress.advance(1, 0, {suite.name: more} if more else {})
        progress.finish()

    def result(self, digest: str, together: tuple[str, ...]) -> ConfigResult:
        """All of it."""
        preset = self._manifest.preset
        return ConfigResult(
            suites_version=SUITES_VERSION,
            manifest_sha256=digest,
            config=self._name,
            preset=preset,
            compared_with=together,
            samples={split: dict(sorted(counts.items())) for split, counts in self._samples.items()},
            suites=tuple(
                SuiteResult(
                    name=name,
                    about=about,
                    enforced=is_enforced(name, preset),
                    skipped=self._found[name].skipped,
                    rules=dict(sorted(self._found[name].tally.counts.items(), key=lambda rule: _place(rule[0]))),
                    by_category=dict(sorted(self._found[name].by_category.items())),
                    kept=tuple(self._found[name].tally.kept),
                    tables=tuple(self._found[name].tables),
                    shares=tuple(self._found[name].shares),
                )
                for name, about in self._suites.about.items()
            ),
        )

    def _check_indexes(self) -> None:
        """Find out which indexes may be read."""
        for split, files in self._manifest.configs[self._name].items():
            try:
                check_index(self._root, files.index, config_spec(self._name))
                self._indexes[split] = files.index
            except ReleaseError as error:
                self._tell_index(error, split)

    def _tell_index(self, error: ReleaseError, split: str | None) -> None:
        found = str(error).replace(f"{self._root}/", "")
        told = Violation("index cannot be read", found, "the rows of all samples", split=split)
        self._found[INTEGRITY].tally.add([tidy(told)], MOST_KEPT)

    def _tasks(self) -> Iterator[ShardTask]:
        size = config_spec(self._name).size or (self._manifest.width, self._manifest.height)
        suites = tuple(suite for suite in self._suites.samples if lacking(suite.needs) is None)
        for split, files in self._manifest.configs[self._name].items():
            index = self._indexes[split].path if split in self._indexes else None
            for receipt in files.shards:
                yield ShardTask(self._root, split, receipt, index, size, suites, MOST_KEPT, self._suites.opener)

    def _judge(
        self, suite: ConfigSuite, found: _Suite, opened: OpenedConfig, others: Mapping[str, OpenedConfig]
    ) -> None:
        try:
            findings = suite.check(opened, others)
        except FlowbenchError:
            raise
        except Exception as error:  # a suite that fails must not pass the release
            found.tally.add([tidy(broken_off(error))], MOST_KEPT)
            return
        found.tally.add(map(tidy, findings.violations), MOST_KEPT)
        found.tables.extend(findings.tables)
        found.shares.extend(findings.shares)


def _place(rule: str) -> tuple[bool, str]:
    """Rules by name, but last those of the card's head, which differs wherever a file does."""
    return rule.endswith(" of the card"), rule


def _in_order(
    tasks: Sequence[ShardTask], done: Iterable[tuple[ShardTask, ShardReport]]
) -> Iterator[tuple[ShardTask, ShardReport]]:
    """Reports in the order of their tasks, each as soon as those before it are there."""
    places = {id(task): place for place, task in enumerate(tasks)}
    waiting: dict[int, tuple[ShardTask, ShardReport]] = {}
    following = 0
    for task, report in done:
        waiting[places[id(task)]] = (task, report)
        while following in waiting:
            yield waiting.pop(following)
            following += 1
