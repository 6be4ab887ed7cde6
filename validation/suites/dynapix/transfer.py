"""The suites of scenes that others filmed: what is published is held against itself; nothing can be drawn again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, final

from flowbench.schema import ConfigSpec

from ...dynapix.texts import check_query
from ...dynapix.transfer.asking import check_asked
from ...dynapix.transfer.items import check_item
from ...dynapix.transfer.opened import OpenedTransfer
from ...recompute.rules import Finding
from ..base import ConfigSuite, Findings, OpenedConfig, SampleSuite, Table, Violation
from ..samples import violations_of
from .ambiguity import Clarity, check_clear

ELSEWHERE: Final = "does not apply: the scenes were simulated and filmed elsewhere"


@final
@dataclass(frozen=True)
class TransferLabels(SampleSuite[OpenedTransfer]):
    """See :mod:`~flowbench.validation.dynapix.transfer.items`.

    Attributes:
        spec: of the config; its pool says which source it is made of.
    """

    spec: ConfigSpec
    name: ClassVar[str] = "labels"
    about: ClassVar[str] = "Answers, targets, times, events, distractors and margins follow from the published ways."
    columns: ClassVar[frozenset[str]] = frozenset({"json", "meta.txt", "candidate_0.png"})

    def check(self, sample: OpenedTransfer) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(check_item(sample, self.spec.pools[0]), sample.key)


@final
class Videos(SampleSuite[OpenedTransfer]):
    """See the class's sentence."""

    name: ClassVar[str] = "geometry"
    about: ClassVar[str] = (
        "Videos have as many frames as they say, of the pictures' size; drawing pictures again "
        "does not apply to scenes that were filmed elsewhere."
    )
    columns: ClassVar[frozenset[str]] = frozenset({"json", "video.mp4", "candidate_0.png"})

    def check(self, sample: OpenedTransfer) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(_video(sample), sample.key)


def _video(sample: OpenedTransfer) -> Iterator[Finding]:
    frames, picture = sample.video, sample.picture("candidate_0")
    shown = len(sample.record.prefix.shown)
    if len(frames) != shown or frames.shape[1:] != picture.shape:
        found = f"{len(frames)} frames of {frames.shape[2]}x{frames.shape[1]}"
        yield Finding("frames of the video", found, f"{shown} of {picture.shape[1]}x{picture.shape[0]}")


@final
class TransferClarity(SampleSuite[OpenedTransfer]):
    """As of collision scenes."""

    name: ClassVar[str] = Clarity.name
    about: ClassVar[str] = Clarity.about
    columns: ClassVar[frozenset[str]] = frozenset({"json", *(f"candidate_{n}.png" for n in range(4))})

    def check(self, sample: OpenedTransfer) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(check_clear(sample), sample.key)


@final
class TransferText(SampleSuite[OpenedTransfer]):
    """See :mod:`~flowbench.validation.dynapix.transfer.asking`."""

    name: ClassVar[str] = "text"
    about: ClassVar[str] = "Queries are known sentences of their kind."
    columns: ClassVar[frozenset[str]] = frozenset({"json"})

    def check(self, sample: OpenedTransfer) -> Iterable[Violation]:
        """What the sample breaks."""
        yield from violations_of(check_query(sample.record.query), sample.key)
        yield from violations_of(check_asked(sample.record), sample.key)


@final
class NotRerun(ConfigSuite):
    """Stands where runs of our own scenes are simulated again."""

    name = "simulation"
    about = f"Simulating runs again {ELSEWHERE}."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """A table that says so."""
        rows = [("simulate runs again", ELSEWHERE), ("draw pictures again", ELSEWHERE)]
        return Findings([], [Table("Checks of our own scenes", ("check", "here"), rows, "Nothing is enforced.")])
