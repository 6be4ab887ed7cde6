"""What pays without looking: blind rules and a classifier that sees no picture, against chance (quality.md, 6)."""

from .blind import BlindItem, items_of
from .rules import RULES, Score, blind_scores

__all__ = ["RULES", "BlindItem", "Score", "blind_scores", "items_of"]
