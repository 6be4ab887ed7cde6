"""Labels of collision scenes: what a sample claims is derived again from trajectories, collisions and frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, final

from flowbench.schema import ConfigSpec

from ...dynapix.opened import OpenedClip, OpenedFrame, OpenedQuery, OpenedSelection
from ...dynapix.queries import check_claims, check_frame
from ...dynapix.questions import check_question
from ...dynapix.scenes import check_origin
from ..base import SampleSuite, Violation
from ..samples import violations_of

NAME = "labels"
ABOUT = "Answers, targets, times, contacts, distractors and margins follow from the published runs."


@final
@dataclass(frozen=True)
class ClipLabels(SampleSuite[OpenedClip]):
    """The part that looks at samples.

    Attributes:
        spec: of the config; its split says which scenes it may hold.
    """

    spec: ConfigSpec
    name: ClassVar[str] = NAME
    about: ClassVar[str] = ABOUT
    columns: ClassVar[frozenset[str]] = frozenset({"json", "meta.txt", "video.mp4"})

    def check(self, sample: OpenedClip) -> Iterable[Violation]:
        """What the sample breaks."""
        yield from violations_of(check_origin(sample, self.spec.splits[0]), sample.key)
        if isinstance(sample, OpenedSelection):
            yield from violations_of(check_question(sample), sample.key)
        elif isinstance(sample, OpenedQuery):
            yield from violations_of(check_claims(sample), sample.key)
        elif isinstance(sample, OpenedFrame):
            yield from violations_of(check_frame(sample), sample.key)
