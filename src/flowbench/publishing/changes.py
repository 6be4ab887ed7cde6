"""What changed from the last published version, and which step of the version each change asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import BinaryIO

import polars as pl
import pyarrow.parquet  # type: ignore[import-untyped]

from ..release import UNRELEASED, Manifest, SplitFiles
from ..release.tables import reading_index
from .contract import changed_columns, declared_columns
from .version import Step

_LABEL = (
    "choices",
    "answer",
    "answer_text",
    "before_answer",
    "flipped",
    "static_question",
    "relation",
    "threshold",
    "measure",
)
"""Fields of the record that a label consists of."""
_MOST_NAMED = 3


@dataclass(frozen=True)
class Change:
    """One change: the step it asks for, and the change in words."""

    step: Step
    text: str


@dataclass(frozen=True)
class Side:
    """One of the two versions compared.

    Attributes:
        manifest: its manifest.
        card: the text of its card.
        open: opens one of its index files, to be read from anywhere.
    """

    manifest: Manifest
    card: str
    open: Callable[[str], AbstractContextManager[BinaryIO]]


def same_content(one: Manifest, other: Manifest) -> bool:
    """Whether two manifests vouch for the same files from the same build, whatever their version."""
    alike = [manifest.model_copy(update={"version": UNRELEASED}) for manifest in (one, other)]
    return alike[0] == alike[1]


def find_changes(old: Side, new: Side) -> list[Change]:
    """Every change from ``old`` to ``new``, the weightiest first; empty where the content is the same.

    Labels are compared sample by sample with the index files, of which the needed columns are read, and only those of
    splits whose index is not the same file.

    Raises:
        ReleaseError: a card or an index cannot be read.
    """
    if same_content(old.manifest, new.manifest):
        return []
    found = [*_configs(old.manifest, new.manifest), *_columns(old, new)]
    for config, splits in new.manifest.configs.items():
        for split, files in splits.items():
            before = old.manifest.configs.get(config, {}).get(split)
            if before is not None:
                found += _split(f"{config}, {split}", old, before, new, files)
    if not found:
        found = [Change(Step.PATCH, "the same samples from another build")]
    return sorted(found, key=lambda change: -change.step)


def required_step(changes: list[Change]) -> Step:
    """The step that they ask for together."""
    return max((change.step for change in changes), default=Step.NONE)


def _configs(old: Manifest, new: Manifest) -> Iterator[Change]:
    for config in sorted({*old.configs, *new.configs}):
        before, after = old.configs.get(config), new.configs.get(config)
        if before is None and after is not None:
            yield Change(Step.MINOR, f"{config} is new: {_samples(sum(new.samples(config).values()))}")
        elif after is None:
            yield Change(Step.MAJOR, f"{config} is gone")
        elif before is not None:
            for split in sorted(before.keys() ^ after.keys()):
                gone = split in before
                yield Change(Step.MAJOR if gone else Step.MINOR, f"{config}, {split} is {'gone' if gone else 'new'}")


def _columns(old: Side, new: Side) -> Iterator[Change]:
    before, after = declared_columns(old.card), declared_columns(new.card)
    for config in sorted(before.keys() & after.keys()):
        if differences := changed_columns(before[config], after[config]):
            more = f" and {len(differences) - _MOST_NAMED} more" if len(differences) > _MOST_NAMED else ""
            yield Change(Step.MAJOR, f"columns of {config} changed: {', '.join(differences[:_MOST_NAMED])}{more}")


def _split(name: str, old: Side, before: SplitFiles, new: Side, after: SplitFiles) -> list[Change]:
    """What changed within a split that both have."""
    if before.index.sha256 == after.index.sha256:
        found = []
    else:
        tables = _labels(old, before.index.path), _labels(new, after.index.path)
        found = [*_label_versions(name, *tables), *_rows(name, *tables)]
    if not found and before != after:
        return [Change(Step.PATCH, f"{name}: files changed, no label did")]
    return found


def _labels(side: Side, path: str) -> pl.DataFrame:
    """One row a sample: ``id``, ``category``, ``label_version`` and ``label``, a text that holds the label's fields."""
    with side.open(path) as file, reading_index(path, remote=True):
        with pyarrow.parquet.ParquetFile(file) as parquet:
            there = [name for name in _LABEL if name in parquet.schema_arrow.names]
            table = parquet.read(columns=["id", "category", "provenance.label_version", *there])
        return pl.DataFrame(pl.from_arrow(table)).select(
            pl.col("id", "category").cast(pl.String()),
            label_version=pl.col("provenance").struct.field("label_version").cast(pl.Int64()),
            label=pl.struct(sorted(there)).struct.json_encode(),
        )


def _label_versions(name: str, old: pl.DataFrame, new: pl.DataFrame) -> Iterator[Change]:
    before, after = (_versions(frame) for frame in (old, new))
    for category in sorted(before.keys() & after.keys()):
        if before[category] != after[category]:
            was, now = (" and ".join(map(str, versions[category])) for versions in (before, after))
            text = f"{name}: {category} means something else, its label version was {was} and is {now}"
            yield Change(Step.MAJOR, text)


def _versions(frame: pl.DataFrame) -> Mapping[str, list[int]]:
    grouped = frame.group_by("category").agg(pl.col("label_version").unique().sort())
    return dict(grouped.iter_rows())


def _rows(name: str, old: pl.DataFrame, new: pl.DataFrame) -> Iterator[Change]:
    added = new.join(old, on="id", how="anti").height
    removed = old.join(new, on="id", how="anti").height
    both = new.join(old, on="id", how="inner", suffix="_old")
    changed = both.filter((pl.col("label") != pl.col("label_old")) | (pl.col("category") != pl.col("category_old")))
    for count, what in ((added, "added"), (removed, "removed")):
        if count:
            yield Change(Step.MINOR, f"{name}: {_samples(count)} {what}")
    if changed.height:
        yield Change(Step.MINOR, f"{name}: the labels of {_samples(changed.height)} changed")


def _samples(count: int) -> str:
    return f"{count:,} {'sample' if count == 1 else 'samples'}"
