"""Pairs of pictures made by hand: flat rectangles of one colour at one depth, with known positions and answers.

At a depth of 1 m a pixel is 1/610 m wide, so that a thing of 61 pixels has a radius of 5 cm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.measuring.measure import Measured, measure, perceive
from flowbench.builders.real.measuring.sighting import Optics
from flowbench.builders.real.pair import ImagePair
from flowbench.builders.real.perception.base import Depths, Mask, Perception, Segmentation, Tracks
from flowbench.builders.real.perception.prompts import ARM, GENERIC, Prompt
from flowbench.builders.sim.items import Reject
from flowbench.builders.sources.mining import FramePair
from flowbench.builders.sources.profiles import Profile, profile_named
from flowbench.builders.sources.recorded import Episode

WIDTH, HEIGHT, FOCAL = 640, 480, 610.0
K = np.array([[FOCAL, 0.0, 320.0], [0.0, FOCAL, 240.0], [0.0, 0.0, 1.0]])
COLOURS: Mapping[str, tuple[int, int, int]] = {
    "mug": (200, 40, 40),
    "box": (60, 140, 60),
    "can": (60, 60, 200),
    "bowl": (200, 180, 60),
    "jar": (120, 60, 160),
    "cup": (60, 170, 180),
    "plate": (220, 120, 40),
}


@dataclass(frozen=True)
class Flat:
    """A thing: label, left and top pixel, width and height, depth (metres), and where it is afterwards.

    Attributes:
        end: left, top and depth afterwards; None where it stays.
        kind: of the prompt that finds it.
        track: what its tracks say, pixels; the truth if None.
    """

    label: str
    left: int
    top: int
    width: int = 61
    height: int = 61
    depth: float = 1.0
    end: tuple[int, int, float] | None = None
    kind: str = "common"
    score: float = 0.9
    track: tuple[float, float] | None = None
    seen_after: bool = True

    def at(self, moment: int) -> tuple[int, int, float]:
        """Left, top and depth at a moment."""
        return self.end if moment and self.end is not None else (self.left, self.top, self.depth)

    def window(self, moment: int) -> tuple[slice, slice]:
        """Its pixels."""
        left, top, _ = self.at(moment)
        return slice(top, top + self.height), slice(left, left + self.width)


@dataclass(frozen=True)
class Drawn(Perception):
    """Perception of things that were drawn by hand."""

    things: Sequence[Flat]
    name: str = "drawn"
    knobs: Mapping[str, float | int | str] = field(default_factory=dict)

    def segment(self, pair: ImagePair, prompts: Sequence[Prompt]) -> Segmentation:
        """Each thing's whole rectangle, less what nearer ones hide."""
        before, after = (self._masks(moment) for moment in (0, 1))
        return Segmentation(before, after)

    def depth(self, pair: ImagePair) -> Depths:
        """The depth of what is nearest."""
        return Depths(*(self._depth(moment) for moment in (0, 1)))

    def track(self, pair: ImagePair) -> Tracks:
        """Each thing's own way."""
        displacement = np.zeros((HEIGHT, WIDTH, 2), dtype=np.float32)
        for mask, thing in zip(self._owned(0), self.things, strict=True):
            left, top, _ = thing.at(1)
            displacement[mask] = thing.track or (left - thing.left, top - thing.top)
        return Tracks(displacement, np.ones((HEIGHT, WIDTH), dtype=np.bool_))

    def _owned(self, moment: int) -> list[NDArray[np.bool_]]:
        owner = self.owner(moment)
        return [owner == k for k in range(len(self.things))]

    def owner(self, moment: int) -> NDArray[np.int64]:
        """(H, W) index of the nearest thing, -1 none."""
        owner = np.full((HEIGHT, WIDTH), -1, dtype=np.int64)
        order = sorted(range(len(self.things)), key=lambda k: -self.things[k].at(moment)[2])
        for k in order:
            if not moment or self.things[k].seen_after:
                owner[self.things[k].window(moment)] = k
        return owner

    def _masks(self, moment: int) -> tuple[Mask, ...]:
        found = []
        for mask, thing in zip(self._owned(moment), self.things, strict=True):
            if mask.any():
                kind = "arm" if thing.label in ARM else "generic" if thing.label in GENERIC else thing.kind
                found.append(Mask(thing.label, kind, thing.score, mask))  # type: ignore[arg-type]
        return tuple(found)

    def _depth(self, moment: int) -> NDArray[np.float32]:
        depth = np.full((HEIGHT, WIDTH), 2.0, dtype=np.float32)
        for mask, thing in zip(self._owned(moment), self.things, strict=True):
            depth[mask] = thing.at(moment)[2]
        return depth


def picture(things: Sequence[Flat], moment: int) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: gray ground, each thing in its colour with a light stripe pattern."""
    canvas = np.full((HEIGHT, WIDTH, 3), 128, dtype=np.uint8)
    canvas += (np.arange(HEIGHT, dtype=np.uint8) % 5)[:, None, None]
    owner = Drawn(things).owner(moment)
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    for k, thing in enumerate(things):
        left, top, _ = thing.at(moment)
        shade = ((columns - left) // 4 + (rows - top) // 6) % 3
        colour = np.array(COLOURS.get(thing.label.split("|")[0], (90, 90, 90)), dtype=np.int64)
        canvas[owner == k] = (colour + 6 * shade[owner == k][:, None]).astype(np.uint8)
    return canvas


def pair_of(things: Sequence[Flat], task: str = "move the mug", profile: Profile | None = None) -> ImagePair:
    """The pair that shows some things."""
    episode = Episode(index=3, task=task, length=10, fps=5.0, camera="observation.images.front")
    chosen = profile or profile_named("tabletop")
    shots = FramePair(chosen, episode, 0, 9, picture(things, 0), picture(things, 1), K, 0.05)
    return ImagePair(shots, "by hand", 7, "tabletop", 12)


def measured(
    things: Sequence[Flat], task: str = "move the mug", optics: Optics | None = None, **changes: object
) -> Measured | Reject:
    """What is measured of some things; ``changes`` are made to the profile."""
    pair = pair_of(things, task, profile_named("tabletop").model_copy(update=changes))
    return measure(pair, perceive(Drawn(things), pair), optics or Optics(K))


def scene(**ends: tuple[int, int, float]) -> list[Flat]:
    """A mug that moves 170 pixels to the left past a box, and four others; ``ends`` move any of them otherwise."""
    things = [
        Flat("mug", 420, 220, end=(250, 220, 1.0)),
        Flat("box", 330, 320),
        Flat("can", 120, 220),
        Flat("bowl", 520, 320),
        Flat("jar", 60, 330),
        Flat("plate", 540, 120),
    ]
    return [replace(thing, end=ends.get(thing.label, thing.end)) for thing in things]
