"""Choices of counts: the right one's place among them tells nothing (paper, B.4.5; real.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from flowbench.builders.real.answerer import CountingAnswerer
from flowbench.builders.real.candidates import claim
from flowbench.builders.real.categories import CATEGORIES, Draft
from flowbench.builders.real.categories.count_near import REACH, offers
from flowbench.builders.real.facts import Facts
from flowbench.builders.real.presets import preset_named
from flowbench.builders.real.selecting import select
from flowbench.builders.sources.profiles import profile_named

EVERY = [(n0, n1, most) for most in (4, 5, 6) for n1 in range(1, most) for n0 in range(most + 1)]


@pytest.mark.parametrize(("n0", "n1", "most"), EVERY)
def test_four_counts_are_offered_in_every_place_that_there_is(n0: int, n1: int, most: int) -> None:
    made = offers(n0, n1, most, np.random.default_rng(0))
    places = [counts.index(n1) for counts in made]
    assert places == sorted(set(places))
    assert len(places) >= 2 or (n0, n1) in ((0, 1), (most, most - 1)), "nothing is left on one side of both"
    for counts in made:
        assert list(counts) == sorted(set(counts))
        assert len(counts) == 4
        assert {n0, n1} <= set(counts) <= set(range(most + 1))
        assert all(abs(each - n1) <= REACH for each in counts if each != n0)


def pairs(seed: int, scenes: int) -> Iterator[tuple[int, list[Draft]]]:
    """Questions of pairs whose landmarks lie anywhere on a table."""
    rng = np.random.default_rng(seed)
    for scene in range(scenes):
        count = int(rng.integers(4, 7))
        spots, ways = rng.uniform(-0.35, 0.35, (count, 2)), rng.uniform(-0.3, 0.3, (2, 2))
        gaps = {
            k: SimpleNamespace(
                before=max(0.0, float(np.hypot(*(ways[0] - spots[k]))) - 0.07),
                after=max(0.0, float(np.hypot(*(ways[1] - spots[k]))) - 0.07),
            )
            for k in range(count)
        }
        facts: Any = SimpleNamespace(
            landmarks=tuple(range(count)),
            gaps=gaps,
            profile=profile_named("tabletop"),
            paper=False,
            fits=lambda t: True,
        )
        category = CATEGORIES["count_near"]
        drafts = [*category.changed(cast(Facts, facts), rng), *category.unchanged(cast(Facts, facts), rng)]
        yield scene, drafts


def row(scene: int, ordinal: int, draft: Draft) -> dict[str, Any]:
    """What the select pass knows of a question."""
    place = draft.options.index(draft.answer)
    plain = dict.fromkeys(("direction", "band", "mover_type", "landmark_type"), "")
    own = {"scene": scene, "ordinal": ordinal, "category": "count_near", "flipped": draft.flipped, "clear": draft.clear}
    words = [f"threshold {draft.threshold:g}", f"listed {len(draft.landmarks)}"]
    told = {
        "label": draft.answer,
        "before": draft.before,
        "answer": f"place {place} of 4",
        "relation": claim(draft),
    }
    return {**plain, **own, **told, "threshold": str(draft.threshold), "toward": False, "letterings": 4, "words": words}


@pytest.mark.parametrize("testing", [False, True])
def test_no_place_among_the_choices_is_right_more_often(testing: bool) -> None:
    rows = [row(scene, k, draft) for scene, drafts in pairs(3, 500) for k, draft in enumerate(drafts)]
    chosen, _ = select(rows, 3, preset_named("balanced"), testing, CountingAnswerer(3))
    places = Counter(rows[choice.row]["answer"] for choice in chosen)
    assert len(chosen) >= 100
    assert max(places.values()) <= 0.32 * len(chosen)
    assert min(places.values()) >= 0.15 * len(chosen)
    counts = Counter(rows[choice.row]["label"] for choice in chosen)
    assert max(counts.values()) <= 0.36 * len(chosen)
