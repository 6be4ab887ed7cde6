"""Pairs of drawn pictures, discs that stand on a table, through the builder's measuring and wording; no simulator.

Everything is known exactly: masks, depths, and where each disc went. They stand in for recorded videos where tests need
samples of ``real_*`` fast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.annotating import Published, annotate
from flowbench.builders.real.asking import ask
from flowbench.builders.real.measuring.measure import Percepts, measure
from flowbench.builders.real.measuring.sighting import Optics
from flowbench.builders.real.naming.namer import Namer
from flowbench.builders.real.pair import ImagePair
from flowbench.builders.real.perception.base import Depths, Mask, Segmentation, Tracks
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.recording import Origin
from flowbench.builders.sim.items import Reject
from flowbench.builders.sources.mining import FramePair
from flowbench.builders.sources.profiles import profile_named
from flowbench.builders.sources.recorded import Episode
from flowbench.release import Sample

SIZE = (640, 480)
FOCAL = 610.0
K = np.array([[FOCAL, 0.0, 320.0], [0.0, FOCAL, 240.0], [0.0, 0.0, 1.0]])
TABLE = 0.22
"""Metres that the table lies under the camera."""
PLANE = np.array([[TABLE, 0.0, -320.0 * TABLE], [0.0, 0.0, -FOCAL * TABLE], [0.0, 1.0, -240.0]])
"""plane_from_pixel: where on the table a pixel lies, metres to the right and toward the camera."""
WALL = 2.2
POOL = "tabletop"


@dataclass(frozen=True)
class Disc:
    """A thing: its class, where it stands (x, z) before and after, and its radius, metres."""

    label: str
    before: tuple[float, float]
    after: tuple[float, float]
    radius: float = 0.04

    @classmethod
    def still(cls, label: str, x: float, z: float, radius: float = 0.04) -> Disc:
        """A thing that stays."""
        return cls(label, (x, z), (x, z), radius)


LAYOUT = (
    Disc("mug", (-0.16, 1.0), (0.11, 0.92)),
    Disc.still("can", -0.28, 1.02),
    Disc.still("bowl", 0.16, 1.05, 0.05),
    Disc.still("apple", 0.32, 0.90),
    Disc.still("box", -0.38, 1.12, 0.05),
    Disc.still("banana", 0.0, 1.09),
    Disc.still("plate", 0.42, 1.08, 0.05),
)
"""A mug that goes from the left to the right, in front of a bowl."""


def spot(x: float, z: float, radius: float) -> tuple[float, float, float]:
    """(u, v) of a disc's middle and its radius, pixels."""
    return FOCAL * x / z + 320.0, FOCAL * (TABLE - radius) / z + 240.0, FOCAL * radius / z


def filmed(
    layout: Sequence[Disc], after: bool, look: int = 0
) -> tuple[NDArray[np.uint8], NDArray[np.uint16], NDArray[np.float32]]:
    """Picture, index of the disc (from 1, 0 none), and depth; walls of another ``look`` have other stains."""
    width, height = SIZE
    rows = np.arange(height)[:, None] + 0.0 * np.arange(width)[None, :]
    columns = np.arange(width)[None, :] + 0.0 * rows
    depth = np.where(rows > 240.0, FOCAL * TABLE / np.maximum(rows - 240.0, 1e-6), WALL)
    depth = np.minimum(depth, WALL).astype(np.float32)
    stains = np.random.default_rng((7, look)).integers(40, 230, (6, 8)).astype(np.uint8)
    picture = np.repeat(cv2.resize(stains, SIZE, interpolation=cv2.INTER_CUBIC)[..., None], 3, axis=2)
    picture[depth < WALL] = (150, 120, 90)
    owner = np.zeros((height, width), np.uint16)
    order = sorted(range(len(layout)), key=lambda i: -(layout[i].after if after else layout[i].before)[1])
    for i in order:
        x, z = layout[i].after if after else layout[i].before
        u, v, r = spot(x, z, layout[i].radius)
        inside = (columns - u) ** 2 + (rows - v) ** 2 <= r * r
        owner[inside], depth[inside] = i + 1, z
        stripes = ((columns - u) / r * 6.0 + (rows - v) / r * 3.0).astype(int) % 2
        colour = np.random.default_rng(i).integers(30, 220, 3)
        picture[inside] = (colour + 30 * stripes[inside][:, None]).astype(np.uint8)
    return cv2.GaussianBlur(picture, (3, 3), 0).astype(np.uint8), owner, depth


def image_pair(layout: Sequence[Disc], scene: int, profile: str = "tabletop", seed: int = 0) -> ImagePair:
    """The mined pair."""
    before, after = filmed(layout, False, scene)[0], filmed(layout, True, scene)[0]
    episode = Episode(index=0, task=f"move the {layout[0].label}", length=30, fps=10.0, camera="front")
    shots = FramePair(profile_named(profile), episode, 0, 29, before, after, K, 0.05)
    return ImagePair(shots, POOL, seed, POOL, scene)


def percepts(layout: Sequence[Disc]) -> Percepts:
    """What exact perception says."""
    seen = [filmed(layout, after) for after in (False, True)]
    masks = [
        tuple(
            Mask(disc.label, "common", 1.0, owner == i + 1) for i, disc in enumerate(layout) if (owner == i + 1).any()
        )
        for _, owner, _ in seen
    ]
    displacement = np.zeros((SIZE[1], SIZE[0], 2), np.float32)
    for i, disc in enumerate(layout):
        (u0, v0, r0), (u1, v1, r1) = spot(*disc.before, disc.radius), spot(*disc.after, disc.radius)
        rows, columns = np.nonzero(seen[0][1] == i + 1)
        displacement[rows, columns, 0] = u1 + (columns - u0) * r1 / r0 - columns
        displacement[rows, columns, 1] = v1 + (rows - v0) * r1 / r0 - rows
    tracked = np.ones((SIZE[1], SIZE[0]), np.bool_)
    return Percepts(Segmentation(masks[0], masks[1]), Depths(seen[0][2], seen[1][2]), Tracks(displacement, tracked))


def samples(
    layout: Sequence[Disc] = LAYOUT,
    scene: int = 0,
    preset: str = "balanced",
    profile: str = "tabletop",
    namer: Namer | None = None,
) -> Mapping[str, Sample]:
    """Every question of a pair, category and number -> sample; AssertionError where the pair gives none."""
    optics = Optics(K, PLANE if profile_named(profile).plane else None)
    measured = measure(image_pair(layout, scene, profile), percepts(layout), optics)
    assert not isinstance(measured, Reject), measured.reason
    found = ask(measured, preset_named(preset))
    assert not isinstance(found, Reject), found.reason
    facts, drafts = found
    published = Published(facts, None)
    made = {}
    for k, draft in enumerate(drafts):
        key = f"{POOL}-{scene:06d}-p0-{draft.category}-{k}"
        sample = annotate(key, published, draft, 0, Origin(preset, "bullet", "1", "exact", "{}"), namer)
        if isinstance(sample, Sample):
            made[f"{draft.category}-{k}"] = Sample(key, dict(sorted(sample.members.items())))
    return made
