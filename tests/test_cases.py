"""Every JSON case through the builder's label and through the independent recompute."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.cases import CATEGORIES, LISTING, Case, evidence, letter, load, picture
from support.prisms import DISTANCES, gap
from support.published import FIRST_LANDMARK, MOVER
from support.still import sights_of

from flowbench.builders.sim.categories import CATEGORIES as BUILDERS
from flowbench.builders.sim.categories import closer_to, closest_three, count_near, left_right, near_object
from flowbench.builders.sim.items import Label, Question, Reject
from flowbench.builders.sim.probing import probe_way
from flowbench.schema import LETTERS
from flowbench.validation.recompute import RECOMPUTE, Recomputed

CASES = {name: load(name) for name in CATEGORIES}
EVERY = [pytest.param(name, case, id=f"{name}: {case['name']}") for name in CATEGORIES for case in CASES[name]]
UNITS = {"left_right": "px", "occlusion": "share"}
MOMENTS = ("before", "after")
NAMED = range(MOVER, FIRST_LANDMARK + 6)

Outcome = Label | Reject


def extent(case: Case, when: str, instance_id: int) -> left_right.Extent:
    columns = [u for row in picture(case, when).tolist() for u, value in enumerate(row) if value == instance_id]
    return left_right.Extent(u=sum(columns) / len(columns), width=max(columns) - min(columns) + 1)


def label_of_gaps(category: str, case: Case, when: str) -> Outcome:
    """From distances measured the simple way."""
    given = case["input"]
    listed = given["landmarks"] if "landmarks" in given else [given["landmark"]]
    measured = DISTANCES[given.get("measure", "nearest")]
    gaps = [measured(given["mover"]["parts"], given[when], each) for each in listed]
    if category == "near_object":
        return near_object.label(gaps[0], given["threshold"])
    if category == "count_near":
        return count_near.label(gaps, given["threshold"])
    return {"closer_to": closer_to, "closest_three": closest_three}[category].label(gaps)


def builder_labels(category: str, case: Case) -> tuple[Outcome | None, Outcome]:
    """Before and after; the first is None where nothing is asked of it."""
    given = case["input"]
    if category == "left_right":
        before, after = (
            left_right.label(
                *(extent(case, when, each) for each in (MOVER, FIRST_LANDMARK)),
                given["relation"],
                given["size"][0] / 800,
            )
            for when in MOMENTS
        )
        return before, after
    if category not in ("occlusion", "contact_wall", "feasibility"):
        before, after = (label_of_gaps(category, case, when) for when in MOMENTS)
        return before, after
    sights = sights_of(evidence(category, case))
    mover, *landmarks = (o.object_id for o in sights[0].arrangement.objects if MOVER <= o.instance_id <= FIRST_LANDMARK)
    if category == "occlusion":
        found = BUILDERS[category].labels(*sights, Question(mover, tuple(landmarks)))
        return (None, found) if isinstance(found, Reject) else found
    if category == "contact_wall":
        before, after = (BUILDERS[category].read(sight, Question(mover, ())) for sight in sights)
        return before, after
    ways = [probe_way(sight.arrangement, mover, tuple(given["probe"])) for sight in sights]
    before, after = (way if isinstance(way, Reject) else way.label for way in ways)
    return before, after


@pytest.mark.parametrize(("category", "case"), EVERY)
def test_builder_labels_the_case(category: str, case: Case) -> None:
    expected = case["expect"]
    before, after = builder_labels(category, case)
    if "reject" in expected:
        assert isinstance(after, Reject)
        assert after.reason
        return
    assert isinstance(after, Label)
    assert after.margin == pytest.approx(expected["margin"], abs=1e-4)
    answers = [each.answer if isinstance(each, Label) else None for each in (before, after)]
    if category in LISTING:
        answers = [each and "".join(LETTERS[int(pick)] for pick in each.split("+")) for each in answers]
    assert answers == [expected["before_answer"], expected["answer"]]


@pytest.mark.parametrize(
    ("category", "case"), [each for each in EVERY if each.values[0] in ("near_object", *LISTING, "count_near")]
)
def test_the_reader_measures_what_the_label_was_made_of(category: str, case: Case) -> None:
    before, after = sights_of(evidence(category, case))
    mover, *landmarks = (o.object_id for o in before.arrangement.objects if o.instance_id in NAMED)
    given = case["input"]
    measure = given.get("measure", "nearest")
    question = Question(mover, tuple(landmarks), "within", given.get("threshold"), measure=measure)
    for when, sight in zip(MOMENTS, (before, after), strict=True):
        expected, found = label_of_gaps(category, case, when), BUILDERS[category].read(sight, question)
        if isinstance(expected, Reject):
            assert found == expected
        else:
            assert isinstance(found, Label)
            assert (found.answer, found.margin) == (expected.answer, pytest.approx(expected.margin, abs=1e-6))


@pytest.mark.parametrize("category", ["near_object", *LISTING, "count_near"])
def test_cases_tell_the_measures_apart(category: str) -> None:
    """In a case of each measure the answer or its margin would be another between nearest points."""
    for measure in ("centres", "boxes"):
        cases = [case for case in CASES[category] if case["input"].get("measure") == measure]
        plain = [{**case, "input": {**case["input"], "measure": "nearest"}} for case in cases]
        assert any(
            label_of_gaps(category, one, "after") != label_of_gaps(category, other, "after")
            for one, other in zip(cases, plain, strict=True)
        )


@pytest.mark.parametrize(("category", "case"), EVERY)
def test_recompute_labels_the_case(category: str, case: Case) -> None:
    expected = case["expect"]
    found: Recomputed = RECOMPUTE[category](evidence(category, case))
    if "reject" in expected:
        assert found.ambiguous
        assert (found.answer, found.flipped) == (None, None)
        assert found.reason
        return
    assert not found.ambiguous
    assert found.margin == pytest.approx(expected["margin"], abs=1e-4)
    assert found.margin_unit == UNITS.get(category, "m")
    before, after = (letter(category, expected[key]) for key in ("before_answer", "answer"))
    assert (found.before_answer, found.answer) == (before, after)
    assert found.flipped == (None if before is None else before != after)


ANSWERS = {"closer_to": set("ABD"), "count_near": set("2345")}
YES_NO = {"yes", "no"}


@pytest.mark.parametrize("category", CATEGORIES)
def test_cases_hold_rejects_edges_and_every_answer(category: str) -> None:
    names = [case["name"] for case in CASES[category]]
    assert len(set(names)) == len(names) >= 10
    assert sum("reject" in case["expect"] for case in CASES[category]) >= 2
    assert any("edge" in case["name"] and "reject" in case["expect"] for case in CASES[category])
    answers = {case["expect"].get("answer") for case in CASES[category]} - {None}
    if category == "closest_three":
        assert len(answers) >= 10
    else:
        assert answers >= ANSWERS.get(category, YES_NO)
    assert any(case["expect"].get("before_answer", "") is None for case in CASES[category])


def test_closest_three_has_a_case_for_every_triple_of_ranks() -> None:
    triples = set()
    for case in CASES["closest_three"]:
        if case["name"].startswith("ranks"):
            given = case["input"]
            gaps = [gap(given["mover"]["parts"], given["before"], each) for each in given["landmarks"]]
            ranks = np.argsort(np.argsort(gaps)) + 1
            triples.add(tuple(sorted(int(ranks[LETTERS.index(pick)]) for pick in case["expect"]["answer"])))
    assert sorted(triples) == list(combinations(range(1, 7), 3))


def test_count_near_has_a_case_for_every_pair_of_counts() -> None:
    pairs = {(c["expect"].get("before_answer"), c["expect"].get("answer")) for c in CASES["count_near"]}
    assert pairs >= {(before, after) for before in "2345" for after in "2345"}
