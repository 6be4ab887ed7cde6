"""One shard through all suites over single samples, its members decoded once for all; runs in worker processes."""

from __future__ import annotations

import dataclasses
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import polars as pl

from flowbench.errors import ReleaseError
from flowbench.release import Sample, ShardReceipt, file_sha256, iter_samples
from flowbench.schema.rows import row_of

from .facts import facts_of
from .indexes import read_rows
from .opened import Opened, OpenedSample
from .plain import plain
from .suites.base import SampleSuite, Tally, Violation
from .suites.members import INTEGRITY

Result = TypeVar("Result")

MAX_SHARD_BYTES: Final = 1 << 35
"""32 GiB; the largest that are built have 1 GB."""
UNREADABLE: Final = "sample cannot be read"
UNFINISHED: Final = "check broke off"
UNKNOWN: Final = "unknown"
"""Category of a sample whose record cannot be read."""


@dataclass(frozen=True)
class ShardTask:
    """What a worker needs to check a shard.

    Attributes:
        root: the release.
        split: of the shard.
        receipt: what the manifest says of it.
        index: path of the split's index; None where it cannot be read, which is told elsewhere.
        size: (width, height) of the pictures.
        suites: in the order in which they look at a sample, integrity first.
        most: violations kept a rule.
        opener: what makes of a key, its members and the size a sample that the suites can look at.
    """

    root: Path
    split: str
    receipt: ShardReceipt
    index: str | None
    size: tuple[int, int]
    suites: Sequence[SampleSuite[Any]]
    most: int
    opener: type[Opened] = OpenedSample


@dataclass
class ShardReport:
    """What was found.

    Attributes:
        categories: category -> samples.
        tallies: suite -> violations.
        by_category: suite -> category -> violations of samples of it.
        facts: a row a sample, see :class:`~.suites.base.OpenedConfig`.
    """

    categories: Counter[str] = field(default_factory=Counter)
    tallies: dict[str, Tally] = field(default_factory=dict)
    by_category: dict[str, Counter[str]] = field(default_factory=dict)
    facts: pl.DataFrame = field(default_factory=pl.DataFrame)

    @property
    def samples(self) -> int:
        """How many were read."""
        return self.categories.total()


def check_shard(task: ShardTask) -> ShardReport:
    """Read a shard from its first to its last sample, one in memory at a time."""
    check = _ShardCheck(task)
    with np.errstate(all="ignore"):  # what is hostile may well overflow: suites look at results
        check.run()
    return check.report


class _ShardCheck:
    """A shard being checked."""

    def __init__(self, task: ShardTask) -> None:
        self.task = task
        self.report = ShardReport(tallies={suite.name: Tally() for suite in task.suites} | {INTEGRITY: Tally()})
        self._facts: list[dict[str, object]] = []
        self._rows: list[dict[str, Any]] | None = None
        self._bytes = 0

    def run(self) -> None:
        """Check the file, then its samples, then what they come to."""
        path = self.task.root / self.task.receipt.path
        if self.task.index is not None:
            self._rows = self._or_told(lambda: read_rows(self.task.root, self.task.index or "", self.task.receipt.path))
        whole = self._or_told(lambda: self._add(INTEGRITY, _file(path, self.task.receipt), None, None))
        if whole or _may_be_read(path, self.task.receipt):
            self._or_told(lambda: self._samples(path))
        self.report.facts = _frame(self._facts)

    def _samples(self, path: Path) -> None:
        last = ""
        for sample in iter_samples(path):
            self._sample(sample, last)
            last = sample.key
        self._add(INTEGRITY, self._totals(), None, None)

    def _or_told(self, step: Callable[[], Result]) -> Result | None:
        """What a step gives; None where the file cannot be read, which is then told."""
        try:
            return step()
        except ReleaseError as error:
            found = str(error).replace(f"{self.task.root}/", "")
        except OSError as error:
            found = f"{self.task.receipt.path}: {error.strerror}"
        self._add(INTEGRITY, [Violation("shard cannot be read", found, "a whole tar of plain members")], None, None)
        return None

    def _sample(self, sample: Sample, last: str) -> None:
        opened = self.task.opener(sample.key, sample.members, self.task.size)
        self._bytes += len(sample.key) + sum(map(len, sample.members.values()))
        category = _category(opened)
        number = self.report.samples
        self.report.categories[category] += 1
        own = [*_order(sample.key, last), *self._row(number, opened)]
        flawed = not self._add(INTEGRITY, own, sample.key, category)
        for suite in self.task.suites:
            found = _found(suite, opened, flawed and suite.name != INTEGRITY)
            clean = self._add(suite.name, found, sample.key, category)
            flawed = flawed or (suite.name == INTEGRITY and not clean)
        self._facts.append(self._fact(opened))

    def _fact(self, opened: Opened) -> dict[str, object]:
        place = {"key": opened.key, "split": self.task.split, "file": self.task.receipt.path}
        try:
            return {**place, **facts_of(opened)}
        except ReleaseError:
            return dict(place)  # integrity has said why

    def _row(self, number: int, opened: Opened) -> Iterator[Violation]:
        """Where the index has something else than the record."""
        if self._rows is None:
            return
        try:
            expected = row_of(opened.record, self.task.receipt.path)
        except ReleaseError:
            return
        row = self._rows[number] if number < len(self._rows) else None
        if row is None:
            yield Violation("row of the index", "none", "the record of every sample")
            return
        for name, value in expected.items():
            if row.get(name) != value:
                yield Violation("row of the index", f"{name}: {row.get(name)!r}", f"{value!r} as in the shard")
                return

    def _totals(self) -> Iterator[Violation]:
        receipt = self.task.receipt
        for what, found, expected in (
            ("samples of a shard", self.report.samples, receipt.samples),
            ("num_bytes of a shard", self._bytes, receipt.num_bytes),
        ):
            if found != expected:
                yield Violation(what, f"{found:,}", f"{expected:,} as in the manifest")
        if self._rows is not None and len(self._rows) > self.report.samples:
            more = len(self._rows) - self.report.samples
            yield Violation("row of the index", f"{more:,} more than the shard has samples", "a row a sample")

    def _add(self, suite: str, found: Iterable[Violation], key: str | None, category: str | None) -> bool:
        """Count what a suite found; whether that was nothing."""
        placed = [self._placed(each, key) for each in found]
        self.report.tallies[suite].add(placed, self.task.most)
        if placed and category is not None:
            self.report.by_category.setdefault(suite, Counter())[category] += len(placed)
        return not placed

    def _placed(self, violation: Violation, key: str | None) -> Violation:
        return tidy(
            dataclasses.replace(
                violation,
                key=violation.key or key,
                split=violation.split or self.task.split,
                file=violation.file or self.task.receipt.path,
            )
        )


