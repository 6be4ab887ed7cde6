"""The record's labels against the formulas of its category, fed with what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flowbench.errors import ReleaseError
from flowbench.schema import LETTERS, RealRecord

from ..recompute.rules import Finding
from .categories import FORMULAS, LISTING
from .evidence import Pair
from .facts import Asked, Outcome
from .measures import ROUNDED

MEASURED: Final = ("near_object", "closer_to", "closest_three", "count_near")
"""Categories that ask about distances."""
MEASURE: Final = "spheres"
RELATIONS: Final = {
    "near_object": ("within", "beyond"),
    "count_near": ("within",),
    "left_right": ("left", "right"),
    "depth_order": ("closer", "farther"),
}


def outcome_of(asked: Asked, category: str) -> Outcome:
    """What the formula of a category says; :class:`ReleaseError` where there is none or the question is malformed."""
    if category not in FORMULAS:
        raise ReleaseError(f"the category is {category[:40]!r}, expected one of {', '.join(FORMULAS)}: update")
    return FORMULAS[category](asked)


def check_label(pair: Pair, record: RealRecord, split: str) -> Iterator[Finding]:
    """Answers, margin, distances and what is asked."""
    asked = pair.asked(record, split)
    found = outcome_of(asked, record.category)
    yield from _asked(record)
    offered = dict(zip(LETTERS, record.choices, strict=False))
    for name, letters, expected in (
        ("answer", record.answer, found.answer),
        ("before_answer", record.before_answer, found.before),
    ):
        right = letters_of(record, expected)
        if letters != right:
            yield Finding(name, str(letters), f"{right} ({expected})")
    if record.flipped != found.flipped:
        yield Finding("flipped", str(record.flipped), str(found.flipped))
    text = "; ".join(offered.get(letter, "?") for letter in record.answer)
    if record.answer_text != text:
        yield Finding("answer_text", record.answer_text, text)
    if record.margin_unit != found.unit:
        yield Finding("margin_unit", record.margin_unit, found.unit)
    if not abs(record.margin - found.margin) <= 2 * ROUNDED:
        yield Finding("margin", f"{record.margin:.7g}", f"{found.margin:.7g}")
    yield from _distances(record, asked)


def letters_of(record: RealRecord, expected: str) -> str | None:
    """The letters of an outcome; None where no choice fits."""
    if record.category in LISTING:
        places = [int(each) for each in expected]
        return "".join(LETTERS[each] for each in places) if max(places, default=99) < len(record.choices) else None
    matching = [letter for letter, each in zip(LETTERS, record.choices, strict=False) if each == expected]
    return matching[0] if len(matching) == 1 else None


def _asked(record: RealRecord) -> Iterator[Finding]:
    """Relation, threshold and measure are those that the category has."""
    relations: tuple[str | None, ...] = RELATIONS.get(record.category, (None,))
    if record.relation not in relations:
        yield Finding("relation", str(record.relation), " or ".join(map(str, relations)))
    if (record.threshold is not None) != (record.category in ("near_object", "count_near")):
        yield Finding("threshold", str(record.threshold), "of near_object and count_near alone")
    expected = MEASURE if record.category in MEASURED else None
    if record.measure != expected:
        yield Finding("measure", str(record.measure), str(expected))
    if record.category in LISTING and len(record.choices) != len(record.landmarks):
        yield Finding("choices", f"{len(record.choices)}", f"{len(record.landmarks)}, one a landmark")
    if record.probe is not None:
        yield Finding("probe", "one", "none")


def _distances(record: RealRecord, asked: Asked) -> Iterator[Finding]:
    """Of landmarks where distances are asked about."""
    measured = record.category in MEASURED
    none: tuple[float | None, float | None] = (None, None)
    expected = [(record.mover, none)]
    for i, each in enumerate(record.landmarks):
        expected.append((each, (asked.gaps_before[i], asked.gaps_after[i]) if measured else none))
    for each, (before, after) in expected:
        for when, claim, gap in (("before", each.distance_before, before), ("after", each.distance_after, after)):
            wrong = (claim is None) != (gap is None) or abs((claim or 0.0) - (gap or 0.0)) > 2 * ROUNDED
            if wrong:
                yield Finding(f"distance_{when}", f"id {each.id}: {claim}", str(gap))
