"""Shortcuts of selection: blind rules over candidates, tables and classifiers against a guess among four."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

from ...dynapix.blind import asked_of, scores
from ..base import ConfigSuite, Findings, OpenedConfig
from ..shortcuts import paying, score_table, shares_of


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
