"""Presets: what is asked for, as data.

``balanced`` is the default: nothing that can be read without imagining pays (sim.md, "What balanced promises").
``paper`` has the paper's targets and constants, its shortcuts included, to compare with it (paper A.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flowbench.errors import unknown_name

from .distances import Measure
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
        lengths: of the motions that several categories propose; none draws them from the bands as well.
        nearest, farthest: distance band of movers from the camera (paper A.1).
        least_extent: least mover extent / distance (paper A.2).
        halvings: binary search steps along a blocked ray (paper A.2).
        least_shift_px: least mean image motion of the mover's box corners.
        kept_area: share of its area that a named object keeps.
        thresholds: distances asked about (sim.md, "Categories").
        measures: category -> how it measures distances; between nearest points where it isn't named.
        for_the_eye: whether outcomes must be plain to see, and moves bear on them, beyond the ambiguity bands.
        lists_nearby: whether lists of six hold what is near after the move, and what was nearest before (paper A.2),
            instead of a free choice that realises all cells.
        cells: category -> the cells that it asks about; all of them where it isn't named.
        lead: of closer_to, metres by which the winner was farther than what was nearest before (paper A.2).
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
    lengths: tuple[float, ...] = ()
    measures: Mapping[str, Measure] = field(default_factory=dict)
    for_the_eye: bool = True
    lists_nearby: bool = False
    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lead: float = 0.0
    rates: Mapping[str, Rates] | None = None

    def measure_of(self, category: str) -> Measure:
        """How a category measures distances."""
        return self.measures.get(category, "nearest")

    def asks(self, category: str, cell: str) -> bool:
        """Whether a category asks about a cell."""
        return category not in self.cells or cell in self.cells[category]


BALANCED = Preset("balanced")
PAPER = Preset(
    "paper",
    lengths=(0.60, 0.50, 0.40, 0.25),
    measures={"closest_three": "centres", "count_near": "centres", "near_object": "centres", "closer_to": "boxes"},
    for_the_eye=False,
    lists_nearby=True,
    cells={"near_object": ("yes>no", "no>yes", "yes>yes"), "closer_to": ("rank 1", "rank 2")},
    lead=0.18,
    rates={
        "left_right": Rates(no=0.50, flip=0.80),
        "near_object": Rates(no=0.50, flip=0.80),
        "closer_to": Rates(flip=0.80),
        "occlusion": Rates(no=0.20),
        "contact_wall": Rates(no=0.08),
        "feasibility": Rates(no=0.55),
        "closest_three": Rates(flip=0.80),
        "count_near": Rates(flip=0.80),
    },
)
PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in (BALANCED, PAPER)}


def preset_named(name: str) -> Preset:
    """Look a preset up; the nearest name is offered for an unknown one."""
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return PRESETS[name]
