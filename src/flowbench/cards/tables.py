"""The card's tables: what each config holds, counted from manifest and index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ..release import Manifest, SplitFiles, size_text
from ..release.tables import reading_index
from ..schema import ConfigSpec
from .metadata import filled_specs, filled_splits

MOST_ANSWERS = 5
"""A category with more different answers than this has them summed up."""


@dataclass(frozen=True)
class SplitRow:
    """A split: its name and what it holds."""

    name: str
    samples: int
    shards: int
    size: str


@dataclass(frozen=True)
class CategoryRow:
    """A category of a config.

    Attributes:
        name: of the category.
        counts: split -> samples.
        answers: the shares of its answers over all splits, in words.
        flipped: how often the motion changes the answer, in words; of the samples that have an answer before it.
    """

    name: str
    counts: Mapping[str, int]
    answers: str
    flipped: str


@dataclass(frozen=True)
class Part:
    """What the card says of one config."""

    spec: ConfigSpec
    splits: Sequence[SplitRow]
    categories: Sequence[CategoryRow]


def read_parts(root: Path, manifest: Manifest) -> list[Part]:
    """The tables of every config that has samples, in the order of the configs.

    Raises:
        ReleaseError: an index is missing or cannot be read.
    """
    return [_part(root, spec, manifest.configs[spec.name]) for spec in filled_specs(manifest)]


def _part(root: Path, spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> Part:
    names = filled_splits(spec, splits)
    frames = [_read(root / splits[name].index.path).with_columns(split=pl.lit(name)) for name in names]
    groups = pl.concat(frames).partition_by("category", as_dict=True)
    rows = [_category(str(key[0]), group) for key, group in groups.items()]
    return Part(spec, [_split(name, splits[name]) for name in names], sorted(rows, key=lambda row: row.name))


def _read(index: Path) -> pl.DataFrame:
    schema = {"category": pl.String(), "answer": pl.String(), "flipped": pl.Boolean()}
    with reading_index(str(index)):
        return pl.read_parquet(index, columns=list(schema)).select(pl.col(name).cast(schema[name]) for name in schema)


def _split(name: str, files: SplitFiles) -> SplitRow:
    size = size_text(sum(shard.bytes for shard in files.shards))
    return SplitRow(name, files.index.samples, len(files.shards), size)


def _category(name: str, group: pl.DataFrame) -> CategoryRow:
    known = group["flipped"].drop_nulls()
    return CategoryRow(
        name=name,
        counts=Counter(group["split"].to_list()),
        answers=_answers(Counter(group["answer"].to_list())),
        flipped=_percent(int(known.sum()), len(known)) if len(known) else "",
    )


def _answers(counts: Counter[str]) -> str:
    """``A 52%, B 48%``; where there are many, how many and the commonest."""
    total = counts.total()
    if len(counts) <= MOST_ANSWERS:
        return ", ".join(f"{answer} {_percent(counts[answer], total)}" for answer in sorted(counts))
    commonest = min(counts, key=lambda answer: (-counts[answer], answer))
    return f"{len(counts)} different, {commonest} the commonest with {_percent(counts[commonest], total)}"


def _percent(count: int, total: int) -> str:
    """Rounded half up, in integers."""
    return f"{(200 * count + total) // (2 * total)}%"
