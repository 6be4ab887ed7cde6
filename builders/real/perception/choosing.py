"""Who is asked where things are in a build's pictures: ``--perception``.

``auto``: the tabletop's truth for what is simulated; beside a dataset its files, or the truth that was recorded.
``exact``: the truth, even where there are files. ``files``: those beside a dataset. ``models``: those of the Hub, while
the build runs; what comes of them depends on the machine. ``perturbed:erosion=3,missed=0.1``: as ``auto``, with
mistakes (:class:`~.perturbed.Knobs`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flowbench.builders.options import AUTO_PERCEPTION
from flowbench.builders.simulators.tabletop.truth import has_truth
from flowbench.builders.sources.datasets import open_dataset
from flowbench.builders.sources.profiles import profile_named
from flowbench.builders.sources.recorded import Picture
from flowbench.builders.sources.resizing import fitted
from flowbench.errors import UsageError, unknown_name

from ..pair import ImagePair
from .base import Perception
from .files import FOLDER, FilePerception
from .models import ModelPerception
from .perturbed import Knobs, PerturbedPerception
from .truth import TruthOf

EXACT, FILES, MODELS, PERTURBED = "exact", "files", "models", "perturbed"
PROVIDERS = (AUTO_PERCEPTION, EXACT, FILES, MODELS, PERTURBED)


@dataclass(frozen=True)
class Choice:
    """Who is asked.

    Attributes:
        name: one of :data:`PROVIDERS`.
        knobs: of ``perturbed``.
    """

    name: str = AUTO_PERCEPTION
    knobs: Knobs = field(default_factory=Knobs)

    @classmethod
    def of(cls, text: str) -> Choice:
        """What a user gave, ``"files"`` or ``"perturbed:erosion=3,missed=0.1"``.

        Raises:
            UsageError: there is no such provider or knob, or a knob's value is none.
        """
        name, _, told = text.partition(":")
        if name not in PROVIDERS:
            raise unknown_name("perception", name, PROVIDERS)
        if name != PERTURBED:
            if ":" in text:
                raise UsageError(f"--perception {text} gives knobs, which only {PERTURBED} has: give {name} alone.")
            return cls(name)
        return cls(name, Knobs.of(dict(_knob(each, text) for each in told.split(","))))

    def check_simulated(self) -> None:
        """Refuse what the embedded tabletop does not have; raises UsageError."""
        if self.name in (FILES, MODELS):
            raise UsageError(
                f"--perception {self.name} is for recorded datasets, but none was given with --source: give one, or "
                f"choose {EXACT} or {PERTURBED}."
            )

    def check_dataset(self, path: Path) -> None:
        """Refuse what a dataset does not have.

        Raises:
            UsageError: there is nothing beside it that was chosen, or models cannot be run.
        """
        if self.name == MODELS:
            ModelPerception.check()
        elif self.name == EXACT and not has_truth(path):
            raise UsageError(
                f"{path} has no recorded truth, as --perception {EXACT} needs it: choose {FILES}, or leave it out."
            )
        elif self.name == FILES or (self.name != EXACT and not has_truth(path)):
            perception_root(path)

    def simulated(self, known: TruthOf) -> Perception:
        """The provider for an episode of the embedded tabletop."""
        return self._with_mistakes(known.perception())

    def beside(self, name: str, path: Path, known: TruthOf | None) -> Perception:
        """The provider for an episode of a dataset.

        Args:
            name: of its profile.
            path: its folder.
            known: the truth that was recorded of the episode, if any.
        """
        if self.name == MODELS:
            return _models(name, str(path))
        files = self.name == FILES or (self.name != EXACT and (path / FOLDER).is_dir())
        if known is None or files:
            return self._with_mistakes(FilePerception(perception_root(path)))
        return self._with_mistakes(known.perception())

    def _with_mistakes(self, provider: Perception) -> Perception:
        return PerturbedPerception(provider, self.knobs) if self.name == PERTURBED else provider


def perception_root(path: Path) -> Path:
    """Where a dataset's perception lies; raises UsageError where there is none."""
    root = path / FOLDER
    if not root.is_dir():
        raise UsageError(
            f"{root} is missing, expected masks, depth and tracks of the episodes: compute them as docs/real.md says."
        )
    return root


def _knob(text: str, whole: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise UsageError(
            f"--perception {whole} holds {text!r}, expected a knob and a number: give knobs as in "
            f"{PERTURBED}:erosion=3,missed=0.1."
        ) from None


@functools.lru_cache(maxsize=2)
def _models(name: str, path: str) -> ModelPerception:
    """The models of this process, loaded once."""
    profile = profile_named(name)
    dataset = open_dataset(Path(path), profile)

    def frames(pair: ImagePair, indices: Sequence[int]) -> list[Picture]:
        found = dataset.frames(pair.shots.episode, indices)
        return [fitted(each, profile.width, profile.height) for each in found]

    return ModelPerception(frames)
