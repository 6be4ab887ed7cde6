"""The corruption kit: named ways to break a good release, for tests of the suites (and of other checkers).

Work on a copy. Except where a corruption is about checksums, manifest, index and card are written anew, so that they
agree with the broken shards and integrity alone does not catch everything.
"""

from __future__ import annotations

from collections.abc import Mapping

from .base import Corruption

CORRUPTIONS: Mapping[str, Corruption] = {}
"""Name -> corruption."""

__all__ = ["CORRUPTIONS", "Corruption"]
