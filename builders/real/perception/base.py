"""What is asked of perception: masks with labels, depth of both pictures in one scale, where every pixel went.

A provider may be anything that answers these three; measuring knows no other (paper, B.2, "Segmentation and depth").
"""

from __future__ import annotations

import abc
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.sources.recorded import EpisodeError

from ..pair import ImagePair
from .prompts import Prompt

MOST_LETTERS = 60
"""Of a label."""
_LABEL = re.compile(r"[a-z0-9]+(?:[ '-][a-z0-9]+)*")
"""Labels stand in texts, names and JSON; and the arm is told by its label."""


class PerceptionError(EpisodeError):
    """A pair that nothing can be measured of: one sentence with the file's name; it is skipped and counted."""


@dataclass(frozen=True, eq=False)
class Mask:
    """One object in one picture.

    Attributes:
        label: class label, the prompt that found it, e.g. ``"mug"``; words in small letters.
        kind: what kind of prompt that was.
        score: 0 to 1.
        pixels: (H, W) bool; masks may overlap.
    """

    label: str
    kind: Literal["arm", "task", "common", "generic"]
    score: float
    pixels: NDArray[np.bool_]


@dataclass(frozen=True)
class Segmentation:
    """The masks of both pictures."""

    before: tuple[Mask, ...]
    after: tuple[Mask, ...]


@dataclass(frozen=True, eq=False)
class Depths:
    """Planar depth of both pictures, (H, W) float32 each, the provider's unit; 0 = none; both in one scale."""

    before: NDArray[np.float32]
    after: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Tracks:
    """Where every pixel of I0 is in I1.

    Attributes:
        displacement: (H, W, 2) float32, pixels (du, dv); finite everywhere, meaningless where not tracked.
        tracked: (H, W) bool: the tracker kept the pixel to the end.
    """

    displacement: NDArray[np.float32]
    tracked: NDArray[np.bool_]


class Perception(abc.ABC):
    """A provider.

    Attributes:
        name: for the provenance: ``"exact"``, ``"files"``, ...
        knobs: its settings, for the provenance.
    """

    name: str
    knobs: Mapping[str, float | int | str]

    @property
    def knobs_text(self) -> str:
        """The settings as JSON text."""
        return json.dumps(dict(self.knobs), sort_keys=True)

    @abc.abstractmethod
    def segment(self, pair: ImagePair, prompts: Sequence[Prompt]) -> Segmentation:
        """The masks of what the prompts name, in both pictures; raises PerceptionError."""

    @abc.abstractmethod
    def depth(self, pair: ImagePair) -> Depths:
        """Depth of both pictures; raises PerceptionError."""

    @abc.abstractmethod
    def track(self, pair: ImagePair) -> Tracks:
        """Where the pixels of I0 went; raises PerceptionError."""


def checked_depths(depths: Depths, pair: ImagePair, name: str) -> Depths:
    """The depths, once they are (H, W), finite and not negative.

    Raises:
        PerceptionError: they are not; the sentence calls them ``name``.
    """
    for moment, depth in (("before", depths.before), ("after", depths.after)):
        _check_size(depth.shape, pair.shape, f"{name}: the depth {moment}", "depth of another size")
        for kind, odd, reason in (
            ("NaN or infinite", ~np.isfinite(depth), "depth that is no number"),
            ("negative", depth < 0.0, "negative depth"),
        ):
            if odd.any():
                raise PerceptionError(
                    f"{name}: the depth {moment} holds {kind} values, expected metres and 0 for none; compute it "
                    "again.",
                    reason,
                )
    return depths


def checked_tracks(tracks: Tracks, pair: ImagePair, name: str) -> Tracks:
    """The tracks, once they have the pictures' size and are finite where tracked; raises PerceptionError."""
    _check_size(tracks.displacement.shape, (*pair.shape, 2), f"{name}: the tracks", "tracks of another size")
    _check_size(tracks.tracked.shape, pair.shape, f"{name}: what was tracked", "tracks of another size")
    if not np.isfinite(tracks.displacement[tracks.tracked]).all():
        raise PerceptionError(
            f"{name}: tracks hold NaN or infinite values, expected pixels; compute them again.",
            "tracks that are no numbers",
        )
    return tracks


def checked_masks(masks: Sequence[Mask], pair: ImagePair, name: str) -> tuple[Mask, ...]:
    """The masks, once they have plain labels, the pictures' size and scores of 0 to 1; raises PerceptionError."""
    for mask in masks:
        if not _LABEL.fullmatch(mask.label) or len(mask.label) > MOST_LETTERS:
            raise PerceptionError(
                f"{name}: a mask has the label {mask.label[:MOST_LETTERS]!a}, expected the prompt that found it: "
                f"words in small letters with a blank between them, at most {MOST_LETTERS}; label it so.",
                "mask with a bad label",
            )
        _check_size(mask.pixels.shape, pair.shape, f"{name}: the mask of {mask.label!r}", "masks of another size")
        if not 0.0 <= mask.score <= 1.0:
            raise PerceptionError(
                f"{name}: the mask of {mask.label!r} has the score {mask.score}, expected 0 to 1; compute it again.",
                "mask with a bad score",
            )
    return tuple(masks)


def _check_size(found: tuple[int, ...], expected: tuple[int, ...], what: str, reason: str) -> None:
    if found != expected:
        raise PerceptionError(f"{what} has the shape {found}, expected {expected}; compute it again.", reason)
