"""Balance of recorded pairs: the caps of the test split (paper, B.6), even letters, and tables of what is held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final, final

import polars as pl

from flowbench.schema import ConfigSpec

from ...real.evidence import TEST
from ...real.shares import Capped, capped_shares, negated
from ...shortcuts import blind_frame
from .. import overview
from ..balance import letter_shares
from ..base import ConfigSuite, Findings, OpenedConfig, Table, Violation

LEAST_LETTERS: Final = 100
"""Samples of a category from which on its letters are held to be even."""


@final
@dataclass(frozen=True)
class Caps(ConfigSuite):
    """The caps of B.6.

    Attributes:
        spec: of the config; caps hold in the test split, whatever the preset.
    """

    spec: ConfigSpec
    name = "caps"
    about = "In the test split no answer, no-change question or blind side is over its cap."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What is over its cap, and the table of all."""
        if config.index.is_empty():
            return Findings()
        shares, test = list(capped_shares(config.index)), self.spec.splits[0] == TEST
        return Findings([*(_over(shares) if test else ())], [_caps(shares, enforced=test)])


@final
class RealBalance(ConfigSuite):
    """What a config holds, and whether its letters are even."""

    name = "balance"
    about = "Letters are even; tables of sources, answers, pairs, motions and of what the before-answer tells."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Uneven letters, and tables."""
        index = config.index
        if index.is_empty():
            return Findings()
        blind = blind_frame(index)
        tables = [*_profiles(config), _negating(index), *overview.tables(index, blind), *_perception(config)]
        return Findings([*_letters(blind)], tables)


def _over(shares: list[Capped]) -> Iterator[Violation]:
    for each in shares:
        if not each.met:
            found = f"{each.category}: {each.count:,} of {each.samples:,} are {each.name}"
            yield Violation("share over its cap", found, f"at most {each.allowed:,}, {each.most:.0%}")


def _letters(blind: pl.DataFrame) -> Iterator[Violation]:
    for row in letter_shares(blind).iter_rows(named=True):
        if row["samples"] >= LEAST_LETTERS and abs(row["share"] - row["even"]) > row["allowed"]:
            found = f"{row['category']}: {row['letter']} is right in {row['share']:.1%} of {row['samples']:,} samples"
            yield Violation("letters are uneven", found, f"{row['even']:.1%} within {row['allowed'] * 100:.1f} points")


def _caps(shares: list[Capped], *, enforced: bool) -> Table:
    rows = [
        (each.category, each.name, f"{each.count:,}", f"{each.samples:,}", f"{each.count / each.samples:.1%}",
         f"{each.most:.0%}")
        for each in shares
    ]  # fmt: skip
    limits = "No share is over its cap." if enforced else "Nothing is enforced: the caps are those of the test split."
    return Table("Capped shares", ("category", "share of", "count", "samples", "share", "cap"), rows, limits)


def _profiles(config: OpenedConfig) -> Iterator[Table]:
    """Pairs and questions of each profile, by category."""
    facts = config.facts
    if "profile" not in facts.columns:
        return
    named = config.index.select("id", "named")
    known = facts.filter(pl.col("profile").is_not_null()).join(named, left_on="key", right_on="id", how="left")
    categories = sorted(known["category"].unique())
    rows = []
    for (profile,), own in known.sort("profile").group_by("profile", maintain_order=True):
        counts = dict(own["category"].value_counts().iter_rows())
        cells = [f"{counts.get(each, 0):,}" for each in categories]
        by_name = int(own["named"].fill_null(False).sum())
        rows.append((str(profile), f"{own['pair'].n_unique():,}", f"{own.height:,}", f"{by_name:,}", *cells))
    yield Table("Profiles", ("profile", "pairs", "questions", "by name", *categories), rows)


def _negating(index: pl.DataFrame) -> Table:
    rows = [
        (category, f"{count:,}", f"{samples:,}", f"{count / samples:.1%}")
        for category, (count, samples) in negated(index).items()
    ]
    limits = "Nothing is enforced: questions are meant to change; a reader who sees the before image can bet on it."
    return Table("Negating the before-answer", ("category", "right", "samples", "share"), rows, limits)


def _perception(config: OpenedConfig) -> Iterator[Table]:
    """How far spherical distances lie from the true ones, and who perceived, as far as it is known."""
    facts = config.facts
    if "profile" not in facts.columns:
        return
    known = facts.filter(pl.col("profile").is_not_null())
    absent = [name for name in ("definition_mm", "definition_other") if name not in known.columns]
    table = known.with_columns(pl.lit(None).alias(name) for name in absent)
    rows = []
    for (profile, perception), own in table.sort("profile", "perception").group_by(
        "profile", "perception", maintain_order=True
    ):
        values = sorted(own["definition_mm"].drop_nulls().to_list())
        error = f"{median(values):.1f} mm, at most {values[-1]:.1f} mm" if values else "not known"
        other = f"{sum(own['definition_other'].drop_nulls().to_list()):,}" if values else "not known"
        rows.append((str(profile), str(perception), f"{own.height:,}", f"{len(values):,}", error, other))
    columns = (
        "profile",
        "perception",
        "samples",
        "with true distances",
        "spheres against true surfaces, median",
        "other answers by true surfaces",
    )
    about = (
        "Definition: distances between spheres against those between true surfaces, which only simulated sources know. "
        "Perception: labels follow from masks and depths as published, whoever perceived them."
    )
    yield Table("Sources, definition and perception", columns, rows, about)
