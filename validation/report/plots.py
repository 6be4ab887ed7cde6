"""What a config is drawn from: its index, its marks, its shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..results import ConfigResult
from ..shortcuts import ALLOWED
from ..suites.base import OpenedConfig
from . import charts

CELLS: Final = 40
"""Cells of the heat map across the picture."""
_FEW: Final = 8
"""Answers of up to so many different texts are drawn as such."""


@dataclass(frozen=True)
class Plot:
    """One plot of the report: a title, what to see in it, and the picture as a ``data:`` URI."""

    title: str
    about: str
    uri: str


def plots_of(config: OpenedConfig, result: ConfigResult) -> Iterator[Plot]:
    """Every plot that the config has data for."""
    if config.index.height:
        columns = set(config.index.columns)
        if "answer" in columns:
            yield from _answers(config.index)
        if "margin" in columns:
            yield _margins(config.index)
        if "motion" in columns:
            yield _lengths(config.index)
            yield _marks(config)
    shares = [share for suite in result.suites for share in suite.shares]
    if shares:
        about = (
            "Accuracy of rules that see no picture of the motion's end, with 95% intervals. Red: the rule pays, as the "
            "table has it. Grey: the interval lies beyond the limit, but that may be luck, or samples are too few."
        )
        yield Plot("What pays without looking", about, charts.against_chance(shares, ALLOWED))


def _answers(index: pl.DataFrame) -> Iterator[Plot]:
    letters = _counts(index.with_columns(shown=pl.col("answer").str.split("")).explode("shown"))
    yield Plot("Letters", "How often each letter is among the right ones.", charts.stacked(letters, "right letters"))
    place = pl.col("answer").str.head(1).str.to_uppercase()
    letter_number = place.replace_strict({chr(65 + i): i for i in range(26)}, default=None, return_dtype=pl.Int64)
    single = index.filter(pl.col("answer").str.len_chars() == 1).with_columns(
        shown=pl.col("choices").list.get(letter_number, null_on_oob=True)
    )
    worded = {name: counts for name, counts in _counts(single).items() if len(counts) <= _FEW}
    if worded:
        yield Plot("Answers", "Categories whose answers are words or counts.", charts.stacked(worded, "samples"))


def _counts(frame: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Category -> value of ``shown`` -> count, both ascending."""
    known = frame.filter(pl.col("shown").is_not_null() & (pl.col("shown") != ""))
    counts: dict[str, dict[str, int]] = {}
    for category, shown, count in known.group_by("category", "shown").len().sort("category", "shown").iter_rows():
        counts.setdefault(category, {})[shown] = count
    return counts


def _margins(index: pl.DataFrame) -> Plot:
    groups = {}
    for (category, unit), own in index.sort("category", "margin_unit").group_by(
        "category", "margin_unit", maintain_order=True
    ):
        groups[str(category)] = (str(unit), own["margin"].to_numpy())
    about = "How far labels lie beyond their category's ambiguity band: nothing at or below 0."
    return Plot("Margins", about, charts.histograms(groups))


def _lengths(index: pl.DataFrame) -> Plot:
    motion = index.select(
        direction=pl.col("motion").struct.field("direction"), distance=pl.col("motion").struct.field("distance")
    )
    by_direction = {
        str(direction): own["distance"].to_numpy()
        for (direction,), own in motion.sort("direction").group_by("direction", maintain_order=True)
    }
    about = "How long the motions are, and where they go as seen from the camera."
    return Plot("Motion lengths", about, charts.lengths(by_direction, "metres"))


def _marks(config: OpenedConfig) -> Plot:
    size = (config.manifest.width, config.manifest.height)
    cell = -(-size[0] // CELLS)
    maps = {moment: np.zeros((-(-size[1] // cell), -(-size[0] // cell)), np.int64) for moment in ("before", "after")}
    for files in config.manifest.configs[config.spec.name].values():
        for moment, counts in maps.items():
            _add_marks(counts, config.root / files.index.path, moment, cell)
    about = f"Where the dots lie in the picture, in cells of {cell} pixels."
    return Plot("Marks", about, charts.heat_maps(maps, size))


def _add_marks(counts: NDArray[np.int64], path: Path, moment: str, cell: int) -> None:
    """Count the marks of an index by cell, as a stream."""
    place = pl.col("marks").struct.field(moment)
    row, column = ((place.list.get(axis, null_on_oob=True) // cell).cast(pl.Int64) for axis in (1, 0))
    rows, columns = counts.shape
    cells = (
        pl.scan_parquet(path)
        .select("marks")
        .explode("marks")
        .select(row=row, column=column)
        .filter(pl.col("row").is_between(0, rows - 1) & pl.col("column").is_between(0, columns - 1))
        .group_by("row", "column")
        .len()
        .collect(engine="streaming")
    )
    counts[cells["row"].to_numpy(), cells["column"].to_numpy()] += cells["len"].to_numpy()
