"""Shortcuts: blind rules and classifiers find what was planted, and nothing where nothing was."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from support.rows import moved, objects, opened, yes_no

from flowbench.validation.shortcuts import ENOUGH, RULES, Score, blind_frame, items_of, wilson
from flowbench.validation.shortcuts.folds import thinned
from flowbench.validation.suites.base import Violation
from flowbench.validation.suites.shortcuts import Shortcuts, scores_of

DIRECTIONS = ("left", "right", "away", "toward")
FOUR = ("Mug", "Box", "Pen", "Armchair")
N = 240


def paying(rows: Sequence[Any]) -> dict[str, Violation]:
    """Rule -> the violation."""
    config = opened(rows)
    violations = Shortcuts().check(config, {"sim_train": config}).violations
    return {each.found.partition(": ")[2].partition(" is right")[0]: each for each in violations}


def honest(number: int, draw: random.Random, **changes: Any) -> Any:
    """Answer, direction, length and letters are all drawn."""
    motion = moved(draw.choice(DIRECTIONS), draw.choice(("0.20-0.34", "0.35-0.54")))
    before = draw.choice("AB")
    row = yes_no(draw.choice(("yes", "no")), draw.randrange(1000), motion=motion)
    told = f"Someone moves it {draw.randrange(20, 60) / 100:.2f} m."
    return {**row, "before_answer": before, "flipped": before != row["answer"], "motion_text": told, **changes}


def test_nothing_pays_where_all_is_drawn() -> None:
    draw = random.Random(1)
    assert paying([honest(number, draw) for number in range(N)]) == {}


@pytest.mark.parametrize("seed", range(5))
def test_luck_with_a_few_samples_is_no_shortcut(seed: int) -> None:
    draw = random.Random(seed)
    assert paying([honest(number, draw) for number in range(24)]) == {}


def test_a_direction_that_tells_is_found() -> None:
    draw = random.Random(2)
    rows = [honest(number, draw) for number in range(N)]
    for row in rows:
        told = "left" if row["answer_text"] == "yes" else "right"
        row["motion"] = moved(told, "0.20-0.34") if draw.random() < 0.9 else row["motion"]
    found = paying(rows)
    assert {"ends where it moved", "classifier on all of it"} <= found.keys()
    assert "majority answer" not in found
    assert "95% interval" in found["ends where it moved"].found
    assert "at most 53.0%, chance being 50.0%" in found["ends where it moved"].expected


def test_a_before_answer_that_stays_is_found() -> None:
    draw = random.Random(3)
    rows = [honest(number, draw) for number in range(N)]
    for row in rows:
        row.update(before_answer=row["answer"], flipped=False)
    assert "table from the before-answer" in paying(rows)


def test_an_odd_length_in_the_text_is_found_by_words_alone() -> None:
    draw = random.Random(4)
    rows = [honest(number, draw) for number in range(N)]
    for row in rows:
        row["motion_text"] = f"It moves {'0.25' if row['answer_text'] == 'yes' else '0.27'} m."
    assert paying(rows).keys() == {"classifier on the texts"}


def four(right: Any, draw: random.Random, number: int) -> Any:
    order = draw.sample(range(1, 5), 4)
    types = draw.sample(FOUR, 4)
    return objects("closer_to", (right(types),), order, types, number)


@pytest.mark.parametrize(
    ("right", "rule"),
    [
        (lambda types: 1, "nearest before"),
        (lambda types: types.index("Armchair") + 1, "longest option"),
        (lambda types: types.index("Mug") + 1, "most frequent object"),
        (lambda types: types.index("Mug") + 1, "classifier of the options"),
    ],
)
def test_an_object_that_tells_is_found(right: Any, rule: str) -> None:
    draw = random.Random(5)
    found = paying([four(right, draw, number) for number in range(N)])
    assert rule in found
    assert "right in 100.0%" in found[rule].found


def test_objects_that_are_drawn_tell_nothing() -> None:
    draw = random.Random(6)
    rows = [four(lambda types: draw.randrange(1, 5), draw, number) for number in range(N)]
    assert paying(rows) == {}
    rules = {score.rule for score in scores_of(opened(rows).index)}
    assert rules == set(RULES) - {"classifier on the texts", "place among the counts"}


def test_counts_that_are_mostly_in_the_middle_are_found() -> None:
    draw = random.Random(8)

    def rows(places: Sequence[int]) -> list[Any]:
        made = []
        for number in range(N):
            least, place = draw.randrange(3), draw.choice(places)
            choices = [str(least + each) for each in range(4)]
            draw.shuffle(choices)
            letter = "ABCD"[choices.index(str(least + place))]
            told = {"choices": choices, "answer": letter, "answer_text": str(least + place), "before_answer": "A"}
            made.append(honest(number, draw, category="count_near", threshold=0.2, **told))
        return made

    assert "place among the counts" in paying(rows((1, 2)))
    assert "place among the counts" not in paying(rows((0, 1, 2, 3)))


def test_of_one_home_nothing_can_be_learnt() -> None:
    rows = [yes_no("yes", number, scene_id="homes_train-000000") for number in range(40)]
    assert paying(rows) == {}


def test_scores_are_the_same_again() -> None:
    draw = random.Random(7)
    index = opened([honest(number, draw) for number in range(60)]).index
    assert scores_of(index) == scores_of(index.reverse().sort("id"))


def test_whole_scenes_are_drawn_for_classifiers() -> None:
    items = list(items_of(blind_frame(opened([yes_no("yes", number) for number in range(400)]).index)))
    few = thinned(items, 100)
    scenes = {item.scene for item in few}
    assert 100 <= len(few) < 120
    assert [item for item in items if item.scene in scenes] == few
    assert thinned(items, 4000) == items


def test_the_interval_is_wilsons() -> None:
    """Eight of ten: 0.4902 to 0.9433 (Agresti and Coull, 1998, for the same formula)."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 20)[0] == pytest.approx(0.0, abs=1e-12)


def test_a_rule_of_many_samples_is_judged_by_itself() -> None:
    share = 0.56
    many = Score("left_right", "majority answer", ENOUGH, round(share * ENOUGH), 0.5)
    assert many.pays
    assert many.pays_among(100)
    few = Score("left_right", "majority answer", 100, 65, 0.5)
    assert few.pays
    assert few.pays_among(1)
    assert not few.pays_among(100)
