"""Woodwork of homes in each style (``woodwork.toml``): boards along walls, windows, and leaves of doors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .tables import Range, as_range

Share = tuple[float, float, float, float]
"""A rectangle of a door's leaf: from and to along it, from and to above the floor, each as a share of its size."""


@dataclass(frozen=True)
class WindowKind:
    """How a window is divided.

    Attributes:
        sash: width of the frame round it, metres.
        largest: width and height that a pane has at most, metres; more is divided into equal panes.
        transom: share of the height above a bar all across, with panes of its own; 0 for none.
        bar: width of the bars between panes, metres.
    """

    sash: float
    largest: tuple[float, float]
    transom: float
    bar: float


@dataclass(frozen=True)
class LeafKind:
    """A closed door's raised panels and panes of glass."""

    panels: tuple[Share, ...]
    glass: tuple[Share, ...]


@dataclass(frozen=True)
class Woodwork:
    """What one home's boards, windows and doors look like; metres.

    Attributes:
        baseboard: height and depth of the board along the foot of the walls.
        lip: height of a thicker strip on top of it; 0 for none.
        casing: width and depth of the boards round doors and windows.
        cornice: (height, depth) of boards under the ceiling, one over another into the corner.
        window, leaf: how all of them are divided.
        handle: ``"lever"`` or ``"pull"``.
    """

    baseboard: tuple[float, float]
    lip: float
    casing: tuple[float, float]
    cornice: tuple[tuple[float, float], ...]
    window: WindowKind
    leaf: LeafKind
    handle: str


@dataclass(frozen=True)
class Woodworks:
    """What a style draws a home's :class:`Woodwork` from; see there."""

    baseboard_height: Range
    baseboard_depth: Range
    baseboard_lip: float
    casing_width: Range
    casing_depth: float
    cornice: tuple[tuple[float, float], ...]
    windows: tuple[WindowKind, ...]
    leaves: tuple[LeafKind, ...]
    handle: str

    def draw(self, rng: np.random.Generator) -> Woodwork:
        """One home's."""
        height, depth, casing = (
            round(float(rng.uniform(*r)), 4) for r in (self.baseboard_height, self.baseboard_depth, self.casing_width)
        )
        return Woodwork(
            baseboard=(height, depth),
            lip=self.baseboard_lip,
            casing=(casing, self.casing_depth),
            cornice=self.cornice,
            window=self.windows[int(rng.integers(len(self.windows)))],
            leaf=self.leaves[int(rng.integers(len(self.leaves)))],
            handle=self.handle,
        )


def woodworks_of(table: Mapping[str, Any]) -> Woodworks:
    """A style's table as a record."""
    ranges = ("baseboard_height", "baseboard_depth", "casing_width")
    return Woodworks(
        baseboard_lip=float(table["baseboard_lip"]),
        casing_depth=float(table["casing_depth"]),
        cornice=tuple(as_range(step) for step in table["cornice"]),
        windows=tuple(_window(row) for row in table["windows"]),
        leaves=tuple(LeafKind(_shares(row["panels"]), _shares(row["glass"])) for row in table["leaves"]),
        handle=str(table["handle"]),
        **{name: as_range(table[name]) for name in ranges},
    )


def _window(row: Mapping[str, Any]) -> WindowKind:
    return WindowKind(float(row["sash"]), as_range(row["largest"]), float(row["transom"]), float(row["bar"]))


def _shares(rows: Sequence[Sequence[float]]) -> tuple[Share, ...]:
    return tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in rows)
