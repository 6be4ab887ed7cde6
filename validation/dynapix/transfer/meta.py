"""``meta.txt`` of filmed scenes: ways of all bodies, who touches whom, the candidates' frames; every shape checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flowbench.errors import ReleaseError
from flowbench.schema import value_from_json

from ..facts import ENOUGH_PX, TRUE_RUN
from ..meta import NAME, counts, table

FEWEST, MOST = 8, 4096
"""Frames of a scene."""
MOST_BODIES: Final = 64
_SCENE_KEYS: Final = frozenset(
    {"name", "scenario", "fps", "bodies", "poses", "velocities", "spins", "visible", "pixels", "touches"}
)
_FRAME_KEYS: Final = frozenset({"variant", "frame", "name", "poses", "visible"})


@dataclass(frozen=True)
class Contact:
    """Frames, first and last, through which some bodies touch: two each other, or one the ground."""

    first: int
    last: int
    bodies: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FilmedMeta:
    """A scene as published.

    Attributes:
        name, scenario: what its source calls it.
        fps: frames a second.
        bodies: how many.
        poses: (F, K, 7); velocities, spins: (F, K, 3); visible: (F, K) pixels; pixels: (F, K, 2), NaN where unknown.
        contacts: in any order.
    """

    name: str
    scenario: str
    fps: int
    bodies: int
    poses: NDArray[np.float64]
    velocities: NDArray[np.float64]
    spins: NDArray[np.float64]
    visible: NDArray[np.int64]
    pixels: NDArray[np.float64]
    contacts: tuple[Contact, ...]

    @property
    def frames(self) -> int:
        """How many."""
        return len(self.poses)

    def sees(self, frame: int, body: int) -> bool:
        """Whether a body is seen in a frame."""
        return bool(self.visible[frame, body] >= ENOUGH_PX)


@dataclass(frozen=True, eq=False)
class ShownMeta:
    """What a candidate shows.

    Attributes:
        variant, frame: which.
        name: of the other scene; None of the scene itself.
        poses: (K, 7); visible: (K,) pixels.
    """

    variant: str
    frame: int
    name: str | None
    poses: NDArray[np.float64]
    visible: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TransferMeta:
    """The scene, and the four candidates in letter order."""

    scene: FilmedMeta
    frames: tuple[ShownMeta, ...]


@lru_cache(maxsize=2)
def transfer_meta(data: bytes) -> TransferMeta:
    """Raises :class:`ReleaseError` where the text is not what schema.md says; remembered for the scene's samples."""
    plain = value_from_json(data, NAME)
    try:
        if not isinstance(plain, dict) or set(plain) != {"scene", "frames"}:
            raise ValueError("its keys are not scene, frames")
        scene = _scene(plain["scene"])
        frames = tuple(_shown(each, scene) for each in plain["frames"])
        if len(frames) != 4:
            raise ValueError(f"{len(frames)} frames, expected 4")
        return TransferMeta(scene, frames)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ReleaseError(f"{NAME} is not what a filmed scene has ({error}): build the shard again") from None


def _scene(plain: Mapping[str, Any]) -> FilmedMeta:
    if set(plain) != _SCENE_KEYS:
        raise ValueError(f"a scene with the keys {', '.join(sorted(plain))[:200]}")
    names, fps, frames = plain["bodies"], plain["fps"], len(plain["poses"])
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise ValueError("names of bodies that are no texts")
    if type(fps) is not int or not 1 <= fps <= 240 or not FEWEST <= frames <= MOST or len(names) > MOST_BODIES:
        raise ValueError(f"{frames} frames of {len(names)} bodies at {fps!r} a second")
    shape = (frames, len(names))
    return FilmedMeta(
        name=str(plain["name"]),
        scenario=str(plain["scenario"]),
        fps=fps,
        bodies=len(names),
        poses=_finite(plain["poses"], (*shape, 7)),
        velocities=_finite(plain["velocities"], (*shape, 3)),
        spins=_finite(plain["spins"], (*shape, 3)),
        visible=counts(plain["visible"], shape),
        pixels=table(plain["pixels"], (*shape, 2)),
        contacts=tuple(_contact(each, shape) for each in plain["touches"]),
    )


def _finite(plain: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    found = table(plain, shape)
    if not np.isfinite(found).all():
        raise ValueError("numbers that are not finite")
    return found


def _contact(plain: Any, shape: tuple[int, int]) -> Contact:
    if not isinstance(plain, list) or len(plain) not in (3, 4) or not all(type(each) is int for each in plain):
        raise ValueError(f"a contact {str(plain)[:60]}")
    first, last, *bodies = plain
    if (
        not 0 <= first <= last < shape[0]
        or bodies != sorted(set(bodies))
        or not 0 <= bodies[0] <= bodies[-1] < shape[1]
    ):
        raise ValueError(f"a contact {plain}")
    return Contact(first, last, tuple(bodies))


def _shown(plain: Mapping[str, Any], scene: FilmedMeta) -> ShownMeta:
    if set(plain) != _FRAME_KEYS:
        raise ValueError(f"a candidate with the keys {', '.join(sorted(plain))[:200]}")
    variant, frame, name = plain["variant"], plain["frame"], plain["name"]
    own = variant == TRUE_RUN
    if type(frame) is not int or not 0 <= frame < (scene.frames if own else MOST) or own != (name is None):
        raise ValueError(f"frame {frame!r} of {variant!r}, scene {name!r}")
    count = len(plain["poses"])
    if count > MOST_BODIES or (own and count != scene.bodies):
        raise ValueError(f"a candidate with {count} bodies")
    shown = None if own else str(name)
    return ShownMeta(
        str(variant), frame, shown, _finite(plain["poses"], (count, 7)), counts(plain["visible"], (count,))
    )
