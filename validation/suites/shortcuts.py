"""Shortcuts (quality.md, 6): nothing that can be read without imagining the motion pays."""

from __future__ import annotations

from collections.abc import Mapping

from .base import ConfigSuite, Findings, OpenedConfig


class Shortcuts(ConfigSuite):
    """Blind rules and classifiers against chance, category by category."""

    name = "shortcuts"
    about = "No blind rule and no classifier over texts is certainly better than chance by more than 3 points."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """Which rules pay, and the table of all."""
        return Findings()
