"""What a recheck reads: a run's plain trajectories and collisions, and what an item says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError

FRAMES = 128
ENOUGH_PX = 50
"""Pixels from which on an object counts as seen."""
TRUE_RUN = "factual"


@dataclass(frozen=True, order=True)
class Hit:
    """Two objects that touch for the first time, during the frame that is named.

    Attributes:
        frame: its number; the picture of the next frame is the first that shows the contact done.
        one, other: the objects' numbers.
    """

    frame: int
    one: int
    other: int

    @property
    def shown(self) -> int:
        """The first frame that shows it done."""
        return self.frame + 1

    @property
    def objects(self) -> tuple[int, int]:
        """Both objects."""
        return self.one, self.other


@dataclass(frozen=True, eq=False)
class RunFacts:
    """One run of a scene.

    Attributes:
        enters: of each object the frame at which it starts to move into the scene; None of one that was there.
        visible, whole: (frames, objects) pixels that show it, and that would if nothing stood before it.
        pixels: (frames, objects, 2) its centre in the picture.
        hits: in any order.
    """

    enters: Sequence[int | None]
    visible: NDArray[np.int64]
    whole: NDArray[np.int64]
    pixels: NDArray[np.float64]
    hits: Sequence[Hit]

    def __post_init__(self) -> None:
        """Refuse tables that do not belong together."""
        shape = (FRAMES, len(self.enters))
        if self.visible.shape != shape or self.whole.shape != shape or self.pixels.shape != (*shape, 2):
            raise ReleaseError(
                f"a run has tables of the shapes {self.visible.shape}, {self.whole.shape} and {self.pixels.shape}, "
                f"expected {shape} and (…, 2): build it again"
            )

    def sees(self, frame: int, one: int) -> bool:
        """Whether an object is seen."""
        return bool(self.visible[frame, one] >= ENOUGH_PX)

    def shown_in(self, after: int, until: int) -> list[Hit]:
        """Contacts first shown in frames after one and up to another, in order."""
        return sorted(hit for hit in self.hits if hit.shown > after and hit.shown <= until)


@dataclass(frozen=True)
class ItemFacts:
    """What a selection item says of itself.

    Attributes:
        preset: its name.
        family, subtype: names.
        query: the text.
        first, last: frames of the observation.
        target: frame asked for.
        candidates: (run, frame) in the order of the letters.
        letter: of the right one.
    """

    preset: str
    family: str
    subtype: str
    query: str
    first: int
    last: int
    target: int
    candidates: tuple[tuple[str, int], ...]
    letter: str

    @property
    def horizon(self) -> int:
        """Frames from the end of the observation to the target."""
        return self.target - self.last

    @property
    def right(self) -> int:
        """Place of the right candidate."""
        place = "ABCD".find(self.letter) if len(self.letter) == 1 else -1
        if place < 0 or len(self.candidates) != 4:
            raise ReleaseError(
                f"an item has {len(self.candidates)} candidates and the letter {self.letter!r}, expected four and one "
                "of A to D: build it again"
            )
        return place

    @property
    def rank(self) -> int:
        """Place in time of the right candidate, 1 to 4."""
        right = self.candidates[self.right]
        earlier = [each for each in self.candidates if (each[1], each[0]) < (right[1], right[0])]
        return len(earlier) + 1
