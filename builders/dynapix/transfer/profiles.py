"""What is asked of which source, as data (paper, appendix E)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flowbench.builders.sources.clevrer_scenes import ClevrerSource
from flowbench.builders.sources.filmed import SceneSource
from flowbench.builders.sources.movi import MoviSource
from flowbench.builders.sources.physion import PhysionSource


@dataclass(frozen=True)
class EventKind:
    """A kind of event items.

    Attributes:
        regime: the paper's name of it, ``A1`` to ``A3``.
        kind: ``contact`` of two bodies, ``motion`` of one that was at rest, ``landing`` of one on the ground.
        gap: frames from the cut to the event.
        presets: that ask for it.
    """

    regime: str
    kind: str
    gap: int = 10
    presets: tuple[str, ...] = ("balanced", "paper")

    @property
    def name(self) -> str:
        """E.g. ``A1-contact-10``."""
        return f"{self.regime}-{self.kind}-{self.gap}"


@dataclass(frozen=True)
class TimeKind:
    """A kind of time items.

    Attributes:
        observed, ahead: seconds that are observed, and from their end to the target.
        presets: that ask for it.
    """

    observed: float
    ahead: float
    presets: tuple[str, ...] = ("balanced", "paper")

    @property
    def name(self) -> str:
        """E.g. ``time-1-2``."""
        return f"time-{self.observed:g}-{self.ahead:g}"


@dataclass(frozen=True)
class Profile:
    """A source and what is asked of its scenes.

    Attributes:
        source: its name, as ``--source`` takes it; also the pool.
        reader: of its files.
        advice: what its folder holds, in words.
        events, times: kinds of items.
        same, cross: with ``paper``, how many distractors are of the same video, and of other videos.
        later: with ``paper``, whether those of the same video lie strictly after the target.
    """

    source: str
    reader: type[SceneSource]
    advice: str
    events: tuple[EventKind, ...]
    times: tuple[TimeKind, ...]
    same: int
    cross: int
    later: bool

    def events_of(self, preset: str) -> list[EventKind]:
        """The event items of a preset."""
        return [each for each in self.events if preset in each.presets]

    def times_of(self, preset: str) -> list[TimeKind]:
        """The time items of a preset."""
        return [each for each in self.times if preset in each.presets]


BALANCED = ("balanced",)
MOVI = Profile(
    source="movi",
    reader=MoviSource,
    advice="a folder with one folder a scene, as Kubric's MOVi-A worker writes them",
    # MOVi-A's own clips have 24 frames: those of half a second and of five frames before the event fit into them.
    events=(EventKind("A1", "contact"), EventKind("A1", "contact", 5, BALANCED)),
    times=(TimeKind(1.0, 1.0), TimeKind(1.0, 2.0), TimeKind(0.5, 0.75, BALANCED)),
    same=1,
    cross=2,
    later=False,
)
PHYSION = Profile(
    source="physion",
    reader=PhysionSource,
    advice="a folder with one folder a scenario and its trials as HDF5 files, as tdw_physics writes them",
    events=(EventKind("A1", "contact"), EventKind("A2", "motion"), EventKind("A3", "landing")),
    times=(TimeKind(1.0, 1.0), TimeKind(1.0, 2.0)),
    same=2,
    cross=1,
    later=True,
)
CLEVRER = Profile(
    source="clevrer",
    reader=ClevrerSource,
    advice="a folder with CLEVRER's annotations, videos and processed proposals, as its release has them",
    events=(EventKind("A1", "contact"), EventKind("A1", "contact", 5, BALANCED)),
    times=(TimeKind(1.0, 1.0), TimeKind(1.0, 2.0)),
    same=3,
    cross=0,
    later=False,
)
PROFILES: Mapping[str, Profile] = {"selection_movi": MOVI, "selection_physion": PHYSION, "selection_clevrer": CLEVRER}
"""Config -> what it is made of."""
