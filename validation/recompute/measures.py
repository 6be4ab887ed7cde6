"""Distances between two objects by each measure that a record can name (sim.md, "Two presets, as data").

``nearest`` lies between the closest surface points; ``centres`` between the centres of the oriented boxes; ``boxes``
between the axis-aligned world boxes around the convex parts, as the paper's "Closer-to" has it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from flowbench.errors import ReleaseError

from .distance import union_gap
from .meta import ObjectMeta, StateMeta

Placed = tuple[ObjectMeta, StateMeta]
"""An object in one of its states."""


def measured(measure: str, one: Placed, other: Placed) -> float:
    """Metres between two objects.

    Raises:
        ReleaseError: there is no such measure, or an object has no parts to measure to.
    """
    if measure not in _MEASURES:
        raise ReleaseError(
            f"distances are measured as {measure!r}, expected one of {', '.join(_MEASURES)}: build it again"
        )
    for thing, _ in (one, other):
        if not thing.parts:
            raise ReleaseError(f"{thing.object} has no convex parts to measure a distance to: build the sample again")
    return _MEASURES[measure](one, other)


def _nearest(one: Placed, other: Placed) -> float:
    return union_gap(one[0].placed_parts(one[1]), other[0].placed_parts(other[1]))


def _centres(one: Placed, other: Placed) -> float:
    return math.dist(*(thing.centre(state) for thing, state in (one, other)))


def _boxes(one: Placed, other: Placed) -> float:
    """The paper's form: per axis the centres' distance less half of both extents, not below 0; then Pythagoras."""
    corners = [np.concatenate(thing.placed_parts(state)) for thing, state in (one, other)]
    (centre, extent), (other_centre, other_extent) = (
        ((each.max(axis=0) + each.min(axis=0)) / 2.0, np.ptp(each, axis=0)) for each in corners
    )
    return math.hypot(*np.maximum(0.0, np.abs(centre - other_centre) - (extent + other_extent) / 2.0))


_MEASURES: Mapping[str, Callable[[Placed, Placed], float]] = MappingProxyType(
    {"nearest": _nearest, "centres": _centres, "boxes": _boxes}
)
