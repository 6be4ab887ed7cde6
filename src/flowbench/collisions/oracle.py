"""What is known of a collision scene: every body's way through 128 frames, and every collision (DynaPix, section 3.2).

World frame: right-handed, z up, metres; the ground is z = 0. 25 frames are one second. A substep is a step of the
physics; there are :data:`SUBSTEPS` between two frames. Frame ``f`` shows the state before the ``f * SUBSTEPS``-th
substep; a collision with (frame, substep) happens in the step from ``frame * SUBSTEPS + substep`` on, so ``frame + 1``
is the first picture after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FRAMES = 128
FPS = 25
SUBSTEPS = 10
WIDTH, HEIGHT = 480, 320

SHAPES = ("cube", "cylinder", "sphere")
MATERIALS = ("metal", "rubber")
COLOURS = ("blue", "brown", "cyan", "gray", "green", "purple", "red", "yellow")
"""CLEVRER's names of what a body can be."""


@dataclass(frozen=True)
class Body:
    """One body of a scene; no two of a scene agree in shape, material and colour.

    Attributes:
        shape, material, colour: of :data:`SHAPES`, :data:`MATERIALS`, :data:`COLOURS`.
        enters: frame at which it starts to move into the scene; None of a resident, which rests until it is touched.
    """

    shape: str
    material: str
    colour: str
    enters: int | None = None

    @property
    def name(self) -> str:
        """What a text calls it: ``"the red metal cube"``."""
        return f"the {self.colour} {self.material} {self.shape}"


@dataclass(frozen=True)
class Collision:
    """First contact of two bodies that were apart (debounced).

    Attributes:
        frame, substep: when; see the module.
        pair: indices of the two bodies, ascending.
        speed: m/s at which they approached each other along the contact's normal; positive.
        impulse: N s exchanged in the substep of first contact.
        position: of the contact, metres, world.
    """

    frame: int
    substep: int
    pair: tuple[int, int]
    speed: float
    impulse: float
    position: tuple[float, float, float]


@dataclass(frozen=True)
class Oracle:
    """A scene's whole truth.

    Attributes:
        scene: index in the pool ``collisions``.
        bodies: K of them; body ``k`` has instance id ``k + 1`` in id images (0 is the ground and all else).
        poses: (FRAMES, K, 7) float64: position x, y, z in metres, then the orientation as a quaternion x, y, z, w.
        velocities: (FRAMES, K, 3) float64, m/s.
        spins: (FRAMES, K, 3) float64, angular velocity in rad/s, world axes.
        visible: (FRAMES, K) int64, pixels that show the body.
        whole: (FRAMES, K) int64, pixels of the picture that would show it if nothing else stood there.
        pixels: (FRAMES, K, 2) float64, (u, v) of its centre in the picture; may lie outside.
        collisions: in order of time, then of pair.
    """

    scene: int
    bodies: tuple[Body, ...]
    poses: NDArray[np.float64]
    velocities: NDArray[np.float64]
    spins: NDArray[np.float64]
    visible: NDArray[np.int64]
    whole: NDArray[np.int64]
    pixels: NDArray[np.float64]
    collisions: Sequence[Collision]
