"""The formula of every category."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from . import closer_to, closest_three, contact_wall, count_near, feasibility, left_right, near_object, occlusion
from .common import Evidence
from .verdict import Recomputed

RECOMPUTE: Mapping[str, Callable[[Evidence], Recomputed]] = MappingProxyType(
    {
        "left_right": left_right.recompute,
        "near_object": near_object.recompute,
        "closer_to": closer_to.recompute,
        "occlusion": occlusion.recompute,
        "contact_wall": contact_wall.recompute,
        "feasibility": feasibility.recompute,
        "closest_three": closest_three.recompute,
        "count_near": count_near.recompute,
    }
)
"""Category -> its independent formula. A formula raises ReleaseError where the question itself is malformed."""
