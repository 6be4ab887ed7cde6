"""A scene's frames in the corpus: no two can be taken for one another, so that each query has one right answer.

What holds of targets holds of all frames: were the targets alone kept apart from others, that would tell them.
"""

from __future__ import annotations

from typing import Final, final

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.happenings import largest_shift
from flowbench.builders.dynapix.items import Place
from flowbench.builders.dynapix.presets import Preset

APART = 7
"""Frames between any two of a run in the corpus, at least."""
STILL_PX = 0.5
"""Two moments of a run between which nothing in sight goes farther look alike; their pictures need not be drawn."""


@final
class Ledger:
    """The frames of a scene so far, targets and others."""

    def __init__(self, album: Album, preset: Preset) -> None:
        self.album: Final = album
        self.preset: Final = preset
        self.places: Final[list[Place]] = []

    def add(self, place: Place) -> bool:
        """Take a frame in, unless it can be taken for another one; one that is there may be added again."""
        if place not in self.places:
            if not self.allows(place):
                return False
            self.places.append(place)
        return True

    def allows(self, place: Place) -> bool:
        """Whether a new frame can be told from all others."""
        return all(self.unlike(place, other) for other in self.places)

    def of_run(self, variant: str) -> list[int]:
        """The frames of a run, ascending."""
        return sorted(place.frame for place in self.places if place.variant == variant)

    def unlike(self, place: Place, other: Place) -> bool:
        """Whether two frames cannot be taken for one another: far apart in time within a run, and in look."""
        if place.variant == other.variant and (abs(place.frame - other.frame) < APART or self._still(place, other)):
            return False
        return self.album.changed(place, other) >= self.preset.changed_px

    def _still(self, place: Place, other: Place) -> bool:
        oracle = self.album.films.oracles[place.variant]
        bodies = range(len(oracle.bodies))
        return largest_shift((oracle, place.frame), (oracle, other.frame), bodies) < STILL_PX
