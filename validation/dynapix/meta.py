"""``meta.txt`` of collision scenes: set-ups, runs and single frames, read with every shape checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from flowbench.collisions.oracle import Collision
from flowbench.collisions.setup import Setup, as_json, from_json
from flowbench.errors import ReleaseError, UsageError
from flowbench.schema import to_json, value_from_json

from .facts import FRAMES, Hit, RunFacts

NAME: Final = "meta.txt"
_RECENT: Final = 4
"""A scene's samples lie side by side and say much the same."""

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Read = TypeVar("Read")


@dataclass(frozen=True, eq=False)
class RunMeta:
    """A run as published; of a body left out numbers are NaN and counts 0.

    Attributes:
        poses: (128, K, 7) metres and a quaternion x, y, z, w.
        velocities, spins: (128, K, 3) m/s and rad/s, world axes.
        visible, whole: (128, K) pixels.
        pixels: (128, K, 2) (u, v) of the centres.
        collisions: in order.
    """

    poses: Floats
    velocities: Floats
    spins: Floats
    visible: Counts
    whole: Counts
    pixels: Floats
    collisions: tuple[Collision, ...]

    @property
    def bodies(self) -> int:
        """How many bodies it tells of."""
        return int(self.poses.shape[1])

    def facts(self, setup: Setup) -> RunFacts:
        """As the rechecks of items take it."""
        hits = [Hit(each.frame, *each.pair) for each in self.collisions]
        return RunFacts([body.enters for body in setup.bodies], self.visible, self.whole, self.pixels, hits)


@dataclass(frozen=True, eq=False)
class FrameMeta:
    """One picture's frame as published.

    Attributes:
        variant, frame: which.
        setup: of the run it is a frame of; None where that is the scene's own.
        poses: (K, 7); NaN of a body left out.
        erased: a body that moves in the run and is not drawn; else None.
    """

    variant: str
    frame: int
    setup: Setup | None
    poses: Floats
    erased: int | None


@dataclass(frozen=True, eq=False)
class SelectionMeta:
    """Of a question: the scene, its true run, the four candidates in letter order, and the bodies that it is about."""

    setup: Setup
    factual: RunMeta
    frames: tuple[FrameMeta, ...]
    focus: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class QueryMeta:
    """Of a query: the scene, its true run, and the run without the removed body where one is removed."""

    setup: Setup
    factual: RunMeta
    removed: int | None
    without: RunMeta | None


@dataclass(frozen=True, eq=False)
class CorpusMeta:
    """Of a corpus frame: the scene and the frame."""

    setup: Setup
    frame: FrameMeta


def selection_meta(data: bytes) -> SelectionMeta:
    """Raises :class:`ReleaseError` where the text is not what schema.md says."""
    return _read(data, _selection, ("setup", "factual", "frames", "focus"))


def query_meta(data: bytes) -> QueryMeta:
    """Raises :class:`ReleaseError` where the text is not what schema.md says."""
    return _read(data, _query, ("setup", "factual", "removed", "without"))


def corpus_meta(data: bytes) -> CorpusMeta:
    """Raises :class:`ReleaseError` where the text is not what schema.md says."""
    return _read(data, _corpus, ("setup", "variant", "frame", "poses", "erased"))


def _read(data: bytes, make: Callable[[Mapping[str, Any]], Read], keys: Sequence[str]) -> Read:
    plain = value_from_json(data, NAME)
    try:
        if not isinstance(plain, dict) or set(plain) != set(keys):
            raise ValueError(f"its keys are not {', '.join(keys)}")
        return make(plain)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, UsageError) as error:
        raise ReleaseError(f"{NAME} is not what a collision scene has ({error}): build the shard again") from None


def _selection(plain: Mapping[str, Any]) -> SelectionMeta:
    setup = from_json(plain["setup"])
    frames = tuple(_candidate(each, setup) for each in plain["frames"])
    if len(frames) != 4:
        raise ValueError(f"{len(frames)} frames, expected 4")
    count = len(setup.bodies)
    return SelectionMeta(setup, _run(plain["factual"], count), frames, _focus(plain["focus"], count))


def _focus(plain: Any, count: int) -> tuple[int, ...]:
    if not isinstance(plain, list) or not all(type(k) is int and 0 <= k < count for k in plain):
        raise ValueError(f"a question about {str(plain)[:40]} of {count} bodies")
    if plain != sorted(set(plain)):
        raise ValueError(f"bodies {plain}, expected each once, in order")
    return tuple(plain)


