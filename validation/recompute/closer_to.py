"""``closer_to``: which of the four landmarks is the mover nearest to after the move?

The least distance, as the question measures it, decides; with a runner-up within 0.05 m a label is ambiguous
(sim.md, "Categories").
"""

from __future__ import annotations

from collections.abc import Sequence

from flowbench.schema import LETTERS

from .common import Evidence
from .verdict import Recomputed, Verdict

LANDMARKS = 4
BAND = 0.05


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both states by the distances between the mover and each landmark."""
    evidence.question.require_landmarks_as_choices(LANDMARKS)
    gaps = evidence.gaps
    return Recomputed.of(
        before=_judge([before for before, _ in gaps]),
        after=_judge([after for _, after in gaps]),
        margin_unit="m",
        gaps=gaps,
    )


def _judge(gaps: Sequence[float]) -> Verdict:
    first, second = sorted(gaps)[:2]
    return Verdict(LETTERS[gaps.index(first)], second - first - BAND, f"nearest {first:.4f} m, next {second:.4f} m")
