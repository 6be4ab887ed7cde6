"""``depth_order``: will the mover end up closer to the camera than the landmark? (paper, B.4 "Depth Order")

By z, with 2 m of margin at both moments; only of sources whose depths can be told apart, and of compact landmarks. The
side may stay the same: B.4 allows one such question a pair.
"""

from __future__ import annotations

from ..facts import Asked, Condition, Outcome, Thing
from ..profiles import TEST_LEAST

MOST_ASPECT = 3.0
MOST_AREA = 0.02
BORDER = 20


def judge(asked: Asked) -> Outcome:
    """Judge by the z of the mover and of the landmark."""
    landmark = asked.only()
    apart = [place[2] - landmark.before[2] for place in (asked.mover.before, asked.end)]
    answers = ["yes" if (each < 0.0) == (asked.relation != "farther") else "no" for each in apart]
    least = 2.0 * asked.rules.margin
    conditions = [
        Condition("depths can be told apart", float(asked.rules.depth_order), 1.0),
        Condition("z apart after", abs(apart[1]), max(least, TEST_LEAST if asked.test else 0.0)),
        Condition("z apart before", abs(apart[0]), least),
        *_compact(asked, landmark),
    ]
    return Outcome(answers[1], answers[0], abs(apart[1]), "m", conditions)


def _compact(asked: Asked, landmark: Thing) -> list[Condition]:
    x, y, width, height = landmark.box_before
    border = min(x, y, asked.width - x - width, asked.height - y - height)
    aspect = max(width, height) / max(min(width, height), 1.0)
    share = landmark.area_before / (asked.width * asked.height)
    return [
        Condition("compact landmark, aspect", -aspect, -MOST_ASPECT),
        Condition("compact landmark, area", -share, -MOST_AREA),
        Condition("compact landmark, border", border, BORDER),
    ]
