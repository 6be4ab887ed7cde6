"""What a blind rule may earn over a family of questions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowbench.builders.dynapix.selection.blind import RULES
from flowbench.builders.dynapix.selection.capping import cap, most, worth

NEUTRAL = "1111"


def row(answer: int, family: str = "event", split: str = "test", **picks: str) -> dict[str, Any]:
    row = {"split": split, "family": family, "subtype": "future-match-10", "answer": str(answer)}
    return {**row, **dict.fromkeys(RULES, NEUTRAL), **picks}


def earned(rows: Sequence[dict[str, Any]], rule: str) -> float:
    return math.fsum(worth(each[rule], int(each["answer"])) for each in rows)


@pytest.mark.parametrize(
    ("signs", "rank", "value"), [("0100", 2, 1.0), ("0100", 1, 0.0), ("0110", 3, 0.5), ("1111", 4, 0.25)]
)
def test_a_pick_is_worth_the_chance_of_a_guess_among_its_candidates(signs: str, rank: int, value: float) -> None:
    assert worth(signs, rank) == value


def test_a_rule_that_is_always_right_leaves_as_many_items_as_luck_allows() -> None:
    rows = [row(1 + number % 4, closest_pair="".join("01"[k == number % 4] for k in range(4))) for number in range(60)]
    rows += [row(1, closest_pair="0001") for _ in range(60)]
    stay = cap(rows, list(range(len(rows))))
    kept = [rows[position] for position in stay]
    assert earned(kept, "closest_pair") <= most(len(kept))
    assert len([position for position in stay if position >= 60]) == 60, "where it is wrong nothing is left out"
    assert earned([*kept, rows[0]], "closest_pair") > most(len(kept) + 1), "no more is left out than must be"


def test_families_and_splits_are_capped_apart() -> None:
    right, wrong = row(1, closest_pair="1000"), row(1, closest_pair="0100")
    rows = [right | {"family": "matched"}] * 30 + [wrong] * 90
    stay = cap(rows, list(range(len(rows))))
    assert [position for position in stay if position >= 30] == list(range(30, 120))
    assert len(stay) == 90 + 1, "of few items a rule may earn one"


def test_what_pays_in_one_framing_and_costs_in_the_other_is_left_out() -> None:
    right, wrong = row(1, closest_pair="1000"), row(1, closest_pair="0100") | {"subtype": "contact-match-10"}
    rows = [right] * 30 + [row(1, closest_pair="0100")] * 20 + [wrong] * 70
    assert earned(rows, "closest_pair") <= most(len(rows)), "over the family it evens out"
    stay = cap(rows, list(range(len(rows))))
    future = [rows[position] for position in stay if rows[position]["subtype"].startswith("future")]
    assert earned(future, "closest_pair") <= most(len(future))
    assert len(stay) - len(future) == 70
    windows = [each | {"family": "window", "subtype": f"G{each['subtype']}"} for each in rows]
    assert len(cap(windows, list(range(len(rows))))) == len(rows)


PICK = st.sampled_from(["1000", "0100", "0010", "0001", "1100", "0110", "1111"])


@given(st.lists(st.tuples(st.integers(1, 4), PICK, PICK), max_size=40))
def test_no_rule_pays_in_what_stays(items: list[tuple[int, str, str]]) -> None:
    rows = [row(answer, medoid=one, nearest=other) for answer, one, other in items]
    kept = [rows[position] for position in cap(rows, [7 * number % 41 for number in range(len(rows))])]
    assert all(earned(kept, rule) <= most(len(kept)) for rule in RULES)


@given(st.lists(st.tuples(st.integers(1, 4), PICK, st.booleans()), max_size=40))
def test_no_rule_pays_in_a_framing_nor_over_both(items: list[tuple[int, str, bool]]) -> None:
    rows = [row(answer, medoid=pick) | {"subtype": "contact-x" if late else "future-x"} for answer, pick, late in items]
    kept = [rows[position] for position in cap(rows, list(range(len(rows))))]
    for part in (kept, *([each for each in kept if each["subtype"] == name] for name in ("contact-x", "future-x"))):
        assert earned(part, "medoid") <= most(len(part))
