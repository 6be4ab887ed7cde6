"""Every JSON case of ``real_*`` through the builder's questions and through the formulas that recheck them."""

from __future__ import annotations

import pytest
from support.real_cases import CATEGORIES, Case, answer, asked, load
from support.real_drafts import answer_of, drafts

from flowbench.validation.real.categories import FORMULAS

CASES = {name: load(name) for name in CATEGORIES}
EVERY = [pytest.param(name, case, id=f"{name}: {case['name']}") for name in CATEGORIES for case in CASES[name]]
BUILT = [each for each in EVERY if "recheck_only" not in each.values[1]]  # type: ignore[operator]
ANSWERS = {
    "closer_to": {"A", "B", "C"},
    "closest_three": {"BCD", "CDE"},
    "count_near": {"1", "2", "3"},
    "occlusion": {"fully visible", "partly blocked"},
}


@pytest.mark.parametrize(("category", "case"), EVERY)
def test_the_recheck_judges_the_case(category: str, case: Case) -> None:
    expected, found = case["expect"], FORMULAS[category](asked(case))
    if "reject" in expected:
        assert [each.name for each in found.broken] == expected["reject"]
        return
    assert [each.name for each in found.broken] == []
    assert answer(category, found.answer) == expected["answer"]
    assert answer(category, found.before) == expected["before_answer"]
    assert found.margin == pytest.approx(expected["margin"], abs=1e-9)
    assert found.unit == ("share" if category == "occlusion" else "m")
    assert found.flipped == (expected["answer"] != expected["before_answer"])


@pytest.mark.parametrize(("category", "case"), BUILT)
def test_the_builder_asks_the_case(category: str, case: Case) -> None:
    expected, made = case["expect"], list(drafts(case, category))
    if "reject" in expected:
        assert made == []
        return
    assert made
    for draft in made:
        assert answer_of(draft, draft.answer) == expected["answer"]
        assert answer_of(draft, draft.before) == expected["before_answer"]
        assert draft.margin == pytest.approx(expected["margin"], abs=2e-6)


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_cases_hold_rejects_edges_and_every_answer(category: str) -> None:
    cases = CASES[category]
    assert len({case["name"] for case in cases}) == len(cases) >= 9
    assert sum("reject" in case["expect"] for case in cases) >= 3
    assert sum("edge" in case["name"] for case in cases) >= 2
    assert {case["expect"].get("answer") for case in cases} - {None} >= ANSWERS.get(category, {"yes", "no"})
