"""Which object is what: the mover, other movers, landmarks (paper, B.2 "Mover and landmarks", B.4 "Landmarks", B.5)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from flowbench.schema.real_meta import MeasuredObject

from ..recompute.rules import Finding
from .evidence import Pair
from .facts import ROUNDING, Box, surface_distance
from .profiles import CM

MOVED, MOVED_PX, STILL = 3 * CM, 8.0, 2 * CM
MOST_OTHERS: Final = 2
MOST_LANDMARKS: Final = 6
MOST_HELD: Final = 0.30
MOVER_ASPECT, MOVER_AREA, MOVER_KEPT, MOVER_DEPTH = 3.5, 1000, 0.30, 0.60
LANDMARK_KEPT, ARM_COVER = 0.40, 0.25
DEPTH_APART, DEPTH_SHARE = 0.25, 0.7
MARKS_APART: Final = 30.0
"""Pixels from a landmark's middle to those of other marked objects, before the move."""
TALL, LYING = 1.3, 0.77
"""Height over width of a box before and after the move of what was knocked over (B.5)."""
FIXTURES: Final = re.compile(
    r"\b(?:table|tabletop|counter|countertop|wall|floor|knob|faucet|tap|sink|stove|oven|burner|shelf|cabinet|drawer|"
    r"door|window|desk|board|fridge|refrigerator)\b",
    re.IGNORECASE,
)
ROLES: Final = ("mover", "other_mover", "landmark", "still", "between", "unmatched")


def check_roles(pair: Pair, mover: int) -> Iterator[Finding]:
    """Every stated role follows from what was measured, and the mover is one that may be asked about."""
    roles = {each.id: each.role for each in pair.meta.objects}
    movers = [each for each, role in roles.items() if role == "mover"]
    if movers != [mover]:
        yield Finding("mover of the pair", f"ids {movers[:5]}", f"id {mover} alone")
    others = sum(role == "other_mover" for role in roles.values())
    if others > MOST_OTHERS:
        yield Finding("other movers", f"{others}", f"at most {MOST_OTHERS}")
    landmarks = [each for each in pair.meta.objects if each.role == "landmark"]
    if len(landmarks) > MOST_LANDMARKS:
        yield Finding("landmarks of the pair", f"{len(landmarks)}", f"at most {MOST_LANDMARKS}")
    for each in pair.meta.objects:
        if each.role not in ROLES:
            yield Finding("role of an object", f"id {each.id}: {each.role[:30]}", f"one of {', '.join(ROLES)}")
            continue
        expected = _kinds(pair, each.id)
        if each.role not in expected:
            yield Finding("role of an object", f"id {each.id}: {each.role}", " or ".join(expected))
        if (each.excluded is None) != (each.role != "still"):
            yield Finding("why it is no landmark", f"id {each.id}, {each.role}: {each.excluded}", "of 'still' alone")
    yield from check_mover(pair, mover)
    for each in landmarks:
        yield from check_landmark(pair, each, mover)


def _kinds(pair: Pair, instance_id: int) -> Sequence[str]:
    """The roles that an object's displacement allows."""
    moved, image = pair.displacement(instance_id), pair.image_displacement(instance_id)
    if moved is None or image is None:
        return ("unmatched",)
    length, pixels = math.hypot(*moved), math.hypot(*image)
    allowed = []
    if length >= MOVED - ROUNDING and pixels >= MOVED_PX:
        allowed += ["mover", "other_mover"]
    if length < STILL + ROUNDING:
        allowed += ["landmark", "still"]
    if STILL - ROUNDING <= length < MOVED + ROUNDING or (length >= MOVED - ROUNDING and pixels < MOVED_PX):
        allowed.append("between")
    return allowed


