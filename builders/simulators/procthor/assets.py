"""AI2-THOR's assets: type, bounding box and flags (``assets.csv``), and which model of ours stands for each type.

``assets.csv`` is derived from the database of the ``procthor`` package by ``scripts/procthor_assets.py``.
"""

from __future__ import annotations

import csv
import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

from ..bullet.catalogue import CATALOGUE, ObjectType
from ..bullet.tables import Colour, as_colour


@dataclass(frozen=True)
class Asset:
    """One asset.

    Attributes:
        asset_id: AI2-THOR's name of it, e.g. ``"Bed_1"``.
        object_type: AI2-THOR's type.
        size: (width, depth, height) of its bounding box, closed, metres; its front is one of the two wide sides.
        pickupable, moveable, receptacle: as AI2-THOR flags it.
    """

    asset_id: str
    object_type: str
    size: tuple[float, float, float]
    pickupable: bool
    moveable: bool
    receptacle: bool


@dataclass(frozen=True)
class StandIn:
    """What an asset type looks like here.

    Attributes:
        kind: the row of our catalogue whose model or, with a form, whose place among objects it takes.
        form: a plain shape of :mod:`.forms`; empty where the row's model is used.
        label: how texts call it.
        low: the form of assets that are hardly higher than what they are let into; empty where there are none.
        colour: of the form, sRGB.
        lies: whether it may lie or stand otherwise than our model does.
        fixed: whether it hangs on a wall or is built in.
    """

    kind: ObjectType
    form: str
    low: str
    label: str
    colour: Colour
    lies: bool
    fixed: bool


@functools.cache
def assets() -> Mapping[str, Asset]:
    """All known assets by their id."""
    text = resources.files(__package__).joinpath("assets.csv").read_text(encoding="utf-8")
    return MappingProxyType({row["asset"]: _asset(row) for row in csv.DictReader(text.splitlines())})


@functools.cache
def stand_ins() -> Mapping[str, StandIn]:
    """What stands for each type of asset; openings are not among them."""
    text = resources.files(__package__).joinpath("stand_ins.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)
    ours = {kind.name: kind for kind in reversed(list(CATALOGUE.values()))}
    found = {}
    for name in sorted({asset.object_type for asset in assets().values()} - OPENINGS):
        row = rows.get(name, {})
        form = str(row.get("form", ""))
        kind = CATALOGUE[row["row"]] if "row" in row else ours["CellPhone"] if form else ours[name]
        colour = as_colour(row.get("colour", (0.7, 0.7, 0.7)))
        low, label = str(row.get("low", "")), str(row.get("label", kind.label))
        found[name] = StandIn(kind, form, low, label, colour, bool(row.get("lies")), bool(row.get("fixed")))
    return MappingProxyType(found)


OPENINGS = frozenset({"Doorframe", "Doorway", "Window"})
"""Types that are cut into walls."""


def _asset(row: Mapping[str, str]) -> Asset:
    flags = row["flags"]
    size = (float(row["width"]), float(row["depth"]), float(row["height"]))
    return Asset(row["asset"], row["type"], size, "p" in flags, "m" in flags, "r" in flags)
