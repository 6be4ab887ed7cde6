"""Texts, names, dots and badges of recorded pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal, final

from ...real.named import named_ids
from ...real.opened import MOMENTS, OpenedReal
from ...real.words.drawn import (
    check_badge_drawing,
    check_badge_spots,
    check_badges,
    check_sides,
    check_unmarked,
)
from ...real.words.drawn import drawable as badges_drawable
from ...real.words.naming import check_names
from ...real.words.reasons import check_reasons
from ...real.words.texts import check_texts
from ...recompute.rules import Finding
from ...words.marks import check_drawing, check_marks, check_spots, drawable
from ..base import SampleSuite, Violation
from ..samples import violations_of

_WHICH: tuple[Literal["before"], Literal["after"]] = ("before", "after")


@final
class RealText(SampleSuite[OpenedReal]):
    """See the module."""

    name: ClassVar[str] = "text"
    about: ClassVar[str] = "Texts are phrasings of the record without holes; dots and badges lie on what they name."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt"}
        | {
            name.format(moment)
            for name in ("{}.png", "{}_marked.png", "{}_badges.png", "seg_{}.png16")
            for moment in MOMENTS
        }
    )

    def check(self, sample: OpenedReal) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(_findings(sample), sample.key)


def _findings(sample: OpenedReal) -> Iterator[Finding]:
    record, meta = sample.record, sample.meta
    yield from check_texts(record)
    yield from check_names(record, meta)
    yield from check_reasons(record)
    yield from check_unmarked(record)
    if not record.named:
        yield from check_marks(record, {each.id: each.object for each in meta.objects}, named_ids(record))
    yield from check_badges(record, meta)
    ids = {moment: sample.ids(moment) for moment in MOMENTS}
    if drawable(record.marks):
        yield from check_spots(record, ids)
        for moment in MOMENTS:
            yield from check_drawing(moment, record.marks, sample.picture(moment), sample.picture(f"{moment}_marked"))
    if badges_drawable(record.badges):
        yield from check_badge_spots(record, ids)
        yield from check_sides(record)
        for which in _WHICH:
            yield from check_badge_drawing(which, record, sample.picture(which), sample.picture(f"{which}_badges"))
