"""Materials of the models: a palette per style (``palettes.toml``), and draws from it.

Colours are sRGB tints of the textures; none is so dark that its shape is lost in a picture.
"""

from __future__ import annotations

import colorsys
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flowbench.errors import unknown_name
from flowbench.rendering import Material

from ..tables import Colour, Range, as_colour, as_range, read_table

RGB = Colour
_GREEN = 0.33


@dataclass(frozen=True)
class Palette:
    """What a style may look like.

    Attributes:
        wood, metal, plain_fabric: textures of wood, metal and cloth without a pattern.
        woods: tints of the wood.
        lacquers: colours of painted furniture.
        fabrics: textures of upholstery and bedding.
        hues: bands (low, high) of the colour circle, 0..1, that free colours come from.
        metals: (colour, roughness, metallic).
        stones: (texture, tint) of stone and worktops.
        steel, dark, white, porcelain: colours of appliances' metal, of dark and of white plastic, of sanitary ware.
    """

    wood: str
    woods: tuple[RGB, ...]
    lacquers: tuple[RGB, ...]
    plain_fabric: str
    fabrics: tuple[str, ...]
    hues: tuple[Range, ...]
    metal: str
    metals: tuple[tuple[RGB, float, float], ...]
    stones: tuple[tuple[str, RGB], ...]
    steel: RGB
    dark: RGB
    white: RGB
    porcelain: RGB


def _palette(table: Mapping[str, Any]) -> Palette:
    return Palette(
        wood=table["wood"],
        woods=tuple(map(as_colour, table["woods"])),
        lacquers=tuple(map(as_colour, table["lacquers"])),
        plain_fabric=table["plain_fabric"],
        fabrics=tuple(table["fabrics"]),
        hues=tuple(map(as_range, table["hues"])),
        metal=table["metal"],
        metals=tuple((as_colour(m["colour"]), float(m["roughness"]), float(m["metallic"])) for m in table["metals"]),
        stones=tuple((s["texture"], as_colour(s["colour"])) for s in table["stones"]),
        **{name: as_colour(table[name]) for name in ("steel", "dark", "white", "porcelain")},
    )


@functools.cache
def palettes() -> Mapping[str, Palette]:
    """The palettes of all styles by name."""
    return {name: _palette(table) for name, table in read_table("models/palettes.toml").items()}


def palette(style: str) -> Palette:
    """The palette of a style; an unknown one is a :class:`~flowbench.errors.UsageError`."""
    if style not in palettes():
        raise unknown_name("style", style, palettes())
    return palettes()[style]


def hsv(hue: float, saturation: float, value: float) -> RGB:
    """An sRGB colour from hue, saturation, value in 0..1."""
    return colorsys.hsv_to_rgb(hue % 1.0, saturation, value)


def colour(rng: np.random.Generator, style: str, saturation: Range = (0.25, 0.7), value: Range = (0.5, 0.9)) -> RGB:
    """A free colour: a hue of the style's bands."""
    bands = palette(style).hues
    low, high = bands[int(rng.integers(len(bands)))]
    hue, strong, bright = float(rng.uniform(low, high)), float(rng.uniform(*saturation)), float(rng.uniform(*value))
    # A pure green shines at saturations and values at which other colours do not.
    green = max(0.0, 1.0 - abs(hue - _GREEN) / 0.12)
    return hsv(hue, strong * (1.0 - 0.25 * green), bright * (1.0 - 0.2 * green))


def chance(rng: np.random.Generator, probability: float) -> bool:
    """True with this probability."""
    return bool(rng.random() < probability)


def between(rng: np.random.Generator, low: float, high: float) -> float:
    """A uniform number, rounded to 0.1 mm."""
    return round(float(rng.uniform(low, high)), 4)


def wood(rng: np.random.Generator, style: str) -> Material:
    """Varnished wood."""
    woods = palette(style).woods
    tint = woods[int(rng.integers(len(woods)))]
    shade = float(rng.uniform(0.9, 1.0))
    return Material(palette(style).wood, (tint[0] * shade, tint[1] * shade, tint[2] * shade), 0.45, 0.0, 1.25)


def lacquer(rng: np.random.Generator, style: str) -> Material:
    """Painted wood."""
    lacquers = palette(style).lacquers
    return Material("plain", lacquers[int(rng.integers(len(lacquers)))], 0.4)


def timber(rng: np.random.Generator, style: str, painted: float = 0.3) -> Material:
    """Wood, or with the probability ``painted`` painted wood."""
    return lacquer(rng, style) if chance(rng, painted) else wood(rng, style)


def metal(rng: np.random.Generator, style: str) -> Material:
    """Bare metal of one of the style's kinds."""
    metals = palette(style).metals
    tint, roughness, metallic = metals[int(rng.integers(len(metals)))]
    return Material(palette(style).metal, tint, roughness, metallic, 2.0)


def cloth(rng: np.random.Generator, style: str, *, patterned: bool = True) -> Material:
    """Upholstery or bedding."""
    plain, fabrics = palette(style).plain_fabric, palette(style).fabrics
    texture = fabrics[int(rng.integers(len(fabrics)))] if patterned else plain
    scale = 4.0 if texture == plain else float(rng.uniform(1.6, 3.0))
    return Material(texture, colour(rng, style, (0.10, 0.40), (0.58, 0.9)), 0.95, 0.0, scale)


def glaze(rng: np.random.Generator, style: str) -> Material:
    """Glazed ceramic: white now and then, else coloured."""
    tint = palette(style).porcelain if chance(rng, 0.2) else colour(rng, style, (0.2, 0.52), (0.58, 0.92))
    return Material("plain", tint, 0.22)


def plastic(rng: np.random.Generator, style: str) -> Material:
    """Coloured plastic."""
    return Material("plain", colour(rng, style, (0.25, 0.6), (0.5, 0.9)), 0.45)


def stone(rng: np.random.Generator, style: str) -> Material:
    """A worktop's or statue's stone."""
    stones = palette(style).stones
    texture, tint = stones[int(rng.integers(len(stones)))]
    return Material(texture, tint, 0.3, 0.0, 1.4)
