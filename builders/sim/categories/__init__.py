"""Question categories, one file each; registered here."""

from __future__ import annotations

from collections.abc import Mapping

from .base import Category
from .closer_to import CloserTo
from .left_right import LeftRight
from .near_object import NearObject

CATEGORIES: Mapping[str, Category] = {category.name: category for category in (LeftRight(), NearObject(), CloserTo())}
