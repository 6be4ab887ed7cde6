"""A filmed scene beside others of its scenario, read when they are asked for."""

from __future__ import annotations

import functools
import hashlib
import logging
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, final

from flowbench.builders.dynapix.scenes import FACTUAL, Film, SceneFilms, Take
from flowbench.builders.sources.filmed import FilmedScene, Picture, SceneError, SceneSource, Size
from flowbench.collisions.oracle import Oracle

from .happenings import oracle_of
from .profiles import Profile

OTHERS = 3
"""Scenes of the same scenario that distractors may be taken from."""
TRIED = 12
"""Scenes that are looked at for them: some may be broken."""
_KEPT = 8
_LOG: Final = logging.getLogger(__name__)


@functools.lru_cache(maxsize=4)
def source_of(reader: type[SceneSource], root: str, size: Size) -> SceneSource:
    """The scenes of a folder."""
    return reader(Path(root), size)


@functools.lru_cache(maxsize=_KEPT)
def _read(reader: type[SceneSource], root: str, size: Size, name: str) -> FilmedScene | SceneError:
    """A scene, or what is wrong with it, which is told once."""
    try:
        return source_of(reader, root, size).scene(name)
    except SceneError as error:
        _LOG.warning("%s", error)
        return error


@final
class _Shown:
    """A scene's pictures as planning and writing ask for them."""

    def __init__(self, scene: FilmedScene) -> None:
        self._scene: Final = scene

    def picture(self, frame: int) -> Picture:
        """Of a frame.

        Raises:
            SceneError: it is broken, which is told here.
        """
        try:
            return self._scene.picture(frame)
        except SceneError as error:
            _LOG.warning("%s", error)
            raise


@final
class FilmedStage:
    """A scene of the pool with others by name: ``factual``, ``other-0``, ``other-1``."""

    def __init__(self, profile: Profile, root: str, size: Size, seed: int, scene: int) -> None:
        self.profile: Final = profile
        self.seed: Final = seed
        self.scene: Final = scene
        self._place: Final = (profile.reader, root, size)
        self._oracles: Final[dict[str, Oracle]] = {}

    @cached_property
    def filmed(self) -> FilmedScene:
        """The scene itself.

        Raises:
            SceneError: there is none, or it cannot be used.
        """
        names = source_of(*self._place).names
        if self.scene >= len(names):
            found = f"the source {self.profile.source} has {len(names):,} scenes"
            raise SceneError(f"{found}, but number {self.scene:,} was asked for.", "the source has no more")
        return self._good(names[self.scene])

    def _good(self, name: str) -> FilmedScene:
        found = _read(*self._place, name)
        if isinstance(found, SceneError):
            raise found
        return found

    @cached_property
    def others(self) -> tuple[FilmedScene, ...]:
        """The next scenes of the same scenario that can be read; after the last one the first ones follow."""
        found: list[FilmedScene] = []
        for name in self._following():
            other = _read(*self._place, name)
            if isinstance(other, FilmedScene):
                found.append(other)
            if len(found) == OTHERS:
                break
        return tuple(found)

    def _following(self) -> Iterator[str]:
        source = source_of(*self._place)
        ring = [*source.names[self.scene + 1 :], *source.names[: self.scene]]
        alike = (name for name in ring if source.scenario(name) == self.filmed.scenario)
        return (name for name, _ in zip(alike, range(TRIED), strict=False))

    def of(self, variant: str) -> FilmedScene:
        """The scene that a variant is."""
        return self.filmed if variant == FACTUAL else self.others[int(variant.removeprefix("other-"))]

    def reel(self, variant: str) -> Film:
        """A variant's pictures."""
        return _Shown(self.of(variant))

    def oracle(self, variant: str = FACTUAL) -> Oracle:
        """What is known of a variant."""
        if variant not in self._oracles:
            self._oracles[variant] = oracle_of(self.of(variant), self.scene)
        return self._oracles[variant]

    def fingerprint(self, variant: str) -> str:
        """What changes with any number of a variant."""
        scene = self.of(variant)
        digest = hashlib.sha256(repr((scene.name, scene.fps, scene.size, scene.bodies, scene.touches)).encode())
        for values in (scene.poses, scene.velocities, scene.spins, scene.visible, scene.pixels):
            digest.update(values.tobytes())
        return digest.hexdigest()[:16]

    def fingerprints(self, variants: Iterable[str]) -> Mapping[str, str]:
        """Those of some variants and of the scene itself."""
        return {variant: self.fingerprint(variant) for variant in sorted({FACTUAL, *variants})}

    def films(self, beside: bool) -> SceneFilms:
        """As planning takes the scene, with others beside it or not."""
        names = [f"other-{number}" for number in range(len(self.others))] if beside else []
        return SceneFilms(
            scene=self.scene,
            factual=Take(self.oracle(), self.reel(FACTUAL)),
            others=tuple(Take(self.oracle(name), self.reel(name)) for name in names),
            size=self.filmed.size,
        )
