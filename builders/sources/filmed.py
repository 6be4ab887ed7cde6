"""Scenes that other simulators filmed, whatever files they lie in: every body's way, who touches whom, and pictures.

World frame: right-handed, z up, metres; orientations are quaternions x, y, z, w. Frames count from 0. Numbers are
rounded to :data:`DECIMALS`, so that what is decided here can be decided again from what is published.
"""

from __future__ import annotations

import abc
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from flowbench.errors import CountedError

Picture = NDArray[np.uint8]
Size = tuple[int, int]
"""Width and height, pixels."""

DECIMALS: Final = 6
LARGEST: Final = 1e6
"""No place, speed or pixel of a real scene is farther out."""
MOST_FRAMES: Final = 4096
FEWEST_FRAMES: Final = 8
MOST_BODIES: Final = 64
MOST_PICTURE_BYTES: Final = 1 << 25
MOST_SIDE: Final = 4096


class SceneError(CountedError):
    """A scene that cannot be used: one sentence with the file's name; the scene is skipped and counted."""


@dataclass(frozen=True, order=True)
class Spell:
    """Frames through which two bodies touch each other, or one touches the ground.

    Attributes:
        first, last: frames.
        bodies: indices, ascending: two, or the one on the ground.
    """

    first: int
    last: int
    bodies: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FilmedScene:
    """A scene with its pictures.

    Attributes:
        name: in its source, e.g. ``"0007"`` or ``"dominoes/0003"``.
        scenario: what scenes that look alike share.
        fps: frames a second of its video.
        size: of its pictures.
        bodies: K names; they need not differ.
        poses: (F, K, 7) float64.
        velocities, spins: (F, K, 3) float64, m/s and rad/s.
        visible: (F, K) int64, pixels that show a body.
        pixels: (F, K, 2) float64, (u, v) of it in the picture; NaN where that is not known.
        touches: of two bodies, and of one with the ground where its source tells that.
        picture: frame -> (H, W, 3) uint8 sRGB; raises :class:`SceneError`.
    """

    name: str
    scenario: str
    fps: int
    size: Size
    bodies: tuple[str, ...]
    poses: NDArray[np.float64]
    velocities: NDArray[np.float64]
    spins: NDArray[np.float64]
    visible: NDArray[np.int64]
    pixels: NDArray[np.float64]
    touches: tuple[Spell, ...]
    picture: Callable[[int], Picture]


class SceneSource(abc.ABC):
    """A folder of scenes.

    Attributes:
        root: the folder.
        size: that pictures have; larger ones are reduced if they are whole multiples.
        names: of the scenes, in order; those that cannot be read, too.
    """

    def __init__(self, root: Path, size: Size) -> None:
        self.root = root
        self.size = size
        self.names: Final = self._listed()

    @classmethod  # noqa: B027
    def require(cls) -> None:
        """Refuse to begin where a library is missing that reads such files; raises UsageError."""

    @abc.abstractmethod
    def _listed(self) -> tuple[str, ...]:
        """The names."""

    @abc.abstractmethod
    def scenario(self, name: str) -> str:
        """The scenario of a scene, told by its name alone."""

    @abc.abstractmethod
    def scene(self, name: str) -> FilmedScene:
        """A scene without its pictures.

        Raises:
            SceneError: it cannot be read, or its files disagree.
        """


def tidy(values: object, shape: tuple[int, ...], what: str) -> NDArray[np.float64]:
    """Numbers as float64 of a shape, rounded.

    Raises:
        ValueError: they have another shape, or one is not finite or absurdly large; it calls them ``what``.
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} is no table of numbers") from None
    if found.shape != shape:
        raise ValueError(f"{what} has the shape {found.shape}, expected {shape}")
    if not np.isfinite(found).all() or bool((np.abs(found) > LARGEST).any()):
        raise ValueError(f"{what} holds numbers that are not finite, or larger than {LARGEST:,.0f}")
    return np.round(found, DECIMALS) + 0.0  # no negative zeros


def spells(touching: Iterable[tuple[int, tuple[int, ...]]]) -> tuple[Spell, ...]:
    """The longest spells of (frame, bodies) in which bodies touch."""
    frames: dict[tuple[int, ...], set[int]] = {}
    for frame, bodies in touching:
        frames.setdefault(bodies, set()).add(frame)
    found: list[Spell] = []
    for bodies, own in frames.items():
        starts = sorted(frame for frame in own if frame - 1 not in own)
        ends = sorted(frame for frame in own if frame + 1 not in own)
        found += [Spell(first, last, bodies) for first, last in zip(starts, ends, strict=True)]
    return tuple(sorted(found))


def factor_to(found: Size, wanted: Size) -> int:
    """By how much pictures are reduced.

    Raises:
        ValueError: they are no whole multiple of what is wanted.
    """
    factor = found[0] // wanted[0]
    if factor < 1 or (factor * wanted[0], factor * wanted[1]) != found:
        raise ValueError(
            f"pictures of {found[0]}x{found[1]} pixels, expected {wanted[0]}x{wanted[1]} or a whole multiple"
        )
    return factor


def picture_size(data: bytes, what: str) -> Size:
    """Width and height that a PNG or JPEG states; nothing is decoded.

    Raises:
        ValueError: it is none, or too large.
    """
    if len(data) > MOST_PICTURE_BYTES:
        raise ValueError(f"{what} has {len(data):,} bytes, expected at most {MOST_PICTURE_BYTES:,}")
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
            size = image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise ValueError(f"{what} is no PNG or JPEG picture") from None
    if not all(0 < side <= MOST_SIDE for side in size):
        raise ValueError(f"{what} says it is {size[0]}x{size[1]} pixels, expected at most {MOST_SIDE} a side")
    return size


def read_picture(data: bytes, what: str, size: Size, factor: int = 1) -> Picture:
    """(H, W, 3) uint8 of a PNG or JPEG of a size, alpha left out, reduced by whole blocks' means.

    Raises:
        ValueError: it is none of this size, or broken.
    """
    found = picture_size(data, what)
    if found != size:
        raise ValueError(f"{what} is {found[0]}x{found[1]} pixels, expected {size[0]}x{size[1]} like the others")
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
            if image.mode not in ("RGB", "RGBA"):
                raise ValueError(f"{what} has the mode {image.mode}, expected 8-bit RGB")
            picture = np.asarray(image.convert("RGB"))
    except (OSError, SyntaxError) as error:
        raise ValueError(f"{what} cannot be decoded ({error})") from None
    return reduced(picture, factor)


def reduced(picture: Picture, factor: int) -> Picture:
    """The means of blocks of ``factor`` pixels a side, rounded half up, in integers."""
    if factor == 1:
        return picture
    height, width = picture.shape[0] // factor, picture.shape[1] // factor
    blocks = picture.astype(np.int64).reshape(height, factor, width, factor, 3).sum(axis=(1, 3))
    count = factor * factor
    means: Picture = ((2 * blocks + count) // (2 * count)).astype(np.uint8)
    return means


def check_counts(frames: int, bodies: Sequence[object]) -> None:
    """Refuse too few or too many of either.

    Raises:
        ValueError: so it is.
    """
    if not FEWEST_FRAMES <= frames <= MOST_FRAMES:
        raise ValueError(f"{frames} frames, expected {FEWEST_FRAMES} to {MOST_FRAMES:,}")
    if not 1 <= len(bodies) <= MOST_BODIES:
        raise ValueError(f"{len(bodies)} bodies, expected 1 to {MOST_BODIES}")
