"""Labels judged against a truth: the judge itself is right, and wrong labels are counted (docs/label_noise.md)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from support.sources import ROOT

from flowbench.builders.real.categories import CATEGORIES, Draft
from flowbench.builders.real.noise import Judged, _by_gaps, _ordered
from flowbench.builders.sim.items import Reject


def draft(category: str, relation: str | None = None, threshold: float | None = None, listed: int = 1) -> Draft:
    return Draft(category, tuple(range(listed)), relation, threshold, "", "", 0.1, (), True)


@pytest.mark.parametrize(
    ("asked", "gaps", "answer"),
    [
        (draft("near_object", "within", 0.2), [0.19], "yes"),
        (draft("near_object", "within", 0.2), [0.21], "no"),
        (draft("near_object", "beyond", 0.2), [0.21], "yes"),
        (draft("count_near", "within", 0.3, 4), [0.1, 0.31, 0.2, 0.29], "3"),
        (draft("closer_to", listed=3), [0.3, 0.1, 0.2], "1"),
        (draft("closest_three", listed=5), [0.5, 0.1, 0.3, 0.2, 0.4], "1+2+3"),
    ],
)
def test_true_distances_give_true_answers(asked: Draft, gaps: list[float], answer: str) -> None:
    assert _by_gaps(asked, gaps) == answer


@pytest.mark.parametrize(
    ("category", "relation", "answer"),
    [
        ("left_right", "left", "yes"),
        ("left_right", "right", "no"),
        ("depth_order", "closer", "no"),
        ("depth_order", "farther", "yes"),
    ],
)
def test_true_places_give_true_answers(category: str, relation: str, answer: str) -> None:
    """The mover is to the left of the landmark and behind it."""
    assert _ordered(draft(category, relation), (-0.1, 0.0, 1.2), (0.1, 0.0, 1.0)) == answer


@pytest.fixture(scope="module")
def study() -> ModuleType:
    spec = importlib.util.spec_from_file_location("label_noise", ROOT / "scripts" / "label_noise.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_study_counts_and_tells(study: ModuleType, tmp_path: Path) -> None:
    good, bad = ("near_object", (0, 1)), ("left_right", (0, 2))
    exact = {good, bad}
    counts: dict[str, dict[str, dict[str, int]]] = {}
    study._add(counts, "exact", [Judged(good, False, False), Judged(bad, True, False)], exact)
    study._add(counts, "erosion 3", [Judged(good, True, True)], exact)
    study._add(counts, "missed 0.1", Reject("mover: nothing moved"), exact)
    assert counts["exact"]["left_right"] == {"kept": 1, "wrong": 1, "misperceived": 0, "lost": 0}
    assert counts["erosion 3"]["near_object"]["misperceived"] == 1
    assert counts["missed 0.1"]["near_object"]["lost"] == counts["missed 0.1"]["left_right"]["lost"] == 1
    text = study.report(counts, 1)
    assert "| all | 2 | 1 | 50.0% |" in text
    assert "| erosion 3 | 1 | 1 | 100.0% | 100.0% | 50.0% |" in text
    study._keep(counts, tmp_path)
    assert json.loads((tmp_path / "label_noise.json").read_text()) == counts
    assert all(name in text for name in CATEGORIES)
