"""Window-anchored slots (paper, appendix A.3): a short observation, and the state a short horizon ahead."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from flowbench.builders.dynapix.happenings import LAST, SEEN_PX, between, seen, seen_bodies, shift_px
from flowbench.builders.dynapix.presets import Preset
from flowbench.collisions.oracle import Oracle

from .determined import undetermined
from .slots import Attempt, Attempts, Slot
from .subtypes import WINDOW, WindowCell
from .time import steps_of

NO_SUCH_GROUP = "no moment of this group"
NOTHING_MOVES = "no single object moves in sight"
LEAST_WAY_PX = 5.0
"""Pixels that an object moves at least through the window to be the one that an item is about."""
OUT_OF_SIGHT = "the collision is out of sight"


def group_of(oracle: Oracle, first: int, cut: int, horizon: int) -> str:
    """What happens: G4 several collisions in the window, G2 one, G3 an object was covered or uncovered before, G1 none.

    Args:
        oracle: of the run.
        first, cut: first and last frame of the observation.
        horizon: frames of the window after it.
    """
    collisions = len(between(oracle, cut, cut + horizon))
    if collisions:
        return "G4" if collisions > 1 else "G2"
    return "G3" if any(_cover_changes(oracle, first, cut, body) for body in range(len(oracle.bodies))) else "G1"


def _cover_changes(oracle: Oracle, first: int, cut: int, body: int) -> bool:
    """Whether a body is in some frames more than half covered by others, and in others not; only frames count in which
    enough of it would be in the picture.
    """
    covered = {
        2 * int(oracle.visible[frame, body]) < int(oracle.whole[frame, body])
        for frame in range(first, cut + 1)
        if oracle.whole[frame, body] >= SEEN_PX
    }
    return len(covered) == 2


def attempts(oracle: Oracle, preset: Preset, rng: np.random.Generator) -> Attempts:
    """The cells in a random order, each with some cuts of its group."""
    return [_of_cell(oracle, preset, WINDOW[index], rng) for index in rng.permutation(len(WINDOW)).tolist()]


def _of_cell(oracle: Oracle, preset: Preset, cell: WindowCell, rng: np.random.Generator) -> Iterator[Attempt]:
    shortest, longest = preset.window_observed
    observed = int(rng.integers(shortest, longest + 1))
    after = 3 * preset.step(cell.horizon) if preset.anchored else 0
    cuts = [
        cut
        for cut in range(observed - 1, LAST - after - cell.horizon + 1)
        if group_of(oracle, cut - observed + 1, cut, cell.horizon) == cell.group
    ]
    if not cuts:
        yield NO_SUCH_GROUP
    for index in rng.permutation(len(cuts)).tolist()[: preset.tries]:
        yield slot_at(oracle, preset, cell, cuts[index] - observed + 1, cuts[index], rng)


def slot_at(
    oracle: Oracle, preset: Preset, cell: WindowCell, first: int, cut: int, rng: np.random.Generator
) -> Attempt:
    """The slot of a cell with this observation, or why there is none."""
    target = cut + cell.horizon
    focus = _focus(oracle, cell, cut, target, rng)
    if isinstance(focus, str):
        return focus
    if preset.determined:
        why = undetermined(oracle, (first, cut), target, focus)
        if why is not None:
            return why
    easy = cell.difficulty == "easy"
    steps = steps_of(preset, cut, target)
    return Slot(
        family="window",
        subtype=cell.name,
        first=first,
        cut=cut,
        target=target,
        focus=focus,
        steps=tuple(reversed(steps) if easy else steps),
        distractors="offset" if preset.anchored or easy else "near",
        phrasing="window",
        seconds=cell.horizon / preset.second,
        least_px=preset.easy_px if easy and preset.anchored else 0.0,
        below_px=math.inf if easy or not preset.anchored else preset.easy_px,
    )


def _focus(oracle: Oracle, cell: WindowCell, cut: int, target: int, rng: np.random.Generator) -> tuple[int, ...] | str:
    """The bodies that an item of a cell is about."""
    if cell.focus == "A":
        return seen_bodies(oracle, cut)  # who was not seen cannot be foreseen
    if cell.focus == "B":
        pair = between(oracle, cut, target)[0].pair
        return pair if all(seen(oracle, frame, body) for frame in (cut, target) for body in pair) else OUT_OF_SIGHT
    both = [body for body in seen_bodies(oracle, target) if seen(oracle, cut, body)]
    moving = [body for body in both if shift_px((oracle, cut, body), (oracle, target, body)) >= LEAST_WAY_PX]
    return (moving[int(rng.integers(len(moving)))],) if moving else NOTHING_MOVES
