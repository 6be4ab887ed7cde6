"""Labels derived again from what is published of a sample: masks, poses, convex parts.

One file a category, written from the definitions alone; nothing here imports a builder. ``RECOMPUTE`` holds
the formulas, ``check`` compares one sample's record with them and with the rules that all categories share.
"""

from .check import RECOMPUTE, Disagreement, check
from .common import Evidence, Outline, PublishedSample, Question
from .meta import HomeMeta
from .verdict import Recomputed

__all__ = [
    "RECOMPUTE",
    "Disagreement",
    "Evidence",
    "HomeMeta",
    "Outline",
    "PublishedSample",
    "Question",
    "Recomputed",
    "check",
]
