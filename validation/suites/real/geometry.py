"""Pictures, depths, ids and flow of a recorded pair agree with each other and with what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import ClassVar, final

from ...real.matches import check_matches
from ...real.opened import MOMENTS, OpenedReal
from ...real.pixels import check_pixels
from ..base import SampleSuite, Violation
from ..samples import violations_of


@final
class MeasuredGeometry(SampleSuite[OpenedReal]):
    """See :mod:`~flowbench.validation.real.pixels`."""

    name: ClassVar[str] = "geometry"
    about: ClassVar[str] = "Camera, depths, ids, flow and pictures agree with each other and with the measured move."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "flow.png16"}
        | {name.format(moment) for name in ("{}.png", "seg_{}.png16", "depth_{}.png16") for moment in MOMENTS}
    )

    def check(self, sample: OpenedReal) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(chain(check_pixels(sample), check_matches(sample)), sample.key)
