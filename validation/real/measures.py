"""What ``meta.txt`` states of every object is what its masks and depths say (schema, ``real_meta``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from flowbench.schema.real_meta import ARM_ID, MeasuredObject, Sighting

from ..recompute.rules import Finding
from .evidence import Pair
from .facts import surface_distance
from .measuring import Frame, Measured

ROUNDED: Final = 1.5e-6
"""Six decimals are published."""
PIXEL: Final = 1e-6


def check_measures(pair: Pair, mover: int) -> Iterator[Finding]:
    """Sightings, radii, displacements, distances and shares of all objects.

    Args:
        pair: measured pictures and statements.
        mover: instance id of the mover.
    """
    listed = {each.id for each in pair.meta.objects}
    shown = (set(pair.before.regions) | set(pair.after.regions)) - {ARM_ID}
    if listed != shown:
        odd = sorted(listed ^ shown)[:5]
        yield Finding("objects measured", f"differ from the id images in ids {odd}", "every id of the images, no other")
    for each in pair.meta.objects:
        if each.id in shown:
            yield from _sightings(pair, each)
            yield from _derived(pair, each, mover)


def _sightings(pair: Pair, each: MeasuredObject) -> Iterator[Finding]:
    for (moment, frame), claim in zip(pair.moments, (each.before, each.after), strict=True):
        found = frame.objects.get(each.id)
        if (found is None) != (claim is None):
            yield Finding("object seen", f"id {each.id} {moment}: {_seen(claim)}", _seen(found))
        elif found is not None and claim is not None:
            yield from _sighting(f"id {each.id} {moment}", frame, each.id, claim, found)


def _seen(what: object) -> str:
    return "not seen" if what is None else "seen"


def _sighting(name: str, frame: Frame, instance_id: int, claim: Sighting, found: Measured) -> Iterator[Finding]:
    yield from differing("pixel of a mask", name, claim.pixel, found.pixel, PIXEL)
    yield from differing("depth of a mask", name, [claim.depth], [found.depth], ROUNDED)
    yield from differing("position", name, claim.position, found.position, ROUNDED)
    yield from differing("box of a mask", name, claim.bbox, found.box, PIXEL)
    yield from differing("area of a mask", name, [claim.area], [found.area], 0.0)
    yield from differing("share near the arm", name, [claim.arm_share], [frame.share_near_arm(instance_id)], ROUNDED)


def _derived(pair: Pair, each: MeasuredObject, mover: int) -> Iterator[Finding]:
    name, before = f"id {each.id}", pair.before.objects.get(each.id)
    yield from _optional("radius", name, each.radius, None if before is None else before.width / 2.0)
    moved = pair.displacement(each.id)
    if (each.displacement is None) != (moved is None):
        yield Finding("displacement", f"{name}: {each.displacement}", str(moved))
    elif moved is not None:
        yield from differing("displacement", name, each.displacement or (), moved, 2 * ROUNDED)
    arm = pair.before.share_under(each.id, pair.after, ARM_ID) if before is not None else None
    yield from _optional("share that the arm covers", name, each.arm_covered, arm)
    if each.role == "landmark" and before is not None and mover in pair.before.objects:
        moving, still = pair.thing(mover), pair.thing(each.id)
        yield from _optional(
            "distance before", name, each.distance_before, surface_distance(moving.before, moving.radius, still)
        )
        end = moving.after
        after = None if end is None else surface_distance(end, moving.radius, still)
        yield from _optional("distance after", name, each.distance_after, after)
        yield from _optional("share that the mover covers", name, each.covered, pair.covered(each.id, mover))
    elif (each.distance_before, each.distance_after, each.covered) != (None, None, None):
        yield Finding("distances stated", f"{name} is {each.role[:20]} and has some", "of landmarks alone")


def _optional(rule: str, name: str, claim: float | None, found: float | None) -> Iterator[Finding]:
    if claim is None or found is None:
        if claim is not found:
            yield Finding(rule, f"{name}: {claim}", str(found))
        return
    yield from differing(rule, name, [claim], [found], 2 * ROUNDED)


def differing(
    rule: str, name: str, claim: Sequence[float], found: Sequence[float], tolerance: float
) -> Iterator[Finding]:
    """A finding where numbers are apart by more than a tolerance, or are not as many."""
    if len(claim) != len(found) or not all(abs(a - b) <= tolerance for a, b in zip(claim, found, strict=True)):
        yield Finding(rule, f"{name}: {_shown(claim)}", _shown(found))


def _shown(values: Sequence[float]) -> str:
    return ", ".join(f"{each:.7g}" for each in values)
