"""``count_near``: how many of the six listed objects are within the stated distance of the mover after the move?

The distances, as the question measures them, decide; with one of them within 0.05 m of the threshold a label is
ambiguous, and so it is when the count is none of the four choices (sim.md, "Categories").
"""

from __future__ import annotations

from collections.abc import Sequence

from flowbench.errors import ReleaseError
from flowbench.schema import LETTERS

from .common import Evidence, Question
from .verdict import Recomputed, Verdict

LISTED = 6
COUNTS = (2, 3, 4, 5)
BAND = 0.05


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both states by the distances between the mover and each listed object."""
    question = evidence.question
    if len(question.landmarks) != LISTED:
        raise ReleaseError(f"count_near lists {len(question.landmarks)} objects, expected {LISTED}: build it again")
    for text in question.texts:
        missing = [name for name in question.landmark_names if name.casefold() not in text.casefold()]
        if missing:
            raise ReleaseError(f"a count_near question does not list {missing[0]!r}: build it again")
    threshold = question.stated_threshold()
    return Recomputed.of(
        before=_judge([before for before, _ in evidence.gaps], threshold, question),
        after=_judge([after for _, after in evidence.gaps], threshold, question),
        margin_unit="m",
        gaps=evidence.gaps,
    )


def _judge(gaps: Sequence[float], threshold: float, question: Question) -> Verdict:
    count = len([gap for gap in gaps if gap <= threshold])
    nearest = min(gaps, key=lambda gap: abs(gap - threshold))
    if count not in COUNTS:
        return Verdict(None, None, f"{count} of {len(gaps)} within {threshold} m, which is no choice")
    return Verdict(_letter(count, question), abs(nearest - threshold) - BAND, f"a distance of {nearest:.4f} m")


def _letter(count: int, question: Question) -> str:
    offered = [choice.strip().rstrip(".") for choice in question.choices]
    if sorted(offered) != [str(each) for each in COUNTS]:
        raise ReleaseError(f"count_near offers {list(question.choices)}, expected {list(COUNTS)}: build it again")
    return LETTERS[offered.index(str(count))]
