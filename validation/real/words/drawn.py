"""Dots and badges: whose they are, where they lie, and that pictures with them are the clean ones with them drawn."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from flowbench.marking import badge_reach, draw_badges
from flowbench.schema import LETTERS, RealRecord
from flowbench.schema.real import Badge
from flowbench.schema.real_meta import RealMeta

from ...recompute.rules import Finding
from ..evidence import MARKED

KEPT: Final = ("occlusion",)
"""Categories whose still marks stay where they were, whatever hides them: a missing mark would tell the answer."""
MOST_RADIUS: Final = 60.0
Image = NDArray[np.uint8]


def check_unmarked(record: RealRecord) -> Iterator[Finding]:
    """Where objects go by name, nothing is marked."""
    if record.named and (record.marks or record.badges):
        yield Finding("marks listed", f"{len(record.marks)} dots, {len(record.badges)} badges", "none: names serve")


def check_badges(record: RealRecord, meta: RealMeta) -> Iterator[Finding]:
    """Badges are numbered from 1, one on every object that is marked in the pair."""
    if record.named:
        return
    numbers = [each.number for each in record.badges]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Finding("numbers of the badges", str(numbers), "1, 2, 3, ... in order")
    stated = {each.id: each.number for each in meta.objects if each.number is not None}
    if stated != {each.id: each.number for each in record.badges}:
        yield Finding("numbers of the badges", f"{ {each.id: each.number for each in record.badges} }", str(stated))
    due = sorted(each.id for each in meta.objects if each.role in MARKED)
    if sorted(each.id for each in record.badges) != due:
        yield Finding("badges listed", f"ids {sorted(each.id for each in record.badges)}", f"ids {due}")
    for each in record.badges:
        if not _sane(each):
            yield Finding("badge's values", f"radius {each.radius}, {each.before}, {each.after}", "pixels")


def check_badge_spots(record: RealRecord, ids: Mapping[str, NDArray[np.uint16]]) -> Iterator[Finding]:
    """Each badge lies on its object (kept ones where they were), and none hides another's number."""
    movers = {record.mover.id, *(each.id for each in record.others)}
    for moment, image in ids.items():
        for badge in record.badges:
            spot = badge.before if moment == "before" else badge.after
            kept = moment == "after" and record.category in KEPT and badge.id not in movers
            row, column = math.floor(spot[1] + 0.5), math.floor(spot[0] + 0.5)
            inside = 0 <= row < image.shape[0] and 0 <= column < image.shape[1]
            if kept and badge.after != badge.before:
                yield Finding("badge kept in place", f"id {badge.id} moves to {badge.after}", f"{badge.before}")
            elif not inside:
                yield Finding("badge on its object", f"id {badge.id} {moment} at {spot}", "in the picture")
            elif not kept and image[row, column] != badge.id:
                found = f"id {badge.id} {moment} on id {image[row, column]}"
                yield Finding("badge on its object", found, "on its own object")
        if moment == "before" or record.category not in KEPT:
            yield from _apart(record.badges, moment)


def check_sides(record: RealRecord) -> Iterator[Finding]:
    """Of left-right questions: dots and badges stand to each other as the answers say, or the picture misleads."""
    if record.category != "left_right" or record.named or not record.landmarks:
        return
    offered = dict(zip(LETTERS, record.choices, strict=False))
    for what, marks in (("dots", record.marks), ("badges", record.badges)):
        spots = {each.id: each for each in marks}
        mover, landmark = spots.get(record.mover.id), spots.get(record.landmarks[0].id)
        if mover is None or landmark is None:
            continue  # told as a mark that is missing
        for moment, letter in (("before", record.before_answer), ("after", record.answer)):
            ends = (mover.before, landmark.before) if moment == "before" else (mover.after, landmark.after)
            left = (offered.get(letter or "") == "yes") == (record.relation == "left")
            if (ends[0][0] < ends[1][0]) != left:
                found = f"{what} {ends[0][0] - ends[1][0]:+.1f} px {moment}"
                yield Finding("marks stand as the answer says", found, "left" if left else "right")


def _apart(badges: Sequence[Badge], moment: str) -> Iterator[Finding]:
    for one, other in itertools.combinations(badges, 2):
        spots = (one.before, other.before) if moment == "before" else (one.after, other.after)
        apart, least = math.dist(*spots), badge_reach(one.radius) + badge_reach(other.radius)
        if apart < least:
            yield Finding("badges apart", f"{one.number} and {other.number} {apart:.1f} px {moment}", f"{least:.1f}")


def check_badge_drawing(
    moment: Literal["before", "after"], record: RealRecord, clean: Image, shown: Image
) -> Iterator[Finding]:
    """The picture with badges is the clean one with them drawn, pixel for pixel.

    Args:
        moment: which picture.
        record: with sane badges.
        clean, shown: (H, W, 3) uint8.
    """
    if clean.shape != shown.shape or not np.array_equal(draw_badges(clean, record.badges, moment), shown):
        off = "another size"
        if clean.shape == shown.shape:
            differing = cv2.absdiff(draw_badges(clean, record.badges, moment), shown)
            off = f"{int(np.count_nonzero(np.asarray(differing).any(axis=-1)))} px differ"
        yield Finding("badges drawn", f"{off} {moment}", "the clean picture with the record's badges")


def drawable(badges: Sequence[Badge]) -> bool:
    """Whether all values of all badges can be those of badges."""
    return all(map(_sane, badges))


def _sane(badge: Badge) -> bool:
    values = [*badge.before, *badge.after, badge.radius]
    finite = len(values) == 5 and all(map(math.isfinite, values)) and max(map(abs, values)) < 1e5
    return finite and 0.0 < badge.radius <= MOST_RADIUS and 0 < badge.number < 100
