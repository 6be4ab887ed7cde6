"""Light of homes in each style (``light_setups.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .tables import Colour, Range, as_colour, as_range


@dataclass(frozen=True)
class LightSetUp:
    """Where a style's light comes from.

    Attributes:
        key_slope: horizontal over vertical share of the key light's direction.
        key_strength: of the key light.
        key_warmth: by how much red is above and blue below green.
        ambient: factor on ``ambient_up`` and ``ambient_down``.
        ambient_up, ambient_down: linear RGB irradiance on surfaces that face up / down.
        exposure: factor before tone mapping.
        lamps: least and most ceiling lamps of a room; they share its power.
        lamp_power: of a room's lamps together.
        lamp_colours: linear RGB of unit luminance, warm to cool.
        skies: (colour at the horizon, colour above), sRGB.
    """

    key_slope: Range
    key_strength: Range
    key_warmth: Range
    ambient: Range
    ambient_up: Colour
    ambient_down: Colour
    exposure: Range
    lamps: tuple[int, int]
    lamp_power: Range
    lamp_colours: tuple[Colour, ...]
    skies: tuple[tuple[Colour, Colour], ...]


def light_setup_of(table: Mapping[str, Any]) -> LightSetUp:
    """A style's table as a record."""
    ranges = ("key_slope", "key_strength", "key_warmth", "ambient", "exposure", "lamp_power")
    least, most = table["lamps"]
    return LightSetUp(
        lamps=(int(least), int(most)),
        ambient_up=as_colour(table["ambient_up"]),
        ambient_down=as_colour(table["ambient_down"]),
        lamp_colours=tuple(as_colour(c) for c in table["lamp_colours"]),
        skies=tuple((as_colour(low), as_colour(high)) for low, high in table["skies"]),
        **{name: as_range(table[name]) for name in ranges},
    )
