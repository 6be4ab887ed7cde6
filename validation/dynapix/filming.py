"""Pictures drawn again from what is published, and videos held against them.

A picture follows from a scene's set-up and the places of its bodies at one frame, to the last bit. Pictures are kept
for the scene's other samples, which lie side by side in a shard and show many of the same frames.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.collisions.filming import Reel, Studio
from flowbench.collisions.oracle import FRAMES, HEIGHT, WIDTH
from flowbench.collisions.run import Run
from flowbench.collisions.setup import Setup

from ..recompute.rules import Finding
from .meta import scene_key

Picture = NDArray[np.uint8]

MOST_KEPT: Final = 160
"""Pictures kept, 0.6 MB each: a scene's own 128 frames and its twins' candidates."""
BLOCK: Final = 16
"""Pixels a side of the blocks in which videos are compared."""
MOST_OFF: Final = 1.0
"""Gray levels that a frame of a video may differ from the picture on average: 0.4 to 0.5 at 4:2:0 and crf 12."""
MOST_OFF_BLOCK: Final = 8.0
"""The same of a single block: up to 3 on rims of bodies; a missing body is 60 off and more."""
MOST_OFF_COLOUR: Final = 6.0
"""Levels that a channel's mean over a block may differ: up to 2."""
NOTICEABLE: Final = 12.0
"""Gray levels from which on a pixel tells two frames apart."""
ENOUGH: Final = 40
"""Such pixels from which on the order of two frames is judged."""


@final
class Darkroom:
    """Draws pictures of published scenes, each once as long as it is kept."""

    def __init__(self) -> None:
        """Prepare the textures, which takes a second."""
        self._studio = Studio()
        self._kept: OrderedDict[tuple[bytes, int, bytes, int | None], tuple[Picture, Picture]] = OrderedDict()

    def shot(
        self, setup: Setup, poses: NDArray[np.float64], frame: int, erased: int | None = None
    ) -> tuple[Picture, Picture]:
        """(H, W, 3) uint8 sRGB of a frame, and (H, W) uint8 of which body is seen: ``k + 1``, 0 of none.

        Args:
            setup: of the run.
            poses: (K, 7) of its bodies at the frame.
            frame: its number; who has not entered by then is not drawn.
            erased: a body that is not drawn.
        """
        place = scene_key(setup), frame, poses.tobytes(), erased
        if place in self._kept:
            self._kept.move_to_end(place)
            return self._kept[place]
        still = standing(poses)
        pictures, ids = self._studio.film(setup, still, [frame], erased)
        self._kept[place] = pictures[0], ids[0].astype(np.uint8)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept[place]

    def alone(self, setup: Setup, poses: NDArray[np.float64], frame: int, body: int) -> int:
        """Pixels that show a body where neither ground nor other bodies are drawn."""
        reel = Reel(self._studio, setup, standing(poses), (body,), ground=False)
        return int(np.count_nonzero(reel.ids(frame)))


def whole_pixels(setup: Setup, poses: NDArray[np.float64], frame: int, body: int) -> int:
    """Pixels that would show a body if nothing else stood there; of one that has not entered 0."""
    if frame < (setup.bodies[body].enters or 0) or np.isnan(poses[body]).any():
        return 0
    return darkroom().alone(setup, poses, frame, body)


def standing(poses: NDArray[np.float64]) -> Run:
    """A run whose bodies stand at (K, 7) poses in every frame: pictures show no speed."""
    still = np.zeros((FRAMES, len(poses), 3))
    return Run(np.broadcast_to(poses, (FRAMES, *poses.shape)), still, still, (), ())


@cache
def darkroom() -> Darkroom:
    """The one of this process."""
    return Darkroom()


def seen_pixels(ids: Picture, bodies: int) -> NDArray[np.int64]:
    """(K,) pixels that show each body."""
    return np.bincount(ids.ravel(), minlength=bodies + 1)[1 : bodies + 1]


def compare_picture(name: str, published: Picture, drawn: Picture) -> Iterator[Finding]:
    """A picture is the one that follows from the metadata, pixel for pixel."""
    if published.shape != drawn.shape:
        yield Finding("picture filmed again", f"{name} has the shape {published.shape}", f"{drawn.shape}")
        return
    differing = int((published != drawn).any(axis=-1).sum())
    if differing:
        yield Finding("picture filmed again", f"{name} differs in {differing:,} pixels", "none, drawn from meta.txt")


def compare_video(frames: Picture, shown: Sequence[int], drawn: Mapping[int, Picture]) -> Iterator[Finding]:
    """A video shows these frames in this order, as well as its coding can.

    Args:
        frames: (n, H, W, 3) as decoded.
        shown: the scene's frames that it should show.
        drawn: of these at least, the pictures.
    """
    if len(frames) != len(shown) or frames.shape[1:] != (HEIGHT, WIDTH, 3):
        found = f"{len(frames)} frames of {frames.shape[2]}x{frames.shape[1]}"
        yield Finding("frames of the video", found, f"{len(shown)} of {WIDTH}x{HEIGHT}")
        return
    grays = {frame: _gray(drawn[frame]) for frame in shown}
    for number, (decoded, frame) in enumerate(zip(frames, shown, strict=True)):
        gray = _gray(decoded)
        off = np.abs(gray - grays[frame])
        blocks, tints = _blocks(off[..., None]), np.abs(_blocks(decoded) - _blocks(drawn[frame]))
        if off.mean() > MOST_OFF or blocks.max() > MOST_OFF_BLOCK or tints.max() > MOST_OFF_COLOUR:
            worst = max(float(blocks.max()), float(tints.max()))
            found = f"picture {number} is {off.mean():.2f} gray levels off frame {frame}, {worst:.1f} in a block"
            yield Finding("frame of the video", found, f"at most {MOST_OFF:g}, {MOST_OFF_BLOCK:g} in a block")
            return
        for other in (frame - 1, frame + 1):
            if other in grays and _likelier(gray, grays[other], grays[frame]):
                found = f"picture {number} is likelier frame {other} than {frame}"
                yield Finding("frame of the video", found, f"frame {frame}")
                return


def _blocks(picture: NDArray[Any]) -> NDArray[np.float64]:
    """(H / 16, W / 16, C) means of an (H, W, C) picture's blocks."""
    cut = picture.astype(np.float64).reshape(HEIGHT // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK, picture.shape[2])
    means: NDArray[np.float64] = cut.mean(axis=(1, 3))
    return means


def _likelier(gray: NDArray[np.float64], other: NDArray[np.float64], stated: NDArray[np.float64]) -> bool:
    """Whether a picture is more like another frame than like the stated one, where these two differ."""
    telling = np.abs(other - stated) >= NOTICEABLE
    if np.count_nonzero(telling) < ENOUGH:
        return False
    return bool(np.abs(gray - other)[telling].sum() < np.abs(gray - stated)[telling].sum())


def _gray(picture: Picture) -> NDArray[np.float64]:
    """(H, W) gray levels as BT.601 weighs colours."""
    gray: NDArray[np.float64] = 0.299 * picture[..., 0] + 0.587 * picture[..., 1] + 0.114 * picture[..., 2]
    return gray
