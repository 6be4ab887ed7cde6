"""One formula a category, each written from the paper's definition alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..facts import Asked, Outcome
from . import closer_to, closest_three, count_near, depth_order, left_right, near_object, occlusion

FORMULAS: Mapping[str, Callable[[Asked], Outcome]] = MappingProxyType(
    {
        "near_object": near_object.judge,
        "left_right": left_right.judge,
        "closer_to": closer_to.judge,
        "closest_three": closest_three.judge,
        "count_near": count_near.judge,
        "depth_order": depth_order.judge,
        "occlusion": occlusion.judge,
    }
)
"""Category -> formula."""
LISTING = ("closer_to", "closest_three")
"""Categories whose answers are places in the list of landmarks."""

__all__ = ["FORMULAS", "LISTING"]
