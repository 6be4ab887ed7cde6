"""Pairs and episodes of recorded videos: none in two splits, and of a test pair one question (paper, B.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

import polars as pl

from flowbench.schema import ConfigSpec

from ...real.evidence import TEST
from ...real.shares import pairs_twice
from ..base import ConfigSuite, Findings, OpenedConfig, Violation

_KEPT_APART = {"pair": "image pair in two splits", "episode": "episode in two splits"}


@final
@dataclass(frozen=True)
class ApartPairs(ConfigSuite):
    """The part of the leakage suite that knows pairs and episodes.

    Attributes:
        spec: of the config; of test pairs one question is asked.
    """

    spec: ConfigSpec
    name = "leakage"
    about = "No scene, episode, pair or picture lies in two splits or configs; a test pair has one question."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Pairs with several questions, and what lies on both sides."""
        violations = [*self._twice(config)]
        for name in sorted(others):
            if name != config.spec.name:
                violations.extend(_shared(config, others[name]))
        return Findings(violations)

    def _twice(self, config: OpenedConfig) -> Iterator[Violation]:
        if self.spec.splits[0] != TEST or config.index.is_empty():
            return
        for pair, count in pairs_twice(config.index):
            yield Violation("questions of a test pair", f"{pair} has {count}", "one question a pair")


def _shared(config: OpenedConfig, other: OpenedConfig) -> Iterator[Violation]:
    for column, rule in _KEPT_APART.items():
        if not all(column in each.facts.columns for each in (config, other)):
            continue
        theirs = other.facts[column].drop_nulls().unique()
        both = config.facts.filter(pl.col(column).is_in(theirs.implode())).sort("key")
        for row in both.unique(column, keep="first", maintain_order=True).iter_rows(named=True):
            found = f"{row[column]} is also in {other.spec.name}"
            yield Violation(rule, found, "each in one", key=row["key"], split=row["split"], file=row["file"])
