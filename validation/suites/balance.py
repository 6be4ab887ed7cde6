"""Balance (quality.md, 5): within what a blind reader sees every answer is about as frequent as every other."""

from __future__ import annotations

from collections.abc import Mapping

from .base import ConfigSuite, Findings, OpenedConfig


class Balance(ConfigSuite):
    """Shares of the answers within each value of what a blind reader sees, and of the letters."""

    name = "balance"
    about = "Within every value that a blind reader sees all answers are about equally frequent, and so are letters."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What is uneven, and tables of what the config holds."""
        return Findings()
