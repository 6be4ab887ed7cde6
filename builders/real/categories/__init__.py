"""The question categories by name; a new one is a file and a row here."""

from __future__ import annotations

from collections.abc import Mapping

from .base import NEAREST, Category, Draft, Terms
from .closer_to import CloserTo
from .closest_three import ClosestThree
from .count_near import CountNear
from .depth_order import DepthOrder
from .left_right import LeftRight
from .near_object import NearObject
from .occlusion import Occlusion

CATEGORIES: Mapping[str, Category] = {
    category.name: category
    for category in (
        NearObject(),
        LeftRight(),
        CloserTo(),
        ClosestThree(),
        CountNear(),
        DepthOrder(),
        Occlusion(),
    )
}

__all__ = ["CATEGORIES", "NEAREST", "Category", "Draft", "Terms"]
