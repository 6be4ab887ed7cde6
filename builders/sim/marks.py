"""Set-of-Marks dots: where they go and which colours stand out there (sim.md, "Querying and annotating")."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flowbench.schema import Mark
from flowbench.viewing.lab import lab_distance, to_lab
from flowbench.viewing.marks import outer_radius

from .categories.base import Reject
from .measuring import Spot, innermost
from .view import LEAST_MARK_DEPTH, Sight

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
"""CIELAB distance from what lies under the dot: on average."""
LEAST_CONTRAST_ANYWHERE = 25.0
"""The same for the tenth of its pixels that is most alike."""
LARGEST_RADIUS = 7.0
"""Of the disc, pixels of an 800 px wide image."""

_LAB = to_lab(np.array([rgb for _, rgb in PALETTE], dtype=np.uint8))


@dataclass(frozen=True)
class Place:
    """Where one object's dot goes: centres before and after (pixels) and disc radius."""

    object_id: str
    instance_id: int
    before: Spot
    after: Spot
    radius: float


def place(before: Sight, after: Sight, object_id: str) -> Place | Reject:
    """The innermost pixel of an object's mask in both pictures; the same pixel for one that stands still."""
    instance_id = before.arrangement.object(object_id).instance_id
    spots = _common_spot(before, after, object_id, instance_id)
    if spots is None:
        spots = before.spot(object_id), after.spot(object_id)
    depth = min(spot.depth for spot in spots)
    if depth < LEAST_MARK_DEPTH * before.scale:
        return Reject("mark: no room for a dot")
    return Place(object_id, instance_id, *spots, min(LARGEST_RADIUS * before.scale, _fitting(depth)))


def _fitting(depth: float) -> float:
    """The largest disc radius, in quarter pixels, whose rings stay inside the mask."""
    radius = depth
    while outer_radius(radius) > depth and radius > 0.5:
        radius -= 0.25
    return radius


def _common_spot(before: Sight, after: Sight, object_id: str, instance_id: int) -> tuple[Spot, Spot] | None:
    """The innermost pixel of what both pictures show of an object that did not move."""
    if before.arrangement.pose(object_id) != after.arrangement.pose(object_id):
        return None
    shared = (before.ids == instance_id) & (after.ids == instance_id)
    facts = before.mask(object_id)
    if facts is None or not shared.any():
        return None
    spot = innermost(shared, facts)
    return (spot, spot) if spot.depth >= LEAST_MARK_DEPTH * before.scale else None


def choose_marks(
    places: Sequence[Place],
    rgb_before: NDArray[np.uint8],
    rgb_after: NDArray[np.uint8],
    rng: np.random.Generator,
) -> list[Mark] | Reject:
    """Give every place a colour of its own that stands out in both pictures.

    Args:
        places: where the dots go, the mover first.
        rgb_before, rgb_after: clean pictures, (H, W, 3) uint8.
        rng: draws the order in which colours are tried, so that no colour tells a role.
    """
    if any(_overlap(a, b) for a, b in itertools.combinations(places, 2)):
        return Reject("mark: dots overlap")
    order = rng.permutation(len(PALETTE)).tolist()
    fitting = [
        [c for c in order if all(_stands_out(c, image, spot, p.radius) for image, spot in views)]
        for p in places
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


def _overlap(a: Place, b: Place) -> bool:
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
