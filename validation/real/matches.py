"""That what is called one object in both pictures may be: colours, tracks, and the kind of evidence (paper, B.2).

Colours are counted in 72 bins: a pixel of saturation 40 of 255 or more by its hue, 16 of the circle, and its
saturation, 4 from 40 up; others by their value, 8 levels. All of it in whole numbers, hues in 1/256 of a sixth of the
circle, rounded down. Two lists of counts are as alike as Pearson's correlation says.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flowbench.schema.real_meta import MatchEvidence, MeasuredObject

from ..recompute.rules import Finding
from .meta import seen
from .opened import MOMENTS, OpenedReal

KINDS: Final = ("track", "unique", "colour")
LEAST_ALIKE, LEAST_ALIKE_GENERIC = 0.5, 0.75
REACH: Final = 60.0
"""Pixels from a tracked end to the mask that it speaks for."""
LEAST_TRACKED: Final = 0.05
MOST_GROWN: Final = 4
COLOURED: Final = 40
HUES, SATURATIONS, GRAYS = 16, 4, 8
SIXTH: Final = 256
ROUNDED: Final = 2e-6
STEP: Final = 1.0 / 32.0
"""Pixels by which a tracked end may differ: published flow has steps of 1/64."""


def check_matches(sample: OpenedReal) -> Iterator[Finding]:
    """Every object that is matched is so by what the pictures show; what is not seen twice is not."""
    ids = [sample.ids(moment) for moment in MOMENTS]
    kinds = [Counter(each.label for each in sample.meta.objects if seen(each, moment)) for moment in MOMENTS]
    for each in sample.meta.objects:
        twice = each.before is not None and each.after is not None
        if (each.match is None) == twice:
            yield Finding("match of an object", f"id {each.id}: {each.match}", "of what is seen in both pictures")
        if each.match is None or not all((image == each.id).any() for image in ids):
            continue
        yield from _alike(sample, each, each.match)
        yield from _tracked(sample, each, each.match)
        if each.match.kind == "unique" and any(count[each.label] != 1 for count in kinds):
            yield Finding("kind of a match", f"id {each.id}: unique, a {each.label[:40]}", "the only one of its class")


def _alike(sample: OpenedReal, each: MeasuredObject, claim: MatchEvidence) -> Iterator[Finding]:
    one, other = (
        colours(sample.picture(moment)[sample.ids(moment) == each.id]).astype(np.float64) for moment in MOMENTS
    )
    found = correlation(one, other)
    if not abs(claim.correlation - found) <= ROUNDED:
        yield Finding("likeness of a match", f"id {each.id}: {claim.correlation:.6f}", f"{found:.6f}")
    least = LEAST_ALIKE_GENERIC if each.generic else LEAST_ALIKE
    if found < least - ROUNDED:
        yield Finding("match by colour", f"id {each.id}: correlates by {found:.3f}", f"at least {least:g}")
    small, large = sorted(np.count_nonzero(sample.ids(moment) == each.id) for moment in MOMENTS)
    if large >= MOST_GROWN * small:
        yield Finding("match by area", f"id {each.id}: {small} and {large} px", f"less than {MOST_GROWN} times")


def _tracked(sample: OpenedReal, each: MeasuredObject, claim: MatchEvidence) -> Iterator[Finding]:
    found = endpoint(sample, each.id)
    near = found is not None and found <= REACH
    odd = (claim.endpoint is None) != (found is None)
    if odd or abs((claim.endpoint or 0.0) - (found or 0.0)) > STEP:
        yield Finding("tracked end of a match", f"id {each.id}: {claim.endpoint}", str(found))
    if claim.kind not in KINDS:
        yield Finding("kind of a match", f"id {each.id}: {claim.kind[:20]}", f"one of {', '.join(KINDS)}")
    elif found is not None and abs(found - REACH) > STEP and (claim.kind == "track") != near:
        yield Finding("kind of a match", f"id {each.id}: {claim.kind}, {found:.1f} px off", f"'track' up to {REACH:g}")
    elif claim.kind == "track" and found is None:
        yield Finding("kind of a match", f"id {each.id}: track, but none is seen", "'unique' or 'colour'")


def endpoint(sample: OpenedReal, instance_id: int) -> float | None:
    """Pixels from where an object's tracks end, in the median, to its after mask; None where hardly any is tracked."""
    before, after = (sample.ids(moment) == instance_id for moment in MOMENTS)
    flow, valid = sample.flow
    rows, columns = np.nonzero(before & valid)
    if not rows.size or rows.size < LEAST_TRACKED * np.count_nonzero(before):
        return None
    ends = np.stack([columns, rows], axis=1) + flow[rows, columns].astype(np.float64)
    u, v = np.median(ends, axis=0)
    down, across = np.nonzero(after)
    return float(np.sqrt((across - u) ** 2 + (down - v) ** 2).min())


def colours(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Counts of (N, 3) sRGB pixels in the bins of the module, (72,)."""
    rgb = pixels.astype(np.int64)
    value, spread = rgb.max(axis=1), rgb.max(axis=1) - rgb.min(axis=1)
    saturation = 255 * spread // np.maximum(value, 1)
    leading = rgb.argmax(axis=1)  # the first of equals: red, green, blue
    following = np.take_along_axis(rgb, ((leading + 1) % 3)[:, None], axis=1)[:, 0]
    last = np.take_along_axis(rgb, ((leading + 2) % 3)[:, None], axis=1)[:, 0]
    angle = SIXTH * (following - last) // np.maximum(spread, 1) + 2 * SIXTH * leading
    hue = angle % (6 * SIXTH) * HUES // (6 * SIXTH)
    vivid = hue * SATURATIONS + (saturation - COLOURED) * SATURATIONS // (256 - COLOURED)
    pale = HUES * SATURATIONS + value * GRAYS // 256
    return np.bincount(np.where(saturation >= COLOURED, vivid, pale), minlength=HUES * SATURATIONS + GRAYS)


def correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Pearson's; 0 where one is flat."""
    a, b = one - one.mean(), other - other.mean()
    norm = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return float((a * b).sum()) / norm if norm else 0.0
