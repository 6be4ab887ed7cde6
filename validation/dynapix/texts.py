"""Texts of collision scenes: queries are known sentences; rationales are true and hold nothing to recite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from flowbench.collisions.oracle import COLOURS, MATERIALS, SHAPES
from flowbench.schema.dynapix import SelectionRecord

from ..recompute.rules import Finding
from ..words.plain import check_signs
from .asking import check_asked
from .opened import OpenedClip, OpenedQuery, OpenedSelection
from .telling.free import check_free
from .telling.truth import check_told
from .telling.viewed import Viewed

SHORTEST, LONGEST = 80, 250
"""Words of a rationale."""
MOST_SIGNS: Final = 4000
HEADS: Final = ("Scene parse.", "Motion analysis.", "Prediction.", "Outcome.")
_LARGE: Final = "five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand"
RECITED: Final = (
    ("digits in a rationale", re.compile(rf"\d|\b(?:{_LARGE})\b", re.IGNORECASE)),
    (
        "coordinates in a rationale",
        re.compile(r"\b(?:coordinates?|pixels?)\b|\b[xyzuv]\s*[=:]|[xyzuv]-axis|[(\[][^)\]]*,"),
    ),
    ("times in a rationale", re.compile(r"\b(?:frames?|fps|(?:milli)?seconds?|time ?stamps?)\b", re.IGNORECASE)),
    ("letter in a rationale", re.compile(r"\b(?:candidate|option|choice|image|answer|picture)(?: is)? [A-D]\b")),
)
_NAMED: Final = re.compile(rf"\b({'|'.join(COLOURS)}) ({'|'.join(MATERIALS)}) ({'|'.join(SHAPES)})\b")


def check_query(query: str) -> Iterator[Finding]:
    """A query is one or more plain sentences."""
    yield from check_signs("query", query)
    if not query[:1].isupper() or not query.endswith((".", "?")):
        yield Finding(
            "sentence", f"query {query[:10]!r}…{query[-10:]!r}", "a capital letter and a full stop or question mark"
        )


def check_texts(sample: OpenedClip) -> Iterator[Finding]:
    """Every text of a sample."""
    if not isinstance(sample, OpenedSelection | OpenedQuery):
        return
    query = sample.record.query
    yield from check_query(query)
    yield from check_asked(sample.record)
    names = [body.name.removeprefix("the ") for body in sample.setup.bodies]
    yield from _check_names("query", query, names)
    if isinstance(sample, OpenedQuery):
        taken = sample.record.intervention
        named = [" ".join(each) for each in _NAMED.findall(query)]
        expected = [] if taken is None else [taken.removed.removeprefix("the ")]
        if named != expected:
            yield Finding("body in the query", f"{named}", f"{expected}")
    else:
        yield from check_reasoned(sample.record)
    if isinstance(sample, OpenedSelection) and sample.record.rationale is not None:
        yield from check_rationale(sample.record.rationale)
        yield from _check_names("rationale", sample.record.rationale, names)
        yield from _check_truth(sample, sample.record.rationale)


def check_reasoned(record: SelectionRecord) -> Iterator[Finding]:
    """Every item has a rationale, but controls: those show too little to reason from."""
    reasoned = record.control in (None, "full")
    if (record.rationale is not None) != reasoned:
        found = "none" if record.rationale is None else "one"
        yield Finding("rationale", found, "one" if reasoned else f"null of a control with {record.control}")


def check_rationale(text: str) -> Iterator[Finding]:
    """Four parts in order, 80 to 250 words, nothing that tells frames, times, places or letters by number."""
    yield from check_signs("rationale", text, MOST_SIGNS)
    for rule, pattern in RECITED:
        found = pattern.search(text)
        if found:
            yield Finding(rule, f"{text[max(0, found.start() - 15) : found.end() + 15]!r}", "none")
    places = [text.find(head) for head in HEADS]
    if places != sorted(places) or places[0] != 0 or any(text.count(head) != 1 for head in HEADS):
        yield Finding("parts of a rationale", f"at {places}", f"{', '.join(HEADS)} in order, each once")
    words = len(text.split())
    if not SHORTEST <= words <= LONGEST:
        yield Finding("length of a rationale", f"{words} words", f"{SHORTEST} to {LONGEST}")


def _check_truth(sample: OpenedSelection, text: str) -> Iterator[Finding]:
    """What is said is so; of what a model wrote as far as it is understood."""
    record, run = sample.record, sample.meta.factual
    if not 0 <= record.prefix.last < record.target_frame < len(run.poses) or len(text) > MOST_SIGNS:
        return  # told where times and lengths are checked
    viewed = Viewed(sample.meta.setup, run, record.prefix.last, record.target_frame)
    check = check_told if record.provenance.rewriter is None else check_free
    yield from check(text, viewed)


def _check_names(where: str, text: str, names: Sequence[str]) -> Iterator[Finding]:
    """Whatever is named is in the scene."""
    strange = sorted({" ".join(each) for each in _NAMED.findall(text)} - set(names))
    if strange:
        yield Finding("name in a text", f"{where}: {', '.join(strange)}", "bodies of the scene")
