"""``count_near``: how many of the listed landmarks will end up within T of the mover? (paper, B.4 "Count Near", B.5)

The count changes with the move, is neither none nor all, and no listed landmark lies near T: by 3 cm, of DROID by 8 cm
and 0.15 T, and always by a quarter of T; before the move by 2 cm, of DROID 5 cm. Offered are four counts, that
after and that before among them, the others within three of that after; in the paper's preset one and two more.
"""

from __future__ import annotations

from ..facts import Asked, Condition, Outcome, changes, fitting_threshold
from ..profiles import TEST_LEAST

FEWEST, MOST = 4, 6
CLEAR = 0.25
REACH = 3
OFFERED = 4


def judge(asked: Asked) -> Outcome:
    """Judge by the distances of all listed landmarks."""
    limit, rules = asked.limit(), asked.rules
    before, after = (sum(gap < limit for gap in gaps) for gaps in (asked.gaps_before, asked.gaps_after))
    away = min((abs(gap - limit) for gap in asked.gaps_after), default=0.0)
    earlier = min((abs(gap - limit) for gap in asked.gaps_before), default=0.0)
    listed = len(asked.landmarks)
    least = max(rules.count_margin, rules.count_share * limit, CLEAR * limit, TEST_LEAST if asked.test else 0.0)
    conditions = [
        *fitting_threshold(asked, limit, rules.count_thresholds),
        Condition("landmarks listed", float(FEWEST <= listed <= MOST), 1.0),
        *changes(asked, str(after), str(before)),
        Condition("neither none nor all", float(0 < after < listed), 1.0),
        Condition("distances from the threshold", away, least),
        Condition("distances before from the threshold", earlier, rules.before_margin),
    ]
    if asked.counts:
        conditions.append(Condition("counts offered", float(_offered(asked, after, before)), 1.0))
    return Outcome(str(after), str(before), away, "m", conditions)


def _offered(asked: Asked, after: int, before: int) -> bool:
    """Ours offers lesser counts as well, and farther ones: the right one's place among them would else tell it."""
    beside = (after + 1, after + 2) if asked.paper else range(after - REACH, after + REACH + 1)
    possible = {count for count in (after, before, *beside) if 0 <= count <= len(asked.landmarks)}
    offered = set(asked.counts)
    complete = asked.paper or len(offered) == OFFERED
    return complete and {after, before} <= offered and offered <= possible and len(offered) == len(asked.counts)
