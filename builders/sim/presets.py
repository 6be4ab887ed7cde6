"""Presets: what is asked for, as data. ``balanced`` is the default (sim.md, "What balanced promises")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flowbench.errors import unknown_name

from .rates import Rates


@dataclass(frozen=True)
class Preset:
    """Numbers of the stages; lengths in metres, pixels for an 800 px wide image.

    Attributes:
        views: views a scene (paper A.1).
        trials: executed moves a view, shared by all categories.
        per_cell: candidates kept a slot (view x category) and cell, for the select pass to choose from.
        per_slot: where there are few cells, so many a slot.
        length_bands: motion lengths (shortest, longest), whole centimetres; a length is drawn uniformly from a band,
            so that no length betrays why it was chosen.
        nearest, farthest: distance band of movers from the camera (paper A.1).
        least_extent: least mover extent / distance (paper A.2).
        halvings: binary search steps along a blocked ray (paper A.2).
        least_shift_px: least mean image motion of the mover's box corners.
        kept_area: share of its area that a named object keeps.
        thresholds: distances asked about (sim.md, "Categories").
        rates: category -> the answers' and flips' target shares; None keeps all outcomes even instead.
    """

    name: str
    views: int = 10
    trials: int = 60
    per_cell: int = 3
    per_slot: int = 12
    length_bands: tuple[tuple[float, float], ...] = ((0.20, 0.34), (0.35, 0.54), (0.55, 0.79), (0.80, 1.00))
    nearest: float = 1.5
    farthest: float = 4.5
    least_extent: float = 0.08
    halvings: int = 4
    least_shift_px: float = 12.0
    kept_area: float = 0.7
    thresholds: tuple[float, ...] = (0.35, 0.50, 0.75, 1.00, 1.25)
    rates: Mapping[str, Rates] | None = None


PRESETS: Mapping[str, Preset] = {"balanced": Preset("balanced")}


def preset_named(name: str) -> Preset:
    """Look a preset up; the nearest name is offered for an unknown one."""
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]
