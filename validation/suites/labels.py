"""Every label is derived again from the evidence and compared with the record (quality.md, 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, final

from flowbench.schema import LETTERS, SimRecord

from ..opened import OpenedSample
from ..pixels.regions import compare_segments
from ..recompute import check
from ..recompute.rules import Finding
from .base import SampleSuite, Violation
from .samples import violations_of

FEWEST_CHOICES = 2


@final
class Labels(SampleSuite[OpenedSample]):
    """See the module."""

    name: ClassVar[str] = "labels"
    about: ClassVar[str] = "Answers, margins, distances and masks are those that follow from the published evidence."
    columns: ClassVar[frozenset[str]] = frozenset(
        {"json", "meta.txt", "seg_before.png16", "seg_after.png16", "depth_before.png16", "depth_after.png16"}
    )

    def check(self, sample: OpenedSample) -> Iterable[Violation]:
        """What the sample breaks."""
        for each in check(sample.published):
            yield Violation(each.rule, each.published, each.recomputed, sample.key)
        images = {moment: sample.ids(moment) for moment in ("before", "after")}
        known = {each.id: (each.object, each.type) for each in sample.meta.objects}
        found = [
            *identity(sample.record, sample.key, sample.meta.scene.scene_id),
            *choices(sample.record),
            *compare_segments(sample.record.segments, images, known),
        ]
        yield from violations_of(found, sample.key)


def identity(record: SimRecord, key: str, meta_scene: str) -> Iterator[Finding]:
    """The names of sample, view and scene are those of its key, its provenance and its metadata.

    Args:
        record: of the sample.
        key: of the sample in its shard.
        meta_scene: the scene that ``meta.txt`` names.
    """
    origin = record.provenance
    scene = f"{origin.pool}-{origin.scene:06d}"
    view = f"{scene}-v{origin.view:02d}"
    named = (
        ("id", record.id, key),
        ("scene_id", record.scene_id, scene),
        ("view_id", record.view_id, view),
        ("scene of the metadata", meta_scene, record.scene_id),
        ("source", record.source, origin.simulator),
    )
    for rule, found, expected in named:
        if found != expected:
            yield Finding(rule, found, expected)
    if not record.id.startswith(f"{record.view_id}-") or "." in record.id:
        yield Finding("id", record.id, f"a name without dots that begins with {record.view_id}-")
    for name, number, least in (
        ("seed", origin.seed, 0),
        ("scene", origin.scene, 0),
        ("view", origin.view, 0),
        ("label_version", origin.label_version, 1),
    ):
        if number < least:
            yield Finding("provenance", f"{name} {number}", f"at least {least}")
    for name, text in (("builder_version", origin.builder_version), ("simulator_version", origin.simulator_version)):
        if not text.strip():
            yield Finding("provenance", f"{name} {text!r}", "a version")


def choices(record: SimRecord) -> Iterator[Finding]:
    """The choices differ, and answers are letters of theirs, each once and in order."""
    offered = [each.strip().casefold() for each in record.choices]
    if not FEWEST_CHOICES <= len(offered) <= len(LETTERS) or not all(offered) or len(set(offered)) != len(offered):
        yield Finding("choices", str(record.choices), f"at least {FEWEST_CHOICES} different texts")
    letters = LETTERS[: len(offered)]
    for name, answer in (("answer", record.answer), ("before_answer", record.before_answer)):
        if answer is None:
            continue
        if not answer or sorted(set(answer)) != list(answer) or not set(answer) <= set(letters):
            yield Finding("letters", f"{name} {answer!r}", f"letters from {letters} in their order")
    if record.before_answer is not None and len(record.before_answer) != len(record.answer):
        yield Finding("letters", f"before_answer {record.before_answer!r}", f"as many letters as {record.answer!r}")
