"""Releases to be corrupted, cut out of a real one: few samples with all there is, or many with their records alone."""

from __future__ import annotations

import shutil
from pathlib import Path

from .editing import put_record, record_of
from .rewriting import Draft, Rewriting

CONFIG = "sim_train"
COPIES = 3
"""How often :func:`crowd` repeats a record: what two homes hold is too little to judge shares by."""


def thin(release: Path, out: Path) -> None:
    """Copy a release of ``sim_train``, a sample a category: of the first scene for train, else for validation."""
    copy = _copied(release, out)
    drafts = [draft for place in copy.places() for draft in copy.read(place)]
    scenes = sorted({record_of(draft)["scene_id"] for draft in drafts})
    kept: dict[str, dict[str, Draft]] = {"train": {}, "validation": {}}
    for draft in drafts:
        record = record_of(draft)
        split, other = ("train", "validation") if record["scene_id"] == scenes[0] else ("validation", "train")
        if record["category"] not in kept[split] and (record["category"] not in kept[other] or len(kept[split]) < 2):
            kept[split][record["category"]] = draft
    for split, chosen in kept.items():
        copy.put_split(CONFIG, split, [sorted(chosen.values(), key=lambda draft: draft.key)])
    copy.finish()


def crowd(release: Path, out: Path) -> None:
    """Copy a release of ``sim_train``, every record several times under other names, and nothing but records."""
    copy = _copied(release, out)
    for place in copy.places():
        drafts = [_renamed(draft, number) for draft in copy.read(place) for number in range(COPIES)]
        copy.write(place, sorted(drafts, key=lambda draft: draft.key))
    copy.finish()


def _renamed(draft: Draft, number: int) -> Draft:
    renamed = Draft(f"{draft.key}-{number}", {"json": draft.members["json"]})
    record = record_of(draft)
    record["id"] = renamed.key
    put_record(renamed, record)
    return renamed


def _copied(release: Path, out: Path) -> Rewriting:
    shutil.copytree(release, out, ignore=shutil.ignore_patterns(".build"))
    return Rewriting(out)
