"""Question categories, one file each; registered here."""

from __future__ import annotations

from collections.abc import Mapping

from .base import Category
from .closer_to import CloserTo
from .closest_three import ClosestThree
from .contact_wall import ContactWall
from .count_near import CountNear
from .feasibility import Feasibility
from .left_right import LeftRight
from .near_object import NearObject
from .occlusion import Occlusion

CATEGORIES: Mapping[str, Category] = {
    category.name: category
    for category in (
        LeftRight(),
        NearObject(),
        CloserTo(),
        Occlusion(),
        ContactWall(),
        Feasibility(),
        ClosestThree(),
        CountNear(),
    )
}
