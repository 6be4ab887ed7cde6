"""``left_right``: is the mover to the left (or right) of the landmark in the image, after the move?

The image columns of the two mask centroids decide. A label is ambiguous where they are closer than 20 px (of
a picture 800 wide) or a quarter of the sum of both masks' widths, whichever is more (sim.md, "Categories").
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from flowbench.errors import ReleaseError

from .common import Evidence, Outline, Question
from .verdict import Recomputed, Verdict

LEAST_PIXELS = 20.0
WIDTH_SHARE = 0.25
_OPPOSITE = {"left": "right", "right": "left"}


def recompute(evidence: Evidence) -> Recomputed:
    """Judge both frames by the masks alone."""
    question = evidence.question
    _require_wording(question)
    return Recomputed.of(
        before=_judge(evidence.outlines_before, question, evidence.scale),
        after=_judge(evidence.outlines_after, question, evidence.scale),
        margin_unit="px",
    )


def _judge(outlines: Mapping[int, Outline], question: Question, scale: float) -> Verdict:
    mover, landmark = outlines.get(question.mover), outlines.get(question.only_landmark())
    if mover is None or landmark is None:
        return Verdict(None, None, "the mover or the landmark is not visible")
    offset = mover.u - landmark.u
    band = max(LEAST_PIXELS * scale, WIDTH_SHARE * (mover.width + landmark.width))
    truth = offset < 0.0 if question.relation == "left" else offset > 0.0
    return Verdict(
        question.letter(truth), abs(offset) - band, f"columns {abs(offset):.2f} px apart, band {band:.2f} px"
    )


def _require_wording(question: Question) -> None:
    """The texts ask for the relation that the record names, and not for the other one."""
    opposite = _OPPOSITE.get(question.relation or "")
    if opposite is None:
        raise ReleaseError(
            f"left_right has the relation {question.relation!r}, expected 'left' or 'right': build it again"
        )
    for text in question.texts:
        words = re.findall(r"[a-z]+", text.casefold())
        if question.relation not in words or opposite in words:
            raise ReleaseError(f"a left_right question does not ask for {question.relation!r} alone: build it again")
