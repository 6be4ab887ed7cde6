"""Texts and marks say what they should and show what they say (quality.md, 8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, final

from ..opened import OpenedSample
from .base import SampleSuite, Violation


@final
class Text(SampleSuite):
    """See the module."""

    name: ClassVar[str] = "text"
    about: ClassVar[str] = "Texts have no holes and agree with the record; marks lie on what they name."
    columns: ClassVar[frozenset[str]] = frozenset(
        {
            "json",
            "meta.txt",
            "seg_before.png16",
            "seg_after.png16",
            "depth_before.png16",
            "depth_after.png16",
            "before.png",
            "after.png",
            "before_marked.png",
            "after_marked.png",
        }
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks."""
        return ()
