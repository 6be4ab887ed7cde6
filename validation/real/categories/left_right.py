"""``left_right``: will the mover end up to the left (or right) of the landmark? (paper, B.4 "Left Right")

By metric x, which the pictures' columns agree with and show: they are 8 px (of 640) apart, and not each within the
other's box. The side flips, or in a no-change question stays and clears 5 cm; before the
move x is 2 cm (of DROID 5 cm) apart.
"""

from __future__ import annotations

from ..facts import Asked, Box, Condition, Outcome
from ..profiles import STILL_SIDE, TEST_LEAST

RELATIONS = ("left", "right")
COLUMNS = 8.0 / 640.0
"""Of the picture's width that columns are apart."""


def judge(asked: Asked) -> Outcome:
    """Judge by the x of the mover and of the landmark."""
    landmark = asked.only()
    apart = [place[0] - landmark.before[0] for place in (asked.mover.before, asked.end)]
    answers = ["yes" if (each < 0.0) == (asked.relation != "right") else "no" for each in apart]
    away = abs(apart[1])
    least = max(asked.rules.margin, asked.side_width * 2.0 * landmark.radius)
    conditions = [
        Condition("x apart after", away, least),
        Condition("x apart before", abs(apart[0]), asked.rules.before_margin),
    ]
    if answers[0] == answers[1]:
        conditions += [Condition("x apart, no change", min(abs(each) for each in apart), STILL_SIDE)]
    if asked.test:
        conditions.append(Condition("margin of the test split", away, TEST_LEAST))
    mover, column = asked.mover, landmark.pixel_before[0]
    places = [(mover.pixel_before, mover.box_before)]
    places.append((mover.pixel_after or mover.pixel_before, mover.box_after or mover.box_before))
    for moment, metric, ((u, _), box) in zip(("before", "after"), apart, places, strict=True):
        agree = (u < column) == (metric < 0.0)
        in_line = _spans(box, column) and _spans(landmark.box_before, u)
        conditions.append(Condition(f"columns agree {moment}", float(agree), 1.0))
        conditions.append(Condition(f"columns apart {moment}", abs(u - column), COLUMNS * asked.width))
        conditions.append(Condition(f"not in line {moment}", float(not in_line), 1.0))
    return Outcome(answers[1], answers[0], away, "m", conditions)


def _spans(box: Box, column: float) -> bool:
    """Whether a column lies within a box."""
    return box[0] <= column <= box[0] + box[2]
