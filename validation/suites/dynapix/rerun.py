"""Every published run is simulated again from its set-up by a script of the checks' own, and compared to the bit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from flowbench.collisions.setup import Setup

from ...dynapix.meta import FrameMeta, RunMeta, scene_key
from ...dynapix.opened import OpenedClip, OpenedFrame, OpenedQuery, OpenedSelection
from ...dynapix.resimulate import NEEDS, Rerun, resimulate
from ...recompute.rules import Finding
from ..base import SampleSuite, Violation
from ..samples import violations_of

_KEPT = 12
"""Runs remembered: a scene's own, its twins', those without a body."""


@final
class Reruns(SampleSuite[OpenedClip]):
    """True runs, runs without a body, twins."""

    name: ClassVar[str] = "simulation"
    about: ClassVar[str] = "Every run, those without a body too, comes out the same when it is simulated again."
    needs: ClassVar[tuple[str, ...]] = (NEEDS,)
    columns: ClassVar[frozenset[str]] = frozenset({"json", "meta.txt"})

    def check(self, sample: OpenedClip) -> Iterable[Violation]:
        """What the sample breaks."""
        return violations_of(_findings(sample), sample.key)


def _findings(sample: OpenedClip) -> Iterator[Finding]:
    if isinstance(sample, OpenedFrame):
        variant = sample.record.variant
        removed = int(variant.removeprefix("without-")) if variant.startswith("without-") else None
        if removed is None or removed < len(sample.setup.bodies):
            yield from _frame(sample.setup, sample.meta.frame, removed)
    elif isinstance(sample, OpenedSelection):
        yield from _run(sample.setup, sample.meta.factual, None)
        for place, frame in enumerate(sample.meta.frames):
            yield from _frame(sample.setup_of(place), frame, None)
    elif isinstance(sample, OpenedQuery):
        yield from _run(sample.setup, sample.meta.factual, None)
        if sample.meta.without is not None:
            yield from _run(sample.setup, sample.meta.without, sample.meta.removed)


def _run(setup: Setup, run: RunMeta, without: int | None) -> Iterator[Finding]:
    """All tables of a run, and its collisions."""
    again = _again(setup, without)
    name = "the true run" if without is None else f"the run without body {without}"
    tables = (("poses", run.poses, again.poses), ("velocities", run.velocities, again.velocities))
    for what, stated, found in (*tables, ("spins", run.spins, again.spins)):
        yield from _compare(f"{what} of {name}", stated, found)
    published = [(c.frame, c.substep, tuple(c.pair), c.speed, c.impulse, tuple(c.position)) for c in run.collisions]
    bumps = [(b.frame, b.substep, b.pair, b.speed, b.impulse, b.position) for b in again.bumps]
    if published != bumps:
        differing = [pair for pair in zip(published, bumps, strict=False) if pair[0] != pair[1]][:1]
        told = map(str, differing[0]) if differing else (f"{len(published)} of them", f"{len(bumps)}")
        one, other = told
        yield Finding("collisions simulated again", f"{name}: {one}", other)


def _frame(setup: Setup, frame: FrameMeta, without: int | None) -> Iterator[Finding]:
    poses = _again(setup, without).poses[frame.frame]
    yield from _compare(f"poses of frame {frame.frame} of {frame.variant}", frame.poses, poses)


def _compare(name: str, published: NDArray[np.float64], again: NDArray[np.float64]) -> Iterator[Finding]:
    if not np.array_equal(published, again, equal_nan=True):
        off = np.abs(published - again)
        largest = float(np.nanmax(off)) if np.isfinite(off).any() else np.inf
        yield Finding("run simulated again", f"{name} are up to {largest:.3g} off", "the same to the bit")


def _again(setup: Setup, without: int | None) -> Rerun:
    return _remembered(_Scene(setup), without)


class _Scene:
    """A set-up that is told from others by its content."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self._key = setup, scene_key(setup)

    def __hash__(self) -> int:
        """Of the content."""
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        """Whether the contents agree."""
        return isinstance(other, _Scene) and other._key == self._key


@lru_cache(maxsize=_KEPT)
def _remembered(scene: _Scene, without: int | None) -> Rerun:
    return resimulate(scene.setup, without)
