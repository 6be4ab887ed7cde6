"""Whether a viewer can follow a probe: what blocks it is seen, or where it leads is (sim.md, "Categories").

Read from the evidence alone: outlines from convex parts, what hides them from the depth image.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .common import FULL_WIDTH, Evidence
from .meta import ObjectMeta, StateMeta
from .outlines import fill, hull, projected
from .rules import LEAST_AREA, Finding
from .verdict import Recomputed

LEAST_INSIDE = 0.68
"""Share of the mover's outline at the probe's end that lies in the picture: 0.7, less what grids of pixels disagree."""
BEHIND = 0.3
"""Metres by which something may hide the middle of the mover at the probe's end."""
GRID = 250
"""Places on either axis at which an outline is looked at."""
WIDEST = 6.0
"""Outlines of more than so many picture widths are all around the camera."""


def check_probe_view(evidence: Evidence, truth: Recomputed) -> Iterator[Finding]:
    """What of a probe cannot be seen, from either place of the mover."""
    if truth.blockers is None or evidence.question.probe is None:
        return
    camera = evidence.meta.camera
    right, away = camera.floor_axes
    step = evidence.question.probe[0] * right + evidence.question.probe[1] * away
    mover = evidence.with_parts(evidence.question.mover)
    for moment, state, blockers, ids, depth in (
        ("before", mover.before, truth.blockers[0], evidence.seg_before, evidence.depth_before),
        ("after", mover.after, truth.blockers[1], evidence.seg_after, evidence.depth_after),
    ):
        share = _share_inside(evidence, mover, state, step)
        if share < LEAST_INSIDE:
            yield Finding("probe in view", f"{share:.2f} of its end {moment} in the picture", "at least 0.7")
        if blockers:
            area = max(int(np.count_nonzero(ids == each)) for each in blockers)
            if area * FULL_WIDTH**2 < LEAST_AREA * camera.width**2:  # whole numbers, as for named objects
                least = LEAST_AREA * (camera.width / FULL_WIDTH) ** 2
                yield Finding("blocker seen", f"{area} px {moment}", f"at least {least:g} px")
        elif _is_hidden(evidence, mover, state, step, depth):
            yield Finding("probe in view", f"its end {moment} is out of the picture or hidden", "seen")


def _share_inside(evidence: Evidence, mover: ObjectMeta, state: StateMeta, step: NDArray[np.float64]) -> float:
    """Share of the mover's outline after a displacement that lies in the picture; 0 if it is around the camera."""
    camera = evidence.meta.camera
    outlines = [projected(part + step, camera) for part in mover.placed_parts(state)]
    corners = [each for each in outlines if each is not None]
    if (
        len(corners) < len(outlines)
        or max(float(np.ptp(each, axis=0).max()) for each in corners) > WIDEST * camera.width
    ):
        return 0.0
    everything = np.concatenate(corners)
    low, size = everything.min(axis=0), np.ptp(everything, axis=0)
    step_px = max(float(size.max()) / GRID, 0.25)
    places = [start + step_px * np.arange(int(extent / step_px) + 2) for start, extent in zip(low, size, strict=True)]
    mask = np.zeros((places[1].size, places[0].size), np.bool_)
    for each in corners:
        fill(mask, hull((each - low) / step_px))
    whole = np.count_nonzero(mask)
    u_inside, v_inside = (
        (at >= -0.5) & (at < side - 0.5) for at, side in zip(places, (camera.width, camera.height), strict=True)
    )
    return float(np.count_nonzero(mask[v_inside][:, u_inside]) / whole) if whole else 0.0


def _is_hidden(
    evidence: Evidence, mover: ObjectMeta, state: StateMeta, step: NDArray[np.float64], depth: NDArray[np.float32]
) -> bool:
    """Whether the mover's middle after a displacement lies out of the picture or well behind what is seen there."""
    camera = evidence.meta.camera
    centre = (mover.centre(state) + step)[None]
    pixels = projected(centre, camera)
    if pixels is None:
        return True
    u, v = np.rint(pixels[0]).astype(int).tolist()
    if not (0 <= u < camera.width and 0 <= v < camera.height):
        return True
    distance = float(centre[0] @ camera.matrix[2, :3] + camera.matrix[2, 3])
    return bool(0.0 < depth[v, u] < distance - BEHIND - max(mover.box.half))
