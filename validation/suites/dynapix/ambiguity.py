"""Nothing is asked that its pictures hardly tell: margins keep their distance, and pictures differ clearly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import ClassVar, Final, final

import numpy as np

from ...dynapix.filming import Picture
from ...dynapix.opened import OpenedClip, OpenedQuery, OpenedSelection, frame_name
from ...dynapix.questions import check_distance
from ...dynapix.transfer.opened import OpenedTransfer
from ...recompute.rules import Finding
from ..base import SampleSuite, Violation
from ..samples import violations_of

NOTICEABLE: Final = 24
"""A pixel differs when one of its channels does by more than so many of 255."""
LEAST_PIXELS: Final = 250
"""Pixels that differ between two candidates, or a target and a frame that is not it, at least."""


@final
class Clarity(SampleSuite[OpenedClip]):
    """See the module."""

    name: ClassVar[str] = "ambiguity"
    about: ClassVar[str] = "What is asked about lies clearly elsewhere in every wrong picture, and no two look alike."
    needs: ClassVar[tuple[str, ...]] = ("numba",)
    columns: ClassVar[frozenset[str]] = frozenset({"json", "meta.txt", *(f"candidate_{n}.png" for n in range(4))})

    def check(self, sample: OpenedClip) -> Iterable[Violation]:
        """What the sample breaks."""
        if isinstance(sample, OpenedSelection):
            return violations_of(check_clear(sample), sample.key)
        return violations_of(_query(sample), sample.key) if isinstance(sample, OpenedQuery) else ()


def check_clear(sample: OpenedSelection | OpenedTransfer) -> Iterator[Finding]:
    """Margin and pictures of a question."""
    yield from check_distance(sample.record)
    for one, other in combinations(sample.pictures, 2):
        yield from _unlike(f"{one} and {other}", sample.picture(one), sample.picture(other))


def _query(sample: OpenedQuery) -> Iterator[Finding]:
    """The target and every frame that is said not to be it, as they are drawn."""
    target = frame_name(sample.record.target_frame_id)
    if target is None or sample.run_of(target) is None:
        return
    for text in sample.record.negatives:
        wrong = frame_name(text)
        if wrong is not None and sample.run_of(wrong) is not None:
            yield from _unlike(f"{text} and the target", sample.shot(wrong)[0], sample.shot(target)[0])


def _unlike(names: str, one: Picture, other: Picture) -> Iterator[Finding]:
    differing = int((np.abs(one.astype(np.int16) - other.astype(np.int16)).max(axis=-1) > NOTICEABLE).sum())
    if differing < LEAST_PIXELS:
        yield Finding("pictures alike", f"{names} differ in {differing} pixels", f"at least {LEAST_PIXELS}")
