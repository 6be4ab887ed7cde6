"""Releases to be corrupted, cut out of a real one: few samples with all there is, or many with their records alone."""

from __future__ import annotations

import shutil
from pathlib import Path

from .editing import Record, put_record, record_of
from .rewriting import Draft, Rewriting

CONFIG = "sim_train"
COPIES = 3
"""How often :func:`crowd` repeats a record: what two homes hold is too little to judge shares by."""
CLIP_COPIES = 10
"""The same of a test scene's questions."""


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


def thin_clips(release: Path, out: Path) -> None:
    """Copy a release of ``selection_*`` and ``retrieval_*``, a few samples a config: what corruptions need.

    Of questions one a category and one with a twin's frame; of matched items a pair; of queries one an anchor; of the
    corpus what these ask for.
    """
    copy = _copied(release, out)
    wanted: set[str] = set()
    for place in sorted(copy.places(), key=lambda place: place.config == "retrieval_corpus"):
        drafts = copy.read(place)
        kept: dict[tuple[str, ...], Draft] = {}
        for draft in drafts:
            record = record_of(draft)
            kinds = _kinds(record)
            if record["category"] == "frame":
                kinds = [(draft.key,)] if draft.key in wanted else []
            for kind in kinds:
                kept.setdefault(kind, draft)
        chosen = {draft.key: draft for draft in kept.values()}
        for draft in chosen.values():
            record = record_of(draft)
            wanted.update([record["target_frame_id"], *record["negatives"]] if "builder" in record else [])
        copy.put_split(place.config, place.split, [[chosen[key] for key in sorted(chosen)]])
    copy.finish()


def _kinds(record: Record) -> list[tuple[str, ...]]:
    """What a sample is kept for."""
    if record.get("pair"):
        return [(record["anchor"], record["control"])]
    twin = any(each["kind"] == "twin" for each in record.get("candidates", ()))
    return [(record["category"],), *([("twin",)] if twin else [])]


def crowd_clips(release: Path, out: Path) -> None:
    """Copy the records of ``selection_test``, each several times under other names, and nothing else."""
    copy = _copied(release, out)
    for config in list(copy.manifest.configs):
        if config != "selection_test":
            copy.drop_config(config)
            for folder in (out / "data" / config, out / "index" / config):
                shutil.rmtree(folder)
    copy.finish()
    crowd(out, out, copies=CLIP_COPIES)


def crowd(release: Path, out: Path, copies: int = COPIES) -> None:
    """Copy a release, every record several times under other names, and nothing but records; ``out`` may be it."""
    copy = Rewriting(out) if release == out else _copied(release, out)
    for place in copy.places():
        drafts = [_renamed(draft, number) for draft in copy.read(place) for number in range(copies)]
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
