"""What a reader without the after picture can know of a sample, read from the published records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb

import polars as pl

FACTS = ("direction", "band", "relation", "threshold", "probe", "mover", "landmark")
"""Columns of :func:`blind_frame` that are facts of a :class:`BlindItem`."""
COLUMNS = (
    "id",
    "category",
    "scene_id",
    "motion_text",
    "question",
    "choices",
    "answer",
    "before_answer",
    "flipped",
    "relation",
    "threshold",
    "mover",
    "landmarks",
    "motion",
    "probe",
)
"""Columns of an index that :func:`blind_frame` reads."""


@dataclass(frozen=True)
class Options:
    """The choices of an item that lists objects, in letter order.

    Attributes:
        types: of the objects.
        lengths: of the texts, characters.
        ranks: by distance to the mover before the motion, 1 the nearest.
        right: positions of the right ones, 0 for A.
    """

    types: Sequence[str]
    lengths: Sequence[int]
    ranks: Sequence[int]
    right: frozenset[int]


@dataclass(frozen=True)
class BlindItem:
    """One sample as a blind reader sees it.

    Attributes:
        category, scene: where it belongs; rules are fitted on other scenes than they are judged on.
        outcome: what is to be guessed: yes or no, a count, or, where the choices are objects, which ranks by distance
            before the motion the right ones had ("which letter" would be even by the shuffle of the letters alone).
        chance: share of right guesses of one who guesses evenly.
        before: the before-answer, which the before picture shows; empty where the outcome is told relative to it.
        facts: everything else, name -> value.
        letters: the right answer as it is published; empty if not settled yet.
        text: motion and question in words; empty if not written yet.
        options: the choices where they are objects, as far as known.
        place: where the right one stands among choices that are counts, ``"1"`` for the least; empty of others.
    """

    category: str
    scene: str
    outcome: str
    chance: float
    before: str
    facts: Mapping[str, str]
    letters: str = ""
    text: str = ""
    options: Options | None = None
    place: str = ""


def blind_frame(index: pl.DataFrame) -> pl.DataFrame:
    """One row a sample of an index (``index/<config>/<split>.parquet``): what a blind reader knows, and what is right.

    Samples whose answer is no set of letters of their choices are left out: they break other suites.

    Returns:
        columns ``id, category, scene, outcome, chance, before, flipped, letters, text``, the facts of :data:`FACTS`
        and ``probe_direction`` as text, empty where there is none; ``count`` of choices; ``positions`` of the right
        ones; the ``place`` of the right one among counts; ``objects``, whether the choices are the landmarks, and their
        ``types``, ``lengths`` and ``ranks``.
    """
    letters = pl.col("answer").str.extract_all("[A-Z]")
    landmarks = pl.col("landmarks").list
    named = index.select(COLUMNS).with_columns(
        letters=pl.col("answer"),
        positions=letters.list.eval(pl.element().str.to_integer(base=36) - 10).cast(pl.List(pl.Int64)),
        count=pl.col("choices").list.len().cast(pl.Int64),
        names=landmarks.eval(pl.element().struct.field("name")),
        types=landmarks.eval(pl.element().struct.field("type")),
        ranks=landmarks.eval(pl.element().struct.field("distance_before").fill_null(float("inf")).rank("ordinal")),
        lengths=pl.col("choices").list.eval(pl.element().str.len_chars()),
        places=pl.col("choices").list.eval(pl.element().cast(pl.Int64, strict=False).rank("ordinal")),
    )
    sound = named.filter(
        pl.col("answer").str.contains("^[A-Z]+$")
        & (pl.col("positions").list.n_unique() == pl.col("positions").list.len())
        & (pl.col("positions").list.max() < pl.col("count"))
    )
    objects = (pl.col("names") == pl.col("choices")).fill_null(False)
    ranked = pl.col("ranks").list.gather(pl.col("positions"), null_on_oob=True).list.sort()
    blind = sound.with_columns(objects=objects).select(
        "id",
        "category",
        "count",
        "positions",
        "objects",
        "types",
        "lengths",
        "ranks",
        "letters",
        "flipped",
        scene=pl.col("scene_id"),
        outcome=pl.when("objects").then(ranked.cast(pl.List(pl.String)).list.join("")).otherwise(_chosen("answer")),
        before=pl.when("objects").then(pl.lit("")).otherwise(_chosen("before_answer").fill_null("")),
        place=pl.col("places")
        .list.get(pl.col("positions").list.first(), null_on_oob=True)
        .cast(pl.String)
        .fill_null(""),
        text=pl.col("motion_text") + " " + pl.col("question"),
        direction=pl.col("motion").struct.field("direction"),
        band=pl.col("motion").struct.field("length_band"),
        relation=pl.col("relation").fill_null(""),
        threshold=_number("threshold"),
        probe=_probe("direction") + pl.when(pl.col("probe").is_null()).then(pl.lit("")).otherwise(_length()),
        probe_direction=_probe("direction"),
        mover=pl.col("mover").struct.field("type"),
        landmark=pl.when(landmarks.len() == 1).then(pl.col("types").list.first()).otherwise(pl.lit("")),
    )
    sizes = blind.select("count", pl.col("positions").list.len()).iter_rows()
    return blind.with_columns(chance=pl.Series([1.0 / comb(count, right) for count, right in sizes], dtype=pl.Float64))


def _chosen(letters: str) -> pl.Expr:
    """The text of the choice that a column's first letter names."""
    place = pl.col(letters).str.extract("^([A-Z])").str.to_integer(base=36) - 10
    return pl.col("choices").list.get(place, null_on_oob=True)


def _number(name: str) -> pl.Expr:
    return pl.col(name).round(2).cast(pl.String).fill_null("")


def _probe(field: str) -> pl.Expr:
    return pl.col("probe").struct.field(field).fill_null("")


def _length() -> pl.Expr:
    return " " + pl.col("probe").struct.field("distance").round(1).cast(pl.String)


def items_of(frame: pl.DataFrame) -> Iterator[BlindItem]:
    """The rows of a :func:`blind_frame`."""
    for row in frame.iter_rows(named=True):
        options = None
        if row["objects"]:
            options = Options(row["types"], row["lengths"], row["ranks"], frozenset(row["positions"]))
        yield BlindItem(
            row["category"],
            row["scene"],
            row["outcome"],
            row["chance"],
            row["before"],
            {name: row[name] for name in FACTS},
            row["letters"],
            row["text"],
            options,
            row["place"],
        )
