"""Finishes of homes in each style (``finishes.toml``): what walls, floors, ceilings, doors and frames are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flowbench.rendering import Material

from .tables import Colour, as_colour


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
class Finishes:
    """The finishes that a style draws from.

    Attributes:
        walls, accents, floors: room type -> finishes; an accent may cover one wall of a room.
        trims: baseboards, door and window frames.
        ceilings: ceiling finishes.
        doors: finishes of closed leaves.
    """

    walls: Mapping[str, tuple[Finish, ...]]
    accents: Mapping[str, tuple[Finish, ...]]
    floors: Mapping[str, tuple[Finish, ...]]
    trims: tuple[Finish, ...]
    ceilings: tuple[Finish, ...]
    doors: tuple[Finish, ...]


def finishes_of(table: Mapping[str, Any]) -> Finishes:
    """A style's table as a record."""
    known = {name: _finish(row) for name, row in table["finishes"].items()}

    def named(names: Sequence[str]) -> tuple[Finish, ...]:
        return tuple(known[name] for name in names)

    return Finishes(
        walls={room: named(names) for room, names in table["walls"].items()},
        accents={room: named(names) for room, names in table["accents"].items()},
        floors={room: named(names) for room, names in table["floors"].items()},
        trims=named(table["trims"]),
        ceilings=named(table["ceilings"]),
        doors=named(table["doors"]),
    )


def _finish(row: Mapping[str, Any]) -> Finish:
    colours = tuple(as_colour(c) for c in row["colours"])
    return Finish(row["texture"], colours, float(row["roughness"]), float(row["scale"]))
