"""What can stand on a table: the rows of ``things.toml``, drawn variants of them, and the models that recipes make."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import numpy as np

from flowbench.builders.simulators.bullet.model import Model
from flowbench.builders.simulators.bullet.models.assembly import Assembly
from flowbench.errors import UsageError, unknown_name

from . import groceries, household, toys
from .scene import Colour, Recipe, TableObject

_TOLERANCE = 0.0012
"""How far collision parts may simplify turned outlines, metres: fingers on the parts look as if on the thing."""
_SHADE = (0.92, 1.06)
_MAKERS: Mapping[str, Callable[[Assembly, Recipe], None]] = {**household.MAKERS, **groceries.MAKERS, **toys.MAKERS}


@dataclass(frozen=True)
class Kind:
    """A row of the table.

    Attributes:
        name: its key.
        label: its noun in words.
        maker: what makes its model.
        colours: names of the colours it comes in.
        said: whether a text says its colour.
        sizes: (low, high) of each of its sizes, metres unless the maker says else.
        grip: directions in its frame in which fingers close on it: ``"any"``, ``"x"``, ``"y"``, ``"xy"``, ``"none"``.
        push: directions in its frame in which it is pushed: ``"any"``, ``"faces"``, ``"sides"`` or ``"none"``.
        toy: a block of the top-down set-up.
    """

    name: str
    label: str
    maker: str
    colours: tuple[str, ...]
    said: bool
    sizes: Mapping[str, tuple[float, float]]
    grip: str
    push: str
    toy: bool


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("things.toml").read_text(encoding="utf-8"))


@cache
def colours() -> Mapping[str, Colour]:
    """sRGB of each colour's name."""
    return {name: (rgb[0], rgb[1], rgb[2]) for name, rgb in _table()["colours"].items()}


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by name."""
    return {name: _kind(name, row) for name, row in _table()["kinds"].items()}


def _kind(name: str, row: Mapping[str, Any]) -> Kind:
    sizes = {size: (float(low), float(high)) for size, (low, high) in row["sizes"].items()}
    said = not row.get("unsaid", False)
    toy = bool(row.get("toy", False))
    return Kind(name, row["label"], row["maker"], tuple(row["colours"]), said, sizes, row["grip"], row["push"], toy)


def draw_thing(rng: np.random.Generator, kind: Kind) -> TableObject:
    """A variant of a kind."""
    colour = kind.colours[int(rng.integers(len(kind.colours)))]
    shade = float(rng.uniform(*_SHADE))
    red, green, blue = (round(min(value * shade, 1.0), 4) for value in colours()[colour])
    sizes = {name: round(float(rng.uniform(low, high)), 4) for name, (low, high) in kind.sizes.items()}
    recipe = Recipe(
        kind=kind.name, colour=colour, tint=(red, green, blue), sizes=sizes, style=int(rng.integers(1 << 20))
    )
    model = model_of(recipe)
    low, high = (np.round(bound, 5).tolist() for bound in model.mesh.bounds)
    return TableObject(
        name=f"{colour} {kind.label}" if kind.said else kind.label,
        kind=kind.name,
        label=kind.label,
        colour=colour if kind.said else "",
        size=tuple(round(b - a, 5) for a, b in zip(low, high, strict=True)),
        parts=[[tuple(corner) for corner in part.tolist()] for part in model.parts],
        recipe=recipe,
    )


def model_of(recipe: Recipe) -> Model:
    """The model that a recipe makes.

    Raises:
        UsageError: the kind is unknown, or its sizes are not those that it has.
    """
    if recipe.kind not in kinds():
        raise unknown_name("kind of thing", recipe.kind, kinds())
    ranges = kinds()[recipe.kind].sizes
    if recipe.sizes.keys() != ranges.keys() or not all(
        0.5 * low <= recipe.sizes[name] <= 2.0 * high for name, (low, high) in ranges.items()
    ):
        raise UsageError(f"a {recipe.kind} of the sizes {recipe.sizes}, expected some near {dict(ranges)}.")
    return _model(recipe.kind, recipe.colour, recipe.tint, tuple(sorted(recipe.sizes.items())), recipe.style)


@lru_cache(maxsize=128)
def _model(kind: str, colour: str, tint: Colour, sizes: tuple[tuple[str, float], ...], style: int) -> Model:
    assembly = Assembly(kind, tolerance=_TOLERANCE)
    recipe = Recipe(kind=kind, colour=colour, tint=tint, sizes=dict(sizes), style=style)
    _MAKERS[kinds()[kind].maker](assembly, recipe)
    return assembly.model(0.2)


@lru_cache(maxsize=512)
def directions(way: str, corners: int) -> tuple[float, ...]:
    """Angles in a thing's frame, radians, that ``grip`` or ``push`` allows; all round in steps where any will do."""
    if way == "any":
        return tuple(2.0 * math.pi * i / 24 for i in range(24))
    if way == "sides":
        return tuple(0.5 * math.pi + 2.0 * math.pi * i / corners for i in range(corners))
    quarter = 0.5 * math.pi
    steps = {"none": (), "x": (0, 2), "y": (1, 3), "xy": (0, 1, 2, 3), "faces": (0, 1, 2, 3)}[way]
    return tuple(quarter * step for step in steps)
