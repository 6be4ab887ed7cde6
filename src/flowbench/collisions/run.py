"""How the bodies of a scene moved: what the physics gives, and what filming needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .oracle import Collision


@dataclass(frozen=True)
class Touch:
    """Two bodies touch, however gently, from one time that they were apart to the next.

    Attributes:
        step, last: the first and the last substep with contact, counted from frame 0.
        pair: indices of the two bodies, ascending.
    """

    step: int
    last: int
    pair: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Run:
    """How the bodies of a scene moved.

    Attributes:
        poses: (FRAMES, K, 7) float64, see Oracle; NaN of a body left out. A body waits at its start until it enters.
        velocities, spins: (FRAMES, K, 3) float64, see Oracle.
        collisions: in order of time, then of pair.
        touches: all contacts, those too gentle for a collision among them, in the order they began.
    """

    poses: NDArray[np.float64]
    velocities: NDArray[np.float64]
    spins: NDArray[np.float64]
    collisions: tuple[Collision, ...]
    touches: tuple[Touch, ...]
