"""What a suite is: checks of single samples, which shards are searched for in parallel, or of a release as a whole."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import polars as pl

from flowbench.release import Manifest
from flowbench.schema import ConfigSpec

from ..opened import Opened

Sample = TypeVar("Sample", bound=Opened, contravariant=True)
"""The kind of sample that a suite looks at."""


@dataclass(frozen=True)
class Violation:
    """One thing that a release breaks.

    Attributes:
        rule: what is broken, in a few fixed words without values (``"flow of still pixels"``): violations are counted
            by it.
        found, expected: the two values, in words.
        key: the sample's, or None where no single sample is to blame.
        split, file: where, as far as known; the file relative to the release.
    """

    rule: str
    found: str
    expected: str
    key: str | None = None
    split: str | None = None
    file: str | None = None


@dataclass(frozen=True)
class Table:
    """A table of a report; cells are text. ``limits`` says in a sentence what is enforced of it, if anything."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    limits: str = ""


@dataclass(frozen=True)
class Share:
    """How often something is right, as reports draw it: a bar with its interval, beside what chance gives.

    Attributes:
        category, name: of what.
        value: the share.
        low, high: its 95% interval.
        chance: the share that guessing evenly gives.
        pays: what the table says of it: ``"yes"``, or ``"no"`` or ``"not seen"``, or that it cannot be told.
    """

    category: str
    name: str
    value: float
    low: float
    high: float
    chance: float
    pays: str = "no"


@dataclass(frozen=True)
class Findings:
    """What a suite says of a config: what is broken, and tables and shares for people."""

    violations: Sequence[Violation] = ()
    tables: Sequence[Table] = ()
    shares: Sequence[Share] = ()


class Suite(abc.ABC):
    """One suite. Stateless; registered for configs in :mod:`.registry`."""

    name: ClassVar[str]
    about: ClassVar[str]
    """What it checks, one sentence for reports."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Modules without which it cannot run: it then counts as skipped, and the config does not pass."""


class SampleSuite(Suite, Generic[Sample]):
    """Checks one sample at a time; runs in worker processes, shard by shard."""

    columns: ClassVar[frozenset[str]] = frozenset()
    """Members it reads; the others may be passed over."""

    @abc.abstractmethod
    def check(self, sample: Sample) -> Iterable[Violation]:
        """What the sample breaks.

        Raises:
            ReleaseError: it cannot be read; the runner makes a violation of it.
        """


@dataclass(frozen=True)
class OpenedConfig:
    """A config as the suites over whole releases see it.

    Attributes:
        root: the release.
        manifest: as published.
        spec: what the config should hold.
        index: every published index row of it with a column ``split``, nested records as structs, without the large
            fields of :data:`~flowbench.validation.indexes.LEFT_OUT`.
        facts: one row a sample read from the shards: ``key, split, file``, and what
            :func:`~flowbench.validation.facts.facts_of` adds (scene, sha256 and perceptual hashes of pictures), null
            where the sample cannot be read.
    """

    root: Path
    manifest: Manifest
    spec: ConfigSpec
    index: pl.DataFrame
    facts: pl.DataFrame

    @property
    def recorded(self) -> bool:
        """Whether its samples come of videos that a build was given, which only those of ``real_*`` may."""
        return self.spec.family == "real" and bool(self.manifest.sources.get(self.spec.name))


class ConfigSuite(Suite):
    """Checks a config as a whole, after all of its samples have been read."""

    @abc.abstractmethod
    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What the config breaks, and its tables.

        Args:
            config: which.
            others: every config of the release by name, itself included, for what must not lie in two of them.
        """


@dataclass
class Tally:
    """Violations counted by rule, of which the first are kept whole."""

    kept: list[Violation] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many there were."""
        return sum(self.counts.values())

    def add(self, violations: Iterable[Violation], most: int) -> None:
        """Count violations and keep at most ``most`` a rule."""
        for each in violations:
            self.counts[each.rule] = self.counts.get(each.rule, 0) + 1
            if self.counts[each.rule] <= most:
                self.kept.append(each)

    def merge(self, later: Tally, most: int) -> None:
        """Add what another tally, with the same ``most``, found after this one."""
        room = {rule: most - self.counts.get(rule, 0) for rule in later.counts}
        for each in later.kept:
            if room[each.rule] > 0:
                room[each.rule] -= 1
                self.kept.append(each)
        for rule, count in later.counts.items():
            self.counts[rule] = self.counts.get(rule, 0) + count
