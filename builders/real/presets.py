"""Presets, as data: what pairs are asked, and how questions are chosen from what can be asked (real.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flowbench.errors import unknown_name


@dataclass(frozen=True)
class Preset:
    """How questions are made and chosen.

    Attributes:
        name: of the preset.
        always_unchanged: whether questions that the move does not change are posed of every pair, so that the answer
            can be kept independent of the before-answer; else only of pairs without any other (B.4, "Flips").
        independent: whether the choice evens answers out within everything a blind reader sees; else the paper's caps
            are all there is, and shortcuts are reported.
        paper_options: whether counts are offered as in the paper (none below the right one and the one before).
        named_share: chance that an item whose objects can all be named is asked by name.
    """

    name: str
    always_unchanged: bool
    independent: bool
    paper_options: bool
    named_share: float = 0.25


PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("balanced", always_unchanged=True, independent=True, paper_options=False),
        Preset("paper", always_unchanged=False, independent=False, paper_options=True),
    )
}


def preset_named(name: str) -> Preset:
    """The preset called ``name``; UsageError with the nearest name if there is none."""
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]
