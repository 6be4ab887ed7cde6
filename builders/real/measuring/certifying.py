"""Whether tracks and sizes bear the measured move out (paper, B.2, "Tracking certification", and B.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.builders.real.perception.base import Tracks
from flowbench.builders.sim.items import Reject
from flowbench.schema.real_meta import Sighting

from .sighting import DECIMALS, length, pixels_of

LEAST_RATIO, MOST_RATIO = 0.7, 1.5
"""Of the median track to the displacement of the median pixel (real.md)."""
COSINE_SQUARED = 0.75
"""Of 30 degrees, between the two."""
LEAST_TRACKED = 0.2
"""Share of the mover's pixels that must be tracked to the end."""
LEAST_TOLD = 20
"""Pixels of a still thing that must be tracked for its tracks to say anything."""
AGAINST = 3.0
"""Pixels by which a track must go the other way to contradict a stated direction (B.5)."""
SCALE_LOW, SCALE_HIGH = 2.0 / 3.0, 3.0 / 2.0
"""Ratio of the two pixels-per-centimetre (real.md)."""
SCALE_CM, SCALE_PIXELS = 5.0, 5.0
"""Shorter moves say nothing of scale (B.3)."""


@dataclass(frozen=True)
class Tracked:
    """The median track of the mover, (du, dv) pixels, and the share of its pixels that was tracked."""

    way: tuple[float, float]
    share: float


def median_track(tracks: Tracks, mask: NDArray[np.bool_]) -> Tracked | Reject:
    """The median displacement over a mask's tracked pixels."""
    rows, columns = pixels_of(mask & tracks.tracked)
    share = rows.size / max(1, int(np.count_nonzero(mask)))
    if share < LEAST_TRACKED:
        return Reject("tracks: the mover was lost")
    way = tracks.displacement[rows, columns].astype(np.float64)
    du, dv = (round(float(np.median(way[:, axis])), DECIMALS) for axis in (0, 1))
    return Tracked((du, dv), round(share, DECIMALS))


def drift(tracks: Tracks, mask: NDArray[np.bool_]) -> float:
    """Length of the median track of a mask, pixels; 0 where too few pixels are tracked to tell."""
    rows, columns = pixels_of(mask & tracks.tracked)
    if rows.size < LEAST_TOLD:
        return 0.0
    way = tracks.displacement[rows, columns].astype(np.float64)
    return length([float(np.median(way[:, axis])) for axis in (0, 1)])


def image_way(before: Sighting, after: Sighting) -> list[float]:
    """Displacement of the median pixel, (du, dv)."""
    return [b - a for a, b in zip(before.pixel, after.pixel, strict=True)]


def certify(track: Tracked, image: list[float], right_cm: int, down_cm: int) -> float | Reject:
    """The ratio of both displacements, or why the track does not bear the move out.

    Args:
        track: of the mover.
        image: displacement of its median pixel.
        right_cm, down_cm: the move as stated.
    """
    apart = length(image)
    if apart == 0.0:
        return Reject("tracks: the mover's mask stays where it was")
    ratio = length(track.way) / apart
    if not LEAST_RATIO <= ratio <= MOST_RATIO:
        return Reject("tracks: the mover's are too short or too long")
    along = track.way[0] * image[0] + track.way[1] * image[1]
    if along <= 0.0 or along * along < COSINE_SQUARED * (length(track.way) * length(track.way)) * (apart * apart):
        return Reject("tracks: the mover's go another way")
    if any(
        stated * way < 0.0 and abs(way) > AGAINST for stated, way in zip((right_cm, down_cm), track.way, strict=True)
    ):
        return Reject("tracks: a stated direction is contradicted")
    return round(ratio, DECIMALS)


def scale_ratio(
    reference_pixels: float, reference_cm: int, move_pixels: float, move_cm: float
) -> float | Reject | None:
    """Pixels a centimetre of the reference over those of the move; None where the move is too short to tell."""
    if move_cm < SCALE_CM or move_pixels < SCALE_PIXELS:
        return None
    ratio = (reference_pixels / reference_cm) / (move_pixels / move_cm)
    return round(ratio, DECIMALS) if SCALE_LOW <= ratio <= SCALE_HIGH else Reject("scale: move and reference disagree")
