"""Whoever decides what comes is seen to move: a speed cannot be foreseen from one picture of a body (``balanced``).

A body decides the target when it collides with something up to it, or is what the item is about. One that moves at the
cut has to be seen in four observed frames at least, the cut among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Final

import numpy as np

from ..recompute.rules import Finding
from .facts import ENOUGH_PX, RunFacts
from .meta import RunMeta

SEEN_FRAMES: Final = 4
MOVES_M_S: Final = 0.05


def colliding(run: RunFacts, after: int, until: int) -> set[int]:
    """Bodies in a contact that is first shown after a frame and up to another."""
    return {body for hit in run.shown_in(after, until) for body in hit.objects}


def known_at(run: RunFacts, cut: int) -> set[int]:
    """Bodies that are seen at the cut."""
    return {body for body in range(len(run.enters)) if run.sees(cut, body)}


def hardly_seen(run: RunMeta, first: int, cut: int, bodies: Sequence[int]) -> list[int]:
    """Those of some bodies that move at the cut and are seen too little to tell how."""
    return [body for body in bodies if _moves(run, cut, body) and not _is_seen(run, first, cut, body)]


def _moves(run: RunMeta, cut: int, body: int) -> bool:
    square = float((run.velocities[cut, body] ** 2).sum())
    return bool(square >= MOVES_M_S**2) and not np.isnan(square)


def _is_seen(run: RunMeta, first: int, cut: int, body: int) -> bool:
    frames = run.visible[first : cut + 1, body] >= ENOUGH_PX
    return bool(frames[-1]) and int(frames.sum()) >= SEEN_FRAMES


def check_movers(run: RunMeta, first: int, cut: int, deciding: Set[int]) -> Iterator[Finding]:
    """Movers that are seen too little.

    Args:
        run: that the video shows.
        first, cut: of the observation.
        deciding: the bodies that decide.
    """
    for body in hardly_seen(run, first, cut, sorted(deciding))[:1]:
        seen = int((run.visible[first : cut + 1, body] >= ENOUGH_PX).sum())
        told = f"body {body} moves and is seen in {seen} observed frames"
        yield Finding("movers seen", told, f"{SEEN_FRAMES} at least, the cut among them, as it decides the target")
