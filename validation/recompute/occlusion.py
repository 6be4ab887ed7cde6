"""``occlusion``: does the mover hide a third or more of the landmark after the move?

The landmark's visible pixels before and after decide: from 35 % hidden on the answer is yes, up to 2 % it is no, and
between the two a label is ambiguous. Before the move the landmark is in full view, at least 95 % of its outline, so
there is no before-answer (sim.md, "Categories").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .common import Evidence
from .meta import ObjectMeta
from .outlines import fill, hull, projected
from .verdict import Recomputed, Verdict

HIDDEN = 0.35
SHOWN = 0.02
MOST_COVERED = 0.05

Mask = NDArray[np.bool_]


def recompute(evidence: Evidence) -> Recomputed:
    """Judge by the landmark's pixels in both frames."""
    question = evidence.question
    landmark = question.only_landmark()
    before, after = evidence.outlines_before.get(landmark), evidence.outlines_after.get(landmark)
    nothing = Verdict(None, None, "nothing is asked of the state before")
    if before is None:
        return Recomputed.of(
            before=nothing, after=Verdict(None, None, "the landmark is not seen before"), margin_unit="share"
        )
    covered = covered_share(evidence, evidence.meta.find(landmark))
    if covered > MOST_COVERED:
        verdict = Verdict(None, None, f"{covered:.3f} of the landmark's outline is covered before the move")
        return Recomputed.of(before=nothing, after=verdict, margin_unit="share")
    hidden = 1.0 - (after.area if after is not None else 0) / before.area
    verdict = Verdict(question.letter(hidden >= HIDDEN), max(hidden - HIDDEN, SHOWN - hidden), f"{hidden:.4f} hidden")
    return Recomputed.of(before=nothing, after=verdict, margin_unit="share")


def covered_share(evidence: Evidence, landmark: ObjectMeta) -> float:
    """Share of the landmark's outline before the move, a pixel off its rim, where something nearer is seen instead.

    The outline is that of its convex parts; what is nearer is read from the depth image.
    """
    inner = _eroded(outline_mask(evidence, landmark))
    own = evidence.seg_before == landmark.id
    if not inner.any() or not own.any():
        return 1.0
    farthest = evidence.depth_before[own].max()
    nearer = inner & ~own & (evidence.depth_before > 0.0) & (evidence.depth_before < farthest)
    return float(nearer.sum() / inner.sum())


def outline_mask(evidence: Evidence, thing: ObjectMeta) -> Mask:
    """Pixels whose centre lies in the projection of one of a thing's convex parts before the move; (H, W) bool."""
    camera = evidence.meta.camera
    mask = np.zeros((camera.height, camera.width), dtype=np.bool_)
    for part in thing.placed_parts(thing.before):
        pixels = projected(part, camera)
        if pixels is not None:
            fill(mask, hull(pixels))
    return mask


def _eroded(mask: Mask) -> Mask:
    """The mask without the pixels that have one outside it among their eight neighbours."""
    padded = np.pad(mask, 1)
    height, width = mask.shape
    out = mask.copy()
    for dv in range(3):
        for du in range(3):
            out &= padded[dv : dv + height, du : du + width]
    return out
