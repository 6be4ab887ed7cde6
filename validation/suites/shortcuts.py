"""Shortcuts (quality.md, 6): nothing that can be read without imagining the motion pays.

The table states every rule's accuracy with its 95% interval. A rule breaks the release if the lower end exceeds chance
by more than 3 points. A category needs about 2,400 samples for the claim that nothing pays by more than that; with
fewer, rules are judged by the interval that holds for all of them at once, so that of a hundred rules over a few dozen
samples the luckiest is not called a shortcut. Classifiers learn from and are judged on whole scenes, drawn by a digest
of their names until they hold 3,000 samples of a category.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, final

import polars as pl

from ..shortcuts import ALLOWED, COLUMNS, ENOUGH, FEWEST, Score, blind_frame, blind_scores, items_of
from .base import ConfigSuite, Findings, OpenedConfig, Share, Table, Violation

LIMIT: Final = f"The lower end of a rule's 95% interval lies at most {ALLOWED * 100:.0f} points above chance"


@final
class Shortcuts(ConfigSuite):
    """Blind rules and classifiers against chance, category by category."""

    name = "shortcuts"
    about = "No blind rule and no classifier over texts is certainly better than chance by more than 3 points."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Which rules pay, and the table of all."""
        scores = scores_of(config.index)
        return Findings([*paying(scores)], [score_table(scores)], shares_of(scores))


def scores_of(index: pl.DataFrame) -> list[Score]:
    """Every rule in every category of an index; a category at a time, for items are large."""
    blind = index.select(COLUMNS)
    scores: list[Score] = []
    for category in sorted(blind["category"].unique()):
        own = blind_frame(blind.filter(pl.col("category") == category))
        scores.extend(blind_scores(items_of(own)))
    return scores


def shares_of(scores: Sequence[Score]) -> list[Share]:
    """All scores for the plot, with the table's verdict."""
    return [
        Share(each.category, each.rule, each.accuracy, each.low, each.high, each.chance, _verdict(each, len(scores)))
        for each in scores
    ]


def score_table(scores: Sequence[Score]) -> Table:
    """All scores, the verdict in the last column."""
    rows = [
        (
            score.category,
            score.rule,
            f"{score.samples:,}",
            f"{score.accuracy:.1%}",
            f"{score.low:.1%} to {score.high:.1%}",
            f"{score.chance:.1%}",
            _verdict(score, len(scores)),
        )
        for score in scores
    ]
    limits = (
        f"{LIMIT}; with fewer than {ENOUGH:,} samples, that of the interval for all rules at once; below {FEWEST} "
        "nothing is concluded."
    )
    columns = ("category", "rule", "samples", "accuracy", "95% interval", "chance", "pays")
    return Table("Without looking", columns, rows, limits)


def _verdict(score: Score, rules: int) -> str:
    if score.pays_among(rules):
        return "yes"
    if score.pays:
        return "too few to tell" if score.samples < FEWEST else "perhaps luck"
    return "no" if score.samples >= ENOUGH else "not seen"


def paying(scores: Sequence[Score]) -> Iterator[Violation]:
    """A violation a rule that pays even if it is the luckiest of all."""
    for score in scores:
        if score.pays_among(len(scores)):
            yield Violation(
                "a blind rule pays",
                f"{score.category}: {score.rule} is right in {score.accuracy:.1%} of {score.samples:,} samples, "
                f"95% interval {score.low:.1%} to {score.high:.1%}",
                f"a lower end of at most {score.chance + ALLOWED:.1%}, chance being {score.chance:.1%}",
            )
