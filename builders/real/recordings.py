"""Scenes as episodes: of the embedded tabletop, recorded and read back, or of datasets that a build was given."""

from __future__ import annotations

import abc
import functools
import logging
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.sim.items import Reject
from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.mining import FramePair, mine_episode, task_key
from flowbench.builders.sources.profiles import Profile, profile_named
from flowbench.builders.sources.recorded import EpisodeError, RecordedDataset
from flowbench.schema.real_meta import TrueGap
from flowbench.seeding import generator

from .facts import Facts
from .measuring.measure import perceive
from .measuring.plane import arm_foot, fit_plane, plane_of_camera
from .measuring.sighting import Optics
from .pair import ImagePair
from .perception.base import Perception
from .perception.choosing import Choice
from .perception.truth import TruthOf, gaps_of

TABLETOP: Final = "tabletop"
"""The embedded source: its profile, its pool, and what records call its dataset."""
AUTO: Final = Choice()
"""Whoever a source comes with."""
MOST_POOLED: Final = 300
"""Episodes whose first pictures are looked at for a table plane."""
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene's pair, ready to be measured.

    Attributes:
        pair: what was mined.
        perception: who is asked.
        optics: how pixels become places.
        task: what pairs of one task are counted within, ("bridge_v2", group, task).
        truth: the simulator's; None of recorded scenes.
    """

    pair: ImagePair
    perception: Perception
    optics: Optics
    task: tuple[str, str, str]
    truth: TruthOf | None

    def gaps(self, facts: Facts) -> list[TrueGap] | None:
        """True distances of the landmarks; None where nobody knows them."""
        return None if self.truth is None else gaps_of(self.truth, facts)


class Recordings(abc.ABC):
    """Where the scenes of a pool come from."""

    def name_of(self, scene: int) -> str:
        """What a scene is in its dataset."""
        return f"scene {scene}"

    @abc.abstractmethod
    def shot(self, seed: int, pool: str, scene: int) -> Shot | Reject:
        """The pair of a scene, or why it gives none."""


@final
class EmbeddedTabletop(Recordings):
    """Each scene is recorded as a dataset of one episode in a private folder, and read back as any other is."""

    def __init__(self, choice: Choice = AUTO) -> None:
        """``choice`` says who is asked."""
        self._choice = choice

    def check(self) -> None:
        """The choice can be made; raises UsageError."""
        self._choice.check_simulated()

    def shot(self, seed: int, pool: str, scene: int) -> Shot | Reject:
        """See the class; perception is exact, unless mistakes are asked for."""
        from flowbench.builders.simulators.tabletop.recording import record_scene

        profile = profile_named(TABLETOP)
        with tempfile.TemporaryDirectory(prefix="flowbench-tabletop-") as folder:
            truth = record_scene(Path(folder) / TABLETOP, seed, pool, scene, "bridge")
            found = mine_episode(open_dataset(Path(folder) / TABLETOP, profile), profile, 0)
        if not isinstance(found, FramePair):
            return Reject(f"mining: {found.reason}")
        # as in a dataset of the whole pool, where episode and scene have one number
        numbered = replace(found, episode=replace(found.episode, index=scene))
        pair = ImagePair(numbered, TABLETOP, seed, pool, scene)
        known = TruthOf(truth)
        return Shot(pair, self._choice.simulated(known), Optics(found.k), (TABLETOP, *task_key(found.episode)), known)


@final
class GivenDatasets(Recordings):
    """Episodes of datasets in turn: scene 0 is the first of the first, scene 1 the first of the second, and so on."""

    def __init__(self, sources: Sequence[tuple[str, str]], choice: Choice = AUTO) -> None:
        """``sources`` are (profile, folder) pairs; ``choice`` says who is asked."""
        self._sources, self._choice = tuple(sources), choice

    def check(self) -> None:
        """Every dataset opens, and there is perception beside it; raises UsageError."""
        for name, path in self._sources:
            opened(name, path)
            self._choice.check_dataset(Path(path))

    def scenes(self) -> int:
        """How many scenes there are until the largest dataset has no more."""
        return len(self._sources) * max(len(opened(name, path)[0].episodes) for name, path in self._sources)

    def name_of(self, scene: int) -> str:
        """``bridge_v2 episode 12``."""
        name, path = self._sources[scene % len(self._sources)]
        episodes, place = opened(name, path)[0].episodes, scene // len(self._sources)
        return f"{name} episode {episodes[place] if place < len(episodes) else 'beyond the last'}"

    def shot(self, seed: int, pool: str, scene: int) -> Shot | Reject:
        """The pair of an episode; perception is what was chosen."""
        name, path = self._sources[scene % len(self._sources)]
        dataset, profile = opened(name, path)
        place = scene // len(self._sources)
        if place >= len(dataset.episodes):
            return Reject("source: it has no more episodes")
        found = mine_episode(dataset, profile, dataset.episodes[place])
        if not isinstance(found, FramePair):
            _LOG.warning("%s: %s", name, found.why)
            return Reject(f"mining: {found.reason}")
        pair = ImagePair(found, name, seed, pool, scene)
        task = (name, *task_key(found.episode))
        known = TruthOf.of_dataset(Path(path), found.episode)
        perception = self._choice.beside(name, Path(path), known)
        optics = _optics(name, path, seed, pair, self._choice)
        return optics if isinstance(optics, Reject) else Shot(pair, perception, optics, task, known)


@functools.lru_cache(maxsize=8)
def opened(name: str, path: str) -> tuple[RecordedDataset, Profile]:
    """A dataset and its profile; raises UsageError."""
    profile = profile_named(name)
    return open_dataset(Path(path), profile), profile


def _optics(name: str, path: str, seed: int, pair: ImagePair, choice: Choice) -> Optics | Reject:
    """Depth, or the table plane of the dataset."""
    if not pair.profile.plane:
        return Optics(pair.k)
    height, width = pair.shape
    centre, episode = ((width - 1) / 2.0, (height - 1) / 2.0), pair.shots.episode
    if episode.camera_from_robot is not None:
        plane = plane_of_camera(pair.k, episode.camera_from_robot, centre)
        return plane if isinstance(plane, Reject) else Optics(pair.k, plane)
    fitted = _plane(name, path, seed, episode.camera, episode.group, choice)
    return fitted if isinstance(fitted, Reject) else Optics(pair.k, *fitted)


@functools.lru_cache(maxsize=8)
def _plane(
    name: str, path: str, seed: int, camera: str, group: str, choice: Choice
) -> tuple[NDArray[np.float64], tuple[tuple[float, float, float, float], ...]] | Reject:
    """The table plane of one camera of a group, from where the arm was seen in first pictures and recorded to be.

    Returns:
        plane_from_pixel, and the (u, v, x, y) that it was fitted to.
    """
    dataset, profile = opened(name, path)
    pixels: list[tuple[float, float]] = []
    places: list[tuple[float, float]] = []
    for index in dataset.episodes[:MOST_POOLED]:
        found = mine_episode(dataset, profile, index)
        if not isinstance(found, FramePair) or found.episode.effector is None:
            continue
        if (found.episode.camera, found.episode.group) != (camera, group):
            continue
        pair = ImagePair(found, name, seed, "plane", index)
        try:
            provider = choice.beside(name, Path(path), TruthOf.of_dataset(Path(path), found.episode))
            masks = perceive(provider, pair).segmentation.before
        except EpisodeError:
            continue
        arms = [mask.pixels for mask in masks if mask.kind == "arm"]
        foot = arm_foot(np.logical_or.reduce(arms)) if arms else None
        if foot is not None:
            x, y = found.episode.effector[found.before_index][:2].tolist()
            pixels.append(foot)
            places.append((x, y))
    centre = ((profile.width - 1) / 2.0, (profile.height - 1) / 2.0)
    plane = fit_plane(pixels, places, centre, generator(seed, "plane", 0, name))
    points = tuple((*seen, *recorded) for seen, recorded in zip(pixels, places, strict=True))
    return plane if isinstance(plane, Reject) else (plane, points)


def recordings_of(sources: Sequence[tuple[str, str]], choice: Choice = AUTO) -> EmbeddedTabletop | GivenDatasets:
    """The embedded tabletop, unless a build was given datasets."""
    return GivenDatasets(sources, choice) if sources else EmbeddedTabletop(choice)
