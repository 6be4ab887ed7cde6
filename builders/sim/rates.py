"""Choosing at the paper's rates (paper A.2, "Class balance"): running counts against a target no-rate and flip-rate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
TOLERANCE = 0.03
"""By how much a share of answers may miss its target."""


@dataclass(frozen=True)
class Rates:
    """What a category aims at; None where the paper names nothing.

    Attributes:
        no: share of the answer "no".
        flip: share of items whose answer the motion changes.
    """

    no: float | None = None
    flip: float | None = None


def pick_by_rates(
    rows: Sequence[Row], slots: Sequence[Sequence[int]], rates: Rates, tie: Callable[[int], int]
) -> list[int]:
    """One candidate of every slot: the one whose answer and flip lag most behind their target shares.

    Where scenes offer too few of an answer, slots of the other stay empty: the paper's shares of answers are met, its
    share of flips, which it prefers strongly, as far as the slots allow.

    Args:
        rows: the candidate table.
        slots: indices of the candidates of each view.
        rates: what to aim at.
        tie: a row's place among equals.
    """
    targets: dict[tuple[str, object], float] = {}
    if rates.no is not None:
        targets |= {("answer", "no"): rates.no, ("answer", "yes"): 1.0 - rates.no}
    if rates.flip is not None:
        targets |= {("flipped", True): rates.flip, ("flipped", False): 1.0 - rates.flip}
    counts: Counter[tuple[str, object]] = Counter()
    picked: list[int] = []
    for slot in slots:

        def lag(index: int) -> float:
            keys = [key for key in targets if rows[index][key[0]] == key[1]]
            return math.fsum(counts[key] - targets[key] * (len(picked) + 1) for key in keys)

        best = min(slot, key=lambda index: (lag(index), tie(index)))
        counts.update((name, rows[best][name]) for name in ("answer", "flipped"))
        picked.append(best)
    return picked if rates.no is None else _thinned(rows, picked, rates.no)


def _thinned(rows: Sequence[Row], picked: Sequence[int], no: float) -> list[int]:
    """Without the last of the answer that exceeds its share by more than :data:`TOLERANCE`."""
    counts = Counter(rows[index]["answer"] for index in picked)
    for answer, share in (("no", no), ("yes", 1.0 - no)):
        limit = share + TOLERANCE
        if limit < 1.0 and counts[answer] > limit * counts.total():
            # dropping d leaves (count - d) / (total - d)
            surplus = math.ceil((counts[answer] - limit * counts.total()) / (1.0 - limit))
            out = set([index for index in picked if rows[index]["answer"] == answer][-surplus:])
            return [index for index in picked if index not in out]
    return list(picked)
