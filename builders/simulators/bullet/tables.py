"""Reading the engine's tables: a TOML file of this package, and its pairs and colours."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

Range = tuple[float, float]
Colour = tuple[float, float, float]


def read_table(name: str) -> Mapping[str, Any]:
    """A TOML file of this package, e.g. ``"finishes.toml"``."""
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


def as_range(value: Sequence[float]) -> Range:
    """A pair (low, high)."""
    low, high = value
    return float(low), float(high)


def as_colour(value: Sequence[float]) -> Colour:
    """A triple (red, green, blue)."""
    red, green, blue = value
    return float(red), float(green), float(blue)
