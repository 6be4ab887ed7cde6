"""Balance (quality.md, 5): within what a blind reader sees every answer is about as frequent as every other.

An answer's share is held against the even one: 1/2 of yes and no, 1/4 of a count of four. Where the choices are
objects their letters would be even by the shuffle alone, so it is their ranks by distance before the motion that are
counted: each of four in 1/4 of the samples, each of the twenty triples of six in 1/20.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Final, final

import polars as pl

from flowbench.schema import LETTERS

from ..shortcuts import blind_frame
from . import overview
from .base import ConfigSuite, Findings, OpenedConfig, Table, Violation

LEAST: Final = 100
"""Samples that a value has before its shares are held to anything."""
ALLOWED: Final = 0.05
ROUNDING: Final = 1e-9
VARIABLES: Final = {
    "direction": "direction",
    "length band": "band",
    "wording": "relation",
    "threshold": "threshold",
    "probe's direction": "probe_direction",
    "before-answer": "before",
}
"""What a blind reader sees, jointly in pairs: name -> column of the blind frame."""
MARGINAL: Final = {"type of the mover": "mover"}
"""The same, each on its own."""
LETTER_ALLOWED: Final = 0.01
LETTER_Z: Final = 3.9
"""Standard deviations of luck that a letter's share may be off besides: one of ten thousand even ones is farther."""
WHOLE: Final = "all of it"

GROUPINGS: Final[Mapping[str, tuple[str, ...]]] = {
    WHOLE: (),
    **{name: (column,) for name, column in (VARIABLES | MARGINAL).items()},
    **{f"{a} and {b}": (VARIABLES[a], VARIABLES[b]) for a, b in itertools.combinations(VARIABLES, 2)},
}


@final
class Balance(ConfigSuite):
    """Shares of the answers within each value of what a blind reader sees, and of the letters."""

    name = "balance"
    about = "Within every value that a blind reader sees all answers are about equally frequent, and so are letters."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What is uneven, and tables of what the config holds."""
        blind = blind_frame(config.index)
        if blind.is_empty():
            return Findings()
        uneven, letters = unevenness(blind), letter_shares(blind)
        violations = [*_uneven_answers(uneven), *_uneven_letters(letters)]
        return Findings(violations, [*overview.tables(config.index, blind), _widest(uneven), _letters(letters)])


def unevenness(blind: pl.DataFrame) -> pl.DataFrame:
    """Shares of the answers within each value of each of :data:`GROUPINGS`.

    Args:
        blind: a :func:`~flowbench.validation.shortcuts.blind_frame`.

    Returns:
        a row a category, grouping, value and answer: ``category, grouping, value, answer, samples`` of the value,
        ``share`` of them with the answer, ``even`` share. Values with fewer than :data:`LEAST` samples are left out,
        and groupings by a variable that has but one value in the category.
    """
    found = []
    for category in sorted(blind["category"].unique()):
        own = blind.filter(pl.col("category") == category)
        for name, columns in GROUPINGS.items():
            if all(own[column].n_unique() > 1 for column in columns):
                labels = {"category": pl.lit(category), "grouping": pl.lit(name)}
                found.append(_grouped(own, columns).with_columns(**labels))
    return pl.concat(found)


def _grouped(own: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    """A grouping of a category's rows."""
    rows = own.select("outcome", "chance", value=pl.concat_str(*columns, separator=", ") if columns else pl.lit(""))
    sizes = rows.group_by("value").agg(samples=pl.len(), even=pl.col("chance").mean())
    grid = sizes.filter(pl.col("samples") >= LEAST).join(rows.select("outcome").unique(), how="cross")
    hits = grid.join(rows.group_by("outcome", "value").len("hits"), on=["value", "outcome"], how="left")
    share = pl.col("hits").fill_null(0) / pl.col("samples")
    return hits.select("value", "samples", "even", answer="outcome", share=share).sort("value", "answer")


