"""The embedded tabletop's first and last pictures without a video: for studies over many episodes."""

from __future__ import annotations

from typing import final

from flowbench.builders.sim.items import Reject
from flowbench.builders.simulators.tabletop.pairs import pair_of
from flowbench.builders.sources.mining import FramePair
from flowbench.builders.sources.profiles import profile_named
from flowbench.builders.sources.recorded import Episode
from flowbench.builders.sources.resizing import changed_share

from .measuring.sighting import Optics
from .pair import ImagePair
from .perception.truth import TruthOf
from .recordings import TABLETOP, Recordings, Shot


@final
class DrawnTabletop(Recordings):
    """As :class:`~.recordings.EmbeddedTabletop`, but pictures are those before any encoding, and nothing is mined."""

    def shot(self, seed: int, pool: str, scene: int) -> Shot | Reject:
        """The pair of an episode; perception is exact."""
        profile = profile_named(TABLETOP)
        drawn = pair_of(seed, pool, scene, "bridge")
        truth = drawn.truth
        episode = Episode(scene, truth.task, len(truth), truth.fps, profile.camera_keys[0])
        changed = changed_share(drawn.before, drawn.after)
        shots = FramePair(
            profile, episode, 0, len(truth) - 1, drawn.before, drawn.after, truth.camera.intrinsics, changed
        )
        known = TruthOf(truth)
        pair = ImagePair(shots, TABLETOP, seed, pool, scene)
        return Shot(pair, known.perception(), Optics(shots.k), (TABLETOP, "", truth.task), known)
