"""Scenes that others made or recorded, one module for each kind of file."""

from __future__ import annotations

from collections.abc import Mapping

from .given import HOUSES

SOURCES: Mapping[str, tuple[str, ...]] = {
    HOUSES: ("sim_train", "sim_test"),
    **dict.fromkeys(
        ("bridge_v2", "droid", "language_table", "rt1", "berkeley_ur5", "tabletop", "tabletop_down"),
        ("real_train", "real_test"),  # by the names of their profiles
    ),
    "movi": ("selection_movi",),
    "physion": ("selection_physion",),
    "clevrer": ("selection_clevrer",),
}
"""Name of a source -> the configs that can be built from it (``flowbench build CONFIG --source NAME=PATH``)."""
