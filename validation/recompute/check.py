"""Compare a sample's record with what its evidence says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from flowbench.errors import ReleaseError
from flowbench.geometry import rotate
from flowbench.schema import LETTERS, Landmark, Region, SimRecord

from . import rules
from .common import Outline
from .formulas import RECOMPUTE
from .probe_view import check_probe_view
from .published import PublishedSample
from .rules import Finding
from .verdict import Recomputed

MEASURES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "balanced": dict.fromkeys(("near_object", "closer_to", "closest_three", "count_near"), "nearest"),
        "paper": {"near_object": "centres", "closer_to": "boxes", "closest_three": "centres", "count_near": "centres"},
    }
)
"""Preset -> category -> what its distances lie between (sim.md, "Two presets, as data")."""
TOLD = {"centres": "cent(?:re|er)s?", "boxes": "bounding[- ]box(?:es)?"}
"""Measure -> the words that say so; what says nothing is measured between nearest points."""
PIXEL_TOLERANCE = 1e-6
METRE_TOLERANCE = 1e-4
STATED_TOLERANCE = 0.005 + METRE_TOLERANCE
"""Texts state whole centimetres: what was measured rounds to them."""


@dataclass(frozen=True)
class Disagreement:
    """A violation of the label invariants (quality.md, 2).

    Attributes:
        key: the sample's.
        rule: what disagrees: a field of the record or a rule's short name.
        published: the value in the release.
        recomputed: the value that follows from the evidence, or what the rule asks.
    """

    key: str
    rule: str
    published: str
    recomputed: str

    def __str__(self) -> str:
        return f"{self.key}: {self.rule}: published {self.published}, recomputed {self.recomputed}"


def check(sample: PublishedSample) -> list[Disagreement]:
    """Everything in which the record and the evidence differ; empty for a good sample.

    A sample that cannot be rechecked (an unknown category, a malformed question, an object that is missing in
    the metadata) disagrees as well; nothing is raised.
    """
    findings: list[Finding] = []
    try:
        findings.extend(_findings(sample))
    except (ReleaseError, ArithmeticError) as error:
        findings.append(_unanswerable(str(error)))
    return [Disagreement(sample.record.id, each.rule, each.found, each.expected) for each in findings]


def _unanswerable(error: str) -> Finding:
    """What is wrong with a question that cannot be answered again, from the sentence of its error.

    These read "found, expected that: do this" or "found: do this".
    """
    told = error.rpartition(": ")[0] or error
    found, _, expected = told.partition(", expected ")
    return Finding("question", found, expected or "a question that can be answered from what is published")


def _findings(sample: PublishedSample) -> Iterator[Finding]:
    record = sample.record
    if record.category not in RECOMPUTE or sample.question.preset not in MEASURES:
        yield Finding(
            "category",
            f"{record.category} ({sample.question.preset})",
            f"one of {', '.join(RECOMPUTE)} ({', '.join(MEASURES)})",
        )
        return
    yield from _identity(sample)
    yield from _measure(sample)
    yield from _segments(sample)
    yield from rules.naming(sample)
    yield from rules.motion(sample)
    yield from _motion_claims(sample)
    yield from rules.visibility(sample)
    yield from _label(record, sample.truth)
    yield from check_probe_view(sample, sample.truth)


def _identity(sample: PublishedSample) -> Iterator[Finding]:
    """The names in the record are those of the instance ids."""
    for each in (sample.record.mover, *sample.record.landmarks):
        meta = sample.meta.find(each.id)
        if (each.object, each.type) != (meta.object, meta.type):
            yield Finding("object", f"id {each.id} is {each.object} ({each.type})", f"{meta.object} ({meta.type})")


def _measure(sample: PublishedSample) -> Iterator[Finding]:
    """Distances are measured as the preset has it; the texts say so where it is not between nearest points."""
    question = sample.question
    expected = MEASURES[question.preset].get(question.category)
    if question.measure != expected:
        yield Finding("measure", str(question.measure), str(expected))
    for text in question.texts:
        told = {name for name, word in TOLD.items() if re.search(rf"\b{word}\b", text.casefold())}
        if told != ({question.measure} & set(TOLD)):
            yield Finding("measure", f"told as {', '.join(sorted(told)) or 'nothing'}", str(question.measure))


def _segments(sample: PublishedSample) -> Iterator[Finding]:
    """The record's areas and boxes of the named objects are those of the masks."""
    listed = {each.id: each for each in sample.record.segments}
    for each in sample.question.named:
        if each not in listed:
            yield Finding("segments", f"id {each} is not listed", "every id of the images")
            continue
        for frame, region, outline in (
            ("before", listed[each].before, sample.outlines_before.get(each)),
            ("after", listed[each].after, sample.outlines_after.get(each)),
        ):
            if _claimed(region) != _seen(outline):
                yield Finding("segments", f"id {each} {frame}: {_claimed(region)}", str(_seen(outline)))


