"""How a build tells of its progress; the command line draws it, tests ignore it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class Progress(Protocol):
    """Told by the runner, in the driver process only."""

    def start(self, stage: str, total: int, done: int = 0) -> None:
        """A stage begins that comes to ``total`` (``"propose sim_train"``: scenes; ``"write ..."``: shards).

        ``done`` of them were finished by an earlier run, and say nothing of the rate.
        """

    def advance(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        """``done`` more are finished, with ``samples`` more samples and these further rejects by reason."""

    def finish(self) -> None:
        """The stage is over."""


class Silent:
    """Progress that says nothing."""

    def start(self, stage: str, total: int, done: int = 0) -> None:
        """Ignore."""

    def advance(self, done: int, samples: int, rejects: Mapping[str, int]) -> None:
        """Ignore."""

    def finish(self) -> None:
        """Ignore."""


@dataclass(frozen=True)
class ConfigReport:
    """What a build made of one config.

    Attributes:
        samples: split -> category -> samples written.
        rejects: pass (``propose``, ``select``, ``write``) -> reason -> count.
        shards: shards in the release.
        bytes: their bytes.
    """

    samples: Mapping[str, Mapping[str, int]]
    rejects: Mapping[str, Mapping[str, int]]
    shards: int
    bytes: int


@dataclass(frozen=True)
class BuildReport:
    """What a build did.

    Attributes:
        out: the release directory.
        configs: config -> what it holds now.
        changed: whether anything was built; False when a finished build was run again.
        seconds: wall-clock seconds of this run.
    """

    out: Path
    configs: Mapping[str, ConfigReport]
    changed: bool
    seconds: float = field(compare=False, default=0.0)
