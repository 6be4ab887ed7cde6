"""Perception with the mistakes that models make, each a named, seeded knob, over a provider that makes none.

The knobs serve the study of label noise and tests; every one at 0 leaves what it is about as it was.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import final

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.pair import ImagePair
from flowbench.errors import UsageError, unknown_name
from flowbench.geometry import sin_cos

from .base import Depths, Mask, Perception, Segmentation, Tracks
from .prompts import Prompt


@dataclass(frozen=True)
class Knobs:
    """What goes wrong.

    Attributes:
        erosion: pixels taken off every mask's rim.
        missed: chance that a mask is not found, each in each picture.
        merged: chance that a mask swallows the one nearest to it, in each picture.
        depth_scale: share by which all depth is too large (0.05: 5%), the same in both pictures.
        depth_noise: most share by which the depth within one mask is off, drawn for each mask of each picture.
        depth_bias: metres added to all depth.
        track_drift: pixels by which tracks end beside their point, in one direction a mask.
        track_loss: chance that the tracker loses all of a mask.
    """

    erosion: float = 0.0
    missed: float = 0.0
    merged: float = 0.0
    depth_scale: float = 0.0
    depth_noise: float = 0.0
    depth_bias: float = 0.0
    track_drift: float = 0.0
    track_loss: float = 0.0

    @classmethod
    def of(cls, values: Mapping[str, float]) -> Knobs:
        """Knobs by name; an unknown name or a value that no knob can have is a UsageError."""
        names = {each.name for each in fields(cls)}
        for name, value in values.items():
            if name not in names:
                raise unknown_name("knob", name, names)
            limit = 50.0 if name in ("erosion", "track_drift") else 1.0
            signed = name in ("depth_scale", "depth_bias")
            if not (-limit if signed else 0.0) <= value <= limit:
                raise UsageError(f"the knob {name} is {value}, expected {'-1' if signed else '0'} to {limit:g}.")
        return replace(cls(), **{name: float(value) for name, value in values.items()})


@final
class PerturbedPerception(Perception):
    """Another provider's findings, perturbed."""

    name = "perturbed"

    def __init__(self, inner: Perception, knobs: Knobs) -> None:
        """``inner`` is perturbed by ``knobs``."""
        self._inner, self._knobs = inner, knobs
        self.knobs: Mapping[str, float | int | str] = {k: v for k, v in asdict(knobs).items() if v}

    def segment(self, pair: ImagePair, prompts: Sequence[Prompt]) -> Segmentation:
        """Masks missed, merged, eroded; the arm's are left as they are."""
        found = self._inner.segment(pair, prompts)
        return Segmentation(self._masks(pair, found.before, "before"), self._masks(pair, found.after, "after"))

    def depth(self, pair: ImagePair) -> Depths:
        """Depth off by scale, bias, and within each mask."""
        found, masks = self._inner.depth(pair), self._inner.segment(pair, ())
        return Depths(
            self._off(pair, found.before, masks.before, "before"), self._off(pair, found.after, masks.after, "after")
        )

    def track(self, pair: ImagePair) -> Tracks:
        """Tracks that drift, and masks whose tracks are lost."""
        found, knobs = self._inner.track(pair), self._knobs
        displacement, tracked = found.displacement.copy(), found.tracked.copy()
        for number, mask in enumerate(_things(self._inner.segment(pair, ()).before)):
            draw = pair.stream("knob", "track", number)
            lost, turn = draw.random(), draw.uniform(0.0, 6.283185307179586)
            sine, cosine = sin_cos(turn)
            displacement[mask.pixels] += np.array([knobs.track_drift * cosine, knobs.track_drift * sine], np.float32)
            if lost < knobs.track_loss:
                tracked[mask.pixels] = False
        return Tracks(displacement, tracked)

    def _masks(self, pair: ImagePair, masks: Sequence[Mask], moment: str) -> tuple[Mask, ...]:
        knobs = self._knobs
        arm = [mask for mask in masks if mask.kind == "arm"]
        things = list(_things(masks))
        draws = [pair.stream("knob", "mask", moment, number).random(2).tolist() for number in range(len(things))]
        seen = [(mask, merge) for mask, (miss, merge) in zip(things, draws, strict=True) if miss >= knobs.missed]
        merged = _merge([mask for mask, _ in seen], [merge < knobs.merged for _, merge in seen])
        return (*arm, *(_eroded(mask, round(knobs.erosion)) for mask in merged))

    def _off(
        self, pair: ImagePair, depth: NDArray[np.float32], masks: Sequence[Mask], moment: str
    ) -> NDArray[np.float32]:
        knobs = self._knobs
        factor = np.full(depth.shape, 1.0 + knobs.depth_scale, dtype=np.float64)
        for number, mask in enumerate(_things(masks)):
            share = pair.stream("knob", "depth", moment, number).uniform(-1.0, 1.0) * knobs.depth_noise
            factor[mask.pixels] *= 1.0 + share
        wrong = depth.astype(np.float64) * factor + knobs.depth_bias
        return np.where(depth > 0.0, np.maximum(wrong, 0.001), 0.0).astype(np.float32)


