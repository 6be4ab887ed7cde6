"""Hard negatives of the true run: the same scene at wrong times (appendix D)."""

from __future__ import annotations

import numpy as np

from flowbench.builders.dynapix.items import Place

from .ledger import Ledger


def negatives(ledger: Ledger, target: Place, cut: int, count: int, rng: np.random.Generator) -> tuple[Place, ...]:
    """Up to so many corpus frames of the target's run in a random order.

    Frames that the observation showed come last: they are told from the target by having been seen.

    Args:
        ledger: with all frames of the scene.
        target: of the query.
        cut: last observed frame.
        count: wanted.
        rng: draws the order.
    """
    frames = [frame for frame in ledger.of_run(target.variant) if frame != target.frame]
    mixed = [frames[index] for index in rng.permutation(len(frames)).tolist()]
    ordered = [frame for seen in (False, True) for frame in mixed if (frame <= cut) == seen]
    return tuple(Place(target.variant, frame) for frame in ordered[:count])
