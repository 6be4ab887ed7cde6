"""Balance: shares of answers within what a blind reader sees, and of letters."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest
from support.rows import moved, objects, opened, yes_no

from flowbench.validation.suites.balance import ALLOWED, GROUPINGS, LEAST, Balance
from flowbench.validation.suites.base import Findings, Table

DIRECTIONS, BANDS = ("left", "right", "away", "toward"), ("0.20-0.34", "0.35-0.54")
SIX = ("Mug", "Box", "Pen", "Cup", "Bowl", "Vase")


def findings(rows: Sequence[Any]) -> Findings:
    config = opened(rows)
    return Balance().check(config, {"sim_train": config})


def grid(answers: Sequence[str], count: int) -> list[Any]:
    """``count`` items of each direction, band and wording, whose answers come in turn."""
    return [
        yes_no(answers[number % len(answers)], number // len(answers), relation=relation, motion=moved(direction, band))
        for direction, band, relation in itertools.product(DIRECTIONS, BANDS, ("left", "right"))
        for number in range(count)
    ]


def table(found: Findings, title: str) -> Table:
    return next(each for each in found.tables if each.title == title)


def test_even_answers_pass() -> None:
    assert not findings(grid(("yes", "no"), 52)).violations


@pytest.mark.parametrize(("of_100", "broken"), [(55, False), (56, True), (45, False), (44, True)])
def test_five_points_are_allowed(of_100: int, broken: bool) -> None:
    rows = [
        yes_no("yes" if number < of_100 else "no", number, before_answer=None, flipped=None) for number in range(100)
    ]
    found = [each for each in findings(rows).violations if each.rule == "answers are uneven"]
    assert bool(found) is broken
    assert ALLOWED == 0.05


def test_a_lean_in_a_pair_alone_is_told() -> None:
    """Left in the short band is always yes, left in the long one always no: each alone is even."""
    rows = []
    for number in range(4 * LEAST):
        direction, band = ("left", "right")[number % 2], BANDS[number // 2 % 2]
        yes = (direction == "left") == (band == BANDS[0])
        rows.append(
            yes_no("yes" if yes else "no", number // 4, motion=moved(direction, band), before_answer=None, flipped=None)
        )
    found = findings(rows).violations
    assert {each.rule for each in found} == {"answers are uneven"}
    assert len(found) == 4
    assert all("direction and length band" in each.found and "100.0%" in each.found for each in found)


def test_small_groups_are_held_to_nothing() -> None:
    rows = [yes_no("yes", number) for number in range(LEAST - 1)]
    assert not [each for each in findings(rows).violations if each.rule == "answers are uneven"]
    rows.append(yes_no("yes", LEAST))
    assert [each for each in findings(rows).violations if each.rule == "answers are uneven"]


def test_ranks_stand_for_objects() -> None:
    """Letters are even, yet the right three are always the nearest three."""
    draw = random.Random(1)
    orders = [draw.sample(range(1, 7), 6) for _ in range(120)]
    near = [objects("closest_three", (1, 2, 3), order, SIX, number) for number, order in enumerate(orders)]
    found = findings(near).violations
    assert {each.rule for each in found} == {"answers are uneven"}
    assert "100.0% of 120 answers are 123" in found[0].found
    triples = list(itertools.combinations(range(1, 7), 3)) * 6
    even = [objects("closest_three", right, orders[n], SIX, n) for n, right in enumerate(triples)]
    assert not findings(even).violations


def test_letters_are_even() -> None:
    rows = [
        yes_no(("yes", "no")[number % 2], 0, choices=["yes", "no"], answer="AB"[number % 2]) for number in range(200)
    ]
    assert not findings(rows).violations
    first = [
        {**row, "choices": sorted(row["choices"], key=lambda c: c != row["answer_text"]), "answer": "A"} for row in rows
    ]
    found = findings(first).violations
    assert "letters are uneven" in {each.rule for each in found}
    assert any("A is right in 100.0% of 200" in each.found for each in found)


def test_few_letters_may_be_uneven_by_luck() -> None:
    rows = [yes_no("yes", 0, choices=["yes", "no"], answer="A") for _ in range(8)]
    assert not findings(rows).violations


def test_flips_are_told_where_objects_are_listed() -> None:
    rows = [objects("closer_to", (1 + number % 4,), (1, 2, 3, 4), SIX, number) for number in range(8)]
    answers = table(findings(rows), "Answers").rows[0]
    assert answers[0] == "closer_to"
    assert answers[-1] == "75% of 8"


def test_answers_that_are_none_are_left_out() -> None:
    odd = [yes_no("yes", number, answer=answer) for number, answer in enumerate(["", "C", "AA", "a", "?"])]
    assert not findings(odd).tables
    assert table(findings([*odd, yes_no("yes", 0)]), "Answers").rows[0][1] == "1"


def test_nothing_is_said_of_nothing() -> None:
    assert findings([]) == Findings()


def test_pairs_are_those_that_are_seen_jointly() -> None:
    assert len(GROUPINGS) == 1 + 7 + 15
    assert GROUPINGS["wording and threshold"] == ("relation", "threshold")
    assert not any("mover" in columns for columns in GROUPINGS.values() if len(columns) > 1)
