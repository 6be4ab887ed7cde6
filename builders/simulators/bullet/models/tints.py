"""Colours that a row of a table names by their hue, and the few materials that several models share."""

from __future__ import annotations

from flowbench.rendering import Material

from ..tables import Range
from .draw import Draw
from .palette import RGB, hsv

_CLEAR = 0.3
"""How much lighter than dark plastic a dark pane is."""


def tint(draw: Draw, hue: str, saturation: Range, value: Range) -> RGB:
    """A colour whose hue is the style's range ``hue`` (it may pass 1), its saturation and value free."""
    return hsv(draw.size(hue), float(draw.rng.uniform(*saturation)), float(draw.rng.uniform(*value)))


def tinted(draw: Draw, hue: str, saturation: Range, value: Range, roughness: float = 0.4) -> Material:
    """A plain material of such a colour."""
    return Material("plain", tint(draw, hue, saturation, value), roughness)


def pane(draw: Draw) -> Material:
    """Dark glass."""
    red, green, blue = (channel + _CLEAR * (0.62 - channel) for channel in draw.palette.dark)
    return Material("plain", (red, green, blue + 0.02), 0.1)


def water(draw: Draw) -> Material:
    """Clear water in something white."""
    red, green, blue = draw.palette.porcelain
    return Material("plain", (0.66 * red, 0.86 * green, 0.95 * blue), 0.05)


def paper(draw: Draw) -> Material:
    """Soft white paper."""
    return Material("plain", draw.palette.porcelain, 0.95)


def toned(colour: RGB, share: float) -> RGB:
    """A colour darkened to a share of itself."""
    red, green, blue = colour
    return red * share, green * share, blue * share
