"""What pays without looking: blind rules and classifiers that see no picture, against chance (quality.md, 6)."""

from .blind import COLUMNS, FACTS, BlindItem, Options, blind_frame, items_of
from .rules import RULES, blind_scores
from .scores import ALLOWED, ENOUGH, FEWEST, Score, wilson

__all__ = [
    "ALLOWED",
    "COLUMNS",
    "ENOUGH",
    "FACTS",
    "FEWEST",
    "RULES",
    "BlindItem",
    "Options",
    "Score",
    "blind_frame",
    "blind_scores",
    "items_of",
    "wilson",
]
