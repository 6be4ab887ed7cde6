"""Where a run's frames lie in time: so that neither gaps nor grids tell which of them is a target.

Between two targets, and before the first and after the last, frames are spread such that every choice with the gaps
allowed is equally likely. The gaps beside a target are then like all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from flowbench.builders.dynapix.happenings import LAST
from flowbench.builders.dynapix.items import Place

from .ledger import APART, Ledger

GAP = 8
"""Frames between neighbours of a run that is laid throughout, on average."""
PASSES = 3
"""How often a run is laid throughout."""
WRONG_TIMES = (3, 5)
"""Least and most wrong moments that stand beside the target of a run without an object."""
NEAR_TARGET = "too near the target of another query"
FEW_NEGATIVES = "too few hard negatives"
NO_DECOY = "a decoy cannot be told from a target"


def spread(rng: np.random.Generator, first: int, last: int, count: int) -> list[int]:
    """So many frames from ``first`` to ``last``, APART at least, ascending; every choice is equally likely.

    ``count`` is at most what :func:`room` says.
    """
    spare = last - first - (count - 1) * APART
    picks = sorted(rng.permutation(spare + count)[:count].tolist()) if count else []
    return [first + pick + number * (APART - 1) for number, pick in enumerate(picks)]


def room(first: int, last: int) -> int:
    """How many frames fit."""
    return max(0, (last - first) // APART + 1)


def throughout(rng: np.random.Generator, targets: Sequence[int]) -> list[int]:
    """Frames of a whole run beside its targets, about GAP apart, in a random order."""
    frames: list[int] = []
    # The run's ends stand for targets that lie APART beyond them.
    for before, after in pairwise([-APART, *sorted(targets), LAST + APART]):
        wanted = (after - before) / GAP - 1.0 + rng.random()
        first, last = before + APART, after - APART
        count = max(0, min(int(wanted), room(first, last)))
        draws = [spread(rng, first, last, count) for _ in range(2)]
        # A last frame has one neighbour, and others the nearer of two: it gets the nearer of two draws.
        nearest: list[int] = max(draws, key=_latest)
        frames += nearest if after == LAST else draws[0]
    return [frames[index] for index in rng.permutation(len(frames)).tolist()]


def _latest(frames: Sequence[int]) -> int:
    return frames[-1] if frames else -1


def lay_run(ledger: Ledger, variant: str, rng: np.random.Generator) -> None:
    """Fill a run up; where what was drawn looks like what is there, it is drawn again."""
    for _ in range(PASSES):
        for frame in throughout(rng, ledger.of_run(variant)):
            ledger.add(Place(variant, frame))


def wish_of(rng: np.random.Generator) -> tuple[int, int]:
    """How many wrong moments are to come before and after the target of a run without an object: its rank is even."""
    least, most = WRONG_TIMES
    count = int(rng.integers(least, most + 1))
    before = int(rng.integers(count + 1))
    return before, count - before


def lay_without(
    ledger: Ledger, target: Place, cut: int, wish: tuple[int, int], rng: np.random.Generator
) -> tuple[Place, ...] | str:
    """Lay a run without an object about a frame of it: all of it, or nothing where the frames wished for are not there.

    Of every moment the picture with the object erased stands there as well: a pair of pictures of one moment, with the
    object taken away and merely erased, must not tell the target. Moments at which these two look alike, such as those
    before the object would touch anything, are therefore not taken.

    Args:
        ledger: takes the frames in.
        target: of a query, or a frame that could be one.
        cut: last observed frame.
        wish: wrong moments between the cut and the target, and after the target.
        rng: draws them.

    Returns:
        the target's negatives, or why there are none.
    """
    if not ledger.allows(target):
        return NEAR_TARGET
    if not (ledger.allows(erased(target)) and ledger.unlike(erased(target), target)):
        return NO_DECOY
    chosen = [target, erased(target)]
    wrong: list[Place] = []
    for (first, last), count in zip(((cut + 1, target.frame - APART), (target.frame + APART, LAST)), wish, strict=True):
        wanted = len(wrong) + count
        for number in rng.permutation(max(0, last - first + 1)).tolist():
            place = Place(target.variant, first + number)
            if len(wrong) < wanted and _both(ledger, place, chosen):
                wrong.append(place)
                chosen += [place, erased(place)]
        if len(wrong) < wanted:
            return FEW_NEGATIVES
    ledger.places.extend(chosen)
    mixed = [wrong[index] for index in rng.permutation(len(wrong)).tolist()]
    least = WRONG_TIMES[0]
    return (*mixed[:least], erased(target), *mixed[least:], *map(erased, mixed))


def _both(ledger: Ledger, place: Place, chosen: Sequence[Place] = ()) -> bool:
    """Whether a frame of a run without an object, and the picture with it erased, can be told from all else."""
    pair = place, erased(place)
    return ledger.unlike(*pair) and all(
        ledger.allows(one) and all(ledger.unlike(one, other) for other in chosen) for one in pair
    )


def lay_unasked(ledger: Ledger, variant: str, cut: int, rng: np.random.Generator) -> None:
    """Lay a run without an object that no query asks about, as if one did: else being there would tell a target.

    It holds as many frames after the cut as another one, or as there are that look different, each with the picture of
    its moment with the object erased.
    """
    before, after = wish_of(rng)
    wanted, found = before + 1 + after, 0
    for number in rng.permutation(LAST - cut).tolist():
        place = Place(variant, cut + 1 + number)
        if found < wanted and _both(ledger, place):
            ledger.places.extend((place, erased(place)))
            found += 1


def erased(place: Place) -> Place:
    """The true run at the moment of a frame of a run without an object, with that object not drawn."""
    return Place(place.variant.replace("without", "erased"), place.frame)
