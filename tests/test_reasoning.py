"""The three reasoning texts over hand-made items of every category: whole sentences, no numbers where none belong."""

from __future__ import annotations

import re

import pytest
from support.cases import CATEGORIES, load
from support.published import LETTERS
from support.told import NAME, every, told

from flowbench.builders.sim import reasoning
from flowbench.builders.sim.categories import CATEGORIES as BUILDERS
from flowbench.builders.sim.language import MOTIONS
from flowbench.builders.sim.naming import being


@pytest.mark.parametrize("category", CATEGORIES)
def test_texts_are_whole_and_end_in_the_letter(category: str) -> None:
    count = 0
    for each in every(category):
        r = each.reasoning
        for text in (r.gt, r.after, r.before):
            assert re.search(rf"(?<!\w){each.letter}\.$", text), text
            assert not re.search(r"[{}]|None|  | [,.;:]|[,;:]\.|\.\.|,,|: \w+: \w+:", text), text
            assert not re.search(r"\b(\w+) \1\b", text, re.IGNORECASE), text
            assert all(part[0].isupper() for part in re.split(r"(?<=[a-z])\. ", text)), text
            assert NAME in text.lower()
        assert r.gt.startswith(each.wording.motion) or each.wording.motion in r.gt
        assert re.search(r"\d", r.gt)
        count += 1
    assert count >= 3


@pytest.mark.parametrize("category", CATEGORIES)
def test_no_metadata_number_where_pictures_speak(category: str) -> None:
    for each in every(category):
        for text in (each.reasoning.after, each.reasoning.before):
            assert not re.search(r"\d|\bm\b|metre|meter|pixel|column", text), text


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_after_text_tells_the_outcome_and_the_before_text_the_way_to_it(category: str) -> None:
    for each in every(category):
        assert each.because.result.lower() in each.reasoning.after.lower()
        assert "moving" not in each.reasoning.after.lower()
        for fact in (each.because.start, each.because.change, each.because.result):
            assert fact.lower() in each.reasoning.before.lower()
        assert each.item.move.way in each.because.change
        if each.item.before is not None and (each.item.before == each.item.answer):
            assert category in ("closest_three", "count_near") or each.because.start == each.because.result
        elif each.item.before is not None:
            assert each.because.start != each.because.result


@pytest.mark.parametrize("category", CATEGORIES)
def test_one_is_and_several_are(category: str) -> None:
    """A subject of several names, or of several counted ones, takes the plural; one name the singular."""
    for each in every(category):
        for clause in (each.because.start, each.because.result):
            subject, verb, _ = re.split(r"\b(is|are|has|hides|touches|does|would)\b", clause, maxsplit=1)
            several = " and " in subject or "three listed objects" in subject
            assert (verb == "are") == several, clause


def test_a_verdict_in_words_goes_with_the_letter() -> None:
    for category in CATEGORIES:
        for each in every(category):
            choice = each.wording.choices[LETTERS.index(each.letter[0])]
            ending = f" {choice}: {each.letter}." if choice in ("yes", "no") else f"answer is {each.letter}."
            assert ending in each.reasoning.gt or category not in ("left_right", "contact_wall")
            assert (": " + each.letter in each.reasoning.after) == (choice in ("yes", "no"))


def test_numbers_in_the_ground_truth_are_those_of_the_case() -> None:
    case = next(case for case in load("near_object") if case["name"] == "comes near")
    found = told("near_object", case, 0)
    assert found is not None
    assert re.findall(r"\d+\.\d\d m", found.because.measured) == ["1.20 m", "0.60 m", "0.75 m"]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ((), "none of the listed objects is"),
        (("the mug",), "the mug is"),
        (("the mug", "the box"), "the mug and the box are"),
        (("the mug", "the box", "the pan"), "the mug, the box and the pan are"),
    ],
)
def test_being(names: tuple[str, ...], text: str) -> None:
    assert being(names) == text


def test_enough_phrasings_and_no_two_alike() -> None:
    for phrasings in (reasoning.GT, reasoning.AFTER, reasoning.BEFORE, MOTIONS):
        assert len(set(phrasings)) == len(phrasings) >= 5
        openings = {" ".join(phrasing.split()[:3]) for phrasing in phrasings}
        assert len(openings) >= len(phrasings) - 1
    assert not any("{motion}" in text or "{change}" in text or "{start}" in text for text in reasoning.AFTER)


def test_every_phrasing_comes_and_the_seed_decides() -> None:
    case = next(case for case in load("left_right") if "reject" not in case["expect"])
    found = [told("left_right", case, seed) for seed in range(0, 120, 2)]
    texts = [each.reasoning for each in found if each is not None]
    for field in ("gt", "after", "before"):
        openings = {re.sub(r"[A-Z]\.$|(yes|no): ", "", getattr(text, field)) for text in texts}
        assert len(openings) >= 5
    again = told("left_right", case, 4)
    assert again is not None
    assert again.reasoning == texts[2]


@pytest.mark.parametrize("category", CATEGORIES)
def test_questions_and_motions_are_whole_in_every_phrasing(category: str) -> None:
    case = next(case for case in load(category) if told(category, case, 0) is not None)
    seen = set()
    for seed in range(60):
        found = told(category, case, seed)
        assert found is not None
        wording = found.wording
        for text, end in ((wording.motion, "."), (wording.question, "?"), (wording.static_question, "?")):
            assert text.endswith(end)
            assert text[0].isupper()
            assert not re.search(r"[{}]|None|  | [,.;:?]|\?.", text), text
            assert not re.search(r"as seen from the camera(?![,.?])", text), text
            assert NAME in text.lower()
        seen.add(wording.question)
    assert len(seen) == len(BUILDERS[category].questions) >= 5
