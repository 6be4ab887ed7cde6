"""Tables for people of what a config holds: answers, scenes, movers, directions, lengths. Nothing is enforced."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Final

import polars as pl

from .base import Table

_MOST: Final = 12
"""Columns of a table of kinds; the rarer ones are added up."""


def tables(index: pl.DataFrame, blind: pl.DataFrame) -> Iterator[Table]:
    """The tables.

    Args:
        index: of a config, with the column ``split``.
        blind: the :func:`~flowbench.validation.shortcuts.blind_frame` of it.
    """
    yield _answers(blind)
    yield _scenes(index)
    yield _kinds("Types of the mover", blind, "mover")
    yield _kinds("Directions of the motion", blind, "direction")
    yield _kinds("Lengths of the motion, metres", blind, "band")
    yield _kinds("Directions of the further motion asked about", blind.filter(pl.col("probe") != ""), "probe_direction")


def _answers(blind: pl.DataFrame) -> Table:
    rows = []
    for (category,), own in blind.sort("category").group_by("category", maintain_order=True):
        counts = own["outcome"].value_counts().sort("outcome").iter_rows()
        shares = ", ".join(f"{name} {count / own.height:.0%}" for name, count in counts)
        flipped = own["flipped"].drop_nulls()
        flips = f"{int(flipped.sum()) / len(flipped):.0%} of {len(flipped):,}" if len(flipped) else ""
        rows.append((str(category), f"{own.height:,}", shares, flips))
    told = "answers, or ranks before the motion of the right objects"
    return Table("Answers", ("category", "samples", told, "flipped by the motion"), rows)


def _scenes(index: pl.DataFrame) -> Table:
    rows = []
    for (split,), own in index.sort("split").group_by("split", maintain_order=True):
        sizes = sorted(own.group_by("scene_id").len()["len"].to_list())
        spread = f"{sizes[0]} to {sizes[-1]}, median {median(sizes):g}"
        rows.append((str(split), f"{own.height:,}", f"{len(sizes):,}", f"{own['view_id'].n_unique():,}", spread))
    return Table("Scenes", ("split", "samples", "scenes", "views", "samples a scene"), rows)


def _kinds(title: str, blind: pl.DataFrame, column: str) -> Table:
    """How often each value of a column occurs in each category."""
    counted = blind[column].value_counts().sort("count", column, descending=[True, False])
    common = counted[column].to_list()
    shown, rare = sorted(common[:_MOST]), common[_MOST:]
    rows = []
    for (category,), own in blind.sort("category").group_by("category", maintain_order=True):
        counts = dict(own[column].value_counts().iter_rows())
        cells = [str(counts.get(each, 0)) for each in shown]
        rows.append((str(category), *cells, *([str(sum(counts.get(each, 0) for each in rare))] if rare else [])))
    more = [f"{len(rare)} more"] if rare else []
    return Table(title, ("category", *shown, *more), rows)
