"""``closer_to``: which of the listed landmarks will the mover end up closest to? (paper, B.4 "Closer To", B.5)

The nearest changes with the move; the runner-up is more than 2 m, and at least 5 cm, farther;
before the move as much farther as depth resolves (2 cm, of DROID 5 cm).
"""

from __future__ import annotations

from ..facts import Asked, Condition, Outcome, changes
from ..profiles import CM

FEWEST, MOST = 3, 4
LEAST_GAP = 5 * CM


def judge(asked: Asked) -> Outcome:
    """Judge by the least distance; the answer is the place of the landmark in the list."""
    after, before = asked.gaps_after, asked.gaps_before
    first, second = sorted(after)[:2] if len(after) > 1 else (0.0, 0.0)
    nearest = sorted(before)[:2] if len(before) > 1 else (0.0, 0.0)
    gap_before = nearest[1] - nearest[0]
    answers = [str(gaps.index(min(gaps))) if gaps else "" for gaps in (before, after)]
    conditions = [
        Condition("landmarks listed", float(FEWEST <= len(after) <= MOST), 1.0),
        *changes(asked, answers[1], answers[0]),
        Condition("gap to the runner-up", second - first, max(2.0 * asked.rules.margin, LEAST_GAP)),
        Condition("gap to the runner-up before", gap_before, asked.rules.before_margin),
    ]
    return Outcome(answers[1], answers[0], second - first, "m", conditions)