def letter_shares(blind: pl.DataFrame) -> pl.DataFrame:
    """``category, letter, samples, share, even, allowed``: how often each letter is among the right ones.

    ``allowed`` is how far ``share`` may be from ``even``: :data:`LETTER_ALLOWED` and what luck does.
    """
    picked = (pl.col("positions").list.len() / pl.col("count")).mean()
    sizes = blind.group_by("category").agg(samples=pl.len(), even=picked, count=pl.col("count").max())
    grid = sizes.with_columns(place=pl.int_ranges("count")).explode("place")
    hits = blind.select("category", place="positions").explode("place").group_by("category", "place").len("hits")
    even = pl.col("even")
    luck = LETTER_Z * (even * (1.0 - even) / pl.col("samples")).sqrt()
    shares = grid.join(hits, on=["category", "place"], how="left").sort("category", "place")
    return shares.select(
        "category",
        "samples",
        "even",
        letter=pl.col("place").replace_strict(dict(enumerate(LETTERS))),
        share=pl.col("hits").fill_null(0) / pl.col("samples"),
        allowed=LETTER_ALLOWED + luck,
    )


def _uneven_answers(uneven: pl.DataFrame) -> Iterator[Violation]:
    off = (pl.col("share") - pl.col("even")).abs()
    worst = uneven.filter(off > ALLOWED + ROUNDING).sort(off, "share", descending=True, maintain_order=True)
    for row in worst.unique(["category", "grouping", "value"], keep="first", maintain_order=True).iter_rows(named=True):
        where = f" where {row['grouping']} is {row['value'] or 'nothing'}" if row["grouping"] != WHOLE else ""
        yield Violation(
            "answers are uneven",
            f"{row['category']}{where}: {row['share']:.1%} of {row['samples']:,} answers are {row['answer']}",
            f"{row['even']:.1%} within {ALLOWED * 100:.0f} points",
        )


def _uneven_letters(letters: pl.DataFrame) -> Iterator[Violation]:
    for row in letters.iter_rows(named=True):
        if abs(row["share"] - row["even"]) > row["allowed"]:
            yield Violation(
                "letters are uneven",
                f"{row['category']}: {row['letter']} is right in {row['share']:.1%} of {row['samples']:,} samples",
                f"{row['even']:.1%} within {row['allowed'] * 100:.1f} points",
            )


def _widest(uneven: pl.DataFrame) -> Table:
    off = (pl.col("share") - pl.col("even")).abs()
    widest = uneven.sort(off, "share", descending=True, maintain_order=True).unique(
        ["category", "grouping"], keep="first", maintain_order=True
    )
    names = list(GROUPINGS)
    rows = [
        (
            row["category"],
            row["grouping"],
            row["value"],
            row["answer"],
            f"{row['samples']:,}",
            f"{row['share']:.1%}",
            f"{row['even']:.1%}",
        )
        for row in sorted(widest.iter_rows(named=True), key=lambda row: (row["category"], names.index(row["grouping"])))
    ]
    limit = f"Every share lies within {ALLOWED * 100:.0f} points of the even one, within each value of {LEAST} samples."
    columns = ("category", "by", "value", "answer", "samples", "share", "even")
    return Table("Where answers are the least even", columns, rows, limit)


def _letters(letters: pl.DataFrame) -> Table:
    shown = sorted(letters["letter"].unique())
    rows = []
    for (category,), own in letters.group_by("category", maintain_order=True):
        shares = dict(own.select("letter", "share").iter_rows())
        even, allowed = own["even"][0], own["allowed"][0] * 100
        cells = [f"{shares[letter]:.1%}" if letter in shares else "" for letter in shown]
        rows.append((str(category), f"{own['samples'][0]:,}", f"{even:.1%}", f"±{allowed:.1f} points", *cells))
    limit = "Each letter's share is even within a point and what luck does (one of ten thousand even ones is farther)."
    return Table("Letters", ("category", "samples", "even", "allowed", *shown), rows, limit)
