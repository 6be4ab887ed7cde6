"""The pictures that a scene's samples show: each drawn once, and encoded once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.dynapix.items import Place, factual
from flowbench.collisions.oracle import FPS
from flowbench.encoding import encode_rgb
from flowbench.encoding.video import encode_video

from .base import AnyStage


@final
class Gallery:
    """Pictures of a scene, filmed run by run."""

    def __init__(self, stage: AnyStage, places: Iterable[Place], shown: Iterable[int] = (), fps: int = FPS) -> None:
        """Film some places, and frames of the true run."""
        self._fps: Final = fps
        self._pictures: Final[dict[Place, NDArray[np.uint8]]] = {}
        self._pngs: Final[dict[Place, bytes]] = {}
        self._videos: Final[dict[tuple[int, ...], bytes]] = {}
        by_variant: defaultdict[str, set[int]] = defaultdict(set)
        for place in (*places, *map(factual, shown)):
            by_variant[place.variant].add(place.frame)
        for variant, frames in sorted(by_variant.items()):
            reel = stage.reel(variant)
            for frame in sorted(frames):
                self._pictures[Place(variant, frame)] = reel.picture(frame)

    def png(self, place: Place) -> bytes:
        """A place's picture, encoded."""
        if place not in self._pngs:
            self._pngs[place] = encode_rgb(self._pictures[place])
        return self._pngs[place]

    def video(self, shown: Sequence[int]) -> bytes:
        """The video that shows frames of the true run in some order."""
        order = tuple(shown)
        if order not in self._videos:
            self._videos[order] = encode_video(np.stack([self._pictures[factual(frame)] for frame in order]), self._fps)
        return self._videos[order]
