"""Caps of the test split and what a blind reader could bet on, over small made-up indexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from flowbench.validation.real.shares import Capped, capped_shares, goes_its_way, negated, pairs_twice
from flowbench.validation.shortcuts import Score
from flowbench.validation.suites.real.shortcuts import limit_of, pays


def row(answer: str = "yes", **other: Any) -> dict[str, Any]:
    """One question; its answer in words."""
    plain: dict[str, Any] = {
        "category": "near_object",
        "choices": ["no", "yes"],
        "answer": "AB"[["no", "yes"].index(answer)] if answer in ("no", "yes") else answer,
        "flipped": True,
        "relation": "within",
        "motion": {"right": 0.1},
        "view_id": "tabletop-000004-p0",
    }
    return {**plain, **other}


def over(rows: Sequence[dict[str, Any]]) -> list[str]:
    return [f"{each.category}: {each.name}" for each in capped_shares(pl.DataFrame(list(rows))) if not each.met]


@pytest.mark.parametrize(
    ("yes", "no", "expected"),
    [
        (11, 9, []),
        (12, 8, ["near_object: answered yes", "all: answered yes of yes and no"]),
        (1, 2, []),
        (1, 3, ["near_object: answered no", "all: answered no of yes and no"]),
        (1, 0, []),
    ],
)
def test_no_answer_is_over_55_percent_or_the_larger_half(yes: int, no: int, expected: list[str]) -> None:
    assert over([row("yes")] * yes + [row("no")] * no) == expected


def test_questions_that_the_move_does_not_change_are_capped() -> None:
    still = [row("yes", flipped=False), row("no", flipped=False)]
    assert over([*still * 3, row("yes"), row("no")]) == ["near_object: unchanged by the move"]
    assert over([*still, row("yes"), row("no")]) == []


@pytest.mark.parametrize(
    ("relation", "answer", "right", "expected"),
    [
        ("left", "yes", -0.1, True),
        ("left", "no", 0.1, True),
        ("right", "yes", 0.1, True),
        ("right", "no", -0.1, True),
        ("left", "yes", 0.1, False),
        ("right", "no", 0.1, False),
        ("left", "yes", 0.0, False),
    ],
)
def test_which_side_it_moved_toward(relation: str, answer: str, right: float, expected: bool) -> None:
    asked = row(answer, category="left_right", relation=relation, motion={"right": right})
    assert goes_its_way(asked) is expected


def test_the_blind_side_is_capped_at_65_percent() -> None:
    def sides(its: int, other: int) -> list[dict[str, Any]]:
        return [
            row(
                answer,
                category="left_right",
                relation="left",
                motion={"right": -0.1 if way == (answer == "yes") else 0.1},
            )
            for way, count in ((True, its), (False, other))
            for number in range(count)
            for answer in (("yes", "no")[number % 2],)
        ]

    assert over(sides(13, 7)) == []
    assert over(sides(14, 6)) == ["left_right: ends on the side it moved toward"]


def test_few_samples_may_be_split_in_halves_alone() -> None:
    assert [Capped("c", "n", count, 3, 0.55).met for count in range(4)] == [True, True, True, False]


def test_letters_of_listed_objects_are_no_answers() -> None:
    asked = row("A", category="closer_to", choices=["object 1", "object 2", "object 3"], relation=None)
    assert over([asked] * 6) == []


def test_negation_and_second_questions_are_counted() -> None:
    index = pl.DataFrame([row("yes"), row("no", flipped=False), row("no", view_id="tabletop-000009-p0")])
    assert negated(index) == {"near_object": (2, 3)}
    assert pairs_twice(index) == [("tabletop-000004-p0", 2)]


@pytest.mark.parametrize(
    ("category", "rule", "chance", "expected"),
    [
        ("near_object", "majority answer", 0.5, 0.55),
        ("left_right", "ends where it moved", 0.5, 0.65),
        ("left_right", "majority answer", 0.5, 0.55),
        ("closer_to", "longest option", 0.25, 0.28),
        ("near_object", "table from the before-answer", 0.5, None),
        ("closest_three", "nearest before", 0.05, None),
    ],
)
def test_limits_of_blind_rules(category: str, rule: str, chance: float, expected: float | None) -> None:
    assert limit_of(Score(category, rule, 100, 50, chance)) == pytest.approx(expected) or expected is None


def test_a_rule_pays_only_when_luck_is_ruled_out() -> None:
    assert not pays(Score("near_object", "majority answer", 20, 20, 0.5), 1)
    assert not pays(Score("near_object", "majority answer", 100, 65, 0.5), 100)
    assert pays(Score("near_object", "majority answer", 100, 90, 0.5), 100)
    assert not pays(Score("near_object", "table from the before-answer", 100, 100, 0.5), 1)
