"""Shortcuts: of selection against a guess among four, of retrieval against one among the frames of the target's run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import polars as pl

from ...dynapix import searching
from ...dynapix.blind import asked_of, scores
from ..base import ConfigSuite, Findings, OpenedConfig
from ..shortcuts import paying, score_table, shares_of
from .corpus import CORPUS


@final
class BlindChoice(ConfigSuite):
    """See :mod:`~flowbench.validation.dynapix.blind`."""

    name = "shortcuts"
    about = "No blind rule over letters, times, looks or words is certainly better than 25% by more than 3 points."
    needs: ClassVar[tuple[str, ...]] = ("numba",)

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Which rules pay, and the table of all."""
        if config.index.is_empty() or config.facts.is_empty():
            return Findings()
        found = list(scores(asked_of(config.index, config.facts)))
        return Findings([*paying(found)], [score_table(found)], shares_of(found))


@final
class BlindSearch(ConfigSuite):
    """See :mod:`~flowbench.validation.dynapix.searching`; needs the corpus of the same release."""

    name = BlindChoice.name
    about = "Where targets lie among their run's corpus frames does not tell them, by more than 3 points over a guess."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Which rules pay, and the table of all."""
        corpus = others.get(CORPUS)
        if corpus is None or config.index.is_empty() or corpus.index.is_empty():
            return Findings()
        runs = searching.runs_in(corpus.index["frame_id"].to_list())
        rows = config.index.select("category", "builder", "target_frame_id", last=pl.col("prefix").struct.field("last"))
        asked = [
            searching.searched_of(category, builder, target, last, runs)
            for category, builder, target, last in rows.iter_rows()
        ]
        found = list(searching.scores([each for each in asked if each is not None]))
        return Findings([*paying(found)], [score_table(found)], shares_of(found))
