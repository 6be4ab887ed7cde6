"""The card's tables: what each config holds, counted from manifest and index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl
import pydantic

from ..release import Manifest, SplitFiles, size_text
from ..release.tables import reading_index
from ..schema import ConfigSpec, RealRecord, SimRecord
from ..schema.dynapix import CorpusRecord, RetrievalRecord, SelectionRecord
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
class Part:
    """What the card says of one config.

    Attributes:
        spec: the config.
        splits: its splits that have samples.
        rows: of its index, as far as the tables need them, with ``split``.
    """

    spec: ConfigSpec
    splits: Sequence[SplitRow]
    rows: pl.DataFrame


@dataclass(frozen=True)
class Table:
    """A table of samples.

    Attributes:
        intro: what it counts, a sentence that ends with a colon.
        header: heading -> whether numbers stand below it.
        rows: cells, of ours or of the data.
    """

    intro: str
    header: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[str]]


def read_parts(root: Path, manifest: Manifest) -> list[Part]:
    """What the tables tell of every config that has samples, in the order of the configs.

    Raises:
        ReleaseError: an index is missing or cannot be read.
    """
    return [_part(root, spec, manifest.configs[spec.name]) for spec in filled_specs(manifest)]


def sample_tables(parts: Sequence[Part]) -> list[Table]:
    """The tables of samples, in the order of the configs; configs with the same record share theirs."""
    by_record: dict[type[pydantic.BaseModel], list[Part]] = {}
    for part in parts:
        by_record.setdefault(part.spec.record, []).append(part)
    return [table for record, alike in by_record.items() for make in _TABLES[record] for table in [make(alike)]]


def _part(root: Path, spec: ConfigSpec, splits: Mapping[str, SplitFiles]) -> Part:
    names = filled_splits(spec, splits)
    schema = _COLUMNS[spec.record]
    frames = [_read(root / splits[name].index.path, schema).with_columns(split=pl.lit(name)) for name in names]
    return Part(spec, [_split(name, splits[name]) for name in names], pl.concat(frames))


def _read(index: Path, schema: Mapping[str, pl.DataType]) -> pl.DataFrame:
    with reading_index(str(index)):
        return pl.read_parquet(index, columns=list(schema)).select(pl.col(name).cast(schema[name]) for name in schema)


def _split(name: str, files: SplitFiles) -> SplitRow:
    size = size_text(sum(shard.bytes for shard in files.shards))
    return SplitRow(name, files.index.samples, len(files.shards), size)


def _sim(parts: Sequence[Part]) -> Table:
    splits = list(dict.fromkeys(split.name for part in parts for split in part.splits))
    rows = []
    for part in parts:
        for name, group in _groups(part):
            counts = Counter(group["split"].to_list())
            known = group["flipped"].drop_nulls()
            flipped = _percent(int(known.sum()), len(known)) if len(known) else ""
            cells = [str(counts[split]) if counts[split] else "" for split in splits]
            rows.append([f"`{part.spec.name}`", name, *cells, _answers(Counter(map(str, group["answer"]))), flipped])
    header = [("config", False), ("category", False), *((split, True) for split in splits)]
    return Table(
        "Samples by category, the shares of their answers, and how often the motion changes the answer where there is "
        "one before\nit:",
        [*header, ("answers", False), ("changed", True)],
        rows,
    )


def _selection(parts: Sequence[Part]) -> Table:
    rows = []
    for part in parts:
        for name, group in _groups(part):
            shares = [_answers(Counter(map(str, group[column]))) for column in ("answer", "rank")]
            rows.append([f"`{part.spec.name}`", name, str(group.height), *shares])
    return Table(
        "Samples by category, the shares of the right letters, and of the right candidate's place in time among the "
        "four:",
        [("config", False), ("category", False), ("samples", True), ("answers", False), ("place in time", False)],
        rows,
    )


def _across(intro: str, *columns: str) -> Callable[[Sequence[Part]], Table]:
    """A table that counts the values of some columns, a row for each that occurs, with a column for each config."""

    def table(parts: Sequence[Part]) -> Table:
        counts = [Counter(part.rows.select(columns).iter_rows()) for part in parts]
        rows = [
            [*map(str, values), *(str(count[values]) if count[values] else "" for count in counts)]
            for values in sorted({values for count in counts for values in count}, key=lambda each: [*map(str, each)])
        ]
        header = [*((column, False) for column in columns), *((f"`{part.spec.name}`", True) for part in parts)]
        return Table(intro, header, rows)

    return table


def _corpus(parts: Sequence[Part]) -> Table:
    named = {"factual": "the scene as it is", "without": "without one body", "erased": "one body not drawn"}
    rows = []
    for part in parts:
        counts = Counter(str(variant).partition("-")[0] for variant in part.rows["variant"].to_list())
        rows += [[named.get(run, run), str(count)] for run, count in sorted(counts.items())]
    return Table("Frames of `retrieval_corpus` by their run:", [("run", False), ("frames", True)], rows)


def _groups(part: Part) -> list[tuple[str, pl.DataFrame]]:
    groups = part.rows.partition_by("category", as_dict=True)
    return sorted(((str(key[0]), group) for key, group in groups.items()), key=lambda pair: pair[0])


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


_COLUMNS: Final[Mapping[type[pydantic.BaseModel], Mapping[str, pl.DataType]]] = {
    SimRecord: {"category": pl.String(), "answer": pl.String(), "flipped": pl.Boolean()},
    RealRecord: {"category": pl.String(), "answer": pl.String(), "flipped": pl.Boolean()},
    SelectionRecord: {"category": pl.String(), "subtype": pl.String(), "answer": pl.String(), "rank": pl.Int64()},
    RetrievalRecord: {"category": pl.String(), "builder": pl.Int64()},
    CorpusRecord: {"category": pl.String(), "variant": pl.String()},
}
"""What the tables read of an index."""
_TABLES: Final[Mapping[type[pydantic.BaseModel], Sequence[Callable[[Sequence[Part]], Table]]]] = {
    SimRecord: (_sim,),
    RealRecord: (_sim,),
    SelectionRecord: (_selection, _across("The same by kind of item:", "category", "subtype")),
    RetrievalRecord: (
        _across("Queries by what names their moment, and by builder (0: counterfactual):", "category", "builder"),
    ),
    CorpusRecord: (_corpus,),
}