def _things(masks: Sequence[Mask]) -> tuple[Mask, ...]:
    return tuple(mask for mask in masks if mask.kind != "arm")


def _merge(masks: Sequence[Mask], swallows: Sequence[bool]) -> list[Mask]:
    """Masks of which some have taken in the one whose middle is nearest to theirs; none takes part twice."""
    middles = [_middle(mask.pixels) for mask in masks]
    gone: set[int] = set()
    made: dict[int, Mask] = {}
    for k, swallow in enumerate(swallows):
        free = [j for j in range(len(masks)) if j not in gone and j not in made]
        others = [j for j in free if j != k]
        if swallow and k in free and others:
            nearest = min(others, key=lambda j: (_square(middles[k], middles[j]), j))
            gone.add(nearest)
            one = masks[k]
            made[k] = Mask(one.label, one.kind, one.score, one.pixels | masks[nearest].pixels)
    return [made.get(k, mask) for k, mask in enumerate(masks) if k not in gone]


def _middle(mask: NDArray[np.bool_]) -> tuple[float, float]:
    rows, columns = np.nonzero(mask)
    return (0.0, 0.0) if rows.size == 0 else (float(np.median(columns)), float(np.median(rows)))


def _square(a: tuple[float, float], b: tuple[float, float]) -> float:
    (u0, v0), (u1, v1) = a, b
    return (u1 - u0) * (u1 - u0) + (v1 - v0) * (v1 - v0)


def _eroded(mask: Mask, pixels: int) -> Mask:
    if pixels == 0:
        return mask
    kernel = np.ones((2 * pixels + 1, 2 * pixels + 1), dtype=np.uint8)
    smaller = cv2.erode(mask.pixels.astype(np.uint8), kernel) > 0
    return Mask(mask.label, mask.kind, mask.score, smaller)


GRID: Mapping[str, tuple[float, ...]] = {
    "erosion": (1, 3),
    "missed": (0.1,),
    "merged": (0.1,),
    "depth_scale": (-0.1, 0.1),
    "depth_noise": (0.01, 0.03),
    "depth_bias": (-0.02, 0.02),
    "track_drift": (5.0,),
    "track_loss": (0.2,),
}
"""Values that the study of label noise turns each knob to, the others at 0."""


COARSE: Mapping[str, tuple[float, ...]] = {
    "erosion": (8,),
    "merged": (0.3,),
    "depth_scale": (-0.4, 0.3, 0.5),
    "depth_noise": (0.1,),
    "depth_bias": (0.15,),
}
"""The same where mistakes are so large that labels must break."""


def grid(values: Mapping[str, tuple[float, ...]] = GRID) -> list[tuple[str, Knobs]]:
    """Names and settings of a study, ``"depth_noise 0.02"``."""
    pairs = itertools.chain.from_iterable(((name, each) for each in row) for name, row in values.items())
    return [(f"{name} {value:g}", Knobs.of({name: value})) for name, value in pairs]