def tidy(violation: Violation) -> Violation:
    """The violation with every text fit to be shown."""
    texts = {name: plain(value) for name, value in vars(violation).items() if value is not None}
    return dataclasses.replace(violation, **texts)


def broken_off(error: Exception) -> Violation:
    """What stands for a check that failed itself: what it was given is not known to be good."""
    return Violation(UNFINISHED, f"{type(error).__name__}: {error}", "content that can be checked")


def _found(suite: SampleSuite[Any], opened: Opened, flawed: bool) -> list[Violation]:
    """What a suite says of a sample; of one already known to be flawed not that it cannot be read."""
    found: list[Violation] = []
    try:
        found.extend(suite.check(opened))
    except ReleaseError as error:
        if not flawed:
            found.append(Violation(UNREADABLE, str(error), "a sample that can be checked"))
    except Exception as error:  # a check that fails must not pass the sample, nor hide the others' findings
        if not flawed:
            found.append(broken_off(error))
    return found


def _category(opened: Opened) -> str:
    try:
        return plain(opened.record.category, 60)
    except ReleaseError:
        return UNKNOWN


def _file(path: Path, receipt: ShardReceipt) -> Iterator[Violation]:
    """Whether the file is the one of the manifest."""
    status = path.lstat() if path.exists() else None
    if status is None or not stat.S_ISREG(status.st_mode):
        found = "no file" if status is None else "a link" if path.is_symlink() else "not a plain file"
        yield Violation("shard is missing", found, "a plain file")
    elif status.st_size > MAX_SHARD_BYTES:
        yield Violation("bytes of a shard", f"{status.st_size:,}", f"at most {MAX_SHARD_BYTES:,}")
    elif status.st_size != receipt.bytes:
        yield Violation("bytes of a shard", f"{status.st_size:,}", f"{receipt.bytes:,} as in the manifest")
    elif (digest := file_sha256(path)) != receipt.sha256:
        yield Violation("sha256 of a shard", digest, f"{receipt.sha256} as in the manifest")


def _may_be_read(path: Path, receipt: ShardReceipt) -> bool:
    """Whether reading a file that is not the manifest's can show where it broke, at a cost that was agreed to."""
    return path.is_file() and not path.is_symlink() and path.stat().st_size <= min(receipt.bytes, MAX_SHARD_BYTES)


def _order(key: str, last: str) -> Iterator[Violation]:
    if key <= last:
        yield Violation("order of keys", f"{key} after {last}", "ascending keys")


def _frame(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """Rows as a table; whole numbers are unsigned, hashes fill all 64 bits."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = []
    for name in names:
        values = [row.get(name) for row in rows]
        whole = any(type(value) is int for value in values)
        columns.append(pl.Series(name, values, dtype=pl.UInt64() if whole else None))
    return pl.DataFrame(columns)
