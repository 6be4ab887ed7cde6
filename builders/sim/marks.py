"""Set-of-Marks dots: where they go and which colours stand out there (sim.md, "Querying and annotating")."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.marking import lab_distance, outer_radius, to_lab
from flowbench.schema import Mark

from .items import Reject
from .measuring import Spot
from .spots import common_spot, kept_spot
from .view import Sight

PALETTE: tuple[tuple[str, tuple[int, int, int]], ...] = (
    ("red", (230, 30, 35)),
    ("blue", (25, 75, 235)),
    ("green", (25, 175, 60)),
    ("yellow", (250, 225, 30)),
    ("orange", (255, 140, 0)),
    ("purple", (140, 40, 190)),
    ("cyan", (0, 215, 235)),
    ("pink", (255, 105, 180)),
)
"""Colours that have a plain name and differ from each other for most eyes."""

LEAST_CONTRAST = 40.0
"""CIELAB distance (sim.md, "Annotating") from what lies under the dot: on average."""
LEAST_CONTRAST_ANYWHERE = 25.0
"""The same for the tenth of its pixels that is most alike."""
LARGEST_RADIUS = 7.0
SMALLEST_RADIUS = 3.5
"""Of the disc, pixels of an 800 px wide image."""
LARGEST_SHARE = 1.0 / 3.0
"""Of its mask that a dot may cover."""

_LAB = to_lab(np.array([rgb for _, rgb in PALETTE], dtype=np.uint8))


@dataclass(frozen=True)
class Place:
    """Where one object's dot goes: centres before and after (pixels) and disc radius."""

    object_id: str
    instance_id: int
    before: Spot
    after: Spot
    radius: float


def place_all(before: Sight, after: Sight, names: Sequence[str], *, kept: bool = False) -> list[Place] | Reject:
    """A place for every object, clear of each other in both pictures; or why there is none.

    Args:
        before, after: both moments.
        names: object ids, the mover first.
        kept: the others may be hidden after the move; their dots are drawn where they were before, in both pictures
            (a missing dot would tell the answer: sim.md, "Querying and annotating").
    """
    places: list[Place] = []
    for name in names:
        found = _place(before, after, name, kept and name != names[0], names[1] if kept else None)
        if isinstance(found, Reject):
            return found
        places.append(found)
    if any(overlap(a, b) for a, b in itertools.combinations(places, 2)):
        return Reject("mark: dots would overlap")
    return places


def _place(before: Sight, after: Sight, object_id: str, kept: bool, beside: str | None) -> Place | Reject:
    """The same point of an object in both pictures, with a dot that stays on it and leaves most of it to see."""
    if kept:
        spots = kept_spot(before, after, object_id)
    else:
        spots = common_spot(before, after, object_id, None if beside is None else before.spot(beside))
    masks = [before.mask(object_id)] if kept else [before.mask(object_id), after.mask(object_id)]
    if spots is None or None in masks:
        return Reject("mark: no room for a dot")
    largest = min(LARGEST_RADIUS * before.scale, fitting_radius(spots[0].depth))
    share = LARGEST_SHARE * min(mask.area for mask in masks if mask is not None)
    radius = max(SMALLEST_RADIUS * before.scale, min(largest, _covering(share)))
    return Place(object_id, before.arrangement.object(object_id).instance_id, *spots, radius)


def fitting_radius(depth: float) -> float:
    """The largest disc radius, in quarter pixels, whose rings stay inside a mask of that depth."""
    radius = math.floor(depth * 4.0) / 4.0
    while outer_radius(radius) > depth and radius > 0.5:
        radius -= 0.25
    return radius


def _covering(area: float) -> float:
    """The largest disc radius, in quarter pixels, whose dot, rings and all, covers no more than an area."""
    radius = LARGEST_RADIUS
    while outer_radius(radius) * outer_radius(radius) * math.pi > area and radius > 0.5:
        radius -= 0.25
    return radius


def choose_marks(
    places: Sequence[Place],
    rgb_before: NDArray[np.uint8],
    rgb_after: NDArray[np.uint8],
    rng: np.random.Generator,
    refused: Sequence[frozenset[int]] | None = None,
) -> list[Mark] | Reject:
    """Give every place a colour of its own that stands out in both pictures.

    Args:
        places: where the dots go, the mover first.
        rgb_before, rgb_after: clean pictures, (H, W, 3) uint8.
        rng: draws the order in which colours are tried, so that no colour tells a role.
        refused: for each place colours of the palette that it may not get.
    """
    order = rng.permutation(len(PALETTE)).tolist()
    fitting = [
        [c for c in order if c not in never and all(_stands_out(c, image, spot, p.radius) for image, spot in views)]
        for p, never in zip(places, refused or [frozenset()] * len(places), strict=True)
        for views in [((rgb_before, p.before), (rgb_after, p.after))]
    ]
    colours = _assign(fitting)
    if colours is None:
        return Reject("mark: no colour stands out")
    return [
        Mark(
            id=p.instance_id,
            object=p.object_id,
            colour=PALETTE[c][0],
            rgb=list(PALETTE[c][1]),
            radius=p.radius,
            before=[float(p.before.u), float(p.before.v)],
            after=[float(p.after.u), float(p.after.v)],
        )
        for p, c in zip(places, colours, strict=True)
    ]


def overlap(a: Place, b: Place) -> bool:
    """Whether two dots, rings and all, touch in either picture."""
    reach = outer_radius(a.radius) + outer_radius(b.radius)
    return any(
        (p.u - q.u) * (p.u - q.u) + (p.v - q.v) * (p.v - q.v) < reach * reach
        for p, q in ((a.before, b.before), (a.after, b.after))
    )


def _stands_out(colour: int, image: NDArray[np.uint8], spot: Spot, radius: float) -> bool:
    """Whether a palette colour differs enough from the pixels its disc would cover."""
    reach = max(1, round(radius))
    patch = image[max(0, spot.v - reach) : spot.v + reach + 1, max(0, spot.u - reach) : spot.u + reach + 1]
    distances = np.sort(lab_distance(to_lab(patch), _LAB[colour]).ravel())
    alike = float(distances[len(distances) // 10])
    return float(distances.sum()) / len(distances) >= LEAST_CONTRAST and alike >= LEAST_CONTRAST_ANYWHERE


def _assign(fitting: Sequence[Sequence[int]]) -> list[int] | None:
    """One colour each, all different, the earliest in everyone's order that works; None when impossible."""

    def extend(chosen: list[int]) -> list[int] | None:
        if len(chosen) == len(fitting):
            return chosen
        for colour in fitting[len(chosen)]:
            if colour not in chosen:
                full = extend([*chosen, colour])
                if full is not None:
                    return full
        return None

    return extend([])
