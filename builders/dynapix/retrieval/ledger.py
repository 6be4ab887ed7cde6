"""A scene's frames in the corpus: which may stand there beside the targets, so that each query has one right answer."""

from __future__ import annotations

from typing import Final, final

from flowbench.builders.dynapix.album import Album
from flowbench.builders.dynapix.items import Place
from flowbench.builders.dynapix.presets import Preset

KEPT_CLEAR = 6
"""Frames on either side of a target of whose run the corpus has none."""


@final
class Ledger:
    """The targets of a scene so far."""

    def __init__(self, album: Album, preset: Preset) -> None:
        self.album: Final = album
        self.preset: Final = preset
        self.targets: Final[list[Place]] = []

    def claim(self, target: Place) -> bool:
        """Make a frame a target, unless it is too near another one; the same frame may be so twice."""
        if target not in self.targets:
            if not self.allows(target):
                return False
            self.targets.append(target)
        return True

    def allows(self, place: Place) -> bool:
        """Whether a frame may be in the corpus: it is a target, or far from and unlike every one of them."""
        return place in self.targets or all(self.unlike(place, target) for target in self.targets)

    def unlike(self, place: Place, other: Place) -> bool:
        """Whether two frames cannot be taken for one another: far apart in time within a run, and in look."""
        near = place.variant == other.variant and abs(place.frame - other.frame) <= KEPT_CLEAR
        return not near and self.album.changed(place, other) >= self.preset.changed_px
