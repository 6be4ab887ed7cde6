"""How long work tells of its progress; the command line draws it, tests ignore it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Progress(Protocol):
    """Told by a runner, in the driver process only."""

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
