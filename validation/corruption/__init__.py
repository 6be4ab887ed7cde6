"""The corruption kit: named ways to break a good release, for tests of the suites (and of other checkers).

Work on a copy. Except where a corruption is about checksums, manifest, index and card are written anew, so that they
agree with the broken shards and integrity alone does not catch everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .base import Corruption
from .clips import CLIP_CORRUPTIONS, CROWDED
from .labels import LABELS
from .motion import MOTION
from .pictures import PICTURES
from .release import RELEASE
from .rewriting import Draft, Place, Rewriting
from .shards import SHARDS
from .shares import SHARES
from .texts import TEXTS

CORRUPTIONS: Mapping[str, Corruption] = MappingProxyType(
    {each.name: each for each in (*PICTURES, *MOTION, *LABELS, *TEXTS, *SHARDS, *RELEASE, *SHARES)}
)
"""Name -> corruption."""

__all__ = ["CLIP_CORRUPTIONS", "CORRUPTIONS", "CROWDED", "Corruption", "Draft", "Place", "Rewriting"]
