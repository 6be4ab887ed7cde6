"""Every random number of a build comes from here: explicit generators, derived, never shared.

A generator depends on (release seed, scene pool, scene index, stage) alone, so output does not depend on
workers, order or time (schema.md, "Conventions"). Only draws that are exact on every CPU are used by
builders: ``random``, ``uniform``, ``integers``, ``choice``, ``permutation``, ``shuffle``; never ``normal``
and its kin, whose tails go through the platform's ``exp`` and ``log``.
"""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, pool: str, scene: int, *stage: str | int) -> np.random.Generator:
    """A fresh PCG64 generator for one stage of one scene.

    Args:
        seed: the release's seed; 0 is a seed like any other.
        pool: the scene pool, e.g. ``"homes_train"``; configs that need the same scenes share one.
        scene: the scene's index in its pool.
        stage: what the numbers are for, e.g. ``("layout",)`` or ``("plan", view, "left_right")``.
    """
    text = "\x1f".join([str(int(seed)), pool, str(int(scene)), *(str(part) for part in stage)])
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))


def rank(*parts: str | int) -> int:
    """A 64-bit number that orders things pseudo-randomly but forever the same, e.g. to break ties."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
