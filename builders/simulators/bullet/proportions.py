"""Proportions of homes in each style (``proportions.toml``): which rooms, how large, how high, which openings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .tables import Range, as_range

HALLWAY = "hallway"


@dataclass(frozen=True)
class Shape:
    """What a rectangular room may measure between its inner faces.

    Attributes:
        area: square metres.
        aspect: long over short side.
        side: least length of the short side, metres.
    """

    area: Range
    aspect: Range
    side: float

    def admits(self, width: float, depth: float) -> bool:
        """Whether a room of these sides is one."""
        short, long = min(width, depth), max(width, depth)
        proportioned = self.aspect[0] * short <= long <= self.aspect[1] * short
        return proportioned and short >= self.side and self.area[0] <= width * depth <= self.area[1]


@dataclass(frozen=True)
class Proportions:
    """Everything about a home's plan that a style decides.

    Attributes:
        room_counts: how often homes of 1, 2, ... rooms are drawn, as weights.
        programmes: number of rooms -> the sets of rooms drawn from, each a word such as ``"bedroom"`` or, of a room
            with several uses, ``"living_room+kitchen"``. One with a hallway is built along a corridor.
        shapes: word -> what such a room may measure. Hallways have none: they are as long as what lies along them.
        aspect: of every room but hallways.
        hallway_width: of a corridor between its walls, metres.
        hallway_aspect: its length over its width.
        height: floor to ceiling, metres.
        door_width, door_height: clear opening, metres.
        window_width, window_sill, window_head: metres.
        small_window_width: of windows in bathrooms and in walls too short for others, metres.
        window_gap: wall between two windows side by side, metres.
        sills: room type -> least height of sills where people wash or work, metres.
        eye_height: of the observer, metres (drawn once a home).
        objects: least and most objects of a home, structure not counted; larger homes get more.
    """

    room_counts: tuple[int, ...]
    programmes: Mapping[int, tuple[tuple[str, ...], ...]]
    shapes: Mapping[str, Shape]
    aspect: Range
    hallway_width: Range
    hallway_aspect: Range
    height: Range
    door_width: Range
    door_height: float
    window_width: Range
    small_window_width: Range
    window_gap: Range
    window_sill: Range
    window_head: Range
    sills: Mapping[str, float]
    eye_height: Range
    objects: Range


_RANGES = (
    *("aspect", "hallway_width", "hallway_aspect", "height", "door_width", "window_width", "small_window_width"),
    *("window_gap", "window_sill", "window_head", "eye_height", "objects"),
)


def proportions_of(table: Mapping[str, Any]) -> Proportions:
    """A style's table as a record."""
    ranges = {name: as_range(table[name]) for name in _RANGES}
    return Proportions(
        room_counts=tuple(int(n) for n in table["room_counts"]),
        programmes={int(n): tuple(map(tuple, sets)) for n, sets in table["programmes"].items()},
        shapes={
            word: Shape(as_range(row["area"]), ranges["aspect"], float(row["side"]))
            for word, row in table["rooms"].items()
        },
        door_height=float(table["door_height"]),
        sills={room: float(height) for room, height in table["sills"].items()},
        **ranges,
    )
