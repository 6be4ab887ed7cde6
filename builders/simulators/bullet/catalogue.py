"""The catalogue: which object types there are, how AI2-THOR flags them, where they belong.

The table is data (``catalogue.toml``); this module reads it and joins each row to its model maker.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module, resources
from types import MappingProxyType
from typing import Any

import numpy as np

from .model import Model
from .models.draw import Draw, Row, rows_of

Maker = Callable[[Draw], Model]
"""Makes one variant."""


@dataclass(frozen=True)
class ObjectType:
    """One row of the catalogue.

    Attributes:
        name: AI2-THOR's type name.
        label: how a text calls it, e.g. ``"dining table"``.
        maker: makes a variant from a draw.
        shapes: the row's sizes and shapes in every style, see :mod:`.models.draw`.
        pickupable, moveable, receptacle: as AI2-THOR flags the type.
        placement: ``wall`` (back to a wall), ``corner``, ``aside`` (near a wall), ``floor`` (free standing),
            ``table`` (free standing, with room for chairs), ``around`` (grouped at ``beside``), ``surface`` (on
            ``on``), ``hung`` (on a wall, at ``height``), ``ceiling`` or ``rug``.
        rooms: room type -> (fewest, most) in such a room.
        on: receptacle types it may stand on (``surface`` only).
        beside: types it is grouped with (``around`` only).
        height: lower edge above the floor in metres (``hung`` only).
        matching: all of a room look alike, as chairs at a table do.
        turns: which shape of :attr:`shapes` the matching ones take in turn, e.g. counters plain, with a sink, with
            a cooker; empty where they are one variant.
    """

    name: str
    label: str
    maker: Maker
    shapes: Row
    pickupable: bool
    moveable: bool
    receptacle: bool
    placement: str
    rooms: Mapping[str, tuple[int, int]]
    on: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    height: float = 0.0
    matching: bool = False
    turns: str = ""

    def make(self, rng: np.random.Generator, style: str) -> Model:
        """A fresh variant in a style (``"train"`` or ``"test"``; unknown: UsageError)."""
        return self._made(rng, style, self.shapes)

    def make_set(self, rng: np.random.Generator, style: str, count: int) -> list[Model]:
        """``count`` variants for one room: alike if the type is matching."""
        if not self.matching:
            return [self.make(rng, style) for _ in range(count)]
        if not self.turns:
            return [self.make(rng, style)] * count
        alike = [deepcopy(rng) for _ in range(count)]
        rng.random()
        return [self._made(each, style, _turned(self.shapes, self.turns, k)) for k, each in enumerate(alike)]

    def _made(self, rng: np.random.Generator, style: str, shapes: Row) -> Model:
        return self.maker(Draw(rng, style, shapes))


def _turned(shapes: Row, name: str, by: int) -> Row:
    """The row with the words of one shape moved on, so that equal draws take another word."""
    words = {
        style: [*values[by % len(values) :], *values[: by % len(values)]] for style, values in shapes[name].items()
    }
    return {**shapes, name: words}


def _row(name: str, row: Mapping[str, Any]) -> ObjectType:
    module, maker = row["make"].split(".")
    flags = row["flags"]
    return ObjectType(
        name=row.get("type", name),
        label=row["label"],
        maker=getattr(import_module(f"{__package__}.models.{module}"), maker),
        shapes=_less(rows_of(module).get(row.get("shapes", name), {}), row.get("without", {})),
        pickupable="pickupable" in flags,
        moveable="moveable" in flags,
        receptacle="receptacle" in flags,
        placement=row["placement"],
        rooms=MappingProxyType({room: (fewest, most) for room, (fewest, most) in row["rooms"].items()}),
        on=tuple(row.get("on", ())),
        beside=tuple(row.get("beside", ())),
        height=float(row.get("height", 0.0)),
        matching=bool(row.get("matching", False)),
        turns=row.get("turns", ""),
    )


def _less(shapes: Row, without: Mapping[str, Any]) -> Row:
    """The row less some words of some shapes, e.g. dining chairs that are no office chairs."""
    return {
        name: {style: [word for word in words if word not in without[name]] for style, words in values.items()}
        if name in without
        else values
        for name, values in shapes.items()
    }


def _read() -> Mapping[str, ObjectType]:
    table = tomllib.loads(resources.files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: _row(name, row) for name, row in table.items()})


CATALOGUE: Mapping[str, ObjectType] = _read()
"""Object types in the table's order, by the row's name: AI2-THOR's type, unless the row says ``type``."""
