"""One drawn variant: every size and shape from the type's row in the module's table, every material from the palette.

A table (``seating.toml`` beside ``seating.py``) holds the rows of its module's types, styles side by side::

    [Sofa]
    width = { train = [1.45, 2.05], test = [2.12, 2.5] }         # a range: uniform between two floats
    drawers = { train = [3, 4], test = [2, 2] }                  # a count: uniform over whole numbers, ends included
    arms = { train = ["box", "round"], test = ["rolled"] }       # shapes: one of the words
    cushions = { train = 0.6, test = 0.3 }                       # a chance

So a style that is held out shares no range and no shape with the other (tests/test_styles.py), and each maker reads
as what the styles have in common.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, final

import numpy as np

from flowbench.errors import unknown_name
from flowbench.rendering import Material

from ..tables import Range, read_table
from . import palette as materials
from .palette import RGB

Row = Mapping[str, Mapping[str, Any]]
"""Parameter -> style -> value."""


@functools.cache
def rows_of(module: str) -> Mapping[str, Row]:
    """The table of a module of models by its name, e.g. ``"seating"``: row -> parameters."""
    return read_table(f"models/{module}.toml")


@final
class Draw:
    """What a maker of models draws from: one generator, one style, one row of a table."""

    def __init__(self, rng: np.random.Generator, style: str, row: Row) -> None:
        """Draw from ``row`` in ``style``; an unknown style is a :class:`~flowbench.errors.UsageError`."""
        self.rng = rng
        self.style = style
        self._row = row
        self.palette = materials.palette(style)

    def _value(self, name: str) -> Any:
        if name not in self._row:
            raise unknown_name("parameter", name, self._row)
        return self._row[name][self.style]

    def size(self, name: str) -> float:
        """A number of the style's range ``name``, uniform, rounded to 0.1 mm (metres unless the table says else)."""
        low, high = self._value(name)
        return materials.between(self.rng, float(low), float(high))

    def count(self, name: str) -> int:
        """A whole number of the style's range ``name``, ends included."""
        low, high = self._value(name)
        return int(self.rng.integers(low, high + 1))

    def shape(self, name: str) -> str:
        """One of the style's words ``name``, equally likely."""
        words: list[str] = self._value(name)
        return words[int(self.rng.integers(len(words)))]

    def chance(self, name: str) -> bool:
        """True with the style's probability ``name``."""
        return materials.chance(self.rng, float(self._value(name)))

    def between(self, low: float, high: float) -> float:
        """A small irregularity that no style owns, rounded to 0.1 mm."""
        return materials.between(self.rng, low, high)

    def colour(self, saturation: Range = (0.25, 0.7), value: Range = (0.5, 0.9)) -> RGB:
        """A free colour of the style's hues, sRGB."""
        return materials.colour(self.rng, self.style, saturation, value)

    def wood(self) -> Material:
        """Varnished wood."""
        return materials.wood(self.rng, self.style)

    def lacquer(self) -> Material:
        """Painted wood."""
        return materials.lacquer(self.rng, self.style)

    def timber(self, painted: float = 0.3) -> Material:
        """Wood, or with the probability ``painted`` painted wood."""
        return materials.timber(self.rng, self.style, painted)

    def metal(self) -> Material:
        """Bare metal of one of the style's kinds."""
        return materials.metal(self.rng, self.style)

    def cloth(self, *, patterned: bool = True) -> Material:
        """Upholstery or bedding."""
        return materials.cloth(self.rng, self.style, patterned=patterned)

    def glaze(self) -> Material:
        """Glazed ceramic."""
        return materials.glaze(self.rng, self.style)

    def plastic(self) -> Material:
        """Coloured plastic."""
        return materials.plastic(self.rng, self.style)

    def stone(self) -> Material:
        """A worktop's or statue's stone."""
        return materials.stone(self.rng, self.style)

    @property
    def steel(self) -> Material:
        """Appliances' and fittings' metal."""
        return Material(self.palette.metal, self.palette.steel, 0.3, 0.8, 2.0)

    @property
    def dark(self) -> Material:
        """Dark plastic."""
        return Material("plain", self.palette.dark, 0.45)

    @property
    def white(self) -> Material:
        """White plastic or enamel."""
        return Material("plain", self.palette.white, 0.35)

    @property
    def porcelain(self) -> Material:
        """Sanitary ware."""
        return Material("plain", self.palette.porcelain, 0.15)
