"""Materials of the models: a palette per style, and draws from it.

A style is data. Colours are sRGB tints of the textures; none is so dark that its shape is lost in a picture.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flowbench.errors import unknown_name
from flowbench.rendering import Material

RGB = tuple[float, float, float]
Range = tuple[float, float]


@dataclass(frozen=True)
class Palette:
    """What a style may look like.

    Attributes:
        woods: tints of the wood texture.
        lacquers: colours of painted furniture.
        fabrics: textures of cloth.
        hues: bands (low, high) of the colour circle, 0..1, that free colours come from.
        metals: (colour, roughness, metallic).
        stones: (texture, tint) of stone and worktops.
    """

    woods: tuple[RGB, ...]
    lacquers: tuple[RGB, ...]
    fabrics: tuple[str, ...]
    hues: tuple[Range, ...]
    metals: tuple[tuple[RGB, float, float], ...]
    stones: tuple[tuple[str, RGB], ...]


PALETTES: Mapping[str, Palette] = {
    "train": Palette(
        woods=((1.0, 0.96, 0.88), (1.0, 0.88, 0.74), (0.90, 0.74, 0.62), (0.72, 0.61, 0.54), (0.86, 0.85, 0.82)),
        lacquers=((0.95, 0.95, 0.93), (0.93, 0.90, 0.82), (0.52, 0.60, 0.66), (0.56, 0.66, 0.56), (0.80, 0.50, 0.42)),
        fabrics=("fabric", "fabric", "stripes", "check"),
        hues=((0.0, 0.14), (0.20, 0.42), (0.48, 0.68), (0.86, 0.99)),
        metals=(((0.82, 0.83, 0.85), 0.3, 0.8), ((0.86, 0.70, 0.44), 0.35, 0.75), ((0.42, 0.42, 0.44), 0.5, 0.4)),
        stones=(("marble", (0.97, 0.96, 0.94)), ("marble", (0.72, 0.73, 0.75)), ("concrete", (0.82, 0.80, 0.76))),
    ),
}


def palette(style: str) -> Palette:
    """The palette of a style; an unknown one is a :class:`~flowbench.errors.UsageError`."""
    if style not in PALETTES:
        raise unknown_name("style", style, PALETTES)
    return PALETTES[style]


def hsv(hue: float, saturation: float, value: float) -> RGB:
    """An sRGB colour from hue, saturation, value in 0..1."""
    return colorsys.hsv_to_rgb(hue % 1.0, saturation, value)


def colour(rng: np.random.Generator, style: str, saturation: Range = (0.25, 0.7), value: Range = (0.5, 0.9)) -> RGB:
    """A free colour: a hue of the style's bands."""
    bands = palette(style).hues
    low, high = bands[int(rng.integers(len(bands)))]
    return hsv(float(rng.uniform(low, high)), float(rng.uniform(*saturation)), float(rng.uniform(*value)))


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
    return Material("wood", (tint[0] * shade, tint[1] * shade, tint[2] * shade), 0.45, 0.0, 1.25)


def lacquer(rng: np.random.Generator, style: str) -> Material:
    """Painted wood."""
    lacquers = palette(style).lacquers
    return Material("plain", lacquers[int(rng.integers(len(lacquers)))], 0.4)


def timber(rng: np.random.Generator, style: str, painted: float = 0.3) -> Material:
    """Wood, or with the probability ``painted`` painted wood."""
    return lacquer(rng, style) if chance(rng, painted) else wood(rng, style)


def metal(rng: np.random.Generator, style: str) -> Material:
    """Steel, brass or dark iron."""
    metals = palette(style).metals
    tint, roughness, metallic = metals[int(rng.integers(len(metals)))]
    return Material("metal", tint, roughness, metallic, 2.0)


STEEL = Material("metal", (0.82, 0.83, 0.85), 0.3, 0.8, 2.0)
BLACK_PLASTIC = Material("plain", (0.16, 0.16, 0.17), 0.45)
WHITE = Material("plain", (0.95, 0.95, 0.94), 0.35)


def cloth(rng: np.random.Generator, style: str, *, patterned: bool = True) -> Material:
    """Upholstery or bedding."""
    fabrics = palette(style).fabrics
    texture = fabrics[int(rng.integers(len(fabrics)))] if patterned else "fabric"
    scale = 4.0 if texture == "fabric" else float(rng.uniform(1.6, 3.0))
    return Material(texture, colour(rng, style, (0.12, 0.5), (0.58, 0.9)), 0.95, 0.0, scale)


def glaze(rng: np.random.Generator, style: str) -> Material:
    """Glazed ceramic: white now and then, else coloured."""
    tint = (0.95, 0.94, 0.91) if chance(rng, 0.2) else colour(rng, style, (0.25, 0.65), (0.55, 0.92))
    return Material("plain", tint, 0.22)


def plastic(rng: np.random.Generator, style: str) -> Material:
    """Coloured plastic."""
    return Material("plain", colour(rng, style, (0.35, 0.8), (0.5, 0.9)), 0.45)


def stone(rng: np.random.Generator, style: str) -> Material:
    """A worktop's or statue's stone."""
    stones = palette(style).stones
    texture, tint = stones[int(rng.integers(len(stones)))]
    return Material(texture, tint, 0.3, 0.0, 1.4)
