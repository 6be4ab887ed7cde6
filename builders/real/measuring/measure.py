"""A pair measured: perception asked once, everything else from what it said (paper, B.2 and B.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.pair import ImagePair
from flowbench.builders.real.perception.base import Depths, Perception, Segmentation, Tracks, checked_depths
from flowbench.builders.real.perception.prompts import prompts_for
from flowbench.builders.sim.items import Reject
from flowbench.schema.real_meta import ARM_ID, Sighting

from . import landmarks as choosing
from .certifying import Tracked, certify, drift, image_way, median_track
from .likeness import histogram
from .masks import Layer, part
from .matching import Match, Seen, match
from .roles import Roles, Thing, assign, refuse_mover
from .sighting import DECIMALS, Optics, dilated, sight
from .stated import Stated

LEAST_STATED_CM = 5.0
"""Of the move as the text tells it (B.5)."""
MOST_MILLIMETRES = 65535


@dataclass(frozen=True, eq=False)
class Percepts:
    """What perception said of a pair."""

    segmentation: Segmentation
    depths: Depths
    tracks: Tracks


@dataclass(frozen=True, eq=False)
class Stray:
    """A mask without a partner."""

    label: str
    generic: bool
    score: float
    mask: int
    sighting: Sighting


@dataclass(frozen=True, eq=False)
class Measured:
    """Everything measured of a pair that may be asked about.

    Attributes:
        pair: of what.
        layers: the parted masks of both pictures.
        millimetres: (H, W) uint16 metric depth of both pictures.
        tracks: of I0's pixels.
        optics: how pixels become places.
        things: matched objects.
        strays: unmatched masks before, and after.
        roles: of the things.
        landmarks: indices of those that may be asked about, larger ones first.
        excluded: index of a still thing -> why it is none.
        arm_covered: index of a thing -> share of its before mask that the arm's after mask covers.
        covered: index of a landmark -> share of its before mask that the mover's after mask covers.
        track, ratio: certification of the mover.
        stated: the mover's move in words' centimetres.
    """

    pair: ImagePair
    layers: tuple[Layer, Layer]
    millimetres: tuple[NDArray[np.uint16], NDArray[np.uint16]]
    tracks: Tracks
    optics: Optics
    things: tuple[Thing, ...]
    strays: tuple[tuple[Stray, ...], tuple[Stray, ...]]
    roles: Roles
    landmarks: tuple[int, ...]
    excluded: dict[int, str]
    arm_covered: dict[int, float]
    covered: dict[int, float]
    track: Tracked
    ratio: float
    stated: Stated

    @property
    def mover(self) -> Thing:
        """What moves."""
        return self.things[self.roles.mover]

    @property
    def image(self) -> list[float]:
        """Displacement of the mover's median pixel."""
        return image_way(self.mover.before, self.mover.after)

    def ids(self, moment: int) -> NDArray[np.uint16]:
        """(H, W) uint16 instance ids of I0 (0) or I1 (1)."""
        layer = self.layers[moment]
        lut = np.zeros(len(layer.masks) + 2, dtype=np.uint16)
        lut[0] = ARM_ID
        for k, thing in enumerate(self.things):
            lut[thing.masks[moment] + 2] = self.thing_id(k)
        for k, stray in enumerate(self.strays[moment]):
            lut[stray.mask + 2] = self.stray_id(moment, k)
        found: NDArray[np.uint16] = lut[layer.owner + 2]
        return found

    def covered_by_arm(self, mask: int) -> float:
        """Share of a before mask, an index in its layer, that the arm's after mask covers."""
        return _share(self.layers[0].mask(mask), self.layers[1].arm)

    def thing_id(self, k: int) -> int:
        """Instance id of a thing."""
        return ARM_ID + 1 + k

    def stray_id(self, moment: int, k: int) -> int:
        """Instance id of a stray mask."""
        return ARM_ID + 1 + len(self.things) + (len(self.strays[0]) if moment else 0) + k


def perceive(perception: Perception, pair: ImagePair) -> Percepts:
    """Ask a provider; raises PerceptionError."""
    prompts = prompts_for(pair.profile.nouns, pair.task)
    depths = checked_depths(perception.depth(pair), pair, perception.name)
    return Percepts(perception.segment(pair, prompts), depths, perception.track(pair))