def _candidate(plain: Mapping[str, Any], scene: Setup) -> FrameMeta:
    own = None if plain["setup"] is None else from_json(plain["setup"])
    return _frame(plain, own, scene if own is None else own)


def _query(plain: Mapping[str, Any]) -> QueryMeta:
    setup, removed = from_json(plain["setup"]), plain["removed"]
    count = len(setup.bodies)
    without = None if plain["without"] is None else _run(plain["without"], count)
    if (removed is None) != (without is None):
        raise ValueError("a body is removed without a run, or a run lacks a body that is not removed")
    return QueryMeta(setup, _run(plain["factual"], count), _index(removed, count), without)


def _corpus(plain: Mapping[str, Any]) -> CorpusMeta:
    setup = from_json(plain["setup"])
    return CorpusMeta(setup, _frame(plain, None, setup))


def _frame(plain: Mapping[str, Any], own: Setup | None, setup: Setup) -> FrameMeta:
    variant, frame = plain["variant"], plain["frame"]
    if not isinstance(variant, str) or type(frame) is not int or not 0 <= frame < FRAMES:
        raise ValueError(f"frame {frame!r} of {variant!r}")
    count = len(setup.bodies)
    return FrameMeta(variant, frame, own, table(plain["poses"], (count, 7)), _index(plain["erased"], count))


def _index(value: Any, count: int) -> int | None:
    if value is not None and (type(value) is not int or not 0 <= value < count):
        raise ValueError(f"body {value!r} of {count}")
    return value


def _run(plain: Mapping[str, Any], count: int) -> RunMeta:
    shape = (FRAMES, count)
    collisions = tuple(_collision(each, count) for each in plain["collisions"])
    return RunMeta(
        poses=table(plain["poses"], (*shape, 7)),
        velocities=table(plain["velocities"], (*shape, 3)),
        spins=table(plain["spins"], (*shape, 3)),
        visible=counts(plain["visible"], shape),
        whole=counts(plain["whole"], shape),
        pixels=table(plain["pixels"], (*shape, 2)),
        collisions=collisions,
    )


def _collision(plain: Mapping[str, Any], count: int) -> Collision:
    frame, substep, pair = plain["frame"], plain["substep"], tuple(plain["pair"])
    if not (type(frame) is type(substep) is int and 0 <= frame < FRAMES and 0 <= substep < 10):
        raise ValueError(f"a collision in frame {frame!r}, substep {substep!r}")
    if len(pair) != 2 or not all(type(k) is int for k in pair) or not 0 <= pair[0] < pair[1] < count:
        raise ValueError(f"a collision of {pair!r}")
    position = tuple(float(each) for each in plain["position"])
    if len(position) != 3:
        raise ValueError(f"a collision at {position!r}")
    return Collision(frame, substep, pair, float(plain["speed"]), float(plain["impulse"]), position)


def table(plain: Any, shape: tuple[int, ...]) -> Floats:
    """Lists of numbers as an array of this shape; a null stands for a row of NaN."""
    found = np.array(_filled(plain, shape, math.nan), dtype=np.float64)
    found.setflags(write=False)
    return found


def counts(plain: Any, shape: tuple[int, ...]) -> Counts:
    """Lists of numbers of pixels as an array of this shape; a null stands for a row of zeros."""
    found = np.array(_filled(plain, shape, 0), dtype=np.int64)
    if (found < 0).any():
        raise ValueError("a negative count of pixels")
    found.setflags(write=False)
    return found


def _filled(plain: Any, shape: tuple[int, ...], absent: float) -> Any:
    """The lists with nulls replaced; every list as long as it should be, every leaf a plain number."""
    if not shape:
        if plain is None:
            return absent
        if type(plain) not in ((int,) if absent == 0 else (int, float)):
            raise ValueError(f"{str(plain)[:40]!r} where a number should be")
        return plain
    if plain is None:
        return np.full(shape, absent).tolist()
    if not isinstance(plain, list) or len(plain) != shape[0]:
        raise ValueError(f"no list of {shape[0]} where one should be")
    return [_filled(each, shape[1:], absent) for each in plain]


@lru_cache(maxsize=_RECENT)
def shared_selection(data: bytes) -> SelectionMeta:
    """:func:`selection_meta`, remembered for a scene's other samples."""
    return selection_meta(data)


def scene_key(setup: Setup) -> bytes:
    """The set-up as bytes, to compare and to remember by."""
    return to_json(as_json(setup))
