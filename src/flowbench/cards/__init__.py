"""The dataset card of a release, and the pictures in it; the same bytes for the same release."""

from .metadata import PRETTY_NAME, card_data
from .text import card_text, published_in, write_card

__all__ = ["PRETTY_NAME", "card_data", "card_text", "published_in", "write_card"]
