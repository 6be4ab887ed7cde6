"""How the distance between two objects is measured, and what texts call that (sim.md, "Two presets, as data")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Measure = Literal["nearest", "centres", "boxes"]
"""Between the closest surface points; between the centres of the oriented boxes; between the axis-aligned world boxes
(paper A.2, "Closer-to")."""


@dataclass(frozen=True)
class Terms:
    """Words for a measure.

    Attributes:
        points: what the distance lies between: "measured between {points}", "taking the {points} of both".
        apart: the distance, where the points are named beside it: "the {apart} between the {points} of".
        gap: the distance, where nothing else tells how it is measured: "the smallest {gap} to"; its plural adds an s.
    """

    points: str
    apart: str
    gap: str


TERMS: Mapping[Measure, Terms] = {
    "nearest": Terms("nearest points", "gap", "gap"),
    "centres": Terms("centres", "distance", "centre-to-centre distance"),
    "boxes": Terms("bounding boxes", "gap", "bounding-box gap"),
}
