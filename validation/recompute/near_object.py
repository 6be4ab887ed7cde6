"""``near_object``: is the landmark within the stated distance of the mover after the move?

The gap between their closest surface points decides; within 0.05 m of the threshold a label is ambiguous
(sim.md, "Categories").
"""

from __future__ import annotations

from flowbench.errors import ReleaseError

from .common import Evidence, Question
from .verdict import Recomputed, Verdict

BAND = 0.05


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both states by the gap between the objects' parts."""
    question = evidence.question
    threshold = _threshold(question)
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
    return Verdict(question.letter(gap <= threshold), beyond - BAND, f"gap {gap:.4f} m, threshold {threshold} m")


def _threshold(question: Question) -> float:
    """The threshold, positive and stated in both texts."""
    if question.threshold is None or question.threshold <= 0.0:
        raise ReleaseError(f"near_object has the threshold {question.threshold}, expected a length: build it again")
    if any(question.threshold not in stated for stated in question.numbers()):
        raise ReleaseError(f"a near_object question does not state its {question.threshold} m: build it again")
    return question.threshold
