"""Proportions of homes in each style (``proportions.toml``): which rooms, how large, how high, which openings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .tables import Range, as_range


@dataclass(frozen=True)
class Proportions:
    """Everything about a home's plan that a style decides.

    Attributes:
        room_counts: numbers of rooms, each as often as it is drawn.
        programmes: number of rooms -> the sets of room types drawn from.
        areas: room type -> floor area in square metres aimed at.
        side: least and greatest side of a room between wall centre lines, metres.
        height: floor to ceiling, metres.
        door_width, door_height: clear opening, metres.
        window_width, window_sill, window_head: metres.
        eye_height: of the observer, metres (drawn once a home).
        density: factor on the number of small objects (drawn once a home).
    """

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


def proportions_of(table: Mapping[str, Any]) -> Proportions:
    """A style's table as a record."""
    ranges = ("side", "height", "door_width", "window_width", "window_sill", "window_head", "eye_height", "density")
    return Proportions(
        room_counts=tuple(int(n) for n in table["room_counts"]),
        programmes={int(n): tuple(map(tuple, sets)) for n, sets in table["programmes"].items()},
        areas={room: as_range(value) for room, value in table["areas"].items()},
        door_height=float(table["door_height"]),
        **{name: as_range(table[name]) for name in ranges},
    )
