"""Styles: palettes, materials and proportions of homes, as data (``styles.toml``).

A style belongs to a scene pool: ``homes_train`` is built in style ``train``; a style that training never sees
serves the held-out pool (sim.md, "Scenes").
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from flowbench.errors import unknown_name
from flowbench.rendering import Material

POOL_STYLES: Mapping[str, str] = {"homes_train": "train"}
"""Scene pool -> style."""

Range = tuple[float, float]
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Finish:
    """A surface finish and the colours it comes in (sRGB, 0..1)."""

    texture: str
    colours: tuple[Colour, ...]
    roughness: float
    scale: float

    def draw(self, rng: np.random.Generator) -> Material:
        """One of its colours as a material."""
        colour = self.colours[int(rng.integers(len(self.colours)))]
        return Material(self.texture, colour, self.roughness, 0.0, self.scale)


@dataclass(frozen=True)
class Style:
    """Everything about a home's looks and proportions that is not a model.

    Attributes:
        name: the style's name.
        room_counts: numbers of rooms, each as often as it is drawn.
        programmes: number of rooms -> the sets of room types drawn from.
        areas: room type -> floor area in square metres aimed at.
        side: least and greatest side of a room between wall centre lines, metres.
        height: floor to ceiling, metres.
        door_width, door_height: clear opening, metres.
        window_width, window_sill, window_head: metres.
        eye_height: of the observer, metres (drawn once a home).
        density: factor on the number of small objects (drawn once a home).
        walls, accents, floors: room type -> finishes; an accent may cover one wall of a room.
        trims: baseboards, door and window frames.
        ceilings: ceiling finishes.
        doors: finishes of closed leaves.
        lamp_colours: linear RGB of unit luminance, warm to cool.
        skies: (colour at the horizon, colour above), sRGB.
    """

    name: str
    room_counts: tuple[int, ...]
    programmes: Mapping[int, tuple[tuple[str, ...], ...]]
    areas: Mapping[str, Range]
    side: Range
    height: Range
    door_width: Range
    door_height: float
    window_width: Range
    window_sill: Range
    window_head: Range
    eye_height: Range
    density: Range
    walls: Mapping[str, tuple[Finish, ...]]
    accents: Mapping[str, tuple[Finish, ...]]
    floors: Mapping[str, tuple[Finish, ...]]
    trims: tuple[Finish, ...]
    ceilings: tuple[Finish, ...]
    doors: tuple[Finish, ...]
    lamp_colours: tuple[Colour, ...]
    skies: tuple[tuple[Colour, Colour], ...]


def style_of_pool(pool: str) -> Style:
    """The style of a scene pool; an unknown pool is a UsageError."""
    if pool not in POOL_STYLES:
        raise unknown_name("scene pool", pool, POOL_STYLES)
    return styles()[POOL_STYLES[pool]]


@functools.cache
def styles() -> Mapping[str, Style]:
    """All styles by name."""
    text = resources.files(__package__).joinpath("styles.toml").read_text(encoding="utf-8")
    return {name: _style(name, table) for name, table in tomllib.loads(text).items()}


def _style(name: str, table: Mapping[str, Any]) -> Style:
    finishes = {key: _finish(row) for key, row in table["finishes"].items()}

    def named(names: list[str]) -> tuple[Finish, ...]:
        return tuple(finishes[key] for key in names)

    return Style(
        name=name,
        room_counts=tuple(int(n) for n in table["room_counts"]),
        programmes={int(n): tuple(map(tuple, sets)) for n, sets in table["programmes"].items()},
        areas={room: _range(value) for room, value in table["areas"].items()},
        side=_range(table["side"]),
        height=_range(table["height"]),
        door_width=_range(table["door_width"]),
        door_height=float(table["door_height"]),
        window_width=_range(table["window_width"]),
        window_sill=_range(table["window_sill"]),
        window_head=_range(table["window_head"]),
        eye_height=_range(table["eye_height"]),
        density=_range(table["density"]),
        walls={room: named(names) for room, names in table["walls"].items()},
        accents={room: named(names) for room, names in table["accents"].items()},
        floors={room: named(names) for room, names in table["floors"].items()},
        trims=named(table["trims"]),
        ceilings=named(table["ceilings"]),
        doors=named(table["doors"]),
        lamp_colours=tuple(_colour(c) for c in table["lamp_colours"]),
        skies=tuple((_colour(low), _colour(high)) for low, high in table["skies"]),
    )


def _finish(row: Mapping[str, Any]) -> Finish:
    return Finish(
        row["texture"], tuple(_colour(c) for c in row["colours"]), float(row["roughness"]), float(row["scale"])
    )


def _range(value: list[float]) -> Range:
    low, high = value
    return float(low), float(high)


def _colour(value: list[float]) -> Colour:
    red, green, blue = value
    return float(red), float(green), float(blue)
