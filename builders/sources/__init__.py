"""Scenes that others made or recorded, one module for each kind of file."""

from __future__ import annotations

from collections.abc import Mapping

from .given import HOUSES
from .profiles import profiles

SOURCES: Mapping[str, tuple[str, ...]] = {
    HOUSES: ("sim_train", "sim_test"),
    **dict.fromkeys(profiles(), ("real_train", "real_test")),
    "movi": ("selection_movi",),
    "physion": ("selection_physion",),
    "clevrer": ("selection_clevrer",),
}
"""Name of a source -> the configs that can be built from it (``flowbench build CONFIG --source NAME=PATH``)."""
