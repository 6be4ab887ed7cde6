"""Labels of recorded pairs: measured again from masks and depths, and judged again by the category's formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, final

from flowbench.errors import ReleaseError
from flowbench.schema import ConfigSpec
from flowbench.schema.real_meta import ARM_ID

from ...pixels.regions import compare_segments
from ...real.identity import check_identity
from ...real.labels import check_label
from ...real.measures import check_measures
from ...real.moves import check_certification, check_moves, check_scale
from ...real.opened import MOMENTS, OpenedReal
from ...real.plane import check_axes, check_points
from ...real.profiles import check_rules
from ...real.roles import check_roles
from ...recompute.rules import Finding
from ..base import SampleSuite, Violation
from ..labels import choices
from ..samples import violations_of

NAME: Final = "labels"
ABOUT: Final = (
    "Measurements, roles, moves, answers and margins follow from published masks and depths, one set for all questions "
    "of a pair."
)


@final
@dataclass(frozen=True)
class MeasuredLabels(SampleSuite[OpenedReal]):
    """See the module.

    Attributes:
        spec: of the config; its split says which margins hold.
    """

    spec: ConfigSpec
    name: ClassVar[str] = NAME
    about: ClassVar[str] = ABOUT
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "seg_before.png16", "seg_after.png16", "depth_before.png16", "depth_after.png16"}
    )

    def check(self, sample: OpenedReal) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(self._findings(sample), sample.key)

    def _findings(self, sample: OpenedReal) -> Iterator[Finding]:
        record, meta, pair = sample.record, sample.meta, sample.pair
        yield from check_identity(record, meta, sample.key, self.spec.splits[0])
        yield from check_rules(meta.profile, meta.rules)
        yield from choices(record)
        yield from check_measures(pair, record.mover.id)
        yield from check_axes(pair, record.mover.id)
        if meta.plane_points is not None:
            yield from check_points(pair.before.camera, meta.plane_points)
        yield from check_roles(pair, record.mover.id)
        yield from check_moves(pair, record)
        yield from check_certification(pair, record)
        yield from check_scale(pair, record)
        known = {each.id: (each.object, each.label) for each in meta.objects}
        arm = next(((each.object, each.type) for each in record.segments if each.id == ARM_ID), None)
        if arm is not None and arm != ARM:
            yield Finding("name of the arm", str(arm), str(ARM))
        images = {moment: sample.ids(moment) for moment in MOMENTS}
        yield from compare_segments(record.segments, images, {**known, ARM_ID: arm or ARM})
        try:
            yield from check_label(pair, record, self.spec.splits[0])
        except ReleaseError as error:
            yield Finding("question", str(error), "a question that can be answered from what is published")


ARM = ("robot|1", "robot arm")
"""Object and class of the arm."""
