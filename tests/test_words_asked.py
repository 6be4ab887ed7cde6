"""Questions of their category, and reasoning that concludes the answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.loose import Loose, loose_samples

from flowbench.builders.sim.categories import CATEGORIES
from flowbench.builders.sim.distances import TERMS as BUILT_TERMS
from flowbench.builders.sim.move import WAYS
from flowbench.schema import RewriterNote, SimRecord
from flowbench.validation.words.conclusions import RULE, check_conclusions
from flowbench.validation.words.questions import QUESTIONS, STATIC_QUESTIONS, TERMS, TOWARD, check_questions

NOTE = RewriterNote(endpoint="http://localhost", model="m", prompt="1", cache_sha256="0" * 64)
OTHERWISE = {
    "left_right": [("left", "far left"), (r"\?", " or behind it?")],
    "near_object": [(r"within|less than|closer than", "farther than"), ("Is ", "Is it so that not "), (" m ", " km ")],
    "closer_to": [("closest|nearest", "farthest"), ("smallest", "largest"), ("points", "corners")],
    "closest_three": [("closest|nearest", "farthest"), ("three", "two"), ("smallest", "largest")],
    "occlusion": [("third", "half"), ("third", "quarter")],
    "contact_wall": [(r"wall", "ceiling"), (r"0\.03", "0.30")],
    "feasibility": [("without|free|collision-free", "with"), ("height", "speed")],
    "count_near": [("How many", "Which"), ("how many", "which"), (r"within|less than|closer than", "beyond")],
}
"""Category -> how its questions are turned into others."""


def record_of(loose: Loose) -> SimRecord:
    return SimRecord.model_validate(loose.record)


@pytest.fixture(scope="module")
def records(release: Path) -> dict[str, list[SimRecord]]:
    return {category: [record_of(each) for each in some] for category, some in loose_samples(release).items()}


def reworded(record: SimRecord, **changes: object) -> SimRecord:
    origin = record.provenance.model_copy(update={"rewriter": NOTE})
    return record.model_copy(update={"provenance": origin, **changes})


def test_the_grammar_holds_what_builders_ask() -> None:
    assert {name: tuple(each.questions) for name, each in CATEGORIES.items()} == QUESTIONS
    assert {name: tuple(each.static_questions) for name, each in CATEGORIES.items()} == STATIC_QUESTIONS
    built = {name: (each.points, each.apart, each.gap) for name, each in BUILT_TERMS.items() if name is not None}
    assert built == {name: each for name, each in TERMS.items() if name is not None}
    assert WAYS == TOWARD


def test_published_questions_and_conclusions_pass(records: dict[str, list[SimRecord]]) -> None:
    assert set(records) == set(QUESTIONS)
    for each in (record for some in records.values() for record in some):
        assert not list(check_questions(each))
        assert not list(check_conclusions(each))
        assert not list(check_questions(reworded(each)))
        assert not list(check_conclusions(reworded(each)))


@pytest.mark.parametrize("category", OTHERWISE)
@pytest.mark.parametrize("field", ["question", "static_question"])
def test_a_question_of_something_else_is_told(records: dict[str, list[SimRecord]], category: str, field: str) -> None:
    tried = 0
    for record in records[category]:
        for word, other in OTHERWISE[category]:
            text = re.sub(word, other, getattr(record, field))
            if text != getattr(record, field):
                tried += 1
                assert [each.rule for each in check_questions(record.model_copy(update={field: text}))]
    assert tried


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("closer_to", "Which one will be farthest from {mover}?"),
        ("closer_to", "Which one will not be closest to {mover}?"),
        ("closest_three", "Which two are nearest to {mover}?"),
        ("near_object", "Will {mover} not be within 0.50 m of {a}?"),
        ("near_object", "Will {mover} be more than 0.50 m from {a}?"),
        ("occlusion", "Will {mover} hide half of {a}?"),
        ("contact_wall", "Will {mover} touch one of the ceilings?"),
        ("count_near", "How many are outside 0.50 m of {mover}?"),
    ],
)
def test_a_reworded_question_keeps_its_key_words(records: dict[str, list[SimRecord]], category: str, text: str) -> None:
    record = records[category][0]
    asked = text.format(mover=record.mover.name, a=record.landmarks[0].name if record.landmarks else "")
    assert [each.rule for each in check_questions(reworded(record, question=asked))] == ["question of its category"]


def test_no_more_than_is_no_negation(records: dict[str, list[SimRecord]]) -> None:
    record = records["near_object"][0]
    asked = f"Will {record.mover.name} lie no more than 0.50 m from {record.landmarks[0].name}?"
    assert not list(check_questions(reworded(record, question=asked)))


@pytest.mark.parametrize("name", ["gt", "after", "before"])
@pytest.mark.parametrize("category", ["closer_to", "closest_three"])
def test_reasoning_to_another_object_is_told(records: dict[str, list[SimRecord]], category: str, name: str) -> None:
    for record in records[category]:
        right = record.choices["ABCDEF".index(record.answer[0])]
        letters = "ABCDEF"[: len(record.choices)]
        wrong = next(text for letter, text in zip(letters, record.choices, strict=True) if letter not in record.answer)
        head, clause, tail = re.split(r"(.*nearest to )", getattr(record.reasoning, name), maxsplit=1)
        text = head + clause + tail.replace(right, wrong)
        assert right in tail
        reasoning = record.reasoning.model_copy(update={name: text})
        assert [each.rule for each in check_conclusions(record.model_copy(update={"reasoning": reasoning}))] == [RULE]


TURNED = {
    "left_right": [
        ("to the left of", "to the other of"),
        ("to the right of", "to the left of"),
        ("other of", "right of"),
    ],
    "near_object": [("within the stated distance of", "farther than the stated distance from")],
    "occlusion": [("does not hide", "hides a large part of")],
    "contact_wall": [("touches a wall", "is clear of every wall")],
    "feasibility": [("has room to go", "would run into it, going")],
    "count_near": [("none of the listed objects", "that mug")],
}


@pytest.mark.parametrize("category", TURNED)
def test_a_verdict_that_the_answer_contradicts_is_told(records: dict[str, list[SimRecord]], category: str) -> None:
    tried = 0
    for record in records[category]:
        text = record.reasoning.after
        for word, other in TURNED[category]:
            text = text.replace(word, other)
        if category == "count_near":
            text = re.sub(r"the [a-z ]+ marked [a-z]+(?:,| and) ", "", text, count=1)
        if text != record.reasoning.after:
            tried += 1
            reasoning = record.reasoning.model_copy(update={"after": text})
            found = check_conclusions(record.model_copy(update={"reasoning": reasoning}))
            assert [each.rule for each in found] == [RULE]
    assert tried


def test_reworded_reasoning_names_the_right_choice(records: dict[str, list[SimRecord]]) -> None:
    record = records["closer_to"][0]
    reasoning = record.reasoning.model_copy(update={"after": f"Nothing is near. So the answer is {record.answer}."})
    assert [each.rule for each in check_conclusions(reworded(record, reasoning=reasoning))] == [RULE]
