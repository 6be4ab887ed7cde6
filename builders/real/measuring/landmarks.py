"""Which still objects may be asked about, and which get a mark (paper, B.4, "Landmarks" and "Distances")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flowbench.builders.real.perception.prompts import FIXTURES
from flowbench.schema.real_meta import Sighting

from .roles import Thing
from .sighting import DECIMALS, Optics, length

MOST_LOST = 0.60
MOST_COVERED = 0.25
MOST_DRIFT = 7.9
"""Pixels, in the median, by which tracks of a landmark end beside where they began: it is said to stand still."""
LEAST_APART = 30.0
"""Pixels between marks."""
MOST_LANDMARKS = 6
IN_DEPTH, IN_DEPTH_SHARE = 0.25, 0.7
"""A landmark farther than so many metres, and this share of its distance, away in depth is dropped."""
SHRUNK, SHRUNK_FROM = 0.6, 0.08
"""A distance under this share of its counterpart in the picture plane, where that is over so many metres (B.5)."""


@dataclass(frozen=True)
class Distances:
    """d0 and d1 of a landmark, metres."""

    before: float
    after: float


def gap(mover: Sequence[float], landmark: Sequence[float], radii: float) -> float:
    """d = max(0, |dX| - r_A - r_L), metres."""
    way = [b - a for a, b in zip(mover, landmark, strict=True)]
    return round(max(0.0, length(way) - radii), DECIMALS)


def distances(mover: Thing, landmark: Thing) -> Distances:
    """Distances of a landmark, which is where it was before, to the mover before and after."""
    radii = mover.radius + landmark.radius
    place = landmark.before.position
    return Distances(gap(mover.before.position, place, radii), gap(mover.after.position, place, radii))


def choose(
    things: Sequence[Thing],
    mover: int,
    others: Sequence[int],
    still: Sequence[int],
    arm_covered: Mapping[int, float],
    drift: Mapping[int, float],
    least_pixels: int,
    optics: Optics,
) -> tuple[list[int], dict[int, str]]:
    """The landmarks, larger ones first, and why the other still things are none.

    Args:
        things: matched objects.
        mover, others, still: their roles, as indices.
        arm_covered: share of a still thing's before mask that the arm covers afterwards.
        drift: length of its median track, pixels.
        least_pixels: of a landmark.
        optics: of the pair.
    """
    chosen: list[int] = []
    excluded: dict[int, str] = {}
    for k in sorted(still, key=lambda k: (-things[k].before.area, k)):
        reason = _unfit(things[k], arm_covered[k], least_pixels) or _unclear(things[mover], things[k], optics)
        reason = reason or ("its tracks go elsewhere" if drift[k] > MOST_DRIFT else None)
        reason = reason or _beside([things[j] for j in (mover, *others, *chosen)], things[k])
        reason = reason or (
            "before the middle of another" if any(_hides(things[k], things[j]) for j in chosen) else None
        )
        if reason is None and len(chosen) == MOST_LANDMARKS:
            reason = "six larger ones are marked"
        if reason is None:
            chosen.append(k)
        else:
            excluded[k] = reason
    return chosen, excluded


def _unfit(thing: Thing, covered: float, least_pixels: int) -> str | None:
    """What speaks against a still object by itself."""
    reasons = (
        ("a surface or fixture", not FIXTURES.isdisjoint((thing.label, *thing.label.split()))),
        ("small", thing.before.area < least_pixels),
        ("mostly hidden afterwards", thing.after.area < (1.0 - MOST_LOST) * thing.before.area),
        ("covered by the arm", covered > MOST_COVERED),
        ("moves with the arm", thing.before.arm_share > MOST_COVERED or thing.after.arm_share > MOST_COVERED),
    )
    return next((reason for reason, holds in reasons if holds), None)


def _unclear(mover: Thing, thing: Thing, optics: Optics) -> str | None:
    """What speaks against the distances between the mover and a still object."""
    if optics.plane_from_pixel is not None:
        return None
    found = distances(mover, thing)
    deep = abs(thing.before.depth - mover.after.depth)
    if deep > IN_DEPTH and deep > IN_DEPTH_SHARE * found.after:
        return "apart mainly in depth"
    for sighting, distance in ((mover.before, found.before), (mover.after, found.after)):
        flat = in_plane(sighting, thing.before, optics) - mover.radius - thing.radius
        if flat > SHRUNK_FROM and distance < SHRUNK * flat:
            return "its distance is shrunk"
    return None


def in_plane(a: Sighting, b: Sighting, optics: Optics) -> float:
    """Distance of two objects in the picture at their mean depth, metres."""
    fx, fy = optics.focal
    depth = (a.depth + b.depth) / 2.0
    return length([(b.pixel[0] - a.pixel[0]) * depth / fx, (b.pixel[1] - a.pixel[1]) * depth / fy])


def _beside(marked: Sequence[Thing], thing: Thing) -> str | None:
    """What speaks against a further mark beside those that are there."""
    u, v = thing.before.pixel
    for other in marked:
        if _hides(other, thing):
            return "in the box of a nearer one"
        if length([u - other.before.pixel[0], v - other.before.pixel[1]]) < LEAST_APART:
            return "beside another mark"
    return None


def _hides(nearer: Thing, thing: Thing) -> bool:
    """Whether a thing's middle lies in the box of one that is nearer to the camera."""
    u, v = thing.before.pixel
    left, top, width, height = nearer.before.bbox
    inside = left <= u <= left + width - 1.0 and top <= v <= top + height - 1.0
    return inside and nearer.before.depth < thing.before.depth
