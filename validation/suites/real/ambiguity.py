"""No question lies within a margin that its category, its source or its split asks for (paper, B.4-B.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, final

from flowbench.errors import ReleaseError
from flowbench.schema import ConfigSpec

from ...real.labels import outcome_of
from ...real.opened import OpenedReal
from ..base import SampleSuite, Violation


@final
@dataclass(frozen=True)
class MeasuredMargins(SampleSuite[OpenedReal]):
    """See the module.

    Attributes:
        spec: of the config; its split says which margins hold.
    """

    spec: ConfigSpec
    name: ClassVar[str] = "ambiguity"
    about: ClassVar[str] = "Every question keeps the margins of its category, source and split."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "seg_before.png16", "seg_after.png16", "depth_before.png16", "depth_after.png16"}
    )

    def check(self, sample: OpenedReal) -> Iterable[Violation]:
        """What the sample breaks; what cannot be judged at all is the label suite's to tell."""
        record = sample.record
        try:
            outcome = outcome_of(sample.pair.asked(record, self.spec.splits[0]), record.category)
        except ReleaseError:
            return
        for each in outcome.broken:
            expected = f"at least {each.least:.4g}" if each.least >= 0.0 else f"at most {-each.least:.4g}"
            found = f"{record.category}: {abs(each.value):.4g}"
            yield Violation(f"margin: {each.name}", found, expected, sample.key)
