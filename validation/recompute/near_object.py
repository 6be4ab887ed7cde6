"""``near_object``: is the landmark within the stated distance of the mover after the move?

Their distance, as the question measures it, decides; within 0.05 m of the threshold a label is ambiguous
(sim.md, "Categories").
"""

from __future__ import annotations

from .common import Evidence, Question
from .verdict import Recomputed, Verdict

BAND = 0.05


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both states by the distance between the two."""
    question = evidence.question
    threshold = question.stated_threshold()
    question.only_landmark()
    ((before, after),) = evidence.gaps
    return Recomputed.of(
        before=_judge(before, threshold, question),
        after=_judge(after, threshold, question),
        margin_unit="m",
        gaps=evidence.gaps,
    )


def _judge(gap: float, threshold: float, question: Question) -> Verdict:
    beyond = abs(gap - threshold)
    return Verdict(question.letter(gap <= threshold), beyond - BAND, f"distance {gap:.4f} m, threshold {threshold} m")
