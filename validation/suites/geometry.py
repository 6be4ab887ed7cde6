"""Pixels agree with the published state of the scene (quality.md, 3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, final

from ..opened import OpenedSample
from .base import SampleSuite, Violation


@final
class Geometry(SampleSuite):
    """See the module."""

    name: ClassVar[str] = "geometry"
    about: ClassVar[str] = "Depth, ids, flow and pictures agree with the poses and with each other."
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
            "flow.png16",
        }
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks."""
        return ()