def measure(pair: ImagePair, percepts: Percepts, optics: Optics) -> Measured | Reject:
    """Measure a pair, or say why it is not to be asked about."""
    if not percepts.segmentation.before or not percepts.segmentation.after:
        return Reject("masks: a picture has none")
    layers = part(percepts.segmentation.before), part(percepts.segmentation.after)
    scale = pair.profile.scale
    millimetres = metric(percepts.depths.before, scale), metric(percepts.depths.after, scale)
    pictures = pair.before, pair.after
    seen = [
        _sighted(layer, depth, picture, optics)
        for layer, depth, picture in zip(layers, millimetres, pictures, strict=True)
    ]
    matches = match(seen[0], seen[1], layers, percepts.tracks, pair.profile.travel_limit)
    things = tuple(_thing(each, seen, layers[0], optics) for each in matches)
    labels = [mask.label for mask in layers[0].masks]
    roles = assign(things, pair.task, pair.profile.uses_task, labels)
    if isinstance(roles, Reject):
        return roles
    mover = things[roles.mover]
    stated = Stated.of(mover.moved)
    refused = refuse_mover(mover, *pictures, layers[0].mask(mover.masks[0]))
    if refused is not None:
        return refused
    if stated.length_cm < LEAST_STATED_CM:
        return Reject("mover: its stated move is short")
    track = median_track(percepts.tracks, layers[0].mask(mover.masks[0]))
    if isinstance(track, Reject):
        return track
    ratio = certify(track, image_way(mover.before, mover.after), stated.right_cm, stated.down_cm)
    if isinstance(ratio, Reject):
        return ratio
    arm_covered = {k: _share(layers[0].mask(t.masks[0]), layers[1].arm) for k, t in enumerate(things)}
    drifts = {k: drift(percepts.tracks, layers[0].mask(things[k].masks[0])) for k in roles.still}
    chosen, excluded = choosing.choose(
        things, roles.mover, roles.others, roles.still, arm_covered, drifts, pair.profile.least_landmark_px, optics
    )
    if not chosen:
        return Reject("landmarks: none")
    now = layers[1].mask(mover.masks[1])
    covered = {k: _share(layers[0].mask(things[k].masks[0]), now) for k in chosen}
    strays = tuple(
        _strays(layer, found, _matched(matches, m)) for m, (layer, found) in enumerate(zip(layers, seen, strict=True))
    )
    return Measured(
        pair,
        layers,
        millimetres,
        percepts.tracks,
        optics,
        things,
        (strays[0], strays[1]),
        roles,
        tuple(chosen),
        excluded,
        arm_covered,
        covered,
        track,
        ratio,
        stated,
    )


def metric(depth: NDArray[np.float32], scale: float) -> NDArray[np.uint16]:
    """(H, W) uint16 millimetres of depth divided by the profile's factor; 0 = none, and what is too far."""
    whole = np.rint(depth.astype(np.float64) / scale * 1000.0)
    return np.where(whole <= MOST_MILLIMETRES, whole, 0.0).astype(np.uint16)


def _sighted(layer: Layer, millimetres: NDArray[np.uint16], picture: NDArray[np.uint8], optics: Optics) -> list[Seen]:
    """The masks of a picture that can be measured."""
    near = dilated(layer.arm)
    found = []
    for index in range(len(layer.masks)):
        mask = layer.mask(index)
        sighting = sight(mask, millimetres, near, optics)
        if sighting is not None:
            found.append(Seen(index, sighting, histogram(picture, mask)))
    return found


def _thing(one: Match, seen: Sequence[Sequence[Seen]], layer: Layer, optics: Optics) -> Thing:
    first, second = seen[0][one.before], seen[1][one.after]
    mask = layer.masks[first.index]
    x, y, z = (
        round(b - a, DECIMALS) + 0.0 for a, b in zip(first.sighting.position, second.sighting.position, strict=True)
    )
    return Thing(
        mask.label,
        mask.kind == "generic",
        mask.score,
        (first.index, second.index),
        first.sighting,
        second.sighting,
        one.evidence,
        optics.radius(first.sighting),
        (x, y, z),
    )


def _matched(matches: Sequence[Match], moment: int) -> set[int]:
    return {each.after if moment else each.before for each in matches}


def _strays(layer: Layer, seen: Sequence[Seen], matched: set[int]) -> tuple[Stray, ...]:
    """Measured masks that found no partner."""
    rest = [each for k, each in enumerate(seen) if k not in matched]
    masks = [layer.masks[each.index] for each in rest]
    return tuple(
        Stray(mask.label, mask.kind == "generic", mask.score, each.index, each.sighting)
        for mask, each in zip(masks, rest, strict=True)
    )


def _share(mask: NDArray[np.bool_], cover: NDArray[np.bool_]) -> float:
    """Share of a mask that another covers."""
    return round(int(np.count_nonzero(mask & cover)) / max(1, int(np.count_nonzero(mask))), DECIMALS)
