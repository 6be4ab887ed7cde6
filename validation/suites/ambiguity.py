"""No label is nearer to its decision boundary than its category's band (quality.md, 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, final

from ..opened import OpenedSample
from .base import SampleSuite, Violation


@final
class Ambiguity(SampleSuite):
    """See the module."""

    name: ClassVar[str] = "ambiguity"
    about: ClassVar[str] = "No label lies within its category's band of ambiguity."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "seg_before.png16", "seg_after.png16", "depth_before.png16", "depth_after.png16"}
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks."""
        return ()
