"""``left_right``: will the mover end up to the left (or right) of the landmark? (paper, B.4 "Left Right")

By metric x, which the pictures' columns agree with. The side flips, or in a no-change question stays and clears 5 cm.
"""

from __future__ import annotations

from ..facts import Asked, Condition, Outcome
from ..profiles import STILL_SIDE, TEST_LEAST

RELATIONS = ("left", "right")


def judge(asked: Asked) -> Outcome:
    """Judge by the x of the mover and of the landmark."""
    landmark = asked.only()
    apart = [place[0] - landmark.before[0] for place in (asked.mover.before, asked.end)]
    answers = ["yes" if (each < 0.0) == (asked.relation != "right") else "no" for each in apart]
    away = abs(apart[1])
    least = max(asked.rules.margin, asked.side_width * 2.0 * landmark.radius)
    conditions = [Condition("x apart after", away, least)]
    if answers[0] == answers[1]:
        conditions += [Condition("x apart, no change", min(abs(each) for each in apart), STILL_SIDE)]
    if asked.test:
        conditions.append(Condition("margin of the test split", away, TEST_LEAST))
    columns = [asked.mover.pixel_before, asked.mover.pixel_after or asked.mover.pixel_before]
    for moment, metric, (u, _) in zip(("before", "after"), apart, columns, strict=True):
        agree = (u < landmark.pixel_before[0]) == (metric < 0.0)
        conditions.append(Condition(f"columns agree {moment}", float(agree), 1.0))
    return Outcome(answers[1], answers[0], away, "m", conditions)
