"""Labels derived again from what is published of a sample: masks, poses, convex parts.

One file a category, written from the definitions alone; nothing here imports a builder. ``RECOMPUTE`` holds
the formulas, ``check`` compares one sample's record with them and with the rules that all categories share.
"""

from .check import Disagreement, check
from .common import Evidence, Outline, Question
from .formulas import RECOMPUTE
from .meta import HomeMeta
from .published import PublishedSample
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
