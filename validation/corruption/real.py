"""Corruptions of ``real_*``: measurements, pictures, marks, texts, metadata, splits, shares."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .base import Corruption
from .real_labels import REAL_LABELS
from .real_pairs import REAL_PAIRS
from .real_pictures import REAL_PICTURES
from .real_words import REAL_SHARES, REAL_SPLITS, REAL_WORDS

SAMPLE_BREAKS = (*REAL_LABELS, *REAL_PICTURES, *REAL_WORDS)
"""Ways to break one sample."""

REAL_CORRUPTIONS: Mapping[str, Corruption] = MappingProxyType(
    {each.name: each for each in (*(each.corruption for each in SAMPLE_BREAKS), *REAL_SPLITS, *REAL_PAIRS)}
)
"""Name -> corruption."""

__all__ = ["REAL_CORRUPTIONS", "REAL_SHARES", "SAMPLE_BREAKS"]
