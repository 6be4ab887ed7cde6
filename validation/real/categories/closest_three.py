"""``closest_three``: which three listed landmarks will the mover end up closest to? (paper, B.4, B.5)

The three change with the move; the fourth is more than 1.5 m farther than the third (3 cm of named objects), and by a
factor of at least 1.15; 5 cm in the test split. Before the move it is 2 cm (of DROID 5 cm) farther.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..facts import Asked, Condition, Outcome, changes
from ..profiles import NAMED_THREE, TEST_LEAST

FEWEST, MOST = 5, 6
NEAREST = 3
FACTOR = 1.15


def judge(asked: Asked) -> Outcome:
    """Judge by the three least distances; the answer is their places in the list."""
    after = asked.gaps_after
    third, fourth = sorted(after)[NEAREST - 1 : NEAREST + 1] if len(after) > NEAREST else (0.0, 0.0)
    answers = [_nearest(gaps) for gaps in (asked.gaps_before, after)]
    least = NAMED_THREE if asked.named else 1.5 * asked.rules.margin
    conditions = [
        Condition("landmarks listed", float(FEWEST <= len(after) <= MOST), 1.0),
        *changes(asked, answers[1], answers[0]),
        Condition("gap to the fourth", fourth - third, least),
        Condition("gap to the fourth before", _gap(asked.gaps_before), asked.rules.before_margin),
        Condition("fourth by a factor", fourth, FACTOR * third),
    ]
    if asked.test:
        conditions.append(Condition("margin of the test split", fourth - third, TEST_LEAST))
    return Outcome(answers[1], answers[0], fourth - third, "m", conditions)


def _gap(gaps: Sequence[float]) -> float:
    third, fourth = sorted(gaps)[NEAREST - 1 : NEAREST + 1] if len(gaps) > NEAREST else (0.0, 0.0)
    return fourth - third


def _nearest(gaps: Sequence[float]) -> str:
    ranked = sorted(range(len(gaps)), key=lambda place: (gaps[place], place))
    return "".join(str(place) for place in sorted(ranked[:NEAREST]))
