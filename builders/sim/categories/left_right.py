"""``left_right``: after the move, is the mover left (or right) of a landmark in the picture?"""

from __future__ import annotations

from dataclasses import dataclass

from .base import Label, Reject

MARGIN_PX = 20.0
"""Least distance of the two mask centroids, in pixels of an 800 px wide image (sim.md, "Categories")."""


@dataclass(frozen=True)
class Extent:
    """A mask's horizontal centroid and width in pixels."""

    u: float
    width: float


def label(mover: Extent, landmark: Extent, relation: str, scale: float) -> Label | Reject:
    """Read the answer off two masks of one image.

    Args:
        mover, landmark: their masks' extents.
        relation: ``"left"`` or ``"right"``, as asked.
        scale: image width / 800.

    Returns:
        yes/no with its margin in pixels, or a reject when the centroids are closer than max(20 px, a quarter of the
        sum of both mask widths).
    """
    offset = mover.u - landmark.u
    margin = abs(offset) - max(MARGIN_PX * scale, (mover.width + landmark.width) / 4.0)
    if margin <= 0.0:
        return Reject("left_right: too close to call")
    side = "left" if offset < 0.0 else "right"
    return Label("yes" if side == relation else "no", margin)
