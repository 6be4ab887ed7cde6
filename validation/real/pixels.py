"""What the pixels of a pair say: how much changes, what moves, and that the rest stays (paper, B.1, B.2, B.5)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from ..recompute.rules import Finding
from .measures import differing
from .measuring import Frame, Measured
from .opened import MOMENTS, OpenedReal
from .profiles import SOURCES

BORDER: Final = 0.05
"""Share of each side that is cut off before changed pixels are counted."""
CHANGED: Final = 25
"""Gray levels by which a pixel changes."""
GRAYS: Final = 0.01
"""Share by which counts of changed pixels differ between ways to gray."""
DEPTH_RANGE: Final = (0.05, 20.0)
"""Metres from the camera in which measured things lie."""
DEPTH_HELD: Final = 0.5
"""Share of a measured mask that has depth, at least."""
FLOW_STEP: Final = 1.0 / 64.0
MOST_FLOW: Final = 512.0
STILL_PX: Final = 8.0
"""Median flow of a landmark, at most."""
LEAST_VALID: Final = 20
"""Pixels with flow below which nothing is said of an object's."""
SAME_PLACE: Final = 0.65
"""Correlation at the mover's old place above which it never moved: 0.6 (B.5), and what ways to gray differ by."""
UNDER_ROWS: Final = 6
"""Rows below an object in which what it stands on is looked for."""
LEAST_UNDER: Final = 20
"""Pixels of it, at least."""
MOST_OFF: Final = 0.08
"""Metres between an object's depth and that of what it stands on: half its size, and a table that leans."""
IDENTITY: Final = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]


def check_pixels(sample: OpenedReal) -> Iterator[Finding]:
    """Camera, changed pixels, depths and flow."""
    yield from _camera(sample)
    yield from _change(sample)
    for moment in MOMENTS:
        yield from _depth(sample, moment)
    yield from _flow(sample)
    yield from _standing(sample)


def _camera(sample: OpenedReal) -> Iterator[Finding]:
    """The record's camera is the metadata's, which is the source's where that assumes one; the camera is the frame."""
    record, meta = sample.record.camera, sample.meta
    if record.k != meta.k:
        yield Finding("intrinsics", str(record.k), f"{meta.k} as in meta.txt")
    if record.camera_from_world != IDENTITY:
        yield Finding("camera_from_world", str(record.camera_from_world), "the identity: the camera is the frame")
    (fx, skew, cx), (zero, fy, cy), last = meta.k
    if (skew, zero, last) != (0.0, 0.0, [0.0, 0.0, 1.0]):
        yield Finding("intrinsics", str(meta.k), "fx, fy, cx and cy alone")
    focal = SOURCES[meta.profile].focal if meta.profile in SOURCES else None
    if focal is not None and (fx, fy, cx, cy) != (focal[0], *focal):
        yield Finding("intrinsics", f"{fx:g}, {fy:g}, {cx:g}, {cy:g}", f"{focal[0]:g} and {focal[1:]} of the source")


def _change(sample: OpenedReal) -> Iterator[Finding]:
    """The share of changed pixels lies in the source's range, and the mover left its place."""
    before, after = (_gray(sample.picture(moment)) for moment in MOMENTS)
    share = changed_share(before, after)
    if sample.meta.profile in SOURCES:
        low, high = SOURCES[sample.meta.profile].changed
        if not low * (1.0 - GRAYS) <= share <= high * (1.0 + GRAYS):
            yield Finding("changed pixels", f"{share:.4f} of the picture", f"{low:g} to {high:g}")
    ids = sample.ids("before")
    mover = ids == sample.record.mover.id
    if mover.any():
        alike = correlation(before[mover], after[mover])
        if alike > SAME_PLACE:
            yield Finding("mover left its place", f"its place correlates by {alike:.2f}", f"at most {SAME_PLACE:g}")


