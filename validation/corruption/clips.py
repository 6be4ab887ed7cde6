"""Corruptions of ``selection_*`` and ``retrieval_*``: pictures, videos, records, scenes, corpus, splits.

Made for a release of selection_train, selection_test, selection_matched, retrieval_test and retrieval_corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .base import Corruption, corruption
from .clip_bytes import BYTES
from .clip_editing import LETTERS, Rng
from .clip_items import ITEMS
from .clip_queries import QUERIES
from .clip_scenes import RUNS, WORDS
from .clip_words import SAID
from .editing import every, put_record, record_of
from .rewriting import Draft


def _first(draft: Draft, rng: Rng) -> None:
    """The right candidate becomes A."""
    record = record_of(draft)
    right = LETTERS.index(record["answer"])
    order = [right, *(place for place in range(4) if place != right)]
    record["candidates"] = [{**record["candidates"][old], "letter": LETTERS[new]} for new, old in enumerate(order)]
    record["answer"] = "A"
    put_record(draft, record)


def _earliest(draft: Draft, rng: Rng) -> None:
    """The right candidate becomes the earliest."""
    record = record_of(draft)
    right = record["candidates"][LETTERS.index(record["answer"])]
    right["frame"] = min(each["frame"] for each in record["candidates"]) - 1
    record["rank"] = 1
    put_record(draft, record)


CLIP_CORRUPTIONS: Mapping[str, Corruption] = MappingProxyType(
    {each.name: each for each in (*ITEMS, *RUNS, *WORDS, *SAID, *BYTES, *QUERIES)}
)
"""Name -> corruption."""
CROWDED: tuple[Corruption, ...] = (
    corruption("right is always A", "candidates are ordered so that A is right", "balance shortcuts", every(_first)),
    corruption("right is always earliest", "the right candidate comes first in time", "shortcuts", every(_earliest)),
)
"""What no single sample shows; for a release of selection_test alone, crowded with records (:mod:`.cutting`)."""
