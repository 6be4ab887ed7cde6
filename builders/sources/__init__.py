"""Scenes that others made or recorded, one module for each kind of file."""

from __future__ import annotations

from collections.abc import Mapping

from .given import HOUSES

SOURCES: Mapping[str, tuple[str, ...]] = {
    HOUSES: ("sim_train", "sim_test"),
    "movi": ("selection_movi",),
    "physion": ("selection_physion",),
}
"""Name of a source -> the configs that can be built from it (``flowbench build CONFIG --source NAME=PATH``)."""
