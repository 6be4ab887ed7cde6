"""What the configs of collision scenes hold, beside the paper's counts; letters and places in time are even."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, final

import polars as pl

from ...dynapix.paper import counted, paper_count
from ..balance import LETTER_ALLOWED, LETTER_Z
from ..base import ConfigSuite, Findings, OpenedConfig, Table, Violation

NAME: Final = "balance"
EVEN: Final = 0.25
LEAST: Final = 100
"""Samples that a category has before its places in time are held to anything."""
RANK_ALLOWED: Final = 0.05


@final
class ChoiceBalance(ConfigSuite):
    """Of ``selection_*``; a pair's six matched items, all over the same candidates, count once."""

    name = NAME
    about = "Letters, and places in time among the candidates, are even; counts stand beside the paper's."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What is uneven, and tables."""
        index = config.index
        if index.is_empty():
            return Findings()
        once = index.filter(pl.col("pair").is_null() | ((pl.col("anchor") == "event") & (pl.col("control") == "full")))
        letters = _shares(once, "answer", list("ABCD"))
        ranks = _shares(once, "rank", [1, 2, 3, 4])
        violations = [
            *_uneven(letters, "letters are uneven", LETTER_ALLOWED, 1),
            *_uneven(ranks, "places in time are uneven", RANK_ALLOWED, LEAST),
        ]
        split = config.spec.splits[0]
        tables = [
            _table("Letters", letters, "ABCD", f"Even within {LETTER_ALLOWED * 100:.0f} point and what luck does."),
            _table("Place in time of the right candidate", ranks, "1234", _RANKS),
            _margins(index),
            _counts(index, split, config.spec.name),
        ]
        return Findings(violations, tables)


UNCLEAR_PX: Final = 5.0
"""Pixels below which an item can hardly be answered (``balanced`` has none, which the suite "ambiguity" checks)."""
_CLEAR: Final = f"Another scene counts as the picture's width. With balanced none is under {UNCLEAR_PX:g} (ambiguity)."
_RANKS: Final = (
    f"Even within {RANK_ALLOWED * 100:.0f} points and what luck does, from {LEAST} samples of a category on."
)


def _shares(index: pl.DataFrame, column: str, values: Sequence[Any]) -> dict[str, list[int]]:
    """Category -> how often each value occurs."""
    found: dict[str, list[int]] = {}
    for (category,), own in index.sort("category").group_by("category", maintain_order=True):
        counts = Counter(own[column].to_list())
        found[str(category)] = [counts.get(value, 0) for value in values]
    return found


def _uneven(shares: Mapping[str, Sequence[int]], rule: str, allowed: float, least: int) -> Iterator[Violation]:
    for category, counts in shares.items():
        total = sum(counts)
        luck = LETTER_Z * math.sqrt(EVEN * (1.0 - EVEN) / max(total, 1))
        share = max(counts, key=lambda count: abs(count - EVEN * total)) / max(total, 1)
        if total >= least and abs(share - EVEN) > allowed + luck:
            found = f"{category}: one is right in {share:.1%} of {total:,} samples ({counts})"
            yield Violation(rule, found, f"{EVEN:.0%} within {(allowed + luck) * 100:.1f} points")


def _table(title: str, shares: Mapping[str, Sequence[int]], heads: str, limits: str) -> Table:
    rows = [
        (category, f"{sum(counts):,}", *(f"{count / max(sum(counts), 1):.1%}" for count in counts))
        for category, counts in shares.items()
    ]
    return Table(title, ("category", "samples", *heads), rows, limits)


def _counts(index: pl.DataFrame, split: str, config: str) -> Table:
    """Samples by what the paper counts."""
    names = Counter(
        (category, counted(category, subtype, config))
        for category, subtype in index.select("category", "subtype").iter_rows()
    )
    rows = []
    for (category, name), count in sorted(names.items()):
        paper = paper_count(name, split, config)
        rows.append(
            (category, name, f"{count:,}", f"{count / index.height:.1%}", "" if paper is None else f"{paper:,}")
        )
    columns = ("family", "subtype or group", "samples", "share", f"the paper's, {split}")
    return Table("Subtypes", columns, rows, "Nothing is enforced.")


def _margins(index: pl.DataFrame) -> Table:
    """How far what is asked about lies elsewhere in the nearest distractor: where hardly, no one could tell."""
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for category, horizon, margin in index.select("category", "horizon", "margin").iter_rows():
        found[category, f"{horizon:03d}" if category == "time" else "all"].append(margin)
    rows = []
    for (category, horizon), margins in sorted(found.items()):
        ordered = sorted(margins)
        spread = [f"{ordered[round(share * (len(ordered) - 1))]:,.1f}" for share in (0.0, 0.05, 0.25, 0.5, 0.75, 1.0)]
        under = sum(margin < UNCLEAR_PX for margin in margins) / len(margins)
        rows.append((category, horizon.lstrip("0"), f"{len(margins):,}", *spread, f"{under:.1%}"))
    heads = ("least", "5%", "25%", "median", "75%", "most")
    columns = ("family", "horizon, frames", "samples", *heads, f"under {UNCLEAR_PX:g} px")
    return Table("Displacement in the nearest distractor, pixels", columns, rows, _CLEAR)


@final
class QueryBalance(ConfigSuite):
    """Of ``retrieval_train`` and ``retrieval_test``."""

    name = NAME
    about = "What queries there are: by builder, by horizon, by where the target lies among its negatives."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Tables alone."""
        index = config.index
        if index.is_empty():
            return Findings()
        rows = []
        for (builder,), own in index.sort("builder").group_by("builder", maintain_order=True):
            horizons = own["horizon"]
            earlier = own["target_frame"].to_list(), own["negatives"].to_list()
            place = [
                sum(int(text[-3:]) < frame for text in wrong) / max(len(wrong), 1)
                for frame, wrong in zip(*earlier, strict=True)
            ]
            spread = f"{horizons.min()!r} to {horizons.max()!r}, median {horizons.median()!r}"
            mean = f"{sum(place) / len(place):.0%}"
            rows.append(
                (str(builder), own["category"][0], f"{own.height:,}", f"{own['scene_id'].n_unique():,}", spread, mean)
            )
        columns = ("builder", "anchor", "queries", "scenes", "horizon, frames", "negatives before the target")
        return Findings([], [Table("Queries", columns, rows, "Nothing is enforced; builder 0 takes a body away.")])


@final
class CorpusBalance(ConfigSuite):
    """Of ``retrieval_corpus``."""

    name = NAME
    about = "What the corpus holds: frames by kind of run, and how many a scene."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Tables alone."""
        index = config.index
        if index.is_empty():
            return Findings()
        kinds = index.select("scene_id", kind=pl.col("variant").str.split("-").list.first())
        rows = [
            (str(kind), f"{own.height:,}", f"{own['scene_id'].n_unique():,}")
            for (kind,), own in kinds.sort("kind").group_by("kind", maintain_order=True)
        ]
        return Findings(
            [], [Table("Frames", ("run", "frames", "scenes"), rows, "The paper's corpus has 10,000 frames.")]
        )