def _claimed(region: Region | None) -> tuple[float, ...] | None:
    return None if region is None else (region.area, *region.bbox)


def _seen(outline: Outline | None) -> tuple[float, ...] | None:
    return None if outline is None else (outline.area, outline.x, outline.y, outline.width, outline.height)


def _motion_claims(sample: PublishedSample) -> Iterator[Finding]:
    """The record's displacement is the poses', and the stated components round it."""
    claim, camera = sample.record.motion, sample.meta.camera.matrix
    world = rules.displacement(sample.meta.find(sample.question.mover))
    for name, published, measured in (
        ("motion.world", claim.world, world),
        ("motion.camera", claim.camera, rotate(camera, world)),
    ):
        if len(published) != 3 or np.abs(np.array(published) - measured).max() > METRE_TOLERANCE:
            yield Finding(name, str(published), str(np.round(measured, 6).tolist()))
    right = camera[0, :2] / math.hypot(*camera[0, :2])
    stated = (claim.right, claim.away)
    made = (float(world[:2] @ right), float(world[1] * right[0] - world[0] * right[1]))
    if any(abs(one - other) > STATED_TOLERANCE for one, other in zip(stated, made, strict=True)):
        yield Finding("motion.right, motion.away", str(stated), str(tuple(round(value, 6) for value in made)))


def _label(record: SimRecord, truth: Recomputed) -> Iterator[Finding]:
    """The answers, the margin and the distances."""
    if truth.ambiguous:
        yield Finding("ambiguous", f"answer {record.answer}", f"a reject: {truth.reason}")
    elif record.answer != truth.answer:
        yield Finding("answer", record.answer, str(truth.answer))
    offered = dict(zip(LETTERS, record.choices, strict=False))
    text = "; ".join(offered[letter] for letter in record.answer if letter in offered)
    if record.answer_text != text or not set(record.answer) <= set(offered):
        yield Finding("answer_text", record.answer_text, f"choice {record.answer}: {text}")
    if record.before_answer != truth.before_answer:
        yield Finding("before_answer", str(record.before_answer), str(truth.before_answer))
    if not truth.ambiguous and record.flipped != truth.flipped:
        yield Finding("flipped", str(record.flipped), str(truth.flipped))
    yield from _margin(record, truth)
    yield from _distances(record, truth)


def _margin(record: SimRecord, truth: Recomputed) -> Iterator[Finding]:
    tolerance = METRE_TOLERANCE if truth.margin_unit == "m" else PIXEL_TOLERANCE
    if truth.margin is None or abs(record.margin - truth.margin) > tolerance:
        yield Finding("margin", f"{record.margin:.9g}", "none" if truth.margin is None else f"{truth.margin:.9g}")
    if record.margin <= 0.0:
        yield Finding("margin", f"{record.margin:.9g}", "positive")
    if record.margin_unit != truth.margin_unit:
        yield Finding("margin_unit", record.margin_unit, truth.margin_unit)


def _distances(record: SimRecord, truth: Recomputed) -> Iterator[Finding]:
    none = (None, None)
    expected: list[tuple[Landmark, tuple[float | None, float | None]]] = [(record.mover, none)]
    expected += [(each, truth.gaps[i] if truth.gaps else none) for i, each in enumerate(record.landmarks)]
    for each, pair in expected:
        for when, published, measured in (
            ("before", each.distance_before, pair[0]),
            ("after", each.distance_after, pair[1]),
        ):
            if (published is None) != (measured is None) or abs((published or 0) - (measured or 0)) > METRE_TOLERANCE:
                yield Finding(f"distance_{when}", f"id {each.id}: {published}", str(measured))
