"""Light of homes in each style (``light_setups.toml``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .tables import Colour, Range, as_colour, as_range


@dataclass(frozen=True)
class Sky:
    """What is seen through a home's windows.

    Attributes:
        view: the texture.
        colour: of its light, linear RGB of about unit luminance.
    """

    view: str
    colour: Colour


@dataclass(frozen=True)
class LightSetUp:
    """Where a style's light comes from; colours are linear RGB.

    Attributes:
        key_slope: horizontal over vertical share of the key light's and the sun's direction.
        key_strength: of the key light, which comes through the roof.
        key_warmth: by how much red is above and blue below green in the key light and the sun.
        sun_strength: of the sun, which comes through windows.
        ambient: factor on ``ambient_up`` and ``ambient_down``.
        ambient_up, ambient_down: irradiance on surfaces that face up / down.
        exposure: factor before tone mapping.
        lamps: least and most ceiling lamps of a room; they share its power.
        lamp_power: of a room's lamps together.
        lamp_colours: of unit luminance, warm to cool.
        daylight: of a square metre of window.
        glow: of what is seen through windows.
        skies: one of them lies round a home.
    """

    key_slope: Range
    key_strength: Range
    key_warmth: Range
    sun_strength: Range
    ambient: Range
    ambient_up: Colour
    ambient_down: Colour
    exposure: Range
    lamps: tuple[int, int]
    lamp_power: Range
    lamp_colours: tuple[Colour, ...]
    daylight: Range
    glow: Range
    skies: tuple[Sky, ...]


_RANGES = (
    *("key_slope", "key_strength", "key_warmth", "sun_strength"),
    *("ambient", "exposure", "lamp_power", "daylight", "glow"),
)


def light_setup_of(table: Mapping[str, Any]) -> LightSetUp:
    """A style's table as a record."""
    least, most = table["lamps"]
    return LightSetUp(
        lamps=(int(least), int(most)),
        ambient_up=as_colour(table["ambient_up"]),
        ambient_down=as_colour(table["ambient_down"]),
        lamp_colours=tuple(as_colour(c) for c in table["lamp_colours"]),
        skies=tuple(Sky(row["view"], as_colour(row["colour"])) for row in table["skies"]),
        **{name: as_range(table[name]) for name in _RANGES},
    )