def check_mover(pair: Pair, mover: int) -> Iterator[Finding]:
    """The mover is seen in both pictures, travels no farther than is believed, and is none that B.5 removes."""
    both, moved = pair.seen_twice(mover), pair.displacement(mover)
    if both is None or moved is None:
        yield Finding("mover seen", "in one picture or none", "in both pictures")
        return
    before, after = both
    aspect = max(before.box[2:]) / max(min(before.box[2:]), 1.0)
    held = pair.after.share_near_arm(mover)
    tests = (
        ("mover travels", math.hypot(*moved), pair.meta.rules.travel, "m"),
        ("mover elongated", aspect, MOVER_ASPECT, "times as long as wide"),
        ("mover too small", -before.area, -MOVER_AREA, "px"),
        ("mover shrinks", -after.area / before.area, -MOVER_KEPT, "of its area"),
        ("mover changes depth", abs(moved[2]), MOVER_DEPTH, "m"),
        ("mover held", held, MOST_HELD, "of it near the arm"),
    )
    yield from _exceeding(tests, f"id {mover}")
    upright, lying = before.box[3] / before.box[2], after.box[3] / after.box[2]
    if upright > TALL and lying < LYING:
        found = f"id {mover}: {upright:.2f} times as tall as wide, then {lying:.2f}"
        yield Finding("mover knocked over", found, "as it stood")


def check_landmark(pair: Pair, landmark: MeasuredObject, mover: int) -> Iterator[Finding]:
    """A landmark is none of those that B.4 excludes."""
    both = pair.seen_twice(landmark.id)
    if both is None or mover not in pair.before.objects or mover not in pair.after.objects:
        return  # told as its role
    before, after = both
    moving, still = pair.thing(mover), pair.thing(landmark.id)
    end = moving.after or moving.before
    in_depth = abs(still.before[2] - end[2])
    arm = pair.before.share_under(landmark.id, pair.after, 1)
    gap = surface_distance(end, moving.radius, still)
    tests = (
        ("landmark too small", -before.area, -pair.meta.rules.landmark_pixels, "px"),
        ("landmark shrinks", -after.area / before.area, -LANDMARK_KEPT, "of its area"),
        ("landmark under the arm", arm, ARM_COVER, "of it"),
        ("landmark beside the arm", pair.before.share_near_arm(landmark.id), ARM_COVER, "of it before"),
        ("landmark beside the arm", pair.after.share_near_arm(landmark.id), ARM_COVER, "of it after"),
        ("landmark apart in depth", min(in_depth - DEPTH_APART, in_depth - DEPTH_SHARE * gap), 0.0, "m too far"),
    )
    yield from _exceeding(tests, f"id {landmark.id}")
    if FIXTURES.search(landmark.label):
        yield Finding("landmark is a fixture", f"id {landmark.id} is a {landmark.label[:40]}", "an object")
    for other in pair.meta.objects:
        ahead = pair.before.objects.get(other.id)
        marked = other.id != landmark.id and other.role in ("mover", "other_mover", "landmark")
        nearer = ahead is not None and ahead.depth < before.depth
        if marked and nearer and ahead is not None and _inside(before.pixel, ahead.box):
            found = f"the centre of id {landmark.id} lies in the box of id {other.id}, which is nearer"
            yield Finding("landmark behind a marked object", found, "outside of such boxes")
        if marked and ahead is not None and math.dist(ahead.pixel, before.pixel) < MARKS_APART:
            found = f"id {landmark.id} {math.dist(ahead.pixel, before.pixel):.1f} px from id {other.id}"
            yield Finding("landmark beside a marked object", found, f"at least {MARKS_APART:g} px")


def _inside(pixel: tuple[float, float], box: Box) -> bool:
    return box[0] <= pixel[0] <= box[0] + box[2] - 1.0 and box[1] <= pixel[1] <= box[1] + box[3] - 1.0


def _exceeding(tests: Sequence[tuple[str, float, float, str]], name: str) -> Iterator[Finding]:
    """Findings where a value is over what it may be; least values are given with both signs turned."""
    for rule, value, most, unit in tests:
        if value > most + ROUNDING:
            word = "at least" if most < 0.0 else "at most"
            yield Finding(rule, f"{name}: {abs(value):.4g} {unit}", f"{word} {abs(most):.4g}")