def changed_share(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> float:
    """Share of the pixels within the border, (H, W) gray, that change by more than 25 of 255 (real.md)."""
    height, width = before.shape
    rows, columns = (slice(int(size * BORDER), size - int(size * BORDER)) for size in (height, width))
    return float((cv2.absdiff(before[rows, columns], after[rows, columns]) > CHANGED).mean())


def correlation(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Pearson's of two lists of gray values; 0 where one has no contrast."""
    a, b = one.astype(np.float64) - one.mean(), other.astype(np.float64) - other.mean()
    norm = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return float((a * b).sum()) / norm if norm else 0.0


def _gray(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)


def _depth(sample: OpenedReal, moment: str) -> Iterator[Finding]:
    """Objects have depth, such as things on a table may have; what is behind them may be far."""
    depth = sample.depth(moment)
    low, high = DEPTH_RANGE
    if not depth.any():
        yield Finding("range of the depth", f"none {moment}", f"{low:g} to {high:g} m")
    frame = sample.pair.before if moment == "before" else sample.pair.after
    for each in sample.meta.objects:
        if each.id not in frame.regions:
            continue
        own = depth[frame.window(each.id)][frame.mask(each.id)]
        share = np.count_nonzero(own) / own.size
        if share < DEPTH_HELD:
            yield Finding("depth of an object", f"id {each.id} {moment}: {share:.2f} of it", f"at least {DEPTH_HELD:g}")
        elif not low <= frame.objects[each.id].depth <= high:
            found = f"id {each.id} {moment}: {frame.objects[each.id].depth:.3f} m"
            yield Finding("range of the depth", found, f"{low:g} to {high:g} m")


def _standing(sample: OpenedReal) -> Iterator[Finding]:
    """Of depth questions: the mover stands on what is seen just below it, before and after (real.md)."""
    if sample.record.category != "depth_order":
        return
    for moment, frame in sample.pair.moments:
        found = frame.objects.get(sample.record.mover.id)
        off = None if found is None else depth_under(frame, found)
        if off is not None and abs(off) > MOST_OFF:
            expected = f"at most {MOST_OFF:g} m between it and what it stands on"
            yield Finding("mover on the table", f"{off:.3f} m {moment}", expected)


def depth_under(frame: Frame, found: Measured) -> float | None:
    """How much farther away than an object the empty place is that is seen just below it, metres; None where none is.

    What stands on a table is as far away as the table at its foot; below what is held up the table is farther off.
    """
    x, y, width, height = (int(each) for each in found.box)
    columns = slice(x + width // 4, x + width - width // 4)
    rows = slice(y + height + 1, y + height + 1 + UNDER_ROWS)
    under = frame.depth[rows, columns][frame.ids[rows, columns] == 0]
    under = under[under > 0.0]
    if under.size < LEAST_UNDER:
        return None
    return float(np.median(under)) - found.depth


def _flow(sample: OpenedReal) -> Iterator[Finding]:
    """Flow is within its range; of the mover it is what certifies it, of landmarks next to nothing."""
    flow, valid = sample.flow
    ids = sample.ids("before")
    if valid.shape != ids.shape:
        yield Finding("size of an image", f"flow.png16 is {valid.shape[::-1]}", f"{ids.shape[::-1]}")
        return
    farthest = float(np.abs(flow).max(where=valid[..., None], initial=0.0))
    if farthest > MOST_FLOW:
        yield Finding("range of the flow", f"{farthest:.1f} px", f"at most {MOST_FLOW:g} px")
    claim, frame = sample.meta.certification, sample.pair.before
    for each in sample.meta.objects:
        if each.role not in ("mover", "landmark") or each.id not in frame.regions:
            continue
        window, mask = frame.window(each.id), frame.mask(each.id)
        tracked = mask & valid[window]
        median = [float(np.median(flow[window][tracked][:, axis])) for axis in (0, 1)] if tracked.any() else None
        if each.role == "mover":
            share = np.count_nonzero(tracked) / np.count_nonzero(mask)
            yield from differing("tracked share of the mover", "certification", [claim.tracked], [share], 1.5e-6)
            yield from differing("flow of the mover", "certification.track", claim.track, median or (), FLOW_STEP)
        elif median is not None and np.count_nonzero(tracked) >= LEAST_VALID and math.hypot(*median) > STILL_PX:
            found = f"id {each.id}: {math.hypot(*median):.1f} px"
            yield Finding("flow of a landmark", found, f"at most {STILL_PX:g} px")
