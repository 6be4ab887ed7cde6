"""``near_object``: is the mover within T of the landmark after the move? (paper, B.4 "Threshold")

Yes if d1 < T. The margins of the source apply after and before the move; in the test split |d - T| reaches a quarter of
T and 5 cm. A no-change question has both distances on one side of T by at least m; half of these ask for "more than T".
"""

from __future__ import annotations

from ..facts import Asked, Condition, Outcome, fitting_threshold
from ..profiles import AFTER_SHARE, NAMED_LEAST, STILL_THRESHOLDS, TEST_LEAST, TEST_SHARE

RELATIONS = ("within", "beyond")


def judge(asked: Asked) -> Outcome:
    """Judge by the surface distances before and after."""
    asked.only()
    limit, rules = asked.limit(), asked.rules
    before, after = asked.gaps_before[0], asked.gaps_after[0]
    answers = [_answer(asked, gap < limit) for gap in (before, after)]
    away = abs(after - limit)
    flips = answers[0] != answers[1]
    known = rules.near_thresholds if flips else STILL_THRESHOLDS
    least, least_before = (_least(asked, limit), rules.before_margin) if flips else (rules.margin, rules.margin)
    conditions = [
        *fitting_threshold(asked, limit, known),
        Condition("distance after from the threshold", away, least),
        Condition("distance before from the threshold", abs(before - limit), least_before),
    ]
    if asked.test:
        conditions.append(Condition("margin of the test split", away, max(TEST_LEAST, TEST_SHARE * limit)))
    return Outcome(answers[1], answers[0], away, "m", conditions)


def _answer(asked: Asked, near: bool) -> str:
    return "yes" if near == (asked.relation != "beyond") else "no"


def _least(asked: Asked, limit: float) -> float:
    if asked.named:
        return NAMED_LEAST
    return max(asked.rules.after_margin, AFTER_SHARE * limit)
