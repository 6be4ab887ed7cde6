"""No blind rule may pay over a family, or a framing of its events, however its hits are spread over what it picks.

Keeping ranks even within each pick (:mod:`.selecting`) cannot help where a rule is right whichever rank is chosen: two
objects that have just met are closest together in the target, wherever in time the other candidates stand. There items
on which the rule is right are left out until it earns no more than a guess might by luck.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from .blind import RULES

CHANCE = 0.25


def worth(signs: str, rank: int) -> float:
    """What a guess among the candidates that a rule picks earns: 1 where it picks the right one alone.

    Args:
        signs: the pick, in order of time.
        rank: of the right one, 1 to 4.
    """
    return 1.0 / signs.count("1") if signs[rank - 1] == "1" else 0.0


def most(items: int) -> float:
    """What a rule may earn of so many items: a guess, and one standard error; of a few, one of them."""
    return max(1.0, CHANCE * items + math.sqrt(CHANCE * (1.0 - CHANCE) * items))


def cap(rows: Sequence[Mapping[str, Any]], ties: Sequence[int]) -> list[int]:
    """Positions of the rows that stay, ascending.

    Args:
        rows: with ``split``, ``family``, ``subtype``, ``answer`` and a pick for every rule.
        ties: of each row; of rows that do a rule equally much good, those with the least go first.
    """
    stay = list(range(len(rows)))
    while True:
        kept = stay
        for group_of in (_framing, _family):
            groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
            for position in kept:
                groups[group_of(rows[position])].append(position)
            kept = sorted(position for group in groups.values() for position in _capped(rows, group, ties))
        if kept == stay:  # what a family loses may take its framings beyond their smaller limits
            return stay
        stay = kept


def _family(row: Mapping[str, Any]) -> tuple[str, ...]:
    return row["split"], row["family"]


def _framing(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Of events also whether the collision is still to come: what pays in one framing and costs in the other would even
    out over the family.
    """
    framing = row["subtype"].partition("-")[0] if row["family"] == "event" else ""
    return *_family(row), framing


def _capped(rows: Sequence[Mapping[str, Any]], group: Sequence[int], ties: Sequence[int]) -> list[int]:
    """Of one group: take away, one at a time, what does the rule good that pays most beyond its limit."""
    earned = {rule: {place: worth(rows[place][rule], int(rows[place]["answer"])) for place in group} for rule in RULES}
    stay = sorted(group, key=lambda place: ties[place])
    while stay:
        over = {rule: math.fsum(earned[rule][place] for place in stay) - most(len(stay)) for rule in RULES}
        rule = max(RULES, key=lambda name: over[name])
        if over[rule] <= 0.0:
            break
        stay.remove(max(stay, key=lambda place: (earned[rule][place], -ties[place])))
    return stay
