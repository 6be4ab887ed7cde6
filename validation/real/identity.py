"""Who is who: names of sample, pair and objects are those of key, provenance and ``meta.txt``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from flowbench.schema import Landmark, RealRecord
from flowbench.schema.real import OtherMove, ScaleReference
from flowbench.schema.real_meta import RealMeta

from ..recompute.rules import Finding
from .evidence import TEST

TEST_OF: Final = 5
TEST_IS: Final = 4
"""Scenes whose index leaves this rest are for testing."""


_TURNED: Final = re.compile(r"\b(?:flip|toppl|rotat|upright)", re.IGNORECASE)


def check_identity(record: RealRecord, meta: RealMeta, key: str, split: str) -> Iterator[Finding]:
    """The names agree, numbers are such that could be.

    Args:
        record: of the sample.
        meta: its ``meta.txt``.
        key: of the sample in its shard.
        split: that the config publishes.
    """
    origin = record.provenance
    scene = f"{origin.pool}-{origin.scene:06d}"
    view = f"{scene}-p{origin.view}"
    named = (
        ("id", record.id, key),
        ("scene_id", record.scene_id, scene),
        ("view_id", record.view_id, view),
        ("pair of the metadata", meta.pair, record.view_id),
        ("profile of the metadata", meta.profile, origin.profile),
    )
    for rule, found, expected in named:
        if found != expected:
            yield Finding(rule, found, expected)
    testing = origin.scene % TEST_OF == TEST_IS
    if testing != (split == TEST):
        yield Finding("split of the scene", f"scene {origin.scene} in {split}", TEST if testing else "train")
    if not record.id.startswith(f"{record.view_id}-") or "." in record.id:
        yield Finding("id", record.id, f"a name without dots that begins with {record.view_id}-")
    least = (
        ("seed", origin.seed, 0),
        ("scene", origin.scene, 0),
        ("view", origin.view, 0),
        ("label_version", origin.label_version, 1),
        ("episode", origin.episode, 0),
        ("frame_before", origin.frame_before, 0),
        ("frame_after", origin.frame_after, origin.frame_before + 1),
    )
    for name, number, lowest in least:
        if number < lowest:
            yield Finding("provenance", f"{name} {number}", f"at least {lowest}")
    if (turned := _TURNED.search(origin.task)) is not None:
        yield Finding("task of the episode", f"it is to {turned[0]} something", "one that moves things without turning")
    texts = {"builder_version": origin.builder_version, "dataset": origin.dataset, "perception": origin.perception}
    for name, text in texts.items():
        if not text.strip():
            yield Finding("provenance", f"{name} {text!r}", "a name")
    yield from _objects(record, meta)


def _objects(record: RealRecord, meta: RealMeta) -> Iterator[Finding]:
    """Everything that the record names by id has its name, class and role in the metadata."""
    named: list[tuple[str, Landmark | OtherMove | ScaleReference]] = [("mover", record.mover)]
    named += [("landmark", each) for each in record.landmarks]
    ids = [each.id for _, each in named]
    if len(set(ids)) != len(ids):
        yield Finding("distinct", f"ids {ids}", "different objects")
    named += [("other_mover", each) for each in record.others]
    named.append(("landmark", record.scale))
    known = {each.id: each for each in meta.objects}
    for role, each in named:
        measured = known.get(each.id)
        if measured is None:
            yield Finding("object", f"id {each.id} is {each.object}", "an object of meta.txt")
        elif (each.object, each.type) != (measured.object, measured.label):
            found = f"id {each.id} is {each.object} ({each.type})"
            yield Finding("object", found, f"{measured.object} ({measured.label})")
        elif measured.role != role:
            yield Finding("role of a named object", f"id {each.id}: {measured.role}", role)
    names = {each.id: each.object for each in meta.objects}
    for badge in record.badges:
        if names.get(badge.id) != badge.object:
            yield Finding("badge's object", f"id {badge.id} is {badge.object}", str(names.get(badge.id)))
