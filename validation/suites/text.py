"""Texts and marks say what they should and show what they say (quality.md, 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, final

from ..opened import OpenedSample
from ..recompute.rules import Finding
from ..words.conclusions import check_conclusions
from ..words.marks import check_drawing, check_marks, check_spots, drawable
from ..words.naming import check_mentions, check_names
from ..words.plain import check_plain
from ..words.questions import check_questions
from ..words.reasons import check_answer, check_reasoning
from ..words.ways import check_ways
from .base import SampleSuite, Violation
from .samples import violations_of

_MOMENTS = ("before", "after")


@final
class Text(SampleSuite[OpenedSample]):
    """See the module."""

    name: ClassVar[str] = "text"
    about: ClassVar[str] = "Texts have no holes and agree with the record; marks lie on what they name."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt"}
        | {name.format(moment) for name in ("{}.png", "{}_marked.png", "seg_{}.png16") for moment in _MOMENTS}
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(_findings(sample), sample.key)


def _findings(sample: OpenedSample) -> Iterator[Finding]:
    record = sample.record
    yield from check_plain(record)
    yield from check_names(record)
    yield from check_mentions(record)
    yield from check_ways(record)
    yield from check_questions(record)
    yield from check_reasoning(record)
    yield from check_conclusions(record)
    yield from check_answer(record)
    named = [record.mover.id, *(each.id for each in record.landmarks)]
    yield from check_marks(record, {each.id: each.object for each in sample.meta.objects}, named)
    if not drawable(record.marks):
        return
    yield from check_spots(record, {moment: sample.ids(moment) for moment in _MOMENTS})
    for moment in _MOMENTS:
        yield from check_drawing(moment, record.marks, sample.picture(moment), sample.picture(f"{moment}_marked"))
